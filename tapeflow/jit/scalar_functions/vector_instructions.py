"""LLVM text for the instructions on eight lanes that `base/machine_code/scalar_types.py` declares.

Each function gets the translator of a scalar function (`scalar_translator.py`) and operands, which
have a `text` and a `kind`, and gives the result.
"""

from __future__ import annotations

from typing import Any

LANES = {"I16x8": "i16", "I32x8": "i32"}  # kinds of vectors, and the types of their lanes
# What eight elements in memory become: type there, the instruction that widens it, kind.
_MEMORY = {"U8": ("i8", "zext", "I16x8"), "I16": ("i16", "", "I16x8"),
           "I32": ("i32", "", "I32x8")}
DECLARED = ["declare i64 @llvm.bswap.i64(i64)",
            *(f"declare <8 x {lane}> @llvm.{which}.v8{lane}(<8 x {lane}>, <8 x {lane}>)"
              for lane in LANES.values() for which in ("smin", "smax"))]


def broadcast(to: Any, value: Any, kind: str) -> Any:
    """A number in each lane, its lowest bits."""
    lane = LANES[kind]
    narrow = to.emit(f"trunc i64 {value.text} to {lane}", kind).text
    one = to.emit(f"insertelement <8 x {lane}> poison, {lane} {narrow}, i64 0", kind).text
    return to.emit(f"shufflevector <8 x {lane}> {one}, <8 x {lane}> poison, "
                   "<8 x i32> zeroinitializer", kind)


def _place(to: Any, data: Any, at: Any) -> tuple[str, str, str, str]:
    memory, widen, kind = _MEMORY[data.kind]
    where = to.emit(f"getelementptr {memory}, ptr {data.text}, i64 {at.text}", "ptr").text
    return where, memory, widen, kind


def _lanes(to: Any, data: Any, at: Any) -> Any:
    where, memory, widen, kind = _place(to, data, at)
    value = to.emit(f"load <8 x {memory}>, ptr {where}, align 1", kind)
    if not widen:
        return value
    return to.emit(f"{widen} <8 x {memory}> {value.text} to <8 x {LANES[kind]}>", kind)


def _put(to: Any, data: Any, at: Any, value: Any) -> Any:
    where, memory, _, _ = _place(to, data, at)
    lane = LANES[value.kind]
    if lane != memory:
        value = to.emit(f"trunc <8 x {lane}> {value.text} to <8 x {memory}>", value.kind)
    to.act(f"store <8 x {memory}> {value.text}, ptr {where}, align 1")
    return type(value)("0", "i64")


def _put_pixels(to: Any, data: Any, at: Any, red: Any, green: Any, blue: Any) -> Any:
    where = _place(to, data, at)[0]
    bytes_ = [to.emit(f"trunc <8 x i16> {one.text} to <8 x i8>", "").text
              for one in (red, green, blue)]
    two = to.emit(f"shufflevector <8 x i8> {bytes_[0]}, <8 x i8> {bytes_[1]}, "
                  f"{_mask(range(16))}", "").text
    last = to.emit(f"shufflevector <8 x i8> {bytes_[2]}, <8 x i8> poison, "
                   f"{_mask([*range(8), *range(8)])}", "").text
    order = _mask([8 * (i % 3) + i // 3 for i in range(24)])
    made = to.emit(f"shufflevector <16 x i8> {two}, <16 x i8> {last}, {order}", "").text
    to.act(f"store <24 x i8> {made}, ptr {where}, align 1")
    return type(data)("0", "i64")


def _mask(lanes: Any) -> str:
    listed = ", ".join(f"i32 {lane}" for lane in lanes)
    return f"<{len(lanes)} x i32> <{listed}>"


def _widened(to: Any, value: Any) -> Any:
    return to.emit(f"sext <8 x i16> {value.text} to <8 x i32>", "I32x8")


def _bounded(to: Any, which: str, value: Any, bound: Any) -> Any:
    lane, bound = LANES[value.kind], to.as_kind(bound, value.kind)
    return to.emit(f"call <8 x {lane}> @llvm.{which}.v8{lane}(<8 x {lane}> {value.text}, "
                   f"<8 x {lane}> {bound.text})", value.kind)


def _clamped(to: Any, value: Any, least: Any, most: Any) -> Any:
    return _bounded(to, "smin", _bounded(to, "smax", value, least), most)


def _saturated(to: Any, value: Any) -> Any:
    number = type(value)
    near = _clamped(to, value, number("-32768", "i64"), number("32767", "i64"))
    return to.emit(f"trunc <8 x i32> {near.text} to <8 x i16>", "I16x8")


def _high_product(to: Any, a: Any, b: Any) -> Any:
    wide = [_widened(to, to.as_kind(one, "I16x8")).text for one in (a, b)]
    product = to.emit(f"mul <8 x i32> {wide[0]}, {wide[1]}", "I32x8").text
    sixteen = to.as_kind(type(a)("16", "i64"), "I32x8").text
    high = to.emit(f"ashr <8 x i32> {product}, {sixteen}", "I32x8").text
    return to.emit(f"trunc <8 x i32> {high} to <8 x i16>", "I16x8")


def _pairs(to: Any, a: Any, b: Any, first: int) -> Any:
    lane = LANES[a.kind]
    order = _mask([first + i // 2 + 8 * (i % 2) for i in range(8)])
    return to.emit(f"shufflevector <8 x {lane}> {a.text}, <8 x {lane}> {b.text}, {order}", a.kind)


INSTRUCTIONS: dict[str, Any] = {
    "lanes": _lanes, "put": _put, "put_pixels": _put_pixels, "widened": _widened,
    "saturated": _saturated, "clamped": _clamped, "high_product": _high_product,
    "low_pairs": lambda to, a, b: _pairs(to, a, b, 0),
    "high_pairs": lambda to, a, b: _pairs(to, a, b, 4),
}
