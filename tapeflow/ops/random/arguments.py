"""Arguments that the random functions share: shapes, dtypes, seeds, algorithms.

May be imported by the public modules of this package.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.families import operand
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import brackets, int_vector, wrong_kind
from tapeflow.ops.math.arithmetic import multiply, subtract
from tapeflow.ops.random.streams import seeds

FLOATS = "half, bfloat16, float, double"


@export("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(enum.Enum):
    """Algorithms for random numbers. CPUs have Philox alone, which AUTO_SELECT chooses."""

    PHILOX = seeds.PHILOX
    THREEFRY = seeds.THREEFRY
    AUTO_SELECT = seeds.AUTO_SELECT


_NAMES = {"philox": seeds.PHILOX, "threefry": seeds.THREEFRY, "autoselect": seeds.AUTO_SELECT}


def algorithm(alg: Any) -> int:
    """The code of an algorithm given by name, code or enum."""
    if isinstance(alg, Algorithm):
        return alg.value
    if isinstance(alg, str):
        code = _NAMES.get(alg.strip().lower().replace("-", "").replace("_", ""))
        if code is None:
            raise unsupported(alg, "philox", "threefry", "auto_select")
        return code
    if isinstance(alg, Tensor):
        if not alg.dtype.is_integer:
            raise ValueError(f"Tensor conversion requested dtype int32 for `alg` of dtype "
                             f"{alg.dtype.name}")
        alg = int(alg)
    if not isinstance(alg, int):
        raise TypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to "
                        "int.")
    if alg not in seeds.STATE_SIZES:
        raise unsupported(alg, *seeds.STATE_SIZES)
    return alg


def unsupported(alg: Any, philox: Any, threefry: Any, auto: Any) -> ValueError:
    return ValueError(f"Argument `alg` got unsupported value {alg}. Supported values are {philox} "
                      f"for the Philox algorithm, {threefry} for the ThreeFry algorithm, and "
                      f"{auto} for auto-selection.")


def shape_vector(shape: Any, op: str) -> Any:
    """The shape of a draw: a tuple, or a Tensor inside a trace."""
    if type(shape) is int:
        raise errors.invalid(op, "shape must be a vector of {int32,int64}, got shape []")
    if isinstance(shape, (list, tuple)) and shape and all(isinstance(n, bool) for n in shape):
        raise wrong_kind(op, "T", np.dtype(bool))
    if isinstance(shape, (list, tuple)):
        for n in shape:
            if isinstance(n, Tensor) and n.dtype.name not in ("int32", "int64"):
                raise wrong_kind(op, "T", n.dtype)
    given = getattr(shape, "dtype", None)
    if given is not None and getattr(given, "name", "") not in ("int32", "int64"):
        raise wrong_kind(op, "T", operand(shape).dtype)
    return int_vector(shape, op, "T", "shape must be a vector of {int32,int64}, got shape")


def index_dtype(shape: Any) -> str:
    """dtype of the tensor that TensorFlow would make of a shape: part of a kernel's identity."""
    if isinstance(shape, (list, tuple)):
        shape = shape[0] if shape else 0
    given = getattr(shape, "dtype", None)
    return "int32" if given is None else getattr(given, "name", str(given))


def float_dtype(dtype: Any, op: str) -> DType:
    """A floating dtype that numbers can be drawn in."""
    wanted = tf_dtypes.as_dtype(dtype)
    if wanted.name not in ("float16", "bfloat16", "float32", "float64"):
        raise wrong_kind(op, "dtype", wanted, FLOATS)
    return wanted


def checked_seed(seed: Any, op: str = "StatelessRandomGetKeyCounter") -> Tensor:
    """The seed of a stateless op as an operand: two integers."""
    if type(seed) in (list, tuple) and len(seed) == 2 and type(seed[0]) is type(seed[1]) is int:
        if all(-(2**31) <= n < 2**31 for n in seed):
            return wrap(np.array(seed, np.int32))
    source = operand(seed)
    if source.dtype.name not in ("int32", "int64"):
        raise wrong_kind(op, "Tseed", source.dtype)
    if source.shape.rank is not None and not source.shape.is_compatible_with((2,)):
        raise errors.invalid(op, "seed must have shape [2], not "
                                 f"{brackets(source.shape.as_list())}")
    return source


def only_philox(alg: Any, op: str) -> None:
    """Refuse what CPUs have no kernel for."""
    if algorithm(seeds.AUTO_SELECT if alg is None else alg) == seeds.THREEFRY:
        raise errors.invalid(op, "counter must be a vector with length at least 2; got shape: [1]. "
                                 "(ThreeFry runs on no CPU.)")


def integer_bound(value: Any, dtype: DType) -> Tensor:
    """A bound of random integers."""
    if type(value) is int and -(2**31) <= value < 2**31:
        return wrap(dtype.np.type(value))
    return operand(value, dtype)


# -- location and scale ----------------------------------------------------------------------------


def _plain(value: Any) -> bool:
    """A Python scalar, which no gradient can reach."""
    return type(value) in (int, float)


def scaled(draw: Callable[[], Tensor], scale: Any, shift: Any, dtype: DType) -> Tensor:
    """draw() * scale + shift, where both may be tensors; what is wrong with them is said first."""
    if _plain(scale) and _plain(shift):
        rnd = draw()
        if type(rnd) is not Tensor:
            return add(multiply(rnd, operand(scale, dtype)), operand(shift, dtype))
        one = dtype.np.type
        value = rnd._value
        if scale != 1:
            value = value * one(scale)
        if shift != 0:
            value = value + one(shift)
        return wrap(value) if value is not rnd._value else rnd
    shift, scale = _parameter(shift, dtype), _parameter(scale, dtype)
    return add(multiply(draw(), scale), shift)


def _parameter(value: Any, dtype: DType) -> Tensor:
    if isinstance(value, (Tensor, Variable)):
        value = operand(value)
        if value.dtype != dtype:
            raise ValueError(f"Tensor conversion requested dtype {dtype.name} for Tensor with "
                             f"dtype {value.dtype.name}: {value!r}")
        return value
    return operand(value, dtype)


def between(draw: Callable[[], Tensor], low: Any, high: Any, dtype: DType) -> Tensor:
    """draw() on [0, 1) stretched to [low, high)."""
    if _plain(low) and _plain(high):
        one = dtype.np.type
        with np.errstate(all="ignore"):
            return scaled(draw, float(one(high) - one(low)), low, dtype)
    low, high = _parameter(low, dtype), _parameter(high, dtype)
    return add(multiply(draw(), subtract(high, low)), low)
