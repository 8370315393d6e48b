"""tape.memory: what is kept, counted once, by line and op; and what recomputing would save."""

import json

import numpy as np
import pytest

import tapeflow as tf

KB = 4 * 1000  # bytes of 1,000 float32


def test_buffers_are_counted_once_and_variables_apart():
    w = tf.Variable(tf.ones([2000]))  # larger than what is kept for nothing
    with tf.GradientTape() as tape:
        e = tf.exp(w)  # keeps its result
        y = e * e + tf.reshape(e, [20, 100])[0, 0] * w  # e again, in two views
    found = tape.memory()
    assert found.variables == 2 * KB
    exps = [row for row in found.rows if row.op == "exp"]
    assert [row.bytes for row in exps] == [2 * KB] and exps[0].times == 1
    assert found.total == found.profile[-1] < 2 * KB + 100
    del y


def test_lines_largest_first():
    x = tf.Variable(tf.ones([1000]))
    with tf.insight.positions(), tf.GradientTape() as tape:
        small = tf.exp(x[:10])
        for _ in range(3):
            x2 = tf.sin(tf.tanh(x))
    found = tape.memory()
    assert [row.bytes for row in found.rows] == sorted(
        [row.bytes for row in found.rows], reverse=True)
    first = found.rows[0]
    assert (first.op, first.times, first.bytes) == ("tanh", 3, 3 * KB)
    assert first.file == __file__ and str(first.line) in str(found)
    del small, x2


def chain(w, x, count, step):
    with tf.insight.positions(), tf.GradientTape() as tape:
        for _ in range(count):
            x = step(x, w)
        y = tf.reduce_sum(x)
    return tape, y


def layer(x, w):
    z = x @ w
    return tf.sigmoid(z) * tf.tanh(z)


def test_a_suggestion_keeps_what_it_says():
    w = tf.Variable(np.eye(50, dtype="float32"))
    x = tf.ones([200, 50])
    plain, y = chain(w, x, 6, layer)
    recomputing, z = chain(w, x, 6, tf.recompute_grad(layer))
    before, after = plain.memory(), recomputing.memory()
    best = before.savings[0]
    # Around the two lines of `layer`; the input that is not kept in either case may differ.
    saved = before.total - after.total
    assert best.last - best.first == 1 and 0.75 * saved <= best.bytes <= 1.05 * saved
    assert "tf.recompute_grad around lines" in str(before)
    np.testing.assert_array_equal(plain.gradient(y, w).numpy(), recomputing.gradient(z, w).numpy())


def test_functions_keep_what_their_gradient_needs():
    x = tf.Variable(tf.ones([1000]))
    f = tf.function(lambda v: tf.exp(tf.sin(v)))
    with tf.GradientTape() as tape:
        y = f(x)
    assert tape.memory().total >= KB
    del y


def test_texts():
    x = tf.Variable(tf.ones([1000]))
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match="recorded nothing"):
        tape.memory()
    with tape:
        y = tf.exp(x)
    found = tape.memory()
    assert "4 kB" in str(found) and "positions()" in str(found)
    assert "<table>" in found._repr_html_()
    json.dumps(found.to_dict())
    tape.gradient(y, x)
    assert tape.memory().total == 0
