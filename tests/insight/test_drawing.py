"""tape.draw: a well-formed SVG that shows what was recorded, and stays small."""

import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.insight.drawing.layered_layout import lay_out

SVG = "{http://www.w3.org/2000/svg}"


def boxes(drawing):
    """(class, lines of the tip) of each node."""
    tree = ET.fromstring(drawing.svg)
    return [(one.get("class"), one.find(f"{SVG}title").text.split("\n"))
            for one in tree.iter(f"{SVG}g") if "node" in (one.get("class") or "")]


def small():
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="dense/kernel")
    b = tf.Variable([0.0, 1.0], name="dense/bias")
    with tf.insight.positions(), tf.GradientTape() as tape:
        h = tf.nn.relu(tf.ones([3, 2]) @ w + b)
        y = tf.reduce_sum(h) + tf.reduce_sum(tf.round(h))
    return tape, y, [w, b]


def test_ops_leaves_cuts_and_norms():
    tape, y, sources = small()
    found = boxes(tape.draw(y))
    labels = {tip[0].split("  ")[0] for _, tip in found}
    assert {"dense/kernel", "dense/bias", "matmul", "relu", "round"} <= labels
    (cut,) = [tip for kind, tip in found if "cut" in kind]
    assert cut[0].startswith("round") and any("gradients end at round" in line for line in cut)
    expected = np.linalg.norm(tape.gradient(y, sources[1]))  # draw has not used the tape up
    (bias,) = [tip for _, tip in found if tip[0] == "dense/bias"]
    assert bias[1] == f"norm of the gradient: {expected:.3g}"


@pytest.mark.parametrize("group", ["op", "line", "layer"])
def test_groups(group, tmp_path):
    tape, y, _ = small()
    drawing = tape.draw(y, group=group)
    assert drawing._repr_svg_() == drawing.svg and f"by {group}" in drawing.svg
    drawing.save(tmp_path / "tape.svg")
    ET.parse(tmp_path / "tape.svg")
    if group == "line":
        assert any(tip[1].startswith("h = tf.nn.relu") for _, tip in boxes(drawing))


def test_without_target_and_after_use():
    tape, y, sources = small()
    assert "norm of the gradient" not in tape.draw().svg
    tape.gradient(y, sources)
    assert len(boxes(tape.draw())) > 5  # the skeleton is left
    with pytest.raises(RuntimeError, match="used up"):
        tape.draw(y)
    with pytest.raises(ValueError, match="op, line, layer"):
        tape.draw(group="file")
    with pytest.raises(RuntimeError, match="recorded nothing"):
        tf.GradientTape().draw()


@pytest.mark.parametrize("lines", [True, False])
def test_ten_thousand_ops_stay_small(lines):
    w = tf.Variable(0.5)
    context = tf.insight.positions() if lines else tf.name_scope("none")
    with context, tf.GradientTape() as tape:
        x = tf.constant(1.0)
        for _ in range(2500):
            x = tf.sin(x * w)
            x = x + w * 0.1
    start = time.process_time()
    drawing = tape.draw(x)
    assert time.process_time() - start < 10
    assert drawing.picture.steps == 9_999 or drawing.picture.steps == 10_000
    assert len(drawing.picture.nodes) <= 260 and len(drawing.svg) < 200_000


def test_the_same_bytes_each_time():
    tape, y, _ = small()
    assert tape.draw(y).svg == tape.draw(y).svg


def test_layout_keeps_nodes_apart_and_edges_down():
    edges = [(0, 2), (1, 2), (2, 3), (0, 4), (3, 4), (1, 4), (4, 1)]
    layout = lay_out([50.0, 80.0, 60.0, 40.0, 90.0], edges, 70.0)
    for a in range(5):
        for b in range(a):
            (xa, ya), (xb, yb) = layout.centres[a], layout.centres[b]
            assert ya != yb or abs(xa - xb) >= 40
    for a, b in edges:
        path = layout.paths[a, b]
        assert path[0] == layout.centres[a] and path[-1] == layout.centres[b]
        if a < b:
            assert [y for _, y in path] == sorted(y for _, y in path)
    assert lay_out([], [], 70.0).centres == []


def test_every_op_has_its_box():
    w = tf.Variable([0.5, 0.3], name="w")
    with tf.GradientTape(persistent=True) as tape:
        x = tf.constant([1.0, 2.0])
        for _ in range(400):
            x = tf.sin(x * w) + w * 0.1
        y = tf.reduce_sum(x)
    assert len(tape.draw(y).picture.nodes) <= 250
    drawing = tape.draw(y, group="each")
    assert len(drawing.picture.nodes) == 1602 == drawing.svg.count('class="node ')
    assert "edges over more than 10 ranks are left out" in drawing.svg
    width = float(drawing.svg.partition('viewBox="0 0 ')[2].split()[0])
    assert width < 1000  # what is made of leaves alone stands beside its user


@pytest.mark.parametrize("compiled", [False, True])
def test_a_traced_tape_gets_its_norms_when_the_function_runs(compiled):
    w = tf.Variable([[3.0, 0.0], [0.0, 4.0]], name="w")
    drawn = []

    @tf.function(autograph=False, jit_compile=compiled)
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(x @ w))
        drawn.append(tape.draw(loss))
        return tape.gradient(loss, w)

    x = tf.constant([[1.0, 0.0]])
    gradient = step(x)
    for scale in (1.0, 10.0):
        gradient = step(scale * x)
        (node,) = [one for one in drawn[0].picture.nodes if one.label == "w"]
        assert node.norm == pytest.approx(float(tf.norm(gradient)))
        (product,) = [one for one in drawn[0].picture.nodes if one.label == "matmul"]
        assert product.norm == pytest.approx(scale * 6.0)
        assert "norm of the gradient" in drawn[0].svg


def test_sources_in_place_of_a_group_are_refused_in_words():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * w
    with pytest.raises(ValueError, match="Sources are not given"):
        tape.draw(y, w)
