"""tape.report: the numbers are NumPy's, and each verdict is given where it is due."""

import html.parser
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.insight.tape_reports import verdicts

rng = np.random.default_rng(0)


def normal(*shape, scale=1.0, dtype="float32"):
    return (rng.standard_normal(shape) * scale).astype(dtype)


def test_numbers():
    w = tf.Variable([[3.0, 0.0], [4.0, 0.0]], name="w")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w)
    report = tape.report(y, w)
    (row,) = report.rows
    assert row.name == "w" and row.shape == "(2, 2)" and row.dtype == "float32"
    assert row.norm == pytest.approx(10.0) and row.ratio == pytest.approx(2.0)
    assert row.zeros == 0.5 and row.nans == 0.0 and row.verdict == "fine"
    np.testing.assert_allclose(report.gradients.numpy(), 2 * w.numpy())


def test_a_tape_is_used_up_as_by_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.report(y, x)
    with pytest.raises(RuntimeError, match="non-persistent"):
        tape.gradient(y, x)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    assert tape.report(y, x).verdicts == tape.report(y, x).verdicts == ["fine"]
    assert float(tape.gradient(y, x)) == 4.0


def test_structures_and_names():
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    t = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(t)
        y = a * b * t
    report = tape.report(y, {"first": a, "rest": (b, t)})
    assert [row.name for row in report.rows] == ["a", "b", "rest/1"]
    assert float(report.gradients["rest"][1]) == 2.0
    twice = [tf.Variable(1.0, name="w"), tf.Variable(2.0, name="w")]
    with tf.GradientTape() as tape:
        y = twice[0] * twice[1]
    assert [row.name for row in tape.report(y, twice).rows] == ["w (source 0)", "w (source 1)"]


def test_disconnected_says_why():
    w, u = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="u")
    with tf.GradientTape() as tape:
        y = tf.round(w) * u
    report = tape.report(y, [w, u])
    assert report.verdicts == ["disconnected", "fine"]
    assert "round" in report.rows[0].text and report.rows[0].norm is None


def test_vanishing():
    weights = [tf.Variable(normal(8, 8, scale=0.1), name=f"w{i}") for i in range(8)]
    x = tf.constant(normal(16, 8))
    with tf.GradientTape() as tape:
        h = x
        for w in weights:
            h = tf.sigmoid(h @ w)
        y = tf.reduce_sum(h)
    report = tape.report(y, weights)
    assert report.verdicts[0] == "vanishing" and report.verdicts[-1] == "fine"
    rms = [row.norm / 8 for row in report.rows]
    expected = ["vanishing" if one <= verdicts.VANISHING * max(rms) else "fine" for one in rms]
    assert report.verdicts == expected


def test_vanishing_in_the_rounding_of_the_value():
    w = tf.Variable(1000.0)
    with tf.GradientTape() as tape:
        y = w * 1e-5
    assert tape.report(y, w).verdicts == ["vanishing"]


def test_exploding():
    w = tf.Variable(normal(4, 4), name="w")
    with tf.GradientTape() as tape:
        h = tf.constant(normal(4, 4))
        for _ in range(12):
            h = 10.0 * h @ w
        y = tf.reduce_sum(h)
    report = tape.report(y, w)
    assert report.verdicts == ["exploding"] and "clip" in str(report)


def test_dead_relu_names_its_line():
    w, b = tf.Variable(normal(4, 4), name="w"), tf.Variable(tf.fill([4], -50.0), name="b")
    x = tf.constant(normal(16, 4))
    with tf.insight.positions(), tf.GradientTape() as tape:
        h = tf.nn.relu(x @ w + b)  # the line
        y = tf.reduce_sum(h)
    report = tape.report(y, [w, b])
    assert report.verdicts == ["dead ReLU", "dead ReLU"]
    place = report.rows[0].where
    file, _, line = place.partition(":")
    assert file == "test_gradient_report.py"
    assert "# the line" in Path(__file__).read_text().splitlines()[int(line) - 1]
    assert f"dead ReLU at {place}" in str(report)


def marked(text):
    lines = Path(__file__).read_text().splitlines()
    return f"test_gradient_report.py:{1 + next(i for i, x in enumerate(lines) if text in x)}"


