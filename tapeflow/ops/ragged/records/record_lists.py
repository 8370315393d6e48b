"""Python's dicts and lists as structured tensors, and back: values by field, or by record."""

from __future__ import annotations

from typing import Any

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.late import LatePublic

_constant = LatePublic("constant")
_ragged_constant = LatePublic("ragged.constant")


def from_python(cls: Any, value: Any, path: tuple) -> Any:
    """A StructuredTensor of dicts, a ragged or plain tensor of lists, a scalar of what is left."""
    if isinstance(value, dict):
        return cls.from_fields({name: from_python(cls, one, (*path, name))
                                for name, one in value.items()})
    if not isinstance(value, (list, tuple)):
        return _tensor(_constant, value, path)
    names: dict[str, None] = {}
    rank = _depth(value, names)
    if rank is None:
        return _tensor(_ragged_constant, value, path)
    if not names:
        return _nameless(cls, value, rank)
    fields = {name: from_python(cls, _field_major(value, name), (*path, name)) for name in names}
    try:
        return cls.from_fields(fields, [None] * rank)
    except unsignalled(Exception) as problem:
        raise ValueError(f"Error parsing path {path!r}") from problem


def _tensor(make: Any, value: Any, path: tuple) -> Any:
    try:
        return make(value)
    except unsignalled(Exception) as problem:
        raise ValueError(f"Error parsing path {path!r}") from problem


def _depth(value: Any, names: dict[str, None]) -> int | None:
    """How deep in lists the dicts are, whose keys are added to `names`; None without dicts."""
    if isinstance(value, dict):
        names.update(dict.fromkeys(value))
        return 0
    if not isinstance(value, (list, tuple)):
        return None
    depths = {_depth(one, names) for one in value} - {None}
    if len(depths) > 1:
        raise ValueError("Inconsistent depth of dictionaries")
    return depths.pop() + 1 if depths else None  # type: ignore[operator]


def _field_major(value: Any, name: str) -> Any:
    """What one field is in each dict, in lists as the dicts are."""
    if isinstance(value, dict):
        return value[name]
    if not isinstance(value, (list, tuple)):
        raise ValueError("Expected dict or nested list/tuple of dict")
    return [_field_major(one, name) for one in value]


def _nameless(cls: Any, value: Any, rank: int) -> Any:
    """Records without fields have a shape alone."""
    if rank == 1:
        return cls.from_fields({}, [len(value)], len(value))
    zeros = _ragged_constant(_zeros(value), ragged_rank=rank - 1)
    return cls.from_fields({}, [len(value), *[None] * (rank - 1)], len(value),
                           list(zeros._nested_row_partitions))


def _zeros(value: Any) -> Any:
    return 0 if isinstance(value, dict) else [_zeros(one) for one in value]


def node_major(names: list[str], values: list, depth: int) -> Any:
    """Dicts, in lists that deep, of a list of values for each field."""
    if not depth:
        return dict(zip(names, values, strict=True))
    return [node_major(names, list(one), depth - 1) for one in zip(*values, strict=True)]


def without_fields(splits: list[list[int]], rows: int) -> list:
    """Empty dicts in the rows that `splits` cut."""
    if not splits:
        return [{} for _ in range(rows)]
    inner = without_fields(splits[1:], splits[0][-1])
    return [inner[begin:end] for begin, end in zip(splits[0], splits[0][1:], strict=False)]
