"""Arithmetic on values of one or several lanes, one LLVM instruction after the other.

A Val is a value of the program being compiled: its LLVM name and its dtype (NumPy's name). All Vals
of an Arithmetic have its number of lanes. Booleans are i1 while computing and bytes in memory;
float16 and bfloat16 are widened to float32 to compute and rounded after each op, as NumPy does, but
not where the result is one of the operands.
"""

from __future__ import annotations

import functools
import struct
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeflow.jit.codegen.llvm_text import Code

# bfloat16 is only moved and widened: as a whole number, which every machine can move.
LLVM = {"float32": "float", "float64": "double", "float16": "half", "bfloat16": "i16",
        "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "i8",
        "uint16": "i16", "uint32": "i32", "uint64": "i64", "bool": "i1",
        "complex64": "i64", "complex128": "i128"}  # words: see `complex_arithmetic`
COMPLEX = {"complex64": "float32", "complex128": "float64"}  # what their parts are
HALF = ("float16", "bfloat16")  # computed in float32 and rounded
# float32 in memory that is rounded to half precision, and widened again, as it is loaded.
ROUNDED_AS = {"float32_as_float16": "float16", "float32_as_bfloat16": "bfloat16"}
LLVM |= dict.fromkeys(ROUNDED_AS, "float")
SHORT = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16"}
_FLOAT32, _FLOAT64, _UINT64 = [struct.Struct(f"<{kind}") for kind in "fdQ"]
BYTES = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "bool": 1,
         "complex64": 8, "complex128": 16} | dict.fromkeys(ROUNDED_AS, 4)


class Val:
    """A value: its LLVM name and its dtype's name.

    wide  of half precision: the same number in float32, if it is at hand
    fits  of float32: the dtype of half precision that has this number, so that it is not rounded
    parts of a complex number: the real and the imaginary one, if they are at hand
    """

    __slots__ = ("dtype", "fits", "parts", "text", "wide")

    def __init__(self, text: str, dtype: str, wide: Val | None = None, fits: str | None = None):
        self.text, self.dtype, self.wide, self.fits = text, dtype, wide, fits
        self.parts: tuple[Val, Val] | None = None

    def __repr__(self) -> str:
        return f"{self.dtype} {self.text}"


@functools.cache
def name_of(dtype: Any) -> str:
    """A NumPy dtype's name; NumPy takes its time to make it."""
    return str(dtype)


@functools.cache
def _vector_type(lanes: int, dtype: str) -> str:
    return f"<{lanes} x {LLVM[dtype]}>"


@functools.cache
def itemsize(dtype: str) -> int:
    return BYTES.get(dtype) or int(dtype.lstrip("uint")) // 8


def literal(value: Any, dtype: str) -> str:
    """A number as LLVM writes it."""
    if dtype == "bool":
        return "true" if value else "false"
    if dtype in ("float64", "float32", "float16"):
        return f"0x{_UINT64.unpack(_FLOAT64.pack(_rounded(value, dtype)))[0]:016X}"
    if dtype == "bfloat16":
        import ml_dtypes
        value, dtype = np.array(value, ml_dtypes.bfloat16).view(np.uint16), "uint16"
    if dtype in COMPLEX:
        value = int.from_bytes(np.array(value, dtype).tobytes(), sys.byteorder)
    bits = 8 * itemsize(dtype)
    value = int(value) & ((1 << bits) - 1)
    return str(value - (1 << bits) if value >> (bits - 1) else value)


def _rounded(value: Any, dtype: str) -> float:
    """The number of a floating dtype that is nearest to a value."""
    if type(value) is float and value - value == 0:  # finite; NumPy takes its time for a scalar
        if dtype == "float64":
            return value
        if dtype == "float32" and abs(value) < 3e38:
            return _FLOAT32.unpack(_FLOAT32.pack(value))[0]
    with np.errstate(all="ignore"):
        return float(np.dtype(dtype).type(value))


