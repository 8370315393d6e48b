"""sparse_jacobian and sparse_hessian: few products with vectors, and the entries read from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.jacobian import _rows
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.gradients.colouring import colour_columns, dense_rows, without_rows
from tapeflow.gradients.dependencies import pattern_of, sparse
from tapeflow.gradients.primals import dense, scalar
from tapeflow.gradients.transforms import jvp

_vectorized_map = LatePublic("vectorized_map")


class SparsePattern:
    """Where a Jacobian or Hessian may have entries, and how few products find them.

    `matrix` is the pattern, a csr_array of booleans; `products` says how many products with vectors
    find all entries. Made by `jacobian_pattern` and `hessian_pattern`.
    """

    def __init__(self, matrix: Any, symmetric: bool):
        self.matrix, self.symmetric = matrix, symmetric
        across = matrix.T.tocsr()
        self.alone = dense_rows(matrix)  # rows that are found one by one
        self.by_rows = False
        if not symmetric:
            others = dense_rows(across)
            cost = [len(rows) + _longest(one, rows) for one, rows in (
                (matrix, self.alone), (across, others))]
            if cost[1] < cost[0]:  # the same of the transpose: rows are grouped, by reverse mode
                self.by_rows, self.alone = True, others
        rest = without_rows(across if self.by_rows else matrix, self.alone)
        if symmetric:  # their columns are their rows
            rest = without_rows(rest.T.tocsr(), self.alone).T.tocsr()
        self.rest = rest.tocsr()
        self.colours = colour_columns(self.rest)
        if symmetric:
            self.colours[self.alone] = -1

    @property
    def products(self) -> int:
        """How many products with vectors find all entries."""
        return len(self.alone) + int(self.colours.max(initial=-1)) + 1

    def seeds(self, dtype: Any) -> np.ndarray:
        """A vector for each colour: the sum of the unit vectors of its columns."""
        count = int(self.colours.max(initial=-1)) + 1
        found = np.zeros((count, len(self.colours)), dtype)
        used = np.flatnonzero(self.colours >= 0)
        found[self.colours[used], used] = 1
        return found

    def assembled(self, compressed: np.ndarray, alone: np.ndarray) -> Any:
        """The matrix, of the products for the colours and of the rows that were found alone."""
        entries = self.rest.tocoo()
        rows, columns = [entries.row], [entries.col]
        data = [compressed[self.colours[entries.col], entries.row]]
        whole = (self.matrix.T if self.by_rows else self.matrix).tocsr()[self.alone].tocoo()
        rows.append(self.alone[whole.row])
        columns.append(whole.col)
        data.append(alone[whole.row, whole.col])
        if self.symmetric:
            hub = np.zeros(self.matrix.shape[0], bool)
            hub[self.alone] = True
            across = ~hub[whole.col]
            rows.append(whole.col[across])
            columns.append(self.alone[whole.row[across]])
            data.append(alone[whole.row, whole.col][across])
        place = (np.concatenate(rows), np.concatenate(columns))
        if self.by_rows:
            place = place[::-1]
        return sparse().csr_array((np.concatenate(data), place), shape=self.matrix.shape)

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return (f"<SparsePattern {rows}x{columns}, {self.matrix.nnz} entries, "
                f"{self.products} products>")


def _longest(matrix: Any, without: np.ndarray) -> int:
    lengths = np.diff(matrix.indptr)
    lengths[without] = 0
    return int(lengths.max(initial=0))


# -- public ----------------------------------------------------------------------------------------
def jacobian_pattern(f: Callable, x: Any) -> SparsePattern:
    """Where the Jacobian of `f` may have entries, found by following a run of `f`.

    Args:
      f: A function of one tensor that returns one tensor.
      x: Where it is run, a tensor of any shape.

    Returns:
      A SparsePattern, which `sparse_jacobian` takes as `pattern`. Its attribute `matrix` is a SciPy
      csr_array of booleans, `products` the number of products that the Jacobian costs.

    Example:
      >>> print(tf.gradients.jacobian_pattern(lambda x: x[1:] - x[:-1], tf.zeros(5)))
      <SparsePattern 4x5, 8 entries, 2 products>
    """
    x = _input(x, "jacobian_pattern")
    _, rows = pattern_of(lambda x: _output(f(x), "jacobian_pattern"), x)
    return SparsePattern(rows, False)


def hessian_pattern(f: Callable, x: Any) -> SparsePattern:
    """Where the Hessian of `f` may have entries, found by following a run of its gradient.

    Args:
      f: A function of one tensor that returns a scalar.
      x: Where it is run, a tensor of any shape.

    Returns:
      A SparsePattern, which `sparse_hessian` takes as `pattern`.

    Example:
      >>> f = lambda x: tf.reduce_sum((x[1:] - x[:-1]) ** 4)
      >>> print(tf.gradients.hessian_pattern(f, tf.zeros(5)))
      <SparsePattern 5x5, 13 entries, 3 products>
    """
    x = _input(x, "hessian_pattern")
    _, rows = pattern_of(lambda x: _slope(f, x), x)
    return SparsePattern((rows + rows.T).tocsr(), True)


def sparse_jacobian(f: Callable, x: Any, pattern: SparsePattern | None = None) -> Any:
    """The Jacobian of `f` as a SciPy sparse matrix, by a few products with vectors.

    The entries that may be other than zero are found by following a run of `f`; columns that share
    no row are found together, by forward mode, or rows by reverse mode if that takes fewer
    products; all products run in one vectorised call. A further product, with a vector of its own,
    checks the result.

    Args:
      f: A function of one tensor that returns one tensor.
      x: Where to differentiate, a tensor of any shape.
      pattern: What `jacobian_pattern` gave, to find it only once for many `x`.

    Returns:
      A csr_array of shape [size of the result, size of x].

    Example:
      >>> f = lambda x: x[1:] * x[:-1]
      >>> print(tf.gradients.sparse_jacobian(f, tf.constant([1.0, 2.0, 3.0])).toarray())
      [[2. 1. 0.]
       [0. 3. 2.]]
    """
    x = _input(x, "sparse_jacobian")

    def function(x: Any) -> Tensor:
        return _output(f(x), "sparse_jacobian")

    pattern = pattern or jacobian_pattern(f, x)
    rows, columns = pattern.matrix.shape
    _fits(pattern, x, columns, False)
    unit = _units(pattern.alone, columns if pattern.by_rows else rows, x.dtype.np)
    probe = _probe(columns, x.dtype.np)
    seeds = pattern.seeds(x.dtype.np)
    forward, backward = (unit, seeds) if pattern.by_rows else (seeds, unit)
    forward = np.concatenate([forward, probe[None]])
    pushed = _pushed(function, x, forward)
    pulled = _pulled(function, x, backward) if len(backward) else np.zeros((0, columns))
    if pattern.by_rows:
        found = pattern.assembled(pulled, pushed[:-1])
    else:
        found = pattern.assembled(pushed[:-1], pulled)
    _check(found, probe, pushed[-1], "sparse_jacobian")
    return found


def sparse_hessian(f: Callable, x: Any, pattern: SparsePattern | None = None) -> Any:
    """The Hessian of a scalar function as a SciPy sparse matrix, by a few products with vectors.

    As `sparse_jacobian` of the gradient, with the symmetry used: a few variables that meet all
    others (an arrow) cost one product each.

    Args:
      f: A function of one tensor that returns a scalar.
      x: Where to differentiate, a tensor of any shape.
      pattern: What `hessian_pattern` gave, to find it only once for many `x`.

    Returns:
      A symmetric csr_array of shape [size of x, size of x].

    Example:
      >>> f = lambda x: tf.reduce_sum(x[1:] ** 2 * x[:-1])
      >>> print(tf.gradients.sparse_hessian(f, tf.constant([1.0, 2.0, 3.0])).toarray())
      [[0. 4. 0.]
       [4. 2. 6.]
       [0. 6. 4.]]
    """
    x = _input(x, "sparse_hessian")
    pattern = pattern or hessian_pattern(f, x)
    size = pattern.matrix.shape[0]
    _fits(pattern, x, size, True)
    probe, seeds = _probe(size, x.dtype.np), pattern.seeds(x.dtype.np)
    unit = _units(pattern.alone, size, x.dtype.np)
    products = _pulled(lambda x: _slope(f, x), x, np.concatenate([seeds, unit, probe[None]]))
    found = pattern.assembled(products[:len(seeds)], products[len(seeds):-1])
    _check(found, probe, products[-1], "sparse_hessian")
    return found


# -- products --------------------------------------------------------------------------------------
def _pushed(function: Callable, x: Tensor, seeds: np.ndarray) -> np.ndarray:
    """J s for each seed, in one vectorised run of forward mode."""
    def push(seed: Any) -> Any:
        return jvp(function, x, reshape(seed, shape=shape_of(x)))[1]

    return _vectorized_map(push, wrap(seeds)).numpy().reshape(len(seeds), -1)


def _pulled(function: Callable, x: Tensor, seeds: np.ndarray) -> np.ndarray:
    """Jᵀ s for each seed, in one vectorised walk back."""
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = function(x)
    (rows,) = _rows(tape, y, [x], seeds.reshape(len(seeds), *shape_of(y)))
    if rows is None:
        return np.zeros((len(seeds), int(np.prod(shape_of(x)))), x.dtype.np)
    return rows.numpy().reshape(len(seeds), -1)


def _slope(f: Callable, x: Any) -> Tensor:
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = scalar(f(x), "sparse_hessian")
    return dense([tape.gradient(y, x, unconnected_gradients="zero")])[0]


def _units(places: np.ndarray, size: int, dtype: Any) -> np.ndarray:
    found = np.zeros((len(places), size), dtype)
    found[np.arange(len(places)), places] = 1
    return found


# -- arguments and results -------------------------------------------------------------------------
def _input(x: Any, where: str) -> Tensor:
    x = convert(x)
    if state.trace is not None:
        raise RuntimeError(f"{where}: a SciPy matrix is the result, so it cannot be part of a "
                           "tf.function; call it outside.")
    if not x.dtype.is_floating:
        raise TypeError(f"{where}: x must be floating point, got {x.dtype.name}.")
    return wrap(np.asarray(x._value))  # a tensor of its own: what is made of x itself is no part


def _output(y: Any, where: str) -> Tensor:
    if not isinstance(y, Tensor):
        raise TypeError(f"{where}: the function must return one tensor, got {type(y).__name__}.")
    return y


def _fits(pattern: Any, x: Tensor, size: int, symmetric: bool) -> None:
    if not isinstance(pattern, SparsePattern) or pattern.symmetric != symmetric:
        raise TypeError("`pattern` must come from "
                        f"{'hessian' if symmetric else 'jacobian'}_pattern, got {pattern!r}.")
    if int(np.prod(shape_of(x))) != size:
        raise ValueError(f"`pattern` is for {size} variables, x has {int(np.prod(shape_of(x)))}.")


def _probe(size: int, dtype: Any) -> np.ndarray:
    """A vector without structure, the same in every run."""
    return np.cos(np.arange(size) ** 2 * 0.7548776662 + 0.3).astype(dtype)


def _check(found: Any, probe: np.ndarray, wanted: np.ndarray, where: str) -> None:
    """The product with one more vector is what the matrix says."""
    if not (np.isfinite(found.data).all() and np.isfinite(wanted).all()):
        return  # NaN and infinity are the function's
    rounding = np.sqrt(np.finfo(probe.dtype).eps) * (
        abs(found) @ np.abs(probe) + np.abs(wanted))
    if np.any(np.abs(found @ probe - wanted) > rounding):
        raise ValueError(f"{where}: the pattern does not hold at this x: the function has entries "
                         "outside of it. That happens if its control flow or indices depend on "
                         "x's values; find the pattern anew, without `pattern=`.")
