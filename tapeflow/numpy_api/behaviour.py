"""tf.experimental.numpy.experimental_enable_numpy_behavior: Tensors that behave like ndarrays.

It cannot be undone, as in TensorFlow: the classes of tensors get NumPy's methods, operators that
promote dtypes, and NumPy's indexing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor, TensorBase
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.numpy_api import pairs, promotion, reductions, shaping
from tapeflow.numpy_api.elementwise import around
from tapeflow.numpy_api.indexing import getitem
from tapeflow.numpy_api.promotion import public

OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
MODES = ("off", "legacy")


@public("experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(prefer_float32: bool = False,
                                       dtype_conversion_mode: str = "legacy") -> None:
    """Give Tensors NumPy's methods, promotion of dtypes in operators, and indexing.

    `dtype_conversion_mode` is "legacy" (NumPy's promotion) or "off" (methods and indexing only).
    """
    if dtype_conversion_mode in ("safe", "all"):
        raise NotImplementedError(
            "tf.experimental.numpy.experimental_enable_numpy_behavior: tapeflow does not have the "
            f"dtype_conversion_mode {dtype_conversion_mode!r}, whose weak tensors are a type of "
            "their own; use 'legacy' or 'off'.")
    if dtype_conversion_mode not in MODES:
        raise ValueError("tf.experimental.numpy.experimental_enable_numpy_behavior: the promotion "
                         f"mode {dtype_conversion_mode!r} does not exist; there are {MODES}.")
    promotion.Preferences.float32 = bool(prefer_float32)
    _add_methods()
    _replace("__getitem__", getitem)
    if dtype_conversion_mode == "legacy" and not getattr(Tensor, "_promotes", False):
        Tensor._promotes = True
        _promote_operators()


def _replace(name: str, value: Any) -> None:
    for one in (Tensor, TensorBase):
        setattr(one, name, value)


# -- methods ---------------------------------------------------------------------------------------
def _reshape(self: Any, *newshape: Any, **kwargs: Any) -> Any:
    order = kwargs.pop("order", "C")
    if kwargs:
        raise ValueError(f"Tensor.reshape does not take {list(kwargs)}.")
    if len(newshape) == 1 and not isinstance(newshape[0], int):
        newshape = newshape[0]
    return shaping.reshape(self, newshape, order=order)


def _tolist(self: Any) -> Any:
    if self._interpreter is not None:
        raise ValueError("Symbolic Tensors do not support the tolist API.")
    return self.numpy().tolist()


def _size(self: Any) -> Any:
    return np.prod(self.shape.as_list()) if self.shape.is_fully_defined() else None


def _astype(self: Any, dtype: Any, name: str | None = None) -> Any:
    return tf.cast(self, dtype)


def _add_methods() -> None:
    methods: dict[str, Any] = {
        "T": property(lambda self: shaping.transpose(self)), "size": property(_size),
        "data": property(lambda self: self), "__pos__": lambda self: self, "tolist": _tolist,
        "transpose": shaping.transpose, "flatten": shaping.flatten, "reshape": _reshape,
        "ravel": shaping.ravel, "clip": pairs.clip, "astype": _astype, "__round__": around,
        "max": reductions.amax, "mean": reductions.mean, "min": reductions.amin,
    }
    for name, method in methods.items():
        _replace(name, method)


# -- operators -------------------------------------------------------------------------------------
def _common(a: Any, b: Any) -> Any:
    """The dtype of NumPy's promotion for two operands; None where it has nothing to say."""
    if b is None or (isinstance(b, Tensor) and a.dtype == b.dtype):
        return None
    if a.dtype == tf.bfloat16 and isinstance(b, (int, float)):
        return None  # NumPy knows no weak scalars beside it and would go to float64
    try:
        return promotion.result_type(a, b)
    except TypeError:
        return None


def _promoting(method: Callable) -> Callable:
    @functools.wraps(method)
    def operator(a: Any, b: Any) -> Any:
        dtype = _common(a, b)
        if dtype is not None:
            a = a if a.dtype == dtype else tf.cast(a, dtype)
            b = tf.cast(b, dtype) if isinstance(b, (Tensor, Variable)) else tf.convert_to_tensor(
                b, dtype)
        return method(a, b)

    return operator


def _on_value(method: Callable) -> Callable:
    @functools.wraps(method)
    def operator(variable: Any, other: Any) -> Any:
        return method(tf.convert_to_tensor(variable), other)

    return operator


def _matmul(a: Any, b: Any) -> Any:
    return pairs.matmul(a, b)


def _rmatmul(a: Any, b: Any) -> Any:
    return pairs.matmul(b, a)


def _promote_operators() -> None:
    names = [f"__{name}__" for name in (*OPERATORS, *COMPARISONS)]
    names += [f"__r{name}__" for name in OPERATORS]
    made = {name: _promoting(getattr(Tensor, name)) for name in names}
    made.update(__matmul__=_matmul, __rmatmul__=_rmatmul)
    for name, method in made.items():
        _replace(name, method)
        on_variable = _on_value(method)
        for one in (Variable, VariableBase):
            setattr(one, name, on_variable)
