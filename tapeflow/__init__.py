"""tapeflow: TensorFlow's GradientTape without TensorFlow. `import tapeflow as tf`."""

from __future__ import annotations

import sys
import warnings

# NumPy warns of overflow, 0/0 and the like where TensorFlow is silent. Only warnings from inside
# this package are filtered; the user's own NumPy code is left alone.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"tapeflow(\.|$)")

from tapeflow import ops as ops  # noqa: E402
from tapeflow.api import namespaces as _namespaces  # noqa: E402
from tapeflow.core import custom_gradient, forward, module  # noqa: E402, F401
from tapeflow.core import jacobian as _jacobian  # noqa: E402, F401

__version__ = "2.21.0"
tapeflow_version = "0.1.0"

_namespaces.build(sys.modules[__name__])


def __getattr__(name: str):
    return _namespaces.absent(sys.modules[__name__], name)
