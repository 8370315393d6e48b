# Written by tools/stubs.py (make stubs).
"""tf.gradients"""

from collections.abc import Callable, Sequence
from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike, SparsePattern, TensorLike

def eigh(function: Callable, a: TensorLike) -> Any:
    """A function of eigenvalues and eigenvectors, with derivatives right at repeated ones."""

def gauss_newton_vp(f: Callable, loss: Callable, primals: Any, tangents: Any) -> Any:
    """The Gauss-Newton matrix of loss(f(primals)) times a vector."""

def hessian_pattern(f: Callable, x: TensorLike) -> SparsePattern:
    """Where the Hessian of `f` may have entries, found by following a run of its gradient."""

def hvp(f: Callable, primals: Any, tangents: Any) -> Any:
    """The Hessian of `f` times a vector: forward mode over reverse mode, one run of `f`."""

def implicit_gradient(
    solver: Callable | None = None, *, optimality: Callable | None = None,
    fixed_point: Callable | None = None, objective: Callable | None = None, solve: Any = 'auto',
    tolerance: FloatLike = 1e-06, max_iterations: IntLike = 1000,
) -> Callable:
    """Make a solver's result differentiable by the implicit function theorem."""

def jacobian_pattern(f: Callable, x: TensorLike) -> SparsePattern:
    """Where the Jacobian of `f` may have entries, found by following a run of `f`."""

def jvp(f: Callable, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """The value of `f` and the derivative of the value along `tangents`: forward mode."""

def per_example_gradients(
    loss_fn: Callable, variables: Any, batch: Any, return_losses: bool = False,
) -> Any:
    """The gradients of a loss for each example of a batch by itself, in one vectorised call."""

class safe_masks:
    """For tapes opened from now on: zero times a derivative that is not finite is zero."""
    def __init__(self, enabled: bool = True) -> None: ...
    def __enter__(self) -> tf.gradients.safe_masks: ...
    def __exit__(self, *exc: Any) -> None: ...

def safe_where(
    condition: TensorLike, x: TensorLike, y: TensorLike, *operands: Any,
) -> tf.Tensor:
    """tf.where whose branches are functions: the branch that is not taken never poisons a …"""

def sparse_hessian(
    f: Callable, x: TensorLike, pattern: SparsePattern | None = None,
) -> Any:
    """The Hessian of a scalar function as a SciPy sparse matrix, by a few products with …"""

def sparse_jacobian(
    f: Callable, x: TensorLike, pattern: SparsePattern | None = None,
) -> Any:
    """The Jacobian of `f` as a SciPy sparse matrix, by a few products with vectors."""

def spectral_function(function: Callable, a: TensorLike, *parameters: Any) -> Any:
    """V f(λ) Vᵀ for symmetric matrices, with derivatives that are right at repeated …"""

def svd(function: Callable, a: TensorLike) -> Any:
    """A function of a singular value decomposition, with derivatives right at repeated …"""

def value_and_grad(
    f: Callable, argnums: int | Sequence[int] | None = None, variables: Any = None,
    has_aux: bool = False, unconnected_gradients: str = 'none',
) -> Callable:
    """A function that gives `f`'s value and its gradient in one call."""

def vjp(f: Callable, *primals: Any) -> tuple[Any, Callable]:
    """The value of `f` and the function that pulls cotangents of the value back."""
