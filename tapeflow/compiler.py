"""`tapeflow.compiler`: what native code there is, and when it is made.

    print(tapeflow.compiler.explain(train_step))
"""

from __future__ import annotations

from tapeflow.jit import adaptive as _adaptive
from tapeflow.jit.adaptive import wait as wait


def explain(function, *args, ir: bool = False, **kwargs):
    """Regions, kernels, memory and fall-backs of a tf.function, as text; `ir=True`: LLVM's too."""
    from tapeflow.jit.report import explain as explained
    return explained(function, *args, ir=ir, **kwargs)


def set_mode(mode: str) -> None:
    """"auto": compile what is run often, if it pays; "off": never; "now": at the first call.

    Holds for functions that are traced from now on.
    """
    if mode not in ("auto", "off", "now"):
        raise ValueError(f"mode must be 'auto', 'off' or 'now', not {mode!r}")
    _adaptive.MODE[0] = mode


def get_mode() -> str:
    """"auto", "off" or "now"; see `set_mode`."""
    return _adaptive.MODE[0]


__all__ = ["explain", "get_mode", "set_mode", "wait"]
