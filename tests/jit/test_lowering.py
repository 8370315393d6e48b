"""Operands that lie in odd ways, and what is left to the ops' kernels: the values are the same."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.passes import optimise
from tapeflow.jit.choices import forcing
from tapeflow.jit.lowering.lower import Refused
from tapeflow.jit.pipeline import compile
from tests.jit.agreement import agree

rng = np.random.default_rng(0)
A, B, C = [rng.normal(size=shape).astype("f") for shape in ((4, 5), (5, 6), (3, 1, 5))]
ROW = rng.normal(size=(6,)).astype("f")
ONE = rng.normal(size=(4, 1)).astype("f")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def run(f, *arrays):
    return agree(tf.autograph.experimental.do_not_convert(f), *arrays, rtol=2e-3, atol=1e-5,
                 whole=False)


NATIVE = {
    "places behind a product": (lambda a, b: tf.linalg.band_part(a @ b, 0, 1) * 2, A, B),
    "places behind a column": (
        lambda a, b: tf.linalg.band_part(tf.matmul(a, b[:, :1]), 0, 0) + 1, A, B),
    "rows that leading axes make": (lambda c, b: tf.nn.relu(c @ b) + 1, C, B),
    "repeated elements summed": (
        lambda x: tf.reduce_sum(tf.broadcast_to(x[:, None], [6, 3]) * 1.0, 1), ROW),
    "the sum of one element": (lambda x: tf.reduce_sum(tf.transpose(x), 0) * 2, ONE),
    "nothing beside something": (lambda x: tf.concat([x, np.zeros([0, 5], "f")], 0) * 2, A),
    "a part of a tensor replaced": (
        lambda x: tf.tensor_scatter_nd_update(x, [[1], [2]], x[:2] * 2) + 1, A),
    "one place of a row": (lambda x: tf.gather(x, tf.constant([2]), axis=1) * x, A),
    "to and from truth": (
        lambda x: tf.cast(tf.cast(x, tf.bool), tf.float32) + tf.cast(x > 0, tf.float32), A),
    "brain floats": (
        lambda x: tf.cast(tf.cast(x, tf.bfloat16) * tf.constant(1.5, tf.bfloat16), tf.float32),
        A),
    "scans of halves": (lambda x: tf.cumsum(tf.cast(x, tf.float16)), A),
    "whole numbers of halves": (lambda x: tf.cast(tf.cast(x, tf.float16), tf.int32), A * 9),
    "unsigned": (lambda x: tf.cast(tf.abs(x), tf.uint32) // 2 + 1, A * 9),
    "a divisor that may be 0": (lambda x: tf.cast(x * 9, tf.int32) // (
        tf.cast(x, tf.int32) * 0 + 1), A),
    "sorting": (lambda x: tf.sort(x) + 1, A),
    "sorting halves": (lambda x: tf.sort(tf.cast(x, tf.float16)) + 1, A),
    "reshaped across a transposition": (
        lambda x: tf.reshape(tf.transpose(x), [2, 10]) + 1, A),
}
KERNELS = {
    "one constant": ("one constant", lambda x: tf.matmul(x, tf.constant([[2.0]])), ONE),
    "complex numbers": ("no native code for complex",
                        lambda x: tf.math.real(tf.cumsum(tf.complex(x, -x))), A),
    "halves": ("half precision", lambda x: tf.cast(x, tf.float16) // tf.cast(x * 2, tf.float16),
               A),
}


@pytest.mark.parametrize("name", NATIVE)
def test_native(name):
    f, *arrays = NATIVE[name]
    assert not run(f, *arrays).reasons


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name):
    why, f, *arrays = KERNELS[name]
    reasons = run(f, *arrays).reasons
    assert any(why in reason for reason in reasons.values()), reasons


def test_refused():
    def graph(f, *args):
        return optimise(tf.function(f).get_concrete_function(*args).function.graph)

    flag = tf.Variable(False)
    loose = tf.Variable(ROW, shape=[None])
    for why, one in {
        "no elements": graph(lambda x: x * 2, tf.zeros([0, 3])),
        "truth value": graph(lambda: flag.assign(True)),
        "only at run time": graph(lambda: loose.assign_add(loose)),
        "has an effect": graph(lambda x: (tf.print(x), x + 1)[1], tf.constant(ROW)),
    }.items():
        with pytest.raises(Refused, match=why):
            compile(one)


def loops(f, *arrays):
    return [impl.text for kernel in run(f, *arrays).function.plan.kernels
            if (impl := getattr(kernel, "impl", None)) is not None and "loop" in impl.text]


def test_turns_that_are_counted_and_those_that_are_not():
    def counting(bound, step=1, begin=0, more=None):
        def f(x):
            def test(i, y):
                good = i < bound if step > 0 else i > bound
                return good if more is None else tf.logical_and(good, more(y))

            return tf.while_loop(test, lambda i, y: (i + step, y * 1.5), [tf.constant(begin), x])

        return f

    for f in (counting(5), counting(-7, -2, 3), counting(3, more=lambda y: y[0] < 1e9),
              counting(6, more=lambda y: tf.reduce_sum(y) < 20.0), counting(0)):
        assert loops(f, ROW)


def test_a_product_tells_what_was_chosen():
    from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
    from tapeflow.jit.kernels.gemm.gemm_product import Product
    from tapeflow.jit.runtime.target import host
    large = Product.of((700, 900, 3000), "float32", (1, 700), (900, 1))
    with forcing({"gemm.pack_a": True, "gemm.pack_b": True}):
        words = plan_gemm(host(), large).describe()
    for word in ("tiles of float32", "B packed", "A packed", "k in blocks of", "tasks"):
        assert word in words
