"""Strings by their characters: lengths, parts, classes of characters replaced.

ONNX has no operator that looks into a string. onnxruntime has one, Tokenizer, which makes a row of
characters of each; what is made of these is ONNX again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT64, STRING, GraphWriter, Term
from tapeflow.onnx.records.loops import looped
from tapeflow.onnx.records.ragged_nodes import interleaved, spans
from tapeflow.onnx.records.shape_nodes import counting

_WIDER = (r"[\x{80}-\x{10FFFF}]", r"[\x{800}-\x{10FFFF}]", r"[\x{10000}-\x{10FFFF}]")
_SPACE = r"[ \t\n\v\f\r]"
# Code points that a table finds: all of the first plane but halves of pairs, and the pictographs.
_POINTS = (*range(1, 0xD800), *range(0xE000, 0x10000), *range(0x1F000, 0x20000))
_UNKNOWN = 1 << 21


class Characters:
    """Rows of characters of a tensor of strings, as a vector; `there` is False behind the last."""

    def __init__(self, w: GraphWriter, x: Term):
        self.w, self.source = w, x
        self.each = w.op("com.microsoft.Tokenizer", w.reshape(x, (-1,)), shape=(None, None),
                         mark=0, mincharnum=1, pad_value="", separators=[b""])
        self.there = ~self.each.equals(b"")
        self.there.shape = (None, None)

    def matches(self, pattern: str) -> Term:
        """Which characters a pattern matches."""
        return matches(self.w, self.each, pattern) & self.there

    def widths(self) -> Term:
        """How many bytes each takes in UTF-8."""
        w = self.w
        total = w.cast(self.there, INT64)
        for pattern in _WIDER:
            total = total + w.cast(self.matches(pattern), INT64)
        return total

    def codes(self) -> Term:
        """The code point of each, 0 where there is none; a run with a character that the table
        does not have fails, at an index that does not exist."""
        w = self.w
        found = w.op("ai.onnx.ml.LabelEncoder", self.each, dtype=INT64, shape=(None, None),
                     keys_strings=[b"", *[chr(one).encode() for one in _POINTS]],
                     values_int64s=[0, *_POINTS], default_int64=_UNKNOWN)
        return found + w.op("Gather", w.ints(0), w.where(found >= _UNKNOWN, found, 0))

    def kept(self, where: Term, instead: Term | None = None) -> Term:
        """The strings again, of the characters (or what is there instead) that are kept."""
        w = self.w
        parts = w.where(where, self.each if instead is None else instead, w.scalar(b"", STRING))
        return w.reshape(joined(w, parts, None, b""), w.shape_of(self.source))


def matches(w: GraphWriter, x: Term, pattern: str) -> Term:
    """Which strings a pattern matches as a whole."""
    needs(w, 20)
    return w.op("RegexFullMatch", x, dtype=BOOL, shape=x.shape, pattern=pattern)


def needs(w: GraphWriter, opset: int) -> None:
    if w.opset < opset:
        raise ExportError(f"strings need opset {opset}")


def joined(w: GraphWriter, parts: Term, counts: Term | None, between: bytes) -> Term:
    """The first `counts` parts of each row (or all) end to end, with a text between them."""
    needs(w, 20)
    width = w.op("Shape", parts, dtype=INT64, shape=(1,), start=1, end=2)
    empty = w.op("Expand", w.scalar(b"", STRING), w.op(
        "Shape", parts, dtype=INT64, shape=(1,), start=0, end=1))

    def step(body: GraphWriter, at: Term, made: Term) -> list[Term]:
        if between:
            inside = at > 0 if counts is None else (counts > at) & (at > 0)
            made = body.op("StringConcat", made, body.where(
                inside, body.scalar(between, STRING), body.scalar(b"", STRING)))
        return [body.op("StringConcat", made, body.op("Gather", parts, at, axis=1))]

    empty.shape = (None,)
    return looped(w, w.squeeze(width, 0), [empty], step)[0]


def as_ragged(w: GraphWriter, cells: Term, there: Term) -> list[Term]:
    """(values, splits) of rows whose cells are filled from the left."""
    counts = w.op("ReduceSum", w.cast(there, INT64), w.ints(1), keepdims=0)
    values = w.op("Compress", w.reshape(cells, (-1,)), w.reshape(there, (-1,)), axis=0)
    return [values, w.concat([w.ints(0), running(w, counts, False)])]


def running(w: GraphWriter, x: Term, exclusive: bool, axis: int = 0, reverse: bool = False) -> Term:
    return w.op("CumSum", x, w.constant(np.int64(axis)), exclusive=int(exclusive),
                reverse=int(reverse))


def _sum(w: GraphWriter, x: Term) -> Term:
    return w.op("ReduceSum", x, w.ints(1), keepdims=0)


# -- records ---------------------------------------------------------------------------------------
@written("string_length")
def _length(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Tokenizer"; "RegexFullMatch" tells how many bytes a character takes"""
    rows = Characters(w, x)
    each = w.cast(rows.there, INT64) if node.attrs["characters"] else rows.widths()
    return w.cast(w.reshape(_sum(w, each), w.shape_of(x)), node.outputs[0].dtype)


