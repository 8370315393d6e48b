"""Graphs in tapeflow's own format, read.

An op is found by its name in the register of ops; attributes of nodes are values of the few kinds
that records use. What is read is not believed: a graph is replayed into a new one, which infers
every shape and dtype itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, specs
from tapeflow.base.exports import PUBLIC, load_all
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.op import NAMED, Op
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing import deferred_gradients
from tapeflow.graph.tracing.graph_builder import on_strings
from tapeflow.graph.tracing.rereading import read_again
from tapeflow.graph.variable_ops import write
from tapeflow.io.protobuf.tensor_protos import make_ndarray
from tapeflow.ops.random.streams.seeds import Stream
from tapeflow.ops.strings.lookup import Store
from tapeflow.saved_model.checking import plain_name, replayed
from tapeflow.saved_model.files import Damaged, pick


def _np_dtype(name: str) -> np.dtype:
    return dtypes.as_dtype(name).np


def shape_in(message: Any) -> tuple | None:
    """The static shape in a message."""
    return tuple([None if n < 0 else n for n in message.sizes]) if message.known else None


# -- ops -------------------------------------------------------------------------------------------
_STRINGS, _DERIVED = "strings", ("gradient", "tangent")


def op_in(message: Any) -> Op:
    """The op that a message names: looked up in the register of ops, and nowhere else."""
    if message.kind == _STRINGS:
        base = op_in(message.base)
        if base.strings is None:
            raise Damaged(f"the op {base.name!r} has no form for strings")
        return on_strings(base)
    if message.kind in _DERIVED:
        base = op_in(message.base)
        if base.reason is not None:
            raise Damaged(f"the op {base.name!r} has no derivative")
        return deferred_gradients.made_for(message.kind, base, attr_in(message.layout, None))
    if message.kind:
        raise Damaged(f"an op of the unknown kind {message.kind!r}")
    if message.name not in NAMED:
        load_all()
    op = NAMED.get(message.name)
    if op is None:
        raise Damaged(f"it uses the op {message.name!r}, which this version of tapeflow does not "
                      "have")
    if op.unsavable:
        raise Damaged(f"it uses the op {message.name!r}, which no file may: {op.unsavable}")
    return op


# -- attributes ------------------------------------------------------------------------------------
_OWN = ("RaggedTensorSpec", "SparseTensorSpec", "IndexedSlicesSpec")


def _spec_in(held: Any, scope: Any) -> Any:
    """The description in a CompositeAttr: of our own classes, or of one that is registered."""
    own, parts = held.name.removeprefix("tf."), attr_in(held.parts, scope)
    if own in _OWN:
        cls: Any = PUBLIC[own]
    else:
        cls = specs.lookup(held.name)
    if type(parts) is not tuple:
        raise Damaged(f"a description of the kind {held.name}")
    return cls._deserialize(parts)


def attr_in(message: Any, scope: _Reading | None) -> Any:
    """The value in an Attr."""
    kind = message.WhichOneof("kind")
    if kind is None or scope is None and kind in ("value", "graph", "store"):
        raise Damaged(f"an attribute of the kind {kind}")
    held = getattr(message, kind)
    if kind in ("flag", "whole", "real", "text", "data"):
        return held
    if kind in ("tuple", "list", "slice", "map"):
        items = [attr_in(one, scope) for one in held.items]
        if kind == "map":
            return dict(zip([attr_in(one, scope) for one in held.keys], items))
        return items if kind == "list" else slice(*items) if kind == "slice" else tuple(items)
    return _READERS[kind](held, scope)


_READERS: dict[str, Callable] = {
    "none": lambda held, scope: None,
    "ellipsis": lambda held, scope: Ellipsis,
    "big": lambda held, scope: int(held),
    "dtype": lambda held, scope: _np_dtype(held),
    "tf_dtype": lambda held, scope: dtypes.as_dtype(held),
    "array": lambda held, scope: _array_in(held),
    "scalar": lambda held, scope: _array_in(held)[()],
    "value": lambda held, scope: pick(scope.values, held),
    "graph": lambda held, scope: GraphFunction(
        read_graph(held, scope.objects, inner=True), inner=True),
    "stream": lambda held, scope: Stream(held.seed, held.seed2),
    "store": lambda held, scope: scope.objects.store(held),
    "op": lambda held, scope: op_in(held),
    "spec": lambda held, scope: TensorSpec(TensorShape(shape_in(held)), held.dtype,
                                           held.name or None),
    "shape": lambda held, scope: TensorShape(shape_in(held)),
    "composite": _spec_in,
}


# -- graphs ----------------------------------------------------------------------------------------
class _Reading:
    """The Values of a graph that is being read, by index."""

    def __init__(self, values: list[ir.Value], objects: Any):
        self.values, self.objects = values, objects


def read_graph(message: Any, objects: Any, inner: bool = False) -> ir.Graph:
    """The graph of a SavedGraph; `objects` has the variables and stores by index.

    inner: a body of another graph, which has no variables of its own
    """
    graph = ir.Graph(message.name.replace("\0", ""))
    scope = _Reading([_value_in(one) for one in message.values], objects)
    values = scope.values
    graph.inputs = [pick(values, i) for i in message.inputs]
    if inner and message.variables or any(value.const is not None for value in graph.inputs):
        raise Damaged(f"the graph {message.name!r} has other inputs than a graph has")
    uid_of: dict[int, int] = {}
    for use in message.variables:
        variable = objects.variable(use.object)
        uid_of[use.number] = variable._uid
        graph.variables[variable._uid] = ir.VariableUse(variable, pick(values, use.initial))
    for saved in message.nodes:
        op = op_in(saved.op)
        attrs = {plain_name(name): attr_in(saved.attrs[name], scope) for name in saved.attrs}
        if op in (write, read_again):
            attrs["variable"] = uid_of.get(attrs.get("variable", -1))
        node = ir.Node(op, tuple([pick(values, i) for i in saved.inputs]), attrs)
        node.outputs = tuple([pick(values, i) for i in saved.outputs])
        graph.nodes.append(node)
    graph.outputs = [pick(values, i) for i in message.outputs]
    return replayed(graph)


def _value_in(message: Any) -> ir.Value:
    if not message.HasField("constant"):
        return ir.Value(shape_in(message), _np_dtype(message.dtype), name=message.name)
    array = _array_in(message.constant)
    const = array if array.ndim or array.dtype == object else array[()]
    return ir.Value(array.shape, array.dtype, const=const, name=message.name)


def _array_in(message: Any) -> np.ndarray:
    """An array as `packed` writes it: every element is there, so memory is no more than asked."""
    count = math.prod([one.size for one in message.tensor_shape.dim])
    dtype = dtypes.as_dtype(message.dtype)
    held = len(message.string_val) if dtype is dtypes.string else (
        len(message.tensor_content) // dtype.size)
    if count != held or any(one.size < 0 for one in message.tensor_shape.dim):
        raise Damaged(f"an array of {count} elements of which {held} are there")
    return make_ndarray(message)


# -- tables ----------------------------------------------------------------------------------------
def read_store(message: Any) -> Store:
    """The store of a lookup table."""
    store = Store(_np_dtype(message.dtype), attr_in(message.shape, None),
                  attr_in(message.forbidden, None))
    keys, values = attr_in(message.keys, None), _array_in(message.values)
    if type(keys) is not list or values.shape != (len(keys), *store.shape) or (
            values.dtype != store.dtype):
        raise Damaged("a table of other values than keys")
    store.entries = dict(zip(keys, values, strict=True))
    return store
