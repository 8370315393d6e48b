"""Gradients of slices that cover an axis are the slices side by side."""

import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.passes.joined_slices import join_slices
from tests.jit.agreement import agree, draw, graph_of

N = 5


def gradient(f):
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    return step


JOINED = {
    "gates": lambda x: tf.sigmoid(x[:, :N]) * tf.tanh(x[:, N:2 * N]) + x[:, 2 * N:] ** 2,
    "rows": lambda x: tf.sin(x[:2]) * x[2:4] + tf.exp(x[4:]),
    "another term": lambda x: tf.reduce_sum(x[:, :7] ** 3) + tf.reduce_sum(x[:, 7:] ** 2) * (
        tf.reduce_sum(tf.cos(x))),
}
APART = {
    "a gap": lambda x: tf.reduce_sum(x[:, :N] ** 2) * tf.reduce_sum(x[:, 2 * N:] ** 3),
    "an overlap": lambda x: tf.reduce_sum(x[:, :8]) * tf.reduce_sum(x[:, 7:] ** 3),
    "twice": lambda x: x[:, :N] ** 2 * x[:, :N] ** 3,
    "two axes": lambda x: tf.reduce_sum(x[:3] ** 2) * tf.reduce_sum(x[:, 5:] ** 3),
    "a stride": lambda x: tf.reduce_sum(x[:, ::2] ** 2) * tf.reduce_sum(x[:, 1::2] ** 3),
    "two other terms": lambda x: tf.reduce_sum(x[:, :7] ** 3) + tf.reduce_sum(x[:, 7:] ** 2) * (
        tf.reduce_sum(tf.cos(x)) + tf.reduce_sum(tf.exp(x) ** 2)),
}


def ops(f):
    graph = join_slices(graph_of(gradient(f), draw(6, 15)))
    return [node.op.name for node in graph.nodes]


@pytest.mark.parametrize("name", [*JOINED, *APART])
def test_results_are_those_of_numpy(name):
    f = {**JOINED, **APART}[name]
    for joined in (True, False):
        with forcing({"fusion.joined_slices": joined}):
            agree(gradient(f), draw(6, 15), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", JOINED)
def test_slices_that_cover_an_axis_are_joined(name):
    found = ops(JOINED[name])
    assert "concat" in found and "unstrided" not in found


@pytest.mark.parametrize("name", APART)
def test_others_are_not(name):
    assert "unstrided" in ops(APART[name])
