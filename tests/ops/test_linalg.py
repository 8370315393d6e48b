"""Semantics of matrix products and linear algebra that the generated tests cannot know: errors,
conventions of gradients, special values. Numbers are TensorFlow 2.21's.
"""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.linalg import matrices

A = tf.ones
INDEFINITE = [[1.0, 2.0], [2.0, 1.0]]
SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
SYMMETRIC = [[4.0, 1.0], [1.0, 3.0]]
TALL = [[4.0, 1.0], [1.0, 3.0], [0.0, 2.0]]
RAMP = np.arange(9.0, dtype=np.float32).reshape(3, 3)


def grad(f, *xs):
    xs = [tf.constant(x) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    gs = tape.gradient(y, xs)
    return gs[0] if len(gs) == 1 else gs


def close(got, want, rtol=1e-5, atol=1e-5):
    np.testing.assert_allclose(np.asarray(got), want, rtol, atol)


# -- matmul ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("a, b, words", [
    ([1, 1], [2, 1], r"Matrix size-incompatible: In\[0\]: \[1,1\], In\[1\]: \[2,1\] \[Op:MatMul\]"),
    ([2, 1, 1], [2, 2, 1], r"In\[0\]: \[2,1,1\], In\[1\]: \[2,2,1\] \[Op:BatchMatMulV2\]"),
    ([2, 1, 2], [3, 2, 1], r"compatible batch dimensions: \[2,1,2\] vs. \[3,2,1\]"),
    ([2], [2], r"ndims must be == 2: 1"),
    ([2, 2], [2], r"In\[0\] and In\[1\] has different ndims: \[2,2\] vs. \[2\]"),
    ([], [2], r"different ndims: \[\] vs. \[2\]"),
])
def test_matmul_refuses_shapes(a, b, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.matmul(A(a), A(b))
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        A(a) @ A(b)


def test_matmul_errors_name_shapes_before_transposing():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\]: \[1,3\], In\[1\]: \[2,1\]"):
        tf.matmul(A([1, 3]), A([2, 1]), transpose_a=True)


def test_matmul_dtypes():
    words = "cannot compute MatMul as input #1.* expected to be a float tensor but is a double"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.matmul(A([2, 2]), A([2, 2], tf.float64))
    assert tf.matmul(A([2, 2]), np.ones((2, 2))).dtype == tf.float32
    with pytest.raises(tf.errors.InvalidArgumentError, match="double tensor but is a float"):
        tf.matmul(np.ones((2, 2)), A([2, 2]))
    assert tf.matmul([[1]], [[2]]).numpy().tolist() == [[2]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="attr 'T' of bool"):
        tf.matmul([[True]], [[True]])


def test_matmul_int32_wraps_and_has_no_gradient():
    big = tf.constant([[2**30, 2**30]])
    assert tf.matmul(big, tf.constant([[2], [2]])).numpy().tolist() == [[0]]


def test_half_precision_is_summed_in_float32():
    ones = A([1, 3000], tf.float16)
    assert float(tf.matmul(ones, ones, transpose_b=True)[0, 0]) == 3000
    assert float(tf.einsum("ij,ij->", ones, ones)) == 3000
    brain = tf.cast(A([1, 300]), tf.bfloat16)
    assert tf.matmul(brain, brain, transpose_b=True).dtype == tf.bfloat16


def test_adjoint_and_transpose_exclude_each_other():
    with pytest.raises(ValueError, match="Only one of `transpose_a` and `adjoint_a`"):
        tf.matmul(A([2, 2]), A([2, 2]), transpose_a=True, adjoint_a=True)
    z = tf.constant([[1 + 2j, 3j]])
    close(tf.matmul(z, tf.constant([[1 + 1j, 2]]), adjoint_b=True), [[3 + 7j]])


def test_output_type():
    narrow = tf.cast(A([2, 100]) * 3, tf.int8)
    wide = tf.matmul(narrow, narrow, transpose_b=True, output_type=tf.int32)
    assert wide.dtype == tf.int32 and int(wide[0, 0]) == 900
    with pytest.raises(tf.errors.NotFoundError):
        tf.matmul(A([2, 3]), A([3, 2]), output_type=tf.float64)


def test_operators_convert_the_other_operand():
    x, v = A([2, 2]), tf.Variable(A([2, 2]))
    for y in (x @ np.ones((2, 2)), np.ones((2, 2)) @ x, x @ [[1, 2], [3, 4]], [[1, 2], [3, 4]] @ x,
              v @ v, x @ v, v @ x, np.ones((2, 2), np.float32) @ v, v @ np.ones((2, 2))):
        assert isinstance(y, tf.Tensor) and y.dtype == tf.float32 and y.shape == (2, 2)


