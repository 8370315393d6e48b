"""Dropout: keeps each element with probability 1 - rate and scales what it keeps."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import CompositeTensor, Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.array import shape_ops
from tapeflow.ops.indexing import gathering
from tapeflow.ops.random.stateful import uniform
from tapeflow.ops.random.stateless import stateless_uniform


@export("nn.dropout")
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None,
            name: str | None = None) -> Tensor:
    """Set elements of `x` to 0 with probability `rate`, and scale the others by 1 / (1 - rate).

    `noise_shape` broadcasts: where it is 1, elements are kept or dropped together.
    """
    return _drop(x, rate, lambda shape, dtype: uniform(shape, seed=seed, dtype=dtype), noise_shape)


@export("nn.experimental.stateless_dropout")
@attributes(x=dense)
def stateless_dropout(x: Any, rate: Any, seed: Any, rng_alg: Any = None, noise_shape: Any = None,
                      name: str | None = None) -> Tensor:
    """Dropout whose choice depends on `seed` (two integers) alone."""
    alg = "auto_select" if rng_alg is None else rng_alg
    return _drop(x, rate, lambda shape, dtype: stateless_uniform(
        shape, seed, dtype=dtype, alg=alg), noise_shape)


@export("nn.experimental.general_dropout")
@attributes(x=dense)
def general_dropout(x: Any, rate: Any, uniform_sampler: Callable, noise_shape: Any = None,
                    name: str | None = None) -> Tensor:
    """Dropout with numbers of `uniform_sampler(shape, dtype)`."""
    return _drop(x, rate, uniform_sampler, noise_shape)


def _drop(x: Any, rate: Any, sampler: Callable, noise_shape: Any) -> Tensor:
    if isinstance(x, CompositeTensor) and hasattr(x, "with_flat_values"):  # ragged
        ragged: Any = x
        return ragged.with_flat_values(_drop(ragged.flat_values, rate, sampler, noise_shape))
    is_scalar = isinstance(rate, numbers.Real)
    if is_scalar and not 0 <= rate < 1:
        raise ValueError("`rate` must be a scalar tensor or a float in the range [0, 1). "
                         f"Received: rate={rate}")
    x = x.value() if isinstance(x, Variable) else operand(x)
    if not x.dtype.is_floating:
        raise ValueError("tf.nn.dropout: `x.dtype` must be a floating point dtype, as it is "
                         f"scaled. Received: x.dtype={x.dtype!r}")
    if is_scalar and rate == 0:
        return x
    kept = x * convert(1 / (1 - rate), x.dtype) if is_scalar else x / (1 - _rate_of(rate, x))
    shape = shape_ops.shape(x) if noise_shape is None else _noise(x, noise_shape)
    keep = sampler(shape=shape, dtype=x.dtype) >= rate
    return gathering.where(keep, kept, convert(0.0, x.dtype))


def _rate_of(rate: Any, x: Tensor) -> Tensor:
    if not isinstance(rate, (Tensor, Variable)) or shape_of(operand(rate)) != ():
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    if rate.dtype != x.dtype:
        raise ValueError("`x.dtype` must be compatible with `rate.dtype`. Received: "
                         f"x.dtype={x.dtype!r} and rate.dtype={rate.dtype!r}")
    return operand(rate)


def _noise(x: Tensor, noise_shape: Any) -> Any:
    """None in a noise shape stands for the size of `x` there."""
    if isinstance(noise_shape, (list, tuple)) and len(noise_shape) == len(shape_of(x)):
        return [own if n is None else n for n, own in zip(noise_shape, shape_of(x), strict=True)]
    return noise_shape
