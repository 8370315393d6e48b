"""After a NaN or infinity was fetched the failing step is run once more, checked, and told of."""

import logging

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.autodiff import tape
from tapeflow.core.state import state
from tapeflow.core.values import tensor
from tapeflow.core.values.tensor import turns
from tapeflow.insight import eager_steps, rerun


@pytest.fixture
def said(caplog, monkeypatch):
    rerun.FIRST.clear()  # the steps of other tests
    for module, name in ((tensor, "_its_turn"), (tape, "its_turn")):
        monkeypatch.setattr(module, name, turns(64, 64))  # others have had the first ones
    eager_steps._told = eager_steps._Told()
    state.record_type = None
    with caplog.at_level(logging.WARNING, "tensorflow"):
        yield caplog
    rerun._waiting.clear()


def step_of(w, loss_of, rate=0.1):
    @tf.function
    def train(x):
        with tf.GradientTape() as tape:
            loss = loss_of(w, x)
        w.assign_sub(rate * tape.gradient(loss, w))
        return loss
    return train


FETCHES = {"float": float, "numpy": lambda y: y.numpy(), "format": lambda y: f"{y:.2f}",
           "str": str, "array": np.asarray}


@pytest.mark.parametrize("fetch", FETCHES)
def test_a_slope_of_a_root(said, fetch):
    train = step_of(tf.Variable([0.0, 1.0], name="w"),
                    lambda w, x: tf.reduce_sum(tf.sqrt(w * x)))
    for _ in range(5):
        FETCHES[fetch](train(tf.constant([1.0, 2.0])))
    assert said.text.count("tapeflow: NaN in what 'train' computes") == 1
    assert "born in the gradient of sqrt" in said.text
    assert "lambda w, x: tf.reduce_sum(tf.sqrt(w * x))" in said.text and "remedy: " in said.text


def test_a_step_that_diverges(said):
    train = step_of(tf.Variable(1.0), lambda w, x: tf.square(w * x - 3.0), 10.0)
    for _ in range(40):
        float(train(tf.constant(2.0)))
    assert "infinity in what 'train' computes" in said.text
    assert "inf born in square" in said.text and "learning rate" in said.text


def test_a_step_whose_loss_is_read_late(said):
    train = step_of(tf.Variable(1.0), lambda w, x: tf.square(w * x - 3.0), 10.0)
    for _ in range(40):
        loss = train(tf.constant(2.0))
    float(loss)
    assert "repeated" in said.text and "inf born in square" in said.text


def test_the_arguments_are_those_of_the_failing_call(said):
    w = tf.Variable([1.0, 1.0])
    train = step_of(w, lambda w, x: tf.reduce_sum(w * tf.math.log(x)))
    for x in ([1.0, 2.0], [3.0, 2.0], [1.0, 0.0]):
        float(train(tf.constant(x)))
    assert "log(0) gives -inf at [1]" in said.text and "its last call" in said.text


@pytest.mark.parametrize("fetch", ["numpy", "str", "array"])
def test_gradients_that_a_function_returns(said, fetch):
    w = tf.Variable([4.0, 0.0])

    @tf.function
    def gradients(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w) * x)
        return tape.gradient(loss, w)

    FETCHES[fetch](gradients(tf.constant(3.0)))
    assert "infinity in what 'gradients' computes" in said.text
    assert "born in the gradient of sqrt" in said.text and "sqrt_grad(0, 3)" in said.text
    assert w.numpy().tolist() == [4.0, 0.0]


def test_data_that_is_nan(said):
    w = tf.Variable([1.0, 1.0])
    train = step_of(w, lambda w, x: tf.reduce_sum(w * x))
    for x in ([1.0, 2.0], [1.0, np.nan], [1.0, np.nan]):
        float(train(tf.constant(x)))
    assert "was there before: a constant or input at [1]" in said.text  # no name holds it
    assert np.isnan(w.numpy()).tolist() == [False, True]  # as without the report


def test_no_further_call_is_needed(said):
    train = step_of(tf.Variable([0.0]), lambda w, x: tf.reduce_sum(tf.sqrt(w)))
    for _ in range(2):
        value = float(train(tf.constant(1.0)))
    assert np.isnan(value) and "born in the gradient of sqrt" in said.text


def test_what_is_no_step_is_left_alone(said):
    f = tf.function(lambda x: tf.sqrt(x))
    for _ in range(3):
        float(f(tf.constant(-1.0)))
    float(tf.constant(np.nan))
    assert said.text == ""


