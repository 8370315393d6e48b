# Written by tools/stubs.py (make stubs).
"""tf.linalg.experimental"""

from typing import Any

from tapeflow._typing import CGState, FloatLike, IntLike, TensorLike

def conjugate_gradient(
    operator: Any, rhs: TensorLike, preconditioner: Any = None, x: TensorLike | None = None,
    tol: FloatLike = 1e-05, max_iter: IntLike = 20, name: str = 'conjugate_gradient',
) -> CGState:
    """Solve `operator x = rhs`, self-adjoint and positive definite, by conjugate gradients."""
