"""What the vector functions are written with: numbers with operators, exact to the last bit.

A Num is a Val that knows its builder, so that a formula reads as one: `x * x + 1`. Sums and
products are rounded where they are written (an Arithmetic elsewhere lets a product and a sum become
one instruction, which would break the error terms below); `m.fma` asks for the fused one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.jit.codegen.lane_arithmetic import Arithmetic, Val


class Format:
    """Numbers of a binary floating-point format that functions need."""

    def __init__(self, dtype: str, whole: str, digits: int, bias: int, magic: float):
        self.dtype, self.whole, self.digits, self.bias = dtype, whole, digits, bias
        self.magic = magic  # adding it leaves the nearest whole number in the lowest bits
        self.tiny = 2.0 ** (1 - bias)  # the least normal number
        self.single = dtype == "float32"


FORMATS = {"float32": Format("float32", "int32", 23, 127, 1.5 * 2 ** 23),
           "float64": Format("float64", "int64", 52, 1023, 1.5 * 2 ** 52)}


class Num(Val):
    """A value with operators; a Python number on the other side takes its dtype."""

    __slots__ = ("m",)

    def __init__(self, m: Maths, text: str, dtype: str):
        super().__init__(text, dtype)
        self.m = m

    def _lift(self, other: Any) -> Val:
        return other if isinstance(other, Val) else self.m.const(other, self.dtype)

    def __add__(self, other: Any) -> Any:
        return self.m.add(self, self._lift(other))

    def __radd__(self, other: Any) -> Any:
        return self.m.add(self._lift(other), self)

    def __sub__(self, other: Any) -> Any:
        return self.m.sub(self, self._lift(other))

    def __rsub__(self, other: Any) -> Any:
        return self.m.sub(self._lift(other), self)

    def __mul__(self, other: Any) -> Any:
        return self.m.mul(self, self._lift(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self.m.div(self, self._lift(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self.m.div(self._lift(other), self)

    def __neg__(self) -> Any:
        return self.m.neg(self)

    def __abs__(self) -> Any:
        return self.m.abs(self)

    def __and__(self, other: Any) -> Any:
        return self.m.bits("and", self, self._lift(other))

    def __or__(self, other: Any) -> Any:
        return self.m.bits("or", self, self._lift(other))

    def __xor__(self, other: Any) -> Any:
        return self.m.bits("xor", self, self._lift(other))

    def __lshift__(self, other: Any) -> Any:
        return self.m.bits("shl", self, self._lift(other))

    def __rshift__(self, other: Any) -> Any:
        """Shifted right, filled with zeros."""
        return self.m.bits("lshr", self, self._lift(other))

    def __invert__(self) -> Any:
        return self.m.invert(self)

    def __lt__(self, other: Any) -> Any:
        return self.m.lt(self, self._lift(other))

    def __le__(self, other: Any) -> Any:
        return self.m.le(self, self._lift(other))

    def __gt__(self, other: Any) -> Any:
        return self.m.gt(self, self._lift(other))

    def __ge__(self, other: Any) -> Any:
        return self.m.ge(self, self._lift(other))

    def equals(self, other: Any) -> Any:
        return self.m.eq(self, self._lift(other))

    def differs(self, other: Any) -> Any:
        return self.m.ne(self, self._lift(other))


class Maths(Arithmetic):
    """Arithmetic whose results are Nums and whose sums and products are never fused by themselves.

    All go through `emit`, which makes the Nums.
    """

    def emit(self, instruction: str, dtype: str) -> Num:
        return Num(self, self.code.pure(instruction), dtype)

    def num(self, text: str, dtype: str) -> Num:
        return Num(self, text, dtype)

    def const(self, value: Any, dtype: str | Val) -> Num:
        one = super().const(value, dtype)
        return Num(self, one.text, one.dtype)

    def floor(self, x: Val) -> Any:
        return super().floor(x)

    def add(self, x: Val, y: Val) -> Any:
        return self._two("fadd", "add", "add", x, y)

    def sub(self, x: Val, y: Val) -> Any:
        return self._two("fsub", "sub", "sub", x, y)

    def mul(self, x: Val, y: Val) -> Any:
        return self._two("fmul", "mul", "mul", x, y)

    def cast(self, x: Val, dtype: str) -> Any:
        y = super().cast(x, dtype)
        return Num(self, y.text, dtype)

    def bitcast(self, x: Val, dtype: str) -> Any:
        return super().bitcast(x, dtype)

    def compare(self, how: str, x: Val, y: Val) -> Any:
        return super().compare(how, x, y)

    def isnan(self, x: Val) -> Any:
        return super().isnan(x)

    def copysign(self, x: Val, sign: Val) -> Any:
        return super().copysign(x, sign)

    def sqrt(self, x: Val) -> Any:
        return super().sqrt(x)

    def trunc(self, x: Val) -> Any:
        return super().trunc(x)

    def rint(self, x: Val) -> Any:
        return super().rint(x)

    def fma(self, x: Val, y: Any, z: Any) -> Any:
        y, z = (v if isinstance(v, Val) else self.const(v, x) for v in (y, z))
        return super().fma(x, y, z)

    def choose(self, condition: Val, x: Any, y: Any) -> Any:
        """`select` that takes numbers for one of the two."""
        like = x if isinstance(x, Val) else y
        return self.select(condition, *(v if isinstance(v, Val) else self.const(v, like)
                                        for v in (x, y)))

    def poly(self, x: Val, coefficients: list[float]) -> Any:
        """Horner's scheme, the highest power first."""
        total: Any = self.const(coefficients[0], x)
        for c in coefficients[1:]:
            total = self.fma(total, x, c)
        return total

    # -- blocks ----------------------------------------------------------------------------------
    def any(self, condition: Val) -> str:
        """Whether a lane's condition holds, as an i1."""
        if self.lanes == 1:
            return condition.text
        name = self.code.module.declare(f"llvm.vector.reduce.or.v{self.lanes}i1", "i1",
                                        self.type("bool"))
        return self.code.pure(f"call i1 {name}({self.type('bool')} {condition.text})")

    def iterate(self, going: Callable, step: Callable, *values: Num, most: int = 1 << 20) -> list:
        """Values replaced by `step(*values)` in the lanes where `going(*values)`, until none goes.

        A lane's result does not depend on the others': it stays as it is when it has ended.
        """
        code = self.code
        before, body, done = code.block, code.label("iteration"), code.label("end")
        code.do(f"br label %{body}")
        code.start(body)
        count = code.name_for("n")
        carry = [self.num(code.name_for("c"), x.dtype) for x in values]
        top = len(code.lines)
        with code.scope():
            goes = going(*carry)
            after = [self.select(goes, new, old)
                     for new, old in zip(step(*carry), carry, strict=True)]
            more = self.any(going(*after))
            following = code.let(f"add nsw i64 {count}, 1")
            within = code.let(f"icmp slt i64 {following}, {most}")
            both = code.let(f"and i1 {more}, {within}")
        last = code.block
        code.do(f"br i1 {both}, label %{body}, label %{done}")
        heads = [f"  {count} = phi i64 [ 0, %{before} ], [ {following}, %{last} ]"]
        heads += [f"  {new.text} = phi {self.type(new.dtype)} [ {first.text}, %{before} ], "
                  f"[ {end.text}, %{last} ]"
                  for new, first, end in zip(carry, values, after, strict=True)]
        code.lines[top:top] = heads
        code.start(done)
        return after

    def rarely(self, condition: Val, make: Callable, *usual: Num) -> list:
        """The usual values; where the condition holds `make()`, done only if a lane needs it."""
        code, before = self.code, self.code.block
        with code.when(self.any(condition)):
            chosen = [self.select(condition, new, old)
                      for new, old in zip(make(), usual, strict=True)]
            inside = code.block
        return [self.num(code.let(f"phi {self.type(old.dtype)} [ {old.text}, %{before} ], "
                                  f"[ {new.text}, %{inside} ]"), old.dtype)
                for old, new in zip(usual, chosen, strict=True)]

    # -- bits of floats --------------------------------------------------------------------------
    def raw(self, x: Num) -> Any:
        return self.bitcast(x, FORMATS[x.dtype].whole)

    def nearest(self, x: Num, factor: float = 1.0) -> tuple[Any, Any]:
        """The whole number nearest to x * factor as a float, and as an int in the lowest bits.

        For less than 2^22 (2^51); adding a large number rounds in one instruction, also where the
        machine cannot convert float64 to int64.
        """
        magic = FORMATS[x.dtype].magic
        sum_ = x + magic if factor == 1.0 else self.fma(x, factor, magic)
        return sum_ - magic, self.raw(sum_)

    def power_of_two(self, n: Num, dtype: str) -> Any:
        """2^n for an int in the lowest bits (as `nearest` gives it), if that is a normal number."""
        f = FORMATS[dtype]
        one = f.bias << f.digits
        return self.bitcast((n << f.digits) + one, dtype)

    # -- sums and products with their rounding errors --------------------------------------------
    def two_sum(self, a: Num, b: Num) -> tuple[Any, Any]:
        s = a + b
        t = s - a
        return s, (a - (s - t)) + (b - t)

    def quick_sum(self, a: Num, b: Num) -> tuple[Any, Any]:
        """For |a| >= |b| or a = 0."""
        s = a + b
        return s, b - (s - a)

    def product(self, a: Num, b: Num) -> tuple[Any, Any]:
        p = a * b
        if self.code.module.target.fma:
            return p, self.fma(a, b, -p)
        (ah, al), (bh, bl) = self._halves(a), self._halves(b)
        return p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)

    def _halves(self, a: Num) -> tuple[Any, Any]:
        """a as the sum of two numbers with half as many digits (Veltkamp)."""
        if FORMATS[a.dtype].single:
            c = a * 4097.0
            high = c - (c - a)
            return high, a - high
        huge = abs(a) > 2.0 ** 990
        small = self.choose(huge, a * 2.0 ** -60, a)
        c = small * 134217729.0
        high = c - (c - small)
        high = self.choose(huge, high * 2.0 ** 60, high)
        return high, a - high


class Function:
    """A vector function: `write(m, *xs)` gives its result, or a tuple of `results` of them.

    wide: computed in float64 with so many values at hand that more than two registers of them are
    slower, and long to compile.
    """

    def __init__(self, name: str, write: Callable, results: int, wide: bool):
        self.name, self.write, self.results, self.wide = name, write, results, wide


FUNCTIONS: dict[str, Function] = {}


def function(name: str, results: int = 1, wide: bool = False) -> Callable:
    """Register a vector function for float32 and float64."""

    def register(write: Callable) -> Callable:
        FUNCTIONS[name] = Function(name, write, results, wide)
        return write

    return register


def in_double(write: Callable) -> Callable:
    """A function of float32 computed in float64: for those that are rarely the hot ones."""

    def run(m: Maths, *xs: Num) -> Any:
        if xs[0].dtype == "float64":
            return write(m, *xs)
        return m.cast(write(m, *(m.cast(x, "float64") for x in xs)), "float32")

    run.__name__ = write.__name__
    return run
