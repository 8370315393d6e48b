"""Writes tapeflow/tensorflow_graphs/definitions.txt: what TensorFlow's ops take and give.

    PYTHON-WITH-TENSORFLOW tools/raw_op_definitions.py

A line for each op that a module of tapeflow/tensorflow_graphs/ops implements; names, arguments and
defaults are those of TensorFlow's register.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "tapeflow" / "tensorflow_graphs"
HEAD = """# What TensorFlow's ops take and give; written by tools/raw_op_definitions.py.
# Name input:type … > output:type … | attribute:type=default …
# A type of an input is a dtype, the name of the attribute that holds it, N*T for N tensors of T, or
# [Ts] for a list of tensors of the types Ts; &T is a reference to a variable of T.
# reduction_indices/axis is reduction_indices in a graph and axis in tf.raw_ops.
"""


def implemented() -> list[str]:
    """The names of the ops that the modules implement, found in their text."""
    found: set[str] = set()
    for path in sorted((FOLDER / "ops").rglob("*.py")):
        text = path.read_text()
        found.update(re.findall(r"^@raw\ndef (\w+?)_?\(", text, re.M))
        for block in re.findall(r'same\("""(.*?)"""\)', text, re.S):
            found.update(line.split()[0] for line in block.splitlines()
                         if line.strip() and line[0] != " ")
    return sorted(found)


def _argument(one: Any, called: dict[str, str], dtypes: Any) -> str:
    name = called.get(one.name, one.name)
    if one.type_list_attr:
        return f"{name}:[{one.type_list_attr}]"
    kind = ("&" if one.is_ref else "") + (one.type_attr or dtypes.as_dtype(one.type).name)
    return f"{name}:{one.number_attr}*{kind}" if one.number_attr else f"{name}:{kind}"


def _renamed(definition: Any, function: Any) -> dict[str, str]:
    """Arguments that tf.raw_ops calls otherwise than graphs do: `graph's/public`."""
    own = [one.name for one in definition.input_arg]
    decided = {one.type_attr for one in definition.input_arg} | {
        one.number_attr for one in definition.input_arg} | {
        one.type_list_attr for one in definition.input_arg}
    own += [one.name for one in definition.attr if one.name not in decided]
    public = [one for one in inspect.signature(function).parameters if one != "name"]
    left = [one for one in public if one not in own]
    missing = [one for one in own if one not in public]
    if len(left) != len(missing):
        raise ValueError(f"{definition.name}: {own} and {public}")
    return {a: f"{a}/{b}" for a, b in zip(missing, left)}


def _plain(value: Any, kind: str, dtypes: Any) -> str:
    """A default as text: what `tapeflow.tensorflow_graphs.definition` reads back."""
    if kind.startswith("list("):
        inner = kind[5:-1]
        field = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type",
                 "shape": "shape"}[inner]
        parts = [_scalar(one, inner, dtypes) for one in getattr(value.list, field)]
        return "[" + ",".join(parts) + "]"
    field = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type",
             "shape": "shape", "tensor": "tensor", "func": "func"}[kind]
    return _scalar(getattr(value, field), kind, dtypes)


def _scalar(value: Any, kind: str, dtypes: Any) -> str:
    if kind == "string":
        return repr(value.decode("latin-1")).replace(" ", "\\x20")
    if kind == "type":
        return dtypes.as_dtype(value).name
    if kind == "shape":
        return "?" if value.unknown_rank else "x".join(str(d.size) for d in value.dim) or "()"
    if kind in ("tensor", "func"):
        raise ValueError(f"a default of kind {kind}")
    return repr(value)


def line(definition: Any, function: Any, dtypes: Any) -> str:
    called = _renamed(definition, function)
    inputs = " ".join(_argument(one, called, dtypes) for one in definition.input_arg)
    outputs = " ".join(_argument(one, {}, dtypes) for one in definition.output_arg)
    attributes = []
    for one in definition.attr:
        default = ""
        if one.HasField("default_value"):
            default = "=" + _plain(one.default_value, one.type, dtypes)
        attributes.append(f"{called.get(one.name, one.name)}:{one.type}{default}")
    parts = [definition.name, inputs, ">", outputs, "|", " ".join(attributes)]
    return " ".join(part for part in parts if part)


def main() -> int:
    import tensorflow as tf
    from tensorflow.python.framework import op_def_registry
    lines, unknown = [], []
    for name in implemented():
        function = getattr(tf.raw_ops, name, None)  # registers the op
        definition = op_def_registry.get(name)
        if definition is None:
            unknown.append(name)
            continue
        text = line(definition, function, tf.dtypes) if function else name
        lines += textwrap.wrap(text, 98, subsequent_indent="  ", break_long_words=False,
                               break_on_hyphens=False)
    if unknown:
        print("not in TensorFlow:", ", ".join(unknown), file=sys.stderr)
    (FOLDER / "definitions.txt").write_text(HEAD + "\n".join(lines) + "\n", "utf-8")
    print(f"{len(implemented()) - len(unknown)} ops")
    return int(bool(unknown))


if __name__ == "__main__":
    sys.exit(main())
