"""Runs an example of a public function, and finds out what its docstring says of it.

The call in the example is made once more under a tape, with its floats watched, and once more in a
tf.function: which arguments have a gradient, which ops it consists of, what it returns.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import os
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.record.op import OPS, Op, Spec
from tapeflow.documentation.entries import Entry

PROBE = (3, 5, 7, 2)


def statements(example: list[str]) -> list[str]:
    """The source of an example, statement by statement, without outputs."""
    found: list[str] = []
    for line in example:
        if line.startswith(">>> "):
            found.append(line[4:])
        elif line.startswith("... ") or line == "...":
            found[-1] += "\n" + line[4:]
    return found


@contextlib.contextmanager
def own_folder() -> Iterator[None]:
    """A working folder that goes away: examples write files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def executed(example: list[str]) -> tuple[list[str], dict[str, Any]]:
    """The example with the outputs that it has now, and the names that it leaves."""
    space: dict[str, Any] = {"tf": tf, "np": np}
    lines: list[str] = []
    for source in statements(example):
        first, *rest = source.split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(compile(source + "\n", "<example>", "single"), space)  # prints as the prompt
            except Exception as error:
                ours = isinstance(error, tf.errors.OpError)
                name = f"{'tf.errors.' if ours else ''}{type(error).__name__}"
                printed.write(f"Traceback (most recent call last):\n{name}\n")
        lines += [line.rstrip() for line in printed.getvalue().splitlines()]
    return lines, space


def call_of(names: list[str], function: Any, example: list[str], space: dict[str, Any]) -> Any:
    """The bound arguments of the first call of the function in an example; None if there is none.
    """
    texts = {f"tf.{name}" for name in names}
    for source in reversed(statements(example)):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in texts:
                text = ast.unparse(ast.Call(ast.Name("bind"), node.args, node.keywords))
                try:
                    return eval(text, {**space, "bind": inspect.signature(function).bind})
                except (NameError, TypeError):
                    return None  # inside a lambda
    return None


def _operand(value: Any, required: bool) -> Any:
    """A tensor of floats for an argument that is an operand of floats, else None."""
    if isinstance(value, (tf.Tensor, tf.Variable, np.ndarray, list)) or (
            required and isinstance(value, (float, complex))):
        try:
            found = tf.convert_to_tensor(value)
        except Exception:
            return None
        return found if found.dtype.is_floating or found.dtype.is_complex else None
    return None


class Call:
    """A call with its floats as tensors, apart from the rest."""

    def __init__(self, function: Any, bound: inspect.BoundArguments):
        self.function, self.bound = function, bound
        self.tensors: dict[str, list] = {}
        for name, one in bound.signature.parameters.items():
            if name not in bound.arguments:
                continue
            value, many = bound.arguments[name], one.kind is one.VAR_POSITIONAL
            if many or isinstance(value, (list, tuple)) and value and all(
                    isinstance(part, tf.Tensor) for part in value):
                parts = [_operand(part, True) for part in value]
                if parts and all(part is not None for part in parts):
                    self.tensors[name] = parts
            elif (found := _operand(value, one.default is one.empty)) is not None:
                self.tensors[name] = [found]

    def __call__(self, *flat: Any) -> Any:
        arguments, left = dict(self.bound.arguments), list(flat)
        for name, tensors in self.tensors.items():
            mine, left = left[:len(tensors)], left[len(tensors):]
            many = isinstance(arguments[name], (list, tuple)) and len(tensors) == len(
                arguments[name]) and (len(tensors) > 1 or isinstance(arguments[name][0], tf.Tensor))
            arguments[name] = type(arguments[name])(mine) if many else mine[0]
        bound = inspect.BoundArguments(self.bound.signature, arguments)
        return self.function(*bound.args, **bound.kwargs)

    def flat(self) -> list:
        return [tensor for tensors in self.tensors.values() for tensor in tensors]


def ops_of(call: Call) -> list[Op]:
    """The ops that a call consists of, by a trace; none if it cannot be traced."""
    try:
        traced = tf.function(call.__call__, autograph=False)
        graph = traced.get_concrete_function(*call.flat())._trace.graph
    except Exception:
        return []
    return [node.op for node in graph.nodes]


