"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import numpy as np

from tapeflow.core.record.families import binary, unary
from tapeflow.core.record.op import EXPENSIVE, FLOAT
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.ops.math.arithmetic import conj_of
from tapeflow.ops.math.exponential import reciprocal, sqrt, square

_ENDS = [0.0, -0.0, np.inf, -np.inf, np.nan]

sin = unary("sin", np.sin, deriv=lambda y, x: cos(x), names=("sin", "math.sin"),
            check=Samples(-4, 4, special=_ENDS), doc="The sine of x.", lower="sin", cost=EXPENSIVE)
cos = unary("cos", np.cos, deriv=lambda y, x: -sin(x), names=("cos", "math.cos"),
            check=Samples(-4, 4, special=_ENDS), doc="The cosine of x.", lower="cos",
            cost=EXPENSIVE)
tan = unary("tan", np.tan, deriv=lambda y, x: square(reciprocal(cos(x))),
            names=("tan", "math.tan"), check=Samples(-1.2, 1.2, special=_ENDS),
            doc="The tangent of x.", lower="tan", cost=EXPENSIVE)
# The conjugate is taken inside, so that on the cuts the branch is TensorFlow's.
asin = unary("asin", np.arcsin, vjp=lambda g, y, x: g * reciprocal(sqrt(1.0 - square(conj_of(x)))),
             names=("asin", "math.asin"), check=Samples(-0.9, 0.9, special=[*_ENDS, 1.0, 2.0]),
             doc="The inverse of sine.", lower="asin", cost=EXPENSIVE)
acos = unary("acos", np.arccos, vjp=lambda g, y, x: -g * reciprocal(sqrt(1.0 - square(conj_of(x)))),
             names=("acos", "math.acos"), check=Samples(-0.9, 0.9, special=[*_ENDS, 1.0, 2.0]),
             doc="The inverse of cosine.", lower="acos", cost=EXPENSIVE)
atan = unary("atan", np.arctan, deriv=lambda y, x: reciprocal(1.0 + square(x)),
             names=("atan", "math.atan"), check=Samples(-4, 4, special=_ENDS),
             doc="The inverse of tangent.", lower="atan", cost=EXPENSIVE)


def _over_square_radius(g, y, x):
    return g / (square(y) + square(x))


atan2 = binary("atan2", np.arctan2, saves="in", dtypes=FLOAT, args=("y", "x"),
               vjp=(lambda g, _, y, x: x * _over_square_radius(g, y, x),
                    lambda g, _, y, x: -y * _over_square_radius(g, y, x)),
               names=("atan2", "math.atan2"), check=Samples(0.3, 3, special=_ENDS),
               doc="The angle of the point (x, y), in [-pi, pi].", lower="atan2", cost=EXPENSIVE)

sinh = unary("sinh", np.sinh, deriv=lambda y, x: cosh(x), names=("sinh", "math.sinh"),
             check=Samples(special=_ENDS), doc="The hyperbolic sine of x.", lower="sinh",
             cost=EXPENSIVE)
cosh = unary("cosh", np.cosh, deriv=lambda y, x: sinh(x), names=("cosh", "math.cosh"),
             check=Samples(special=_ENDS), doc="The hyperbolic cosine of x.", lower="cosh",
             cost=EXPENSIVE)
tanh = unary("tanh", np.tanh, deriv=lambda y, x: 1.0 - y * y, saves="out",
             names=("tanh", "math.tanh", "nn.tanh"), check=Samples(special=_ENDS),
             doc="The hyperbolic tangent of x.", lower="tanh", cost=EXPENSIVE)
asinh = unary("asinh", np.arcsinh, vjp=lambda g, y, x: g / cosh(conj_of(y)), saves="out",
              names=("asinh", "math.asinh"), check=Samples(special=_ENDS),
              doc="The inverse of hyperbolic sine.", lower="asinh", cost=EXPENSIVE)
acosh = unary("acosh", np.arccosh, vjp=lambda g, y, x: g / sinh(conj_of(y)), saves="out",
              names=("acosh", "math.acosh"), check=Samples(1.2, 4, special=[*_ENDS, 1.0]),
              doc="The inverse of hyperbolic cosine.", lower="acosh", cost=EXPENSIVE)
atanh = unary("atanh", np.arctanh, deriv=lambda y, x: reciprocal(1.0 - square(x)),
              names=("atanh", "math.atanh"), check=Samples(-0.9, 0.9, special=[*_ENDS, 1.0, 2.0]),
              doc="The inverse of hyperbolic tangent.", lower="atanh", cost=EXPENSIVE)

for _call, _hazard in ((acos, "arc"), (asin, "arc"), (acosh, "arc"), (atanh, "arc"),
                       (sinh, "exponential"), (cosh, "exponential")):
    set_traits(_call, hazard=_hazard)
