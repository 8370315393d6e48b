"""What variables held when a step was traced, so that it can be run again from there.

Steps are functions that write variables or take gradients. A training step changes its variables,
so that nothing can be repeated once they are NaN: their first values are kept, as copies, if they
are small. Only `insight/rerun.py` looks at this.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write

if TYPE_CHECKING:
    from tapeflow.graph.functions.function import Function

MOST_BYTES = 1 << 24  # of variables whose first values are kept

# Step -> {uid: first value} of the variables that its traces write.
FIRST: weakref.WeakKeyDictionary[Function, dict[int, Any]] = weakref.WeakKeyDictionary()


def keep(function: Function, graph: ir.Graph) -> None:
    """Remember what the variables hold that a new trace of the function writes."""
    written = {node.attrs["variable"] for node in graph.nodes if node.op is write}
    values = {uid: use.variable._snapshot._value for uid, use in graph.variables.items()
              if uid in written and use.variable is not None}
    takes_gradients = any(getattr(node.where, "forward", None) for node in graph.nodes)
    held = FIRST.setdefault(function, {}) if values or takes_gradients else {}
    total = sum(value.nbytes for value in (*held.values(), *values.values()))
    if total <= MOST_BYTES:
        held.update({uid: value.copy() for uid, value in values.items() if uid not in held})