def with_gradient(call: Call) -> list[str] | None:
    """The parameters whose gradient the tape finds; None where the call cannot be differentiated.
    """
    flat = call.flat()
    with tf.GradientTape() as tape:
        for tensor in flat:
            tape.watch(tensor)
        try:
            results = tf.nest.flatten(call(*flat), expand_composites=True)
        except Exception:
            return None
    results = [y for y in results if isinstance(y, tf.Tensor)
               and (y.dtype.is_floating or y.dtype.is_complex)]
    gradients = iter(tape.gradient(results, flat) if results else [None] * len(flat))
    return [name for name, tensors in call.tensors.items()
            if sum(next(gradients) is not None for _ in tensors)]


def facts(names: list[str], function: Any, entry: Entry, space: dict[str, Any]) -> None:
    """Write into an entry what its example shows."""
    bound = call_of(names, function, entry.example, space)
    for key in ("op", "gradient", "native"):
        entry.facts.pop(key, None)
    if bound is None:
        return
    call = Call(function, bound)
    ops = ops_of(call) if call.tensors else []
    mine = [op for op in ops if op.name in OPS]
    single = mine[0] if len(ops) == 1 and mine else None
    if single is not None:
        entry.facts["op"] = single.name
    differentiable = with_gradient(call) if call.tensors else None
    if differentiable:
        entry.facts["gradient"] = " ".join(differentiable)
    elif differentiable is not None:
        reasons = [op.reason for op in ops if op.reason]
        entry.facts["gradient"] = f"none: {reasons[-1]}" if reasons else "none"
    if ops:
        lacking = sorted({f"`{op.name}`" for op in ops if op.lower is None})
        entry.facts["native"] = f"no: {', '.join(lacking[:4])}" if lacking else "yes"
    if entry.facts.get("result", "?").endswith("?"):
        entry.facts["result"] = described(bound, call, single)


def described(bound: inspect.BoundArguments, call: Call, op: Op | None) -> str:
    """What a call returns, in a sentence; a `?` if it cannot be made a second time."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found = call.function(*bound.args, **bound.kwargs)
    except Exception:
        return "?"
    if isinstance(found, tf.Tensor):
        return _tensor(found, call, op, "axis" in bound.signature.parameters
                       and "keepdims" in bound.signature.parameters)
    if found is None:
        return "None."
    if isinstance(found, tf.data.Dataset):
        return "A tf.data.Dataset."
    if hasattr(found, "_fields"):
        return f"A named tuple ({', '.join(found._fields)})."
    if isinstance(found, (list, tuple)) and found and all(
            isinstance(one, tf.Tensor) for one in found):
        return f"A {type(found).__name__} of Tensors, {len(found)} in the example."
    kind = {"ndarray": "NumPy array"}.get(
                type(found).__name__, type(found).__name__.lstrip("_"))
    return f"{'An' if kind[0] in 'aeiouAEIO' else 'A'} {kind}."


def _tensor(found: Any, call: Call, op: Op | None, reduction: bool) -> str:
    names = list(call.tensors)
    same = [name for name, tensors in call.tensors.items() if tensors[0].dtype == found.dtype]
    dtype = f"dtype {found.dtype.name}" if not same else f"the dtype of `{same[0]}`"
    if op is not None and len(op.args) == 1 and names and _keeps_shape(op):
        return f"A Tensor of the shape of `{names[0]}` and of {dtype}."
    if op is not None and op.traits.broadcasts_operands and len(names) == 2:
        return f"A Tensor of the broadcast shape of `{names[0]}` and `{names[1]}`, of {dtype}."
    if reduction:
        return f"A Tensor of {dtype}, without the axes that were reduced."
    return f"A Tensor of {dtype}; in the example of shape {tuple(found.shape)}."


def _keeps_shape(op: Op) -> bool:
    try:
        return op.shape(Spec(PROBE, np.dtype("f4"))).shape == PROBE
    except Exception:
        try:
            return op.shape(Spec(PROBE, np.dtype("f4")), axis=0).shape == PROBE
        except Exception:
            return False
