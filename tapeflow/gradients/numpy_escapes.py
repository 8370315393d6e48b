"""A warning where NumPy takes the value of a tensor that a tape follows, and the gradient is lost.

Only for functions that have a gradient: those that `numpy_on_tape` would keep on the tape, such as
np.sin(t), and others that it would not, such as np.interp(t, …). What asks for a value (np.asarray,
t.numpy(), float, print, np.isnan, np.testing …) is no mistake. Once for each
line; lines of libraries' own files are left alone.
"""

from __future__ import annotations

import ast
import linecache
import sys
import types
import warnings
from typing import Any

import numpy as np

from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor


class LostGradientWarning(UserWarning):
    """NumPy took the value of a tensor that a tape follows: no gradient flows through it."""


_told: set[tuple[str, int]] = set()
SPACES = {"": np, "linalg.": np.linalg, "fft.": np.fft}
LIBRARIES = ("tapeflow", "keras", "importlib")


def array_taken(tensor: Tensor) -> None:
    """`__array__` was called while something listens: warn if a gradient is lost by it."""
    if not any(one.follows(tensor._uid) for one in state.stack):
        return
    frame: Any = sys._getframe(1)
    name, function = "", None
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in (
            "numpy", "tapeflow"):
        if frame.f_globals["__name__"].startswith("numpy"):
            name = frame.f_code.co_name
            function = next((getattr(one, name) for one in SPACES.values()
                             if callable(getattr(one, name, None))), None)
        frame = frame.f_back
    if frame is None or frame.f_globals.get("__name__", "").split(".")[0] in LIBRARIES:
        return
    place = (frame.f_code.co_filename, frame.f_lineno)
    if place in _told:
        return
    from tapeflow.gradients.numpy_dispatch import FLAT, SMOOTH, counterpart
    function = function if name else _called(frame)
    if function is None or function.__name__ in FLAT:
        return
    kept, name = counterpart(function) is not None, function.__name__
    if not kept and name not in SMOOTH:
        return
    _told.add(place)
    part = next(part for part, one in SPACES.items() if callable(getattr(one, name, None)))
    advice = ("Use the function of tf, or tapeflow.numpy_on_tape()" if kept else
              "Write it with functions of tf")
    warnings.warn_explicit(
        f"np.{part}{name} takes the value of a tensor that a GradientTape follows: its "
        f"result is an array, and no gradient flows through it. {advice}; if the value is all you "
        "want, t.numpy() says so.", LostGradientWarning, place[0], place[1])


def _called(frame: Any) -> Any:
    """The function of NumPy that a frame is calling, by the source of the call; None: unknown."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    line, last, start, end = positions
    if None in positions or line is None or last is None:
        return None
    lines = [linecache.getline(frame.f_code.co_filename, n) for n in range(line, last + 1)]
    if not all(lines):
        return None
    data = [one.encode() for one in lines]  # columns count bytes
    data[-1] = data[-1][:end]
    data[0] = data[0][start:]
    try:
        call = ast.parse(b"(" + b"".join(data) + b")", mode="eval").body
    except SyntaxError:
        return None
    found = _resolved(call.func, frame) if isinstance(call, ast.Call) else None
    return found if isinstance(found, np.ufunc) or getattr(
        found, "__module__", None) in ("numpy", "numpy.linalg", "numpy.fft") else None


def _resolved(node: ast.AST, frame: Any) -> Any:
    """What a dotted name stands for, asking nothing but modules."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        base = _resolved(node.value, frame)
        return getattr(base, node.attr, None) if isinstance(base, types.ModuleType) else None
    return None