class Arithmetic:
    """Instructions on values of `lanes` lanes, written to a Code."""

    def __init__(self, code: Code, lanes: int = 1):
        self.code, self.lanes = code, lanes

    # -- types and constants ---------------------------------------------------------------------
    def type(self, dtype: str) -> str:
        return LLVM[dtype] if self.lanes == 1 else _vector_type(self.lanes, dtype)

    def suffix(self, dtype: str) -> str:
        """The end of an intrinsic's name."""
        one = SHORT.get(dtype) or LLVM[dtype]
        return one if self.lanes == 1 else f"v{self.lanes}{one}"

    def const(self, value: Any, dtype: str | Val) -> Val:
        """A constant, of a dtype or of the dtype of another value."""
        name = dtype.dtype if isinstance(dtype, Val) else dtype
        one = literal(value, name)
        return Val(one if self.lanes == 1 else f"splat ({LLVM[name]} {one})", name)

    def known(self, x: Val) -> Any:
        """The number that a constant is; None if it is not one."""
        text = x.text.removeprefix(f"splat ({LLVM[x.dtype]} ").rstrip(")")
        if text in ("true", "false"):
            return text == "true"
        if text.startswith("0x"):
            return struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0]
        if not text.lstrip("-").isdigit():
            return None
        # Unsigned numbers are written as signed ones.
        return int(text) % (1 << 8 * itemsize(x.dtype)) if x.dtype[0] == "u" else int(text)

    def splat(self, text: str, dtype: str) -> Val:
        """One number in all lanes."""
        if self.lanes == 1:
            return Val(text, dtype)
        kind = self.type(dtype)
        first = self.code.pure(f"insertelement {kind} poison, {LLVM[dtype]} {text}, i64 0")
        return Val(self.code.pure(f"shufflevector {kind} {first}, {kind} poison, "
                                  f"<{self.lanes} x i32> zeroinitializer"), dtype)

    def emit(self, instruction: str, dtype: str) -> Val:
        return Val(self.code.pure(instruction), dtype)

    def intrinsic(self, name: str, dtype: str, *xs: Val) -> Val:
        """llvm.NAME of the operands' type, which gives the same type."""
        kind = self.type(dtype)
        kinds = [kind] * len(xs)
        full = self.code.module.declare(f"llvm.{name}.{self.suffix(dtype)}", kind, *kinds)
        return self.emit(f"call {kind} {full}({', '.join(f'{kind} {x.text}' for x in xs)})", dtype)

    def _fitting(self, value: Val, *sources: Val) -> Val:
        """A value that is one of some others, but for its sign: it fits where they do."""
        found = {x.fits for x in sources if x.fits is not None}
        if len(found) == 1:
            fits = found.pop()
            if all(x.fits == fits or self._is_half(x, fits) for x in sources):
                value.fits = fits
        return value

    def _is_half(self, x: Val, dtype: str) -> bool:
        """Whether a float32 is a constant that is a number of half precision too."""
        number = self.known(x)
        if number is None or number != number:
            return number is not None
        with np.errstate(over="ignore"):  # a number that is too large becomes infinite
            return float(np.float32(number).astype(dtype)) == number

    # -- arithmetic ------------------------------------------------------------------------------
    # Each op is rounded by itself, as NumPy does: a value that is computed twice, here in a vector
    # and there as a number, must be the same to the last bit, or x == reduce_max(x) fails.
    def _two(self, floating: str, signed: str, unsigned: str, x: Val, y: Val) -> Val:
        assert x.dtype == y.dtype, (x, y)
        name = floating if x.dtype in SHORT else unsigned if x.dtype[0] == "u" else signed
        return self.emit(f"{name} {self.type(x.dtype)} {x.text}, {y.text}", x.dtype)

    def add(self, x: Val, y: Val) -> Val:
        return self._two("fadd", "add", "add", x, y)

    def sub(self, x: Val, y: Val) -> Val:
        return self._two("fsub", "sub", "sub", x, y)

    def mul(self, x: Val, y: Val) -> Val:
        return self._two("fmul", "mul", "mul", x, y)

    def div(self, x: Val, y: Val) -> Val:
        """A quotient of floats; of whole numbers towards zero, undefined for a divisor 0."""
        return self._two("fdiv", "sdiv", "udiv", x, y)

    def rem(self, x: Val, y: Val) -> Val:
        """The remainder of `div`, for whole numbers."""
        return self._two("frem", "srem", "urem", x, y)

    def neg(self, x: Val) -> Val:
        if x.dtype in SHORT:
            return self._fitting(self.emit(f"fneg {self.type(x.dtype)} {x.text}", x.dtype), x)
        return self.sub(self.const(0, x), x)

    def fma(self, x: Val, y: Val, z: Val) -> Val:
        """x * y + z, rounded once where the machine can."""
        if self.code.module.target.fma:
            return self.intrinsic("fma", x.dtype, x, y, z)
        return self.add(self.mul(x, y), z)

    def square(self, x: Val) -> Val:
        return self.mul(x, x)

    def abs(self, x: Val) -> Val:
        if x.dtype in SHORT:
            return self._fitting(self.intrinsic("fabs", x.dtype, x), x)
        if x.dtype[0] == "u":
            return x
        return self.select(self.lt(x, self.const(0, x)), self.neg(x), x)

    def sqrt(self, x: Val) -> Val:
        return self.intrinsic("sqrt", x.dtype, x)

    def copysign(self, x: Val, sign: Val) -> Val:
        return self.intrinsic("copysign", x.dtype, x, sign)

    def rint(self, x: Val) -> Val:
        """To the nearest whole number, ties to even."""
        if self.code.module.target.rounds:
            return self.intrinsic("rint", x.dtype, x)
        # Adding a number without digits after the point rounds; larger ones have none either.
        whole = self.const(2.0 ** (23 if x.dtype == "float32" else 52), x)
        size = self.abs(x)
        near = self.copysign(self.sub(self.add(size, whole), whole), x)
        return self.select(self.lt(size, whole), near, x)

    def floor(self, x: Val) -> Val:
        if self.code.module.target.rounds:
            return self.intrinsic("floor", x.dtype, x)
        near = self.rint(x)
        return self.select(self.gt(near, x), self.sub(near, self.const(1, x)), near)

    def ceil(self, x: Val) -> Val:
        if self.code.module.target.rounds:
            return self.intrinsic("ceil", x.dtype, x)
        return self.neg(self.floor(self.neg(x)))

    def trunc(self, x: Val) -> Val:
        if self.code.module.target.rounds:
            return self.intrinsic("trunc", x.dtype, x)
        return self.copysign(self.floor(self.abs(x)), x)

    def maximum(self, x: Val, y: Val) -> Val:
        """The larger; NaN if one is, as NumPy has it."""
        return self._extreme("ogt", "gt", x, y)

    def minimum(self, x: Val, y: Val) -> Val:
        return self._extreme("olt", "lt", x, y)

    def _extreme(self, floating: str, whole: str, x: Val, y: Val) -> Val:
        if x.dtype in SHORT:
            number = self.known(y)
            if number is not None and number == number and str(number) != "-0.0":
                # y where it is beyond x, else x, which may be NaN: one instruction.
                beyond = {"ogt": "olt", "olt": "ogt"}[floating]
                taken = self.select(self.compare(beyond, x, y), y, x)
                if number:
                    return taken
                return self._fitting(self.add(taken, y), taken)  # of two zeros y: 0 + -0 is 0
            # x where it is NaN or beyond y; y else, which may be NaN.
            wins = self.either(self.compare(floating, x, y), self.compare("uno", x, x))
            return self.select(wins, x, y)
        return self.select(self.compare(whole, x, y), x, y)

    # -- bits ------------------------------------------------------------------------------------
    def bits(self, name: str, x: Val, y: Val) -> Val:
        """and, or, xor, shl, lshr, ashr of whole numbers or booleans."""
        return self.emit(f"{name} {self.type(x.dtype)} {x.text}, {y.text}", x.dtype)

    def both(self, x: Val, y: Val) -> Val:
        return self.bits("and", x, y)

    def either(self, x: Val, y: Val) -> Val:
        return self.bits("or", x, y)

    def differ(self, x: Val, y: Val) -> Val:
        return self.bits("xor", x, y)

    def invert(self, x: Val) -> Val:
        return self.bits("xor", x, self.const(1 if x.dtype == "bool" else -1, x))

    def bitcast(self, x: Val, dtype: str) -> Val:
        """The same bits as another dtype of the same size."""
        return self.emit(f"bitcast {self.type(x.dtype)} {x.text} to {self.type(dtype)}", dtype)

    # -- comparing and choosing ------------------------------------------------------------------
    def compare(self, how: str, x: Val, y: Val) -> Val:
        """An LLVM predicate: `olt`, `uno` … of floats; `lt`, `eq` … of whole numbers."""
        assert x.dtype == y.dtype, (x, y)
        kind = self.type(x.dtype)
        if x.dtype in SHORT:
            return self.emit(f"fcmp {how} {kind} {x.text}, {y.text}", "bool")
        sign = "" if how in ("eq", "ne") else "u" if x.dtype[0] == "u" or x.dtype == "bool" else "s"
        return self.emit(f"icmp {sign}{how} {kind} {x.text}, {y.text}", "bool")

    def _ordered(self, how: str, x: Val, y: Val) -> Val:
        return self.compare(f"o{how}" if x.dtype in SHORT else how, x, y)

    def lt(self, x: Val, y: Val) -> Val:
        return self._ordered("lt", x, y)

    def le(self, x: Val, y: Val) -> Val:
        return self._ordered("le", x, y)

    def gt(self, x: Val, y: Val) -> Val:
        return self._ordered("gt", x, y)

    def ge(self, x: Val, y: Val) -> Val:
        return self._ordered("ge", x, y)

    def eq(self, x: Val, y: Val) -> Val:
        return self._ordered("eq", x, y)

    def ne(self, x: Val, y: Val) -> Val:
        return self.compare("une" if x.dtype in SHORT else "ne", x, y)

    def isnan(self, x: Val) -> Val:
        return self.compare("uno", x, x)

    def select(self, condition: Val, x: Val, y: Val) -> Val:
        assert x.dtype == y.dtype, (x, y)
        kind = self.type(x.dtype)
        found = self.emit(f"select {self.type('bool')} {condition.text}, {kind} {x.text}, "
                          f"{kind} {y.text}", x.dtype)
        return self._fitting(found, x, y)

    # -- conversions -----------------------------------------------------------------------------
    def cast(self, x: Val, dtype: str) -> Val:
        """To another dtype as NumPy's astype does; half precision goes through float32."""
        if x.dtype == dtype:
            return x
        if x.dtype in ("float16", "bfloat16"):
            return self.cast(self.widen(x), dtype)
        if dtype in ("float16", "bfloat16"):
            return self.narrow(self.cast(x, "float32"), dtype)
        if dtype == "bool":
            return self.compare("une" if x.dtype in SHORT else "ne", x, self.const(0, x))
        source, goal = self.type(x.dtype), self.type(dtype)
        if x.dtype in SHORT and dtype in SHORT:
            word = "fpext" if dtype == "float64" else "fptrunc"
        elif x.dtype in SHORT:
            return self._whole(x, dtype)
        elif dtype in SHORT:
            word = "uitofp" if x.dtype[0] == "u" or x.dtype == "bool" else "sitofp"
        else:
            have, want = 0 if x.dtype == "bool" else itemsize(x.dtype), itemsize(dtype)
            if have == want:
                return Val(x.text, dtype)
            word = "trunc" if want < have else (
                "zext" if x.dtype[0] == "u" or x.dtype == "bool" else "sext")
        return self.emit(f"{word} {source} {x.text} to {goal}", dtype)

    def _whole(self, x: Val, dtype: str) -> Val:
        """Floats to whole numbers: through int32 or int64 and cut, as x86 and NumPy do."""
        wide = "int32" if dtype in ("int8", "uint8", "int16", "uint16", "int32") else "int64"
        source = self.type(x.dtype)
        # fptosi of a value out of range is poison in LLVM; freeze makes it some number.
        cut = self.emit(f"fptosi {source} {x.text} to {self.type(wide)}", wide)
        fixed = self.emit(f"freeze {self.type(wide)} {cut.text}", wide)
        limit = 2.0 ** (31 if wide == "int32" else 63)
        inside = self.both(self.lt(x, self.const(limit, x)), self.ge(x, self.const(-limit, x)))
        lowest = self.const(-(1 << (31 if wide == "int32" else 63)), wide)
        return self.cast(self.select(inside, fixed, lowest), dtype)

    def widen(self, x: Val) -> Val:
        """float16 or bfloat16 as float32, exactly."""
        if x.wide is not None:
            return x.wide
        if x.dtype == "float16" and not self.code.module.target.half:
            wide = self._widened_bits(x)
        elif x.dtype == "float16":
            wide = self.emit(f"fpext {self.type('float16')} {x.text} to {self.type('float32')}",
                             "float32")
        else:
            raw = self.cast(Val(x.text, "uint16"), "uint32")
            wide = self.bitcast(self.bits("shl", raw, self.const(16, raw)), "float32")
        x.wide = Val(wide.text, "float32", fits=x.dtype)
        return x.wide

    def narrow(self, x: Val, dtype: str, short: bool = False) -> Val:
        """float32 rounded to float16 or bfloat16, to the nearest, ties to even.

        short: no NaN has digits beyond those of bfloat16, which would carry when it is rounded.
        """
        if dtype == "bfloat16":
            return self._narrowed_bfloat16(x, short)
        if self.code.module.target.half:
            found = self.emit(f"fptrunc {self.type('float32')} {x.text} to {self.type('float16')}",
                              "float16")
        else:
            found = self._narrowed_bits(x)
        return Val(found.text, dtype, wide=x if x.fits == dtype else None)

    def _narrowed_bfloat16(self, x: Val, short: bool) -> Val:
        """The upper half of a float32, rounded; with zeros below it is the same number."""
        raw = self.bitcast(x, "uint32")
        shift = self.const(16, raw)
        if x.fits == "bfloat16":
            return Val(self.cast(self.bits("lshr", raw, shift), "uint16").text, "bfloat16", wide=x)
        odd = self.both(self.bits("lshr", raw, shift), self.const(1, raw))
        rounded = self.add(self.add(raw, self.const(0x7FFF, raw)), odd)
        if not short:
            quiet = self.either(raw, self.const(0x400000, raw))
            rounded = self.select(self.isnan(x), quiet, rounded)
        high = self.cast(self.bits("lshr", rounded, shift), "uint16")
        wide = self.bitcast(self.both(rounded, self.const(0xFFFF0000, raw)), "float32")
        return Val(high.text, "bfloat16", wide=Val(wide.text, "float32", fits="bfloat16"))

    def _widened_bits(self, x: Val) -> Val:
        """float16 as float32, where the machine has no instruction for it."""
        raw = self.cast(self.bitcast(x, "uint16"), "uint32")
        sign = self.bits("shl", self.both(raw, self.const(0x8000, raw)), self.const(16, raw))
        digits = self.bits("shl", self.both(raw, self.const(0x7FFF, raw)), self.const(13, raw))
        # Its exponent is too small by 112; the product is exact, of subnormal numbers too.
        size = self.bitcast(self.mul(self.bitcast(digits, "float32"),
                                     self.const(2.0 ** 112, "float32")), "uint32")
        special = self.ge(digits, self.const(0x7C00 << 13, raw))
        size = self.select(special, self.either(digits, self.const(0x7F800000, raw)), size)
        return self.bitcast(self.either(size, sign), "float32")

    def _narrowed_bits(self, x: Val) -> Val:
        """float32 rounded to float16, where the machine has no instruction for it."""
        raw = self.bitcast(x, "uint32")
        size = self.both(raw, self.const(0x7FFFFFFF, raw))
        sign = self.bits("lshr", self.both(raw, self.const(0x80000000, raw)), self.const(16, raw))
        odd = self.both(self.bits("lshr", size, self.const(13, raw)), self.const(1, raw))
        rounded = self.add(self.add(size, self.const(0xFFF - (112 << 23), raw)), odd)
        usual = self.bits("lshr", rounded, self.const(13, raw))
        # Added to a number whose last digit is float16's smallest number, it is rounded to that.
        half = self.const(0.5, "float32")
        small = self.sub(self.bitcast(self.add(self.bitcast(size, "float32"), half), "uint32"),
                         self.bitcast(half, "uint32"))
        found = self.select(self.lt(size, self.const(113 << 23, raw)), small, usual)
        infinite = self.select(self.isnan(x), self.const(0x7E00, raw), self.const(0x7C00, raw))
        found = self.select(self.ge(size, self.const(143 << 23, raw)), infinite, found)
        return self.bitcast(self.cast(self.either(found, sign), "uint16"), "float16")

    # -- memory ----------------------------------------------------------------------------------
    def load(self, pointer: str, dtype: str) -> Val:
        """`lanes` neighbouring elements."""
        if dtype == "bool":
            kind = self.type("int8")
            raw = self.code.let(f"load {kind}, ptr {pointer}, align 1")
            return self.compare("ne", Val(raw, "int8"), self.const(0, "int8"))
        return Val(self.code.let(f"load {self.type(dtype)}, ptr {pointer}, align "
                                 f"{itemsize(dtype)}"), dtype)

    def store(self, x: Val, pointer: str, streamed: int = 0) -> None:
        """streamed: past the caches, at an address that is a multiple of so many bytes."""
        if x.dtype == "bool":
            x = self.emit(f"zext {self.type('bool')} {x.text} to {self.type('int8')}", "int8")
        how = f"{streamed}, !nontemporal !{{i32 1}}" if streamed else itemsize(x.dtype)
        self.code.do(f"store {self.type(x.dtype)} {x.text}, ptr {pointer}, align {how}")

    def lookup(self, table: Sequence[float], index: Val) -> Val:
        """Elements of a table of float64; indices are int64, those beyond it give the last one."""
        last = self.const(len(table) - 1, index)
        index = self.select(self.lt(Val(index.text, "uint64"), Val(last.text, "uint64")), index,
                            last)
        code, module = self.code, self.code.module
        words = ", ".join(f"double {literal(number, 'float64')}" for number in table)
        array = module.constant(f"[{len(table)} x double] [{words}]")
        at = code.pure(f"getelementptr double, ptr {array}, {self.type('int64')} {index.text}")
        if self.lanes == 1:
            return self.emit(f"load double, ptr {at}, align 8", "float64")
        kind, n = self.type("float64"), self.lanes
        gather = module.declare(f"llvm.masked.gather.v{n}f64.v{n}p0", kind, f"<{n} x ptr>", "i32",
                                f"<{n} x i1>", kind)
        return self.emit(f"call {kind} {gather}(<{n} x ptr> {at}, i32 8, "
                         f"<{n} x i1> splat (i1 true), {kind} poison)", "float64")

    def extract(self, x: Val, lane: int) -> str:
        """One lane as a number."""
        if self.lanes == 1:
            return x.text
        return self.code.pure(f"extractelement {self.type(x.dtype)} {x.text}, i64 {lane}")
