"""`tapeflow inspect FOLDER`: signatures, variables, sizes and ops of a saved model."""

from __future__ import annotations

import math
import os
from collections import Counter
from typing import Any

from tapeflow.base import dtypes
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.io.protobuf.wire import DecodeError
from tapeflow.saved_model.names import FILE
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.saved_model.signature_models import VARIABLES, variable_definitions
from tapeflow.tensorflow_graphs.node_attributes import shape_of
from tapeflow.tensorflow_graphs.reading import Library, known

_MOST = 40  # variables that are listed


def describe(folder: str) -> str:
    """What a folder holds, in lines; OSError if it is no saved model."""
    path = os.path.join(folder, FILE)
    if not os.path.isfile(path):
        raise OSError(f"{folder!r} is no folder of a saved model: it has no {FILE}")
    with open(path, "rb") as file:
        data = file.read()
    try:
        model = SavedModel.FromString(data)
    except DecodeError:
        raise OSError(f"{path} is no saved model") from None
    lines = [f"{folder}: {len(data):,} bytes of graphs, {_stored(folder):,} of variables"]
    if model.HasField("tapeflow_objects"):
        lines.append("in tapeflow's own format: TensorFlow cannot run its functions")
        lines += [f"  signature {one.key}" for one in model.tapeflow_objects.signatures]
        return "\n".join(lines)
    for meta in model.meta_graphs:
        lines += _graph_lines(meta)
    if not _stored(folder) and any(map(_variables, model.meta_graphs)):
        lines.append("the values of the variables are missing: there is nothing in "
                     f"{os.path.join(folder, 'variables')}")
    return "\n".join(lines)


def _stored(folder: str) -> int:
    inner = os.path.join(folder, "variables")
    if not os.path.isdir(inner):
        return 0
    return sum([one.stat().st_size for one in os.scandir(inner) if one.is_file()])


def _graph_lines(meta: Any) -> list[str]:
    about = meta.meta_info_def
    lines = [f"tags {', '.join(about.tags)}; written by TensorFlow {about.tensorflow_version}",
             "", "signatures"]
    for key, signature in sorted(meta.signature_def.items()):
        if key != "__saved_model_init_op":
            lines.append(f"  {key}({_tensors(signature.inputs)}) -> {_tensors(signature.outputs)}")
    return [*lines, *_variable_lines(meta), *_op_lines(meta)]


def _tensors(named: Any) -> str:
    return ", ".join([f"{name}: {_tensor(one)}"
                      for name, one in sorted(named.items())]) or "nothing"


def _tensor(info: Any) -> str:
    """Dtype and sizes of a tensor, or of those of which a composite consists."""
    if info.WhichOneof("encoding") != "composite_tensor":
        return f"{_kind(info.dtype)}{_sizes(info.tensor_shape)}"
    held = info.composite_tensor
    parts = ", ".join([f"{_kind(one.dtype)}{_sizes(one.tensor_shape)}" for one in held.components])
    return f"{held.type_spec.type_spec_class_name}({parts})"


def _kind(number: int) -> str:
    try:
        return dtypes.as_dtype(number).name
    except TypeError:
        return f"dtype {number}"


def _sizes(shape: Any) -> str:
    try:
        found = shape_of(shape)
    except ValueError:
        return str([one.size for one in shape.dim])
    return "" if found.rank is None else str(found.as_list())


def _variable_lines(meta: Any) -> list[str]:
    held = _variables(meta)
    counts = [math.prod([max(size.size, 0) for size in one.shape.dim])
              if not one.shape.unknown_rank else 0 for one in held]
    trained = sum([n for one, n in zip(held, counts) if one.trainable])
    lines = ["", f"variables: {len(held)} with {sum(counts):,} elements, {trained:,} trainable"]
    lines += [f"  {one.name}: {_kind(one.dtype)}{_sizes(one.shape)}"
              f"{'' if one.trainable else ' (not trainable)'}" for one in held[:_MOST]]
    return lines if len(held) <= _MOST else [*lines, f"  … and {len(held) - _MOST} more"]


def _variables(meta: Any) -> list[Any]:
    return [one.variable for one in meta.object_graph_def.nodes
            if one.WhichOneof("kind") == "variable"] or _nodes_of_variables(meta)


def _nodes_of_variables(meta: Any) -> list[Any]:
    """The variables of a graph without objects, as TensorFlow 1 wrote them."""
    known = variable_definitions(meta)
    return [MESSAGES["SavedVariable"](
        name=node.name, dtype=node.attr["dtype"].type, shape=node.attr["shape"].shape,
        trainable=node.name in known and known[node.name].trainable)
        for node in meta.graph_def.node if node.op in VARIABLES]


def _op_lines(meta: Any) -> list[str]:
    """The ops of the functions that objects call, or of the graph; most frequent first."""
    library = Library(meta.graph_def.library)
    wanted = library.reachable(meta.object_graph_def.concrete_functions)
    counts = Counter([node.op for name in wanted for node in library.functions[name].node_def]
                     or [node.op for node in meta.graph_def.node])
    lacking = sorted([op for op in counts if not known(op, library)])
    lines = ["", f"ops: {sum(counts.values()):,} nodes of {len(counts)} ops"]
    lines += [f"  {count:6,} {op}" for op, count in counts.most_common()]
    return [*lines, "", "ops that tapeflow lacks: " + (", ".join(lacking) or "none")]
