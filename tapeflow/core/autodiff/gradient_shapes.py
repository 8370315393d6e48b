"""A warning of gradients that users wrote and that have another shape than what they belong to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from tapeflow.core.values.tensor import Tensor

_warned: set[Any] = set()  # code of gradient functions


def warn_of_shapes(grad_fn: Callable, gradients: list, shapes: list) -> None:
    """Name the first such gradient of a function, once."""
    code = getattr(grad_fn, "__code__", None)
    if code is None or code in _warned:
        return
    _warned.add(code)
    position, g, shape = next(
        (i, g, shape) for i, (g, shape) in enumerate(zip(gradients, shapes, strict=True))
        if isinstance(g, Tensor) and not g.shape.is_compatible_with(shape))
    logging.getLogger("tensorflow").warning(
        f"tf.custom_gradient: the gradient function at {code.co_filename}:{code.co_firstlineno} "
        f"returns a gradient of shape {g.shape} for input {position} of shape {shape}. Return one "
        "of the input's shape: multiply by the gradient from above before summing, and sum over "
        "axes that were broadcast.")
