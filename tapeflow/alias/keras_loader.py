"""Imports the real Keras with tapeflow in TensorFlow's place, for `tf.keras`.

Keras asks for its backend once, when it is imported, so everything that could go wrong is checked
before. Only `tapeflow/keras.py` and tests import this.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType

from tapeflow.alias import finder

EXTRA = 'pip install "tapeflow[keras]"'
BACKEND = "tensorflow"


class KerasBackendError(RuntimeError):
    """Keras is set to another backend, or is already imported on another one."""


def load() -> ModuleType:
    """The module that `tf.keras` is: TensorFlow's view of Keras's public names."""
    if os.environ.get("TF_USE_LEGACY_KERAS") in ("true", "True", "1"):
        return load_keras_2("tf_keras.api._v2.keras")
    if importlib.util.find_spec("keras") is None:
        raise ModuleNotFoundError(f"tf.keras is Keras itself, which is not installed: {EXTRA}",
                                  name="keras")
    if "keras" in sys.modules:
        refuse_other_backend(sys.modules["keras"].config.backend(), "Keras is already imported")
    else:
        refuse_other_backend(*configured())
    tell_of_real_tensorflow()
    finder.install()
    before = os.environ.get("KERAS_BACKEND")
    os.environ["KERAS_BACKEND"] = BACKEND
    try:
        return importlib.import_module("keras._tf_keras.keras")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("keras", BACKEND, "tapeflow"):
            raise
        error.add_note(f"Keras needs {error.name}: {EXTRA}")
        raise
    finally:
        if before is None:
            del os.environ["KERAS_BACKEND"]


def load_keras_2(name: str) -> ModuleType:
    """Keras 2, which a program asks for by an environment variable: a view of its public names."""
    if importlib.util.find_spec("tf_keras") is None:
        raise ImportError("Keras cannot be imported. Check that it is installed: "
                          "TF_USE_LEGACY_KERAS is set, which asks for Keras 2 (pip install "
                          "tf_keras).", name="tf_keras")
    tell_of_real_tensorflow()
    finder.install()
    return importlib.import_module(name)


def tell_of_real_tensorflow() -> None:
    """Say what becomes of `import tensorflow` where the real one is installed; once, before."""
    spec = None if finder.installed() else PathFinder.find_spec(finder.ALIAS)
    if spec is not None and not str(spec.origin).startswith(os.path.dirname(__file__)):
        logging.getLogger("tensorflow").warning(
            "tf.keras: Keras is loaded on tapeflow. From now on `import tensorflow` gives tapeflow "
            "in this process, though the real TensorFlow is installed.")


def configured() -> tuple[str, str]:
    """The backend that Keras would take, and what says so."""
    if os.environ.get("KERAS_BACKEND"):
        return os.environ["KERAS_BACKEND"], "KERAS_BACKEND is set"
    home = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    path = os.path.join(home, "keras.json")
    try:
        with open(path) as file:
            return json.load(file).get("backend", BACKEND), f"{path} is set"
    except (OSError, ValueError, AttributeError):
        return BACKEND, "by default Keras is set"


def refuse_other_backend(name: str, reason: str) -> None:
    """Raise unless Keras's backend is TensorFlow's, which tapeflow stands in for."""
    if name != BACKEND:
        raise KerasBackendError(
            f"tf.keras runs on Keras's TensorFlow backend, but {reason} to {name!r}. Set the "
            f"environment variable KERAS_BACKEND={BACKEND}, or use `import keras` alone.")