def test_functions_are_looked_into():
    w, b = tf.Variable(normal(4, 4), name="w"), tf.Variable(tf.fill([4], -50.0), name="b")
    v = tf.Variable(normal(4, 4), name="v")

    @tf.function
    def network(x):
        h = tf.nn.relu(x @ w + b)  # the ReLU inside
        return tf.tanh(h) @ v  # the tanh inside

    x = tf.constant(normal(16, 4))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(network(x))
    report = tape.report(y, [w, b, v])
    assert report.verdicts == ["dead ReLU", "dead ReLU", "zero"]
    assert report.rows[0].where == marked("# the ReLU inside")
    b.assign(tf.fill([4], 50.0))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(network(x))
    report = tape.report(y, [w, b, v])
    assert report.verdicts == ["saturated", "saturated", "fine"]
    assert report.rows[0].where == marked("# the tanh inside")


def test_a_function_whose_slope_is_zero_says_how_to_look_inside():
    w = tf.Variable([3.0])
    clipped = tf.function(lambda x: tf.clip_by_value(x, -1.0, 1.0))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(clipped(w))
    assert "run_functions_eagerly" in tape.report(y, w).rows[0].text


ZEROS = {
    "random numbers": lambda w: tf.constant([[1.0, 2.0]]) @ w @ tf.zeros([2, 1]),
    "a mask": lambda w: w * tf.zeros([2, 2]),
    "so far above the others": lambda w: tf.nn.softmax(w * 1e6) * tf.constant([[1.0, 2.0]]),
}


@pytest.mark.parametrize("words", ZEROS)
def test_why_a_gradient_is_zero(words):
    w = tf.Variable([[1.0, -2.0], [3.0, -4.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(ZEROS[words](w))
    (row,) = tape.report(y, w).rows
    assert row.verdict == "zero" and words in row.text, row.text


def test_a_relu6_is_dead_or_full():
    w = tf.Variable([50.0, 60.0])
    for start, word in ((0.0, "saturated"), (-99.0, "dead ReLU")):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.nn.relu6(w + start))
        assert tape.report(y, w).verdicts == [word]


def test_a_living_relu_is_not_blamed():
    w = tf.Variable(normal(4, 4))
    x = tf.constant(normal(16, 4))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.relu(x @ w))
    assert tape.report(y, w).verdicts == ["fine"]


@pytest.mark.parametrize("activation", [tf.sigmoid, tf.tanh])
def test_saturated(activation):
    w = tf.Variable(normal(4, 4))
    x = tf.constant(normal(64, 4, scale=500.0))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(activation(x @ w))
    report = tape.report(y, w)
    assert report.verdicts == ["saturated"] and "positions()" in report.rows[0].text


def test_overflow_in_float16():
    w = tf.Variable(normal(4, 4), name="w")
    with tf.GradientTape() as tape:
        h = tf.cast(w, tf.float16) * 60000.0
        y = tf.reduce_sum(h * h)
    report = tape.report(y, w)
    assert report.verdicts == ["overflow in float16"]
    assert report.to_dict()["sources"][0]["norm"] is None


def test_not_finite():
    w = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(w))
    (row,) = tape.report(y, w).rows
    assert row.verdict == "not finite" and row.infinities == 0.5


def test_zero():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.clip_by_value(w, -0.5, 0.5))
    assert tape.report(y, w).verdicts == ["zero"]


def test_slices_and_bfloat16():
    table = tf.Variable(normal(6, 3), name="table")
    half = tf.Variable(tf.cast(normal(3), tf.bfloat16), name="half")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1, 1]) * tf.cast(half, tf.float32))
    rows = tape.report(y, [table, half]).rows
    assert rows[0].zeros == pytest.approx(5 / 6) and rows[1].dtype == "bfloat16"
    expected = 2 * np.linalg.norm(half.numpy().astype("float32"))
    assert rows[0].norm == pytest.approx(expected, rel=1e-5)


class Balanced(html.parser.HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_as_html_and_dict():
    w = tf.Variable([1.0], name="a<b>")
    with tf.GradientTape() as tape:
        y = tf.round(w)
    report = tape.report(y, w)
    assert "td" in Balanced(report._repr_html_()).seen and "a&lt;b&gt;" in report._repr_html_()
    json.dumps(report.to_dict(), allow_nan=False)


def test_wrong_use():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = w * w

    @tf.function
    def traced():
        with tf.GradientTape() as inner:
            z = w * w
        return inner.report(z, w).gradients

    with pytest.raises(RuntimeError, match="run_functions_eagerly"):
        traced()
    with pytest.raises(TypeError, match="GradientTape"):
        tape.report(y, [w, "w"])
    assert tape.report(y, w).verdicts == ["fine"]  # the tape is as it was


def test_keras_names():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = tf.keras.layers.Dense(2, name="head")
        layer.build((None, 3))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.ones([4, 3])))
    report = tape.report(y, layer.trainable_variables)
    assert [row.name for row in report.rows] == ["head/kernel", "head/bias"]
