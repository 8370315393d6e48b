"""Builds a graph: inputs, nodes and captured tensors of other traces, with TensorFlow's names.

`Trace` adds what running Python with symbolic tensors needs: eager operands and variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.late import LateModule
from tapeflow.core.record.op import NONDIFF, Op, define
from tapeflow.core.scopes import names
from tapeflow.core.state import state
from tapeflow.graph import ir
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.user_position import position_now

if TYPE_CHECKING:
    from tapeflow.graph.tracing.operation import Operation

_operation = LateModule("tapeflow.graph.tracing.operation")
_new = object.__new__

# Where nodes are not named after their op.
_NAMES = {"AddV2": "add", "Sub": "sub", "Mul": "mul", "RealDiv": "truediv", "Pow": "pow",
          "FloorDiv": "floordiv", "FloorMod": "mod", "BatchMatMulV2": "MatMul", "Pack": "stack",
          "StridedSlice": "strided_slice", "ConcatV2": "concat", "Transpose": "transpose"}


class GraphBuilder:
    """One graph under construction. `outer` is the one in which it nests (a branch, a loop body).

    `around` is the one that is active when another function is traced: its tensors may be used.
    """

    takes_all = False  # tensors of graphs that are not around

    def __init__(self, name: str, outer: Any = None, around: Any = None):
        self.graph = ir.Graph(name)
        self.outer, self.around = outer, around
        self.ops_made = 0
        self.where: tuple | None = None  # while nodes of another graph are replayed: their position
        self._captures: dict[int, tuple[Symbolic, ir.Value]] = {}
        self._words: dict[str, int] = {}  # how many of the first `_counted` nodes have a name
        self._counted = 0
        self._positions: dict[tuple[int, int], tuple] = {}

    @property
    def root(self) -> Any:
        """The outermost: that of the function, not of a branch or loop body."""
        found: Any = self
        while found.outer is not None:
            found = found.outer
        return found

    def value_of(self, x: Any) -> ir.Value:
        """The Value that stands for a tensor here."""
        raise NotImplementedError

    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        """Add a node that calls `op` on tensors."""
        raise NotImplementedError

    def symbolic(self, value: ir.Value, uid: int = 0) -> Symbolic:
        tensor = _new(Symbolic)
        tensor._ir, tensor._interpreter, tensor._uid = value, self, uid
        return tensor

    def placeholder(self, shape: tuple | None, dtype: Any, name: str = "") -> Symbolic:
        """A new input; of inputs with one name the later ones are numbered."""
        same = sum(value.name.startswith(name) for value in self.graph.inputs) if name else 0
        value = ir.Value(shape, np.dtype(dtype), name=f"{name}_{same}" if same else name)
        self.graph.inputs.append(value)
        return self.symbolic(value)

    def capture(self, x: Symbolic) -> ir.Value:
        trace = self.outer or self.around
        while trace is not None and trace is not x._interpreter:
            trace = trace.outer or trace.around
        if trace is None and not self.root.takes_all:
            raise out_of_scope(x, self)
        held = self._captures.get(id(x))
        if held is None:
            value = ir.Value(x._ir.shape, x._ir.dtype, name=x._ir.name)
            held = self._captures[id(x)] = (x, value)
        return held[1]

    def name_of(self, value: ir.Value) -> str:
        """TensorFlow's name of a node: that of its op, numbered from the second on."""
        node = value.node
        if node is None:
            return "Placeholder" if value.const is None else "Const"
        nodes, word = self.graph.nodes, plain_name(node.op)
        if nodes and nodes[-1] is node:
            before = self._count_before_last(word)
        else:
            before = 0
            for one in nodes:
                if one is node:
                    break
                before += plain_name(one.op) == word
        return f"{word}_{before}" if before else word

    def _count_before_last(self, word: str) -> int:
        """How many nodes before the last one have a name; each node is looked at once."""
        nodes, words = self.graph.nodes, self._words
        if len(nodes) <= self._counted:  # some are gone
            words.clear()
            self._counted = 0
        for i in range(self._counted, len(nodes) - 1):
            name = nodes[i].op.tf_name
            one = _NAMES.get(name, name)
            words[one] = words.get(one, 0) + 1
        self._counted = len(nodes) - 1
        return words.get(word, 0)

    def new_scope(self, name: str) -> str:
        """The prefix of names that a new name scope gives."""
        return f"{name}/"

    def tensor_of(self, value: ir.Value) -> Any:
        """What users see of a value."""
        return self.symbolic(value)

    def home_graph(self) -> Any:
        """The tf.Graph inside which this is, if there is one."""
        inside = self.outer or self.around
        return None if inside is None else inside.home_graph()

    def operation_of(self, value: ir.Value) -> Operation:
        """The operation that makes a value."""
        return _operation.Operation(self, value.node, value)

    def consumers_of(self, value: ir.Value) -> list[Operation]:
        """The operations that read a value."""
        return _operation.operations(self, [
            node for node in self.graph.nodes if value in node.operands()])

    def evaluate(self, fetches: Any, feed_dict: Any, session: Any) -> Any:
        """The value of a tensor in a session, which only tensors of a tf.Graph have."""
        raise NotImplementedError("Tensor.eval is not supported inside a tf.function, whose "
                                  "tensors stand for values of a later call.")

    @property
    def captures(self) -> list[tuple[Symbolic, ir.Value]]:
        """Tensors of outer traces that this graph uses, with the Values that stand for them."""
        return list(self._captures.values())

    def add_node(self, op: Op, inputs: tuple[ir.Value, ...], attrs: dict, held: dict) -> ir.Node:
        """A call of `op`; `held` are its attributes with Values in place of tensors."""
        if op.strings is not None and inputs[0].dtype.kind == "O":
            op = on_strings(op)
        first = None
        for value in inputs:
            dtype = value.dtype
            if dtype is not first:
                if dtype.kind not in op.allowed or first is not None and op.matching:
                    _check_dtypes(op, inputs)
                first = dtype
        try:
            specs = op.shape(*inputs, **attrs)  # Values have what Specs have: shape and dtype
        except unsignalled(IndexError) as error:
            from tapeflow.base.internal_errors import accidental
            if not accidental(error):
                raise
            shapes = " and ".join(str(value.shape) for value in inputs)  # of too low a rank
            raise ValueError(f"{op.tf_name}: cannot take operands of shape {shapes}") from error
        node = ir.Node(op, inputs, held, self.where or position_now(self._positions))
        if op.multi:
            node.outputs = tuple([ir.Value(spec.shape, np.dtype(spec.dtype), node, i)
                                  for i, spec in enumerate(specs)])
        else:
            dtype = specs.dtype
            node.outputs = (ir.Value(specs.shape, dtype if dtype is first else np.dtype(dtype),
                                     node),)
        self.graph.nodes.append(node)
        prefix = names.current
        if prefix:
            for value in node.outputs:
                value.name = prefix + self.name_of(value)
        self.ops_made += 1
        if state.graph_listener is not None:
            state.graph_listener.node_made(self, node)
        return node


