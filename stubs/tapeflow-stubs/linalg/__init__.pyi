# Written by tools/stubs.py (make stubs).
"""tf.linalg"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import (
    DTypeLike,
    FloatLike,
    LogMatrixDeterminant,
    Lu,
    Qr,
    ShapeLike,
    TensorLike,
)
from tapeflow.linalg import experimental as experimental

def adjoint(matrix: TensorLike, name: str | None = None) -> tf.Tensor:
    """The conjugate transpose of each matrix."""

def band_part(
    input: TensorLike, num_lower: Any, num_upper: Any, name: str | None = None,
) -> tf.Tensor:
    """Matrices with all but a band around the diagonal set to zero; -1 keeps a whole …"""

def banded_triangular_solve(
    bands: Any, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """x with A·x = rhs for a banded triangular A, given by its diagonals, the highest first."""

def cholesky(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The lower triangular L with input = L·Lᴴ; NaN where the matrix is not positive …"""

def cholesky_solve(
    chol: TensorLike, rhs: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """x with A·x = rhs, given the Cholesky factor of A."""

def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> tf.Tensor:
    """The cross product of 3-vectors along the last axis."""

def det(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The determinant of each matrix."""

def diag(
    diagonal: TensorLike, name: str = 'diag', k: Any = 0, num_rows: Any = -1,
    num_cols: Any = -1, padding_value: Any = 0, align: str = 'RIGHT_LEFT',
) -> tf.Tensor:
    """Matrices with the given diagonals, `padding_value` elsewhere."""

def diag_part(
    input: TensorLike, name: str = 'diag_part', k: Any = 0, padding_value: Any = 0,
    align: str = 'RIGHT_LEFT',
) -> tf.Tensor:
    """The diagonal, or several, of matrices."""

def eig(tensor: TensorLike, name: str | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """Eigenvalues and eigenvectors of general matrices; both are complex."""

def eigh(tensor: TensorLike, name: str | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """Eigenvalues, smallest first, and eigenvectors of symmetric matrices (lower triangle …"""

def eigh_tridiagonal(
    alpha: Any, beta: Any, eigvals_only: bool = True, select: str = 'a',
    select_range: Any = None, tol: Any = None, name: str | None = None,
) -> Any:
    """Eigenvalues (and eigenvectors) of a symmetric tridiagonal matrix by its two diagonals."""

def eigvals(tensor: TensorLike, name: str | None = None) -> tf.Tensor:
    """Eigenvalues of general matrices; they are complex."""

def eigvalsh(tensor: TensorLike, name: str | None = None) -> tf.Tensor:
    """Eigenvalues, smallest first, of symmetric matrices (lower triangle read)."""

def einsum(equation: str, *inputs: Any, **kwargs: Any) -> tf.Tensor:
    """Sums of products of tensors, by labels of their axes."""

def expm(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The exponential of each matrix: 1 + a + a²/2 + …"""

def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: ShapeLike = None,
    dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """Identity matrices: one, or `batch_shape` of them."""

def global_norm(t_list: Any, name: str | None = None) -> tf.Tensor:
    """The L2 norm of all tensors in a list taken together; None entries are left out."""

def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> tf.Tensor:
    """The inverse of each matrix, or of its adjoint."""

def l2_normalize(
    x: TensorLike, axis: TensorLike | None = None, epsilon: FloatLike = 1e-12,
    name: str | None = None, dim: Any = None,
) -> tf.Tensor:
    """x divided by its Euclidean norm over `axis`, or by sqrt(epsilon) if that is larger."""

class LinearOperator(tf.Module):
    """A matrix, or a batch of them, by what can be done with it."""
    def __init__(
        self, dtype: DTypeLike, graph_parents: Any = None, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str | None = None, parameters: dict | None = None,
    ) -> None: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> dict:
        """The arguments of the constructor."""
    @property
    def graph_parents(self) -> list: ...
    @property
    def is_non_singular(self) -> bool | None: ...
    @property
    def is_self_adjoint(self) -> bool | None: ...
    @property
    def is_positive_definite(self) -> bool | None: ...
    @property
    def is_square(self) -> bool | None: ...
    @property
    def shape(self) -> Any: ...
    @property
    def batch_shape(self) -> Any: ...
    @property
    def tensor_rank(self) -> int | None: ...
    @property
    def range_dimension(self) -> int | None: ...
    @property
    def domain_dimension(self) -> int | None: ...
    def shape_tensor(self, name: str = 'shape_tensor') -> Any:
        """The shape as a vector."""
    def batch_shape_tensor(self, name: str = 'batch_shape_tensor') -> Any:
        """The shape of the batch as a vector."""
    def tensor_rank_tensor(self, name: str = 'tensor_rank_tensor') -> Any:
        """The number of axes, those of the batch included."""
    def range_dimension_tensor(self, name: str = ...) -> Any:
        """The number of rows."""
    def domain_dimension_tensor(self, name: str = ...) -> Any:
        """The number of columns."""
    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = 'matmul',
    ) -> Any:
        """The product with a matrix, or with another operator."""
    def __matmul__(self, other: TensorLike) -> Any: ...
    def matvec(self, x: TensorLike, adjoint: bool = False, name: str = 'matvec') -> Any:
        """The product with a vector."""
    def solve(
        self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False,
        name: str = 'solve',
    ) -> Any:
        """x with `operator x = rhs`; rhs may be another operator."""
    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str = 'solve') -> Any:
        """x with `operator x = rhs` for a vector."""
    def determinant(self, name: str = 'det') -> Any:
        """The determinant of each matrix."""
    def log_abs_determinant(self, name: str = 'log_abs_det') -> Any:
        """The logarithm of the absolute value of the determinant."""
    def diag_part(self, name: str = 'diag_part') -> Any:
        """The diagonal."""
    def trace(self, name: str = 'trace') -> Any:
        """The sum of the diagonal."""
    def eigvals(self, name: str = 'eigvals') -> Any:
        """The eigenvalues of a self-adjoint operator."""
    def cond(self, name: str = 'cond') -> Any:
        """The condition number, in the 2-norm."""
    def to_dense(self, name: str = 'to_dense') -> Any:
        """The matrix as a Tensor."""
    def add_to_tensor(self, x: TensorLike, name: str = 'add_to_tensor') -> Any:
        """The matrix plus a Tensor."""
    def inverse(self, name: str = 'inverse') -> tf.linalg.LinearOperator:
        """The inverse, as an operator."""
    def adjoint(self, name: str = 'adjoint') -> tf.linalg.LinearOperator:
        """The conjugate transpose, as an operator."""
    @property
    def H(self) -> tf.linalg.LinearOperator: ...
    def cholesky(self, name: str = 'cholesky') -> tf.linalg.LinearOperator:
        """The Cholesky factor of a self-adjoint, positive definite operator."""
    def assert_non_singular(self, name: str = 'assert_non_singular') -> None:
        """An error unless the operator is well-conditioned."""
    def assert_positive_definite(self, name: str = ...) -> None:
        """An error unless the operator is self-adjoint with positive eigenvalues."""
    def assert_self_adjoint(self, name: str = 'assert_self_adjoint') -> None:
        """An error unless the operator is its own adjoint."""

class LinearOperatorAdjoint(tf.linalg.LinearOperator):
    """The conjugate transpose of an operator."""
    def __init__(
        self, operator: tf.linalg.LinearOperator, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str | None = None,
    ) -> None: ...
    @property
    def operator(self) -> tf.linalg.LinearOperator: ...

class LinearOperatorBlockDiag(tf.linalg.LinearOperator):
    """Operators along the diagonal, zeros elsewhere."""
    def __init__(
        self, operators: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = True, name: str | None = None,
    ) -> None: ...
    @property
    def operators(self) -> list: ...
    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = 'matmul',
    ) -> Any:
        """The product with a matrix, a list of its blocks, or another operator."""
    def solve(
        self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False,
        name: str = 'solve',
    ) -> Any:
        """The solution for a matrix, a list of its blocks, or another operator."""
    def matvec(self, x: TensorLike, adjoint: bool = False, name: str = 'matvec') -> Any:
        """The product with a vector or a list of its blocks."""
    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str = 'solve') -> Any:
        """The solution for a vector or a list of its blocks."""

