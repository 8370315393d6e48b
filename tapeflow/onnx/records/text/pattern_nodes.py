"""Regular expressions: what they match, replaced.

Plain texts are split off and the rest joined. Of others, which are sequences of classes of
characters with counts, each character is looked at: a table says which state of an automaton
follows which, and every place of every string is tried as a beginning at once.
"""

from __future__ import annotations

import importlib
import itertools
from typing import Any, NamedTuple

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, STRING, GraphWriter, Term
from tapeflow.onnx.records.index_nodes import zeros
from tapeflow.onnx.records.loops import looped
from tapeflow.onnx.records.shape_nodes import counting
from tapeflow.onnx.records.text.character_nodes import Characters, joined
from tapeflow.onnx.records.text.text_nodes import split_at

_MARK = "\ue000".encode()  # of a private area: stands for what is replaced
_MOST_CLASSES, _MOST_COPIES = 10, 16
_CATEGORIES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_SPACE": r"\s",
               "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W"}


class Item(NamedTuple):
    """A class of characters, as RE2 writes it, from `least` to `most` times (None: any)."""

    text: str
    least: int
    most: int | None


@written("regex_replace")
def _regex_replace(w: GraphWriter, node: Any, x: Term) -> Term:
    """Texts by "StringSplit", joined again by a "Loop"; characters by "Tokenizer" """
    pattern = node.attrs["pattern"].decode("utf-8", "surrogateescape")
    rewrite = node.attrs["rewrite"]
    if not node.attrs["everywhere"] or b"\\" in rewrite:
        raise ExportError("only every match can be replaced, and by plain text")
    parser = importlib.import_module("re._parser")
    whole = parser.parse(pattern)
    parsed = _parsed(whole)
    texts = _texts(parsed)
    if texts is not None:
        return _texts_replaced(w, x, texts, rewrite)
    items = _items(parsed, parser.MAXREPEAT)
    if items is None or whole.state.flags & ~32 or all(not one.least for one in items):  # 32: str
        raise ExportError("only plain texts and sequences of classes of characters can be "
                          f"replaced, not {pattern!r}")
    rows = Characters(w, x)
    if len(items) == 1 and items[0].least == 1 and items[0].most in (1, None):
        first, inside = _runs(rows, items[0])
    else:
        first, inside = _matches(rows, items)
    return rows.kept(rows.there & ~inside, w.where(first, w.scalar(rewrite, STRING), rows.each))