def plain_name(op: Op) -> str:
    """What nodes of an op are called."""
    return _NAMES.get(op.tf_name, op.tf_name)


def out_of_scope(x: Symbolic, user: GraphBuilder | None) -> Exception:
    """A symbolic tensor where it has no meaning: outside its function, or outside its branch."""
    home = x._interpreter
    if user is not None and home.root is user.root:
        return errors.InaccessibleTensorError(
            f"{x!r} is out of scope and cannot be used here: it was made in a branch or loop body "
            f"({home.graph.name!r}) of this tf.function. Assign it to a variable before the branch "
            "or loop, or let the body return it.")
    return TypeError(
        f"{x!r} is out of scope and cannot be used here. It was made while the tf.function "
        f"{home.graph.name!r} was traced, and stands for no value now. Use return values to get "
        "tensors out of a tf.function, not lists, attributes or globals.")


def on_strings(op: Op) -> Op:
    """The op on strings as a record of its own."""
    assert op.strings is not None
    if op not in _STRINGS:
        _STRINGS[op] = define(
            f"{op.name}_strings", kernel=op.strings, shape=op.shape, dtypes="O", args=op.args,
            vjp=NONDIFF("strings have no derivative"), tf_name=op.tf_name,
            private=True).op
    return _STRINGS[op]


_STRINGS: dict[Op, Op] = {}


def _check_dtypes(op: Op, inputs: tuple[ir.Value, ...]) -> None:
    """What eager calls refuse when they run is refused here while tracing."""
    for i, value in enumerate(inputs):
        name = op.args[i] if i < len(op.args) else f"operand {i}"
        if value.dtype.kind not in op.allowed:
            raise TypeError(f"Value passed to parameter '{name}' of '{op.tf_name}' Op has DataType "
                            f"{tf_dtypes.of(value.dtype).name} not in list of allowed values.")
        if op.matching and value.dtype != inputs[0].dtype:
            raise TypeError(
                f"Input '{name}' of '{op.tf_name}' Op has type {tf_dtypes.of(value.dtype).name} "
                f"that does not match type {tf_dtypes.of(inputs[0].dtype).name} of argument "
                f"'{op.args[0]}'.")