SICK = np.ones((8, 2), "f")
SICK[5, 1] = np.nan


def iterated(w):
    @tf.function(autograph=False)
    def step(iterator):
        x, y = iterator.get_next()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, w) - y))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    return step


def test_data_that_an_iterator_brought_are_found_in_its_sources(said):
    data = tf.data.Dataset.from_tensor_slices((SICK, np.ones(8, "f"))).shuffle(8, seed=1).batch(2)
    step, iterator = iterated(tf.Variable([1.0, 1.0], name="w")), iter(data)
    for _ in range(4):
        loss = step(iterator)
    float(loss)
    assert "The data hold NaN: array 0 of those that the dataset is made of" in said.text
    assert "at [5, 1], row 5 of 8" in said.text and "remedy: look at the data" in said.text


def test_debug_names_component_row_and_step_of_an_iterator(said):
    data = tf.data.Dataset.from_tensor_slices((SICK, np.ones(8, "f"))).batch(2)
    train, iterator = iterated(tf.Variable([1.0, 1.0])), iter(data)
    with pytest.raises(tf.errors.InvalidArgumentError) as found, tf.insight.debug():
        for step in range(4):  # noqa: B007 the report names it
            train(iterator)
    assert step == 2 and "component 0 of element 2 (counted from 0) of the data at [1, 1]" in str(
        found.value)
    assert "in row 1 of 2; step = 2" in str(found.value)


# -- eager loops ---------------------------------------------------------------------------------
def eager_loop(w, loss_of, data, fetch=float, rate=0.1):
    for x in data:
        with tf.GradientTape() as tape:
            loss = loss_of(w, x)
        g = tape.gradient(loss, w)
        w.assign_sub(rate * g)
        fetch(loss)
    return g


def root_of(w, x):
    shifted = w * x
    return tf.reduce_sum(tf.sqrt(shifted))


def test_an_eager_loop_names_the_line_of_a_slope(said):
    eager_loop(tf.Variable([0.0, 1.0], name="w"), root_of, [1.0] * 4)
    assert said.text.count("tapeflow: ") == 1
    assert "in the gradient of variable 'w:0'" in said.text
    assert "inf born in the gradient of sqrt at tests/insight/test_rerun.py" in said.text
    assert "return tf.reduce_sum(tf.sqrt(shifted))" in said.text
    assert "sqrt_grad(0, 1) gives inf at [0]" in said.text and "remedy: " in said.text


def test_an_eager_loop_tells_the_values_of_its_failing_step(said):
    w = tf.Variable([1.0, 1.0])
    data = [tf.constant(x) for x in ([1.0, 2.0], [3.0, 0.0], [1.0, 1.0], [1.0, 1.0])]
    eager_loop(w, lambda w, x: tf.reduce_sum(tf.math.log(w * x)), data)
    assert "infinity in the target" in said.text
    assert "log(0) gives -inf at [1]" in said.text and "tf.math.log(w * x)" in said.text


def test_an_eager_loop_names_data_that_are_not_finite(said):
    data = [tf.constant(x) for x in ([1.0, 2.0], [3.0, np.nan], [1.0, 1.0], [1.0, 1.0])]
    eager_loop(tf.Variable([1.0, 1.0]), lambda w, x: tf.reduce_sum(w * x), data)
    assert "NaN was there before: input 'x' at [1]" in said.text
    assert "taken by multiply at tests/insight/test_rerun.py" in said.text


def test_rows_of_a_batch_and_what_the_loop_counts(said):
    w, rows = tf.Variable([1.0, 1.0]), np.ones((8, 2), "f")
    rows[[1, 4, 6], 0] = np.inf
    for epoch in range(2):
        for step in range(3):
            batch = tf.constant(rows if (epoch, step) == (1, 1) else np.ones((8, 2), "f"))
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.linalg.matvec(batch, w))
            w.assign_sub(0.1 * tape.gradient(loss, w))
            float(loss)
    assert "inf was there before: input 'batch' at [1, 0] (3 of 16 elements)" in said.text
    assert "in rows 1, 4, 6 (3 of 8); epoch = 1, step = 1" in said.text


def test_an_eager_loop_that_diverges(said):
    eager_loop(tf.Variable(1.0), lambda w, x: tf.square(w * x - 3.0), [2.0] * 40, rate=10.0)
    assert "inf born in square" in said.text and "learning rate" in said.text
    assert "lambda w, x: tf.square(w * x - 3.0)" in said.text


