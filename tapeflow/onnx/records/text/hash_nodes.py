"""Hashes of strings: the rounds of `ops/strings/hashing.py` on rows of bytes.

A Word is a vector of 64-bit integers with the operators that the rounds use. int64 holds the bits:
sums and products are the same as those of unsigned integers, only shifts and remainders are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, STRING, GraphWriter, Term
from tapeflow.onnx.records.loops import looped
from tapeflow.onnx.records.ragged_nodes import row_counts, row_numbers, spans
from tapeflow.onnx.records.shape_nodes import counting
from tapeflow.onnx.records.text.character_nodes import Characters, as_ragged, text_of
from tapeflow.onnx.records.text.text_nodes import found_in_table
from tapeflow.ops.strings import hashing

UINT64 = np.dtype(np.uint64)
_BEYOND = 80  # bytes behind the longest row that a round may look at


class Word:
    """64 bits of each row."""

    __slots__ = ("term",)

    def __init__(self, term: Term):
        self.term = term

    def _two(self, kind: str, other: Any) -> Word:
        b = other.term if isinstance(other, Word) else self.term.writer.constant(
            np.uint64(other & ((1 << 64) - 1)).astype(np.int64))
        return Word(_deeper(self.term, b).op(kind, self.term, b))

    def __add__(self, other: Any) -> Word:
        return self._two("Add", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Word:
        return self._two("Sub", other)

    def __mul__(self, other: Any) -> Word:
        return self._two("Mul", other)

    __rmul__ = __mul__

    def __and__(self, other: Any) -> Word:
        return self if other == (1 << 64) - 1 else self._two("BitwiseAnd", other)

    def __or__(self, other: Any) -> Word:
        return self._two("BitwiseOr", other)

    def __xor__(self, other: Any) -> Word:
        return self._two("BitwiseXor", other)

    __rxor__ = __xor__

    def __lshift__(self, by: int) -> Word:
        return self * (1 << by)

    def __rshift__(self, by: int) -> Word:
        w = self.term.writer
        moved = w.op("BitShift", w.cast(self.term, UINT64), w.scalar(by, UINT64),
                     direction="RIGHT")
        return Word(w.cast(moved, INT64))

    def __mod__(self, divisor: int) -> Term:
        """The remainder of the unsigned integer: its upper bits first, then the last."""
        w = self.term.writer
        many = w.scalar(divisor, INT64)
        upper = w.op("Mod", (self >> 1).term, many)
        return w.op("Mod", upper * 2 + (self & 1).term, many)


def _deeper(a: Term, b: Term) -> GraphWriter:
    return max(a.writer, b.writer, key=lambda one: one.depth)


class Rows:
    """The bytes of strings in UTF-8, a row for each, and their counts (a Word)."""

    def __init__(self, w: GraphWriter, x: Term):
        rows = Characters(w, x)
        codes = rows.codes()
        codes.shape = (None, None)
        values, splits = as_ragged(w, *_encoded(w, codes, rows.there))
        begin = w.slice(splits, [0], [-1], [0])
        counts = w.slice(splits, [1], [1 << 62], [0]) - begin
        self.most = w.op("ReduceMax", w.concat([counts, w.ints(0)]), w.ints(0), keepdims=0)
        cells = counting(w, self.most + _BEYOND)
        at = w.where(w.unsqueeze(cells, 0) < w.unsqueeze(counts, 1),
                     w.unsqueeze(begin, 1) + w.unsqueeze(cells, 0),
                     w.op("Size", values, dtype=INT64, shape=()))
        self.bytes = w.op("Gather", w.concat([values, w.ints(0)]), at, axis=0)
        self.size = Word(counts)

    def _part(self, at: Any, count: int) -> Word:
        """`count` bytes from `at` on as an integer, the lowest first."""
        if not isinstance(at, Word):
            at = self.size * 0 + at
        w = _deeper(at.term, self.bytes)
        first = w.op("Max", at.term, w.scalar(0, INT64))
        cells = w.unsqueeze(first, 1) + w.constant(np.arange(count, dtype=np.int64))
        picked = w.op("GatherElements", self.bytes, cells, axis=1)
        parts = [w.op("Gather", picked, w.constant(np.int64(i)), axis=1) * (1 << 8 * i)
                 for i in range(count)]
        return Word(sum(parts[1:], parts[0]))  # runtimes sum with "ReduceSum" in floats

    def word(self, at: Any) -> Word:
        return self._part(at, 8)

    def half(self, at: Any) -> Word:
        return self._part(at, 4)

    def __getitem__(self, at: Any) -> Word:
        return self._part(at, 1)

    def over(self, step: int, held: list[Word], advance: Callable, last: Term) -> list[Word]:
        """`advance(at, *held)` at 0, step … below each row's `last`."""
        w = self.bytes.writer
        limit = w.op("ReduceMax", w.concat([last, w.ints(0)]), w.ints(0), keepdims=0)

        def step_on(body: GraphWriter, at: Term, *before: Term) -> list[Term]:
            place = Word(at * step + self.size.term * 0)
            after = advance(place, *map(Word, before))
            return [body.where(place.term < last, new.term, one)
                    for one, new in zip(before, after, strict=True)]

        return [Word(one) for one in looped(w, (limit + (step - 1)) / step,
                                            [one.term for one in held], step_on)]


