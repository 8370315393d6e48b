"""Our graphs as FunctionDefs: the walk over nodes, variables as arguments, effects in order.

A function takes the inputs of its graph, then a handle for each variable and table that it uses.
What variables hold at the beginning is read first; a write waits for that read and for the effects
before it. Bodies of branches and loops have no variables of their own; tables reach them as
further operands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tapeflow.base import dtypes
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.deferred_calls import arguments_of
from tapeflow.graph.tracing.deferred_gradients import source_of
from tapeflow.graph.tracing.error_position import position_text
from tapeflow.graph.tracing.rereading import read_again
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write
from tapeflow.io.protobuf.graph_protos import FunctionDef, NodeDef
from tapeflow.ops.strings.lookup import Store
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute
from tapeflow.tensorflow_graphs.writing.node_writer import NodeWriter, Ref
from tapeflow.tensorflow_graphs.writing.second_gradients import second_gradient
from tapeflow.tensorflow_graphs.writing.unknown_ranks import branch_ranks, chosen_branch
from tapeflow.tensorflow_graphs.writing.waiting_calls import call_writer
from tapeflow.tensorflow_graphs.writing.waiting_gradients import (
    asks_no_sizes,
    call_gradient,
    fitted,
    gradient_writer,
    of_several,
)
from tapeflow.tensorflow_graphs.writing.written_records import writer_of


class Unwritable(ValueError):
    """A graph holds what TensorFlow's graphs have no form for."""


class CustomGradient(NamedTuple):
    """A function that is the gradient of an IdentityN node of another one.

    op_type   the name under which the node refers to it
    captured  what it reads of the function around it, as graphs name tensors
    around    that function; None for one that captures nothing
    """

    name: str
    op_type: str
    captured: list[str]
    arguments: list[Ref]
    results: list[Ref | None]
    around: Any


class FunctionLibrary:
    """The functions of a file, by name."""

    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}
        self.gradients: list[CustomGradient] = []
        self._bodies: dict[tuple, str] = {}
        self._kept: list[Any] = []  # ids in `_bodies` stay theirs
        self._scopes = 0

    def new_name(self, name: str, function: Any) -> str:
        """A name for a function that is written, as TensorFlow's look."""
        clean = re.sub(r"\W", "_", name).strip("_") or "function"
        return f"__inference_{clean}_{self.distinction(function)}"

    def new_scope(self) -> str:
        """What nodes of a body are called: converters put bodies and graphs into one space."""
        self._scopes += 1
        return f"body_{self._scopes}/"

    def distinction(self, function: Any) -> str:
        """What no other function's name ends with."""
        return str(len(self.functions))

    def body(self, graph: ir.Graph, tables: Sequence[Store]) -> str:
        """The function of a body of a branch or loop, written once."""
        key = (id(graph), *map(id, tables))
        if key not in self._bodies:
            self._kept.append((graph, tables))
            self._bodies[key] = write_function(graph, self, tables=tables).signature.name
        return self._bodies[key]


def stores_of(graph: ir.Graph) -> list[Store]:
    """The tables that a graph and the bodies in it use, in order."""
    found: dict[int, Store] = {}
    for one in _within(graph):
        for node in one.nodes:
            for attr in node.attrs.values():
                if isinstance(attr, Store):
                    found.setdefault(id(attr), attr)
    return list(found.values())


def _within(graph: ir.Graph) -> Iterator[ir.Graph]:
    """A graph and the bodies in it."""
    yield graph
    for node in graph.nodes:
        for attr in node.attrs.values():
            for one in attr if isinstance(attr, tuple) else (attr,):
                if isinstance(one, GraphFunction):
                    yield from _within(one.graph)


