"""Custom gradients of a file: an IdentityN node whose gradient is a function of the file.

The node passes results on, and behind them what they were made of. The function takes the gradients
of all of these, and further what it captured: tensors of the function in which the node stands, or
of one around that (a loop around its body), variables and constants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tapeflow.base import errors
from tapeflow.core.autodiff.custom_gradient import record_user_op, user_op
from tapeflow.core.values.tensor import Tensor
from tapeflow.tensorflow_graphs.node_results import find
from tapeflow.tensorflow_graphs.public import tf


class Capture(NamedTuple):
    """A tensor of a function, `node:0`."""

    function: str
    tensor: str


class SavedGradient:
    """One custom gradient.

    run       calls its function: flat arguments to a list of results
    captured  what it takes behind the gradients: Captures, or callables for what is no tensor
    packed    its results with None for those that it does not give
    """

    def __init__(self, name: str, run: Callable, captured: list,
                 packed: Callable[[list], list] | None):
        self.name, self.captured = name, captured
        self._run, self._packed = run, packed
        self._op = user_op(name)

    def identity(self, given: list, frames: tuple) -> list:
        """The tensors of a node as they are, with this gradient; `frames`: what runs now."""
        if not all(isinstance(one, Tensor) for one in given):
            return given
        captured = [self._found(one, frames) if isinstance(one, Capture) else one()
                    for one in self.captured]

        def pull_back(*upstream: Any) -> list:
            found = self._run(*upstream, *captured)
            if self._packed is not None:
                found = list(self._packed(found))
            return [None] * (len(given) - len(found)) + found

        return record_user_op(self._op, given, [tf.identity(one) for one in given], pull_back)

    def _found(self, capture: Capture, frames: tuple) -> Any:
        for name, values in reversed(frames):
            if name == capture.function:
                return find(capture.tensor, values)
        raise errors.InvalidArgumentError(
            None, None, f"the gradient {self.name!r} reads {capture.tensor!r} of the function "
                        f"{capture.function!r}, which does not run around it")
