"""Writes a traced graph as ONNX nodes, record by record (`records/`).

A Term is a value of the ONNX graph under construction. It has Python's operators, so that a record
which ONNX lacks is written as a formula. What depends on constants only is computed here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.passes import optimise
from tapeflow.graph.tracing.deferred_calls import arguments_of
from tapeflow.graph.tracing.deferred_gradients import source_of
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write as write_variable
from tapeflow.onnx.folding import folded
from tapeflow.onnx.onnx_graph import ExportError, OnnxGraph, OnnxNode, Port
from tapeflow.onnx.onnx_records import WAITING, WRITTEN, WRITTEN_COMPLEX
from tapeflow.onnx.rule_tracing import rule_graph

INT64 = np.dtype(np.int64)
INT32 = np.dtype(np.int32)
FLOAT32 = np.dtype(np.float32)
BOOL = np.dtype(bool)
STRING = np.dtype(object)
_COMPARISONS = {"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Not", "And", "Or",
                "Xor", "IsNaN", "IsInf"}
# Arithmetic that runtimes have for integers of 32 and 64 bits only: narrow ones are widened.
_ARITHMETIC = {"Add", "Sub", "Mul", "Div", "Neg", "Abs", "Sign", "Min", "Max", "Pow", "Where",
               "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal", "Mod", "ReduceSum",
               "ReduceProd", "ReduceMax", "ReduceMin", "ReduceMean", "CumSum", "MatMul", "TopK",
               "ArgMax", "ArgMin", "Clip", "Range", "Relu", "GatherND", "ScatterND", "OneHot",
               "Pad", "Expand", "Tile"}


class Term:
    """A value of the ONNX graph: its name, NumPy's dtype, static shape, and value if constant.

    wide   the same integers as int64, where they were made so: sizes
    """

    __slots__ = ("const", "dtype", "name", "shape", "wide", "writer")

    def __init__(self, writer: GraphWriter, name: str, dtype: Any, shape: tuple | None = None,
                 const: np.ndarray | None = None):
        self.writer, self.name, self.dtype, self.shape = writer, name, np.dtype(dtype), shape
        self.const = const
        self.wide: Term | None = None

    @property
    def rank(self) -> int:
        """The number of axes; an error if the trace does not know it."""
        if self.shape is None:
            raise ExportError("an operand has no known rank")
        return len(self.shape)

    def _two(self, kind: str, a: Any, b: Any) -> Term:
        writer = self.writer
        a, b = [one if isinstance(one, Term) else writer.scalar(one, self.dtype) for one in (a, b)]
        # A body may use what is outside, and not the other way round.
        return max(a.writer, b.writer, key=lambda one: one.depth).op(kind, a, b)

    def __add__(self, other: Any) -> Term:
        return self._two("Add", self, other)

    def __radd__(self, other: Any) -> Term:
        return self._two("Add", other, self)

    def __sub__(self, other: Any) -> Term:
        return self._two("Sub", self, other)

    def __rsub__(self, other: Any) -> Term:
        return self._two("Sub", other, self)

    def __mul__(self, other: Any) -> Term:
        return self._two("Mul", self, other)

    def __rmul__(self, other: Any) -> Term:
        return self._two("Mul", other, self)

    def __truediv__(self, other: Any) -> Term:
        return self._two("Div", self, other)

    def __rtruediv__(self, other: Any) -> Term:
        return self._two("Div", other, self)

    def __neg__(self) -> Term:
        return self.writer.op("Neg", self)

    def __lt__(self, other: Any) -> Term:
        return self._two("Less", self, other)

    def __le__(self, other: Any) -> Term:
        return self._two("LessOrEqual", self, other)

    def __gt__(self, other: Any) -> Term:
        return self._two("Greater", self, other)

    def __ge__(self, other: Any) -> Term:
        return self._two("GreaterOrEqual", self, other)

    def equals(self, other: Any) -> Term:
        return self._two("Equal", self, other)

    def __and__(self, other: Any) -> Term:
        return self._two("And", self, other)

    def __or__(self, other: Any) -> Term:
        return self._two("Or", self, other)

    def __invert__(self) -> Term:
        return self.writer.op("Not", self)


class GraphWriter:
    """Writes one graph; subgraphs have a writer of their own, whose `outer` is this one."""

    def __init__(self, name: str, opset: int, outer: GraphWriter | None = None):
        self.graph = OnnxGraph(name)
        self.opset, self.outer = opset, outer
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.root: GraphWriter = outer.root if outer is not None else self
        self.terms: dict[ir.Value, Term] = {}
        if outer is None:
            self._taken: set[str] = {""}
            self._known: dict[tuple, Term] = {}
            self._arrays: dict[int, Term] = {}
            self._keep: list = []  # arrays whose ids are keys
            self.source: ir.Graph | None = None  # the graph that is exported, optimised already

    # -- names and constants -----------------------------------------------------------------------
    def fresh(self, hint: str) -> str:
        """A name that nothing has yet."""
        hint = re.sub(r"[^\w./:-]", "_", hint) or "value"
        taken = self.root._taken
        if hint in taken:
            hint = next(name for i in itertools.count(1) if (name := f"{hint}_{i}") not in taken)
        taken.add(hint)
        return hint

    def constant(self, array: Any, hint: str = "constant") -> Term:
        """An initialiser. Equal small ones are one."""
        root, array = self.root, np.asarray(array)
        if (found := root._arrays.get(id(array))) is not None:
            return found
        key = (array.dtype.str, array.shape, str(array.tolist()) if array.dtype.kind == "O"
               else array.tobytes()) if array.size <= 64 else None
        if key is not None and key in root._known:
            return root._known[key]
        stored, dtype = array, array.dtype
        if dtype.kind == "c":
            stored = np.stack([array.real, array.imag], -1)
        made = Term(root, root.fresh(hint), dtype, array.shape, array)
        root.graph.constants[made.name] = stored
        root._arrays[id(array)] = made
        root._keep.append(array)
        if key is not None:
            root._known[key] = made
        return made

    def scalar(self, value: Any, dtype: Any) -> Term:
        return self.constant(np.asarray(value).astype(dtype))

    def ints(self, *values: int) -> Term:
        """A vector of int64."""
        return self.constant(np.array(values, np.int64))

    # -- nodes -------------------------------------------------------------------------------------
    def op(self, kind: str, *inputs: Term | None, dtype: Any = None, shape: tuple | None = None,
           **attrs: Any) -> Term:
        """A node with one result, whose dtype is that of the first operand unless given."""
        return self.ops(kind, 1, *inputs, dtypes=None if dtype is None else [dtype],
                        shapes=[shape], **attrs)[0]

    def ops(self, kind: str, count: int, *inputs: Term | None, dtypes: Sequence | None = None,
            shapes: Sequence | None = None, **attrs: Any) -> list[Term]:
        """A node with several results."""
        given = [one for one in inputs if one is not None]
        narrow = self._widened(kind, given)
        if narrow is not None:
            return self._narrowed(kind, count, inputs, narrow, dtypes, shapes, attrs)
        if kind == "Equal" and given[0].dtype == STRING and self.opset < 19:
            raise ExportError("strings need opset 19")
        if dtypes is None:
            first = given[1] if kind == "Where" else given[0]
            dtypes = [BOOL if kind in _COMPARISONS else first.dtype] * count
        if count == 1 and (array := folded(kind, given, attrs, dtypes[0])) is not None:
            return [self.constant(array)]
        node = OnnxNode(kind, ["" if one is None else one.name for one in inputs],
                        [self.fresh(f"{kind}") for _ in range(count)], attrs)
        self.graph.nodes.append(node)
        shapes = shapes or [None] * count
        made = [Term(self, name, dtype, shape)
                for name, dtype, shape in zip(node.outputs, dtypes, shapes, strict=True)]
        if "." in kind:
            self.graph.typed += [port(one, one.shape) for one in made]
        return made

    @staticmethod
    def _widened(kind: str, given: list[Term]) -> np.dtype | None:
        """The dtype in which narrow integers are computed with, or None."""
        if kind not in _ARITHMETIC:
            return None
        dtype = given[1 if kind == "Where" else 0].dtype
        if dtype.kind in "iu" and dtype.itemsize < 4:
            return INT32
        if dtype in (np.uint32, np.uint64) or (dtype == BOOL and kind in (
                "ReduceMax", "ReduceMin", "GatherND", "ScatterND", "OneHot", "Where", "Pad",
                "ArgMax", "ArgMin", "TopK", "CumSum", "Less", "LessOrEqual", "Greater",
                "GreaterOrEqual")):
            return INT64 if dtype != BOOL else INT32
        return None

    def _narrowed(self, kind: str, count: int, inputs: Sequence, wide: np.dtype,
                  dtypes: Any, shapes: Any, attrs: dict) -> list[Term]:
        begin = int(kind == "Where")  # behind its condition
        own = next(one for one in inputs[begin:] if one is not None).dtype
        widened = [self.cast(one, wide) if i >= begin and one is not None and one.dtype == own
                   else one for i, one in enumerate(inputs)]
        if kind in _COMPARISONS:
            dtypes = [BOOL] * count
        results = self.ops(kind, count, *widened, dtypes=None if dtypes is None else [
            wide if dtype == own else dtype for dtype in dtypes], shapes=shapes, **attrs)
        return [self.cast(one, own) if one.dtype == wide and (
            dtypes is None or dtypes[i] == own) else one for i, one in enumerate(results)]

    def cast(self, x: Term, dtype: Any) -> Term:
        """The same numbers in another dtype; nothing where it has it."""
        dtype = np.dtype(dtype)
        if x.dtype == dtype:
            return x
        if dtype == INT64 and x.wide is not None:
            return x.wide
        return self.op("Cast", x, dtype=dtype, shape=x.shape, to=dtype)

    def where(self, condition: Term, x: Any, y: Any) -> Term:
        dtype = (x if isinstance(x, Term) else y).dtype
        x, y = [one if isinstance(one, Term) else self.scalar(one, dtype) for one in (x, y)]
        return self.op("Where", condition, x, y)

    # -- shapes ------------------------------------------------------------------------------------
    def shape_of(self, x: Term) -> Term:
        """The sizes as a vector of int64."""
        if x.shape is not None and None not in x.shape:
            return self.ints(*x.shape)
        if x.dtype.kind == "c":
            return self.op("Shape", x, dtype=INT64, start=0, end=-1)
        return self.op("Shape", x, dtype=INT64, shape=None if x.shape is None else (len(x.shape),))

    def size_of(self, x: Term, axis: int) -> Term:
        """One size, a vector of one int64."""
        if x.shape is not None and x.shape[axis] is not None:
            return self.ints(x.shape[axis])
        return self.op("Shape", x, dtype=INT64, shape=(1,), start=axis, end=axis + 1)

    def vector(self, attr: Any) -> Term:
        """Sizes, which may be known at run time only, as a vector of int64."""
        if isinstance(attr, ir.Value):
            found = self.cast(self.term(attr), INT64)
            return found if found.shape is not None and len(found.shape) == 1 else (
                self.reshape(found, (-1,)))
        flat = [attr] if isinstance(attr, (int, np.integer)) else list(attr)
        return self.ints(*[int(n) for n in flat])

    def reshape(self, x: Term, shape: Any) -> Term:
        if isinstance(shape, tuple) and x.shape == shape and None not in shape and -1 not in shape:
            return x
        sizes = shape if isinstance(shape, Term) else self.ints(*shape)
        zeros = sizes.const is None or 0 in sizes.const
        known = None if sizes.const is None else tuple(
            [None if n == -1 else n for n in sizes.const.tolist()])
        return self.op("Reshape", x, sizes, shape=known, **({"allowzero": 1} if zeros else {}))

    def transpose(self, x: Term, perm: Sequence[int]) -> Term:
        perm = tuple(perm)
        if perm == tuple(range(len(perm))):
            return x
        return self.op("Transpose", x, perm=perm, shape=None if x.shape is None else tuple(
            [x.shape[i] for i in perm]))

    def unsqueeze(self, x: Term, *axes: int) -> Term:
        return self.op("Unsqueeze", x, self.ints(*axes))

    def squeeze(self, x: Term, *axes: int) -> Term:
        return self.op("Squeeze", x, self.ints(*axes))

    def slice(self, x: Term, starts: Any, ends: Any, axes: Sequence[int],
              steps: Sequence[int] | None = None) -> Term:
        starts, ends = [one if isinstance(one, Term) else self.ints(*one) for one in (starts, ends)]
        return self.op("Slice", x, starts, ends, self.ints(*axes),
                       self.ints(*(steps or [1] * len(axes))))

    def reverse(self, x: Term, axes: Sequence[int]) -> Term:
        lowest = -(1 << 62)
        return self.slice(x, [-1] * len(axes), [lowest] * len(axes), axes, [-1] * len(axes))

    def concat(self, xs: Sequence[Term], axis: int = 0) -> Term:
        return xs[0] if len(xs) == 1 else self.op("Concat", *xs, axis=axis)

    # -- graphs ------------------------------------------------------------------------------------
    def term(self, value: ir.Value) -> Term:
        """What stands for a Value of the traced graph."""
        writer: GraphWriter | None = self
        while writer is not None:
            if value in writer.terms:
                return writer.terms[value]
            writer = writer.outer
        if value.const is None:
            raise ExportError(f"{value!r} is not defined in the graph")
        return self.constant(value.const, value.name or "constant")

    def inline(self, graph: ir.Graph, operands: Sequence[Term]) -> list[Term]:
        """Write the nodes of a traced graph here, on these operands; its results."""
        graph = optimise(graph) if self.depth or graph is not self.root.source else graph
        for value, term in zip(graph.inputs, operands, strict=True):
            self.terms[value] = term
        needed = ir.needed_for(graph.outputs, graph.nodes)
        for node in graph.nodes:  # checks and what is printed lead to no result
            if node.op is write_variable or not needed.isdisjoint(node.outputs):
                self.write(node)
        return [self.term(value) for value in graph.outputs]

    def write(self, node: ir.Node) -> None:
        """Write one node by the function of its record."""
        operands = [self.term(value) for value in node.inputs]
        try:
            results = self._function(node)(self, node, *operands)
        except ExportError as error:
            if getattr(error, "placed", False):
                raise
            raise placed(error, node) from None
        results = results if isinstance(results, (tuple, list)) else (results,)
        for value, term in zip(node.outputs, results, strict=True):
            if term.dtype != value.dtype:
                raise placed(ExportError(f"{value.dtype} became {term.dtype}"), node)
            if term.shape is None or None in term.shape:
                term.shape = value.shape
            self.terms[value] = term

    def _function(self, node: ir.Node) -> Callable:
        waiting = arguments_of(node.op)
        late = None if waiting is None else WAITING.get(node.op.name)
        if waiting is not None and late is not None:
            return lambda w, node, *xs: late(w, *waiting(xs)[0], **{
                key: one for key, one in waiting(xs)[1].items() if key != "name"})
        if source_of(node.op) is not None:
            return derived
        if waiting is not None:
            raise ExportError("it waits for ranks or sizes that a run brings; give the "
                              "input_signature more of them")
        dtypes = [one.dtype.kind for one in (*node.operands(), *node.outputs)]
        found = (WRITTEN_COMPLEX if "c" in dtypes else WRITTEN).get(node.op.name)
        if found is not None:
            return found
        if isinstance(node.op.lower, Expand):
            return expanded
        if node.op.stateful:
            raise ExportError("it has an effect or draws random numbers, and an ONNX graph has "
                              "no state")
        raise ExportError("it has no ONNX form" + (" for complex numbers" if "c" in dtypes else ""))

    def subgraph(self, name: str) -> GraphWriter:
        return GraphWriter(self.fresh(name), self.opset, self)

    def input(self, name: str, dtype: Any, shape: tuple | None) -> Term:
        """An input of this graph."""
        term = Term(self, self.fresh(name), dtype, shape)
        self.graph.inputs.append(port(term, shape))
        return term

    def output(self, term: Term, name: str = "", shape: tuple | None = None) -> None:
        """Make a Term an output of this graph, under a name of its own."""
        made = self.fresh(name or "output")
        self.graph.nodes.append(OnnxNode("Identity", [term.name], [made]))
        self.graph.outputs.append(port(Term(self, made, term.dtype), shape))


def expanded(w: GraphWriter, node: ir.Node, *operands: Term) -> list[Term]:
    """A record that is written with others, by these: the form that the compiler takes too."""
    trace = Trace("expanded")
    try:
        with trace:
            xs = [wrap(value.const) if value.const is not None else trace.symbolic(value)
                  for value in node.inputs]
            attrs = {key: trace.symbolic(attr) if isinstance(attr, ir.Value) else attr
                     for key, attr in node.attrs.items()}
            found = node.op.lower.write(*xs, **attrs)
            values = [trace.value_of(y) for y in (
                found if isinstance(found, (tuple, list)) else (found,))]
    except Exception as error:
        if not from_library(error):
            raise
        raise ExportError("it has no ONNX form for these sizes and attributes") from error
    for one in trace.graph.nodes:
        w.write(one)
    return [w.term(value) for value in values]


def derived(w: GraphWriter, node: ir.Node, *operands: Term) -> list[Term]:
    """A gradient that waits for sizes, by its record's rule."""
    graph, values = rule_graph(node)
    return w.inline(graph, [w.term(value) for value in values])


def port(term: Term, shape: tuple | None) -> Port:
    if term.dtype.kind != "c":
        return Port(term.name, term.dtype, shape)
    return Port(term.name, np.dtype(f"f{term.dtype.itemsize // 2}"),
                None if shape is None else (*shape, 2))


def placed(error: ExportError, node: ir.Node) -> ExportError:
    """The error with the record and the line of the program that it is about."""
    where = ""
    if node.where is not None:
        code, line = node.where
        where = f", at {code.co_filename if hasattr(code, 'co_filename') else code}:{line}"
    name = next((f", the node {value.name!r}" for value in node.outputs if value.name), "")
    made = ExportError(f"the record {node.op.name!r} ({node.op.tf_name}){name}{where}: {error}")
    made.placed = True  # type: ignore[attr-defined]
    return made
