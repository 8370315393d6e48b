"""What reports that nobody asked for have in common: a watch that goes on, and where they go."""

from __future__ import annotations

import logging
from typing import Any

from tapeflow.core.state import state
from tapeflow.insight.births import Birth, BirthWatch

HINT = ("`tapeflow run --debug script.py`, or tf.insight.debug() around the loop, names the op "
        "and line where it is born.")


class Collecting(BirthWatch):
    """Goes on to the end of the step: what its results tell may matter more than a variable."""

    __slots__ = ("arrivals",)

    def __init__(self) -> None:
        super().__init__()
        self.arrivals: list[tuple[str, Any, Birth]] = []

    def arrived(self, what: str, value: Any, birth: Birth) -> None:
        self.arrivals.append((what, value, birth))

    def worst(self) -> tuple[str, Any, Birth]:
        """A birth in the forward pass comes before those that follow from it."""
        return next((one for one in self.arrivals if one[2].forward is None), self.arrivals[0])


def watching() -> bool:
    """Whether nothing is to be told: a function is being traced, or `debug` listens."""
    return state.trace is not None or any(isinstance(one, BirthWatch) for one in state.stack)


def log(text: str) -> None:
    logging.getLogger("tensorflow").warning(text)
