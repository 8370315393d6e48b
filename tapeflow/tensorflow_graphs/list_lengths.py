"""Lists whose elements may differ in length, found by what reads them: a node that joins them."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.io.protobuf.graph_protos import NodeDef
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute, python_value

_JOINS = ("TensorListConcat", "TensorListConcatV2")
_MAKES = ("TensorListReserve", "EmptyTensorList")
_PASSES = ("Identity", "TensorListPushBack", "TensorListSetItem")  # the list is the first input
_LOOPS = ("While", "StatelessWhile")  # an output is the input of the same number


def with_unknown_lengths(nodes: list[Any]) -> list[Any]:
    """The nodes; those that make a list of unknown lengths make one of tensors of any kind."""
    joins = [node for node in nodes if node.op in _JOINS]
    if not joins:
        return nodes
    by_name = {node.name: node for node in nodes}
    made = {source.name for node in joins if not _length_known(node, by_name)
            and (source := _source(node.input[0], by_name)) is not None}
    return [_of_anything(node) if node.name in made else node for node in nodes]


def _length_known(node: Any, by_name: dict[str, Any]) -> bool:
    if node.op == "TensorListConcat":
        return False
    shape = by_name.get(node.input[1].partition(":")[0])
    if shape is None or shape.op != "Const":
        return False
    sizes = python_value(shape.attr["value"], "tensor", None)
    return sizes.ndim > 0 and sizes.size > 0 and sizes[0] >= 0


def _source(reference: str, by_name: dict[str, Any]) -> Any:
    """The node that made a list, if it is one of this graph."""
    for _ in range(len(by_name)):
        name, *rest = reference.split(":")
        node = by_name.get(name)
        if node is None or node.op in _MAKES:
            return node
        if node.op in _PASSES:
            reference = node.input[0]
        elif node.op in _LOOPS:
            index = int(rest[-1]) if rest else 0
            if index >= len(node.input):
                return None
            reference = node.input[index]
        else:
            return None
    return None


def _of_anything(node: Any) -> Any:
    copy = NodeDef.FromString(node.SerializeToString())
    fill_attribute(copy.attr["element_dtype"], "type", dtypes.variant)
    return copy