def test_gradient_flows_to_variables_and_only_to_what_is_asked():
    w, x = tf.Variable(A([3, 2])), tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape() as tape:
        y = x @ w
    close(tape.gradient(y, w), [[1, 1], [2, 2], [3, 3]])


def test_products_of_nothing_are_zero():
    close(tf.matmul(A([2, 0]), A([0, 3])), np.zeros((2, 3)))
    assert tf.matmul(A([0, 2]), A([2, 3])).shape == (0, 3)
    ga, gb = grad(tf.matmul, np.ones((2, 0)), np.ones((0, 3)))
    assert ga.shape == (2, 0) and gb.shape == (0, 3)


def test_matmul_jacobian_is_vectorised_over_rows():
    x, w = tf.constant(RAMP), tf.constant(RAMP[::-1].copy())
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.matmul(x, w, transpose_a=True)
    jacobian = tape.jacobian(y, x).numpy()
    close(jacobian, np.einsum("ai,kj->ijka", np.eye(3), w.numpy()).transpose(0, 1, 2, 3))


# -- matvec and tensordot -------------------------------------------------------------------------
def test_matvec():
    close(tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]), [3, 7])
    close(tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0], transpose_a=True), [4, 6])
    assert tf.linalg.matvec(A([5, 2, 3]), A([3])).shape == (5, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\]: \[2,3\], In\[1\]: \[2,1\]"):
        tf.linalg.matvec(A([2, 3]), A([2]))


@pytest.mark.parametrize("a, b, axes", [
    ((2, 3), (3, 4), 1), ((2,), (3,), 0), ((2, 3, 4), (4, 3, 5), [[1, 2], [1, 0]]),
    ((2, 3, 4), (4, 3, 5), [[-2, -1], [1, 0]]), ((2, 3), (3, 2), [1, 0]), ((2, 2), (2, 2), 2),
    ((), (2, 2), 0), ((2, 3), (2, 4), [[0], [0]]), ((2, 3), (4, 3), [[1], [1]]),
    ((0, 3), (3, 2), 1), ((2, 0), (0, 2), 1)])
def test_tensordot_is_numpys(a, b, axes):
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(a), rng.standard_normal(b)
    close(tf.tensordot(x, y, axes), np.tensordot(x, y, axes))


@pytest.mark.parametrize("axes, error, words", [
    (3, ValueError, "must not be larger than the number of dimensions"),
    (-1, ValueError, "`axes` must be at least 0"),
    ([[0, 1], [0]], ValueError, "Different number of contraction axes `a` and `b`, 2 != 1"),
    ([[0], [1], [1]], ValueError, "must be an integer or have length 2"),
    ([[5], [1]], IndexError, "axis 5 is out of range"),
    (1, tf.errors.InvalidArgumentError, "Matrix size-incompatible")])
def test_tensordot_refuses(axes, error, words):
    with pytest.raises(error, match=words):
        tf.tensordot(A([2, 3]), A([2, 3]), axes)


# -- einsum ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("equation, shapes", [
    ("ii", [(3, 3)]), ("ii->i", [(3, 3)]), ("ji", [(2, 3)]), ("ij->", [(2, 3)]),
    ("iij->ij", [(2, 2, 3)]), ("iii->i", [(2, 2, 2)]), ("ba,ac", [(2, 3), (3, 4)]),
    (" i j , j k -> i k ", [(2, 3), (3, 4)]), ("...ij,...jk->...ik", [(5, 1, 2, 3), (6, 3, 4)]),
    ("i...->i...", [(2, 3, 4)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]),
    ("i,j,k->ijk", [(2,), (3,), (4,)]), ("ij,k->i", [(3, 3), (2,)]), (",->", [(), ()]),
    ("bij,bjk->bki", [(2, 3, 4), (2, 4, 5)]), ("bqhd,bkhd->bhqk", [(2, 4, 3, 5), (2, 6, 3, 5)]),
    ("abc,cd,de,ea->b", [(2, 3, 4), (4, 5), (5, 2), (2, 2)]), ("ii,ij,jj->", [(3, 3)] * 3),
    ("a,a,a,a->a", [(3,)] * 4), ("...i,...i->...", [(2, 1, 3), (4, 3)]),
    ("a...a->...a", [(3, 2, 3)]), ("aab,bcc->abc", [(2, 2, 3), (3, 4, 4)]),
    ("ij,jk->ik", [(0, 3), (3, 4)])])
