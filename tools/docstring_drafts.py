"""A first example for a public function that has none: a call that is known to work.

Elementwise ops get values from the samples of their record; other functions the good arguments of
`tests/hostile/good.tsv`, with ones and the like made into distinct numbers where that works too.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from raw_drafts import raw_candidates

import tapeflow as tf
from tapeflow.core.record.op import Op
from tapeflow.core.record.samples import Samples

GOOD = Path(__file__).resolve().parents[1] / "tests" / "hostile" / "good.tsv"
LONGEST = 88
MOST_LINES = 6


# What methods are called on, by class.
RECEIVERS = {
    "Tensor": "constant([[1.0, 2.0], [3.0, 4.0]])",
    "Variable": "Variable([[1.0, 2.0], [3.0, 4.0]])",
    "TensorArray": "TensorArray(tf.float32, 3, clear_after_read=False).unstack([1.0, 2.0, 3.0])",
    "RaggedTensor": "ragged.constant([[1.0], [2.0, 3.0]])",
    "SparseTensor": "sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])",
    "TensorShape": "TensorShape([2, None])",
    "TensorSpec": "TensorSpec([2, None], tf.float32)",
}


def _with_words(method: str) -> list[str]:
    """A method whose result says nothing: what kind of thing it returns."""
    return [f"type(tf.{method}({good_arguments()[method]})).__name__"]


@cache
def good_arguments() -> dict[str, str]:
    """Good arguments by the name of a function below tf."""
    rows = [line.split("\t") for line in GOOD.read_text(encoding="utf-8").splitlines()]
    return {row[0].removeprefix("tf."): row[2] for row in rows}


def closed_over(function: Any) -> Op | None:
    """The record that a function of a family closes over."""
    for cell in inspect.unwrap(function).__closure__ or ():
        if isinstance(cell.cell_contents, Op):
            return cell.cell_contents
    return None


def _from_samples(op: Op) -> list[str]:
    check: Samples = op.check
    operands = []
    for low, high in [(check.low, check.high), check.second or (check.low, check.high)]:
        step = (high - low) / 4
        operands.append([round(low + step * n + 0.1 * len(operands), 1) for n in (1, 2, 3)])
    return [repr(one) for one in operands[:len(op.args)]]


class _Distinct(ast.NodeTransformer):
    """tf.ones([2, 3]) as numbers that differ; tensors of literals as the literals."""

    def __init__(self, lists: bool):
        self.lists = lists

    def visit_Call(self, node: ast.Call) -> ast.AST:
        text = ast.unparse(node)
        if re.fullmatch(r"tf\.ones\(\[[\d, ]*\]\)", text):
            shape = ast.literal_eval(node.args[0])
            size = int(np.prod(shape))
            if self.lists and size <= 8:
                values = np.arange(1, size + 1.0).reshape(shape)
                return ast.parse(repr(values.tolist()), mode="eval").body
            if size > 1:
                return ast.parse(f"tf.reshape(tf.range({size}.0), {shape})", mode="eval").body
        if self.lists and re.fullmatch(r"tf\.constant\(\[[^()]*\]\)", text):
            return node.args[0]
        return self.generic_visit(node)


def _arranged(function: Any, good: str) -> str:
    """Keyword arguments that are the first parameters, by position."""
    call = ast.parse(f"f({good})", mode="eval").body
    assert isinstance(call, ast.Call)
    given = {str(one.arg): ast.unparse(one.value) for one in call.keywords}
    words = [ast.unparse(one) for one in call.args]
    parameters = list(inspect.signature(function).parameters.values())
    for one in parameters[len(words):]:
        if one.kind is not one.POSITIONAL_OR_KEYWORD or one.name not in given:
            break
        words.append(given.pop(one.name))
    return ", ".join([*words, *(f"{name}={value}" for name, value in given.items())])


def _sound(value: Any) -> bool:
    """Whether a result teaches something: finite, not all alike."""
    for leaf in tf.nest.flatten(value):
        if isinstance(leaf, tf.Tensor) and (leaf.dtype.is_floating or leaf.dtype.is_complex):
            array = leaf.numpy()
            if array.dtype.kind in "fc" and not np.all(np.isfinite(array)):
                return False
    return True


def shortened(call: str, value: Any) -> str:
    """The expression whose value is shown: the call itself, or shapes of what is long."""
    text = repr(value)
    if " at 0x" not in text and "\n\n" not in text and (
            text.count("\n") < MOST_LINES and len(text) < 420):
        return call
    if isinstance(value, tf.Tensor):
        return f"{call}.shape"
    if isinstance(value, tf.data.Dataset):
        return f"list({call}.as_numpy_iterator())"
    if isinstance(value, (list, tuple)) and all(isinstance(one, tf.Tensor) for one in value):
        return f"[part.shape for part in {call}]"
    return f"type({call}).__name__"


def wrapped(source: str) -> list[str]:
    """The lines of an example: a long call has a line for each argument."""
    if len(source) <= LONGEST:
        return [f">>> {source}"]
    call = ast.parse(source, mode="eval").body
    rest = ""
    while not isinstance(call, ast.Call):  # f(…).shape
        if not isinstance(call, ast.Attribute):
            return [f">>> {source}"]
        call, rest = call.value, f".{call.attr}{rest}"
    words = [*(ast.unparse(one) for one in call.args), *(ast.unparse(one) for one in call.keywords)]
    return [f">>> {ast.unparse(call.func)}(", *(f"...     {word}," for word in words[:-1]),
            f"...     {words[-1]}){rest}"]


def candidates(name: str, names: list[str], function: Any) -> list[str]:
    """Calls that may serve, best first."""
    if name.startswith("raw_ops."):
        return raw_candidates(name.partition(".")[2])
    op = closed_over(function)
    found = []
    if op is not None and isinstance(op.check, Samples):
        found.append(f"tf.{name}({', '.join(_from_samples(op))})")
    receiver = RECEIVERS.get(name.rpartition(".")[0])
    method = receiver and f"{receiver}.{name.rpartition('.')[2]}"
    if method in good_arguments():
        return [f"tf.{method}({good_arguments()[method]})", *_with_words(method)]
    good = next((good_arguments()[one] for one in names if one in good_arguments()), None)
    if good is not None:
        plain = ast.parse(f"f({_arranged(function, good)})", mode="eval").body
        for lists in (True, False, None):
            tree = ast.parse(ast.unparse(plain), mode="eval").body
            assert isinstance(tree, ast.Call)
            if lists is not None:
                transform = _Distinct(lists)
                tree.args = [transform.visit(one) for one in tree.args]
                for one in tree.keywords:
                    one.value = transform.visit(one.value)
            found.append(f"tf.{name}{ast.unparse(tree)[1:]}")
    if not inspect.signature(function).parameters:
        found.append(f"tf.{name}()")
    return found


def draft(name: str, names: list[str], function: Any) -> list[str]:
    """An example without its output; empty if no call is known."""
    for call in candidates(name, names, function):
        try:
            value = eval(call, {"tf": tf, "np": np})
            if _sound(value):
                shown = shortened(call, value)
                eval(shown, {"tf": tf, "np": np})
                return wrapped(shown)
        except Exception:
            continue
    return []
