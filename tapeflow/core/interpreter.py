"""What core and ops ask of the graph under construction: the protocol of `state.trace`.

`OpInterpreter` runs ops on the tensors that name it as their `_interpreter`: a batch level, the
dispatcher of a composite, a trace. `Interpreter` is what a trace has to be beyond that; `graph`
implements it (`graph/tracing/trace.py`), and nothing below `graph` knows another thing of a trace.
Read by type checkers only: nothing imports this file at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tapeflow.core.record.op import Op
    from tapeflow.core.values.tensor import Tensor
    from tapeflow.core.values.variable import Variable


class OpInterpreter(Protocol):
    """Runs the ops that meet one of its tensors."""

    level: int  # of several interpreters among the operands the one of the highest level runs

    def run(self, op: Op, xs: tuple, attrs: dict[str, Any]) -> Any:
        """The result of an op on Tensors, some of which are this interpreter's own."""


class Interpreter(OpInterpreter, Protocol):
    """The trace of a function: ops become nodes, and Python goes on with symbolic tensors."""

    tensor_type: type  # of its tensors and those of other traces

    def literal(self, beside: Any, scalar: float) -> Tensor | None:
        """A Python scalar in the dtype of a tensor of its own; None if that is not easy."""

    # -- names and graphs
    def new_scope(self, name: str) -> str:
        """The prefix of names that a new name scope gives."""

    def note_constant(self, tensor: Tensor, name: str) -> None:
        """A constant was made that is to have a name."""

    def evaluate(self, fetches: Any, feed_dict: Any, session: Any) -> Any:
        """What a session gives for a tensor, in a tf.Graph."""

    def home_graph(self) -> Any:
        """The tf.Graph that this is, or inside which it is; None inside a function alone."""

    # -- variables
    def read(self, variable: Variable) -> Tensor:
        """The variable's value at this point of the program."""

    def assign(self, variable: Variable, tensor: Tensor) -> None:
        """Write a variable at this point of the program."""

    def lift(self, variable: Variable, initial: Callable[[], Tensor]) -> Tensor:
        """The initial value, computed at once, of a variable that is made while tracing."""

    # -- what waits until sizes are known
    def defer_call(self, function: Callable, args: tuple, kwargs: dict[str, Any],
                   error: Exception) -> Any:
        """A node in place of a call that failed with `error` because a size is unknown."""

    def defers(self, op: Op, g: Any, y: Any, xs: Any) -> bool:
        """Whether a derivative rule of `op` must wait for sizes or values."""

    def defer(self, op: Op, index: int, g: Any, y: Any, xs: Any, attrs: dict[str, Any]) -> Any:
        """A node in place of the rule for operand `index`."""

    def defer_tangent(self, op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict[str, Any]) -> Any:
        """A node in place of the op's tangents."""

    # -- gradients that users write
    def custom_gradient(self, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
        """New tensors equal to `outputs` whose gradient is `rule`."""

    # -- control flow
    def cond(self, index: Tensor, branches: tuple[Callable, ...]) -> Any:
        """What `branches[index]()` gives; an index out of range means the last branch."""

    def while_loop(self, condition: Callable, body: Callable, loop_vars: Any,
                   limit: int | None = None, shape_invariants: Any = None) -> Any:
        """A while loop over `loop_vars`, of at most `limit` iterations."""

    def vectorized_map(self, function: Callable, elems: Any, tensors: list, strict: bool) -> Any:
        """A vectorised map over the leading axis of `tensors`, the flat `elems`.

        `strict`: an op without a batch rule is refused, not looped.
        """

    def tensor_array_type(self) -> type:
        """The class of TensorArrays that are made inside the trace."""
