"""Tracing: runs Python with symbolic tensors and builds a Graph of the ops that it calls.

A `Trace` is the interpreter of one trace: ops with a Symbolic operand (or with an effect) become
nodes. It also listens at the bottom of the stack, so that reading a variable gives what the graph
knows of it (`traced_variables`). Constants fold by themselves: an op on eager tensors only runs at
once (`eager_operands`).

Ops that hold graphs are made above this file, by the package `control_flow`; it is connected in
`tapeflow/_wiring.py`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

from tapeflow.base import errors
from tapeflow.base.late import LateModule
from tapeflow.core import state as states
from tapeflow.core.record.op import Op, Spec
from tapeflow.core.scopes import scoped_name
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.tracing.eager_operands import EagerOperands
from tapeflow.graph.tracing.graph_builder import GraphBuilder, out_of_scope
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.traced_variables import TracedVariables

if TYPE_CHECKING:
    from tapeflow.core.interpreter import Interpreter
    from tapeflow.graph.tracing.operation import Operation

# Loaded at first use.
_deferred_calls = LateModule("tapeflow.graph.tracing.deferred_calls")
_deferred_gradients = LateModule("tapeflow.graph.tracing.deferred_gradients")
_listing = LateModule("tapeflow.graph.tracing.listing")


class ControlFlow(Protocol):
    """What makes nodes that hold graphs; a trace hands it whatever such an op is given."""

    def cond(self, trace: Trace, index: Tensor, branches: tuple) -> Any: ...

    def while_loop(self, trace: Trace, condition: Callable, body: Callable, loop_vars: Any,
                   limit: Any, shape_invariants: Any) -> Any: ...

    def vectorized_map(self, trace: Trace, function: Callable, elems: Any, tensors: list,
                       strict: bool) -> Any: ...

    def custom_gradient(self, trace: Trace, op: Op, inputs: list, outputs: list,
                        rule: Callable) -> list: ...

    def tensor_array_type(self) -> type: ...


_control_flow: Callable[[], ControlFlow]


def set_control_flow(load: Callable[[], ControlFlow]) -> None:
    """Let `load` give the maker of control flow; it is called when a trace needs it."""
    global _control_flow
    _control_flow = load


class Trace(GraphBuilder, states.Listener):
    """Builds one graph of what Python calls between entering and leaving it.

    may_create  whether variables may be made: by the first trace of a tf.function only
    rule_depth  custom gradients being traced, one in another; `rules_traced`: in the outermost
    """

    level = 0
    tensor_type: type = Symbolic
    compiled = False  # of a function with jit_compile=True
    building_function = True  # libraries ask: a tf.Graph is none
    keeps_rules = False  # custom gradients' rules: called when asked for, or traced at once
    controls: dict = {}  # control inputs of nodes
    opens_constants = False  # its loops and branches take constants from outside as operands
    repeatable = False  # another trace can take its place
    constants_asked = False  # by tf.gradients where they are no operands: another trace shall
    open_prefix = ""  # how names begin in it, while another graph is entered

    def __init__(self, name: str = "graph", outer: Trace | None = None,
                 around: Interpreter | None = None):
        super().__init__(name, outer, cast("Trace | None", around))
        self.eager = EagerOperands(self)
        self.variables = TracedVariables(self)
        self.may_create = False
        self.rule_depth = self.rules_traced = 0

    def nested(self, name: str) -> Trace:
        """A trace inside this one."""
        return Trace(name, self)

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """The name in its scopes, with a number if it was given out before."""
        full = scoped_name(name)
        used = self.__dict__.setdefault("_names_given", {})
        count = used.get(full.lower(), 0)
        if mark_as_used:
            used[full.lower()] = count + 1
        return f"{full}_{count}" if count else full

    # -- entering --------------------------------------------------------------------------------
    def __enter__(self) -> Trace:
        self._before = (state.trace, state.stack, state.recorder)
        # No call in between, where an exception of a signal's handler could come.
        state.trace, state.stack, state.recorder = self, (self,), self
        return self

    def __exit__(self, *exc: Any) -> None:
        state.trace, state.stack, state.recorder = self._before
        self.eager.forget_folded()

    # -- values ----------------------------------------------------------------------------------
    @contextlib.contextmanager
    def as_default(self) -> Iterator[Trace]:
        """Nothing changes: a function's graph is the default one while the function is traced."""
        if state.trace is not self:
            raise RuntimeError("The graph of a tf.function cannot be the default one after it was "
                               "traced.")
        yield self

    def get_operations(self) -> list[Operation]:
        """Inputs, then nodes in program order, each after the constants that it takes."""
        return _listing.operations_of(self)

    def value_of(self, x: Any) -> ir.Value:
        """The Value that stands for a tensor here: own, captured from outside, or constant."""
        if type(x) is not Tensor:
            if isinstance(x, Symbolic):
                return x._ir if x._interpreter is self else self.capture(x)
            if x._global is None:
                raise errors.InaccessibleTensorError(
                    f"{x!r} cannot be used inside a tf.function here.")
            x = x._global
        derived = self.eager.value_of(x)
        if derived is not None:
            return derived
        outer = self.outer
        if outer is not None and (x._uid or self.eager.follows(x) or outer.eager.is_derived(x)):
            # A tape may ask for the gradient of a tensor from outside: it goes in at the root.
            return self.capture(outer.eager.symbolic(x))
        return self.eager.constant(x)

    def literal(self, beside: Any, scalar: float) -> Tensor | None:
        """A Python scalar as an operand beside a tensor, in its dtype."""
        return self.eager.literal(beside._ir.dtype, scalar)

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        """A binary op ran on eager tensors."""
        if a._traced or b._traced:
            y._traced = True  # k < 1 has as little of a value as k
        self.eager.note(op, (a, b), y, {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors."""
        self.eager.note(op, xs, ys, attrs)

    def note_constant(self, tensor: Tensor, name: str) -> None:
        """A constant was made: it may have a name of its own."""
        if name != "Const" and type(tensor) is Tensor and not tensor._uid:
            self.eager.constant(tensor).name = self.unique_name(name)
        if state.graph_listener is not None:
            state.graph_listener.constant_made(self, tensor)

    # -- running ops ---------------------------------------------------------------------------
    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        """Add a node; the listeners above (tapes, accumulators) hear of it."""
        trace = state.trace
        if trace is not self:
            if trace is not None:
                return trace.run(op, xs, attrs)
            raise out_of_scope(next(x for x in (*xs, *attrs.values())
                                    if isinstance(x, Symbolic)), None)
        inputs = []
        for x in xs:
            inputs.append(x._ir if type(x) is Symbolic and x._interpreter is self
                          else self.value_of(x))
        held = {key: self.value_of(attr) if isinstance(attr, Tensor) else attr
                for key, attr in attrs.items()} if attrs else {}
        node = self.add_node(op, tuple(inputs), attrs, held)
        ys: Any = (tuple([self.symbolic(value) for value in node.outputs]) if op.multi
                   else self.symbolic(node.outputs[0]))
        listeners = state.stack[1:]
        if listeners:
            made = ys if op.multi else (ys,)
            for listener in listeners:
                listener.note(node.op, xs, ys, attrs)
                listener.located(made, node.where)
        return ys

    def in_order(self, make: Callable[[], Any]) -> Any:
        """What `make` gives; its effects happen in program order, here as everywhere."""
        return make()

    # -- variables -------------------------------------------------------------------------------
    def read(self, variable: Any) -> Tensor:
        """What a variable holds at this point."""
        held = self.variables.current.get(variable._uid)
        return held if held is not None else self.variables.read(
            variable, () if self.outer is None else self._before[1][1:])

    def assign(self, variable: Any, tensor: Any) -> None:
        """Write a variable at this point of the program."""
        self.variables.assign(variable, self.read(variable), tensor)

    def lift(self, variable: Any, initial: Callable[[], Tensor]) -> Tensor:
        """The initial value of a variable that is made while tracing, computed eagerly.

        Only the first trace of a tf.function may make variables.
        """
        root = self.root
        if not root.may_create:
            raise ValueError("tf.function only supports singleton tf.Variables created on the "
                             "first call. Make sure the tf.Variable is only created once or "
                             "created outside tf.function: keep it in an attribute and make it "
                             "only if that is None.")
        tensor = self.variables.lift(initial)
        root.variables.created.append(variable)
        return tensor

    # -- what waits for sizes --------------------------------------------------------------------
    def defer_call(self, function: Callable, args: tuple, kwargs: dict, error: Exception) -> Any:
        """A node in place of a call that failed because a size is not known."""
        return _deferred_calls.defer_call(function, args, kwargs, error)

    # -- derivatives -----------------------------------------------------------------------------
    def defers(self, op: Op, g: Any, y: Any, xs: Any) -> bool:
        """Whether a rule must wait for sizes (see `deferred_gradients`)."""
        return (op.kind != "control" and not op.traits.rules_take_unknown_sizes
                and _deferred_gradients.defers(op, g, y, xs))

    def defer(self, op: Op, index: int, g: Any, y: Any, xs: Any, attrs: dict) -> Any:
        """A node in place of a rule."""
        return _deferred_gradients.defer(op, index, g, y, xs, attrs)

    def defer_tangent(self, op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
        """A node in place of an op's tangents."""
        return _deferred_gradients.defer_tangent(op, ts, ys, xs, attrs)

    def custom_gradient(self, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
        """Outputs whose gradient is the user's `rule`."""
        return _control_flow().custom_gradient(self, op, inputs, outputs, rule)

    # -- control flow ----------------------------------------------------------------------------
    def cond(self, index: Tensor, branches: tuple) -> Any:
        """One of several branches, as a node."""
        return _control_flow().cond(self, index, branches)

    @staticmethod
    def tensor_array_type() -> type:
        """The class of TensorArrays that are made inside a trace."""
        return _control_flow().tensor_array_type()

    def vectorized_map(self, function: Callable, elems: Any, tensors: list, strict: bool) -> Any:
        """A vectorised map: a node until its length is known."""
        return _control_flow().vectorized_map(self, function, elems, tensors, strict)

    def while_loop(self, condition: Callable, body: Callable, loop_vars: Any,
                   limit: int | None = None, shape_invariants: Any = None) -> Any:
        """A while loop, as a node."""
        return _control_flow().while_loop(self, condition, body, loop_vars, limit,
                                          shape_invariants)


def trace(function: Callable, specs: list[Spec], name: str = "graph",
          outer: Trace | None = None) -> tuple[Trace, list[Tensor], Any]:
    """Trace `function` on inputs of the given specs: (trace, inputs, what it returned)."""
    tracing = Trace(name, outer)
    with tracing:
        inputs: list[Tensor] = [tracing.placeholder(spec.shape, spec.dtype) for spec in specs]
        result = function(*inputs)
    return tracing, inputs, result


def current_trace() -> Trace:
    """The trace that is under way in this thread: `state.trace`, with all that graphs know of it.

    For code that runs only inside a trace.
    """
    return cast(Trace, state.trace)


if TYPE_CHECKING:
    _INTERPRETER: type[Interpreter] = Trace  # a trace is all that core and ops ask for
