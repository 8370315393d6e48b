"""Variables while a function is traced: what each holds at this point of the program.

Reading a variable gives what the graph knows of it: the Value it began with, or the last one
written. A branch or loop body does not write: its variables travel as results, and the trace
around it writes what they hold at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.late import LateModule
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.graph import ir
from tapeflow.graph.passes import known_array
from tapeflow.graph.tracing.graph_builder import GraphBuilder
from tapeflow.graph.tracing.symbolic import Symbolic, shape_tuple
from tapeflow.graph.variable_ops import assigned, write

_numpy = LateModule("tapeflow.graph.executor.numpy_executor")


class TracedVariables:
    """The variables of one trace.

    current    by uid, the tensor that stands for what a variable holds now
    written    by uid, the variables that a branch or loop body has assigned to
    created    variables that were made while tracing
    arguments  values of the function's inputs, while variables are made from them
    rereads    reads that a derivative repeats (rereading.py), by uid and the value held
    """

    def __init__(self, builder: GraphBuilder):
        self._builder = builder
        self.current: dict[int, Symbolic] = {}
        self.written: dict[int, Any] = {}
        self.created: list[Any] = []
        self.arguments: list[Any] | None = None
        self.rereads: dict[tuple[int, ir.Value], Symbolic] = {}

    def read(self, variable: Any, listeners: tuple) -> Tensor:
        """What a variable holds now; `listeners` are the tapes around this branch or loop body."""
        uid = variable._uid
        current = self.current.get(uid)
        if current is None:
            current = self.current[uid] = self._first_read(variable, listeners)
        return current

    def _first_read(self, variable: Any, listeners: tuple) -> Symbolic:
        builder = self._builder
        if builder.outer is not None:
            for listener in listeners:
                listener.read(variable)
            outer = builder.outer.read(variable)
            assert isinstance(outer, Symbolic)
            return builder.symbolic(builder.capture(outer), variable._uid)
        owner = getattr(variable, "_owner", variable)
        static = owner._static_shape
        shape = owner._snapshot._value.shape if static is None else shape_tuple(static)
        value = ir.Value(shape, owner.dtype.np, name=owner.name)
        return self.begin(variable._uid, ir.VariableUse(owner, value))

    def begin(self, uid: int, use: ir.VariableUse) -> Symbolic:
        """Let the graph use a variable, which holds `use.initial` at its beginning."""
        self._builder.graph.variables[uid] = use
        held = self.current[uid] = self._builder.symbolic(use.initial, uid)
        return held

    def bind_argument(self, variable: Any, position: int, shape: tuple | None, dtype: Any) -> None:
        """Let `variable`, a stand-in, be the variable passed as argument `position`."""
        value = ir.Value(shape, np.dtype(dtype), name=f"argument{position}")
        self.begin(variable._uid, ir.VariableUse(None, value, position))

    def assign(self, variable: Any, before: Tensor, tensor: Any) -> None:
        """Write a variable, which holds `before`, at this point of the program."""
        value, uid = self._builder.value_of(tensor), variable._uid
        if self._builder.outer is None:
            self.write(uid, value)
        else:
            self.written[uid] = getattr(variable, "_owner", variable)
            held = assigned(tensor, before)
            self.current[uid] = self._builder.symbolic(self._builder.value_of(held), uid)

    def write(self, uid: int, value: ir.Value) -> None:
        """Add the node that writes a variable of this graph."""
        node = ir.Node(write, (value,), {"variable": uid})
        node.outputs = (ir.Value(value.shape, value.dtype, node),)
        self._builder.graph.nodes.append(node)
        self.current[uid] = self._builder.symbolic(node.outputs[0], uid)

    # -- variables that are made while tracing -----------------------------------------------------
    def lift(self, initial: Callable[[], Tensor]) -> Tensor:
        """The initial value of a variable that is made while tracing, computed eagerly.

        What it was computed from must not depend on the function's arguments.
        """
        tensor = initial()
        return self._evaluate(tensor) if isinstance(tensor, Symbolic) else tensor

    def _evaluate(self, tensor: Symbolic) -> Tensor:
        """The value of a tensor now: it depends on no input, or on those of the first call."""
        whole = self._builder.graph
        graph = ir.Graph("initial value")
        graph.nodes = [_by_shape(node) for node in whole.nodes if node.op is not write]
        graph.outputs = [self._builder.value_of(tensor)]
        needed = ir.needed_for(graph.outputs, graph.nodes)
        graph.nodes = [node for node in graph.nodes
                       if any(value in needed for value in node.outputs)]
        captures = [value for _, value in self._builder.captures]
        given: list[Any] = []
        if not needed.isdisjoint([*whole.inputs, *captures]):
            if self.arguments is None or captures:
                raise errors.InaccessibleTensorError(
                    "The initial value of a tf.Variable made inside a tf.function depends on the "
                    "function's arguments or on a conditional. Make the variable outside, or "
                    "compute its initial value under tf.init_scope().")
            graph.inputs, given = whole.inputs, self.arguments
        graph.variables = {uid: use for uid, use in whole.variables.items()
                           if use.initial in needed}
        variables = [use.variable for use in graph.variables.values()]
        return wrap(_numpy.Program(graph).run(given, variables)[0])


def _by_shape(node: ir.Node) -> ir.Node:
    """A node that reads only a known shape, without the tensor that has it: `zeros_like(x)`."""
    if not node.op.traits.shape_only:
        return node
    outlines = [known_array(value, outline=True) for value in node.inputs]
    if any(one is None for one in outlines):
        return node
    made = ir.Node(node.op, tuple(map(ir.constant, outlines)), node.attrs, node.where)
    made.outputs = node.outputs
    return made
