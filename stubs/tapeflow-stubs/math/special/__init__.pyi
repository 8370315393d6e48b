# Written by tools/stubs.py (make stubs).
"""tf.math.special"""

from typing import overload

import tapeflow as tf
from tapeflow._typing import CompositeT, DenseLike
from tapeflow.math import (
    bessel_i0 as bessel_i0,
    bessel_i0e as bessel_i0e,
    bessel_i1 as bessel_i1,
    bessel_i1e as bessel_i1e,
)

@overload
def bessel_j0(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The Bessel function of order 0 of x, elementwise."""
@overload
def bessel_j0(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_j1(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The Bessel function of order 1 of x, elementwise."""
@overload
def bessel_j1(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_k0(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The modified Bessel function of the second kind of order 0 of x, elementwise."""
@overload
def bessel_k0(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_k0e(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The exponentially scaled modified Bessel function of the second kind of order 0 of …"""
@overload
def bessel_k0e(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_k1(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The modified Bessel function of the second kind of order 1 of x, elementwise."""
@overload
def bessel_k1(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_k1e(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The exponentially scaled modified Bessel function of the second kind of order 1 of …"""
@overload
def bessel_k1e(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_y0(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The Bessel function of the second kind of order 0 of x, elementwise."""
@overload
def bessel_y0(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_y1(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The Bessel function of the second kind of order 1 of x, elementwise."""
@overload
def bessel_y1(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def dawsn(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """Dawson's integral exp(-x²) ∫ exp(t²) dt from 0 to x."""
@overload
def dawsn(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def expint(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The exponential integral Ei(x)."""
@overload
def expint(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def fresnel_cos(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """Fresnel's integral of cos(pi t² / 2) from 0 to x."""
@overload
def fresnel_cos(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def fresnel_sin(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """Fresnel's integral of sin(pi t² / 2) from 0 to x."""
@overload
def fresnel_sin(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def spence(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """Spence's integral of log(t) / (1 - t) from 1 to x."""
@overload
def spence(x: CompositeT, name: str | None = None) -> CompositeT: ...
