"""What users pass as shapes, axes, sizes and lists of tensors, as ops take it.

Integer arguments become Python ints and tuples of them; one that is not known yet (inside a trace)
stays a Tensor. Wrong ones raise what TensorFlow raises. May be imported by the modules of `ops`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.autodiff.batching import BatchLevel
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.op import INTEGER, NONDIFF, Op, define, shape_of
from tapeflow.core.record.primitive_ops import cast, reshape
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable

_ensure_shape = LatePublic("ensure_shape")

ndarray = np.ndarray
SPELT = {"float32": "float", "float64": "double", "float16": "half"}


def brackets(shape: Sequence) -> str:
    """A shape as TensorFlow's runtime prints it: [2,3]."""
    return "[" + ",".join(map(str, shape)) + "]"


def wrong_kind(op: str, attr: str, dtype: Any, allowed: str = "int32, int64") -> Exception:
    """An argument of a dtype that the op does not take."""
    name = dtypes.of(np.dtype(getattr(dtype, "np", dtype))).name
    return errors.invalid(op, f"Value for attr '{attr}' of {SPELT.get(name, name)} is not in the "
                              f"list of allowed values: {allowed}")


# Type attributes that have a default in TensorFlow: NumPy numbers of another dtype are cast to it,
# where others are refused.
_DEFAULTED = frozenset({"Tmultiples", "Tshape", "Tpaddings", "Tidx", "Tperm", "index_type", "Tdim",
                        "Tnumsegments", "TI"})


_INDICES = ("int32", "int64")  # the dtypes that indices, axes and sizes may have


def defaulted(value: Any, attr: str, default: DType = dtypes.int32) -> Any:
    """A NumPy argument of integers, cast if the op would cast it; others as they are."""
    if isinstance(value, (np.generic, ndarray)) and attr in _DEFAULTED \
            and value.dtype.name not in ("int32", "int64"):
        return convert(value, default) if value.dtype.kind not in "mM" else convert(value)
    return value


def _index_dtype(x: Any, op: str, attr: str) -> None:
    """Refuse all but the dtypes of indices, also where the values are not known yet."""
    if x.dtype.name not in _INDICES:
        raise wrong_kind(op, attr, x.dtype)


def int_vector(value: Any, op: str, attr: str, shaped: str = "", scalar: bool = False) -> Any:
    """A vector of integers as a tuple; `scalar` lets one integer stand for a vector of one.

    `shaped` begins the complaint about anything but a vector.
    """
    kind = type(value)
    if kind is list or kind is tuple:
        for n in value:
            if type(n) is not int:
                return _mixed(value, op, attr, shaped)
        return tuple(value)
    if kind is int and scalar:
        return (value,)
    if kind is TensorShape:
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        return tuple(value.as_list())
    if isinstance(value, (list, tuple)):  # of a library's own kind
        return int_vector(list(value), op, attr, shaped, scalar)
    tensor = operand(defaulted(dense(attr, value), attr))
    if isinstance(tensor._interpreter, BatchLevel) or tensor._interpreter is None:
        array = tensor._value  # in a batch it is not one value: refused
    else:
        _index_dtype(tensor, op, attr)
        if tensor.ndim == 0 and scalar:
            return reshape(tensor, shape=(1,))
        if tensor.ndim not in (1, None):
            raise errors.invalid(op, f"{shaped or 'expected a vector, got shape'} {tensor.shape}")
        if tensor.ndim is None and not scalar:
            return _ensure_shape(tensor, (None,))
        return tensor
    _index_dtype(array, op, attr)
    if array.ndim != 1:
        if scalar and not array.ndim:
            return (int(array),)
        raise errors.invalid(op, f"{shaped or 'expected a vector, got shape'} "
                                 f"{brackets(array.shape)}")
    return tuple(array.tolist())


def _mixed(value: Sequence, op: str, attr: str, shaped: str) -> Any:
    """A sequence of more than plain ints: NumPy integers, scalar tensors, or something wrong."""
    if isinstance(value[0], bool) and not all(isinstance(n, bool) for n in value):
        raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
    try:
        return tuple([index(n) for n in value])
    except unsignalled(TypeError):
        packed = convert(value)
    if attr in _DEFAULTED and packed.dtype.is_floating and any(
            isinstance(n, Tensor) for n in value):
        packed = cast(packed, dtype=np.dtype("int32"))  # TensorFlow casts what it had to pack
    return int_vector(packed, op, attr, shaped)


def known_shape(y: Any, shape: Any) -> Any:
    """A result made inside a trace, with what the shape argument tells of its shape."""
    if type(y) is not Tensor and isinstance(shape, (list, tuple)):
        y.set_shape([n if type(n) is int and n >= 0 else None for n in shape])
    return y


def _at_least_kernel(sizes: Any, least: int, op: str) -> Any:
    for n in np.asarray(sizes).ravel().tolist():
        if n < least:
            raise errors.invalid(op, f"Dimension {n} must be >= {least}")
    return sizes