class LinearOperatorBlockLowerTriangular(tf.linalg.LinearOperator):
    """Rows of operators, each row one longer than the one above it."""
    def __init__(
        self, operators: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def operators(self) -> list: ...
    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = 'matmul',
    ) -> Any:
        """The product with a matrix, a list of its blocks, or another operator."""
    def solve(
        self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False,
        name: str = 'solve',
    ) -> Any:
        """The solution for a matrix, a list of its blocks, or another operator."""
    def matvec(self, x: TensorLike, adjoint: bool = False, name: str = 'matvec') -> Any:
        """The product with a vector or a list of its blocks."""
    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str = 'solve') -> Any:
        """The solution for a vector or a list of its blocks."""

class LinearOperatorCirculant(tf.linalg.LinearOperator):
    """A circulant matrix, by the Fourier transform of its first column."""
    depth: int
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = tf.complex64,
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str | None = None,
    ) -> None: ...
    @property
    def spectrum(self) -> Any: ...
    @property
    def block_depth(self) -> int: ...
    @property
    def block_shape(self) -> Any: ...
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a vector."""
    def assert_positive_definite(self, name: str = ...) -> None: ...
    def cond(self, name: str = 'cond') -> Any: ...
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The kernel that the operator convolves with."""

class LinearOperatorCirculant2D(tf.linalg.LinearOperator):
    """A block circulant matrix of circulant blocks."""
    depth: int
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = tf.complex64,
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str | None = None,
    ) -> None: ...
    @property
    def spectrum(self) -> Any: ...
    @property
    def block_depth(self) -> int: ...
    @property
    def block_shape(self) -> Any: ...
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a vector."""
    def assert_positive_definite(self, name: str = ...) -> None: ...
    def cond(self, name: str = 'cond') -> Any: ...
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The kernel that the operator convolves with."""

