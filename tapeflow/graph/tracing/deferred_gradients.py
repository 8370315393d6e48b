"""Derivatives of ops on tensors whose sizes are not known while tracing.

A rule looks at sizes: to undo broadcasting, to split what was joined. Where they are unknown, the
trace gets one node that stands for "this rule of this op"; as soon as the graph is replayed with
known sizes (every call does that), the rule itself runs and its ops take the node's place. Only
sizes that depend on data are left; there the node's kernel runs the rule on arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core import state as states
from tapeflow.core.autodiff.forward_accumulator import push
from tapeflow.core.autodiff.sources import is_differentiable, zeros_for
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.op import Op, Outline, Spec, apply, define, specialise
from tapeflow.core.record.traits import Traits
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.graph.tracing.symbolic import Symbolic

_made: dict[tuple, Op] = {}
_sources: dict[Op, tuple[str, Op, tuple]] = {}  # of what was made here: kind, op and layout
_MOST = 10_000  # operands of one op


def source_of(op: Op) -> tuple[str, Op, tuple] | None:
    """"gradient" or "tangent", the op and the layout that `made_for` makes this op of again."""
    return _sources.get(op)


def made_for(kind: str, op: Op, layout: Any) -> Op:
    """The waiting derivative of an op; a layout that is none raises ValueError."""
    if kind == "gradient" and type(layout) is tuple and len(layout) == 5:
        n_g, n_y, many, n_x, index = layout
        counts = [type(n) is int and 0 <= n <= _MOST for n in (n_g, n_y, n_x, index)]
        if all(counts) and type(many) is bool and n_g and index < n_x:
            return _waiting(op, layout)
    if kind == "tangent" and type(layout) is tuple and len(layout) == 2:
        given, n_y = layout
        if (type(n_y) is int and 0 < n_y <= _MOST and type(given) is tuple
                and all(type(one) is bool for one in given)):
            return _tangent(op, given, n_y)
    raise ValueError(f"{layout!r} is no layout of the {kind} of {op.name}")


def unknown(x: Any) -> bool:
    """Whether a tensor has a size that is not known now."""
    return isinstance(x, Symbolic) and (x._ir.shape is None or None in x._ir.shape)


def valueless(x: Any) -> bool:
    """Whether a tensor is an axis, an index or a size, perhaps, whose value is not known now."""
    return isinstance(x, Symbolic) and x._ir.dtype.kind in "iu"


def waiting(op: Op, xs: Any) -> bool:
    """Whether an op's rules have to wait: a size is unknown, or a value that they look at."""
    values = op.traits.rules_need_values
    return any(unknown(x) or (values and valueless(x)) for x in xs)


def defers(op: Op, g: Any, y: Any, xs: Any) -> bool:
    """Whether a rule has to wait for what is not known yet."""
    return waiting(op, (*_flat(g), *_flat(y), *xs))


def _flat(x: Any) -> tuple:
    if x is None:
        return ()
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def defer(op: Op, index: int, g: Any, y: Any, xs: Any, attrs: dict) -> Tensor | None:
    """The gradient of operand `index` as one node; None where the op has none."""
    gs = [densify(one) if isinstance(one, IndexedSlices) else one for one in _flat(g)]
    ys = _flat(y)
    x = xs[index]
    dtype = x.dtype if isinstance(x, Tensor) else None
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        return None
    layout = (len(gs), len(ys), isinstance(g, tuple), len(xs), index)
    return _waiting(op, layout).call(*gs, *ys, *[_tensor(one) for one in xs], **attrs)


def _tensor(x: Any) -> Tensor:
    if isinstance(x, Outline):
        return wrap(np.ndarray(x.shape, x.dtype, np.zeros(1, x.dtype), 0, (0,) * len(x.shape)))
    return x


def _waiting(op: Op, layout: tuple) -> Op:
    key = (op, layout)
    if key not in _made:
        made = _made[key] = _make(op, layout)
        _sources[made] = ("gradient", op, layout)
    return _made[key]


def followed(op: Op, layout: tuple, operands: tuple, attrs: dict) -> Any:
    """The rule of an op on operands of known sizes, dense; gradients of the results, results and
    operands of the op come in this order."""
    n_g, n_y, many, _, index = layout
    g: Any = tuple(operands[:n_g]) if many else operands[0]
    ys, xs = operands[n_g:n_g + n_y], operands[n_g + n_y:]
    y: Any = None if not n_y else tuple(ys) if op.multi else ys[0]
    if op.joint is not None:
        found = op.joint(g, y, *xs, **attrs)[index]
    else:
        each = op.rules[index] if op.rules else None
        found = None if each is None else each(g, y, *xs, **attrs)
    if found is None:
        return zeros_for(xs[index])
    return densify(found) if isinstance(found, IndexedSlices) else found


