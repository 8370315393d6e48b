"""What passes and compilers may assume of an op: the `traits` of its record.

A record starts with `NO_TRAITS`; `set_traits(call, …)` beside it says more. Nobody compares names
of ops instead. Imports nothing of `core`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class EarlyStart(NamedTuple):
    """An op in two: `start(*some inputs, **attrs)` gives a token, `finish(token)` the results.

    Result i of the op belongs to input i, so that inputs may be started in several portions.
    """

    start: Callable
    finish: Callable
    applies: Callable[[], bool]  # whether it pays here
    portion: int  # bytes of inputs that are started together


class Traits(NamedTuple):
    """What may be assumed of an op; see `graph/passes.py` for what follows from each."""

    # For each operand the constant that makes the op return the other operand: x * 1.
    unit: tuple | None = None
    # The result is the first operand.
    is_identity: bool = False
    # The result depends on shapes and dtypes only, not on values.
    shape_only: bool = False
    # op(op(x, …), …) is op(x, …) with the outer attributes: reshape.
    absorbs: bool = False
    # Attributes of op(x) that is op(op(x, inner), outer), from both; {} for x itself.
    compose: Callable | None = None
    # Whether, given its attributes, the op only exchanges the last two axes.
    swaps_last_axes: Callable | None = None
    # Attributes that exchange the last two axes of each operand: matmul's transpose_a.
    transpose_flags: tuple[str, ...] = ()
    # The op repeats its operand as broadcasting does.
    is_broadcast: bool = False
    # Operands broadcast by themselves: x + y.
    broadcasts_operands: bool = False
    # The kernel that writes its result into `out`: `out_kernel(*xs, out=…, **attrs)`; `out` may be
    # None, and one of the operands if the op is elementwise.
    out_kernel: Callable | None = None
    # The rules take sizes that are unknown while tracing as they come.
    rules_take_unknown_sizes: bool = False
    # The rules look at the values of integer operands: they wait until these are known.
    rules_need_values: bool = False
    # The kernel refuses some integers: those to a negative power.
    checks_integers: bool = False
    # The kernel calls a Python function of the user's.
    calls_python: bool = False
    # It does nothing but raise an error if something does not hold; XLA leaves it out.
    only_checks: bool = False
    # Each element of the result is one of an operand's: max(x, y).
    selects_elements: bool = False
    # On a ragged tensor the op works on the flat values alone, as elementwise ones do.
    acts_on_flat_values: bool = False

    # How the op is begun early and finished late, for what takes time elsewhere.
    early_start: EarlyStart | None = None

    # The op reads texts or bytes, and its batch rule reads many in one call.
    batch_is_one_call: bool = False

    # What makes it, or its slope, not finite: a word for `insight/remedies.py`.
    hazard: str = ""


NO_TRAITS = Traits()


def set_traits(call: Callable, **traits: Any) -> None:
    """Give an op traits, beside those that it has."""
    op = call.op  # type: ignore[attr-defined]
    op.traits = op.traits._replace(**traits)