class LinearOperatorCirculant3D(tf.linalg.LinearOperator):
    """Circulant blocks of circulant blocks of circulant matrices."""
    depth: int
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = tf.complex64,
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str | None = None,
    ) -> None: ...
    @property
    def spectrum(self) -> Any: ...
    @property
    def block_depth(self) -> int: ...
    @property
    def block_shape(self) -> Any: ...
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a vector."""
    def assert_positive_definite(self, name: str = ...) -> None: ...
    def cond(self, name: str = 'cond') -> Any: ...
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The kernel that the operator convolves with."""

class LinearOperatorComposition(tf.linalg.LinearOperator):
    """Operators one after the other; the last is applied first."""
    def __init__(
        self, operators: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str | None = None,
    ) -> None: ...
    @property
    def operators(self) -> list: ...

class LinearOperatorDiag(tf.linalg.LinearOperator):
    """A diagonal matrix."""
    def __init__(
        self, diag: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = 'LinearOperatorDiag',
    ) -> None: ...
    @property
    def diag(self) -> Any: ...
    def add_to_tensor(self, x: TensorLike, name: str = 'add_to_tensor') -> Any: ...

class LinearOperatorFullMatrix(tf.linalg.LinearOperator):
    """A matrix without structure."""
    def __init__(
        self, matrix: TensorLike, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def matrix(self) -> Any: ...

class LinearOperatorHouseholder(tf.linalg.LinearOperator):
    """The reflection I - 2 v vᴴ / |v|²."""
    def __init__(
        self, reflection_axis: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def reflection_axis(self) -> Any: ...
    def cond(self, name: str = 'cond') -> Any: ...

class LinearOperatorIdentity(tf.linalg.LinearOperator):
    """The identity."""
    def __init__(
        self, num_rows: Any, batch_shape: ShapeLike = None, dtype: DTypeLike | None = None,
        is_non_singular: bool | None = True, is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True, is_square: bool | None = True,
        assert_proper_shapes: bool = False, name: str = ...,
    ) -> None: ...
    def cond(self, name: str = 'cond') -> Any: ...
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any: ...

class LinearOperatorInversion(tf.linalg.LinearOperator):
    """The inverse of an operator, never computed: products are systems."""
    def __init__(
        self, operator: tf.linalg.LinearOperator, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str | None = None,
    ) -> None: ...
    @property
    def operator(self) -> tf.linalg.LinearOperator: ...

class LinearOperatorKronecker(tf.linalg.LinearOperator):
    """The Kronecker product of operators; each works along an axis of its own."""
    def __init__(
        self, operators: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str | None = None,
    ) -> None: ...
    @property
    def operators(self) -> list: ...

class LinearOperatorLowerTriangular(tf.linalg.LinearOperator):
    """A lower triangular matrix; what stands above the diagonal is not read."""
    def __init__(
        self, tril: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def tril(self) -> Any: ...

class LinearOperatorLowRankUpdate(tf.linalg.LinearOperator):
    """L + U D Vᴴ: an operator and a product of few columns; systems by the Woodbury formula."""
    def __init__(
        self, base_operator: tf.linalg.LinearOperator, u: Any, diag_update: Any = None,
        v: TensorLike | None = None, is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def base_operator(self) -> tf.linalg.LinearOperator: ...
    @property
    def u(self) -> Any: ...
    @property
    def v(self) -> Any: ...
    @property
    def is_diag_update_positive(self) -> bool | None: ...
    @property
    def diag_update(self) -> Any: ...
    @property
    def diag_operator(self) -> tf.linalg.LinearOperator:
        """D as an operator."""

class LinearOperatorPermutation(tf.linalg.LinearOperator):
    """Rows in another order: row i of the product is row perm[i] of the argument."""
    def __init__(
        self, perm: TensorLike, dtype: DTypeLike = tf.float32, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def perm(self) -> Any: ...
    def cond(self, name: str = 'cond') -> Any: ...

class LinearOperatorScaledIdentity(tf.linalg.LinearOperator):
    """A multiple of the identity, for each member of a batch its own."""
    def __init__(
        self, num_rows: Any, multiplier: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = True, assert_proper_shapes: bool = False, name: str = ...,
    ) -> None: ...
    @property
    def multiplier(self) -> Any: ...
    def cond(self, name: str = 'cond') -> Any: ...
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any: ...

class LinearOperatorToeplitz(tf.linalg.LinearOperator):
    """Constant along each diagonal, given by its first column and row."""
    def __init__(
        self, col: Any, row: Any, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = None, name: str = ...,
    ) -> None: ...
    @property
    def col(self) -> Any: ...
    @property
    def row(self) -> Any: ...

class LinearOperatorTridiag(tf.linalg.LinearOperator):
    """Three diagonals: "compact" [..., 3, n], a "sequence" of three, or a "matrix"."""
    def __init__(
        self, diagonals: Any, diagonals_format: str = 'compact',
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = 'LinearOperatorTridiag',
    ) -> None: ...
    @property
    def diagonals(self) -> Any: ...
    @property
    def diagonals_format(self) -> str: ...

class LinearOperatorZeros(tf.linalg.LinearOperator):
    """A matrix of zeros."""
    def __init__(
        self, num_rows: Any, num_columns: Any = None, batch_shape: ShapeLike = None,
        dtype: DTypeLike | None = None, is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True, is_positive_definite: bool | None = False,
        is_square: bool | None = True, assert_proper_shapes: bool = False,
        name: str = 'LinearOperatorZeros',
    ) -> None: ...
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any: ...

def logdet(matrix: TensorLike, name: str | None = None) -> tf.Tensor:
    """The logarithm of the determinant of symmetric positive definite matrices."""

def logm(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The logarithm of each complex matrix. Beyond TensorFlow's: it has a gradient."""

def lstsq(
    matrix: TensorLike, rhs: TensorLike, l2_regularizer: FloatLike = 0.0, fast: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """x that minimises |matrix·x - rhs|² + l2_regularizer·|x|²; the smallest such x."""

def lu(input: TensorLike, output_idx_type: Any = ..., name: str | None = None) -> Lu:
    """Both triangular factors in one matrix, and the order of the rows: input[p] = L·U."""

def lu_matrix_inverse(
    lower_upper: Any, perm: TensorLike, validate_args: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The inverse of A, given its LU decomposition."""

def lu_reconstruct(
    lower_upper: Any, perm: TensorLike, validate_args: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The matrix whose LU decomposition this is."""

def lu_solve(
    lower_upper: Any, perm: TensorLike, rhs: TensorLike, validate_args: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """x with A·x = rhs, given the LU decomposition of A."""

def matmul(
    a: TensorLike, b: TensorLike, transpose_a: bool = False, transpose_b: bool = False,
    adjoint_a: bool = False, adjoint_b: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, output_type: DTypeLike | None = None, grad_a: bool = False,
    grad_b: bool = False, name: str | None = None,
) -> tf.Tensor:
    """Matrix product over the last two axes; leading axes broadcast."""

def matrix_rank(
    a: TensorLike, tol: Any = None, validate_args: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The number of singular values above `tol`: by default eps times the larger side."""

def matrix_transpose(
    a: TensorLike, name: str = 'matrix_transpose', conjugate: bool = False,
) -> tf.Tensor:
    """The last two axes swapped; with `conjugate` also conjugated."""

def matvec(
    a: TensorLike, b: TensorLike, transpose_a: bool = False, adjoint_a: bool = False,
    a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None,
) -> tf.Tensor:
    """Product of matrices `a` and vectors `b`: sums over the last axis of both."""

def norm(
    tensor: TensorLike, ord: Any = 'euclidean', axis: TensorLike | None = None,
    keepdims: bool | None = None, name: str | None = None,
) -> tf.Tensor:
    """The norm of vectors (`axis` an integer, or None for all elements) or matrices (two …"""

def normalize(
    tensor: TensorLike, ord: Any = 'euclidean', axis: TensorLike | None = None,
    name: str | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """The tensor divided by its norm, and the norm with its axes kept."""

def pinv(
    a: TensorLike, rcond: Any = None, validate_args: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The Moore-Penrose pseudo-inverse; singular values up to rcond times the largest are …"""

def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """q with orthonormal columns and upper triangular r with input = q·r."""

def set_diag(
    input: TensorLike, diagonal: TensorLike, name: str = 'set_diag', k: Any = 0,
    align: str = 'RIGHT_LEFT',
) -> tf.Tensor:
    """Matrices with their diagonals replaced."""

def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """Sign and logarithm of the absolute value of the determinant."""

def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None,
) -> tf.Tensor:
    """x with matrix·x = rhs, or with the adjoint of the matrix."""

def sqrtm(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The principal square root of each matrix."""

def svd(
    tensor: TensorLike, full_matrices: bool = False, compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Singular values s, largest first, and u, v with tensor = u·diag(s)·vᴴ; or s alone."""

def tensor_diag(diagonal: TensorLike, name: str | None = None) -> tf.Tensor:
    """A tensor of twice the rank with the given values where both halves of the index agree."""

def tensor_diag_part(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The values of a tensor where both halves of its index agree."""

def tensordot(
    a: TensorLike, b: TensorLike, axes: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Sum of products over pairs of axes: `axes` of `a` with `axes` of `b`, or the …"""

def trace(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The sum of the main diagonal of each matrix."""

def triangular_solve(
    matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """x with matrix·x = rhs, reading only one triangle of the matrix; stacks broadcast."""

def tridiagonal_matmul(
    diagonals: Any, rhs: TensorLike, diagonals_format: str = 'compact', name: str | None = None,
) -> tf.Tensor:
    """The product of tridiagonal matrices, given by their diagonals, and `rhs`."""

def tridiagonal_solve(
    diagonals: Any, rhs: TensorLike, diagonals_format: str = 'compact',
    transpose_rhs: bool = False, conjugate_rhs: bool = False, name: str | None = None,
    partial_pivoting: bool = True, perturb_singular: bool = False,
) -> tf.Tensor:
    """x with A·x = rhs for tridiagonal A, in linear time; NaN where A is singular."""
