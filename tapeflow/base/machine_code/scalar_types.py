"""What scalar functions are written with: types of numbers, pointers and lanes; instructions.

Imported by modules of scalar functions only; `scalar_functions.py` says what these are.
"""

from __future__ import annotations

from typing import Any

I64 = int
F64 = float


class _Pointer:
    """Numbers in memory; only machine code follows it. `U8(address)` makes one there."""

    def __init__(self, address: int):
        raise TypeError("a pointer exists in machine code only")

    def __int__(self) -> int:
        return 0

    def __getitem__(self, index: int) -> Any: ...

    def __setitem__(self, index: int, value: Any) -> None: ...


class U8(_Pointer): ...


class U32(_Pointer): ...


class I16(_Pointer): ...


class I32(_Pointer): ...


class I64s(_Pointer): ...


class F32(_Pointer): ...


class F64s(_Pointer): ...


# What machine code has instructions for; the arguments of the functions say more.
def word(data: U8, at: int) -> int:
    """Eight bytes from `at` on, as a number; the lowest first."""
    raise NotImplementedError


def half_word(data: U8, at: int) -> int:
    """Four bytes from `at` on, as a number without sign."""
    raise NotImplementedError


def crc_word(state: int, value: int) -> int:
    """The state of a CRC-32C after eight more bytes; where the processor has it."""
    raise NotImplementedError


def crc_byte(state: int, value: int) -> int:
    """The state of a CRC-32C after one more byte; where the processor has it."""
    raise NotImplementedError


def big_word(data: U8, at: int) -> int:
    """Eight bytes from `at` on, as a number; the highest first."""
    raise NotImplementedError


def unsigned_shift(value: int, count: int) -> int:
    """To the right by fewer than 64 bits; zeros come in."""
    raise NotImplementedError


# Eight numbers for one instruction. + - * & | ^ << >> take two of them, or one and a number.
class _Lanes:
    def __init__(self, value: int):
        """The same number in each lane."""
        raise TypeError("lanes exist in machine code only")

    def __getattr__(self, name: str) -> Any: ...

    def _with(self, other: Any) -> Any: ...

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __lshift__ = __rshift__ = _with
    __and__ = __or__ = __xor__ = _with


class I16x8(_Lanes): ...


class I32x8(_Lanes): ...


def lanes(data: Any, at: int) -> Any:
    """Eight elements from `at` on: I16x8 of bytes (without sign) and of 16 bits, else I32x8."""
    raise NotImplementedError


def put(data: Any, at: int, value: Any) -> int:
    """Eight lanes to memory from `at` on, the lowest bits of each; 0."""
    raise NotImplementedError


def put_pixels(data: U8, at: int, red: I16x8, green: I16x8, blue: I16x8) -> int:
    """Eight pixels of three bytes each, the lowest bits of each lane, from byte `at` on; 0."""
    raise NotImplementedError


def widened(value: I16x8) -> I32x8:
    """The same numbers in 32 bits."""
    raise NotImplementedError


def saturated(value: I32x8) -> I16x8:
    """The nearest numbers of 16 bits."""
    raise NotImplementedError


def clamped(value: Any, least: int, most: int) -> Any:
    """The nearest numbers from `least` to `most`."""
    raise NotImplementedError


def high_product(a: I16x8, b: I16x8) -> I16x8:
    """The upper 16 bits of each product."""
    raise NotImplementedError


def low_pairs(a: Any, b: Any) -> Any:
    """Lanes 0 to 3 of both in turn."""
    raise NotImplementedError


def high_pairs(a: Any, b: Any) -> Any:
    """Lanes 4 to 7 of both in turn."""
    raise NotImplementedError
