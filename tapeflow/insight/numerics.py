"""tf.debugging.enable_check_numerics: the first NaN or infinity is an error that tells its origin.

TensorFlow's words for what `births.py` finds: here the first op raises whose result is not finite,
harmful or not. Loaded when one of its public names is used.
"""

from __future__ import annotations

import linecache
import os
import sys
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.insight.births import OutputWatch, birth_of

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Checker(OutputWatch):
    """Raises at the first op with a result that is not finite."""

    __slots__ = ("height", "width")

    def __init__(self, height: int | None, width: int | None):
        self.height, self.width = height, width

    def found(self, op: Any, xs: tuple, y: Tensor, slot: int, count: int) -> None:
        if op.kind == "move" or op.traits.selects_elements:
            return  # it passes on what another op made; TensorFlow does not check it either
        raise errors.InvalidArgumentError(None, None, self._message(op, xs, y, slot, count))

    def _message(self, op: Any, xs: tuple, y: Tensor, slot: int, count: int) -> str:
        frames, in_graph = _frames()
        kind = "graph" if in_graph else "eagerly-executing"
        lines = ["", "", f"!!! Detected Infinity or NaN in output {slot} of {kind} op "
                         f'"{op.tf_name}" (# of outputs: {count}) !!!',
                 f"  dtype: {y.dtype!s}", f"  shape: {y.shape}", *_counts(y._value), ""]
        if len(xs) == 1:
            lines.append(f"  Input tensor: {xs[0]!s}")
        elif xs:
            lines.append(f"  Input tensors ({len(xs)}):")
            lines += [f"         {i}: {x!s}" for i, x in enumerate(xs)]
        birth = birth_of(op, xs, y._value)
        if birth.forward is not None:
            lines += ["", f"  In the gradient of {birth.forward[0]} at {birth.guilty}"]
        lines += ["", f"  Remedy: {birth.remedy}"]
        lines += ["", "  Where it was called, the last line innermost:",
                  *self._trace(frames), "", f" : {_said(y._value)} [Op:CheckNumericsV2]"]
        return "\n".join(lines)

    def _trace(self, frames: list[tuple[str, int, str]]) -> list[str]:
        shown = frames if self.height is None else frames[-self.height:]
        lines = []
        if len(shown) < len(frames):
            lines.append(f"    + ... (Omitted {len(frames) - len(shown)} frames)")
        for path, line, name in shown:
            short = path if self.width is None or len(path) <= self.width else (
                "..." + path[len(path) - self.width:])
            lines += [f"    + {short} (L{line}) {name}",
                      f" -> |   {linecache.getline(path, line).strip()}"]
        return lines


def _split(value: Any) -> tuple[int, int, int]:
    """How many elements are -inf, +inf and NaN."""
    value = np.asarray(value if value.dtype.kind != "V" else value.astype(np.float32))
    if value.dtype.kind == "c":
        value = np.stack([value.real, value.imag])
    return (int((value == -np.inf).sum()), int((value == np.inf).sum()),
            int(np.isnan(value).sum()))


def _counts(value: Any) -> list[str]:
    names = ("-Inf", "+Inf", "+NaN")
    return [f"  # of {name} elements: {count}"
            for name, count in zip(names, _split(value), strict=True) if count]


def _said(value: Any) -> str:
    names = [name for name, count in zip(("-Inf", "+Inf", "NaN"), _split(value), strict=True)
             if count]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Tensor had {listed} values"


def _frames() -> tuple[list[tuple[str, int, str]], bool]:
    """The user's frames, innermost last, and whether the op is a node of a graph.

    Such a node was called while tracing: the line that its graph keeps comes last.
    """
    found: list[tuple[str, int, str]] = []
    in_graph = False
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            found.append((code.co_filename, frame.f_lineno, code.co_name))
        elif code.co_name == "replay_node" and not in_graph:
            in_graph = True
            where = getattr(frame.f_locals.get("node"), "where", None)
            if where is not None:
                from tapeflow.graph.tracing.user_position import FROM_CODE
                origin, line = where
                found.append((origin.co_filename, line, FROM_CODE.get(origin, origin.co_name)))
        frame = frame.f_back  # type: ignore[assignment]
    return found[::-1], in_graph


def _checkers() -> list[Checker]:
    return [one for one in state.stack if isinstance(one, Checker)]


@export("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int | None = 30,
                          path_length_limit: int | None = 50) -> None:
    """From now on, in this thread, the first op that makes a NaN or infinity raises.

    The InvalidArgumentError names the op, shows its inputs and the user's lines that led to it.
    """
    if not _checkers():
        states.set_stack((Checker(stack_height_limit, path_length_limit), *state.stack))


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """End what `enable_check_numerics` began."""
    for one in _checkers():
        states.remove(one)
