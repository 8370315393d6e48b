"""Matching in time linear in the text, for patterns and texts where `re` might try too many paths.

`paths` bounds how many paths `re` can try. `Linear` has the methods of a compiled pattern that
`regex.py` needs, with the same results (the first alternative wins, greedy repeats take most): it
follows all paths at once, one list of positions in the program per character of the text, in order
of preference (Thompson's and Pike's simulation). Steps without groups are remembered, so that a
known character in a known list is one look-up. Imported by `regex.py` alone.
"""

from __future__ import annotations

import math
import re
import re._compiler as _compiler  # type: ignore[import-not-found]
import re._constants as _tokens  # type: ignore[import-not-found]
import re._parser as _parser  # type: ignore[import-not-found]
from collections.abc import Callable
from typing import Any

LARGEST = 50_000  # instructions of a program
MOST_KNOWN = 100_000  # remembered steps and tests, beyond which all are forgotten

CHAR, SPLIT, SAVE, ASSERT, MATCH = range(5)
_WORD, _NEWLINE, _OTHER, _EDGE = range(4)  # what lies on one side of a position in the text
_CLASSES = (_tokens.LITERAL, _tokens.NOT_LITERAL, _tokens.IN, _tokens.ANY)
_REPEATS = (_tokens.MAX_REPEAT, _tokens.MIN_REPEAT)
_SPLITTING = re.MULTILINE | re.DOTALL | re.IGNORECASE | re.ASCII


class TooLarge(Exception):
    """The program of a pattern would be larger than is allowed."""


# -- how many paths `re` may try -------------------------------------------------------------------
def paths(tree: Any, size: int, whole: bool) -> float:
    """The logarithm of a bound on the paths that `re` tries in a text of `size` characters.

    whole: the text as a whole has to match; else a match may begin anywhere and end anywhere.
    """
    items = list(tree)
    last = items.pop() if items and not whole else None
    known = math.log(size + 1)
    found = _paths_of(items, known)
    # Nothing follows the last item: a repeat of characters there is never taken back.
    if last is not None and not (last[0] in _REPEATS and _width_one(last[1][2])):
        found += _paths(last[0], last[1], known)
    return found if whole else found + known if found else 0.0


def _width_one(tree: Any) -> bool:
    return len(tree) == 1 and tree[0][0] in _CLASSES


def _paths_of(items: Any, known: float) -> float:
    return sum(_paths(op, about, known) for op, about in items)


def _paths(op: Any, about: Any, known: float) -> float:
    if op is _tokens.BRANCH:
        each = [_paths_of(tree, known) for tree in about[1]]
        return max(each) + math.log(len(each))
    if op is _tokens.SUBPATTERN:
        return _paths_of(about[3], known)
    if op in _REPEATS:
        least, most, tree = about
        inner = _paths_of(tree, known)
        most = math.inf if most is _tokens.MAXREPEAT else most
        if most > 1 and not tree.getwidth()[0]:
            return math.inf  # also, `re` forgets what a group held when a repetition takes nothing
        repetitions = math.log(min(most - least + 1, math.exp(known)))
        if not inner:
            return repetitions
        return inner * min(most, math.exp(known)) + repetitions
    return 0.0


