"""Compiled programs on disk: a graph that was compiled before is loaded, not planned again.

The key is all that a program depends on: the graph to the last constant, the CPU, LLVM, the number
of threads, and the sources of tapeflow. A graph with something in it that has no name (a user's own
op, a body) has no key and is compiled in every process, from cached objects where those are there.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

import tapeflow.base
from tapeflow.base import dtypes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.record.op import OPS
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.jit.runtime import llvm_backend
from tapeflow.jit.runtime.image_cache.cache_files import read_cache, write_cache
from tapeflow.jit.runtime.image_cache.image import Image

MAX_CONSTANT_BYTES = 1 << 20  # of a constant in a key
PLAIN = (int, float, str, bytes, bool, type(None), np.dtype, np.generic)


PACKAGE = Path(tapeflow.base.__file__).resolve().parents[1]
LAYERS = ("base", "core", "ops", "graph", "jit")  # whose code decides what a program is


def _source_files() -> list[os.DirEntry]:
    """Of every layer, in order."""
    found: list[os.DirEntry] = []
    folders = [str(folder) for layer in LAYERS if (folder := PACKAGE / layer).is_dir()]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found.append(entry)
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return sorted(found, key=lambda entry: entry.path)


@functools.cache
def _sources() -> str:
    """A digest of the sources as they are now; of an installed tapeflow, always the same."""
    found = hashlib.sha256()
    for entry in _source_files():
        status = entry.stat()
        name = entry.path.removeprefix(str(PACKAGE))
        found.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()


class _NoKey(Exception):
    """Something in a graph has no name that other processes know."""


def key_of(graph: ir.Graph, threads: int) -> str | None:
    """The key of a graph's program, or None."""
    try:
        return llvm_backend.digest(f"{_graph_text(graph)}\n{threads}\n{_sources()}")
    except _NoKey:
        return None


def _graph_text(graph: ir.Graph) -> str:
    """A graph, line by line: types of new values, old ones by the order in which they came."""
    names: dict[ir.Value, str] = {}
    lines: list[str] = []
    types: dict[Any, str] = {}
    constants: dict[Any, str] = {}

    def type_of(shape: Any, dtype: Any) -> str:
        found = types.get((shape, dtype))
        if found is None:
            found = types[shape, dtype] = f"{dtype}{shape}"
        return found

    def define(value: ir.Value) -> str:
        names[value] = str(len(names))
        return type_of(value.shape, value.dtype)

    def refer(value: ir.Value) -> str:
        if value.const is None:
            return names[value]
        array = value.const
        if array.nbytes > MAX_CONSTANT_BYTES or array.dtype.kind == "O":
            raise _NoKey
        key = type_of(array.shape, array.dtype), array.tobytes()
        if key not in constants:
            constants[key] = f"{key[0]}{hashlib.sha256(key[1]).hexdigest()}"
        return constants[key]

    lines.append(" ".join([define(value) for value in graph.inputs]))
    positions = {uid: i for i, uid in enumerate(graph.variables)}
    lines.append(" ".join([define(use.initial) for use in graph.variables.values()]))
    for node in graph.nodes:
        op, attrs = node.op, ""
        if op is write:
            attrs = f"variable {positions[node.attrs['variable']]}"
        elif OPS.get(op.name) is not op:
            raise _NoKey
        elif node.attrs:
            attrs = " ".join([
                f"{name}={refer(attr) if isinstance(attr, ir.Value) else _attribute_text(attr)}"
                for name, attr in sorted(node.attrs.items())])
        read = " ".join([refer(value) for value in node.inputs])
        made = " ".join([define(value) for value in node.outputs])
        lines.append(f"{op.name} {read} ; {attrs} ; {made}")
    lines.append(" ".join([refer(value) for value in graph.outputs]))
    return "\n".join(lines)


def _attribute_text(attr: Any) -> str:
    if isinstance(attr, (tuple, list)):
        return f"({', '.join(_attribute_text(one) for one in attr)})"
    if not isinstance(attr, PLAIN):
        raise _NoKey
    return f"{type(attr).__name__}:{attr!r}"


# -- the file ------------------------------------------------------------------------------------
# The length of a header, the header in JSON, then the bytes of objects and constants one after
# another. Nothing in it is executed but the objects, which the cache has seen to be the user's own.
_LENGTH = struct.Struct("<I")


def load(key: str | None) -> Image | None:
    """What was saved under a key."""
    data = None if key is None else read_cache(key)
    try:
        return None if data is None else _unpacked(data)
    except unsignalled(ValueError, KeyError, TypeError, struct.error):
        return None  # written by another version: it is made anew


def save(key: str | None, image: Image) -> None:
    """Keep a compiled function, if no NumPy kernel is called between parts of it."""
    if key is not None and image.one_segment:
        write_cache(key, _packed(image))


def _packed(image: Image) -> bytes:
    header = json.dumps({
        **vars(image), "objects": [len(one) for one in image.objects],
        "constants": [(dtypes.of(array.dtype).name, array.shape) for array in image.constants],
    }, default=lambda scalar: scalar.item()).encode()
    return b"".join([_LENGTH.pack(len(header)), header, *image.objects,
                     *[array.tobytes() for array in image.constants]])


def _unpacked(data: bytes) -> Image:
    size, = _LENGTH.unpack_from(data)
    offset = _LENGTH.size + size
    fields = json.loads(data[_LENGTH.size:offset])
    objects, constants = [], []
    for length in fields["objects"]:
        objects.append(data[offset:offset + length])
        offset += length
    for name, shape in fields["constants"]:
        array = np.empty(shape, dtypes.as_dtype(name).np)  # aligned, as a slice of `data` is not
        array.reshape(-1).view(np.uint8).data[:] = data[offset:offset + array.nbytes]
        constants.append(array)
        offset += array.nbytes
    if offset != len(data):
        raise ValueError("a program of another length")
    return Image(**{**fields, "objects": objects, "constants": constants})
