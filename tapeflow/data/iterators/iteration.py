"""What one iteration of a dataset is made of: a `Run`, and iterators over flat elements."""

from __future__ import annotations

from typing import Any

from tapeflow.base import errors


class Run:
    """One iterator of the user: what the datasets below it share.

    instances  functions of this run: random ops in them begin anew
    drawn      seeds that shuffles have taken: index in the dataset's row, seeds, the row's own
    replay     seeds to take instead, when an iterator goes on from a checkpoint
    hint       number and index of the shard that shard(SHARD_HINT, ...) means, if any
    """

    __slots__ = ("_branches", "drawn", "hint", "instances", "replay")

    def __init__(self, replay: list | None = None) -> None:
        self.instances: dict[int, Any] = {}
        self.drawn: list[tuple] = []
        self.replay: list[tuple] = list(reversed(replay or []))
        self.hint: tuple[int, int] | None = None
        self._branches: dict[tuple, tuple[Run, Any]] = {}

    def branch(self, owner: Any, index: int) -> Run:
        """The run of one of several inputs: a dataset that two of them share is not shared here.

        It is the same for every pass over `owner`.
        """
        key = (id(owner._structure), index)  # which copies of a dataset have in common
        if key not in self._branches:
            made = Run()
            made.drawn, made.replay, made.hint = self.drawn, self.replay, self.hint
            self._branches[key] = (made, owner._structure)
        return self._branches[key][0]


class ElementIterator:
    """A base for iterators over flat elements."""

    __slots__ = ()

    def __iter__(self) -> ElementIterator:
        return self

    def __next__(self) -> Any:
        raise NotImplementedError


def failed(message: str) -> Exception:
    """The error of an element that cannot be made."""
    return errors.invalid("IteratorGetNext", message)
