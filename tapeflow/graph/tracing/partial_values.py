"""Integers of a graph that are known in part: the 6 of `tf.stack([tf.shape(x)[0], 6])`.

Shape rules ask for them (`core.basics.static`), so that a reshape to sizes computed from a shape
keeps those that follow from constants. What is followed is what TensorFlow follows.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.primitive_ops import cast, concat, reshape, stack
from tapeflow.graph import ir
from tapeflow.ops._support.arguments import at_least
from tapeflow.ops.array.joining import unstack_op
from tapeflow.ops.array.shape_ops import shape_op
from tapeflow.ops.indexing.basic_indexing import strided

MOST = 64  # elements of a constant that is looked at


def partial(value: ir.Value) -> Any:
    """An int, or tuples of them; None for what is not known, a whole scalar or vector too."""
    if value.const is not None:
        small = value.const.size <= MOST and value.const.dtype.kind in "iu"
        return _tuples(value.const.tolist()) if small else _unknown(value.shape)
    node = value.node
    found = None
    if node is not None and node.op in _THROUGH:
        found = _THROUGH[node.op](node, value.index)
    return _unknown(value.shape) if found is None else found


def _tuples(nested: Any) -> Any:
    return tuple([_tuples(one) for one in nested]) if isinstance(nested, list) else nested


def _unknown(shape: tuple | None) -> Any:
    if not shape or None in shape or len(shape) > 2:
        return None
    return tuple([_unknown(shape[1:]) for _ in range(shape[0])])


def _same(node: ir.Node, index: int) -> Any:
    return partial(node.inputs[0])


def _concat(node: ir.Node, index: int) -> Any:
    parts = [partial(value) for value in node.inputs]
    if node.attrs["axis"] != 0 or None in parts:
        return None
    return tuple([one for part in parts for one in part])


def _stack(node: ir.Node, index: int) -> Any:
    return tuple([partial(value) for value in node.inputs]) if node.attrs["axis"] == 0 else None


def _unstack(node: ir.Node, index: int) -> Any:
    whole = partial(node.inputs[0])
    return None if whole is None or node.attrs["axis"] else whole[index]


def _strided(node: ir.Node, index: int) -> Any:
    whole, spec = partial(node.inputs[0]), node.attrs["spec"]
    if whole is None or len(spec) != 1 or isinstance(node.attrs.get("bounds"), ir.Value):
        return None
    item = spec[0]
    bounds = item if type(item) is tuple else (item,)
    if item is None or any(one is not None and type(one) is not int for one in bounds):
        return None  # bounds that a run brings
    return whole[slice(*item) if type(item) is tuple else item]


def _reshape(node: ir.Node, index: int) -> Any:
    whole = partial(node.inputs[0])
    if not isinstance(whole, tuple) or node.outputs[0].shape != (len(whole) * 2,):
        return None
    return tuple([n for pair in whole for n in pair or (None, None)])  # pairs, as paddings are


_THROUGH = {call.op: rule for call, rule in (
    (shape_op, lambda node, index: node.inputs[0].shape), (cast, _same), (at_least, _same),
    (identity, _same), (concat, _concat), (stack, _stack), (unstack_op, _unstack),
    (strided, _strided), (reshape, _reshape))}
