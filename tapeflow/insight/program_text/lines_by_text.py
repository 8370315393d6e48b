"""Which line has called an op, by the text of the program: tapes keep no lines unless asked to.

A line is named if it is the only one of the tape's block with such an op; or, if the block has
none, the only one of the file that calls a function of its name.
"""

from __future__ import annotations

import linecache
import re

from tapeflow.core.autodiff.record import Record
from tapeflow.core.record.primitive_ops import cast
from tapeflow.insight.program_text.user_frames import Frames

_SIGNS = {"divide": "/", "multiply": r"\*", "subtract": "-", "add": r"\+", "pow": r"\*\*|\bpow\b",
          "matmul": r"@|\bmatmul\b", "greater": r"[^->]>[^=>]|\bgreater\(",
          "less": r"[^<]<[^=<]|\bless\(",
          "equal": r"==|\bequal\(", "greater_equal": r">=|\bgreater_equal\(",
          "less_equal": r"<=|\bless_equal\(", "floordiv": r"//|\bfloordiv\(",
          "cholesky": r"\bcholesky\(|\blogdet\(",
          "log_matrix_determinant": r"\bslogdet\(|\blog_abs_determinant\(",
          "matrix_determinant": r"\bdet\(|\bdeterminant\(",
          "matrix_inverse": r"\binv\(|\binverse\(", "matrix_solve": r"\bsolve(vec)?\("}
_ESCAPES = r"\.numpy\(|\bfloat\(|\bint\(|\bnp\.|\.predict\(|\.item\(|\.tolist\("


def line_in_block(sign: str, path: str, asked: int) -> int | None:
    """The one line of a tape's block, which ends before `asked`, whose text has a pattern."""
    lines = linecache.getlines(path)[:asked]
    first = max((i for i, text in enumerate(lines) if "GradientTape" in text), default=None)
    return None if first is None else _only(sign, lines[first:-1], first)


def sign_of(name: str) -> str:
    """What a line that calls an op has in its text."""
    return _SIGNS.get(name, rf"\b{re.escape(name)}\b")


def line_of(name: str, frames: Frames) -> tuple[str, int] | None:
    """The line that has called an op, if one line of the program must be it."""
    sign = _SIGNS.get(name, rf"\b{re.escape(name)}\(")
    near = [one for one in frames if one[0].f_code.co_filename == frames[0][0].f_code.co_filename]
    return _line(sign, near, sign if sign.startswith(r"\b") else "")


def with_lines(record: Record, frames: Frames) -> Record:
    """The record for an explanation, with the lines of ops at which gradients end.

    frames: those of the program in which the gradient was asked for
    """
    bones = record.skeleton()
    if bones._positions is not None:
        return bones
    bones._positions, bones._escaped = {}, dict(bones._escaped)
    found: dict[str, tuple[str, int] | None] = {}
    for uid, (op, *_) in bones._severed.items():
        if op.name not in found:
            found[op.name] = _line(sign_of(op.name), frames, rf"\.{re.escape(op.name)}\(")
        place = found[op.name]
        if place is not None and (op.reason is not None or op is cast.op):
            bones._positions[uid] = place
    for uid, where in bones._escaped.items():
        bones._escaped[uid] = where or _line(_ESCAPES, frames, "")
    return bones


def _line(sign: str, frames: Frames, anywhere: str) -> tuple[str, int] | None:
    for frame, number in frames:
        path = frame.f_code.co_filename
        found = line_in_block(sign, path, number)
        if found is None and anywhere:
            found = _only(anywhere, linecache.getlines(path, frame.f_globals), 0)
        if found is not None:
            return path, found
    return None


def _only(sign: str, lines: list[str], first: int) -> int | None:
    found = [i + 1 for i, text in enumerate(lines, first) if re.search(sign, text.split("#")[0])
             and not text.lstrip().startswith("def ")]
    return found[0] if len(found) == 1 else None
