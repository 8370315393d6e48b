"""Silence NumPy's floating-point warnings for a while, cheaply.

`np.errstate` costs 1–2 µs, which a whole gradient of a scalar does not. NumPy keeps the error state
in a context variable; setting it directly costs a fifth. Where NumPy hides that variable (it is not
public) `np.errstate` serves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

hush: Callable[[], Any]
unhush: Callable[[Any], None]

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj  # type: ignore

    _silent = _make_extobj(all="ignore")

    def hush() -> Any:
        """Begin silence; give the result to `unhush`."""
        return _extobj_contextvar.set(_silent)

    unhush = _extobj_contextvar.reset
except (ImportError, AttributeError, TypeError):  # pragma: no cover - other NumPy versions

    def hush() -> Any:
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def unhush(token: Any) -> None:
        token.__exit__(None, None, None)
