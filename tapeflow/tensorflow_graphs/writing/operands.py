"""What writers of records have in common: attributes as inputs, sizes, types that kernels lack."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.tensorflow_graphs.writing.node_writer import Ref

# The type in which something is computed where TensorFlow has no kernel for its own.
_WIDER = {"float16": "float32", "bfloat16": "float32", "int8": "int32", "int16": "int32",
          "uint8": "int32", "uint16": "int32", "uint32": "int64", "uint64": "int64",
          "int32": "int64", "float32": "float64", "bool": "int32"}
FULL = ("float32", "float64")  # floats that are not of half precision


def known(attr: Any) -> bool:
    """Whether an attribute has its value already."""
    return not isinstance(attr, ir.Value)


def given(w: Any, attr: Any, dtype: Any = dtypes.int32) -> Ref:
    """An attribute, of sizes, positions or numbers, as an input of this dtype."""
    if known(attr):
        return w.const(np.asarray(attr), dtype)
    return cast(w, w.ref(attr), dtype)


def cast(w: Any, x: Ref, dtype: Any) -> Ref:
    """A tensor in another type, itself if it has that."""
    kind = dtypes.as_dtype(dtype)
    return x if x.dtype == kind else w.Cast(x, DstT=kind)


def like(w: Any, value: Any, x: Ref) -> Ref:
    """A number in the type of a tensor."""
    return w.const(np.asarray(value).astype(x.dtype.np))


def rank(x: Ref) -> int:
    """The number of axes, where something cannot be written without."""
    if x.shape is None:
        raise NotImplementedError("a tensor of unknown rank cannot be written here")
    return len(x.shape)


def size(w: Any, x: Ref, axis: int, dtype: Any = dtypes.int32) -> Ref:
    """The size of one axis."""
    if x.shape is not None and x.shape[axis] is not None:
        return w.const(x.shape[axis], dtype)
    return element(w, w.shape_of(x, dtype), axis)


def size_known(x: Ref, axis: int) -> int:
    """The size of an axis, where something cannot be written without."""
    count = None if x.shape is None else x.shape[axis]
    if count is None:
        raise NotImplementedError(f"the size of axis {axis} of an operand must be known")
    return count


def element(w: Any, vector: Ref, index: int) -> Ref:
    """One element of a vector."""
    end = index + 1
    return w.StridedSlice(vector, w.const([index], dtypes.int32), w.const([end], dtypes.int32),
                          w.const([1], dtypes.int32), shrink_axis_mask=1, end_mask=int(not end))


def part(w: Any, vector: Ref, first: int, last: int | None) -> Ref:
    """Some elements of a vector, as `vector[first:last]`."""
    return w.StridedSlice(vector, w.const([first], dtypes.int32),
                          w.const([last or 0], dtypes.int32), w.const([1], dtypes.int32),
                          end_mask=int(last is None))


def joined(w: Any, parts: Sequence, dtype: Any = dtypes.int32) -> Ref:
    """A vector of ints, scalar Refs, and Refs of vectors `[ref]`, one after the other."""
    if all(isinstance(one, int) for one in parts):
        return w.const(np.array(parts), dtype)
    pieces = [one[0] if isinstance(one, list) else w.const([one], dtype) if isinstance(one, int)
              else w.Reshape(one, w.const([1], dtypes.int32)) for one in parts]
    pieces = [cast(w, one, dtype) for one in pieces]
    return pieces[0] if len(pieces) == 1 else w.ConcatV2(pieces, w.const(0, dtypes.int32))


def sizes(w: Any, x: Ref) -> list:
    """The sizes of a tensor: ints where they are known, else Refs."""
    shape = x.shape
    return [size(w, x, i) if n is None else n for i, n in enumerate(shape or ())]


def product(w: Any, parts: Sequence) -> Any:
    """The product of ints and scalar Refs: an int if all are."""
    number = math.prod([one for one in parts if isinstance(one, int)])
    found = None
    for one in parts:
        if not isinstance(one, int):
            found = one if found is None else w.Mul(found, one)
    if found is None:
        return number
    return found if number == 1 else w.Mul(found, w.const(number, found.dtype))


def sum_of(w: Any, parts: Sequence) -> Any:
    """The sum of ints and scalar Refs: an int if all are."""
    number = sum([one for one in parts if isinstance(one, int)])
    found = None
    for one in parts:
        if not isinstance(one, int):
            found = one if found is None else w.AddV2(found, one)
    if found is None:
        return number
    return found if number == 0 else w.AddV2(found, w.const(number, found.dtype))


def scalar(w: Any, n: Any, dtype: Any = dtypes.int32) -> Ref:
    """A size, int or Ref, as a scalar."""
    return w.const(n, dtype) if isinstance(n, (int, np.integer)) else cast(w, n, dtype)


def axes(w: Any, x: Ref, axis: Any) -> Ref:
    """The axes of a reduction; None: all."""
    if axis is not None and known(axis):
        return w.const(np.asarray(axis, np.int32).reshape(-1), dtypes.int32)
    if axis is not None:
        return w.ref(axis)
    if x.shape is not None:
        return w.const(np.arange(len(x.shape)), dtypes.int32)
    return w.Range(w.const(0, dtypes.int32), w.Rank(x), w.const(1, dtypes.int32))


def reshape(w: Any, x: Ref, parts: Sequence) -> Ref:
    """A tensor in another shape: ints and scalar Refs."""
    return w.Reshape(x, joined(w, parts))


def transpose(w: Any, x: Ref, perm: Sequence[int]) -> Ref:
    """Axes in another order; the tensor itself if they stay."""
    if list(perm) == list(range(len(perm))):
        return x
    return w.Transpose(x, w.const(np.array(perm), dtypes.int32))


def inverse(perm: Sequence[int]) -> list[int]:
    """The order that undoes another."""
    return [list(perm).index(i) for i in range(len(perm))]


def shaped(ref: Ref, shape: tuple | None) -> Ref:
    """A tensor of which the shape is known here."""
    return Ref(ref.name, ref.dtype, shape, ref.const)


def within(w: Any, op: str, xs: Sequence[Ref], kinds: Sequence[str], **attributes: Any) -> Any:
    """An op whose kernel has these types alone: others are computed in a wider one."""
    kind = xs[0].dtype
    if kind.name in kinds:
        return w.emit(op, xs, attributes)
    wide = _WIDER[kind.name]
    while wide not in kinds:
        wide = _WIDER[wide]
    return cast(w, w.emit(op, [cast(w, x, wide) for x in xs], attributes), kind)


def halves(w: Any, xs: Sequence[Ref], run: Any) -> Any:
    """`run(*xs)` in single precision where operands have half."""
    kind = xs[0].dtype
    if kind.name not in ("float16", "bfloat16"):
        return run(*xs)
    found = run(*[cast(w, x, dtypes.float32) if x.dtype == kind else x for x in xs])
    if isinstance(found, (tuple, list)):
        return tuple([cast(w, one, kind) if one.dtype.is_floating else one for one in found])
    return cast(w, found, kind)
