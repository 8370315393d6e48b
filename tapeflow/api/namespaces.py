"""Makes the public modules (`tf`, `tf.math`, `tf.nn` …) of the register of public names.

Only `tapeflow/__init__.py` imports this. No arithmetic here.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any

from tapeflow.api.docstrings import describe_when_read
from tapeflow.base import dtypes, errors, nest, shapes, specs
from tapeflow.base.exports import LATER, PUBLIC, fetch, publish, watch

ABSENT = {
    "lite": "TensorFlow Lite is outside what tapeflow does.",
    "tpu": "tapeflow runs on CPUs.",
    "estimator": "tf.estimator was removed from TensorFlow too.",
    "contrib": "tf.contrib was removed from TensorFlow too.",
    "Session": "TensorFlow 2 has no sessions: call functions, or use tf.compat.v1.Session.",
    "placeholder": "TensorFlow 2 has no placeholders: pass arguments to functions.",
    "layers": "TensorFlow 2's are tf.keras.layers.",
    "mlir": "tapeflow compiles without MLIR.",
}


_MISSING = object()
ALIKE = 0.8  # how much of two names must be the same for one to be a suggestion


def publish_base() -> None:
    """Names of the base layer, which does not know the register."""
    for name, value in vars(dtypes).items():
        if isinstance(value, dtypes.DType) and not name.startswith("_"):
            if value.size == 1 and value.name[-1] != "8" and value.name != "bool":
                publish(value, f"dtypes.experimental.{name}")  # of 8 bits and less
            else:
                publish(value, name, f"dtypes.{name}")
    publish(dtypes.DType, "DType", "dtypes.DType")
    publish(dtypes.as_dtype, "as_dtype", "dtypes.as_dtype")
    publish(shapes.TensorShape, "TensorShape")
    publish(specs.TensorSpec, "TensorSpec")
    publish(specs.UserSpec, "TypeSpec")
    for name, value in vars(errors).items():
        if name.isupper() or (isinstance(value, type) and issubclass(value, Exception)):
            publish(value, f"errors.{name}")
    for name in ("assert_same_structure", "flatten", "is_nested", "map_structure",
                 "pack_sequence_as"):
        publish(getattr(nest, name), f"nest.{name}")


class Namespace(types.ModuleType):
    """A public module; a name that it lacks is answered with the nearest one that it has."""

    def __getattr__(self, name: str) -> Any:
        for folder in self.__dict__.get("__path__", ()):
            if os.path.exists(os.path.join(folder, f"{name}.py")):
                # `from tapeflow.io import records` asks first: the import itself then finds it.
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return absent(self, name)

    def __dir__(self) -> list[str]:
        path = self.__name__.removeprefix("tapeflow.")
        fetch(f"{path}.*")
        return sorted({*names(self), *_of_keras(path)})


def _of_keras(path: str) -> list[str]:
    """The names of a module of tf.compat.v1 that are Keras's, which telling them does not load."""
    if not f"{path}.".startswith("compat.v1."):
        return []
    from tapeflow.api.v1 import v1_keras
    return v1_keras.names_below(path[len("compat.v1."):])


def names(module: types.ModuleType) -> list[str]:
    """The names of a public module, also those whose modules are not loaded yet."""
    start = "" if module.__name__ == "tapeflow" else (
        module.__name__.removeprefix("tapeflow.") + ".")
    promised = {path[len(start):].partition(".")[0] for path in LATER if path.startswith(start)}
    there = [name for name, value in vars(module).items()
             if not isinstance(value, types.ModuleType) or isinstance(value, Namespace)
             or not value.__name__.startswith("tapeflow.")]  # without tapeflow's own layers
    return sorted({*there, *promised} - {"*"})


