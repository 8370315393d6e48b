"""`tapeflow.onnx.export`: from what a user has to a checked file."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from tapeflow.graph import ir, passes
from tapeflow.graph.variable_ops import write
from tapeflow.onnx import model_files, records, transposes
from tapeflow.onnx.exportable import Exportable, find
from tapeflow.onnx.onnx_graph import OnnxGraph
from tapeflow.onnx.onnx_writer import GraphWriter

OLDEST, DEFAULT, NEWEST = 18, 20, 24


def export(target: Any, path: str | os.PathLike, input_signature: Any = None,
           opset: int = DEFAULT, *, signature: str | None = None,
           external_data: bool | None = None) -> Any:
    """Write a function as an ONNX file, and return its `onnx.ModelProto`.

        tapeflow.onnx.export(model, "model.onnx")
        tapeflow.onnx.export(f, "f.onnx", [tf.TensorSpec([None, 3], tf.float32)])

    target           a tf.function, a concrete function, a callable or module with a __call__, a
                     Keras model, or what tf.saved_model.load gives
    input_signature  a tf.TensorSpec for each argument; not needed where the function knows its own
    opset            the version of ONNX's operators: 18 to 24
    signature        of a loaded saved model: the name of the signature
    external_data    weights in a file beside the model; None: only if one file cannot hold them

    Variables become constants with the values that they hold now. A function that assigns to
    variables or draws random numbers has no ONNX form: an ExportError names record and line.
    """
    model_files.package()
    if (not isinstance(opset, (int, np.integer)) or isinstance(opset, bool)
            or not OLDEST <= opset <= NEWEST):
        raise ValueError(f"opset must be {OLDEST} to {NEWEST}, got {opset!r}")
    if external_data not in (None, True, False):
        raise TypeError(f"external_data must be True, False or None, got {external_data!r}")
    path = _checked_path(path)
    found = find(target, input_signature, signature)
    return model_files.write(written_graph(found, int(opset)), path, int(opset), external_data)


def _checked_path(path: Any) -> str:
    """The path, if a file can be there: nobody waits for a model that cannot be written."""
    path = os.fspath(path)
    folder = os.path.dirname(path)
    if not path:
        raise ValueError("the path is empty")
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder!r}")
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path!r} is a folder; give the name of a file")
    if not os.access(folder or os.curdir, os.W_OK):
        raise PermissionError(f"no file can be made in the folder {folder or os.curdir!r}")
    return path


def written_graph(found: Exportable, opset: int = DEFAULT) -> OnnxGraph:
    """The ONNX graph of a traced function."""
    records.load()
    source = _with_values(found.graph, found.reset)
    w = GraphWriter(found.concrete.name, opset)
    w.source = source
    operands = [w.input(name, value.dtype, _sizes(value.shape, name, found.batch))
                for name, value in zip(found.inputs, source.inputs, strict=True)]
    for term, value in zip(operands, source.inputs, strict=True):
        term.shape = value.shape
    results = w.inline(source, operands)
    names = found.outputs
    for name, term, value in zip(names, results, source.outputs, strict=True):
        w.output(term, name, _sizes(value.shape, name, found.batch))
    transposes.sink(w.graph)
    w.graph.prune()
    return w.graph


def _sizes(shape: tuple | None, name: str, batch: bool) -> tuple | None:
    """Sizes with names for those that are unknown."""
    if shape is None:
        return None
    return tuple([n if n is not None else "batch" if batch and not axis else f"{name}_dim_{axis}"
                  for axis, n in enumerate(shape)])


def _drop_idle_writes(graph: ir.Graph) -> None:
    """Leave out assignments whose result nothing uses, with a warning if the next call would.

    A stateful layer reads what the call before left, which a file cannot.
    """
    needed = ir.needed_for(graph.outputs, graph.nodes)
    read = {uid: use.variable for uid, use in graph.variables.items() if use.initial in needed}
    idle = [node for node in graph.nodes if node.op is write and needed.isdisjoint(node.outputs)]
    kept = [read[node.attrs["variable"]].name for node in idle if node.attrs["variable"] in read]
    if kept:
        warnings.warn(f"{', '.join(sorted(set(kept)))}: an ONNX graph has no state. Every run "
                      "begins with the values that these variables hold now (stateful layers: "
                      "zeros), and does not change them.", stacklevel=4)
    left_out = set(map(id, idle))
    graph.nodes = [node for node in graph.nodes if id(node) not in left_out]
    graph.prune()


def _with_values(graph: ir.Graph, reset: tuple = ()) -> ir.Graph:
    """A simplified copy in which variables are the values that they hold now, some zeros."""
    made = passes.copy(graph)
    _drop_idle_writes(made)
    for use in made.variables.values():
        held = np.asarray(use.variable.numpy())
        zero = any(use.variable is one for one in reset)
        use.initial.const = np.zeros_like(held) if zero else held
        use.initial.name = use.initial.name or use.variable.name
    passes.simplify(made)
    return made
