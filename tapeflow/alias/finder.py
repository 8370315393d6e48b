"""The import hook behind `tapeflow.alias`: `tensorflow.a.b` is the module object `tapeflow.a.b`.

Where Horovod is not installed, `horovod.a.b` is `tapeflow.horovod.a.b`.

The objects are the same, not copies, so `tensorflow.Tensor is tapeflow.Tensor` and a class pickled
under one name is found under the other. Nothing imports this file but `tapeflow.alias`.
"""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from tapeflow.base.process.garbage import collect_seldom

ALIAS = "tensorflow"
SERVER = "tapeflow"

# tapeflow's own layers are no part of TensorFlow's API: `tensorflow.core` must not find them.
LAYERS = frozenset(
    ("base", "core", "ops", "graph", "jit", "api", "numpy_api",
     "linear_operators", "insight", "horovod", "alias", "cli", "doctor",
     "__main__")
)
# Trees of TensorFlow's source that its users are not meant to import.
PRIVATE_TREES = frozenset(("python", "core", "compiler", "dtensor", "tsl", "_api", "include",
                           "tools"))

# The modules of Horovod that tapeflow.horovod has.
HOROVOD = ("horovod", "horovod.tensorflow", "horovod.tensorflow.elastic",
           "horovod.tensorflow.keras", "horovod.tensorflow.keras.callbacks",
           "horovod.tensorflow.keras.elastic")

OWN_ATTRIBUTES = ("__spec__", "__loader__", "__package__")


class RealTensorFlowError(RuntimeError):
    """The real TensorFlow is already imported, so its name cannot be served any more."""


class TensorFlowFinder:
    """Finds `tensorflow` and all below it in tapeflow, and `horovod` if it is not installed.

    Keras is found where it is, and loaded with fewer searches for cycles.
    """

    @staticmethod
    def find_spec(name: str, path=None, target=None) -> ModuleSpec | None:
        if name == ALIAS or name.startswith(ALIAS + "."):
            # A namespace may contain others, so each counts as a package.
            loader: Any = AliasLoader(namespace(name))
            return ModuleSpec(name, loader, is_package=True)
        if name == "keras":
            return keras_spec()
        return horovod_spec(name) if name.partition(".")[0] == "horovod" else None


def keras_spec() -> ModuleSpec | None:
    """Keras itself: some nine hundred modules, whose objects all live."""
    spec = PathFinder.find_spec("keras")
    if spec is None or spec.loader is None:
        return None
    loader: Any = spec.loader
    loader.exec_module = functools.partial(collect_seldom, loader.exec_module)
    return spec


def horovod_spec(name: str) -> ModuleSpec | None:
    """`horovod` and what is below it, from `tapeflow.horovod`, unless Horovod is installed."""
    if PathFinder.find_spec("horovod") is not None:
        return None
    # Keras 3 is one Keras: `horovod.keras` is the same.
    served = name.replace("horovod.keras", "horovod.tensorflow.keras")
    if served not in HOROVOD:
        raise absent(name, "of Horovod tapeflow serves horovod.tensorflow and horovod.keras")
    loader: Any = AliasLoader(importlib.import_module(f"{SERVER}.{served}"))
    return ModuleSpec(name, loader, is_package=True)


class AliasLoader:
    """Hands the import system a module that exists already."""

    def __init__(self, module: ModuleType):
        self.module = module
        self.before = {name: getattr(module, name, None) for name in OWN_ATTRIBUTES}

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just filled these in for the alias; the module stays tapeflow's.
        for name, value in self.before.items():
            setattr(module, name, value)


def namespace(name: str) -> ModuleType:
    """The module of tapeflow that answers for `tensorflow.a.b`; ModuleNotFoundError if none."""
    import tapeflow

    parts = name.split(".")[1:]
    if parts[:2] == ["python", "keras"]:
        _tell_of_keras()
        parts = parts[1:]
    if parts and parts[0] in PRIVATE_TREES:
        from tapeflow.alias import private

        module = private.find(".".join(parts))
        if module is not None:
            return module
        raise absent(
            name,
            f"{ALIAS}.{parts[0]} is TensorFlow's private source tree, of which tapeflow serves "
            "only what some libraries need; look for the same thing under `tf.`",
        )
    if parts and parts[0] in LAYERS:
        raise absent(name, "tapeflow does not have it")
    found: object = tapeflow
    for part in parts:
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise absent(name, str(error)) from None
    if not isinstance(found, ModuleType):
        advice = f"write `from {name.rpartition('.')[0]} import {parts[-1]}`"
        raise absent(name, f"it is a {type(found).__name__}, not a module; {advice}")
    return found


@functools.cache
def _tell_of_keras() -> None:
    """Say once that what answers is not what TensorFlow has there."""
    warnings.warn(f"{ALIAS}.python.keras is TensorFlow's private copy of Keras 2. tapeflow has "
                  "none: Keras 3 answers for it, as for tf.keras.", stacklevel=2)


def absent(name: str, reason: str) -> ModuleNotFoundError:
    """The error for a module that tapeflow does not have."""
    return ModuleNotFoundError(f"No module named {name!r}: {reason}", name=name)


def install() -> None:
    """Serve `import tensorflow` from tapeflow in this process; a second call changes nothing."""
    refuse_real_tensorflow()
    if not installed():
        sys.meta_path.insert(0, TensorFlowFinder)


def uninstall() -> None:
    """Stop serving `tensorflow` and forget the modules that were served under its name."""
    if installed():
        sys.meta_path.remove(TensorFlowFinder)
    for name in [name for name in sys.modules if is_alias(name) or is_horovod(name)]:
        del sys.modules[name]


def installed() -> bool:
    """Whether `import tensorflow` is served by tapeflow now."""
    return TensorFlowFinder in sys.meta_path


def is_alias(name: str) -> bool:
    """Whether sys.modules holds a module of tapeflow under this name of TensorFlow's."""
    if name != ALIAS and not name.startswith(ALIAS + "."):
        return False
    return getattr(sys.modules[name], "__name__", "").split(".")[0] in (SERVER, "keras", "tf_keras")


def is_horovod(name: str) -> bool:
    """Whether sys.modules holds a module of tapeflow under this name of Horovod's."""
    return name.partition(".")[0] == "horovod" and getattr(
        sys.modules[name], "__name__", "").startswith(f"{SERVER}.horovod")


def refuse_real_tensorflow() -> None:
    """Raise if `tensorflow` is in the process already and is not tapeflow."""
    module = sys.modules.get(ALIAS)
    # The stub that child processes find replaces itself as soon as it has called install().
    if module is None or is_alias(ALIAS) or getattr(module, "__tapeflow_stub__", False):
        return
    version = getattr(module, "__version__", "of unknown version")
    path = getattr(module, "__file__", None) or "an unknown place"
    raise RealTensorFlowError(
        f"the real TensorFlow ({version}, from {path}) is already imported in this process, and "
        "two of them cannot share its name. Run the program with `tapeflow run`, or call "
        "tapeflow.alias.install() before the first `import tensorflow`."
    )