def _hint(module: types.ModuleType, name: str, path: str) -> str:
    """Where a missing name is, or what was probably meant; nothing rather than a wild guess."""
    from tapeflow.api.v1 import v1_names as v1
    first = f"compat.v1.{path}"
    fetch(first)
    if not path.startswith("compat.") and (
            first in PUBLIC or first in LATER or v1.is_space(path)):
        return f"TensorFlow 1's is tf.compat.v1.{path}."
    near = _nearest(module, name)
    return f"The nearest name is tf.{near}." if near else ""


def _nearest(module: types.ModuleType, name: str) -> str:
    """The public name that is much like a missing one: in its module, else anywhere."""
    import difflib
    where = "" if module.__name__ == "tapeflow" else module.__name__.removeprefix("tapeflow.") + "."
    here = [one for one in dir(module) if not one.startswith("_")]
    ends = {path.rpartition(".")[2]: path for path in reversed([*PUBLIC, *LATER])
            if not path.startswith(("_", "compat.")) and not path.endswith("*")}
    if name in ends:
        return ends[name]
    near = difflib.get_close_matches(name, here, 1, ALIKE)
    if near:
        return where + near[0]
    far = difflib.get_close_matches(name, ends, 1, ALIKE)
    return ends[far[0]] if far else ""


def absent(module: types.ModuleType, name: str) -> Any:
    """A public name from a module not loaded yet; AttributeError for one that does not exist."""
    path = f"{module.__name__}.{name}".removeprefix("tapeflow.")
    if name == "__all__":  # for `import *`, which would not see what is not loaded yet
        return [one for one in names(module) if not one.startswith("_")]
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
    fetch(path)
    if name in vars(module):
        return vars(module)[name]
    if path in PUBLIC:  # of modules that are being loaded, by this thread or meanwhile by another
        return PUBLIC[path]
    if path.startswith("compat.v"):
        found = _of_both_versions(module, path)
        if found is not _MISSING:
            return found
    hint = ABSENT.get(path) or _hint(module, name, path)
    raise AttributeError(f"tapeflow does not have tf.{path}.{' ' if hint else ''}{hint}")


def _of_both_versions(module: types.ModuleType, path: str) -> Any:
    """tf.compat.v2 is tf itself, and most names of tf.compat.v1 are TensorFlow 2's; MISSING else.
    """
    from tapeflow.api.v1 import v1_names as v1

    root = sys.modules["tapeflow"]
    short = path.removeprefix("compat.v1.")
    found: Any = root if path == "compat.v2" else _MISSING
    if short != path:
        found = v1.find(root, short, _MISSING)
    name = path.rpartition(".")[2]
    own = isinstance(found, Namespace) and found is not root.__dict__["compat"] and (
        not callable(found))  # tf.gradients is a function as well
    if own or found is _MISSING and v1.is_space(short):
        return _child(module, name)  # of the same name, but its functions are TensorFlow 1's
    if found is not _MISSING:
        module.__dict__[name] = found
    return found


def build(root: types.ModuleType) -> None:
    """Put every registered name into its module, making the modules on the way."""
    publish_base()

    def put(path: str, value: Any) -> None:
        *spaces, name = path.split(".")
        module = root
        for space in spaces:
            module = _child(module, space)
        if name != "*":  # that stands for a namespace which is still empty
            describe_when_read(value, path)
            setattr(module, name, value)

    for path, value in PUBLIC.items():
        put(path, value)
    for space in {path.rpartition(".")[0] for path in LATER} - {""}:
        put(f"{space}.*", None)
    watch(put)


def _child(parent: types.ModuleType, name: str) -> types.ModuleType:
    full = f"{parent.__name__}.{name}"
    module = vars(parent).get(name)
    if not isinstance(module, Namespace):
        module = Namespace(full)
        # A path lets `import tapeflow.math` find it as a package member; where there is a folder of
        # that name (tapeflow/io), the modules in it are found as well.
        folders = [os.path.join(one, name) for one in getattr(parent, "__path__", ())]
        module.__path__ = [one for one in folders if os.path.isdir(one)]
        sys.modules[full] = module
        setattr(parent, name, module)
    return module
