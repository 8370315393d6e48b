"""tapeflow.checkpoint and tf.recompute_grad inside tf.functions: less memory, the same numbers."""

import logging

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph.passes import optimise
from tapeflow.insight.tape_reports import checkpointed_function
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.pipeline import compile_function
from tapeflow.jit.runtime.target import host

rng = np.random.default_rng(0)
WEIGHTS = [tf.Variable(rng.standard_normal((32, 32)).astype("f") * 0.2) for _ in range(10)]
X = tf.constant(rng.standard_normal((200, 32)).astype("f"))
ONE = 200 * 32 * 4  # bytes of one activation
BUDGET = 18 * ONE


def products(x):
    for w in WEIGHTS:
        z = x @ w
        x = tf.sigmoid(z) * tf.tanh(z) + x
    return tf.reduce_sum(x * x)


def elementwise(x):
    for _ in range(10):
        x = tf.sin(x) * tf.exp(-x * x) + tf.reduce_max(x, axis=0) * WEIGHTS[0][0]
    return tf.reduce_sum(x * x)


def layers(x):
    for w in WEIGHTS:
        x = tf.recompute_grad(lambda x, w=w: tf.sigmoid(x @ w) * tf.tanh(x @ w) + x)(x)
    return tf.reduce_sum(x * x)


def plain_layers(x):
    for w in WEIGHTS:
        x = tf.sigmoid(x @ w) * tf.tanh(x @ w) + x
    return tf.reduce_sum(x * x)


def gradients(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, [x, WEIGHTS[0]])


def traced(function):
    return tf.function(lambda x: gradients(function, x), autograph=False)


def arena(step):
    """Bytes that the native code of a step needs for its intermediate results."""
    graph = step.get_concrete_function(X).function.graph
    return compile_function(optimise(graph), Module(host())).layout.arena


@pytest.mark.parametrize("plain, small", [
    (products, tf.checkpoint(products, budget=BUDGET)),
    (elementwise, tf.checkpoint(elementwise, budget=BUDGET)),
    (plain_layers, layers)], ids=["products", "elementwise", "recompute_grad"])
def test_a_graph_computes_again(plain, small):
    expected, step = traced(plain), traced(small)
    kept = arena(expected)
    assert BUDGET < kept
    assert arena(step) < (0.7 * kept if small is layers else BUDGET)
    for a, b in zip(expected(X), step(X), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(gradients(tf.function(plain), X), gradients(tf.function(small), X),
                    strict=True):  # a tape around the function
        np.testing.assert_array_equal(a, b)


def test_random_numbers_are_kept():
    def noisy(x):
        for w in WEIGHTS[:6]:
            x = tf.nn.dropout(tf.tanh(x @ w), 0.3) + x
        return tf.reduce_sum(x * x)

    found = []
    for function in (noisy, tf.checkpoint(noisy, budget=18 * ONE)):
        tf.random.set_seed(5)
        step = traced(function)
        found.append([one.numpy() for _ in range(3) for one in step(X)])
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)


def chain(x):
    for _ in range(8):
        x = tf.sin(tf.exp(-x) * 1.5)
    return tf.reduce_sum(x)


def second(function, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def test_second_derivatives():
    x = tf.constant([0.3, 0.7])
    small = tf.checkpoint(chain, budget=160)
    expected = second(chain, x)
    for found in (tf.function(lambda x: second(small, x), autograph=False)(x),
                  second(tf.function(small), x), second(tf.function(tf.recompute_grad(chain)), x)):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_in_loops_and_branches_and_vectorized_maps():
    x = tf.constant([0.3, 0.7])
    small = tf.checkpoint(chain, budget=160)

    def looped(function):
        @tf.function
        def run(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.constant(0.0)
                for _ in tf.range(3):
                    if y < 100.0:
                        y = y + function(x * (y + 1.0))
            return tape.gradient(y, x)
        return run(x)

    def mapped(function):
        def slope(row):
            with tf.GradientTape() as tape:
                tape.watch(row)
                y = function(row)
            return tape.gradient(y, row)
        return tf.function(lambda x: tf.vectorized_map(slope, x))(tf.stack([x, 2 * x]))

    for way in (looped, mapped):
        for function in (small, tf.recompute_grad(chain)):
            np.testing.assert_allclose(way(function), way(chain), rtol=1e-5)


def test_unknown_sizes_are_said_not_to_be_heeded(caplog):
    checkpointed_function._warned.clear()
    step = tf.function(lambda x: gradients(tf.checkpoint(products, budget=BUDGET), x),
                       input_signature=[tf.TensorSpec([None, 32])], autograph=False)
    with caplog.at_level(logging.WARNING, "tensorflow"):
        found = step(X)
    assert caplog.text.count("the budget of 'products' is not heeded") == 1
    for a, b in zip(traced(products)(X), found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-3)


def test_the_least_budget_is_said_while_tracing():
    with pytest.raises(ValueError, match="least is"):
        traced(tf.checkpoint(products, budget=1000))(X)


def test_a_saved_step_gives_the_same(tmp_path):
    x = tf.constant([0.3, 0.7])

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.recompute_grad(chain)(x)
        return tape.gradient(y, x)

    module = tf.Module()
    module.slope = tf.function(slope, input_signature=[tf.TensorSpec([2])])
    tf.saved_model.save(module, str(tmp_path))
    found = tf.saved_model.load(str(tmp_path)).slope(x)
    np.testing.assert_allclose(found, module.slope(x), rtol=1e-5)
