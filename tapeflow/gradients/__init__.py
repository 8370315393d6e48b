"""`tapeflow.gradients`: derivatives beyond those of a tape, each in one call.

    loss, gradient = tapeflow.gradients.value_and_grad(loss_fn)(weights)

Called itself, it is TensorFlow's function `tf.gradients(ys, xs)`. Its members are tapeflow's own.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from tapeflow.api.namespaces import Namespace
from tapeflow.base.exports import publish
from tapeflow.core.autodiff.tape import UnconnectedGradients

# Which module each member is loaded from, when it is first asked for.
_MEMBERS = {
    "value_and_grad": "transforms",
    "vjp": "transforms",
    "jvp": "transforms",
    "hvp": "products",
    "gauss_newton_vp": "products",
    "per_example_gradients": "per_example",
    "safe_where": "masking",
    "safe_masks": "masking",
    "implicit_gradient": "implicit",
    "jacobian_pattern": "sparse_derivatives",
    "hessian_pattern": "sparse_derivatives",
    "sparse_jacobian": "sparse_derivatives",
    "sparse_hessian": "sparse_derivatives",
    "spectral_function": "matrix_functions",
    "eigh": "decompositions",
    "svd": "decompositions",
}
__all__ = list(_MEMBERS)


class _Gradients(Namespace):
    """A module that can be called: TensorFlow's function, with tapeflow's members."""

    def __call__(self, ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients",
                 gate_gradients: bool = False, aggregation_method: Any = None,
                 stop_gradients: Any = None,
                 unconnected_gradients: Any = UnconnectedGradients.NONE) -> list:
        """Derivatives of the sum of `ys` with respect to each of `xs`, inside a tf.function."""
        from tapeflow.graph.symbolic_gradients import gradients
        return gradients(ys, xs, grad_ys, name, gate_gradients, aggregation_method,
                         stop_gradients, unconnected_gradients)

    def __getattr__(self, name: str) -> Any:
        if name in _MEMBERS:
            found = getattr(import_module(f"{__name__}.{_MEMBERS[name]}"), name)
            setattr(self, name, found)
            return found
        return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Gradients
publish(sys.modules[__name__], "gradients")
