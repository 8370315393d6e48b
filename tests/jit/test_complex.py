"""Complex numbers in native code: against NumPy's kernels."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.pipeline import compile
from tests.jit.agreement import graph_of

RNG = np.random.default_rng(0)
TOLERANCE = {"complex64": 2e-5, "complex128": 1e-13}


def numbers(*shape, dtype="complex64"):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


def native(f, *args):
    """The compiled program, after its results have been compared with eager ones."""
    program = compile(graph_of(f, *args))
    for a, b in zip(program.run(list(args), []),
                    tf.nest.flatten(f(*[tf.constant(x) for x in args])), strict=True):
        b = b.numpy()
        assert a.dtype == b.dtype and a.shape == b.shape
        tolerance = TOLERANCE[str(np.result_type(a.dtype, np.complex64))]
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
    return program


FUNCTIONS = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y, "neg": lambda x, y: -x, "conj": lambda x, y: tf.math.conj(x),
    "real": lambda x, y: tf.math.real(x), "imag": lambda x, y: tf.math.imag(x),
    "complex": lambda x, y: tf.complex(tf.math.imag(x), tf.math.real(y)),
    "abs": lambda x, y: tf.abs(x), "angle": lambda x, y: tf.math.angle(x),
    "square": lambda x, y: tf.square(x), "reciprocal": lambda x, y: tf.math.reciprocal(x),
    "exp": lambda x, y: tf.exp(x), "log": lambda x, y: tf.math.log(x),
    "sqrt": lambda x, y: tf.sqrt(x), "rsqrt": lambda x, y: tf.math.rsqrt(x),
    "sin": lambda x, y: tf.sin(x), "cos": lambda x, y: tf.cos(x), "sinh": lambda x, y: tf.sinh(x),
    "cosh": lambda x, y: tf.cosh(x), "tanh": lambda x, y: tf.tanh(x),
    "equal": lambda x, y: tf.cast(x == tf.where(tf.math.real(y) > 0, x, y), tf.float32),
    "not equal": lambda x, y: tf.cast(x != tf.where(tf.math.real(y) > 0, x, y), tf.float32),
    "no nan": lambda x, y: tf.math.divide_no_nan(x, y) + tf.math.multiply_no_nan(x, y),
    "numbers": lambda x, y: x * (2.0 - 3.0j) + 1.5j, "zeros": lambda x, y: tf.zeros_like(x) + y,
    "add_n": lambda x, y: tf.add_n([x, y, x]),
    "cast": lambda x, y: tf.cast(tf.math.real(x), x.dtype) + y,
    "wider": lambda x, y: tf.cast(x, tf.complex128), "narrower": lambda x, y: tf.cast(
        x, tf.complex64) * 2.0,
    "sums": lambda x, y: (tf.reduce_sum(x), tf.reduce_sum(x * y, 0), tf.reduce_sum(y, 1)),
    "means": lambda x, y: (tf.reduce_mean(x), tf.reduce_mean(x, 0), tf.reduce_mean(x * y, 1)),
    "products of elements": lambda x, y: tf.reduce_prod(x, 1),
    "moves": lambda x, y: tf.concat([tf.transpose(x)[::-1] * 2.0, tf.transpose(y)], 0),
    "product": lambda x, y: tf.matmul(x, y, adjoint_b=True),
    "other product": lambda x, y: tf.matmul(x, y, transpose_a=True),
    "einsum": lambda x, y: tf.einsum("ij,kj->ik", x, y),
}


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, dtype):
    for shape in ((1, 1), (3, 7), (5, 33), (40, 65)):
        program = native(FUNCTIONS[name], numbers(*shape, dtype=dtype), numbers(*shape,
                                                                                dtype=dtype))
        assert not program.calls


def gradient(name):
    def f(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.nest.flatten(FUNCTIONS[name](x, y))[0]
            loss = tf.reduce_sum(tf.abs(z) if z.dtype.is_complex else z)
        return tape.gradient(loss, [x, y], unconnected_gradients="zero")

    return f


@pytest.mark.parametrize("name", [
    name for name in FUNCTIONS if "qual" not in name and name != "narrower"])
def test_gradients(name):
    args = [numbers(4, 9, dtype="complex128") + 2 for _ in range(2)]
    called = native(gradient(name), *args).calls
    assert not called or name == "products of elements"  # running products are NumPy's


def test_large_and_small_numbers_are_divided():
    """Squares of these are infinite or 0."""
    x = np.array([1e30 + 1e30j, 1e-30 - 2e-30j, 3e30j, 1 + 1j, 0, 2], np.complex64)
    y = np.array([2e30 - 1e30j, 1e-30 + 1e-30j, 1e30, 1e-38j, 3 + 1j, 1j], np.complex64)
    for a, b in zip(native(lambda x, y: (x / y, tf.abs(x), tf.sqrt(x)), x, y).run([x, y], []),
                    (x / y, np.abs(x), np.sqrt(x))):
        np.testing.assert_allclose(a, b, rtol=1e-5)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_special_values(dtype):
    """NaN and infinities are where NumPy has them, but for the sign of zeros and parts of NaN."""
    special = [0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan]
    x = np.array([complex(a, b) for a in special for b in special], dtype)
    with np.errstate(all="ignore"):
        for f, wanted in ((lambda x: (x + x, x - 1.0, -x, tf.math.conj(x)),
                           (x + x, x - 1, -x, x.conj())),
                          (lambda x: (tf.abs(x), tf.math.real(x), tf.math.imag(x)),
                           (np.abs(x), x.real, x.imag))):
            for a, b in zip(compile(graph_of(f, x)).run([x], []), wanted, strict=True):
                np.testing.assert_array_equal(a, b)


def test_division_by_zero():
    x, y = numbers(5), np.zeros(5, np.complex64)
    found, = compile(graph_of(lambda x, y: x / y, x, y)).run([x, y], [])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, x / y)


def test_variables_and_loops():
    w = tf.Variable(numbers(8))

    @tf.function(jit_compile=True)
    def step(x):
        for _ in tf.range(3):
            w.assign_sub(0.1 * (w - x))
        return tf.reduce_sum(tf.abs(w - x) ** 2)

    x = numbers(8)
    expected = w.numpy()
    for _ in range(2):
        loss = step(tf.constant(x))
        for _ in range(3):
            expected = expected - np.complex64(0.1) * (expected - x)
    np.testing.assert_allclose(w.numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(loss, np.sum(np.abs(expected - x) ** 2), rtol=1e-4)


def test_what_has_no_native_form_is_called():
    program = native(lambda x: tf.math.atanh(x) * 2.0 + tf.signal.ifft(tf.signal.fft(x)),
                     numbers(3, 8) / 4)
    assert program.calls == 3
