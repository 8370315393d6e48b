"""What of tf.compat.v1 is Keras's: `keras`, `layers` and `nn.rnn_cell`.

Where a program asks for Keras 2 these are its modules for TensorFlow 1. Keras 3 has none of that:
`keras` is tf.keras, and the others say of every name that it is not there.
"""

from __future__ import annotations

import importlib
import types
from typing import Any

_KERAS_2 = "tf_keras.api._v1.keras"
MODULES = {"keras": _KERAS_2, "layers": f"{_KERAS_2}.__internal__.legacy.layers",
           "nn.rnn_cell": f"{_KERAS_2}.__internal__.legacy.rnn_cell"}


class OnlyInKeras2(types.ModuleType):
    """A module of TensorFlow 1's layers or cells, in a program that has Keras 3."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        raise AttributeError(f"`{name}` is not available with Keras 3.")


def find(root: types.ModuleType, path: str) -> types.ModuleType:
    """The module that tf.compat.v1.<path> is, of the Keras that tf.keras is."""
    keras: types.ModuleType = root.keras
    if keras.__name__.startswith("tf_keras."):
        return importlib.import_module(MODULES[path])
    return keras if path == "keras" else OnlyInKeras2(f"tensorflow.compat.v1.{path}")


def names_below(space: str) -> list[str]:
    """The names that these modules have in tf.compat.v1 (for an empty space) or below."""
    paths = [path.rpartition(".") for path in MODULES]
    return [name for before, _, name in paths if before == space]