# -- the program -----------------------------------------------------------------------------------
class _Writer:
    """Writes the instructions of a parsed pattern: (kind, next, more)."""

    def __init__(self, tree: Any):
        self.code: list[list[Any]] = []
        self.tests: list[Callable] = []
        self._test_ids: dict[str, int] = {}
        self._add(SAVE, 1, 0)
        self._items(tree, tree.state.flags)
        self._add(SAVE, len(self.code) + 1, 1)
        self._add(MATCH, 0, None)

    def _add(self, kind: int, target: int, more: Any) -> int:
        if len(self.code) >= LARGEST:
            raise TooLarge
        self.code.append([kind, target, more])
        return len(self.code) - 1

    def _items(self, items: Any, flags: int) -> None:
        for op, about in items:
            self._item(op, about, flags)

    def _item(self, op: Any, about: Any, flags: int) -> None:
        here = len(self.code)
        if op in _CLASSES:
            self._add(CHAR, here + 1, self._test(op, about, flags))
        elif op is _tokens.AT:
            self._add(ASSERT, here + 1, (about, bool(flags & re.MULTILINE)))
        elif op is _tokens.SUBPATTERN:
            group, more, less, tree = about
            if group is not None:
                self._add(SAVE, here + 1, 2 * group)
            self._items(tree, (flags | more) & ~less)
            if group is not None:
                self._add(SAVE, len(self.code) + 1, 2 * group + 1)
        elif op is _tokens.BRANCH:
            self._branch(about[1], flags)
        else:
            least, most, tree = about
            self._repeat(least, most, tree, flags, op is _tokens.MAX_REPEAT)

    def _test(self, op: Any, about: Any, flags: int) -> int:
        """The index of the test of one character: by `re`, which knows all flags."""
        flags &= _SPLITTING
        key = f"{op} {about} {flags}"
        if key not in self._test_ids:
            state = _parser.State()
            state.flags, state.str = flags | re.UNICODE, ""
            one = _parser.SubPattern(state, [(op, about)])
            self._test_ids[key] = len(self.tests)
            self.tests.append(_compiler.compile(one, state.flags).match)
        return self._test_ids[key]

    def _branch(self, trees: list, flags: int) -> None:
        ends = []
        for tree in trees[:-1]:
            split = self._add(SPLIT, len(self.code) + 1, None)
            self._items(tree, flags)
            ends.append(self._add(SPLIT, 0, None))
            self.code[split][2] = len(self.code)
        self._items(trees[-1], flags)
        for end in ends:
            self.code[end][1:] = [len(self.code), len(self.code)]

    def _repeat(self, least: int, most: Any, tree: Any, flags: int, greedy: bool) -> None:
        for _ in range(least - 1):
            self._items(tree, flags)
        if most is _tokens.MAXREPEAT:
            skip = None if least else self._add(SPLIT, 0, None)
            start = len(self.code)
            self._items(tree, flags)
            again = self._add(SPLIT, 0, None)
            self._choose(again, start, again + 1, greedy)
            if skip is not None:  # x* is (x+)?, which is right where x may be empty
                self._choose(skip, start, again + 1, greedy)
            return
        if least:
            self._items(tree, flags)
        splits = []
        for _ in range(most - least):
            splits.append(self._add(SPLIT, 0, None))
            self._items(tree, flags)
        for split in splits:
            self._choose(split, split + 1, len(self.code), greedy)

    def _choose(self, split: int, into: int, past: int, greedy: bool) -> None:
        self.code[split][1:] = [into, past] if greedy else [past, into]


def _kind_of(char: str) -> int:
    if char == "\n":
        return _NEWLINE
    return _WORD if char.isascii() and (char.isalnum() or char == "_") else _OTHER


def _holds(about: Any, before: int, after: int) -> bool:
    at, lines = about
    if at is _tokens.AT_BEGINNING or at is _tokens.AT_BEGINNING_STRING:
        return before == _EDGE or (lines and at is _tokens.AT_BEGINNING and before == _NEWLINE)
    if at is _tokens.AT_END or at is _tokens.AT_END_STRING:
        return after == _EDGE or (lines and at is _tokens.AT_END and after == _NEWLINE)
    edge = (before == _WORD) != (after == _WORD)
    return edge == (at is _tokens.AT_BOUNDARY)


class Found:
    """A match: what `regex.py` asks of one."""

    def __init__(self, text: str, bounds: tuple):
        self._text, self._bounds = text, bounds

    def start(self) -> int:
        return self._bounds[0]

    def end(self) -> int:
        return self._bounds[1]

    def __getitem__(self, group: int) -> str | None:
        start, end = self._bounds[2 * group:2 * group + 2]
        return None if start is None or end is None else self._text[start:end]


