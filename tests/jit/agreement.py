"""Native code of a small function, checked against the NumPy executor."""

import numpy as np

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise
from tapeflow.jit.pipeline import compile


def graph_of(f, *args):
    """The optimised graph of a function for arrays or tensors like these."""
    args = [tf.constant(x) for x in args]
    return optimise(tf.function(f).get_concrete_function(*args).function.graph)


def both(f, *args, whole=True):
    """Results of native code, of the NumPy executor, and the code; whole: it calls no kernel."""
    graph = graph_of(f, *args)
    arrays = [np.asarray(x) for x in args]
    native = compile(graph)
    assert not (whole and native.reasons), native.reasons
    return native.run(list(arrays), []), Program(graph).run(list(arrays), []), native


def agree(f, *args, rtol=2e-5, atol=2e-6, whole=True):
    """Check a function against NumPy; gives its native code."""
    got, want, native = both(f, *args, whole=whole)
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        wide = "c16" if a.dtype.kind == "c" else "f8"
        np.testing.assert_allclose(np.asarray(a, wide), np.asarray(b, wide), rtol=rtol, atol=atol)
    return native


def draw(*shape, dtype="float32"):
    """Random numbers, the same for the same shape."""
    rng = np.random.default_rng(len(shape) + sum(shape))
    return tf.constant(rng.normal(size=shape).astype(dtype))
