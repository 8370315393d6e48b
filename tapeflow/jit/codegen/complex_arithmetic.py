"""Arithmetic on complex numbers: words of two floats, the real part first.

A vector of them is, bit by bit, one of twice as many floats: sums are taken of that, other
functions of its even and its odd lanes. What has no form here raises Unsupported, and NumPy's
kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.core.record.lowering_forms import Unsupported
from tapeflow.jit.codegen.lane_arithmetic import COMPLEX, LLVM, Arithmetic, Val

WHOLE = {part: whole for whole, part in COMPLEX.items()}


def is_complex(x: Val) -> bool:
    return x.dtype in COMPLEX


class ComplexArithmetic(Arithmetic):
    """Instructions on values that may be complex."""

    # -- parts -------------------------------------------------------------------------------------
    def parts(self, z: Val) -> tuple[Val, Val]:
        """The real and the imaginary part."""
        if z.parts is None:
            kind, pairs = self._pairs_type(z.dtype), self._pairs(z)
            z.parts = (self._part(kind, pairs, 0, z.dtype), self._part(kind, pairs, 1, z.dtype))
        return z.parts

    def _part(self, kind: str, pairs: str, first: int, dtype: str) -> Val:
        if self.lanes == 1:
            return self.emit(f"extractelement {kind} {pairs}, i64 {first}", COMPLEX[dtype])
        mask = ", ".join(f"i32 {2 * i + first}" for i in range(self.lanes))
        return self.emit(f"shufflevector {kind} {pairs}, {kind} poison, "
                         f"<{self.lanes} x i32> <{mask}>", COMPLEX[dtype])

    def complex(self, real: Val, imag: Val) -> Val:
        """The number with these parts."""
        dtype = WHOLE[real.dtype]
        kind = self._pairs_type(dtype)
        if self.lanes == 1:
            one = LLVM[real.dtype]
            first = self.code.pure(f"insertelement {kind} poison, {one} {real.text}, i64 0")
            pairs = self.code.pure(f"insertelement {kind} {first}, {one} {imag.text}, i64 1")
        else:
            half = self.type(real.dtype)
            mask = ", ".join(f"i32 {i}, i32 {self.lanes + i}" for i in range(self.lanes))
            pairs = self.code.pure(f"shufflevector {half} {real.text}, {half} {imag.text}, "
                                   f"<{2 * self.lanes} x i32> <{mask}>")
        made = self._from_pairs(pairs, dtype)
        made.parts = real, imag
        return made

    def _pairs_type(self, dtype: str) -> str:
        return f"<{2 * self.lanes} x {LLVM[COMPLEX[dtype]]}>"

    def _pairs(self, z: Val) -> str:
        return self.code.pure(f"bitcast {self.type(z.dtype)} {z.text} to "
                              f"{self._pairs_type(z.dtype)}")

    def _from_pairs(self, pairs: str, dtype: str) -> Val:
        return self.emit(f"bitcast {self._pairs_type(dtype)} {pairs} to {self.type(dtype)}", dtype)

    def real(self, x: Val) -> Val:
        return self.parts(x)[0] if is_complex(x) else x

    def imag(self, z: Val) -> Val:
        return self.parts(z)[1]

    def conj(self, x: Val) -> Val:
        if not is_complex(x):
            return x
        a, b = self.parts(x)
        return self.complex(a, self.neg(b))

    # -- arithmetic --------------------------------------------------------------------------------
    def _two(self, floating: str, signed: str, unsigned: str, x: Val, y: Val) -> Val:
        if not is_complex(x):
            return super()._two(floating, signed, unsigned, x, y)
        if floating not in ("fadd", "fsub"):
            raise Unsupported(f"{floating} of {x.dtype}")
        kind = self._pairs_type(x.dtype)
        pairs = self.code.pure(f"{floating} {kind} {self._pairs(x)}, {self._pairs(y)}")
        return self._from_pairs(pairs, x.dtype)

    def neg(self, x: Val) -> Val:
        if not is_complex(x):
            return super().neg(x)
        kind = self._pairs_type(x.dtype)
        return self._from_pairs(self.code.pure(f"fneg {kind} {self._pairs(x)}"), x.dtype)

    def mul(self, x: Val, y: Val) -> Val:
        if not is_complex(x):
            return super().mul(x, y)
        (a, b), (c, d) = self.parts(x), self.parts(y)
        return self.complex(self.sub(self.mul(a, c), self.mul(b, d)),
                            self.add(self.mul(a, d), self.mul(b, c)))

    def div(self, x: Val, y: Val) -> Val:
        """By Smith's way: numbers whose squares are too large have quotients all the same."""
        if not is_complex(x):
            return super().div(x, y)
        (a, b), (c, d) = self.parts(x), self.parts(y)
        swap = self.lt(self.abs(c), self.abs(d))
        # For |c| < |d| both are multiplied by -i: (b - ia) / (d - ic).
        a, b = self.select(swap, b, a), self.select(swap, self.neg(a), b)
        c, d = self.select(swap, d, c), self.select(swap, self.neg(c), d)
        nothing = self.eq(c, self.const(0, c))  # then d is 0 too
        ratio = self.select(nothing, self.const(0, c), super().div(d, c))
        whole = self.select(nothing, self.abs(c), self.add(c, self.mul(d, ratio)))
        return self.complex(super().div(self.add(a, self.mul(b, ratio)), whole),
                            super().div(self.sub(b, self.mul(a, ratio)), whole))

    # -- comparing, converting ---------------------------------------------------------------------
    def compare(self, how: str, x: Val, y: Val) -> Val:
        if not is_complex(x):
            return super().compare(how, x, y)
        if how not in ("eq", "ne"):
            raise Unsupported(f"order of {x.dtype}")
        (a, b), (c, d) = self.parts(x), self.parts(y)
        if how == "eq":
            return self.both(self.eq(a, c), self.eq(b, d))
        return self.either(self.ne(a, c), self.ne(b, d))

    def known(self, x: Val) -> Any:
        return None if is_complex(x) else super().known(x)

    def cast(self, x: Val, dtype: str) -> Val:
        if x.dtype == dtype or not (is_complex(x) or dtype in COMPLEX):
            return super().cast(x, dtype)
        if not is_complex(x):
            part = super().cast(x, COMPLEX[dtype])
            return self.complex(part, self.const(0, part))
        if dtype == "bool":
            return self.compare("ne", x, self.const(0, x))
        a, b = self.parts(x)
        if dtype not in COMPLEX:
            return super().cast(a, dtype)
        return self.complex(super().cast(a, COMPLEX[dtype]), super().cast(b, COMPLEX[dtype]))

    def intrinsic(self, name: str, dtype: str, *xs: Val) -> Val:
        if dtype in COMPLEX:
            if name == "sqrt":
                return _sqrt(self, *xs)
            raise Unsupported(f"{name} of {dtype}")
        return super().intrinsic(name, dtype, *xs)

    # -- functions ---------------------------------------------------------------------------------
    def modulus(self, z: Val) -> Val:
        """|z|: in float64, where squares of float32 are neither too large nor too small."""
        a, b = [self.abs(part) for part in self.parts(z)]
        infinite = self.const(float("inf"), a)
        if a.dtype == "float32":
            wide = [self.cast(part, "float64") for part in (a, b)]
            size = self.cast(self.sqrt(self.add(*map(self.square, wide))), "float32")
        else:
            large, small = self.maximum(a, b), self.minimum(a, b)
            safe = self.select(self.eq(large, self.const(0, a)), self.const(1, a), large)
            ratio = super().div(small, safe)
            size = self.mul(large, self.sqrt(self.add(self.const(1, a), self.square(ratio))))
        either = self.either(self.eq(a, infinite), self.eq(b, infinite))
        return self.select(either, infinite, size)

    def angle(self, z: Val) -> Val:
        a, b = self.parts(z)
        return self.function("atan2", b, a)

    def function(self, name: str, *xs: Val) -> Val:
        """A function of real numbers, which `Builder` has; of complex ones by those."""
        if name not in FUNCTIONS:
            raise Unsupported(f"{name} of {xs[0].dtype}")
        return FUNCTIONS[name](self, *xs)