# -- patterns --------------------------------------------------------------------------------------
def _parsed(items: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for kind, given in items:
        if str(kind) == "SUBPATTERN":
            found += _parsed(given[3])
        else:
            found.append((str(kind), given))
    return found


def _texts(parsed: list) -> list[str] | None:
    """The texts that a pattern matches, if it is one or several of which none overlap."""
    if parsed and all(kind == "LITERAL" for kind, _ in parsed):
        return ["".join(chr(given) for _, given in parsed)]
    if len(parsed) != 1 or parsed[0][0] != "BRANCH":
        return None
    found = [_texts(_parsed(one)) for one in parsed[0][1][1]]
    texts = [text for one in found if one is not None for text in one]
    if len(texts) < len(found):
        return None
    for a, b in itertools.permutations(texts, 2):
        if a in b or any(a.endswith(b[:n]) for n in range(1, len(b))):
            return None
    return texts


def _items(parsed: list, endless: Any) -> list[Item] | None:
    """A pattern as classes with counts; None if it is more than that."""
    found = []
    for i, (kind, given) in enumerate(parsed):
        least, most, one = 1, 1, (kind, given)
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = given
            inner = _parsed(inner)
            if len(inner) != 1:
                return None
            one = inner[0]
        if kind == "MIN_REPEAT":
            # As few as possible up to a character, the last of the pattern: all but that one.
            if least or one[0] != "ANY" or i != len(parsed) - 2 or parsed[-1][0] != "LITERAL":
                return None
            one = ("IN", [("NEGATE", None), ("LITERAL", parsed[-1][1]), ("LITERAL", 10)])
        text = _class(*one)
        if text is None or least > _MOST_COPIES or (most is not endless and most > _MOST_COPIES):
            return None
        found.append(Item(text, least, None if most is endless else most))
    return found if len({one.text for one in found}) <= _MOST_CLASSES else None


def _class(kind: str, given: Any) -> str | None:
    """A class of characters as RE2 writes it."""
    if kind == "ANY":
        return r"[^\n]"
    if kind in ("LITERAL", "NOT_LITERAL"):
        return f"[{'^' if kind == 'NOT_LITERAL' else ''}{_code(given)}]"
    if kind != "IN":
        return None
    parts = []
    for member, value in given:
        if str(member) == "NEGATE":
            parts.append("^")
        elif str(member) == "LITERAL":
            parts.append(_code(value))
        elif str(member) == "RANGE":
            parts.append(f"{_code(value[0])}-{_code(value[1])}")
        else:
            parts.append(_CATEGORIES[str(value)])
    return f"[{''.join(parts)}]"


def _code(point: int) -> str:
    return rf"\x{{{point:x}}}"


class Automaton(NamedTuple):
    """States from 1 on, of which 1 is the first and 0 none: table[state, classes that match]."""

    table: np.ndarray
    accepts: np.ndarray


def automaton(items: list[Item], classes: list[str]) -> Automaton:
    """The states are sets of positions: how many single items have been passed."""
    single = [(classes.index(one.text), i < one.least, one.most is None and i + 1 == max(
        one.least, 1)) for one in items for i in range(max(one.least, one.most or 1))]

    def closed(places: set[int]) -> frozenset[int]:
        """With what can be skipped."""
        todo, found = list(places), set(places)
        while todo:
            at = todo.pop()
            if at < len(single) and not single[at][1] and at + 1 not in found:
                found.add(at + 1)
                todo.append(at + 1)
        return frozenset(found)

    start = closed({0})
    states, rows = {frozenset(): 0, start: 1}, [[0] * (1 << len(classes))]
    todo = [start]
    while todo:
        state = todo.pop(0)
        row = []
        for mask in range(1 << len(classes)):
            after = set()
            for at in state:
                if at < len(single) and mask >> single[at][0] & 1:
                    after |= {at + 1, at} if single[at][2] else {at + 1}
            goal = closed(after)
            if goal not in states:
                states[goal] = len(states)
                todo.append(goal)
            row.append(states[goal])
        rows.append(row)
    return Automaton(np.array(rows, np.int64), np.array([len(single) in one for one in states]))


# -- replacing -------------------------------------------------------------------------------------
def _texts_replaced(w: GraphWriter, x: Term, texts: list[str], rewrite: bytes) -> Term:
    found = w.reshape(x, (-1,))
    for text in texts:  # what is put in must not be found again
        parts, counts = split_at(w, found, text.encode())
        found = joined(w, parts, counts, rewrite if len(texts) == 1 else _MARK)
    if len(texts) > 1:
        parts, counts = split_at(w, found, _MARK)
        found = joined(w, parts, counts, rewrite)
    return w.reshape(found, w.shape_of(x))


def _runs(rows: Characters, item: Item) -> tuple[Term, Term]:
    """Where characters of a class, or runs of such, begin and go on."""
    w, hit = rows.w, rows.matches(item.text)
    if item.most == 1:
        return hit, hit & ~hit
    before = w.op("Pad", w.cast(hit, INT64), w.ints(0, 1, 0, -1))
    on = hit & (before > 0)
    return hit, on


def _matches(rows: Characters, items: list[Item]) -> tuple[Term, Term]:
    """Where matches begin and go on: the longest of each place, from the left."""
    w, classes = rows.w, sorted({one.text for one in items})
    made = automaton(items, classes)
    beyond = 1 << len(classes)  # a column for what lies behind the end
    table = w.constant(np.pad(made.table, ((0, 0), (0, 1))).ravel())
    accepts = w.constant(made.accepts)
    symbol = w.where(rows.there, w.scalar(0, INT64), beyond)
    for i, text in enumerate(classes):
        symbol = symbol + w.cast(rows.matches(text), INT64) * (1 << i)
    sizes = w.op("Shape", symbol, dtype=INT64, shape=(2,))
    width = w.squeeze(w.slice(sizes, [1], [2], [0]), 0)

    def follow(b: GraphWriter, at: Term, state: Term, longest: Term) -> list[Term]:
        far = b.unsqueeze(at, 0)
        moved = b.op("Pad", b.slice(symbol, far, [1 << 62], [1]), b.concat([b.ints(0, 0, 0), far]),
                     b.scalar(beyond, INT64))
        state = b.op("Gather", table, state * (beyond + 1) + moved)
        return [state, b.where(b.op("Gather", accepts, state), at + 1, longest)]

    nothing = zeros(w, sizes, INT64)
    _, longest = looped(w, width, [nothing + 1, nothing], follow)
    column = w.unsqueeze(counting(w, width), 0)

    def choose(b: GraphWriter, at: Term, end: Term, mark: Term) -> list[Term]:
        length = b.unsqueeze(b.op("Gather", longest, at, axis=1), 1)
        free = (length > 0) & (end <= at)
        end = b.where(free, length + at, end)
        inside = free & (column >= at) & (column < end)
        return [end, b.where(inside, b.where(column.equals(at), b.scalar(2, INT64), 1), mark)]

    begin = zeros(w, w.concat([w.slice(sizes, [0], [1], [0]), w.ints(1)]), INT64)
    mark = looped(w, width, [begin, nothing], choose)[1]
    return mark.equals(2), mark.equals(1)
