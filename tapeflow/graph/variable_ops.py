"""Ops on variables that only graphs have: the write, and what a variable holds after one.

Reading needs no op: a `VariableUse` of the graph holds the Value with which the variable began.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record.lowering_forms import Reshape
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.record.traits import set_traits


def _write_kernel(x: Any, variable: Any) -> Any:
    raise AssertionError("a write is done by the executor")


# Writes a Value into a variable; the executor knows it. Its result is what the variable holds then:
# the same number, but for gradients the variable's own, not that of what was assigned.
write = define("write_variable", kernel=_write_kernel, shape=lambda x, variable: (x,), multi=True,
               vjp=NONDIFF("assignments are not differentiated"), stateful=True,
               tf_name="AssignVariableOp",
               internal=True).op


# What a variable holds after an assignment in a branch or loop body. For gradients it is the
# variable's own value, like the one before: what was assigned plays no part.
assigned = define("assigned", kernel=lambda x, before: x, shape=lambda x, before: x,
                  vjp=(None, lambda g, y, x, before: g),
                  jvp=lambda ts, y, x, before: ts[1], args=("x", "before"),
                  batch=lambda call, size, xs, batched, attrs: call(*xs), kind="move",
                  internal=True, lower=Reshape())
set_traits(assigned, is_identity=True)
