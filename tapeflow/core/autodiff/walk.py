"""Reverse mode: the walk back over a tape's record, from the targets' gradients to the sources'.

A rule is called with bare values where nobody listens, and with Tensors where an outer tape or a
trace does; the rule is the same.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.autodiff.record import BINARY, UNARY, Record
from tapeflow.core.autodiff.sources import zeros_for
from tapeflow.core.record.op import Op
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices, add_gradients, densify, wrap_gradient
from tapeflow.core.values.tensor import Tensor, wrap

TENSORS = (Tensor, IndexedSlices)


def walk_back(record: Record, grads: dict[int, Any], keep: set[int], bare: bool,
              consume: bool, pop: Any = None) -> None:
    """Push the gradients in `grads` (by uid) down to the leaves; those in `keep` stay.

    `bare`: on NumPy values, when nobody listens; else on Tensors. `consume`: entries are dropped on
    the way, and with them what they keep alive. The code for the kinds repeats itself: a call for
    each entry, or each operand, would cost a tenth of the walk. `pop` gives the next entry.
    """
    if not bare and not all(isinstance(one, TENSORS) for one in grads.values()):
        _wrap_all(grads)
    if pop is None:
        pop = record._entries.pop if consume else record._entries[:].pop
        if record._positions is not None and not bare:
            return _walk_named(record, grads, keep, pop)
    while True:
        entry = pop()
        if entry is None:
            break
        kind = entry[0]
        if kind == UNARY:
            _, op, ux, uy, y, x = entry
            g = grads.get(uy) if uy in keep else grads.pop(uy, None)
            if g is None:
                continue
            if type(g) is IndexedSlices and not op.slices:
                g = densify(g)
            if bare:
                gx = op.rules[0](g, y if y is None else y._value, x._value)
            else:
                gx = _apply_rule(op, 0, g, y, (x,), {})
            if gx is not None:
                before = grads.get(ux)
                grads[ux] = gx if before is None else add_gradients(before, gx)
        elif kind == BINARY:
            _, op, ua, ub, uy, y, a, b = entry
            g = grads.get(uy) if uy in keep else grads.pop(uy, None)
            if g is None:
                continue
            if type(g) is IndexedSlices:
                g = densify(g)
            if bare:
                a, b = a._value, b._value
                if y is not None:
                    y = y._value
            rules = op.rules
            if ua and rules[0] is not None:
                gx = rules[0](g, y, a, b) if bare else _apply_rule(op, 0, g, y, (a, b), {})
                if gx is not None:
                    before = grads.get(ua)
                    grads[ua] = gx if before is None else add_gradients(before, gx)
            if ub and rules[1] is not None:
                gx = rules[1](g, y, a, b) if bare else _apply_rule(op, 1, g, y, (a, b), {})
                if gx is not None:
                    before = grads.get(ub)
                    grads[ub] = gx if before is None else add_gradients(before, gx)
        else:
            bare = _walk_general(record, entry, grads, keep, bare)
    return None


def _walk_named(record: Record, grads: dict[int, Any], keep: set[int], pop: Any) -> None:
    """The same walk; `state.backward_of` says at any time whose rule runs."""
    before, positions = state.backward_of, record._positions or {}

    def named() -> Any:
        entry = pop()
        if entry is not None:
            made = entry[4] if entry[0] == BINARY else entry[3]
            uid = made if type(made) is int else next((one for one in made if one in positions), 0)
            state.backward_of = (entry[1], positions.get(uid))
        return entry

    try:
        walk_back(record, grads, keep, False, False, named)
    finally:
        state.backward_of = before


def _walk_general(record: Record, entry: tuple, grads: dict, keep: set[int], bare: bool) -> bool:
    """One entry of the general kind; whether the walk may stay on bare values."""
    _, op, ins, outs, ys, xs, attrs = entry
    if op.multi:
        gs = [grads.get(uid) if uid in keep else grads.pop(uid, None) for uid in outs]
        if all(g is None for g in gs):
            return bare
        g: Any = _fill(gs, ys, bare)
    else:
        g = grads.get(outs) if outs in keep else grads.pop(outs, None)
        if g is None:
            return bare
        if type(g) is IndexedSlices and not op.slices:
            g = densify(g)
    if bare:
        xs = [x._value for x in xs]
        if ys is not None:
            ys = [y._value for y in ys] if op.multi else ys._value
    if not bare and state.trace is not None and state.trace.defers(op, g, ys, xs):
        results = [state.trace.defer(op, i, g, ys, xs, attrs) if uid else None
                   for i, uid in enumerate(ins)]
    elif op.joint is not None:
        results = op.joint(g, ys, *xs, **attrs)
    else:
        results = [rule(g, ys, *xs, **attrs) if uid and rule is not None else None
                   for uid, rule in zip(ins, op.rules, strict=True)]
    for uid, gx in zip(ins, results, strict=True):
        if gx is None:
            if uid:
                record._barren.update([(y, uid) for y in (outs if op.multi else (outs,))])
        elif uid:
            if not bare and not isinstance(gx, TENSORS):
                gx = wrap_gradient(gx)
            before = grads.get(uid)
            grads[uid] = gx if before is None else add_gradients(before, gx)
            if bare and gx.dtype.kind == "V":
                # NumPy promotes bfloat16 * float to float32; Tensors do not.
                bare = False
                _wrap_all(grads)
    return bare


def _wrap_all(grads: dict) -> None:
    for uid, one in grads.items():
        grads[uid] = wrap_gradient(one)


def _apply_rule(op: Op, index: int, g: Any, y: Any, xs: tuple, attrs: dict) -> Any:
    """A rule on Tensors; a trace may put it off until sizes are known."""
    trace, rule = state.trace, op.rules[index] if op.rules else None
    if rule is None:
        return None
    if trace is not None and trace.defers(op, g, y, xs):
        return trace.defer(op, index, g, y, xs, attrs)
    found = rule(g, y, *xs, **attrs)
    return found if found is None or isinstance(found, TENSORS) else wrap_gradient(found)


def _fill(gs: list, ys: Any, bare: bool) -> tuple:
    """Gradients of all outputs of a multi-output op: zeros for those that nothing used."""
    filled = []
    for g, y in zip(gs, ys, strict=True):
        if g is None:
            y = y._value if type(y) is Tensor else y
            g = zeros_for(y)
            g = g if bare or isinstance(g, Tensor) else wrap(g)
        filled.append(densify(g) if type(g) is IndexedSlices else g)
    return tuple(filled)
