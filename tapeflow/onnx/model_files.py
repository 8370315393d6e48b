"""ONNX's protocol buffers of a graph, checked, in a file that is whole or not there."""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
from typing import Any

import numpy as np

from tapeflow.base.process import atomic_files
from tapeflow.onnx.onnx_graph import ExportError, OnnxGraph, OnnxNode, Port

LARGEST = (1 << 31) - (1 << 24)  # bytes of constants that one file may hold
INLINE = 1024  # bytes of a constant that stays in the model beside external data
# The IR version that a runtime needs for an opset: what onnx wrote when the opset appeared.
IR_VERSIONS = {18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11, 24: 11, 25: 12}

# Other sets of operators, which an operator's name begins with; the second is onnxruntime's own.
EXTRA = {"ai.onnx.ml": 3, "com.microsoft": 1}


def package() -> Any:
    """The package `onnx`, or an error that says how to get it."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError("tapeflow.onnx.export needs the package onnx: "
                          "pip install 'tapeflow[onnx]'") from error
    return onnx


def element_type(onnx: Any, dtype: np.dtype) -> int:
    """ONNX's number for a dtype."""
    kinds = onnx.TensorProto
    if dtype.kind == "O":
        return kinds.STRING
    found = {"bool": kinds.BOOL, "float16": kinds.FLOAT16, "float32": kinds.FLOAT,
             "float64": kinds.DOUBLE, "bfloat16": kinds.BFLOAT16, "int8": kinds.INT8,
             "int16": kinds.INT16, "int32": kinds.INT32, "int64": kinds.INT64,
             "uint8": kinds.UINT8, "uint16": kinds.UINT16, "uint32": kinds.UINT32,
             "uint64": kinds.UINT64}.get(dtype.name)
    if found is None:
        raise ExportError(f"the dtype {dtype.name} has no ONNX form")
    return found


def model_of(graph: OnnxGraph, opset: int, external: bool) -> tuple[Any, list[tuple[Any, Any]]]:
    """The model, and the constants that go to a file of their own."""
    onnx = package()
    version = IR_VERSIONS.get(opset, onnx.IR_VERSION)
    apart: list[tuple[Any, Any]] = []
    model = onnx.helper.make_model(
        _graph_proto(onnx, graph), producer_name="tapeflow", ir_version=min(
            version, onnx.IR_VERSION), opset_imports=[onnx.helper.make_opsetid("", opset), *[
                onnx.helper.make_opsetid(one, EXTRA[one]) for one in sorted(graph.domains())]])
    for name, array in graph.constants.items():
        tensor = model.graph.initializer.add()
        if external and array.dtype.kind != "O" and array.nbytes > INLINE:
            tensor.name, tensor.data_type = name, element_type(onnx, array.dtype)
            tensor.dims.extend(array.shape)
            apart.append((tensor, array))
        else:
            tensor.CopyFrom(_tensor_proto(onnx, array, name))
    return model, apart


def _tensor_proto(onnx: Any, array: np.ndarray, name: str) -> Any:
    if array.dtype.kind == "O":
        return onnx.helper.make_tensor(name, onnx.TensorProto.STRING, array.shape, [
            one if isinstance(one, bytes) else str(one).encode() for one in array.ravel()])
    kind = element_type(onnx, array.dtype)
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False) \
        if array.dtype.kind != "V" else np.ascontiguousarray(array)
    return onnx.helper.make_tensor(name, kind, array.shape, little.tobytes(), raw=True)


def _graph_proto(onnx: Any, graph: OnnxGraph) -> Any:
    return onnx.helper.make_graph(
        [_node_proto(onnx, node) for node in graph.nodes], graph.name,
        [_port_proto(onnx, port) for port in graph.inputs],
        [_port_proto(onnx, port) for port in graph.outputs],
        value_info=[_port_proto(onnx, port) for port in graph.typed])


def _port_proto(onnx: Any, port: Port) -> Any:
    return onnx.helper.make_tensor_value_info(port.name, element_type(onnx, port.dtype),
                                              port.shape)


def _node_proto(onnx: Any, node: OnnxNode) -> Any:
    domain, _, kind = node.kind.rpartition(".")
    made = onnx.helper.make_node(kind, node.inputs, node.outputs, name=node.outputs[0],
                                 domain=domain)
    for key, value in node.attrs.items():
        if isinstance(value, OnnxGraph):
            value = _graph_proto(onnx, value)
        elif isinstance(value, np.dtype):
            value = element_type(onnx, value)
        made.attribute.append(onnx.helper.make_attribute(key, value))
    return made


def write(graph: OnnxGraph, path: str, opset: int, external: bool | None) -> Any:
    """Check a graph's model and write it; large constants go to a file beside it."""
    path = os.fspath(path)
    size = sum(array.nbytes for array in graph.constants.values() if array.dtype.kind != "O")
    if external is False and size > LARGEST:
        raise ExportError(f"{size} bytes of weights need external_data=True: one file of ONNX "
                          "holds 2 GB")
    model, apart = model_of(graph, opset, bool(external) or size > LARGEST)
    if apart:
        _write_apart(model, apart, path)
    else:
        package().checker.check_model(model, full_check=True)
        with atomic_files.replacing(path) as file:
            file.write(model.SerializeToString(deterministic=True))
    return model


def _write_apart(model: Any, apart: list[tuple[Any, Any]], path: str) -> None:
    """Model and data are made and checked in a folder of their own, then moved, the data first.

    The data's name has a sum of its content, so that an older model keeps the data it names.
    """
    atomic_files.clear(os.path.dirname(path))
    folder = atomic_files.part_of(path)
    os.mkdir(folder)
    try:
        total, at = hashlib.sha256(), 0
        raw = os.path.join(folder, "data")
        with open(raw, "wb") as file:
            for tensor, array in apart:
                content = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
                total.update(content)
                file.write(content)
                tensor.data_location = 1  # TensorProto.EXTERNAL
                for key, text in (("location", ""), ("offset", str(at)),
                                  ("length", str(len(content)))):
                    tensor.external_data.add(key=key, value=text)
                at += len(content)
        location = f"{os.path.basename(path)}.{total.hexdigest()[:12]}.data"
        for tensor, _ in apart:
            tensor.external_data[0].value = location
        os.replace(raw, os.path.join(folder, location))
        whole = os.path.join(folder, os.path.basename(path))
        with open(whole, "wb") as file:
            file.write(model.SerializeToString(deterministic=True))
        package().checker.check_model(whole, full_check=True)
        beside = os.path.join(os.path.dirname(path), location)
        os.replace(os.path.join(folder, location), beside)
        os.replace(whole, path)
        for old in glob.glob(glob.escape(path) + ".????????????.data"):
            if os.path.basename(old) != location:
                os.unlink(old)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        atomic_files.drop(folder)
