"""Epilogues of products that are loops of their own, because they read large arrays."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise
from tapeflow.jit import pipeline
from tapeflow.jit.choices import forcing, watching


@pytest.fixture(autouse=True)
def without_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def graph_of(f, *arrays):
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in arrays]
    return optimise(
        tf.function(f, autograph=False).get_concrete_function(*specs).function.graph)


def compiled(graph):
    """The program, and what became of its epilogues."""
    with watching() as met:
        executable = pipeline.compile(graph)
    return executable, {one for name, one in met if name == "fusion.epilogue"}


def numbers(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape).astype("f")


def adam(x, g, w, m, v):
    """A step's update of a layer's weights, and its gradient."""
    d = tf.matmul(x, g, transpose_a=True)
    m, v = m + (d - m) * 0.1, v + (d * d - v) * 0.001
    return d, m, v, w - 0.01 * m / (tf.sqrt(v) + 1e-7)


def operands(k, m, n):
    return [numbers(k, m), numbers(k, n), numbers(m, n), numbers(m, n), abs(numbers(m, n))]


@pytest.mark.parametrize(("sizes", "how"), [
    ((8, 700, 130), "parted"),  # three arrays of 364 kB
    ((8, 70, 130), "kept"),  # they are small
    ((8, 5000, 40), "kept"),  # rows of the result are a panel or two
])
def test_an_update_of_large_weights_is_a_loop(sizes, how):
    arrays = operands(*sizes)
    graph = graph_of(adam, *arrays)
    executable, met = compiled(graph)
    assert met == {how}
    expected = Program(graph).run(arrays, [])
    for x, y in zip(executable.run(list(arrays), []), expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("rows", "how"), [(2100, "parted"), (500, "kept")])
def test_one_array_must_be_larger(rows, how):
    arrays = numbers(rows, 8), numbers(8, 512), numbers(rows, 512)
    graph = graph_of(lambda x, w, y: tf.nn.relu(tf.matmul(x, w)) * y, *arrays)
    executable, met = compiled(graph)
    assert met == {how}
    expected = Program(graph).run(list(arrays), [])
    np.testing.assert_allclose(executable.run(list(arrays), [])[0], expected[0], rtol=2e-5,
                               atol=2e-5)


def test_a_bias_stays_in_the_epilogue():
    arrays = numbers(2100, 8), numbers(8, 512), numbers(512)
    _, met = compiled(graph_of(lambda x, w, b: tf.nn.relu(tf.matmul(x, w) + b), *arrays))
    assert met == {"kept"}


@pytest.mark.parametrize("sizes", [(3, 5, 7), (9, 33, 66), (16, 700, 130)])
def test_both_ways_give_the_same_bits(sizes):
    arrays = operands(*sizes)
    graph = graph_of(adam, *arrays)
    found = []
    for how in ("kept", "parted"):
        with forcing({"fusion.epilogue": how}):
            executable, met = compiled(graph)
        assert met == {how}
        found.append(executable.run(list(arrays), []))
    for x, y in zip(*found, strict=True):
        np.testing.assert_array_equal(x, y)


def test_variables_are_changed_by_the_loop():
    w, m, v = [tf.Variable(one) for one in operands(8, 700, 130)[2:]]
    x, g = [tf.constant(one) for one in operands(8, 700, 130)[:2]]

    @tf.function(jit_compile=True)
    def step(x, g):
        d, *after = adam(x, g, w, m, v)
        for variable, value in zip((m, v, w), after, strict=True):
            variable.assign(value)
        return tf.reduce_sum(d)

    expected = [one.numpy() for one in (w, m, v)]
    for _ in range(3):
        _, *changed = adam(x, g, *[tf.constant(one) for one in expected])
        expected = [one.numpy() for one in (changed[2], changed[0], changed[1])]
        step(x, g)
    for variable, value in zip((w, m, v), expected, strict=True):
        np.testing.assert_allclose(variable.numpy(), value, rtol=5e-5, atol=5e-5)
