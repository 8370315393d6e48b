"""Branches, loops, maps, assertions and printing."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.core.record.primitive_ops import cast
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.tensorflow_graphs.writing.graph_writer import GraphWriter
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.operands import given, known
from tapeflow.tensorflow_graphs.writing.written_records import written


@written("timestamp")
def timestamp(w: Any, node: Any) -> Any:
    return w.Timestamp()


@written("cond")
def cond(w: GraphWriter, node: ir.Node, index: Ref, *captured: Ref) -> Any:
    """The first of two branches if the index is 0; out of range the last."""
    branches = node.attrs["branches"]
    tables = w.tables(*branches)
    names = [w.function(one, tables) for one in branches]
    operands = [*captured, *[w.table(one) for one in tables]]
    kinds = [dtypes.of(value.dtype) for value in node.outputs]
    attributes: dict[str, Any] = {"Tout": kinds,
                                  "output_shapes": [value.shape for value in node.outputs]}
    prefix = "" if any(_stateful(w, name) for name in names) else "Stateless"
    if len(names) == 2:
        truth = _truth(w, node.inputs[0])
        test, names = (w.Equal(index, 0), names) if truth is None else (truth, names[::-1])
        attributes |= {"then_branch": names[0], "else_branch": names[1]}
        return w.emit(f"{prefix}If", [test, operands], attributes)
    return w.emit(f"{prefix}Case", [index, operands], attributes | {"branches": names})


def _truth(w: GraphWriter, index: ir.Value) -> Ref | None:
    """The truth value that an index of two branches was made of."""
    made = index.node
    if made is None or made.op is not cast.op or made.inputs[0].dtype != np.bool_:
        return None
    return w.ref(made.inputs[0])


def _stateful(w: GraphWriter, name: str) -> bool:
    return w.library.functions[name].signature.is_stateful


@written("while")
def loop(w: GraphWriter, node: ir.Node, *operands: Ref) -> Any:
    return _Loop(w, LoopSpec(**node.attrs), operands).results(node.outputs)


@written("each")
def each(w: GraphWriter, node: ir.Node, *operands: Ref) -> Any:
    """A map over unknown sizes is a loop over its elements."""
    spec = LoopSpec(node.attrs["body"], None, 0, node.attrs["n_elems"])
    return _Loop(w, spec, operands).results(node.outputs)


class _Loop:
    """A loop as TensorFlow's While.

    Its operands: a counter; the most iterations, -1 for any number (TensorFlow's gradients expect
    these two); the carry; the sequences as lists; lists of what iterations return; the invariants;
    tables.
    """

    def __init__(self, w: GraphWriter, spec: LoopSpec, operands: tuple[Ref, ...]):
        self.w, self.spec = w, spec
        self.carry, self.sequences, self.invariants = spec.split(operands)
        body = spec.body.graph
        self.elements = body.inputs[spec.n_carry:spec.n_iterated]
        self.collected = body.outputs[spec.n_carry:]
        self.tables = w.tables(*[one for one in (spec.body, spec.condition) if one is not None])
        # What the loop carries has the shapes that hold in every iteration.
        self.carry = [Ref(ref.name, ref.dtype, value.shape)
                      for ref, value in zip(self.carry, body.inputs)]
        self.counted = spec.condition is None
        self.most: Ref = w.size_along(self.sequences[0], 0) if self.counted else _most(
            w, spec.limit)

    def results(self, outputs: tuple[ir.Value, ...]) -> list[Ref]:
        w = self.w
        counter = w.const(np.int32(0))
        lists = [self._list_of(x, value) for x, value in zip(self.sequences, self.elements)]
        made = [self._empty(value) for value in self.collected]
        operands = [_scalar(counter), _scalar(self.most), *self.carry, *lists, *made,
                    *self.invariants]
        condition = w.compose("while_cond", operands, self.tables, self._condition, False)
        body = w.compose("while_body", operands, self.tables, self._body)
        stateful = any(_stateful(w, name) for name in (condition, body))
        found = w.emit("While" if stateful else "StatelessWhile",
                       [[*operands, *[w.table(one) for one in self.tables]]],
                       {"cond": condition, "body": body,
                        "output_shapes": [one.shape for one in operands] + [()] * len(
                            self.tables)})
        first = 2 + len(self.carry) + len(lists)
        stacks = [w.TensorListStack(one, _sizes(value), element_dtype=dtypes.of(value.dtype))
                  for one, value in zip(found[first:], self.collected)]
        carried = [_known(w, one, held.shape, value.shape) for one, held, value in zip(
            found[2:], self.carry, outputs)]
        return [*carried, *stacks]

    # -- lists -------------------------------------------------------------------------------------
    def _list_of(self, x: Ref, element: ir.Value) -> Ref:
        return _scalar(self.w.TensorListFromTensor(x, _sizes(element)))

    def _empty(self, value: ir.Value) -> Ref:
        kind = dtypes.of(value.dtype)
        if self.counted:
            return _scalar(self.w.TensorListReserve(_sizes(value), self.most, element_dtype=kind))
        return _scalar(self.w.EmptyTensorList(_sizes(value), np.int32(-1), element_dtype=kind))

    # -- functions ---------------------------------------------------------------------------------
    def _split(self, arguments: list[Ref]) -> list[list[Ref]]:
        """The operands by their roles: the counter and the most iterations, the carry, …"""
        counts = [2, len(self.carry), len(self.sequences), len(self.collected),
                  len(self.invariants)]
        parts, at = [], 0
        for count in counts:
            parts.append(arguments[at:at + count])
            at += count
        return parts

    def _condition(self, body: GraphWriter, arguments: list[Ref]) -> list[Ref]:
        (counter, most), carry, _, _, invariants = self._split(arguments)
        if self.counted:
            return [body.Less(counter, most)]
        assert self.spec.condition is not None
        test = body.inline(self.spec.condition.graph, [*carry, *invariants])[0]
        if self.spec.limit is None:
            return [test]
        return [body.LogicalAnd(test, body.Less(counter, most))]

    def _body(self, body: GraphWriter, arguments: list[Ref]) -> list[Ref]:
        (counter, most), carry, lists, made, invariants = self._split(arguments)
        at = counter
        if self.spec.reverse and self.counted:
            at = body.Sub(body.Sub(most, np.int32(1)), counter)
        elements = []
        for one, value in zip(lists, self.elements):
            found = body.TensorListGetItem(one, at, _sizes(value),
                                           element_dtype=dtypes.of(value.dtype))
            elements.append(Ref(found.name, found.dtype, value.shape))
        results = body.inline(self.spec.body.graph, [*carry, *elements, *invariants])
        n = self.spec.n_carry
        grown = [body.TensorListSetItem(one, at, value) if self.counted else
                 body.TensorListPushBack(one, value) for one, value in zip(made, results[n:])]
        return [body.AddV2(counter, np.int32(1)), most, *results[:n], *lists, *grown, *invariants]


def _most(w: GraphWriter, limit: Any) -> Ref:
    """The most iterations, which may be a number of the run; -1 for any number."""
    most = -1 if limit is None else limit
    return given(w, min(most, 2**31 - 1) if known(most) else most)


def _known(w: GraphWriter, ref: Ref, held: tuple | None, shape: tuple | None) -> Ref:
    """A result of a loop whose shape the program knows, though the loop does not."""
    return ref if shape is None or held is not None else w.EnsureShape(ref, shape=shape)


def _scalar(ref: Ref) -> Ref:
    return Ref(ref.name, ref.dtype, ())


def _sizes(value: ir.Value) -> np.ndarray:
    """The shape of elements as list ops are told it: -1 for an unknown size."""
    if value.shape is None:
        return np.array(-1, np.int32)
    return np.array([-1 if n is None else n for n in value.shape], np.int32)


@written("assigned")
def assigned(w: GraphWriter, node: ir.Node, x: Ref, before: Ref) -> Ref:
    return x


# -- assertions, printing --------------------------------------------------------------------------
@written("assert_true")
def assert_true(w: GraphWriter, node: ir.Node, condition: Ref, *data: Ref) -> Any:
    w.Assert(condition, data or [w.const("assertion failed")], summarize=node.attrs["summarize"])
    return ()


@written("check_numerics")
def check_numerics(w: GraphWriter, node: ir.Node, x: Ref) -> Ref:
    return w.CheckNumerics(x, message=node.attrs["message"])


_PLACE = "{}"


def _formatted(w: GraphWriter, node: ir.Node, values: tuple[Ref, ...]) -> Ref:
    """The text that pieces around values make."""
    mark = _PLACE
    while any(mark in one for one in node.attrs["pieces"]):
        mark += "}"
    return w.StringFormat(values, template=mark.join(node.attrs["pieces"]), placeholder=mark,
                          summarize=node.attrs["summarize"])


@written("string_format")
def string_format(w: GraphWriter, node: ir.Node, *values: Ref) -> Ref:
    return _formatted(w, node, values)


@written("print_values")
def print_values(w: GraphWriter, node: ir.Node, *values: Ref) -> Any:
    stream = node.attrs["stream"]
    if not isinstance(stream, str):
        raise ValueError("tf.print to a Python stream cannot be saved")
    w.PrintV2(_formatted(w, node, values), output_stream=stream, end=node.attrs["end"])
    return ()


@written("array_write")
def array_write(w: GraphWriter, node: ir.Node, buffer: Ref, value: Ref, index: Ref) -> Ref:
    """A row put into a buffer, which is padded where it is too small."""
    row = value.shape
    fits = not node.attrs["grow"] and buffer.shape is not None and row is not None and (
        None not in row and buffer.shape[1:] == row)
    if not fits:
        rank = 1 + len(row or ()) if buffer.shape is None else len(buffer.shape)
        if buffer.shape is None:
            sizes = (None,) * rank
            buffer = Ref(w.EnsureShape(buffer, shape=sizes).name, buffer.dtype, sizes)
        own = w.Shape(buffer, out_type=dtypes.int32)
        count = w.size_along(buffer, 0)
        if node.attrs["grow"]:
            count = w.Maximum(count, w.AddV2(w.Cast(index, DstT=dtypes.int32), np.int32(1)))
        wanted = w.ConcatV2([w.ExpandDims(count, 0), w.shape_of(value)], 0)
        more = w.Sub(wanted, own)
        buffer = w.Pad(buffer, w.Pack([w.const(np.zeros(rank, np.int32)), more], axis=1))
    found = w.TensorScatterUpdate(buffer, w.Reshape(index, [1, 1]), w.ExpandDims(value, 0))
    shape = node.outputs[0].shape
    return found if fits or shape is None else w.EnsureShape(found, shape=shape)
