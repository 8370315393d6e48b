"""A file that shows that native code is wrong: the graph, the values, and what to run.

The file is a Python program that needs nothing but tapeflow: it builds the graph again, compiles it
and compares. It holds no code of the user's, only op names, plain attributes and arrays.
"""

from __future__ import annotations

import base64
import hashlib
import json
import platform
import sys
import tempfile
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tapeflow.core.record.op import NAMED, Op
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.variable_ops import write as write_variable
from tapeflow.jit.runtime.image_cache import cache_files
from tapeflow.jit.runtime.target import host

LARGEST = 64 << 20  # bytes of arrays in a file
PLAIN = (int, float, str, bool, type(None))

FILE = '''"""Native code of the graph {name!r} gave other results than NumPy.

Run this file: it compares the two again. tapeflow {version}, {machine}.

{text}
"""

from tapeflow.jit.verification.reproduction import repeat

repeat(r"""
{data}
""")
'''


class Unwritable(ValueError):
    """A graph that has something in it which a file cannot hold."""


def folder() -> Path:
    """Where files go: beside the cache of objects; without one, a new temporary folder."""
    objects = cache_files.folder()
    if objects is None:
        return Path(tempfile.mkdtemp(prefix="tapeflow-"))
    where = objects / "reports"
    cache_files.own_folder(where)
    return where


def write(graph: ir.Graph, comparison: Any, outcome: Any) -> Path:
    """Write the file, of which there is one for each graph; returns where it is."""
    text = ir.text(graph)
    try:
        data = json.dumps(encoded(graph, comparison))
    except Unwritable as error:
        data = json.dumps({"incomplete": str(error)})
    content = FILE.format(
        name=graph.name, version=version("tapeflow"), data=data,
        machine=f"Python {platform.python_version()}, NumPy {np.__version__}, "
                f"llvmlite {version('llvmlite')}, {host().cpu}",
        text=f"{_differences(outcome)}\n\n{text}".replace("\\", "\\\\").replace('"""', "'''"))
    path = folder() / f"miscompile-{hashlib.sha256(text.encode()).hexdigest()[:12]}.py"
    path.write_text(content)
    return path


def _differences(outcome: Any) -> str:
    lines = []
    for i, (x, y) in enumerate(zip(outcome.got, outcome.wanted, strict=True)):
        x, y = np.asarray(x), np.asarray(y)
        if x.shape != y.shape:
            lines.append(f"end {i}: shape {x.shape}, not {y.shape}")
        elif not np.array_equal(x, y, equal_nan=y.dtype.kind in "fc"):
            at = np.argwhere(x != y)[0]
            lines.append(f"end {i}: {np.count_nonzero(x != y)} of {y.size} elements differ, the "
                         f"first at {at.tolist()}: {x[tuple(at)]}, not {y[tuple(at)]}")
    return "\n".join(lines)


# -- graphs as plain data --------------------------------------------------------------------------
def encoded(graph: ir.Graph, comparison: Any) -> dict:
    """The graph and the values of a comparison as what JSON holds."""
    total = sum(np.asarray(x).nbytes for x in (*comparison.arrays, *comparison.values))
    if total > LARGEST:
        raise Unwritable(f"the values have {total:,} bytes")
    return {"graph": _encode_graph(graph),
            "arrays": [_encode_array(x) for x in comparison.arrays],
            "values": [_encode_array(x) for x in comparison.values]}


def _encode_array(x: Any) -> dict:
    x = np.asarray(x)
    if x.dtype.kind not in "biufcV" or x.nbytes > LARGEST:
        raise Unwritable(f"an array of {x.dtype} with {x.size:,} elements")
    packed = base64.b64encode(zlib.compress(x.tobytes())).decode()
    return {"dtype": x.dtype.name, "shape": list(x.shape), "data": packed}


def _decode_array(made: dict) -> Any:
    import ml_dtypes
    dtype = np.dtype(getattr(ml_dtypes, made["dtype"], made["dtype"]))
    data = zlib.decompress(base64.b64decode(made["data"]))
    return np.frombuffer(data, dtype).reshape(made["shape"]).copy()[()]


