"""`tapeflow.compiler`: what native code there is, and when it is made.

    print(tapeflow.compiler.explain(train_step))
"""

from __future__ import annotations

from tapeflow.base.settings import settings as _settings
from tapeflow.jit.tiering.background import wait as wait
from tapeflow.jit.tiering.graph_tiering import MiscompileWarning as MiscompileWarning


def explain(function, *args, ir: bool = False, **kwargs):
    """Regions, kernels, memory and fall-backs of a tf.function, as text; `ir=True`: LLVM's too.

    Of a Keras model: of its train, test and predict functions.

    >>> f = tf.function(lambda x: tf.sin(x) + 1.0, jit_compile=True)
    >>> "1 program" in str(tf.compiler.explain(f, tf.ones([1000])))
    True
    """
    from tapeflow.jit.report import explain as explained
    return explained(function, *args, ir=ir, **kwargs)


def set_mode(mode: str) -> None:
    """"auto": compile what is run often, if it pays; "off": never; "now": at the first call.

    Holds for functions that are traced from now on.

    >>> before = tf.compiler.get_mode()
    >>> tf.compiler.set_mode("off")
    >>> tf.compiler.set_mode(before)
    """
    _settings.jit = mode


def get_mode() -> str:
    """"auto", "off" or "now"; see `set_mode`.

    >>> tf.compiler.get_mode() in ("auto", "off", "now")
    True
    """
    return _settings.jit


def set_checks(every: int) -> None:
    """Compare one native run in so many with NumPy (1000 by default), beside the first; 0: none.

    A comparison runs the function once more on copies, so the program's results do not change; it
    comes less often where NumPy takes so long that it would cost more than a hundredth of the time.
    Holds for functions that are compiled from now on.

    >>> before = tf.compiler.get_checks()
    >>> tf.compiler.set_checks(100)
    >>> tf.compiler.set_checks(before)
    """
    _settings.checks = every


def get_checks() -> int:
    """One native run in so many is compared with NumPy; 0: none. See `set_checks`.

    >>> tf.compiler.get_checks()
    1000
    """
    return _settings.checks


__all__ = ["MiscompileWarning", "explain", "get_checks", "get_mode", "set_checks", "set_mode",
           "wait"]