def test_one_eager_gradient_that_is_printed(said):
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x ** 0.5 * 2.0)
        z = y + tf.reduce_sum(tf.sqrt(x))
    str(tape.gradient(z, x))
    eager_steps.tell_rest()
    assert "pow" in said.text or "sqrt" in said.text
    assert "remedy: " in said.text and said.text.count("tapeflow: ") == 1


def test_the_only_line_of_its_kind_is_named_at_once(said):
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(x))
    tape.gradient(y, x).numpy()
    assert "y = tf.reduce_sum(tf.sqrt(x))" in said.text


def test_a_gradient_of_a_gradient(said):
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        z = tf.reduce_sum(tape.gradient(y, x))
    str(outer.gradient(z, x))
    eager_steps.tell_rest()
    assert "sqrt_grad(0, 1) gives inf" in said.text and "slope of a square root" in said.text


def test_the_line_of_an_infinity_before_a_nan(said):
    p, y = tf.Variable([0.0, 1.0]), tf.constant([0.0, 1.0])
    with tf.GradientTape() as tape:
        logs = tf.math.log(p)
        loss = -tf.reduce_sum(logs * y)
    tape.gradient(loss, p)
    float(loss)
    assert "logs = tf.math.log(p)" in said.text and "loss = -tf.reduce_sum(" in said.text


def test_loss_scaling_is_left_alone(said):
    w = tf.Variable(tf.constant([2.0], tf.float16))
    for scale in (65504.0, 60000.0, 10000.0, 1.0):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
            scaled = loss * tf.constant(scale, tf.float16)
        g = tape.gradient(scaled, w)
        if np.isfinite(g.numpy() if scale == 1.0 else np.zeros(1)).all():
            float(loss)
    eager_steps.tell_rest()
    assert said.text == ""


def test_what_no_step_has_made_is_left_alone(said):
    best = tf.Variable(np.inf)
    with tf.GradientTape() as tape:
        y = best * 0.0 + 1.0
    del tape, y
    print(float(best), best.read_value().numpy(), tf.constant([np.nan]).numpy())
    assert said.text == ""


def test_effects_are_not_repeated(said):
    calls = []
    w = tf.Variable([0.0])

    @tf.function
    def train():
        tf.py_function(lambda: calls.append(1), [], [])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w))
        w.assign_sub(tape.gradient(loss, w))
        return loss

    for _ in range(4):
        float(train())
    assert len(calls) == 4 and "tapeflow run --debug" in said.text


def test_keras_fit_loses_no_batch(said):
    x = np.ones((32, 2), "f")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", lambda t, p: tf.reduce_mean(tf.math.log(p - p)))
    history = model.fit(x, x[:, :1], epochs=2, batch_size=8, verbose=0)
    assert len(history.history["loss"]) == 2
    assert int(model.optimizer.iterations.numpy()) == 8
    assert "-inf born in log" in said.text and "tf.math.log(p - p)" in said.text


def test_large_arguments_are_not_kept():
    """A loop over a large state must not hold two of them."""
    step = tf.function(lambda x: tf.reduce_sum(x * x), autograph=False)
    for size, kept in ((10, True), (1 << 23, False)):
        for _ in range(3):  # by its signature, then by the quick way
            step(tf.ones([size]))
            assert (step._last is not None) == kept
    outer = tf.function(lambda x: step(x) + 1, autograph=False)
    outer(tf.ones([3]))
    assert step._last is None  # not symbols of another trace


def test_what_has_effects_is_not_run_again(said):
    """Strings, which a function that writes a file gives back, are objects as handles are."""
    w, written = tf.Variable(1.0), []

    def write(value):
        written.append(float(value))
        return b"a path"

    @tf.function
    def step():
        w.assign_add(1.0)
        return tf.py_function(write, [w], tf.string)

    step()
    tf.GradientTape()  # what is read from now on is looked at
    assert np.isnan((w * np.nan).numpy())
    assert written == [2.0]


def test_the_programs_random_numbers_stay_what_they_are(said):
    """A run of a step draws random numbers: its streams are put back."""
    def losses(reads):
        tf.random.set_seed(1)
        w = tf.Variable(1.0)
        generator = tf.random.Generator.from_seed(3)

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * tf.random.normal([3]) * x + generator.normal([3]))
            w.assign_sub(0.1 * tape.gradient(loss, w))
            return loss

        step(tf.ones([3]))
        if reads:
            assert np.isnan(tf.constant(np.nan).numpy())
        return [float(step(tf.ones([3]))) for _ in range(3)]

    assert losses(True) == losses(False)
