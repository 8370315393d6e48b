"""What programs written for Keras 2 call and Keras 3 has changed.

Horovod's users have such programs: `optimizer.variables()` was a method, and `compile` took
`experimental_run_tf_function`. Where Horovod's tape or optimizer is used both work; nothing else
changes.
"""

from __future__ import annotations

import functools
import sys
from typing import Any


class CallableList(list):
    """A list that may be called for itself: `optimizer.variables` and `optimizer.variables()`."""

    def __call__(self) -> CallableList:
        return self


def tolerate() -> None:
    """Let Keras, if it is loaded, take these calls."""
    keras: Any = sys.modules.get("keras")
    if keras is None or not hasattr(keras, "optimizers"):
        return
    base = next(one for one in keras.optimizers.Optimizer.__mro__ if "variables" in vars(one))
    variables = vars(base)["variables"]
    if getattr(variables.fget, "takes_calls", False):
        return

    def listed(self: Any) -> CallableList:
        return CallableList(variables.fget(self))

    listed.takes_calls = True  # type: ignore[attr-defined]
    base.variables = property(listed, doc=variables.__doc__)
    trainer = next(one for one in keras.Model.__mro__ if "compile" in vars(one)
                   and one.__name__ == "Trainer")
    compile = trainer.compile

    @functools.wraps(compile)
    def without(self: Any, *args: Any, experimental_run_tf_function: Any = None, **kwargs: Any
                ) -> Any:
        return compile(self, *args, **kwargs)

    trainer.compile = without
