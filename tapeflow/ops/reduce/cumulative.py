"""Running sums, products and log-sum-exps along an axis. May be imported by other `ops`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.dtypes import int32
from tapeflow.base.exports import export, known_as
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand, same_as
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Scan
from tapeflow.core.record.op import FLOAT, NUMERIC, define, shape_of
from tapeflow.core.record.primitive_ops import all_batched
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops.math.arithmetic import conj_of, divide_no_nan

_F32 = np.dtype("float32")


def _scan(x, accumulate: Callable, axis: int, exclusive: bool, reverse: bool, start: Any):
    """Run `accumulate` along `axis`: `reverse` from the end, `exclusive` up to the one before."""
    if reverse:
        flip = (slice(None),) * axis + (slice(None, None, -1),)
        return _scan(x[flip], accumulate, axis, exclusive, False, start)[flip]
    if not exclusive:
        return accumulate(x, axis)
    result = np.empty(x.shape, x.dtype)
    lead = (slice(None),) * axis
    result[(*lead, slice(None, 1))] = start
    result[(*lead, slice(1, None))] = accumulate(x[(*lead, slice(None, -1))], axis)
    return result


def _batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), **{**attrs, "axis": attrs["axis"] + 1})


def _axis_of(x: Any, axis: Any, tf_name: str) -> int:
    """An `axis` argument, a scalar, as a non-negative int."""
    if type(axis) is not int:
        hint = None if isinstance(axis, np.generic) else int32  # which must not wrap around
        axis = operand(axis, hint=hint)._value if axis is not None else operand(axis)
        if axis.dtype.kind == "O" or axis.dtype.kind in "iu" and axis.itemsize < 4:
            raise wrong_kind(tf_name, "Tidx", axis.dtype)
        if axis.dtype.kind not in "iu":
            raise TypeError(f"{tf_name}: axis must be an integer, got dtype {axis.dtype}")
        if axis.ndim:
            raise errors.invalid(tf_name, "ScanOp: axis must be a scalar, not "
                                          f"{brackets(axis.shape)}")
        axis = int(axis)
    rank = len(shape_of(x))
    if not -rank <= axis < rank:
        raise errors.invalid(tf_name, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), "
                                      f"but got {axis}")
    return axis % rank


_CASES = [Case((4,), axis=0), Case((2, 3), axis=1, reverse=True),
          Case((3, 2), axis=0, exclusive=True), Case((2, 3), axis=1, exclusive=True, reverse=True),
          Case((0,), axis=0, grad=False)]


# -- sum -------------------------------------------------------------------------------------------
def _cumsum_kernel(x, axis=0, exclusive=False, reverse=False):
    def accumulate(part, along):
        return np.add.accumulate(part, along, x.dtype)

    return _scan(x, accumulate, axis, exclusive, reverse, 0)


cumsum_op = move("cumsum", _cumsum_kernel, shape=same_as(0), batch=_batch, dtypes=NUMERIC,
                 vjp=lambda g, y, x, axis=0, exclusive=False, reverse=False: cumsum_op(
                     g, axis=axis, exclusive=exclusive, reverse=not reverse), check=_CASES,
                 lower=Scan("sum"))


@export("cumsum", "math.cumsum")
@deferrable
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False,
           name: str | None = None) -> Tensor:
    """Running sum along `axis`: [a, b, c] gives [a, a + b, a + b + c]."""
    x = operand(x)
    return cumsum_op(x, axis=_axis_of(x, axis, "Cumsum"),
                   exclusive=bool(exclusive) if exclusive is None else flag("exclusive", exclusive),
                   reverse=bool(reverse) if reverse is None else flag("reverse", reverse))


# -- product ---------------------------------------------------------------------------------------
def _cumprod_kernel(x, axis=0, exclusive=False, reverse=False):
    def accumulate(part, along):
        return np.multiply.accumulate(part, along, x.dtype)

    return _scan(x, accumulate, axis, exclusive, reverse, 1)


# TensorFlow divides by x without NaN, which makes the gradient 0, not exact, where x is 0.
def _cumprod_vjp(g, y, x, axis=0, exclusive=False, reverse=False):
    # d/dx_i = (sum over the results j that x_i is part of: g_j y_j) / x_i
    total = cumsum_op(conj_of(y) * g, axis=axis, exclusive=exclusive, reverse=not reverse)
    return divide_no_nan(total, conj_of(x))


def _cumprod_jvp(ts, y, x, axis=0, exclusive=False, reverse=False):
    return y * cumsum_op(divide_no_nan(ts[0], x), axis=axis, exclusive=exclusive, reverse=reverse)


cumprod = define("cumprod", kernel=_cumprod_kernel, shape=same_as(0), vjp=(_cumprod_vjp,),
                 jvp=_cumprod_jvp, saves="in out", batch=_batch, dtypes=NUMERIC,
                 check=[Case(uniform(0.5, 2.0, (4,)), axis=0),
                        Case(uniform(-2.0, -0.5, (2, 3)), axis=1, reverse=True),
                        Case(uniform(0.5, 2.0, (3, 2)), axis=0, exclusive=True),
                        Case(uniform(0.5, 2.0, (2, 3)), axis=1, exclusive=True, reverse=True)],
                 lower=Scan("prod"))


@export("math.cumprod")
@deferrable
@attributes(exclusive=flag, reverse=flag)
def _public_cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False,
                    name: str | None = None) -> Tensor:
    """Running product along `axis`. As in TensorFlow its gradient is 0 at elements that are 0."""
    x = operand(x)
    return cumprod(x, axis=_axis_of(x, axis, "Cumprod"), exclusive=bool(exclusive),
                   reverse=bool(reverse))


known_as(_public_cumprod, "math.cumprod")


# -- log-sum-exp -----------------------------------------------------------------------------------
def _logsumexp_kernel(x, axis=0, exclusive=False, reverse=False):
    wide = x if x.dtype.itemsize > 2 else x.astype(_F32)
    way = np.logaddexp.accumulate
    if x.size and not np.maximum.reduce(wide, axis=None) < np.inf:
        way = _accumulate_logs
    elif math.prod(x.shape[axis + 1:]) >= 64:
        way = _accumulate_rows
    return _scan(wide, way, axis, exclusive, reverse, -np.inf).astype(x.dtype, copy=False)


def _accumulate_rows(x, axis):
    """Row by row with NumPy's vector functions, for numbers below infinity."""
    out = np.empty(x.shape, x.dtype)
    if not x.size:
        return out
    xs, ys = np.moveaxis(x, axis, 0), np.moveaxis(out, axis, 0)
    lowest, one = np.finfo(x.dtype).min, x.dtype.type(1)
    ys[0] = xs[0]
    part, whole, rest = [np.empty(xs.shape[1:], x.dtype) for _ in range(3)]
    for i in range(1, len(xs)):
        y = ys[i]
        np.maximum(xs[i], ys[i - 1], out=y)
        np.minimum(xs[i], ys[i - 1], out=part)
        np.subtract(part, np.maximum(y, lowest, out=whole), out=part)
        np.exp(part, out=part)
        # log1p(e) = log(u) + (e - (u - 1)) / u with u = 1 + e, rounded
        np.add(part, one, out=whole)
        np.subtract(whole, one, out=rest)
        np.subtract(part, rest, out=part)
        np.divide(part, whole, out=part)
        np.add(np.log(whole, out=whole), part, out=part)
        np.add(y, part, out=y)
    return out


