"""safe_where and safe_masks: what a mask leaves out does not reach gradients, not even as NaN.

The gradient of a masked element is zero, and its op's rule multiplies that by a derivative which
may be infinite or NaN: log at 0. Here a rule of an elementwise op gives zero where the gradient
that comes in is zero and what it would give is not finite.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.record.op import Op, Outline, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, sum_to
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor


def safe_where(condition: Any, x: Any, y: Any, *operands: Any) -> Tensor:
    """tf.where whose branches are functions: the branch that is not taken never poisons a gradient.

    tf.where(x > 0, tf.math.log(x), 0.0) has a NaN gradient at 0, because 0 times infinity is NaN.
    Branches that are functions run here, and their ops leave out what the mask left out. A branch
    that was computed before is as in tf.where: see `safe_masks` for those.

    Args:
      condition: Booleans.
      x: Where the condition holds: a function, called with `operands`, or a value.
      y: Where it does not: a function or a value too.
      *operands: Arguments of the functions.

    Returns:
      A tensor: elements of x and of y, all shapes broadcast.

    Example:
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(x := tf.constant([0.0, 4.0]))
      ...     y = tf.gradients.safe_where(x > 0, tf.math.log, 0.0, x)
      >>> print(tape.gradient(y, x).numpy())
      [0.   0.25]
    """
    with _guarded():
        first, second = [one(*operands) if callable(one) else one for one in (x, y)]
    if isinstance(first, Tensor) or not isinstance(second, Tensor):
        first = convert(first)
        second = convert(second, first.dtype)
    else:
        first = convert(first, second.dtype)
    return tf.where(condition, first, second)


class safe_masks:
    """For tapes opened from now on: zero times a derivative that is not finite is zero.

    With it tf.where(x > 0, tf.math.log(x), 0.0) has the gradient 0 at x = 0, however the branches
    were computed. It cannot tell a mask from a gradient that is zero for another reason, so a NaN
    that would have told of a mistake may be missed: off by default. Elementwise ops only; a tape
    outside of a tf.function does not reach into it, one inside does.

    Args:
      enabled: Whether to switch it on or off, for this thread, at once.

    Returns:
      A context that restores what was before when it ends; it may be ignored.

    Example:
      >>> with tf.gradients.safe_masks():
      ...     with tf.GradientTape() as tape:
      ...         tape.watch(x := tf.constant([0.0, 4.0]))
      ...         y = tf.where(x > 0, tf.math.log(x), 0.0)
      >>> print(tape.gradient(y, x).numpy())
      [0.   0.25]
    """

    def __init__(self, enabled: bool = True):
        before = state.record_type
        self._before = before
        if enabled:
            # After a gradient that was NaN it may be a function that gives the next few records.
            state.record_type = _safe_type(before if isinstance(before, type) else Record)
        else:
            state.record_type = getattr(before, "_plain", before)

    def __enter__(self) -> safe_masks:
        return self

    def __exit__(self, *exc: Any) -> None:
        state.record_type = self._before


# -- records whose ops have safe rules -------------------------------------------------------------
@functools.cache
def _safe_type(plain: type) -> type:
    """A kind of record that keeps safe forms of the ops that it hears of."""
    if hasattr(plain, "_plain"):
        return plain
    base: Any = plain

    class SafeRecord(base):
        __slots__ = ()
        _plain = None if plain is Record else plain

        def note1(self, op: Op, x: Any, y: Any) -> None:
            base.note1(self, safe(op), x, y)

        def note2(self, op: Op, a: Any, b: Any, y: Any) -> None:
            base.note2(self, safe(op), a, b, y)

        def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
            base.note(self, safe(op), xs, ys, attrs)

    return SafeRecord


def _guarded() -> states.only:
    """The tapes that record now, with safe rules for what they hear of inside."""
    return states.only(tuple([_guard(one) if isinstance(one, Record) else one
                              for one in state.stack]))


def _guard(record: Record) -> Record:
    """A record that writes into another one's lists."""
    made: Any = object.__new__(_safe_type(type(record)))  # type: ignore[arg-type]
    for kind in type(record).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if name != "__weakref__" and hasattr(record, name):
                setattr(made, name, getattr(record, name))
    return made


@functools.cache
def safe(op: Op) -> Op:
    """An elementwise op with safe rules; others as they are."""
    if op.kind != "elementwise" or op.rules is None:
        return op
    made = copy.copy(op)
    made.rules = tuple([rule and _safe_rule(rule, place) for place, rule in enumerate(op.rules)])
    return made


def _safe_rule(rule: Callable, place: int) -> Callable:
    def safe_rule(g: Any, y: Any, *xs: Any, **attrs: Any) -> Any:
        if isinstance(g, IndexedSlices) or None in shape_of(g):
            return rule(g, y, *xs, **attrs)
        # Spread, so that each element's product is seen before a rule sums over broadcast axes.
        found = rule(g, y, *[_spread(x, shape_of(g)) for x in xs], **attrs)
        if found is None:
            return None
        if isinstance(g, Tensor):
            poisoned = (g == 0) & ~tf.math.is_finite(found)
            found = tf.where(poisoned, tf.zeros_like(found), found)
        else:
            found = np.where((g == 0) & ~np.isfinite(found), np.zeros_like(found), found)
        shape = shape_of(xs[place])
        return found if shape == shape_of(g) else sum_to(found, shape=shape)

    return safe_rule


def _spread(x: Any, shape: tuple) -> Any:
    if isinstance(x, Outline):
        return Outline(shape, x.dtype)
    if x is None or shape_of(x) == shape:
        return x
    return broadcast_to(x, shape=shape) if isinstance(x, Tensor) else np.broadcast_to(x, shape)
