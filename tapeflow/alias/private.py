"""The few modules of TensorFlow's private source tree that libraries built on it import.

`tensorflow.python.eager.context` and the like: each has the names that Keras 3 uses, and only
those. Everything else of the private trees is refused. Only `alias.finder` imports this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import tapeflow
from tapeflow.base.settings import settings
from tapeflow.ops.random.streams.seeds import require_seeds


class ListWrapper(list):
    """A list that an object tracks; Keras takes it for a list."""


class DictWrapper(dict):
    """A dict that an object tracks; Keras takes it for a dict."""


DictWrapper.__name__ = DictWrapper.__qualname__ = "_DictWrapper"
for _class in (ListWrapper, DictWrapper):
    _class.__module__ = "tensorflow.python.trackable.data_structures"


class Context:
    """The eager runtime as seen from outside: nothing is queued and no kernel is cached."""

    def clear_kernel_cache(self) -> None:
        """Forget cached kernels: there are none."""

    def executing_eagerly(self) -> bool:
        return tapeflow.executing_eagerly()


_CONTEXT = Context()


def _context() -> dict[str, Any]:
    return {"context": lambda: _CONTEXT, "async_wait": lambda: None,
            "executing_eagerly": tapeflow.executing_eagerly, "_reset_context": lambda: None}


def _windows() -> dict[str, Any]:
    from tapeflow.ops.indexing.dynamic_slice import dynamic_update_slice
    return {"dynamic_update_slice": dynamic_update_slice}


def _sparse_products() -> dict[str, Any]:
    from tapeflow.ops.linalg import sparse_matmul
    return {name: getattr(sparse_matmul, name) for name in (
        "sparse_tensor_to_csr_sparse_matrix", "sparse_matrix_sparse_mat_mul",
        "csr_sparse_matrix_to_sparse_tensor")}


def compute_batch_size(dataset: Any) -> Any:
    """The number of rows in the batches of a dataset, as an int64 scalar; -1 if it is unknown."""
    sizes = {spec.shape[0] for spec in tapeflow.nest.flatten(dataset.element_spec)}
    if len(sizes) == 1 and None not in sizes:
        return tapeflow.constant(sizes.pop(), tapeflow.int64)
    while dataset is not None:
        kind = type(dataset).__name__
        if kind in ("_BatchDataset", "_ParallelBatchDataset", "_PaddedBatchDataset"):
            return tapeflow.constant(dataset._parameter(0), tapeflow.int64)
        keeps = kind.startswith(("_Map", "_ParallelMap", "_Shuffle", "_Prefetch", "_Repeat",
                                 "_Take", "_Skip", "_Shard", "_Cache", "_Filter", "_Options"))
        dataset = dataset._inputs[0] if keeps and len(dataset._inputs) == 1 else None
    return tapeflow.constant(-1, tapeflow.int64)


_SPECS = ("TensorSpec", "SparseTensorSpec", "RaggedTensorSpec", "IndexedSlicesSpec",
          "VariableSpec", "OptionalSpec")


def get_name(type_spec: type) -> str:
    """The name under which a class of descriptions is stored."""
    for name in _SPECS:
        if getattr(tapeflow, name, None) is type_spec:
            return f"tf.{name}"
    raise ValueError(f"TypeSpec {type_spec.__module__}.{type_spec.__name__} has not been "
                     "registered.")


def lookup(name: str) -> type:
    """The class of descriptions that is stored under a name."""
    short = name.removeprefix("tf.")
    if short not in _SPECS:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return getattr(tapeflow, short)


def disable_op_determinism() -> None:
    """Undo `tf.config.experimental.enable_op_determinism`."""
    require_seeds(False)
    settings.determinism = False


def _determinism() -> dict[str, Any]:
    experimental = tapeflow.config.experimental
    return {"is_op_determinism_enabled": lambda: settings.determinism,
            "enable_op_determinism": experimental.enable_op_determinism,
            "disable_op_determinism": disable_op_determinism}


# Dotted name below `tensorflow` -> a function that gives the module's names.
MODULES: dict[str, Callable[[], dict[str, Any]]] = {
    "compiler.tf2xla.python.xla": _windows,
    "python.data.experimental.ops.distribute": lambda: {"compute_batch_size": compute_batch_size},
    "core.util.event_pb2": lambda: {"Event": tapeflow.compat.v1.Event},
    "python.eager.context": _context,
    "python.framework.config": _determinism,
    "python.framework.type_spec_registry": lambda: {"get_name": get_name, "lookup": lookup},
    "python.lib.io.tf_record": lambda: {
        "tf_record_iterator": tapeflow.compat.v1.io.tf_record_iterator},
    "python.ops.linalg.sparse.sparse_csr_matrix_ops": _sparse_products,
    "python.ops.math_ops": lambda: {"is_nan": tapeflow.math.is_nan},
    "python.trackable.data_structures": lambda: {"ListWrapper": ListWrapper,
                                                 "_DictWrapper": DictWrapper},
}
PACKAGES = {".".join(name.split(".")[:depth]) for name in MODULES
            for depth in range(1, len(name.split(".")))}


class PrivateModule(ModuleType):
    """A module of a private tree; what it lacks is answered with the reason."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        path = self.__name__.removeprefix(f"{__name__}.")
        below = find(f"{path}.{name}")
        if below is not None:
            return below
        raise AttributeError(f"tapeflow does not have tensorflow.{path}.{name}: of TensorFlow's "
                             "private source tree it serves only what Keras needs.")


def find(path: str) -> ModuleType | None:
    """The module that answers for `tensorflow.<path>`, or None."""
    if path not in MODULES and path not in PACKAGES:
        return None
    full = f"{__name__}.{path}"
    module = sys.modules.get(full)
    if module is None:
        module = PrivateModule(full)
        module.__path__ = []  # so that modules below it are found
        vars(module).update(MODULES.get(path, dict)())
        if path == "compiler":  # tapeflow has a module of that name as well
            own = import_module("tapeflow.compiler")
            vars(module).update({name: getattr(own, name) for name in own.__all__})
        sys.modules[full] = module
    return module
