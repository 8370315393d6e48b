"""Choosing element by element.

`select(condition, x, y)` is the op behind tf.where of three arguments; `keep_where(x, mask)` is x
with zeros elsewhere, which the rules of piecewise functions need. May be imported by all of `ops`.
"""

from __future__ import annotations

import numpy as np

from tapeflow.base.shapes import broadcast_shapes
from tapeflow.core.record.families import batch_elementwise, broadcast, sum_like
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Pointwise, form
from tapeflow.core.record.op import ANY, NUMERIC, Spec, define, mismatch
from tapeflow.core.record.primitive_ops import constant_like
from tapeflow.core.record.samples import Case
from tapeflow.ops._support.fast_where import keep, pick

_MASK = np.array([True, False, True])
_ZEROS = {kind: kind(0) for kind in (np.float16, np.float32, np.float64)}


def _keep_kernel(x, mask):
    if type(x) is np.ndarray or type(mask) is np.ndarray:
        return keep(x, mask)
    if mask:
        return x
    zero = _ZEROS.get(type(x))
    return x.dtype.type(0) if zero is None else zero


keep_where = move("keep_where", _keep_kernel, args=("x", "mask"), kind="elementwise",
                  shape=lambda x, mask: broadcast()(x, mask), batch=batch_elementwise,
                  vjp=lambda g, y, x, mask: sum_like(keep_where(g, mask), x), dtypes=NUMERIC + "b",
                  tf_name="SelectV2", check=[Case((3,), _MASK), Case((2, 3), _MASK),
                                             Case((2, 1), _MASK), Case((), np.array(False))],
                  lower=Pointwise(lambda b, x, mask: b.select(mask, x, b.const(0, x)),
                                  complex=True))


def _select_kernel(condition, x, y):
    if x.dtype != y.dtype:
        raise mismatch(select.op, x, y)
    if type(condition) is np.ndarray or type(x) is np.ndarray or type(y) is np.ndarray:
        return pick(condition, x, y)
    return x if condition else y


def _select_shape(condition: Spec, x: Spec, y: Spec) -> Spec:
    return Spec(broadcast_shapes(broadcast_shapes(condition.shape, x.shape), y.shape), x.dtype)


def _select_jvp(ts, out, condition, x, y):
    _, tx, ty = ts
    if tx is None and ty is None:
        return None
    return select(condition, constant_like(x, 0) if tx is None else tx,
                  constant_like(y, 0) if ty is None else ty)


select = define("select", kernel=_select_kernel, shape=_select_shape, jvp=_select_jvp,
                vjp=(None, lambda g, out, condition, x, y: sum_like(keep_where(g, condition), x),
                     lambda g, out, condition, x, y: sum_like(keep_where(g, ~condition), y)),
                batch=batch_elementwise, saves="in0", args=("condition", "x", "y"), dtypes=ANY,
                kind="elementwise", tf_name="SelectV2",
                check=[Case(_MASK, (3,), (3,)), Case(_MASK, (2, 1), ()),
                       Case(np.array(True), (2,), (1, 2)), Case(np.array(False), (), ())],
                lower=form("select"))
