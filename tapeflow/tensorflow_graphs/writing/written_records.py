"""Which function writes which record as TensorFlow's ops.

`@written("reduce_sum")` above `def reduce_sum(w, node, x)` says it: `w` is the body that is being
written (`node_writer.py`), `node` the node of our graph with its attributes, and the operands
follow as Refs. The function returns a Ref, or a tuple of them, one for each result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path

_writers: dict[str, Callable] = {}


def written(*names: str) -> Callable[[Callable], Callable]:
    """Register a function that writes the records of some names."""
    def register(function: Callable) -> Callable:
        for name in names:
            if name in _writers:
                raise ValueError(f"the record {name} is written twice")
            _writers[name] = function
        return function

    return register


def same(table: str) -> None:
    """Register records that are ops of the same inputs without attributes: lines `record Op`."""
    for line in table.splitlines():
        if line.strip():
            record, op = line.split()
            written(record)(lambda w, node, *xs, op=op: w.emit(op, xs))


def writer_of(name: str) -> Callable | None:
    """The function that writes a record; one for strings is written as the others are."""
    load()
    return _writers.get(name) or _writers.get(name.removesuffix("_strings"))


def writable() -> list[str]:
    """The names of all records that are written."""
    load()
    return sorted(_writers)


@lru_cache(1)
def load() -> None:
    """Import the modules that write records, and their gradients."""
    import_module("tapeflow.tensorflow_graphs.writing.waiting_moves")
    folder = Path(__file__).with_name("records")
    for path in sorted(folder.rglob("*.py")):
        if path.stem != "__init__":
            name = ".".join(path.relative_to(folder).with_suffix("").parts)
            import_module(f"tapeflow.tensorflow_graphs.writing.records.{name}")
