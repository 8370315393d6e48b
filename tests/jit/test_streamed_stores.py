"""Large results that fused loops write past the caches."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise
from tapeflow.jit import pipeline
from tapeflow.jit.choices import forcing, watching
from tapeflow.jit.runtime import target

pytestmark = pytest.mark.skipif(target.host().arch == "aarch64", reason="x86 only")


@pytest.fixture(autouse=True)
def without_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def graph_of(f, *arrays):
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in arrays]
    return optimise(
        tf.function(f, autograph=False).get_concrete_function(*specs).function.graph)


def compared(graph, arrays, executable):
    expected = Program(graph).run(arrays, [])
    found = executable.run(list(arrays), [])
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-6, atol=2e-6)
    return found


def normalised(x):
    centred = x - tf.reduce_mean(x, -1, keepdims=True)
    return centred * tf.math.rsqrt(tf.reduce_mean(centred * centred, -1, keepdims=True) + 1e-5)


def taken(graph):
    with watching() as met:
        executable = pipeline.compile(graph)
    return executable, {one for name, one in met if name == "loop.stores"}


def test_a_large_result_is_streamed_and_a_small_one_is_not():
    x = np.random.default_rng(0).normal(size=(1100, 2000)).astype("f")
    large, small = graph_of(normalised, x), graph_of(normalised, x[:50])
    executable, met = taken(large)
    assert met == {"streamed"}
    assert "nontemporal" in executable.text
    assert "llvm.x86.sse.sfence" in executable.text
    compared(large, [x], executable)
    executable, met = taken(small)
    assert met == {"cached"}
    compared(small, [x[:50]], executable)


def test_what_no_cache_keeps_is_streamed_though_it_is_read_again():
    x = np.random.default_rng(0).normal(size=((8 << 20) + 16,)).astype("f")

    def f(x):
        y = x + 1
        return tf.cumsum(y), tf.reduce_sum(y * y)

    graph = graph_of(f, x)
    executable, met = taken(graph)
    assert "streamed" in met
    found = executable.run([x], [])
    np.testing.assert_allclose(found[0], Program(graph).run([x], [])[0], rtol=1e-4, atol=1e-2)


def test_what_the_program_reads_again_stays_in_the_caches():
    x = np.ones((1 << 22,), "f")

    def f(x):
        y = x + 1
        return y, tf.cumsum(y)

    executable, met = taken(graph_of(f, x))
    assert "streamed" not in met
    assert "nontemporal" not in executable.text


@pytest.mark.parametrize("size", [1, 3, 4, 5, 8, 16, 31, 64, 200])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int8", "float16"])
def test_rows_of_any_size(size, dtype):
    x = (np.random.default_rng(0).normal(size=(9, size)) * 50).astype(dtype)

    def f(x):
        return x * 2 + 1, tf.transpose(x) - 1, x[1:, ::-1] + 1

    graph = graph_of(f, x)
    with forcing({"loop.stores": "streamed"}):
        compared(graph, [x], pipeline.compile(graph))


def test_memory_that_is_not_aligned_is_written_by_usual_stores(monkeypatch):
    x = np.random.default_rng(0).normal(size=(40, 64)).astype("f")
    graph = graph_of(lambda x: x * 2 + 1, x)
    with forcing({"loop.stores": "streamed"}):
        executable = pipeline.compile(graph)
    odd = np.empty(40 * 64 + 5, "f")
    for begin in range(5):
        result = odd[begin:begin + 40 * 64].reshape(40, 64)
        monkeypatch.setattr(executable._results, "new", lambda result=result: [result])
        found = compared(graph, [x], executable)
        assert found[0] is result
