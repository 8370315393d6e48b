"""Sample inputs of an op, declared in its record; every generated test draws from them.

    check=Samples(-3, 3, special=[0.0])               elementwise: values from a range, and specials
    check=[Case((2, 3), (3, 4)), Case(ints(5, (2,)), axis=1)]

An operand of a Case is a shape (a tuple: standard normal floats of that shape), a `uniform`, `ints`
or `symmetric` request, or a literal list or array. Nothing is drawn before a test asks.
"""

from __future__ import annotations

from typing import Any


class Samples:
    """Values for elementwise ops: uniform in [low, high], plus special points for value tests.

    `special` points are checked against NumPy and TensorFlow but not by finite differences.
    `second` (a pair) gives another range for the second operand. `tol` sets the relative
    tolerance of gradient checks, with `why`.
    """

    __slots__ = ("high", "low", "second", "special", "tol", "why")

    def __init__(self, low: float = -3.0, high: float = 3.0, special: Any = (),
                 second: tuple[float, float] | None = None, tol: float | None = None,
                 why: str = ""):
        self.low, self.high, self.special, self.second = low, high, special, second
        self.tol, self.why = tol, why


class Case:
    """One call of an op: its operands and attributes.

    `grad=False`: no derivative is checked here; `real=True`: none of complex operands is.
    """

    __slots__ = ("attrs", "grad", "operands", "real", "tol", "why")

    def __init__(self, *operands: Any, tol: float | None = None, why: str = "",
                 grad: bool = True, real: bool = False, **attrs: Any):
        self.operands, self.attrs, self.tol, self.why, self.grad = operands, attrs, tol, why, grad
        self.real = real


class uniform:
    """Floats of `shape`, uniform in [low, high]."""

    __slots__ = ("high", "low", "shape")

    def __init__(self, low: float, high: float, shape: tuple):
        self.low, self.high, self.shape = low, high, shape


class ints:
    """Integers of `shape` in [low, high); int32 unless said otherwise."""

    __slots__ = ("dtype", "high", "low", "shape")

    def __init__(self, high: int, shape: tuple, low: int = 0, dtype: str = "int32"):
        self.high, self.shape, self.low, self.dtype = high, shape, low, dtype


class symmetric:
    """Symmetric (Hermitian) positive definite matrices; derivatives are taken among such."""

    __slots__ = ("shape",)

    def __init__(self, shape: tuple):
        self.shape = shape
