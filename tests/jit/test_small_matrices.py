"""Factorisations and systems of small matrices: native code against LAPACK."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.jit.choices import forcing
from tapeflow.jit.pipeline import compile
from tests.jit.agreement import agree, both, graph_of
from tests.jit.test_verification import judge

SIDES = [*range(1, 21), 31, 32, 33, 63, 64]
TOLERANCE = {"float32": 1e-4, "float64": 1e-11}
RNG = np.random.default_rng(12)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def normal(*shape, dtype="float32"):
    return RNG.normal(size=shape).astype(dtype)


def positive(*shape, dtype="float32"):
    x = RNG.normal(size=shape)
    return (x @ x.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])).astype(dtype)


def hilbert(n, dtype):
    """As badly conditioned as matrices come, and positive definite in exact arithmetic."""
    i = np.arange(n)
    return (1 / (i[:, None] + i + 1) + 1e-6 * np.eye(n)).astype(dtype)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_sides(dtype):
    def f(*xs):
        return [one for a, b in zip(xs[::2], xs[1::2], strict=True) for one in (
            tf.linalg.cholesky(a), tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b))]

    for sides in (SIDES[:10], SIDES[10:20], SIDES[20:]):
        args = []
        for n in sides:
            args += [positive(2, n, n, dtype=dtype), normal(2, n, 1 + n * 3 % 11, dtype=dtype)]
        agree(f, *args, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("adjoint", [False, True])
def test_triangles(lower, adjoint):
    """Of each matrix one triangle is read; operands are broadcast, transposed and cut."""
    def solve(a, b):
        return tf.linalg.triangular_solve(a, b, lower=lower, adjoint=adjoint)

    def f(a, b, c):
        return (solve(a, b), solve(a[0], b), solve(a, b[0]), solve(a, tf.transpose(c, [0, 2, 1])),
                solve(tf.transpose(a, [0, 2, 1]), b[:, :, 1:4]), solve(a[:, 1:6, 2:7], b[:, :5]),
                solve(a[:, ::-1, ::-1], b[:, ::-1]), solve(a[:, :1, :1], b[:, :1]))

    agree(f, positive(3, 9, 9) + 1, normal(3, 9, 37), normal(3, 5, 9), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name, x", {
    "NaN": [[4, 2, 0], [2, np.nan, 0], [0, 0, 1]],
    "NaN first": [[np.nan, 2, 0], [2, 5, 0], [0, 0, 1]],
    "NaN in the triangle that is not read": [[4, np.nan, 0], [2, 5, np.nan], [0, 0, 1]],
    "infinity": [[np.inf, 2, 0], [2, 5, 0], [0, 0, 1]],
    "infinity beside": [[4, 0, 0], [0, 5, 0], [np.inf, 0, 1]],
    "zeros": np.zeros((3, 3)), "negative": -np.eye(3), "ones": np.ones((3, 3)),
    "negative last": [[4, 0, 0], [0, 5, 0], [0, 0, -1]]}.items())
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_what_is_not_positive_definite(name, x, dtype):
    stack = np.stack([np.eye(3), x, 2 * np.eye(3)]).astype(dtype)
    got, want, _ = both(tf.linalg.cholesky, stack)
    np.testing.assert_array_equal(got[0], want[0])


def test_a_zero_on_the_diagonal_divides():
    a = np.float32([[2, 0], [1, 0]])
    got, want, _ = both(tf.linalg.triangular_solve, a, np.float32([[1, 0], [3, 0]]))
    np.testing.assert_array_equal(got[0], want[0])
    assert np.isinf(got[0][1, 0]) and np.isnan(got[0][1, 1])


def test_larger_matrices_and_others_are_lapacks():
    for x in (positive(65, 65), positive(4, 4, dtype="float16")):
        native = agree(tf.linalg.cholesky, x, whole=False, rtol=1e-3, atol=1e-3)
        assert native.reasons
    empty = tf.function(lambda a, b: tf.linalg.triangular_solve(tf.linalg.cholesky(a), b),
                        jit_compile=True)
    assert empty(tf.zeros([0, 0]), tf.zeros([0, 3])).shape == (0, 3)
    assert empty(tf.zeros([0, 2, 2]), tf.zeros([0, 2, 3])).shape == (0, 2, 3)


def test_tasks_change_no_bit():
    def f(a, b):
        return tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b)

    a, b = positive(7, 17, 17), normal(7, 17, 5)
    found = []
    for tasks in (False, True):
        with forcing({"matrix.tasks": tasks}):
            found.append(both(f, a, b)[0][0])
    np.testing.assert_array_equal(*found)


# -- elimination -----------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_sides_of_eliminations(dtype):
    def f(*xs):
        found = []
        for a, b in zip(xs[::2], xs[1::2], strict=True):
            found += [tf.linalg.solve(a, b), tf.linalg.solve(a, b, adjoint=True), tf.linalg.inv(a),
                      *tf.linalg.lu(a), *tf.linalg.slogdet(a), tf.linalg.det(a / 10)]
        return found

    for sides in (SIDES[:12], SIDES[12:20], SIDES[20:]):
        args = []
        for n in sides:
            away = 3 * np.sqrt(n) * np.eye(n)[RNG.permutation(n)]  # from singular
            args += [(normal(2, n, n) + away).astype(dtype), normal(2, n, 1 + n % 5, dtype=dtype)]
        agree(f, *args, rtol=5 * TOLERANCE[dtype], atol=5 * TOLERANCE[dtype])


def test_the_first_of_equal_pivots():
    x = np.float32([[1, 2, 3], [-1, 1, 1], [1, 0, 5]])
    got, want, _ = both(lambda x: tf.linalg.lu(x, output_idx_type=tf.int64), x)
    np.testing.assert_array_equal(got[1], want[1])
    np.testing.assert_allclose(got[0], want[0], rtol=1e-6)


SINGULAR = {
    "zeros": np.zeros((2, 2)), "ones": np.ones((3, 3)), "rows": [[0.1, 0.2], [0.3, 0.6]],
    "by rounding": np.arange(9).reshape(3, 3) / 10, "NaN": [[1, 2], [np.nan, 1]],
    "a column": [[1, 0, 2], [3, 0, 4], [5, 0, 7]], "infinity": [[np.inf, 1], [1, 1]]}
CALLS = {
    "inv": tf.linalg.inv, "lu": tf.linalg.lu, "det": tf.linalg.det, "slogdet": tf.linalg.slogdet,
    "solve": lambda x: tf.linalg.solve(x, tf.ones_like(x)),
    "gradient": lambda x: tf.gradients(tf.linalg.det(x), x)}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_singular_matrices_are_what_they_are_to_numpy(call, name, dtype):
    """Errors, and values where there is none, are the kernel's."""
    x = np.stack([np.eye(len(SINGULAR[name])), SINGULAR[name]]).astype(dtype)
    graph = graph_of(CALLS[call], x)
    ends = []
    for executor in (Program(graph), compile(graph)):
        try:
            ends.append(executor.run([x], []))
        except tf.errors.InvalidArgumentError as error:
            ends.append((type(error), error.message))
    reference, native = ends
    if isinstance(reference[0], type):
        assert native == reference
    else:
        for got, want in zip(native, reference, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-6)


