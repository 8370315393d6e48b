"""The records of pooling: maxima and averages in windows over any axes, and their gradients.

Attributes have an entry for every axis of the operand, so a batch axis is one more axis with a
window of one. May be imported by the modules of `ops.conv`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Window
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import broadcast_to, dims, fill_like, static
from tapeflow.core.record.samples import Case
from tapeflow.ops._support.arguments import joined, sizes_of
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.conv import conv_ops
from tapeflow.ops.conv import pooling_kernels as kernels
from tapeflow.ops.conv.geometry import layout, static_sizes


def _pooled(x: Spec, window: tuple, strides: tuple, padding: Any, dilations: tuple,
            **attrs: Any) -> Spec:
    if x.shape is None:
        return Spec((None,) * len(window), x.dtype)
    if len(x.shape) != len(window):
        raise ValueError(f"Shape must be rank {len(window)} for pooling, with input shape: "
                         f"{list(x.shape)}.")
    return Spec(static_sizes("pooling", x.shape, window, strides, dilations, padding), x.dtype)


def _wider(attrs: dict, size: int) -> dict:
    """Attributes with an entry for a batch axis in front."""
    more = {name: (1, *attrs[name]) for name in ("window", "strides", "dilations")}
    if not isinstance(attrs["padding"], str):
        more["padding"] = ((0, 0), *attrs["padding"])
    if "lead" in attrs:
        more["lead"] = attrs["lead"] + 1
    if "shape" in attrs:
        more["shape"] = (size, *attrs["shape"])
    return {**attrs, **more}


def _batch(call, size, xs, batched, attrs):
    every = [x if mark else broadcast_to(x, shape=joined([size, *sizes_of(x)]))
             for x, mark in zip(xs, batched, strict=True)]
    return call(*every, **_wider(attrs, size))


def _attrs(window, strides=None, padding="VALID", dilations=None, **more):
    return dict(window=window, strides=strides or window, padding=padding,
                dilations=dilations or (1,) * len(window), **more)


def _window(role: str) -> Window:
    """The form in native code: axes before the first pooled one are images, the last one is
    channels unless it is pooled itself."""
    def describe(shapes: list, window: tuple, strides: tuple, padding: Any, dilations: tuple,
                 ties: str = "first", shape: Any = None) -> dict | None:
        x: Any = shapes[0] if shape is None else static(shape)
        try:
            out, pads = layout("pooling", x, window, strides, dilations, padding)
        except errors.OpError:
            return None
        pooled = [i for i, pad in enumerate(pads) if window[i] > 1 or strides[i] > 1 or any(pad)]
        if not pooled:
            return None
        axes = slice(pooled[0], max(pooled[-1] + 1, len(x) - 1))
        channels = prod(x[axes.stop:])
        return {"role": role, "batch": prod(x[:axes.start]), "sizes": x[axes],
                "channels": channels, "out": out[axes], "outer": channels,
                "window": window[axes], "strides": strides[axes], "dilations": dilations[axes],
                "pads": pads[axes], "ties": ties}

    return Window(describe)


NATIVE_FROM = 1 << 15  # elements from which native code may be tried for eager operands


def _chosen(kernel: Any, form: Window) -> Any:
    """A kernel, half precision in single; or native code for sizes that come often."""
    def run(*xs, **attrs):
        x = xs[0]
        if x.size >= NATIVE_FROM and conv_ops.native is not None and (
                x.dtype.char in conv_ops.NATIVE_DTYPES) and all(
                    other.dtype == x.dtype for other in xs):
            return conv_ops.native(form.describe, wide, xs, attrs)
        return wide(*xs, **attrs)

    wide = kernel if kernel is kernels.max_pool else float32_kernel(kernel)
    return run


_MAX, _MAX_GRADIENT, _AVERAGE, _AVERAGE_GRADIENT = [
    _window(role) for role in ("max", "max_gradient", "average", "average_gradient")]

# Calls that reach every branch: overlapping, padded, dilated, over channels, with gaps.
_SAMPLES = (
    ((1, 4, 4, 2), _attrs((1, 2, 2, 1))),
    ((2, 5, 2), _attrs((1, 3, 1), (1, 2, 1), "SAME")),
    ((1, 5, 6, 1), _attrs((1, 2, 3, 1), (1, 1, 2, 1), "SAME", ties="all")),
    ((1, 5, 4, 1), _attrs((1, 2, 2, 1), (1, 1, 1, 1), dilations=(1, 2, 1, 1))),
    ((1, 3, 3, 4), _attrs((1, 1, 1, 2))),
    ((1, 4, 5, 1), _attrs((1, 2, 2, 1), (1, 3, 2, 1), ((0, 0), (1, 1), (0, 1), (0, 0)))),
)


def _max_attrs(attrs: dict) -> dict:
    return {"ties": "first", **attrs}


def _avg_attrs(attrs: dict) -> dict:
    return {name: value for name, value in attrs.items() if name != "ties"}


def _result(shape: tuple, attrs: dict) -> tuple:
    return _pooled(Spec(shape, None), **attrs).shape  # type: ignore[return-value]


# -- maxima ----------------------------------------------------------------------------------------
max_pool = define(
    "max_pool", kernel=_chosen(kernels.max_pool, _MAX), shape=_pooled, args=("input",),
    vjp=(lambda g, y, x, **attrs: max_pool_gradient(x, g, **attrs),),
    jvp=lambda ts, y, x, **attrs: max_pool_pick(x, ts[0], **attrs),
    batch=_batch, saves="in", dtypes="fViu", kind="reduce", tf_name="MaxPool",
    lower=_MAX,
    check=[Case(shape, **_max_attrs(attrs)) for shape, attrs in _SAMPLES])

max_pool_gradient = define(
    "max_pool_gradient", kernel=_chosen(kernels.max_pool_gradient, _MAX_GRADIENT),
    args=("input", "g"), shape=lambda x, g, **attrs: x,
    vjp=(lambda u, y, x, g, **attrs: fill_like(x, value=0),  # which is the greatest stays so
         lambda u, y, x, g, **attrs: max_pool_pick(x, u, **attrs)),
    jvp=lambda ts, y, x, g, **attrs: None if ts[1] is None else max_pool_gradient(
        x, ts[1], **attrs),
    batch=_batch, saves="in0", dtypes="fV", kind="reduce", tf_name="MaxPoolGrad",
    lower=_MAX_GRADIENT,
    check=[Case(shape, _result(shape, attrs), **_max_attrs(attrs)) for shape, attrs in _SAMPLES])

max_pool_pick = define(
    "max_pool_pick", kernel=float32_kernel(kernels.max_pool_pick), args=("input", "u"),
    shape=lambda x, u, **attrs: _pooled(x, **attrs),
    vjp=(lambda g, y, x, u, **attrs: fill_like(x, value=0),
         lambda g, y, x, u, **attrs: max_pool_gradient(x, g, **attrs)),
    jvp=lambda ts, y, x, u, **attrs: None if ts[1] is None else max_pool_pick(x, ts[1], **attrs),
    batch=_batch, saves="in0", dtypes="fV", kind="reduce", tf_name="MaxPoolGradGrad",
    check=[Case(shape, shape, **_max_attrs(attrs)) for shape, attrs in _SAMPLES])

max_pool_argmax = define(
    "max_pool_argmax", kernel=kernels.max_pool_argmax, args=("input",),
    shape=lambda x, dtype, **attrs: Spec(_pooled(x, **attrs).shape, dtype),
    vjp=NONDIFF("integer result"), batch=_batch, dtypes="fViu", kind="reduce",
    tf_name="MaxPoolWithArgmax",
    check=[Case(shape, lead=i % 2, dtype=np.dtype(("int64", "int32")[i % 2]),
                **_avg_attrs(attrs)) for i, (shape, attrs) in enumerate(_SAMPLES)])


# -- averages --------------------------------------------------------------------------------------
avg_pool = move(
    "avg_pool", _chosen(kernels.avg_pool, _AVERAGE), shape=_pooled, args=("value",), kind="reduce",
    vjp=lambda g, y, x, **attrs: avg_pool_gradient(g, shape=dims(x), **attrs),
    batch=_batch, dtypes="fV", tf_name="AvgPool", lower=_AVERAGE,
    check=[Case(shape, **_avg_attrs(attrs)) for shape, attrs in _SAMPLES])

avg_pool_gradient = move(
    "avg_pool_gradient", _chosen(kernels.avg_pool_gradient, _AVERAGE_GRADIENT), args=("g",),
    kind="reduce", shape=lambda g, shape, **attrs: Spec(static(shape), g.dtype),
    vjp=lambda u, y, g, shape, **attrs: avg_pool(u, **attrs),
    batch=_batch, dtypes="fV", tf_name="AvgPoolGrad", lower=_AVERAGE_GRADIENT,
    check=[Case(_result(shape, attrs), shape=shape, **_avg_attrs(attrs))
           for shape, attrs in _SAMPLES])
