"""Puts a docstring together: the author's own words, arguments, result, gradient, example."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from tapeflow.core.record.op import NAMED, Op
from tapeflow.documentation.entries import Entry, entry_of, meaning

WIDTH = 88
# Words with which a sentence begins that does not name the result.
OTHERWISE = {"", "As", "Call", "For", "From", "In", "Make", "Runs", "Set", "TensorFlow's", "Undoes",
             "What", "Where", "Without", "Dataset.cardinality", "Dataset.get_single_element"}
KINDS = {"f": "floats", "V": "bfloat16", "i": "signed integers", "u": "unsigned integers",
         "c": "complex numbers", "b": "bools", "O": "strings"}


def compose(name: str, function: Any, words: str) -> str:
    """The docstring of the public function or class `tf.name`, whose author wrote `words`."""
    words = inspect.cleandoc(words).partition("\n\nArgs:\n")[0]
    entry = entry_of(name)
    if isinstance(function, type):
        return "\n\n".join(part for part in (words, example(entry, words)) if part) + "\n"
    words = words or entry.facts.get("summary", "")
    op = NAMED.get(entry.facts.get("op", ""))
    if "result" not in entry.facts:
        given = getattr(function, "result_in_words", None)
        if given or (kind := function.__annotations__.get("return")):
            entry.facts["result"] = given or annotated(str(kind))
    parts = [words, arguments(name, function), result(entry, words), raises(entry, op),
             gradient(entry, op), example(entry, words)]
    return "\n\n".join(part for part in parts if part) + "\n"


def example(entry: Entry, words: str) -> str:
    """`Example:`, unless the words have one."""
    if ">>> " in words or not entry.example:
        return ""
    return "Example:\n" + textwrap.indent("\n".join(entry.example), "    ")


def _filled(text: str, first: str = "    ", then: str = "    ") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=then,
                         break_long_words=False, break_on_hyphens=False)


def arguments(name: str, function: Any) -> str:
    """`Args:`, a line for each parameter, with its default."""
    lines = []
    for one in inspect.signature(function).parameters.values():
        if one.name in ("self", "cls"):
            continue
        stars = "*" * ((one.kind is one.VAR_POSITIONAL) + 2 * (one.kind is one.VAR_KEYWORD))
        text = f"{stars}{one.name}: {meaning(name, one.name) or 'As in TensorFlow.'}"
        if one.default is not one.empty and one.default is not None and one.name != "name":
            text += f" Default: {shown(one.default)}."
        lines.append(_filled(text, then=" " * 8))
    return "Args:\n" + "\n".join(lines) if lines else ""


def shown(default: Any) -> str:
    """A default as a program would write it."""
    if isinstance(default, type) or callable(default):
        return str(getattr(default, "__name__", default))
    name = getattr(default, "name", None)
    if isinstance(name, str) and type(default).__name__ == "DType":
        return f"tf.{name}"
    return repr(default)


def annotated(kind: str) -> str:
    """What an annotation says of a result."""
    kind = {"Any": "See above", "None": "None", "DatasetV2": "A tf.data.Dataset"}.get(kind, kind)
    return f"{kind}." if kind[0].isupper() and " " in kind or kind == "None" else f"`{kind}`."


def result(entry: Entry, words: str) -> str:
    """`Returns:`; where only shape and dtype are known, what it is by the function's own words."""
    text = entry.facts.get("result", "")
    if not text:
        return ""
    meant = _named(words)
    if meant and text.startswith(("A Tensor", "A tuple of Tensors")):
        text = f"{meant}: {text[0].lower()}{text[1:]}"
    return "Returns:\n" + _filled(text)


def _named(words: str) -> str:
    """The first sentence, if it names the result as most do; "" if it tells what is done."""
    first = " ".join(words.partition("\n\n")[0].split()).partition(". ")[0].removesuffix(".")
    first = first.partition(": ")[0]
    opening = first.partition(" ")[0]
    return "" if opening in OTHERWISE or ">>>" in first or len(first) > 160 else first


def raises(entry: Entry, op: Op | None) -> str:
    """`Raises:`, as the record says which dtypes an op takes, or as the entry says."""
    lines = [entry.facts["raises"]] if "raises" in entry.facts else []
    if op is not None and op.args and not lines:
        kinds = [text for kind, text in KINDS.items() if kind in op.allowed]
        if len(kinds) < len(KINDS):
            lines.append(f"tf.errors.InvalidArgumentError: for operands that are not "
                         f"{_listed(kinds, 'or')}.")
        if op.matching:
            first, second = op.args
            lines.append(f"tf.errors.InvalidArgumentError: for dtypes of `{first}` and `{second}` "
                         "that differ, and shapes that do not broadcast.")
    return "Raises:\n" + "\n".join(_filled(line, then=" " * 8) for line in lines) if lines else ""


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def gradient(entry: Entry, op: Op | None) -> str:
    """`Gradient:`: of the record where the function is one op, else what its example showed."""
    fact = entry.facts.get("gradient", "")
    if not fact and op is not None:
        fact = f"none: {op.reason}" if op.reason is not None else ""
    if not fact:
        return ""
    if fact.startswith("none"):
        reason = fact.removeprefix("none").removeprefix(": ")
        text = f"none{f' ({reason})' if reason else ''}."
        if op is not None and op.reason is not None:
            text += f" {op.advice}"
    else:
        names = [f"`{word}`" for word in fact.split()]
        text = f"with respect to {_listed(names, 'and')}; gradients of gradients too."
    return _filled(f"Gradient: {text}{_native(entry)}", first="", then="    ")


def _native(entry: Entry) -> str:
    fact = entry.facts.get("native", "")
    if fact == "yes":
        return " Compiled functions run it as native code."
    return f" Compiled functions call NumPy for {fact.removeprefix('no: ')}." if fact else ""