class Linear:
    """A pattern, as `re` parsed it, that is matched in linear time."""

    def __init__(self, tree: Any):
        writer = _Writer(tree)
        self._code = [tuple(one) for one in writer.code]
        self._tests = writer.tests
        self.groups = tree.state.groups - 1
        self.steps = 0  # instructions looked at so far
        self._passing: dict[tuple[int, str], bool] = {}
        self._known: tuple[dict, dict] = ({}, {})  # what follows on a character: whole, search
        self._count = 0

    # -- without groups ----------------------------------------------------------------------------
    def _closure(self, starts: Any, before: int, after: int) -> list[int]:
        """The instructions that read a character, or MATCH, in order of preference."""
        found, seen = [], set()
        stack = list(reversed(starts))
        while stack:
            pc = stack.pop()
            if pc in seen:
                continue
            seen.add(pc)
            kind, target, more = self._code[pc]
            if kind == SPLIT:
                stack += (more, target)
            elif kind == SAVE or kind == ASSERT and _holds(more, before, after):
                stack.append(target)
            elif kind != ASSERT:
                found.append(pc)
        self.steps += len(seen)
        return found

    def _passes(self, test: int, char: str) -> bool:
        key = (test, char)
        found = self._passing.get(key)
        if found is None:
            if len(self._passing) > MOST_KNOWN:
                self._passing.clear()
            found = self._passing[key] = self._tests[test](char) is not None
        return found

    def _step(self, state: tuple, char: str, search: bool) -> tuple | None:
        """The state after a character; None: a match ends before it, which is all a search asks."""
        starts, before = state
        after = _kind_of(char)
        reached: dict[int, None] = {}
        for pc in self._closure((*starts, 0) if search else starts, before, after):
            kind, target, more = self._code[pc]
            if kind == MATCH:
                if search:
                    return None
            elif self._passes(more, char):
                reached[target] = None
        return tuple(reached), after

    def _walk(self, text: str, at: int, search: bool) -> bool:
        """Whether the text matches as a whole, or anything from `at` on."""
        known = self._known[search]
        before = _kind_of(text[at - 1]) if at else _EDGE
        state: Any = ((() if search else (0,)), before)
        moves = known.setdefault(state, {})
        for i in range(at, len(text)):
            char = text[i]
            following = moves.get(char)
            if following is None:
                state = self._step(state, char, search) if char not in moves else None
                if state is None:
                    moves[char] = None
                    return True
                self._count += 1
                if self._count > MOST_KNOWN:
                    known.clear()
                    self._count = 0
                following = moves[char] = (state, known.setdefault(state, {}))
            state, moves = following
        starts = (*state[0], 0) if search else state[0]
        last = self._closure(starts, state[1], _EDGE)
        return any(self._code[pc][0] == MATCH for pc in last)

    def fullmatch(self, text: str) -> bool | None:
        """True if the text as a whole matches, else None."""
        return self._walk(text, 0, False) or None

    # -- with groups -------------------------------------------------------------------------------
    def _threads(self, threads: list, before: int, after: int, at: int) -> list:
        """Like `_closure` of (position, groups so far)."""
        found, seen = [], set()
        stack = threads[::-1]
        while stack:
            pc, groups = stack.pop()
            if pc in seen:
                continue
            seen.add(pc)
            kind, target, more = self._code[pc]
            if kind == SPLIT:
                stack += ((more, groups), (target, groups))
            elif kind == SAVE:
                stack.append((target, (*groups[:more], at, *groups[more + 1:])))
            elif kind == ASSERT:
                if _holds(more, before, after):
                    stack.append((target, groups))
            else:
                found.append((pc, groups))
        self.steps += len(seen)
        return found

    def search(self, text: str, at: int = 0) -> Found | None:
        """The first match from `at` on."""
        if not self._walk(text, at, True):
            return None
        empty = (None,) * (2 * self.groups + 2)
        threads: list = []
        best = None
        before = _kind_of(text[at - 1]) if at else _EDGE
        for i in range(at, len(text) + 1):
            char = text[i:i + 1]
            after = _kind_of(char) if char else _EDGE
            if best is None:
                threads.append((0, empty))
            elif not threads:
                break
            reached = []
            for pc, groups in self._threads(threads, before, after, i):
                kind, target, more = self._code[pc]
                if kind == MATCH:
                    best = groups
                    break  # what follows is less preferred
                if char and self._passes(more, char):
                    reached.append((target, groups))
            threads, before = reached, after
        return None if best is None else Found(text, best)
