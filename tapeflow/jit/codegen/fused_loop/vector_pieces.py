"""The innermost loop in pieces: vectors as wide as they come, and what is left over."""

from __future__ import annotations

from typing import Any, NamedTuple

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.llvm_text import Code

REMAINDER = Choice("loop.remainder", ("none", "vectors", "scalars", "unknown"))


class Piece(NamedTuple):
    """A part of the innermost loop, in vectors of so many lanes; exact: it is one vector."""

    lanes: int
    begin: Any
    end: Any
    exact: bool


def pieces_of(begin: Any, end: Any, lanes: int, code: Code) -> list[Piece]:
    """The parts of the innermost loop."""
    if not isinstance(begin, int):
        REMAINDER("unknown")
        size = code.let(f"sub i64 {end}, {begin}")
        body = code.let(f"and i64 {size}, {-lanes}")
        middle = code.add(begin, body)
        return [Piece(lanes, begin, middle, False), Piece(1, middle, end, False)]
    pieces: list[Piece] = []
    full = end // lanes * lanes
    if full:
        pieces.append(Piece(lanes, "0", str(full), full == lanes))
    rest = end - full
    few = "vectors" if rest else "none"
    if REMAINDER("scalars" if bin(rest).count("1") > 2 else few,
                 (few, "scalars" if rest else "none")) == "scalars":
        pieces.append(Piece(1, str(full), str(end), False))
        return pieces
    width = lanes // 2
    while rest:
        if rest >= width:
            pieces.append(Piece(width, str(full), str(full + width), True))
            full, rest = full + width, rest - width
        width //= 2
    return pieces


def unrolled(pieces: list[Piece]) -> list[Piece]:
    """The same pieces, each vector one of its own."""
    found: list[Piece] = []
    for one in pieces:
        if one.exact or one.lanes == 1 or not (str(one.begin).isdigit() and str(one.end).isdigit()):
            found.append(one)
        else:
            found += [Piece(one.lanes, str(i), str(i + one.lanes), True)
                      for i in range(int(one.begin), int(one.end), one.lanes)]
    return found
