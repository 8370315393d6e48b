"""Questions about values: is it a tensor, has it a static value, of what type is it.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exports import export, publish
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.record import primitive_ops
from tapeflow.core.scopes import open_graph
from tapeflow.core.values import convert
from tapeflow.core.values.tensor import AnyTensor, CompositeTensor, Tensor
from tapeflow.core.values.variable import Variable

publish(None, "newaxis")

# What can stand for a tensor, for annotations.
publish(Tensor | Variable | int | float | complex | bool | str | bytes | tuple | list
        | np.ndarray | np.generic, "types.experimental.TensorLike")


@export("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor or stands for one: a variable, IndexedSlices, an object with an
    attribute `is_tensor_like`."""
    return (isinstance(x, AnyTensor) or isinstance(x, CompositeTensor) and x._counts_as_tensor
            or hasattr(x, "is_tensor_like"))


@export("is_symbolic_tensor")
def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor without a value: one of a tf.function under trace."""
    return isinstance(tensor, Tensor) and tensor._interpreter is not None


@export("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of `tensor` as NumPy has it, if it is known now; None otherwise."""
    if isinstance(tensor, Variable):
        return None
    if isinstance(tensor, Tensor):
        if tensor._interpreter is None:
            graph = open_graph()
            return None if graph is not None and graph.is_opaque(tensor) else tensor.numpy()
        known = primitive_ops.partial(tensor) if partial else None
        if type(known) is not tuple or all(n is None for n in known):
            return None
        return np.array([None if n is None else np.array(n, tensor.dtype.np) for n in known],
                        object)
    return None if is_tensor(tensor) else tensor


@export("type_spec_from_value")
def type_spec_from_value(value: Any) -> TypeSpec:
    """The TypeSpec of a value that is a tensor or can become one."""
    spec = getattr(value, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return spec
    if isinstance(value, (Tensor, np.ndarray, np.generic, int, float, complex, str, bytes, list,
                          tuple)):
        try:
            tensor = convert.convert(value)
        except (TypeError, ValueError):
            pass
        else:
            return TensorSpec(tensor.shape, tensor.dtype)
    raise TypeError(f"tf.type_spec_from_value: there is no TypeSpec of {value!r}, of type "
                    f"{type(value).__name__}.")


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type: Any, conversion_func: Callable,
                                        priority: int = 100) -> None:
    """Have tf.convert_to_tensor make tensors of `base_type` by
    `conversion_func(value, dtype=…, name=…, as_ref=…)`; lower priorities are tried first."""
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(one, type) for one in types):
        raise TypeError("tf.register_tensor_conversion_function: `base_type` must be a class or a "
                        f"tuple of classes, got {base_type!r}.")
    if not callable(conversion_func):
        raise TypeError("tf.register_tensor_conversion_function: `conversion_func` must be "
                        f"callable, got {conversion_func!r}.")
    convert.register_tensor_conversion_function(types, conversion_func, priority)
