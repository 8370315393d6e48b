"""What a variable holds when a gradient runs, which may be long after the forward pass.

The rule of a custom gradient (`tf.recompute_grad` has one) is traced with the function that it
belongs to, but it runs when somebody asks for the gradient, and reads variables then. A read in a
rule is therefore a node of its own, `read_again`, in the root of the trace. As long as nothing is
differentiated it is the value of the forward pass. A derivative puts the variable's value at that
time in its place: `held_now` in the trace of the tape, and a variable of the backward graph where
the tape is around the function (`graph.callable.Derivative`).
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.op import NONDIFF, define, know
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor
from tapeflow.core.variable import read
from tapeflow.graph import ir
from tapeflow.graph.tracing import Symbolic, Trace, _root

_call = define("read_again", kernel=lambda x, variable: x, shape=lambda x, variable: x,
               vjp=NONDIFF("the variable is read anew when a gradient runs"), args=("x",),
               batch=lambda call, size, xs, batched, attrs: call(*xs, **attrs), kind="move",
               internal=True)
know(_call, same=True)
read_again = _call.op  # type: ignore[attr-defined]


class RuleTrace(Trace):
    """The trace of a rule inside the trace of its function."""

    def _first_read(self, variable: Any) -> Symbolic:
        again = read_later(self, variable)
        return self.symbolic(self._capture(again), variable._uid)


def read_later(trace: Trace, variable: Any) -> Symbolic:
    """The read of a variable that a derivative repeats; a tensor of the trace's root."""
    root = _root(trace)
    value = root.value_of(root.read(variable))
    key = (variable._uid, id(value))
    if key not in root.rereads:
        root.rereads[key] = marked(root, variable._uid, value)
    return root.rereads[key]


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
    trace = state.trace
    while uid not in trace._current:
        trace = trace.outer
    return trace._current[uid]


def variables_of(graph: ir.Graph, uses: dict[int, ir.VariableUse]) -> list[int]:
    """Let the repeated reads in a backward graph be variables of it: their places in `uses`."""
    kept = []
    for node in graph.nodes:
        if node.op is read_again:
            uid, value = node.attrs["variable"], node.outputs[0]
            value.node = None
            graph.variables[uid] = ir.VariableUse(uses[uid].variable, value, uses[uid].argument)
        else:
            kept.append(node)
    graph.nodes = kept
    places = list(uses)
    return [places.index(uid) for uid in graph.variables]