def test_einsum_values_and_gradients(equation, shapes):
    rng = np.random.default_rng(1)
    xs = [rng.standard_normal(shape) for shape in shapes]
    compact = equation.replace(" ", "")
    want = np.einsum(compact, *xs)
    for optimize in ("greedy", "optimal"):
        close(tf.einsum(equation, *[tf.constant(x) for x in xs], optimize=optimize), want)
    sources = [tf.constant(x) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        loss = tf.reduce_sum(tf.einsum(equation, *sources) * want)
    for i, g in enumerate(tape.gradient(loss, sources)):
        t, h = rng.standard_normal(shapes[i]), 1e-4
        ends = [np.sum(want * np.einsum(compact, *[x + s * h * t if j == i else x
                                                   for j, x in enumerate(xs)])) for s in (1, -1)]
        close(np.sum(g.numpy() * t), (ends[0] - ends[1]) / (2 * h), 1e-5, 1e-6)


@pytest.mark.parametrize("equation, shapes, error, words", [
    ("i->ii", [(3,)], ValueError, "label appearing more than once: i->ii"),
    ("ij->k", [(2, 3)], ValueError, "contain the label k not present"),
    ("i1->i", [(2,)], ValueError, "Subscripts have incorrect format"),
    ("i->j->k", [(2,)], ValueError, "Subscripts have incorrect format"),
    ("ij,jk->ik", [(2, 3)], ValueError, 'Got 1 inputs for equation "ij,jk->ik", expecting 2'),
    ("ij,jk->ik", [(2, 3), (4, 5)], tf.errors.InvalidArgumentError,
     r"Expected dimension 3 at axis 0 of the input shaped \[4,5\] but got dimension 4"),
    ("ij,ij->ij", [(1, 3), (2, 3)], tf.errors.InvalidArgumentError, "Expected dimension 1 at axis"),
    ("ii->i", [(2, 3)], tf.errors.InvalidArgumentError, "Expected dimension 2 at axis 1"),
    ("ijk->i", [(2, 3)], tf.errors.InvalidArgumentError, "input 0 to have rank 3 but got: 2"),
    ("...ij,...jk", [(5, 2, 3), (3, 4)], tf.errors.InvalidArgumentError,
     "Output contains 1 broadcasting dimension"),
    ("...i->i", [(3, 3)], tf.errors.InvalidArgumentError, "no ellipsis")])
def test_einsum_refuses(equation, shapes, error, words):
    with pytest.raises(error, match=words):
        tf.einsum(equation, *[A(shape) for shape in shapes])


def test_einsum_takes_no_other_keywords_and_no_mixed_dtypes():
    with pytest.raises(TypeError, match="Invalid keyword arguments for einsum: foo"):
        tf.einsum("i->i", A([2]), foo=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute Einsum"):
        tf.einsum("i,i->", A([2]), A([2], tf.float64))


def test_a_matrix_product_in_einsum_is_matmul():
    x = A([2, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.einsum("ij,kj->ik", x, A([4, 3]))
    assert [entry[1].name for entry in tape._record._entries[1:]] == ["matmul"]


# -- diagonals ------------------------------------------------------------------------------------
def test_bands_are_aligned_as_asked():
    close(tf.linalg.diag_part(RAMP, k=(-1, 1)), [[0, 1, 5], [0, 4, 8], [3, 7, 0]])
    close(tf.linalg.diag_part(RAMP, k=(-1, 1), padding_value=7.0, align="LEFT_RIGHT"),
          [[1, 5, 7], [0, 4, 8], [7, 3, 7]])
    band = tf.constant([[8.0, 9, 0], [1, 2, 3], [4, 5, 0]])
    close(tf.linalg.diag(band, k=(-1, 1), align="LEFT_LEFT"), [[1, 8, 0], [4, 2, 9], [0, 5, 3]])
    close(tf.linalg.diag([1.0, 2, 3], k=1)[:2], [[0, 1, 0, 0], [0, 0, 2, 0]])
    close(tf.linalg.diag([1.0, 2], padding_value=9.0), [[1, 9], [9, 2]])
    wide = np.arange(8.0, dtype=np.float32).reshape(2, 4)
    close(tf.linalg.diag_part(wide, k=(-1, 2)), [[2, 7], [1, 6], [0, 5], [4, 0]])


def test_set_diag_and_its_gradient():
    close(tf.linalg.set_diag(RAMP, [-1.0, -2], k=1), [[0, -1, 2], [3, 4, -2], [6, 7, 8]])
    gx, gd = grad(lambda a, b: tf.linalg.set_diag(a, b) * a, RAMP, np.float32([1, 2, 3]))
    close(gx, [[1, 2, 4], [6, 2, 10], [12, 14, 3]])
    close(gd, [0, 4, 8])


@pytest.mark.parametrize("call, words", [
    (lambda: tf.linalg.diag([1.0, 2, 3], num_rows=2), "The number of rows is too small"),
    (lambda: tf.linalg.diag([1.0, 2, 3], num_rows=4, num_cols=5), "not consistent"),
    (lambda: tf.linalg.diag([1.0], k=(1, 0)), "must not be larger than upper_diag_index: 1 > 0"),
    (lambda: tf.linalg.diag([1.0], k=(-1, 0)), "number of diagonals provided"),
    (lambda: tf.linalg.diag(1.0), r"at least 1-dim, received shape: \[\]"),
    (lambda: tf.linalg.diag([1.0], align="x"), "Value for attr 'align' of \"x\""),
    (lambda: tf.linalg.diag_part(RAMP, k=5), "out of bound: 5. It must be between -3 and 3"),
    (lambda: tf.linalg.diag_part([1.0]), r"at least 2-dim, received shape: \[1\]"),
    (lambda: tf.linalg.set_diag(RAMP, [1.0, 2]), r"Expected diagonal shape: \[3\]"),
    (lambda: tf.linalg.band_part(RAMP, 5, 0), r"number of rows \(3\) got: 5"),
    (lambda: tf.linalg.tensor_diag(1.0), "at least rank 1, got 0"),
    (lambda: tf.linalg.tensor_diag_part(A([2, 3])), "dimensions 0 and 1 do not match")])
def test_diagonals_refuse(call, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        call()


def test_band_part_trace_and_tensor_diag():
    close(tf.linalg.band_part(RAMP, 1, 0), [[0, 0, 0], [3, 4, 0], [0, 7, 8]])
    close(tf.linalg.band_part(RAMP, -1, 0), np.tril(RAMP))
    close(tf.linalg.band_part(tf.fill([2, 2], np.nan), 0, 0), [[np.nan, 0], [0, np.nan]])
    assert float(tf.linalg.trace(RAMP)) == 12 and tf.linalg.trace(A([4, 2, 3])).shape == (4,)
    assert tf.linalg.tensor_diag(A([2, 3])).shape == (2, 3, 2, 3)
    assert tf.linalg.tensor_diag_part(A([2, 3, 2, 3])).shape == (2, 3)


def test_transposes():
    assert tf.linalg.matrix_transpose(A([2, 3, 4])).shape == (2, 4, 3)
    close(tf.linalg.adjoint(tf.constant([[1j, 2]])), [[-1j], [2]])
    with pytest.raises(ValueError, match="rank >= 2"):
        tf.linalg.matrix_transpose([1.0])


# -- solving --------------------------------------------------------------------------------------
def test_cholesky_reads_the_lower_triangle_and_fails_with_nan():
    close(tf.linalg.cholesky([[4.0, 99.0], [2.0, 5.0]]), [[2, 0], [1, 2]])
    both = tf.linalg.cholesky([INDEFINITE, [[1.0, 0.0], [0.0, 1.0]]]).numpy()
    assert np.isnan(both[0][np.tril_indices(2)]).all()
    close(both[1], np.eye(2))


def test_cholesky_gradient_is_symmetrised():
    close(grad(tf.linalg.cholesky, SYMMETRIC), [[0.20634446, 0.17462218], [0.17462218, 0.30151135]])


def test_singular_matrices_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input is not invertible."):
        tf.linalg.inv(SINGULAR)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input matrix is not invertible."):
        tf.linalg.solve(SINGULAR, A([2, 1]))
    assert float(tf.linalg.det(SINGULAR)) == 0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"not invertible.*\[Op:MatrixInverse"):
        grad(tf.linalg.det, SINGULAR)
    assert np.isneginf(tf.linalg.slogdet(SINGULAR).log_abs_determinant)


def test_triangular_solve():
    a, b = [[1.0, 2.0], [3.0, 4.0]], A([2, 1])
    close(tf.linalg.triangular_solve(a, b), [[1], [-0.5]])
    close(tf.linalg.triangular_solve(a, b, lower=False), [[0.5], [0.25]])
    close(tf.linalg.triangular_solve([[0.0, 2.0], [3.0, 4.0]], b), [[np.inf], [-np.inf]])
    ga, gb = grad(tf.linalg.triangular_solve, a, b.numpy())
    close(ga, [[-0.25, 0], [-0.25, 0.125]])
    close(gb, [[0.25], [0.25]])
    assert tf.linalg.triangular_solve(A([5, 2, 2]), A([2, 1])).shape == (5, 2, 1)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
@pytest.mark.parametrize("size, stack", [(3, ()), (20, ()), (20, (2,)), (6, (30,))])
def test_triangular_solve_by_blas_and_by_rows(lower, adjoint, size, stack):
    rng = np.random.default_rng(2)
    a = rng.standard_normal((*stack, size, size)) * 0.1 + np.eye(size)
    b = rng.standard_normal((*stack, size, 2))
    read = np.tril(a) if lower else np.triu(a)
    read = read.swapaxes(-1, -2) if adjoint else read
    close(read @ tf.linalg.triangular_solve(a, b, lower, adjoint).numpy(), b)


@pytest.mark.parametrize("call, words", [
    (lambda: tf.linalg.cholesky(A([2, 3])), r"Input matrix must be square. \[Op:Cholesky\]"),
    (lambda: tf.linalg.cholesky(A([2])), "Input tensor 0 must have rank >= 2, got 1"),
    (lambda: tf.linalg.cholesky([[1]]), "attr 'T' of int32"),
    (lambda: tf.linalg.solve(A([2, 3]), A([2, 1])), r"First input \(lhs\) must be a square matrix"),
    (lambda: tf.linalg.solve(A([2, 2]), A([3, 1])), "Input matrix and rhs are incompatible"),
    (lambda: tf.linalg.solve(A([2, 2]), A([2])), "must have the same rank"),
    (lambda: tf.linalg.solve(A([3, 1, 1]), A([2, 1, 1])), "must have the same outer dimensions"),
    (lambda: tf.linalg.solve(A([2, 2]), A([2, 1], tf.float64)), "expected to be a float tensor"),
    (lambda: tf.linalg.triangular_solve(A([2, 2]), A([3, 1])), "mismatch In.1. shape: 2 vs. 3"),
    (lambda: tf.linalg.eigh([[np.nan, 0], [0, 1.0]]), "Self-adjoint eigen decomposition was not"),
    (lambda: tf.linalg.eigvalsh([[np.nan, 0], [0, 1.0]]), "decomposition was not successful"),
    (lambda: tf.linalg.eig(tf.constant([[np.nan, 0], [0, 1.0]])), "Eigen decomposition was not"),
    (lambda: tf.linalg.lu(SINGULAR), r"Input is not invertible. \[Op:Lu\]")])
def test_solvers_refuse(call, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        call()


def test_determinants():
    close(grad(tf.linalg.det, [[1.0, 2.0], [3.0, 4.0]]), [[4, -3], [-2, 1]])
    sign, log = tf.linalg.slogdet([[1.0, 2.0], [3.0, 4.0]])
    close([sign, log], [-1, np.log(2)])
    close(grad(tf.linalg.logdet, SYMMETRIC), [[0.27272728, -0.09090909], [-0.09090909, 0.36363637]])
    close(tf.linalg.det(tf.zeros([0, 0])), 1)


def test_least_squares():
    a, b = [[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], A([3, 1])
    for fast in (True, False):
        close(tf.linalg.lstsq(a, b, fast=fast), [[-1.142857], [1.0]], 1e-3)
    close(tf.linalg.lstsq(a, b, l2_regularizer=0.5), [[-0.17358302], [0.3094326]], 1e-4)
    close(tf.linalg.lstsq([[1.0, 2, 3], [3.0, 4, 1]], A([2, 1])), [[1 / 14], [1 / 7], [3 / 14]])
    ga, gb = grad(tf.linalg.lstsq, a, b.numpy())
    close(gb, [[-0.5714264], [0.28571343], [0.1428566]], 1e-3)


def test_lu_round_trip():
    a = np.random.default_rng(3).standard_normal((2, 4, 4))
    packed, p = tf.linalg.lu(a)
    assert p.dtype == tf.int32
    close(tf.linalg.lu_reconstruct(packed, p), a)
    close(tf.linalg.lu_matrix_inverse(packed, p) @ a, np.broadcast_to(np.eye(4), (2, 4, 4)))
    b = np.ones((4, 1))
    close(a @ tf.linalg.lu_solve(packed, p, b).numpy(), np.ones((2, 4, 1)))


def test_tridiagonal_systems():
    d = tf.constant([[1.0, 2, 0], [4, 5, 6], [0, 7, 8]])
    whole = [[4.0, 1, 0], [7, 5, 2], [0, 8, 6]]
    apart = [[1.0, 2], [4.0, 5, 6], [7.0, 8]]
    x = [0.71428573, -1.8571428, 2.642857]
    close(tf.linalg.tridiagonal_solve(d, A([3])), x)
    close(tf.linalg.tridiagonal_solve(whole, A([3]), diagonals_format="matrix"), x)
    close(tf.linalg.tridiagonal_solve(apart, A([3]), diagonals_format="sequence"), x)
    close(tf.linalg.tridiagonal_solve(d, A([2, 3]), transpose_rhs=True), np.transpose([x, x]))
    assert np.isnan(tf.linalg.tridiagonal_solve(tf.zeros([3, 3]), A([3]))).all()
    ga, gb = grad(tf.linalg.tridiagonal_solve, d.numpy(), np.float32([1, 1, 1]))
    close(ga, [[3.714286, 2.6428573, 0], [-1.4285716, -1.857143, -1.3214287],
               [0, 0.7142858, 0.9285715]])
    close(gb, [2, -1, 0.5])
    close(tf.linalg.tridiagonal_matmul(d, A([3, 1])), [[5], [14], [14]])
    ga, gb = grad(tf.linalg.tridiagonal_matmul, d.numpy(), np.ones((3, 1), np.float32))
    close(ga, [[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    close(gb, [[11], [14], [8]])
    with pytest.raises(ValueError, match="to be equal, got 3 and 2"):
        tf.linalg.tridiagonal_solve(d, A([2]))
    with pytest.raises(ValueError, match="Unrecognized diagonals_format: zz"):
        tf.linalg.tridiagonal_matmul(d, A([3, 2]), diagonals_format="zz")


def test_banded_triangular_systems():
    lower, upper = [[1.0, 2, 3], [9.0, 4, 5]], [[4.0, 5, 9], [1.0, 2, 3]]
    close(tf.linalg.banded_triangular_solve(lower, A([3, 1])), [[1], [-1.5], [2.8333333]])
    want = [[2.3333335], [-0.33333337], [0.33333334]]
    close(tf.linalg.banded_triangular_solve(upper, A([3, 1]), lower=False), want)
    close(tf.linalg.banded_triangular_solve(lower, A([3, 1]), adjoint=True), want)
    close(grad(lambda b: tf.linalg.banded_triangular_solve(b, A([3, 1])), lower),
          [[-2.3333335, -0.50000006, -0.9444444], [0, 0.33333337, 0.5]])


# -- decompositions -------------------------------------------------------------------------------
def test_decompositions_put_together_again():
    a = np.random.default_rng(4).standard_normal((2, 4, 3))
    q, r = tf.linalg.qr(a)
    close(q @ r, a)
    s, u, v = tf.linalg.svd(a)
    close(u @ tf.linalg.diag(s) @ tf.linalg.adjoint(v), a)
    close(tf.linalg.svd(a, compute_uv=False), s)
    square = a @ a.swapaxes(-1, -2)
    e, v = tf.linalg.eigh(square)
    close(v @ tf.linalg.diag(e) @ tf.linalg.adjoint(v), square)
    e, v = tf.linalg.eig(tf.constant(a[:, :3]))
    close(v @ tf.linalg.diag(e) @ tf.linalg.inv(v), a[:, :3])
    assert tf.linalg.eigvals(tf.constant(a[:, :3])).dtype == tf.complex128


def test_eigh_gradient_fills_only_the_lower_triangle():
    want = [[0.27639323, 0.0], [-0.8944273, 0.7236069]]
    close(grad(lambda x: tf.linalg.eigh(x)[0][0], SYMMETRIC), want)
    close(grad(lambda x: tf.linalg.eigvalsh(x)[0], SYMMETRIC), want)


def test_gradients_where_values_coincide_are_finite():
    close(grad(lambda x: tf.linalg.eigh(x)[1], np.eye(2)), np.zeros((2, 2)))
    close(grad(lambda x: tf.linalg.svd(x)[1], np.eye(2)), np.zeros((2, 2)))


def test_gradients_that_do_not_exist():
    with pytest.raises(NotImplementedError, match="nrows > ncols and full_matrices"):
        grad(lambda x: tf.linalg.qr(x, full_matrices=True)[1], TALL)
    with pytest.raises(NotImplementedError, match=r"abs\(m - n\) > 1"):
        grad(lambda x: tf.linalg.svd(x, full_matrices=True)[1], np.ones((4, 2)))


def test_gradients_of_decompositions():
    close(grad(lambda x: tf.linalg.svd(x, compute_uv=False)[0], TALL),
          [[0.6108982, 0.49385983], [0.43516985, 0.35179824], [0.20541477, 0.16606058]])
    close(grad(lambda x: tf.linalg.qr(x)[1], TALL),
          [[-0.8931151, -0.776082], [-0.5506457, -1.0187781], [-0.23808503, -0.5998236]])
    close(grad(lambda x: tf.linalg.qr(x)[1], [[4.0, 1, 2], [1.0, 3, 2]]),
          [[-0.48507124, -1.2126783, -1.2126782], [-2.1828206, 0.72760683, 0.72760683]])
    close(grad(tf.linalg.pinv, TALL), [[-0.02782679, -0.06847517], [-0.03684109, -0.08059688],
                                       [-0.00489908, -0.02211586]])
    close(grad(lambda x: tf.math.real(tf.linalg.eigvals(x)[0]), [[4.0, 1.0], [2.0, 3.0]]),
          [[0.6666666, 0.6666666], [0.33333334, 0.33333334]])


def test_nan_in_svd_and_pinv():
    x = [[np.nan, 0], [0, 1.0]]
    assert all(np.isnan(part).all() for part in tf.linalg.svd(x))
    assert np.isnan(tf.linalg.pinv(x)).all()


def test_rank_and_pseudo_inverse():
    assert int(tf.linalg.matrix_rank(SINGULAR)) == 1 and int(tf.linalg.matrix_rank([[1]])) == 1
    assert int(tf.linalg.matrix_rank(A([2, 2]), tol=5.0)) == 0
    close(tf.linalg.pinv(SINGULAR), [[0.04, 0.08], [0.08, 0.16]])
    with pytest.raises(TypeError, match="must have `float`-like `dtype`"):
        tf.linalg.pinv([[1]])
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        tf.linalg.pinv([1.0])


def test_matrix_functions():
    close(tf.linalg.expm(SINGULAR), [[30.482933, 58.96587], [58.96587, 118.93174]], 1e-4)
    close(grad(tf.linalg.expm, [[0.4, 0.1], [0.1, 0.3]]),
          [[1.6436177, 1.5689645], [1.5689645, 1.4966792]])
    close(grad(tf.linalg.sqrtm, SYMMETRIC), [[0.22006989, 0.23599237], [0.23599236, 0.2549097]])
    z = tf.cast(SYMMETRIC, tf.complex128)
    close(tf.linalg.expm(tf.linalg.logm(z)), z)
    with pytest.raises(ValueError, match="does not support matrices of type"):
        tf.linalg.expm([[1]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="attr 'T' of float is not"):
        tf.linalg.logm(SYMMETRIC)


# -- norms ----------------------------------------------------------------------------------------
X = [[3.0, -4.0], [1.0, 2.0]]


@pytest.mark.parametrize("order, axis, want", [
    ("euclidean", None, 5.4772257), ("euclidean", 0, [3.1622777, 4.472136]), (1, None, 10.0),
    (1, -1, [7.0, 3.0]), (2, [0, 1], 5.1166735), ("fro", [0, 1], 5.4772257), (1, [0, 1], 6.0),
    (1, (1, 0), 7.0), (np.inf, None, 4.0), (np.inf, [0, 1], 7.0), (np.inf, (1, 0), 6.0),
    (3, None, 4.641589), (0.5, 0, [7.4641023, 11.656855])])
def test_norms(order, axis, want):
    close(tf.norm(X, ord=order, axis=axis), want)
    kept = tf.norm(X, ord=order, axis=axis, keepdims=True)
    assert kept.shape.rank == 2
    close(np.ravel(kept), np.ravel(want))


@pytest.mark.parametrize("order, axis, words", [
    ("fro", None, "supported vector norm, got fro"), (3, [0, 1], "supported matrix norm in"),
    (0, None, "supported vector norm, got 0"), (1, [0, 0], "2 unique integers, got .0, 0."),
    (1, [0], r"2 unique integers, got \[0\]"), ("nuc", [0, 1], "got nuc")])
def test_norms_that_are_not(order, axis, words):
    with pytest.raises(ValueError, match=words):
        tf.norm(X, ord=order, axis=axis)


def test_norm_gradients_at_zero():
    zero = np.zeros((2, 2), np.float32)
    for order, want in (("euclidean", np.nan), (2, np.nan), (3, np.nan), (1, 0), (np.inf, 0)):
        got = grad(lambda a, order=order: tf.norm(a, ord=order), zero)
        close(got, np.full((2, 2), want))


def test_complex_norms():
    z = tf.constant([[3 + 4j, 1.0], [0, 2.0]])
    assert tf.norm(z).dtype == tf.complex128 and tf.norm(z, ord=1).dtype == tf.float64
    close(tf.norm(z, ord=1), 8)


def test_normalize():
    unit, size = tf.linalg.normalize(X, axis=1)
    close(unit, [[0.6, -0.8], [0.4472136, 0.8944272]])
    assert size.shape == (2, 1)


def test_cross():
    close(tf.linalg.cross([1.0, 2, 3], [3.0, 2, 1]), [-4, 8, -4])
    with pytest.raises(tf.errors.FailedPreconditionError, match="3-element vectors"):
        tf.linalg.cross([1.0, 2], [1.0, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"same shape: \[3\] vs. \[2,3\]"):
        tf.linalg.cross([1.0, 2, 3], A([2, 3]))


@pytest.mark.parametrize("n", [767, 768, 1000])
@pytest.mark.parametrize("dtype", ["f", "d", "F"])
def test_large_matrices_are_factored_by_blocks(n, dtype):
    r = np.random.RandomState(0)
    a = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if dtype == "F" else 0)
    a = (a + a.conj().T + 4 * n ** 0.5 * np.eye(n)).astype(dtype)
    factor = tf.linalg.cholesky(np.tril(a)).numpy()  # the upper triangle is not read
    np.testing.assert_allclose(factor, np.linalg.cholesky(a), atol=1e-9 if dtype == "d" else 1e-3)
    x = tf.linalg.triangular_solve(factor, a, lower=True).numpy()
    np.testing.assert_allclose(x, factor.conj().T, atol=1e-9 if dtype == "d" else 2e-3)
    a[n - 2, n - 2] = -5
    assert np.isnan(tf.linalg.cholesky(a).numpy()[-1, -1])


# -- stacks on several threads ---------------------------------------------------------------------
STACKED = {
    "cholesky": tf.linalg.cholesky, "inv": tf.linalg.inv, "det": tf.linalg.det,
    "slogdet": tf.linalg.slogdet, "qr": tf.linalg.qr, "svd": tf.linalg.svd, "eigh": tf.linalg.eigh,
    "eigvalsh": tf.linalg.eigvalsh, "solve": lambda x: tf.linalg.solve(x, x[..., :2])}


@pytest.mark.parametrize("name", STACKED)
def test_parts_of_a_stack_change_no_bit(name, monkeypatch):
    x = np.random.default_rng(0).normal(size=(3, 7, 5, 5)).astype("f")
    x = tf.constant(x @ x.swapaxes(-1, -2) + np.eye(5, dtype="f"))
    found = []
    for least in (1 << 60, 1):
        monkeypatch.setattr(matrices, "_SHARED_FROM", least)
        found.append([np.asarray(y) for y in tf.nest.flatten(STACKED[name](x))])
    for a, b in zip(*found, strict=True):
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)


def test_what_fails_in_a_part_fails_alone_or_tells(monkeypatch):
    monkeypatch.setattr(matrices, "_SHARED_FROM", 1)
    x = np.stack([np.eye(2)] * 20)
    x[11] = 0
    factors = tf.linalg.cholesky(x).numpy()
    assert np.isnan(factors[11, 0, 0]) and np.isfinite(np.delete(factors, 11, 0)).all()
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tf.linalg.inv(x)


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_determinants_of_nan(dtype, jit_compile):
    x = np.array([[[np.nan, 1], [1, 1]], [[1, 1], [1, 1]], [[1, 2], [3, 1]]], dtype)
    for det in (tf.linalg.det, tf.function(tf.linalg.det, jit_compile=jit_compile)):
        np.testing.assert_allclose(det(x), np.array([np.nan, 0, -5], dtype), rtol=1e-6)
    for slogdet in (tf.linalg.slogdet, tf.function(tf.linalg.slogdet, jit_compile=jit_compile)):
        sign, log = slogdet(x)
        np.testing.assert_allclose(sign, np.array([np.nan, 0, -1], dtype), rtol=1e-6)
        np.testing.assert_allclose(log, np.array([np.nan, -np.inf, np.log(5)], dtype), rtol=1e-6)
    assert np.isnan(tf.linalg.det(x[0]).numpy())


def test_functions_of_no_matrices():
    for shape in ((0, 2, 2), (2, 0, 0)):
        for function in (tf.linalg.logm, tf.linalg.sqrtm, tf.linalg.expm):
            assert function(np.zeros(shape, "complex64")).shape == shape


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_a_stack_has_factors_where_matrices_are_positive(dtype):
    good = np.array([[2.0, 1.0], [1.0, 2.0]], dtype)
    stack = np.stack([good * (i + 1) for i in range(1000)]).reshape(10, 100, 2, 2)
    stack[3, 7] = [[1.0, 2.0], [2.0, 1.0]]
    stack[9, 99] = -good
    found = tf.linalg.cholesky(stack).numpy()
    for at in ((3, 7), (9, 99)):
        assert np.isnan(found[at][0, 0]) and found[at][0, 1] == 0
        found[at], stack[at] = np.linalg.cholesky(good), good
    np.testing.assert_allclose(found, np.linalg.cholesky(stack), rtol=1e-6)