# Sizes that are known at run time only, checked there: NumPy takes any negative one for -1.
at_least = define("at_least", kernel=_at_least_kernel, shape=lambda sizes, least, op: sizes,
                  args=("sizes",), dtypes=INTEGER,
                  vjp=NONDIFF("sizes are integers: they have no gradient"),
                  batch=batch_elementwise, check=[Case(ints(5, (3,)), least=0, op="Fill")])


def joined(sizes: Sequence) -> Any:
    """Sizes as an attribute of an op: a tuple, or a vector if a trace has not fixed all of them."""
    for n in sizes:
        if type(n) is not int:
            return convert(list(sizes), dtypes.int32)
    return tuple(sizes)


MOST_ELEMENTS = 1 << 40  # elements: more than any machine has memory for


def affordable(sizes: Sequence, op: str, most: int = MOST_ELEMENTS) -> None:
    """Refuse sizes that no memory can hold, where the result would only be a view."""
    if prod(sizes) > most:
        raise errors.exhausted(op, f"shape {brackets(sizes)}")


def sizes_of(x: Any) -> list:
    """The sizes of a tensor's axes; scalars of a trace where they are unknown."""
    shape = shape_of(x)
    if None not in shape:
        return list(shape)
    dynamic = x._dynamic_shape()
    return [dynamic[i] if n is None else n for i, n in enumerate(shape)]


def agree(a: Sequence, b: Sequence) -> bool:
    """Whether two shapes may be equal: unknown sizes may be anything."""
    return len(a) == len(b) and all(
        m == n or m is None or n is None for m, n in zip(a, b))


def int_scalar(value: Any, op: str, attr: str, strict: bool = False) -> Any:
    """One integer; a float is a TypeError, as when TensorFlow converts it to int32.

    `strict` refuses what is a vector of one integer.
    """
    if type(value) is int:
        if not -1 << 63 <= value < 1 << 63:
            raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, float):
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype int32")
    tensor = operand(defaulted(dense(attr, value), attr))
    _index_dtype(tensor, op, attr)
    if tensor._interpreter is not None:
        return tensor if tensor.ndim is not None else _ensure_shape(tensor, ())
    array = tensor._value
    if array.size != 1 or (strict and array.ndim):
        raise errors.invalid(op, f"'{attr}' must be a tensor with a single value, got shape "
                                 f"{brackets(array.shape)}")
    return int(array.reshape(()))


def alike(values: Sequence) -> list:
    """Operands of one dtype: the first Tensor among them decides it, else the first value."""
    dtype: DType | None = None
    for value in values:
        if type(value) is not Tensor:
            break
    else:
        return list(values)
    for value in values:
        if isinstance(value, (Tensor, Variable)):
            dtype = value.dtype
            break
    result = []
    for value in values:
        if isinstance(value, (Tensor, Variable)):
            value = operand(value)
        else:
            value = convert(value, dtype)
        result.append(value)
        dtype = dtype or value.dtype
    return result


def differing(op: Op, position: int, wanted: Any, given: Any) -> Exception:
    """Operand `position` has another dtype than it must have."""
    first, second = dtypes.of(wanted).name, dtypes.of(given).name
    return errors.invalid(op.tf_name, (
        f"cannot compute {op.tf_name} as input #{position}(zero-based) was expected to be a "
        f"{SPELT.get(first, first)} tensor but is a {SPELT.get(second, second)} tensor"))


def integers(value: Any, op: str, attr: str, allowed: str = "int32, int64",
             ragged: bool = False) -> Any:
    """An operand of indices: an integer Tensor, of a dtype named in `allowed`.

    ragged: ragged and sparse tensors are taken as well
    """
    if type(value) is not Tensor:
        value = operand(value if ragged else dense(attr, value))
    dtype = value.dtype
    if dtype.name not in allowed or dtype.kind not in "iu":
        raise wrong_kind(op, attr, dtype, allowed)
    return value


def dtype_among(value: Any, op: str, attr: str, allowed: str = "int32, int64") -> DType:
    """A dtype argument that must be one of a few."""
    kind = dtypes.as_dtype(value)
    if kind.name not in allowed.split(", "):
        raise wrong_kind(op, attr, kind, allowed)
    return kind


def boxed(value: Any, dtype: Any) -> Any:
    """What NumPy took out of an array, as a tensor's value: one string stays in an object array."""
    if dtype.kind != "O" or type(value) is ndarray:
        return value
    box = np.empty((), object)
    box[()] = value
    return box


def check_range(indices: Any, size: int, op: str) -> None:
    """Refuse indices outside [0, size): TensorFlow counts none from the end."""
    if type(indices) is not ndarray:
        if 0 <= indices < size:
            return
    elif indices.size <= 32:
        flat = indices.ravel().tolist()
        if not flat or (min(flat) >= 0 and max(flat) < size):
            return
    elif indices.min() >= 0 and indices.max() < size:
        return
    array = np.asarray(indices)
    where = np.argwhere((array < 0) | (array >= size))[0]
    label = brackets(where) if array.ndim else ""
    raise errors.invalid(op, f"indices{label} = {array[tuple(where)]} is not in [0, {size})")