def _encode_graph(graph: ir.Graph) -> dict:
    index_of: dict[ir.Value, int] = {}

    def new(value: ir.Value) -> dict:
        index_of[value] = len(index_of)
        return {"shape": None if value.shape is None else list(value.shape),
                "dtype": value.dtype.name}

    def old(value: ir.Value) -> Any:
        return index_of[value] if value.const is None else _encode_array(value.const)

    def attr(x: Any) -> Any:
        if isinstance(x, PLAIN):
            return x
        if isinstance(x, tuple):
            return {"tuple": [attr(one) for one in x]}
        if isinstance(x, (np.generic, np.ndarray)):
            return {"array": _encode_array(x)}
        if isinstance(x, np.dtype):
            return {"dtype": x.name}
        if isinstance(x, ir.Value):
            return {"value": old(x)}
        if isinstance(x, GraphFunction):
            return {"graph": _encode_graph(x.graph)}
        raise Unwritable(f"an attribute of the kind {type(x).__name__}")

    made: dict[str, Any] = {"name": graph.name, "inputs": [new(x) for x in graph.inputs],
                            "variables": [new(use.initial) for use in graph.variables.values()]}
    position_of = {uid: i for i, uid in enumerate(graph.variables)}
    made["nodes"] = nodes = []
    for node in graph.nodes:
        written = node.op is write_variable
        attrs = {"variable": position_of[node.attrs["variable"]]} if written else {
            key: attr(x) for key, x in node.attrs.items()}
        nodes.append({"op": _name_of(node.op), "inputs": [old(x) for x in node.inputs],
                      "attrs": attrs, "outputs": [new(x) for x in node.outputs]})
    made["outputs"] = [old(x) for x in graph.outputs]
    return made


def _name_of(op: Op) -> str:
    if NAMED.get(op.name) is not op:
        raise Unwritable(f"the op {op.name!r} belongs to a function of the program")
    return op.name


def _decode_graph(made: dict) -> tuple[ir.Graph, list[Variable]]:
    import ml_dtypes
    values: list[ir.Value] = []
    graph = ir.Graph(made["name"])

    def new(spec: dict, node: ir.Node | None = None, index: int = 0) -> ir.Value:
        shape = None if spec["shape"] is None else tuple(spec["shape"])
        dtype = np.dtype(getattr(ml_dtypes, spec["dtype"], spec["dtype"]))
        values.append(ir.Value(shape, dtype, node, index))
        return values[-1]

    def old(saved: Any) -> ir.Value:
        return values[saved] if isinstance(saved, int) else ir.constant(_decode_array(saved))

    def attr(x: Any) -> Any:
        if not isinstance(x, dict):
            return x
        (kind, inner), = x.items()
        if kind == "tuple":
            return tuple([attr(one) for one in inner])
        if kind == "dtype":
            return np.dtype(getattr(ml_dtypes, inner, inner))
        return (_decode_array(inner) if kind == "array" else old(inner) if kind == "value"
                else GraphFunction(_decode_graph(inner)[0], inner=True))

    graph.inputs = [new(spec) for spec in made["inputs"]]
    variables = []
    for spec in made["variables"]:
        first = new(spec)
        variables.append(Variable(np.zeros(first.shape or (), first.dtype)))
        graph.variables[variables[-1]._uid] = ir.VariableUse(variables[-1], first)
    for one in made["nodes"]:
        op = NAMED[one["op"]]
        attrs = {key: attr(x) for key, x in one["attrs"].items()}
        if op is write_variable:
            attrs = {"variable": variables[attrs["variable"]]._uid}
        node = ir.Node(op, tuple([old(x) for x in one["inputs"]]), attrs)
        node.outputs = tuple([new(spec, node, i) for i, spec in enumerate(one["outputs"])])
        graph.nodes.append(node)
    graph.outputs = [old(x) for x in made["outputs"]]
    return graph, variables


def decoded(data: dict) -> tuple[ir.Graph, list, list[Variable]]:
    """The graph, its arguments, and variables that hold the values."""
    from tapeflow.base.exports import load_all
    load_all()
    graph, variables = _decode_graph(data["graph"])
    for variable, value in zip(variables, data["values"], strict=True):
        variable._swap(_decode_array(value))
    return graph, [_decode_array(x) for x in data["arrays"]], variables


def repeat(text: str) -> None:
    """Compare again what a file holds; the exit status is 1 if native code is still wrong."""
    from tapeflow.jit.pipeline import compile
    from tapeflow.jit.verification.native_comparison import Comparison
    data = json.loads(text)
    if "incomplete" in data:
        sys.exit(f"The file does not hold the graph: {data['incomplete']}.")
    graph, arrays, variables = decoded(data)
    comparison = Comparison(graph, arrays, [one._snapshot._value for one in variables])
    outcome = comparison.judge(compile(graph), variables)
    if outcome.same is False:
        sys.exit(f"Native code gives other results than NumPy.\n{_differences(outcome)}")
    print("Native code agrees with NumPy.")
