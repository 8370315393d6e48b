"""What a variable holds when a gradient runs, which may be long after the forward pass.

The rule of a custom gradient (`tf.recompute_grad` has one) is traced with the function that it
belongs to, but it runs when somebody asks for the gradient, and reads variables then. A read in a
rule is therefore a node of its own, `read_again`, in the root of the trace. As long as nothing is
differentiated it is the value of the forward pass. A derivative puts the variable's value at that
time in its place: `held_now` in the trace of the tape, and a variable of the backward graph where
the tape is around the function (`graph/executor/graph_function.py`).
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import read
from tapeflow.graph import ir
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.tracing.traced_variables import TracedVariables

_call = define("read_again", kernel=lambda x, variable: x, shape=lambda x, variable: x,
               vjp=NONDIFF("the variable is read anew when a gradient runs"), args=("x",),
               batch=lambda call, size, xs, batched, attrs: call(*xs, **attrs), kind="move",
               internal=True)
set_traits(_call, is_identity=True)
read_again = _call.op


class RuleTrace(Trace):
    """The trace of a rule inside the trace of its function."""

    def __init__(self, name: str, outer: Trace):
        super().__init__(name, outer)
        self.variables = _RuleVariables(self)


class _RuleVariables(TracedVariables):
    def _first_read(self, variable: Any, listeners: tuple) -> Symbolic:
        again = read_later(self._builder, variable)
        return self._builder.symbolic(self._builder.capture(again), variable._uid)


def read_later(trace: Any, variable: Any) -> Symbolic:
    """The read of a variable that a derivative repeats; a tensor of the trace's root."""
    root = trace.root
    value = root.value_of(root.read(variable))
    rereads, key = root.variables.rereads, (variable._uid, value)
    if key not in rereads:
        rereads[key] = marked(root, variable._uid, value)
    return rereads[key]


def marked(root: Trace, uid: int, value: ir.Value) -> Symbolic:
    """The node for such a read; `value`: what the variable holds in the forward pass."""
    node = ir.Node(read_again, (value,), {"variable": uid})
    node.outputs = (ir.Value(value.shape, value.dtype, node),)
    root.graph.nodes.append(node)
    return root.symbolic(node.outputs[0])


def held_now(x: Any) -> Any:
    """An operand of a rule; of a variable's repeated read, what the variable holds now."""
    node = x._ir.node if isinstance(x, Symbolic) else None
    if node is None or node.op is not read_again:
        return x
    uid = node.attrs["variable"]
    variable = x._interpreter.graph.variables[uid].variable
    if variable is not None:
        return read(variable)
    return _argument(uid)


def _argument(uid: int) -> Tensor:
    """What a variable that was passed as an argument holds at this point of the trace."""
    trace: Any = state.trace
    while uid not in trace.variables.current:
        trace = trace.outer
    return trace.variables.current[uid]


def variables_of(graph: ir.Graph, uses: dict[int, ir.VariableUse]) -> list[int]:
    """Let the repeated reads in a backward graph be variables of it: their positions in `uses`."""
    kept = []
    for node in graph.nodes:
        if node.op is read_again:
            uid, value = node.attrs["variable"], node.outputs[0]
            value.node = None
            graph.variables[uid] = ir.VariableUse(uses[uid].variable, value, uses[uid].argument)
        else:
            kept.append(node)
    graph.nodes = kept
    order = list(uses)
    return [order.index(uid) for uid in graph.variables]
