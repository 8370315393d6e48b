"""Trigonometric functions."""

from __future__ import annotations

import numpy as np

from tapeflow.core.families import unary
from tapeflow.core.samples import Samples

sin = unary("sin", np.sin, deriv=lambda y, x: cos(x), names=("sin", "math.sin"), doc="sine of x",
            check=Samples(-4, 4, special=[0.0, -0.0, np.inf, np.nan]))
cos = unary("cos", np.cos, deriv=lambda y, x: -sin(x), names=("cos", "math.cos"),
            doc="cosine of x", check=Samples(-4, 4, special=[0.0, np.inf, np.nan]))