def _accumulate_logs(x, axis):
    """Step by step as TensorFlow adds where there is NaN or inf: NaN counts as the sum so far."""
    out = np.empty(x.shape, x.dtype)
    total = np.full(np.delete(x.shape, axis), -np.inf, x.dtype)
    with np.errstate(all="ignore"):
        for i in range(x.shape[axis]):
            at = (slice(None),) * axis + (i,)
            low = np.where(x[at] < total, x[at], total)
            high = np.where(total < x[at], x[at], total)
            total = np.where(high == -np.inf, high, np.log1p(np.exp(low - high)) + high)
            out[at] = total
    return out


def _scan_exp_kernel(g, x, y, axis=0, exclusive=False, reverse=False):
    """exp(x_i) times the running sum of g_j exp(-y_j), in logarithms, for each sign of g alone."""
    with np.errstate(all="ignore"):
        parts = []
        for signed in (g, -g):
            logs = np.where(signed > 0, np.log(signed) - y, -np.inf).astype(g.dtype, copy=False)
            parts.append(np.exp(_logsumexp_kernel(logs, axis, exclusive, reverse) + x))
        result = (parts[0] - parts[1]).astype(g.dtype, copy=False)
    if exclusive:  # an empty sum is 0, also where x is infinite
        result[(slice(None),) * axis + (slice(-1, None) if reverse else slice(None, 1),)] = 0
    return result


def _scan_exp_back(h, g, x, y, axis, exclusive, reverse):
    """The adjoint in g: exp(-y_j) times the opposite running sum of h_i exp(x_i)."""
    return _scan_exp(h, -y, -x, axis=axis, exclusive=exclusive, reverse=not reverse)


def _scan_exp_vjp(h, out, g, x, y, axis=0, exclusive=False, reverse=False):
    back = _scan_exp_back(h, g, x, y, axis, exclusive, reverse)
    return back, h * out, -g * back


def _scan_exp_jvp(ts, out, g, x, y, axis=0, exclusive=False, reverse=False):
    attrs = {"axis": axis, "exclusive": exclusive, "reverse": reverse}
    total = None
    for t, part in ((ts[0], lambda t: _scan_exp(t, x, y, **attrs)), (ts[1], lambda t: t * out),
                    (ts[2], lambda t: _scan_exp(-g * t, x, y, **attrs))):
        if t is not None:
            total = part(t) if total is None else total + part(t)
    return total


_scan_exp = define("scan_exp", kernel=_scan_exp_kernel, shape=same_as(0), vjp=_scan_exp_vjp,
                   jvp=_scan_exp_jvp, saves="in out", batch=_batch, args=("g", "x", "y"),
                   dtypes=FLOAT, check=[Case((4,), (4,), (4,), axis=0),
                                        Case((2, 3), (2, 3), (2, 3), axis=1, exclusive=True,
                                             reverse=True)])

_cumulative_logsumexp = define(
    "cumulative_logsumexp", kernel=_logsumexp_kernel, shape=same_as(0), saves="in out",
    vjp=(lambda g, y, x, axis=0, exclusive=False, reverse=False: _scan_exp(
        g, x, y, axis=axis, exclusive=exclusive, reverse=not reverse),),
    jvp=lambda ts, y, x, axis=0, exclusive=False, reverse=False: _scan_exp(
        ts[0], -y, -x, axis=axis, exclusive=exclusive, reverse=reverse),
    batch=_batch, dtypes=FLOAT,
    check=[Case((4,), axis=0), Case((2, 3), axis=1, reverse=True)])


@export("math.cumulative_logsumexp")
@attributes(exclusive=flag, reverse=flag)
def cumulative_logsumexp(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False,
                         name: str | None = None) -> Tensor:
    """Running log(sum(exp(x))) along `axis`, without overflow."""
    x = operand(x)
    return _cumulative_logsumexp(x, axis=_axis_of(x, axis, "CumulativeLogsumexp"),
                                 exclusive=bool(exclusive), reverse=bool(reverse))