@written("substr")
def _substr(w: GraphWriter, node: Any, x: Term, position: Term, length: Term) -> Term:
    """By "Tokenizer": characters that begin in the part"""
    rows = Characters(w, x)
    each = w.cast(rows.there, INT64) if node.attrs["characters"] else rows.widths()
    first, size = [w.reshape(w.op("Expand", w.cast(one, INT64), w.shape_of(x)), (-1, 1))
                   for one in (position, length)]
    total = w.unsqueeze(_sum(w, each), 1)
    first = w.where(first < 0, w.op("Max", first + total, w.scalar(0, INT64)), first)
    at = running(w, each, True, 1)
    return rows.kept(rows.there & (at >= first) & (at < first + size))


@written("string_strip")
def _strip(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Tokenizer": what lies between the first and the last that is no space"""
    rows = Characters(w, x)
    solid = w.cast(rows.there & ~rows.matches(_SPACE), INT64)
    before, behind = [running(w, solid, False, 1, reverse) > 0 for reverse in (False, True)]
    return rows.kept(rows.there & before & behind)


@written("bytes_split")
def _bytes_split(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """By "Tokenizer": a character is one string, as ONNX has no bytes that are none"""
    rows = Characters(w, x)
    return as_ragged(w, rows.each, rows.there)


@written("unicode_split")
def _unicode_split(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """By "Tokenizer" """
    rows = _read(w, node, x)
    return _with_offsets(w, rows, rows.each)


@written("unicode_decode")
def _unicode_decode(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """By "Tokenizer" and a "LabelEncoder" of code points"""
    rows = _read(w, node, x)
    return _with_offsets(w, rows, w.cast(rows.codes(), node.outputs[0].dtype))


def _read(w: GraphWriter, node: Any, x: Term) -> Characters:
    reading = node.attrs["reading"]
    if reading.codec != "utf-8" or reading.controls:
        raise ExportError("text that is not UTF-8, or whose control characters are replaced")
    return Characters(w, x)


def _with_offsets(w: GraphWriter, rows: Characters, cells: Term) -> list[Term]:
    values, splits = as_ragged(w, cells, rows.there)
    return [values, as_ragged(w, running(w, rows.widths(), True, 1), rows.there)[0], splits]


@written("regex_full_match")
def _full_match(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "RegexFullMatch" """
    return matches(w, x, node.attrs["pattern"].decode())


@written("reduce_join")
def _reduce_join(w: GraphWriter, node: Any, x: Term) -> Term:
    """The axes last, the first of them varying fastest, joined by a "Loop" """
    axes = [axis % x.rank for axis in node.attrs["axis"]]
    if not axes:
        return x
    rest = [i for i in range(x.rank) if i not in axes]
    moved = w.transpose(x, (*rest, *reversed(axes)))
    sizes = [w.size_of(x, i) for i in rest]
    count = w.op("ReduceProd", w.concat([w.size_of(x, i) for i in axes]), keepdims=1)
    rows = w.op("ReduceProd", w.concat([w.ints(1), *sizes]), keepdims=1)
    made = joined(w, w.reshape(moved, w.concat([rows, count])), None, node.attrs["separator"])
    if node.attrs["keepdims"]:
        sizes = [w.ints(1) if i in axes else w.size_of(x, i) for i in range(x.rank)]
    return w.reshape(made, w.concat(sizes) if sizes else ())


@written("ragged_reduce_join")
def _ragged_join(w: GraphWriter, node: Any, x: Term, splits: Term) -> Term:
    """Rows as a matrix, joined by a "Loop" """
    wide = w.cast(splits, INT64)
    begin = w.slice(wide, [0], [-1], [0])
    counts = w.slice(wide, [1], [1 << 62], [0]) - begin
    most = w.op("ReduceMax", w.concat([counts, w.ints(0)]), w.ints(0), keepdims=0)
    at = w.unsqueeze(begin, 1) + w.unsqueeze(counting(w, most), 0)
    inside = w.unsqueeze(counting(w, most), 0) < w.unsqueeze(counts, 1)
    last = w.op("Size", x, dtype=INT64, shape=())
    cells = w.op("Gather", w.concat([x, w.constant(np.array([b""], object))]),
                 w.where(inside, at, last), axis=0)
    return joined(w, cells, counts, node.attrs["separator"])


@written("string_ngrams")
def _ngrams(w: GraphWriter, node: Any, x: Term, splits: Term) -> list[Term]:
    """Neighbours joined by "StringConcat", the widths one after the other in each row"""
    needs(w, 20)
    attrs = node.attrs
    if attrs["pad"] or attrs["short"]:
        raise ExportError("n-grams with fillers, or of rows that are shorter than they")
    wide, found, levels = w.cast(splits, INT64), [], []
    begin = w.slice(wide, [0], [-1], [0])
    counts = w.slice(wide, [1], [1 << 62], [0]) - begin
    for width in attrs["widths"]:
        few = w.op("Max", counts - (width - 1), w.scalar(0, INT64))
        level, at = spans(w, begin, few)
        text = w.op("Gather", x, at, axis=0)
        for i in range(1, width):
            if attrs["separator"]:
                text = w.op("StringConcat", text, w.scalar(attrs["separator"], STRING))
            text = w.op("StringConcat", text, w.op("Gather", x, at + i, axis=0))
        found.append(text)
        levels.append(level)
    if len(found) == 1:
        return [found[0], levels[0]]
    splits, at = interleaved(w, levels)
    return [w.op("Gather", w.concat(found), at, axis=0), splits]


# -- numbers ---------------------------------------------------------------------------------------
@written("string_to_number")
def _to_number(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Cast" """
    return w.cast(x, node.attrs["dtype"])


@written("as_string")
def _as_string(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Cast" of integers; digits of floats one by one"""
    form, number = node.attrs["form"], node.attrs["number"]
    if form != "%s":
        raise ExportError("numbers in fields of a width")
    return text_of(w, x, number)


def text_of(w: GraphWriter, x: Term, number: str = "%d") -> Term:
    """Numbers as texts, by printf's format for one."""
    if x.dtype == BOOL:
        return w.where(x, w.scalar(b"true", STRING), w.scalar(b"false", STRING))
    if x.dtype.kind in "iu" and number == "%d":
        return w.op("Cast", w.cast(x, INT64), dtype=STRING, shape=x.shape, to=STRING)
    digits = number[2:-1] if number.startswith("%.") else "6"
    if x.dtype.kind != "f" or number[-1:] != "f" or number not in ("%f", f"%.{digits}f") or not (
            digits.isdigit() and int(digits) <= 9):
        raise ExportError(f"numbers in the format {number!r}")
    needs(w, 20)
    scale = 10 ** int(digits)
    whole = w.cast(w.op("Round", w.op("Abs", w.cast(x, np.float64)) * float(scale)), INT64)
    made = w.op("StringConcat", w.where(x < 0, w.scalar(b"-", STRING), w.scalar(b"", STRING)),
                text_of(w, whole / scale))
    for i in range(int(digits)):
        digit = w.op("Mod", whole / (scale // 10 ** (i + 1)), w.scalar(10, INT64))
        if not i:
            made = w.op("StringConcat", made, w.scalar(b".", STRING))
        made = w.op("StringConcat", made, text_of(w, digit))
    return made
