"""Scalar parameters of datasets: sizes, counts and flags that may be tensors of a trace."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read


def switch(value: Any, name: str) -> bool:
    """A parameter that is true or false: what can be a scalar of bool."""
    if value is True or value is False:
        return value
    tensor = integer(value, name, dtypes.bool)
    if tensor.shape.rank:
        raise errors.invalid("Dataset", f"{name} must be a scalar")
    return bool(tensor)


def integer(value: Any, name: str, dtype: Any = dtypes.int64) -> Tensor:
    """A scalar parameter as an int64 tensor; tensors of other dtypes are refused."""
    try:
        if isinstance(value, Variable):
            value = read(value)
        return convert(dense(name, value), dtype)
    except unsignalled(ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    except unsignalled(TypeError) as error:
        raise TypeError(f"{name}: {error}") from None


def known(tensor: Tensor) -> int | None:
    """The integer in a scalar parameter, if it is known while tracing."""
    return int(tensor._value) if type(tensor) is Tensor else None
