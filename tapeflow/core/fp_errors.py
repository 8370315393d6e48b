"""Ignore NumPy's floating-point errors and warnings for a while, cheaply.

`np.errstate` costs 1–2 µs, which a whole gradient of a scalar does not. NumPy keeps the error state
in a context variable; setting it directly costs a fifth. Where NumPy hides that variable (it is not
public) `np.errstate` serves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ignore_fp_errors: Callable[[], Any]
restore_fp_errors: Callable[[Any], None]

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    _ignoring = _make_extobj(all="ignore")

    def ignore_fp_errors() -> Any:
        """Ignore them from now on; give the result to `restore_fp_errors`."""
        return _extobj_contextvar.set(_ignoring)

    restore_fp_errors = _extobj_contextvar.reset
except (ImportError, AttributeError, TypeError):  # pragma: no cover - other NumPy versions

    def ignore_fp_errors() -> Any:
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def restore_fp_errors(token: Any) -> None:
        token.__exit__(None, None, None)