class GraphWriter(NodeWriter):
    """The body of one function: nodes of our graph as nodes of TensorFlow's."""

    def __init__(self, library: FunctionLibrary, outermost: Any = None):
        super().__init__()
        self.library = library
        self.outermost = outermost  # the FunctionDef of a trace; None in bodies
        self.scope = library.new_scope() if outermost is None else ""
        self._refs: dict[ir.Value, Ref] = {}
        self._handles: dict[int, Ref] = {}  # of variables by uid, of tables by identity
        self._deriving: list[Any] = []  # gradients of gradients that are being written
        self._reads: dict[int, str] = {}  # the nodes that read a variable at the beginning

    # -- what writers of records call --------------------------------------------------------------
    def ref(self, value: ir.Value) -> Ref:
        """The tensor that a Value of our graph is."""
        found = self._refs.get(value)
        if found is None:
            if value.const is None:
                raise AssertionError(f"{value!r} is read before it is written")
            found = self._refs[value] = self.const(value.const)
        return found

    def function(self, body: Any, tables: Sequence[Store] = ()) -> str:
        """The name of the function that a graph is written as; `tables`: further arguments."""
        graph = body.graph if isinstance(body, GraphFunction) else body
        return self.library.body(graph, tables)

    def tables(self, *bodies: Any) -> list[Store]:
        """The tables that bodies use: further operands of their node."""
        found: dict[int, Store] = {}
        for body in bodies:
            for store in stores_of(body.graph):
                found.setdefault(id(store), store)
        return list(found.values())

    def variable(self, uid: int) -> Ref:
        """The handle of a variable."""
        return self._handles[uid]

    def table(self, store: Store) -> Ref:
        """The handle of a table."""
        return self._handles[id(store)]

    def compose(self, name: str, like: Sequence[Ref], tables: Sequence[Store],
                build: Callable[[GraphWriter, list[Ref]], list[Ref]],
                returns_tables: bool = True) -> str:
        """A function of tensors like some, and of tables; `build(body, arguments)` writes it."""
        body, function = GraphWriter(self.library), FunctionDef()
        arguments = [body.add_argument(function, f"args_{i}", one.dtype, one.shape)
                     for i, one in enumerate(like)]
        handles = [body.new_handle(function, store) for store in tables]
        results = build(body, arguments)
        finish(function, body, [*results, *handles] if returns_tables else results, name)
        return function.signature.name

    def new_handle(self, function: Any, store: Store) -> Ref:
        """An argument for a table."""
        ref = self.add_argument(function, "table_handle", dtypes.resource, ())
        self._handles[id(store)] = ref
        return ref

    def inline(self, graph: ir.Graph, inputs: Sequence[Ref]) -> list[Ref]:
        """The nodes of a graph, here; gives its outputs."""
        for value, ref in zip(graph.inputs, inputs, strict=True):
            self._refs[value] = ref
        for node in graph.nodes:
            self.node(node)
        return [self.ref(value) for value in graph.outputs]

    # -- the walk ----------------------------------------------------------------------------------
    def node(self, node: ir.Node) -> None:
        """Write one node of our graph."""
        if node.op is write:
            return self._write(node)
        if node.op is read_again:
            self._refs[node.outputs[0]] = self.ref(node.inputs[0])
            return None
        writer = writer_of(node.op.name)
        if node.op.unsavable:
            raise Unwritable(_placed(node, f"cannot be saved: {node.op.unsavable}"))
        inputs = [self.ref(value) for value in node.inputs]
        waiting = arguments_of(node.op)
        if waiting is not None or writer is not None:
            try:
                found = writer(self, node, *inputs) if waiting is None else (  # type: ignore[misc]
                    self._call(node, inputs, *waiting(inputs)))
            except NotImplementedError as error:
                ranked = self._by_ranks(node, inputs)
                if ranked is None:
                    raise Unwritable(_placed(node, f"cannot be written: {error}")) from None
                found = ranked
        elif source_of(node.op) is not None:
            found = self.derivative(node, inputs)
        else:
            found = self._by_steps(node, inputs)
        results = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(results) != len(node.outputs):
            raise AssertionError(f"{node.op.name} is written with {len(results)} results, and has "
                                 f"{len(node.outputs)}")
        for value, ref in zip(node.outputs, results, strict=True):
            self._give(node, value, ref)
        return None

    def _give(self, node: ir.Node, value: ir.Value, ref: Ref) -> None:
        kind = dtypes.of(value.dtype)
        if ref.dtype != kind:
            raise AssertionError(f"{node.op.name} is written as {ref.dtype.name}, and gives "
                                 f"{kind.name}")
        if ref.const is None:
            ref = Ref(ref.name, ref.dtype, value.shape)
        self._refs[value] = ref

    def _call(self, node: ir.Node, inputs: list[Ref], args: list, kwargs: dict) -> Any:
        """A call that waits for sizes, which TensorFlow's op finds itself."""
        writer = call_writer(node.op.name)
        if writer is None:
            found = self._by_ranks(node, inputs)
            if found is not None:
                return found
            raise Unwritable(_placed(node, "has no form among TensorFlow's ops while sizes are "
                                           "unknown"))
        return writer(self, *args, **{key: one for key, one in kwargs.items() if key != "name"})

    def _by_ranks(self, node: ir.Node, inputs: list[Ref]) -> list[Ref] | None:
        """A node of operands of unknown rank: a branch for each rank for which it is defined."""
        found: list[tuple[int, Any]] = []
        ranked = branch_ranks(node.inputs)
        for ranks in ranked:
            like = [ir.Value((None,) * ranks[value], value.dtype) if value in ranks else value
                    for value in node.inputs]
            graph = _traced(node.op.call, node, like, (), None)
            if graph is not None and [one.dtype for one in graph.outputs] == [
                    one.dtype for one in node.outputs]:
                found.append((ranked.index(ranks), graph))
        if len(found) == 1:
            graph = found[0][1]
            return self.inline(graph, [Ref(ref.name, ref.dtype, value.shape, ref.const)
                                       for ref, value in zip(inputs, graph.inputs, strict=True)])
        branches: dict[int, str] = {}
        for number, graph in found:
            try:
                branches[number] = self._branch(graph, node.inputs, inputs)
            except Unwritable:
                continue
        if not branches:
            return None
        prefix = "" if any(self.library.functions[name].signature.is_stateful
                           for name in branches.values()) else "Stateless"
        chosen = chosen_branch(self, node.inputs, inputs, list(branches))
        return self.emit(f"{prefix}Case", [chosen, _once(node.inputs, inputs)], {
            "branches": list(branches.values()),
            "Tout": [dtypes.of(one.dtype) for one in node.outputs],
            "output_shapes": [one.shape for one in node.outputs]})

    def _branch(self, graph: ir.Graph, values: Sequence[ir.Value], inputs: Sequence[Ref]) -> str:
        """A function of the operands, each once, in which their ranks are known."""
        def build(body: GraphWriter, arguments: list[Ref]) -> list[Ref]:
            by_value = dict(zip(dict.fromkeys(values), arguments, strict=True))
            placed = []
            for value, like in zip(values, graph.inputs, strict=True):
                ref = by_value[value]
                placed.append(Ref(body.EnsureShape(ref, shape=like.shape).name, ref.dtype,
                                  like.shape) if value.shape is None else ref)
            return body.inline(graph, placed)

        return self.compose("branch", _once(values, inputs), (), build)

    def _by_steps(self, node: ir.Node, inputs: list[Ref]) -> Any:
        """A record that is written with simpler ones, as the compiler takes it."""
        if not isinstance(node.op.lower, Expand):
            raise Unwritable(_placed(node, "has no form among TensorFlow's ops"))
        wanted = [attr for attr in node.attrs.values() if isinstance(attr, ir.Value)]
        graph = _traced(node.op.lower.write, node, node.inputs, wanted)
        if graph is None or any(new.dtype != old.dtype for new, old in zip(
                graph.outputs, node.outputs)):
            raise Unwritable(_placed(node, "has no form among TensorFlow's ops"))
        return self.inline(graph, [*inputs, *[self.ref(value) for value in wanted]])

    def derivative(self, node: ir.Node, inputs: list[Ref]) -> Ref:
        """A gradient that waits for sizes: TensorFlow finds it from the function at run time."""
        kind, op, layout = source_of(node.op)  # type: ignore[misc]
        if kind != "gradient":
            raise Unwritable(_placed(node, "has no form among TensorFlow's ops"))
        n_g, n_y, _, _, index = layout
        direct = self._direct_derivative(node, op, layout, inputs)
        if direct is not None:
            return direct
        graph = None if node.op in self._deriving else self._second_derivative(node, op, layout)
        if graph is not None:
            self._deriving.append(node.op)  # a form may lead back to itself
            found = self.inline(graph, inputs)[0]
            self._deriving.pop()
            return found
        ranked = self._by_ranks(node, inputs) if not node.attrs else None
        if ranked is not None:
            return ranked[0]
        operands = node.inputs[n_g + n_y:]
        wanted = [attr for attr in node.attrs.values() if isinstance(attr, ir.Value)]
        graph = _traced(op.call, node, operands, wanted, op.multi, constants=False)
        if graph is None or len(graph.outputs) != n_g:
            raise Unwritable(_placed(node, "has no form among TensorFlow's ops"))
        xs = [*inputs[n_g + n_y:], *[self.ref(value) for value in wanted]]
        found = self.SymbolicGradient([*xs, *inputs[:n_g]], Tout=[x.dtype for x in xs],
                                      f=self.function(graph))
        return found[index]

    def _direct_derivative(self, node: ir.Node, op: Any, layout: tuple,
                           inputs: list[Ref]) -> Ref | None:
        """A waiting gradient by ops that find sizes themselves, if there are such."""
        n_g, n_y, _, n_x, index = layout
        joined = of_several(self, op.name, inputs[:n_g], node)
        if joined is not None:
            return joined
        if asks_no_sizes(op.name):
            return self._by_rule(node, op, layout, inputs)
        if n_g != 1:
            return None
        xs, waiting = inputs[1 + n_y:], arguments_of(op)
        if waiting is not None:
            return call_gradient(self, op.name, index, inputs[0], *waiting(xs))
        writer = gradient_writer(op.name)
        rules = op.rules if op.joint is None else None
        if rules and rules[index] is None:
            return self.ZerosLike(xs[index])
        if writer is not None:
            return writer(self, index, inputs[0], xs, node)
        if not rules or op.kind != "elementwise":
            return None
        wanted = [attr for attr in node.attrs.values() if isinstance(attr, ir.Value)]
        # Of several operands the rule is that of one element: ops broadcast, and a sum undoes it.
        like = node.inputs if n_x == 1 else [
            ir.Value((), value.dtype) for value in node.inputs]
        graph = _traced(lambda g, *rest, **attrs: rules[index](
            g, rest[0] if n_y else None, *rest[n_y:], **attrs), node, like, wanted, False)
        if graph is None or (n_x > 1 and any(value.shape for value in graph.outputs)):
            return None
        found = self.inline(graph, [*inputs, *[self.ref(value) for value in wanted]])[0]
        return found if n_x == 1 else fitted(self, found, xs[index], inputs[0])

    def _by_rule(self, node: ir.Node, op: Any, layout: tuple, inputs: list[Ref]) -> Ref | None:
        """A waiting gradient by the record's rule, which asks for no sizes."""
        n_g, n_y, many, _, index = layout
        wanted = [attr for attr in node.attrs.values() if isinstance(attr, ir.Value)]

        def rule(*operands: Any, **attrs: Any) -> Any:
            g: Any = operands[:n_g] if many else operands[0]
            ys, xs = operands[n_g:n_g + n_y], operands[n_g + n_y:]
            y: Any = None if not n_y else ys if op.multi else ys[0]
            return op.joint(g, y, *xs, **attrs)[index] if op.joint is not None else (
                op.rules[index](g, y, *xs, **attrs))

        graph = _traced(rule, node, node.inputs, wanted, False, False)
        if graph is None or any(source_of(one.op) is not None or _lacks_sizes(one)
                                for one in graph.nodes):
            return None
        return self.inline(graph, [*inputs, *[self.ref(value) for value in wanted]])[0]

    def _second_derivative(self, node: ir.Node, op: Any, layout: tuple) -> ir.Graph | None:
        """The gradient of a gradient that is written with ops which find sizes themselves."""
        library = FunctionLibrary()

        def compose(name: str, values: Sequence[ir.Value], build: Callable) -> str:
            like = [Ref("", dtypes.of(one.dtype), one.shape) for one in values]
            return GraphWriter(library).compose(name, like, (), build)

        found = second_gradient(library, compose, node, op, layout)
        return None if found is None else _traced(found, node, node.inputs, (), False, False)

    def _write(self, node: ir.Node) -> None:
        uid = node.attrs["variable"]
        value = self.ref(node.inputs[0])
        before = [self._reads[uid]] if uid in self._reads else []
        self.emit("AssignVariableOp", [self._handles[uid], value], {"dtype": value.dtype},
                  after=before)
        for result in node.outputs:
            self._refs[result] = value

    # -- arguments ---------------------------------------------------------------------------------
    def add_argument(self, function: Any, name: str, dtype: Any, shape: tuple | None) -> Ref:
        """A new argument of the function."""
        ref = Ref(self.unique(_argument_name(name)), dtype, shape)
        _add_argument(function, ref)
        return ref

    def take(self, function: Any, value: ir.Value, name: str) -> None:
        """Let a Value be an argument of the function."""
        self._refs[value] = self.add_argument(function, value.name or name,
                                              dtypes.of(value.dtype), value.shape)

    def hold(self, key: int, handle: Ref) -> None:
        """Say what the handle of a variable or table is."""
        self._handles[key] = handle

    def read(self, uid: int, use: ir.VariableUse) -> None:
        """Read what a variable holds at the beginning."""
        value = use.initial
        found = self.emit("ReadVariableOp", [self._handles[uid]],
                          {"dtype": dtypes.of(value.dtype)})
        node = self.nodes[-1]
        fill_attribute(node.attr["_output_shapes"], "list(shape)", [value.shape])
        self._reads[uid] = node.name
        self._refs[value] = Ref(found.name, found.dtype, value.shape)