def _make(op: Op, layout: tuple) -> Op:
    n_g, n_y, _, n_x, index = layout

    def rule(*operands: Any, **attrs: Any) -> Any:
        return followed(op, layout, operands, attrs)

    def kernel(*operands: Any, **attrs: Any) -> Any:
        if all(x.dtype.kind != "V" for x in operands):
            return rule(*operands, **attrs)
        with states.only(()):  # NumPy promotes bfloat16 * float to float32; Tensors do not
            return rule(*[wrap(x) for x in operands], **attrs)._value

    def shape(*specs: Spec, **attrs: Any) -> Spec:
        return specs[n_g + n_y + index]

    rules = tuple([_second(rule, i) for i in range(n_g + n_y + n_x)])
    made: Op = define(f"gradient of {op.name}", kernel=kernel, shape=shape, vjp=rules,
                      args=tuple([f"x{i}" for i in range(n_g + n_y + n_x)]), saves="in",
                      private=True).op

    def call(*operands: Any, **attrs: Any) -> Any:
        if state.trace is not None and waiting(op, operands):
            return apply(made, operands, attrs)
        return rule(*operands, **attrs)

    specialise(made, call)
    made.traits = Traits(rules_need_values=op.traits.rules_need_values)
    return made


def _second(rule: Callable, index: int) -> Callable:
    """The derivative of a waiting rule, by a tape over it."""

    def derive(g: Any, y: Any, *operands: Any, **attrs: Any) -> Any:
        bare = not isinstance(g, Tensor)
        if bare:
            g, operands = wrap(g), tuple([wrap(x) for x in operands])
        # The same tensor may be another operand too: this one needs an identity of its own.
        x = identity(operands[index])
        with GradientTape() as tape:
            tape.watch(x)
            out = rule(*operands[:index], x, *operands[index + 1:], **attrs)
        found = tape.gradient(out, x, output_gradients=g)
        if isinstance(found, IndexedSlices):
            found = densify(found)
        return found._value if bare and found is not None else found

    return derive


def by_tape(function: Callable, gs: tuple, operands: tuple) -> list:
    """Gradients of a function's results to all operands, by a tape over it; bare if those are."""
    bare = not any(isinstance(x, Tensor) for x in operands)
    # One tensor may be several operands: each needs an identity of its own.
    xs = [wrap(x) if bare else identity(x) for x in operands]
    with GradientTape() as tape:
        tape.watch([x for x in xs if is_differentiable(x)])
        results = function(*xs)
    live = [(y, wrap(g) if bare else g) for y, g in zip(results, gs, strict=True)
            if is_differentiable(y)]
    found = [densify(g) if isinstance(g, IndexedSlices) else g for g in tape.gradient(
        [y for y, _ in live], xs, output_gradients=[g for _, g in live])]
    return [None if g is None else g._value for g in found] if bare else found


# -- forward mode ----------------------------------------------------------------------------------
def defer_tangent(op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
    """The tangents of an op's results as one node."""
    many = tuple(ys) if op.multi else (ys,)
    given = tuple([t is not None for t in ts])
    waiting = _tangent(op, given, len(many))
    tangents = [t for t in ts if t is not None]
    found = waiting.call(*tangents, *many, *[_tensor(x) for x in xs], **attrs)
    return tuple(found) if op.multi else found[0]


def _tangent(op: Op, given: tuple, n_y: int) -> Op:
    key = (op, "tangent", given, n_y)
    if key not in _made:
        made = _made[key] = _make_tangent(op, given, n_y)
        _sources[made] = ("tangent", op, (given, n_y))
    return _made[key]


def _make_tangent(op: Op, given: tuple, n_y: int) -> Op:
    n_t = sum(given)

    def rule(*operands: Any, **attrs: Any) -> tuple:
        """The tangents on operands of known sizes, zeros where there is none."""
        tangents = iter(operands[:n_t])
        ts = tuple([next(tangents) if there else None for there in given])
        ys, xs = operands[n_t:n_t + n_y], operands[n_t + n_y:]
        found = push(op, ts, tuple(ys) if op.multi else ys[0], xs, attrs)
        return tuple([zeros_for(y) if t is None else densify(t) if isinstance(t, IndexedSlices)
                      else t for t, y in zip(found if op.multi else (found,), ys, strict=True)])

    def kernel(*operands: Any, **attrs: Any) -> tuple:
        with states.only(()):
            return tuple([t._value for t in rule(*[wrap(x) for x in operands], **attrs)])

    def vjp(gs: tuple, ys: tuple, *operands: Any, **attrs: Any) -> list:
        return by_tape(lambda *xs: rule(*xs, **attrs), gs, operands)

    made: Op = define(f"tangent of {op.name}", kernel=kernel, vjp=vjp, args=("*operands",),
                      shape=lambda *specs, **attrs: tuple(specs[n_t:n_t + n_y]), saves="in",
                      multi=True, private=True).op

    def call(*operands: Any, **attrs: Any) -> Any:
        if state.trace is not None and waiting(op, operands):
            return apply(made, operands, attrs)
        return rule(*operands, **attrs)

    specialise(made, call)
    made.traits = Traits(rules_need_values=op.traits.rules_need_values)
    return made
