"""tapeflow: TensorFlow's GradientTape without TensorFlow. `import tapeflow as tf`."""

from __future__ import annotations

import sys as _sys
import warnings as _warnings
from typing import Any as _Any

# NumPy warns of overflow, 0/0 and the like where TensorFlow is silent. Only warnings from inside
# this package are filtered; the user's own NumPy code is left alone.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"tapeflow(\.|$)")

from tapeflow import _wiring  # noqa: E402
from tapeflow import ops as ops  # noqa: E402
from tapeflow.api import config as _config  # noqa: E402, F401
from tapeflow.api import lazy_modules as _lazy_modules  # noqa: E402, F401
from tapeflow.api import namespaces as _namespaces  # noqa: E402
from tapeflow.api import tensor_queries as _tensor_queries  # noqa: E402, F401
from tapeflow.api import version as _version  # noqa: E402, F401
from tapeflow.core.autodiff import custom_gradient as _custom_gradient  # noqa: E402, F401
from tapeflow.core.values import module as _module  # noqa: E402, F401
from tapeflow.graph.functions import function as _function  # noqa: E402, F401

__version__ = "2.21.0"
tapeflow_version = "0.1.0"

_wiring.connect()
_namespaces.build(_sys.modules[__name__])

_OWN = ("alias", "compiler", "insight", "keras", "onnx")  # modules, loaded when asked for
_OF_KERAS = ("initializers", "losses", "metrics", "optimizers")  # its modules, under other names


def __getattr__(name: str) -> _Any:
    if name in _OWN:
        import importlib
        return importlib.import_module(f"tapeflow.{name}")
    if name in ("load_ipython_extension", "unload_ipython_extension"):  # for %load_ext tapeflow
        from tapeflow.insight import notebook
        return getattr(notebook, name)
    if name in _OF_KERAS:
        return getattr(__getattr__("keras"), name)
    return _namespaces.absent(_sys.modules[__name__], name)


def __dir__() -> list[str]:
    return sorted({*_namespaces.names(_sys.modules[__name__]), "keras", *_OF_KERAS})


del annotations  # of `from __future__`: it is no name of tf's