def _argument_name(name: str) -> str:
    clean = re.sub(r"[^a-z0-9_]", "_", name.lower()).strip("_")
    return clean if clean[:1].isalpha() else f"arg_{clean}" if clean else "input"


def _lacks_sizes(node: ir.Node) -> bool:
    """Whether an attribute should say a size that is not known."""
    return any(isinstance(attr, tuple) and None in attr or attr is None and key in (
        "size", "total") for key, attr in node.attrs.items())


def _placed(node: ir.Node, problem: str) -> str:
    """What is wrong with a node, and where the user's program made it."""
    where = "" if node.where is None else "\n" + position_text(node.op, node.where)
    return f"the op {node.op.name!r} {problem}{where}"


def _traced(function: Callable, node: ir.Node, inputs: Sequence[ir.Value],
            wanted: Sequence[ir.Value], many: bool | None = None,
            constants: bool = True) -> ir.Graph | None:
    """The graph of a function on operands like a node's, and on the Values in its attributes.

    None if it asks for sizes or values that only a run brings.
    """
    trace = Trace(node.op.name)
    with trace:
        operands = []
        for value in inputs:
            placed = trace.placeholder(value.shape, value.dtype)
            operands.append(placed if value.const is None or not constants else wrap(value.const))
        given = {value: trace.placeholder(value.shape, value.dtype) for value in wanted}
        attrs = {key: given[attr] if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        try:
            found = function(*operands, **attrs)
        except Exception:  # of any kind: what is missing shows itself in many ways
            return None
        if found is None:
            return None
        listed = found if (node.op.multi if many is None else many) else (found,)
        trace.graph.outputs = [trace.value_of(y) for y in listed]
    trace.graph.prune()
    return trace.graph


def _once(values: Sequence[ir.Value], refs: Sequence[Ref]) -> list[Ref]:
    """Operands, each once."""
    return list(dict(zip(values, refs, strict=True)).values())


# -- functions -------------------------------------------------------------------------------------
class Argument(NamedTuple):
    """What an argument of a function is: an input of the graph, or a variable that is given."""

    input: int | None = None
    variable: int | None = None


def write_function(graph: ir.Graph, library: FunctionLibrary, *, name: str = "",
                   order: Sequence[Argument] | None = None, tables: Sequence[Store] | None = None,
                   constants: Sequence[ir.Value] = ()) -> Any:
    """The FunctionDef of a graph, which is put into the library.

    order      of inputs and variables as arguments, if it is another than that of the inputs
    tables     those that are arguments, in order; None: all that the graph uses
    constants  those that are further arguments, behind the tables
    """
    function = FunctionDef()
    body = GraphWriter(library, function if tables is None else None)
    given = {use.argument: uid for uid, use in graph.variables.items()}
    for one in [Argument(i) for i in range(len(graph.inputs))] if order is None else order:
        if one.input is not None:
            body.take(function, graph.inputs[one.input], f"args_{one.input}")
        else:
            handle = body.add_argument(function, "resource", dtypes.resource, ())
            if one.variable in given:
                body.hold(given[one.variable], handle)
    for uid, use in graph.variables.items():
        if use.argument is None or order is None:
            body.hold(uid, body.add_argument(
                function, getattr(use.variable, "name", None) or "resource", dtypes.resource, ()))
    for store in stores_of(graph) if tables is None else tables:
        body.new_handle(function, store)
    for value in constants:
        body.take(function, value, "constant")
    for uid, use in graph.variables.items():
        body.read(uid, use)
    for node in needed_nodes(graph):
        body.node(node)
    results = [body.ref(value) for value in graph.outputs]
    finish(function, body, results, name or graph.name)
    return function


def needed_nodes(graph: ir.Graph) -> list[ir.Node]:
    """The nodes that lead to an output or have an effect."""
    needed, kept = set(graph.outputs), []
    for node in reversed(graph.nodes):
        if node.op.stateful or any(value in needed for value in node.outputs):
            kept.append(node)
            needed.update(node.operands())
    return kept[::-1]


def _add_argument(function: Any, ref: Ref) -> None:
    at = len(function.signature.input_arg)
    function.signature.input_arg.add(name=ref.name, type=ref.dtype.as_datatype_enum)
    attributes = function.arg_attr[at].attr
    fill_attribute(attributes["_output_shapes"], "list(shape)", [ref.shape])
    fill_attribute(attributes["_user_specified_name"], "string", ref.name)


def finish(function: Any, body: GraphWriter, results: Sequence[Ref], name: str) -> None:
    """Say what a function returns and what must have happened by then; name and keep it."""
    returned = _returned(body, results)
    for i, ref in enumerate(returned):
        label = f"output_{i}"
        function.signature.output_arg.add(name=label, type=ref.dtype.as_datatype_enum)
        function.ret[label] = ref.name
    if body.last_effect is not None:
        function.signature.control_output.append(body.last_effect)
        function.control_ret[body.last_effect] = body.last_effect
    function.signature.is_stateful = body.stateful or any(
        one.type == dtypes.resource.as_datatype_enum for one in function.signature.input_arg)
    function.node_def.extend(body.nodes)
    function.signature.name = body.library.new_name(name, function)
    body.library.functions[function.signature.name] = function


def _returned(body: NodeWriter, results: Sequence[Ref]) -> list[Ref]:
    """What is returned, each through a node of its own; it waits for the effects."""
    found = []
    for ref in results:
        node = NodeDef(name=body.unique(f"{body.scope}Identity"), op="Identity")
        node.input.append(ref.name)
        fill_attribute(node.attr["T"], "type", ref.dtype)
        if ref.dtype not in (dtypes.resource, dtypes.variant):
            fill_attribute(node.attr["_output_shapes"], "list(shape)", [ref.shape])
        body.add(node, [] if body.last_effect is None else [body.last_effect])
        found.append(Ref(f"{node.name}:output:0", ref.dtype, ref.shape))
    return found