def _encoded(w: GraphWriter, codes: Term, there: Term) -> tuple[Term, Term]:
    """Code points (rows, n) as bytes (rows, 4 n), and which of these there are."""
    zero = w.scalar(0, INT64)
    more = [w.cast(codes >= bound, INT64) for bound in (0x80, 0x800, 0x10000)]
    width = more[0] + more[1] + more[2] + 1
    slots, kept = [], []
    for i in range(4):
        left = w.op("Max", width - (1 + i), zero)  # bytes behind this one, of 6 bits each
        bits = codes / w.op("Gather", w.ints(1, 1 << 6, 1 << 12, 1 << 18), left)
        if i:
            slot = w.op("Mod", bits, w.scalar(64, INT64)) + 0x80
        else:
            slot = bits + w.op("Gather", w.ints(0, 0xC0, 0xE0, 0xF0), left)
        slots.append(w.unsqueeze(slot, 2))
        kept.append(w.unsqueeze(there & (width > i), 2))
    wide = w.op("Shape", codes, dtype=INT64, shape=(2,)) * w.ints(1, 4)
    return w.reshape(w.concat(slots, 2), wide), w.reshape(w.concat(kept, 2), wide)


def fingerprint(w: GraphWriter, x: Term) -> Word:
    """FarmHash's Fingerprint64 of a vector of strings."""
    s = Rows(w, x)
    n = s.size
    held = [one if isinstance(one, Word) else n * 0 + one for one in hashing.farm_start(s)]
    end = w.where(n.term > 64, (n.term - 1) / 64 * 64, 0)
    held = s.over(64, held, lambda at, *words: hashing.farm_block(s, at, *words), end)
    found = hashing.farm_last(s, n, *held).term
    for most, part in ((64, hashing.farm_33_to_64), (32, hashing.farm_17_to_32),
                       (16, hashing.farm_8_to_16), (7, hashing.farm_4_to_7),
                       (3, hashing.farm_1_to_3), (0, lambda s, n: n * 0 + hashing.FARM_OF_NOTHING)):
        found = w.where(n.term <= most, part(s, n).term, found)
    return Word(found)


def siphash(w: GraphWriter, x: Term, key: tuple[int, int]) -> Word:
    """SipHash-2-4 of a vector of strings."""
    s = Rows(w, x)
    whole = (s.size >> 3) << 3
    held = s.over(8, [s.size * 0 + one for one in hashing.sip_start(key)],
                  lambda at, *v: hashing.sip_word(list(v), s.word(at)), whole.term)
    last = s.word(whole) | ((s.size & 0xFF) << 56)  # rows end with zeros
    return hashing.sip_last(hashing.sip_word(held, last))


@written("string_to_hash_bucket_fast")
def _fast(w: GraphWriter, node: Any, x: Term) -> Term:
    """FarmHash of the bytes that "Tokenizer" and "LabelEncoder" give"""
    return w.reshape(fingerprint(w, x) % node.attrs["buckets"], w.shape_of(x))


@written("string_to_hash_bucket_strong")
def _strong(w: GraphWriter, node: Any, x: Term) -> Term:
    """SipHash of the bytes that "Tokenizer" and "LabelEncoder" give"""
    found = siphash(w, x, node.attrs["key"])
    return w.reshape(found % node.attrs["buckets"], w.shape_of(x))


@written("vocabulary_find")
def _vocabulary_find(w: GraphWriter, node: Any, keys: Term) -> Term:
    """A "LabelEncoder" of the entries; others go by their hashes to the buckets behind them"""
    buckets, count = node.attrs["buckets"], node.attrs["count"]
    text = keys if keys.dtype == STRING else text_of(w, keys)
    others = w.reshape(fingerprint(w, text) % buckets + count, w.shape_of(keys))
    store = node.attrs["store"]
    if not store.entries:
        return others
    known = found_in_table(w, store, keys, -1)
    return w.where(known < 0, others, known)


@written("sparse_cross")
def _sparse_cross(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    """The hashes of every combination of a row's values, the last column varying fastest"""
    way, *rest = node.attrs["options"]
    if way != "hash":
        raise ExportError("crosses as texts")
    buckets, key = rest
    rows = w.squeeze(w.vector(node.attrs["count"]), 0)
    counts = [row_counts(w, w.op("Gather", w.cast(one, INT64), w.constant(np.int64(0)), axis=1),
                         rows) for one in operands[::2]]
    total, strides = counts[-1], [counts[-1] * 0 + 1]
    for one in counts[-2::-1]:
        strides.insert(0, total)
        total = total * one
    splits, place = spans(w, total * 0, total)
    row = row_numbers(w, splits)
    found: Any = None
    for values, count, stride in zip(operands[1::2], counts, strides, strict=True):
        first = w.op("CumSum", count, w.constant(np.int64(0)), exclusive=1)
        own, step, begin = [w.op("Gather", one, row) for one in (count, stride, first)]
        picked = w.op("Gather", values, begin + w.op("Mod", place / step, own), axis=0)
        mark = fingerprint(w, picked) if values.dtype == STRING else Word(w.cast(picked, INT64))
        found = hashing.fingerprint_cat(mark * 0 + key if found is None else found, mark)
    places = w.concat([w.unsqueeze(one, 1) for one in (row, place)], 1)
    most = w.op("ReduceMax", w.concat([total, w.ints(0)]), w.ints(0), keepdims=1)
    return [places, found % (buckets or (1 << 63) - 1), w.concat([w.unsqueeze(rows, 0), most])]