def test_an_error_changes_no_variable():
    v = tf.Variable(tf.eye(2))

    @tf.function(jit_compile=True)
    def step(x):
        v.assign(tf.linalg.inv(x))
        return v * 2

    np.testing.assert_allclose(step(2 * tf.eye(2)), tf.eye(2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        step(tf.ones([2, 2]))
    np.testing.assert_array_equal(v, tf.eye(2) / 2)
    # So small that NumPy must say whether it is singular: it is not, and its values are given.
    near = np.float32([[1, 1], [1, 1 + 2.0 ** -23]])
    np.testing.assert_allclose(step(near) / 2, np.linalg.inv(near.astype("f8")), rtol=1e-3)
    np.testing.assert_allclose(v, np.linalg.inv(near.astype("f8")), rtol=1e-3)


# -- the comparison with NumPy ---------------------------------------------------------------------
def factor_and_solve(a, b):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        l = tf.linalg.cholesky(a)
        x = tf.linalg.cholesky_solve(l, b)
        loss = tf.reduce_sum(x * x)
    return [l, x, *tape.gradient(loss, [a, b])]


@pytest.mark.parametrize("n, dtype", [(4, "float32"), (6, "float32"), (9, "float64"),
                                      (12, "float64"), (40, "float64")])
def test_badly_conditioned_matrices_are_not_refused(n, dtype):
    assert judge(factor_and_solve, hilbert(n, dtype), normal(n, 2, dtype=dtype)) is True


def solve_and_invert(a, b):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        x = tf.linalg.solve(a, b)
        loss = tf.reduce_sum(x * x) + tf.linalg.slogdet(a)[1]
    return [x, tf.linalg.inv(a), tf.linalg.det(a), *tape.gradient(loss, [a, b])]


@pytest.mark.parametrize("n, dtype", [(3, "float32"), (5, "float32"), (8, "float64"),
                                      (30, "float64")])
def test_badly_conditioned_systems_are_not_refused(n, dtype):
    a = hilbert(n, dtype)[::-1].copy()
    assert judge(solve_and_invert, a, normal(n, 2, dtype=dtype)) is True


@pytest.mark.parametrize("which", range(5))
def test_a_wrong_element_of_a_system_is_found(which):
    def spoil(results, values):
        results[which].reshape(-1)[-1:] *= 1 + 1e-2

    a = normal(20, 20) + 10 * np.eye(20, dtype="f")
    assert judge(solve_and_invert, a, normal(20, 2), spoil=spoil) is False


@pytest.mark.parametrize("which, change", [
    (0, lambda x: x.__setitem__((0, 20, 3), x[0, 20, 3] * (1 + 1e-3))),
    (0, lambda x: x.__setitem__((1, 3, 20), 1e-3)),
    (1, lambda x: x.__setitem__((2, 31, 1), x[2, 31, 1] * (1 + 1e-3))),
    (2, lambda x: x.__setitem__(3, x[3] * (1 + 1e-3))),
    (3, lambda x: x.__setitem__((0, 0, 0), x[0, 0, 1]))])
def test_a_wrong_element_is_found(which, change):
    def spoil(results, values):
        change(results[which])

    assert judge(factor_and_solve, positive(4, 32, 32), normal(4, 32, 2), spoil=spoil) is False


def test_a_pivot_in_doubt_draws_and_updates_once(using):
    """NumPy runs then, from the state before."""
    sound = np.eye(3, dtype="float32")
    doubtful = np.array([[1, 1, 0], [1, 1 + 2.4e-7, 0], [0, 0, 1]], "float32")

    def found(mode):
        v = tf.Variable(tf.zeros(3))

        @tf.function
        def f(x):
            v.assign_add(tf.random.normal([3]))
            inverse = tf.linalg.inv(x)
            v.assign_add(tf.random.normal([3]) + inverse[2])
            return inverse

        using(jit=mode)
        tf.random.set_seed(3)
        return [*[f(tf.constant(x)).numpy() for x in (sound, doubtful) * 3], v.numpy()]

    for native, plain in zip(found("now"), found("off"), strict=True):
        np.testing.assert_allclose(native, plain, 1e-6)


# -- q and r ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("full", [False, True])
def test_sides_of_q_and_r(dtype, full):
    def f(*xs):
        return [one for x in xs for one in tf.linalg.qr(x, full_matrices=full)]

    sides = [(n, n) for n in SIDES] + [(n, 1 + n * 5 % 13) for n in SIDES] + [
        (1 + n * 5 % 13, n) for n in SIDES] + [(64, 63), (63, 64), (64, 1), (1, 64), (33, 31)]
    for part in range(0, len(sides), 16):
        args = [normal(2, m, n, dtype=dtype) for m, n in sides[part:part + 16]]
        agree(f, *args, rtol=5 * TOLERANCE[dtype], atol=5 * TOLERANCE[dtype])


def test_gradients_of_q_and_r():
    def f(x):
        q, r = tf.linalg.qr(tf.transpose(x, [0, 2, 1]))
        return tf.gradients(tf.reduce_sum(tf.sin(q)) + tf.reduce_sum(r * r * r), x)

    agree(f, normal(3, 5, 9), rtol=1e-3, atol=1e-3)
    agree(f, normal(3, 7, 7, dtype="float64"), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name, x", {
    "zeros": np.zeros((3, 3)), "triangular": np.triu(np.arange(9.0).reshape(3, 3) - 4),
    "diagonal": np.diag([-1.0, 2.0, -3.0]), "negative zero": [[-0.0, 1], [2, 3]],
    "zero first": [[0, 1], [2, 3]], "a zero column": [[0, 1, 2], [0, 3, 5], [0, 4, 4]],
    "ones": np.ones((3, 3)), "rank 2": np.arange(9.0).reshape(3, 3) / 10,
    "huge": np.eye(2) * 1e30 + 1e29, "tiny": np.eye(2) * 1e-30 + 1e-31,
    "small below": [[1, 2], [1e-30, 3]], "denormal": [[1e-42, 1e-43], [1e-43, 1e-42]],
    "NaN": [[1, 2], [np.nan, 1]], "infinity": [[1, np.inf], [1, 1]]}.items())
def test_q_and_r_have_the_signs_of_lapack(name, x, dtype):
    stack = np.stack([np.eye(len(x)), x, np.eye(len(x))[::-1]]).astype(dtype)
    f = tf.function(tf.linalg.qr, jit_compile=True)
    for got, want in zip(f(stack), tf.linalg.qr(stack), strict=True):
        np.testing.assert_allclose(got, want, rtol=TOLERANCE[dtype],
                                   atol=np.abs(np.nan_to_num(want)).max() * TOLERANCE[dtype])