def _sqrt(b: ComplexArithmetic, z: Val) -> Val:
    """The root with a real part that is not negative."""
    x, y = b.parts(z)
    half, zero = b.const(0.5, x), b.const(0, x)
    size = b.sqrt(b.mul(half, b.add(b.modulus(z), b.abs(x))))
    other = b.select(b.eq(size, zero), zero, b.mul(half, b.div(b.abs(y), size)))
    right = b.ge(x, zero)
    return b.complex(b.select(right, size, other),
                     b.copysign(b.select(right, other, size), y))


def _exp(b: ComplexArithmetic, z: Val) -> Val:
    x, y = b.parts(z)
    size = b.function("exp", x)
    turned = b.mul(size, b.function("sin", y))
    return b.complex(b.mul(size, b.function("cos", y)),
                     b.select(b.eq(y, b.const(0, y)), y, turned))


def _log(b: ComplexArithmetic, z: Val) -> Val:
    return b.complex(b.function("log", b.modulus(z)), b.angle(z))


def _sin(b: ComplexArithmetic, z: Val) -> Val:
    x, y = b.parts(z)
    return b.complex(b.mul(b.function("sin", x), b.function("cosh", y)),
                     b.mul(b.function("cos", x), b.function("sinh", y)))


def _cos(b: ComplexArithmetic, z: Val) -> Val:
    x, y = b.parts(z)
    return b.complex(b.mul(b.function("cos", x), b.function("cosh", y)),
                     b.neg(b.mul(b.function("sin", x), b.function("sinh", y))))


def _sinh(b: ComplexArithmetic, z: Val) -> Val:
    x, y = b.parts(z)
    return b.complex(b.mul(b.function("sinh", x), b.function("cos", y)),
                     b.mul(b.function("cosh", x), b.function("sin", y)))


def _cosh(b: ComplexArithmetic, z: Val) -> Val:
    x, y = b.parts(z)
    return b.complex(b.mul(b.function("cosh", x), b.function("cos", y)),
                     b.mul(b.function("sinh", x), b.function("sin", y)))


def _tanh(b: ComplexArithmetic, z: Val) -> Val:
    """sinh x cosh x and sin y cos y, over sinh² x + cos² y."""
    x, y = b.parts(z)
    limit = b.const(22.0 if x.dtype == "float64" else 11.0, x)  # from there on it is ±1
    near = b.copysign(b.minimum(b.abs(x), limit), x)
    s, c = b.function("sinh", near), b.function("cos", y)
    below = b.add(b.square(s), b.square(c))
    return b.complex(b.div(b.mul(s, b.function("cosh", near)), below),
                     b.div(b.mul(b.function("sin", y), c), below))


FUNCTIONS: dict[str, Callable[..., Val]] = {
    "exp": _exp, "log": _log, "sin": _sin, "cos": _cos, "sinh": _sinh, "cosh": _cosh,
    "tanh": _tanh}
