"""Writes what docstrings hold beside functions' own words (`tapeflow/documentation/examples`).

    python tools/docstrings.py            run every example again; draft those that are missing
    python tools/docstrings.py --check    fail if an example prints, or shows, something else
    python tools/docstrings.py --missing  list what lacks an example, a result or meanings

The lines with >>> in the files are written by hand or drafted; outputs and facts are filled in.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docstring_drafts import draft  # noqa: E402
from docstring_facts import executed, facts, own_folder  # noqa: E402

import tapeflow as tf  # noqa: E402
from tapeflow.api.docstrings import HEAP, Docstring  # noqa: E402
from tapeflow.base import exports  # noqa: E402
from tapeflow.documentation.composition import compose  # noqa: E402
from tapeflow.documentation.entries import HERE, Entry, entry_of, file_of, meaning  # noqa: E402

SKIPPED = ("__internal__", "__operators__")
CLASSES = ("GradientTape", "Variable", "Tensor", "TensorArray", "RaggedTensor", "SparseTensor",
           "TensorShape", "TensorSpec", "IndexedSlices", "Module", "data.Dataset",
           "random.Generator", "autodiff.ForwardAccumulator", "io.TFRecordWriter",
           "train.Checkpoint")
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")
SPACE = re.compile(r"\s+")


def own_words(function: Any) -> str:
    """What an author wrote, of a docstring in any state."""
    doc = function.__doc__ or ""
    if type(doc) is Docstring:
        return str.__str__(doc)
    return doc.partition("\n\nArgs:\n")[0].partition("\n\nExample:\n")[0]


def load_all() -> None:
    """Load every public name; what is loaded may put off more."""
    exports.load_all()
    exports.load_all()


def functions() -> dict[str, tuple[list[str], Any]]:
    """Every public function by its first name, with all its names."""
    load_all()
    found: dict[int, tuple[list[str], Any]] = {}
    for name, value in exports.PUBLIC.items():
        if isinstance(value, types.FunctionType) and not name.startswith("__"):
            found.setdefault(id(value), ([], value))[0].append(name)
    return {names[0]: (names, value) for names, value in found.values()} | methods()


def methods() -> dict[str, tuple[list[str], Any]]:
    """The public methods of the classes that programs meet most, with words of their own."""
    load_all()
    found = {}
    for kind in CLASSES:
        owner = exports.PUBLIC[kind]
        for name in list(vars(owner)):
            getattr(owner, name, None)  # loads it
            value = vars(owner)[name]
            function = getattr(value, "__func__", value)
            if name[0] != "_" and isinstance(function, types.FunctionType) and function.__doc__:
                found[f"{kind}.{name}"] = ([f"{kind}.{name}"], function)
    return found


def classes() -> dict[str, tuple[list[str], type]]:
    """Every public class of ours by its first name, with all its names."""
    load_all()
    found: dict[int, tuple[list[str], type]] = {}
    for name, value in exports.PUBLIC.items():
        if isinstance(value, type) and value.__flags__ & HEAP and not name.startswith("__"):
            found.setdefault(id(value), ([], value))[0].append(name)
    return {names[0]: (names, value) for names, value in found.values()}


def refreshed(name: str, names: list[str], function: Any, drafts: bool = True) -> Entry:
    """The entry of a function with outputs and facts as they are now; drafted if it has none."""
    old = entry_of(name)
    entry = Entry(name)
    entry.facts, entry.example = dict(old.facts), old.example
    own = [line.strip() for line in inspect.cleandoc(own_words(function)).splitlines()]
    start = next((n for n, line in enumerate(own) if line.startswith(">>> ")), None)
    shown = own[start:] if start is not None else []
    if not old.lines()[1:] and not shown and drafts and not isinstance(function, type):
        entry.example = draft(name, names, function)
    tf.random.set_seed(0)
    entry.example, space = executed(entry.example)
    if isinstance(function, type):
        return entry
    if name.startswith("raw_ops."):  # what its op does stands with the functions that users call
        return entry
    if shown and not entry.example:
        probe = Entry(name)
        probe.facts, probe.example = entry.facts, shown
        _, space = executed(shown)
        facts(names, function, probe, space)
    else:
        facts(names, function, entry, space)
    return entry


def alike(old: list[str], new: list[str]) -> bool:
    """Whether two texts are the same but for padding and the last digits of numbers."""
    first, second = "\n".join(old), "\n".join(new)
    if first == second:
        return True
    if SPACE.sub("", NUMBER.sub("#", first)) != SPACE.sub("", NUMBER.sub("#", second)):
        return False
    pairs = zip(NUMBER.findall(first), NUMBER.findall(second))
    return all(abs(float(a) - float(b)) <= 2e-5 * max(1.0, abs(float(a))) for a, b in pairs)


def missing(name: str, function: Any) -> list[str]:
    """What the docstring of a function lacks."""
    text = compose(name, function, own_words(function))
    lacking = [] if ">>> " in text else ["example"]
    if isinstance(function, type):
        return lacking
    lacking += [] if "\nReturns:\n" in text else ["result"]
    lacking += [one for one in inspect.signature(function).parameters
                if not meaning(name, one) and one not in ("self", "cls")]
    return lacking


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--missing", action="store_true", help="list what is missing")
    parser.add_argument("--only", default="", help="functions whose names begin so")
    options = parser.parse_args()
    tf.get_logger().setLevel("ERROR")  # of functions that are traced again and again
    known = {name: value for name, value in (functions() | classes()).items()
             if not name.startswith(SKIPPED) and name.startswith(options.only)}
    if options.missing:
        for name, (_, function) in known.items():
            if lacking := missing(name, function):
                print(name, *lacking)
        return 0
    files: dict[str, dict[str, Entry]] = {}
    wrong = 0
    for name, (names, function) in sorted(known.items()):
        with own_folder():
            entry = refreshed(name, names, function,
                              not (options.check and name.startswith("raw_ops.")))
        if options.check and not alike(entry_of(name).lines(), entry.lines()):
            wrong += 1
            print("\n".join(["", *entry_of(name).lines(), "-- now", *entry.lines()]))
        files.setdefault(file_of(name), {})[name] = entry
    if not options.check:
        for file, entries in files.items():
            path = HERE / "examples" / f"{file}.txt"
            path.write_text("\n\n".join("\n".join(one.lines()) for one in entries.values()
                                        if one.example or one.facts) + "\n", encoding="utf-8")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
