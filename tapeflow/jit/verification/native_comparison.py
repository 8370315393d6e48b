"""Whether native code computes what NumPy computes, on the user's own values.

Two right executors differ by rounding: another order of a sum, another polynomial for exp. How far
that may go is not a constant: a gradient that nearly vanishes is the difference of large numbers.
So results that are not the same to a few units in the last place are judged by experiment: the
reference runs again with rounding errors put in at random, and an element may be off by some times
as much as it moved. A wrong element does not pass because others in its array are large; a right
one is not refused because it is ill-conditioned. Where a partial sum may overflow in one order and
not in another, an infinity may be a NaN.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library
from tapeflow.core.values.variable import twin_of
from tapeflow.graph import ir
from tapeflow.jit.verification.reference_run import (
    Drawn,
    Noise,
    Reference,
    TooLong,
    epsilon,
    finfo,
    random_streams,
)
from tapeflow.ops._support import kernel_threads

LAST_PLACES = 4  # units in the last place that are never looked into
MOVED = 32  # times as far off as the reference moved
RUNS = 16  # with noise, before a difference is believed
AHEAD = 1  # of these that may be made before native code is there
BLOCK = 1 << 15  # elements that are compared at once: what comes between stays in the caches
LARGE = 1 << 19  # elements of all results from which several threads look at them
LIKE = 4096  # elements of a result, evenly apart, that tell how far its elements move
SECONDS = 2.0  # that the reference may take before a program goes on


class Outcome:
    """How a comparison ended: `same` is None if there was none, for the reason `why`.

    ratio   how many times as long as a native run it took
    got     native results, then what the variables held; `wanted`: the reference's
    """

    def __init__(self, same: bool | None, ratio: float = 0.0, why: str = "", got: Any = (),
                 wanted: Any = ()):
        self.same, self.ratio, self.why, self.got, self.wanted = same, ratio, why, got, wanted


class Comparison:
    """A native run and its reference on the same values.

    It keeps copies of the arguments. What variables hold it holds as well, and what two hold
    nobody changes in place.
    """

    def __init__(self, graph: ir.Graph, arrays: list, values: list):
        """values: what the variables hold, bare."""
        self.graph = graph
        self.arrays = [_kept(x) for x in arrays]
        self.values = [_held(x) for x in values]
        self._streams = random_streams(graph)
        self._states = [stream.state() for stream in self._streams or ()]
        self._ahead: dict[int | None, tuple[list, bool]] = {}  # by the seed of the noise
        self._drawn = Drawn()

    def run_ahead(self, busy: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Run the reference before native code is there, also with noise as long as `busy()`."""
        if self._streams is None:
            return
        reference = Reference(self.graph, time.perf_counter() + seconds, self._drawn)
        try:
            for seed in (None, *range(AHEAD)):
                if seed is None or busy():
                    noise = None if seed is None else Noise(seed)
                    found = self._run(reference, noise)
                    self._ahead[seed] = found, noise is not None and noise.overflow
        except TooLong:
            pass
        except Exception as error:  # when results are compared it will be met again
            if not from_library(error):
                raise
        finally:
            self._rewind()

    def judge(self, native: Any, variables: list, seconds: float = SECONDS) -> Outcome:
        """Whether native code gives what NumPy gives; the program's variables do not change.

        seconds: that the reference may take, if native code did not take longer.
        """
        if self._streams is None:
            return Outcome(None, why="it has effects that cannot be undone")
        try:
            return self._judged(native, [twin_of(variable, value.copy()) for variable, value
                                         in zip(variables, self.values, strict=True)], seconds)
        finally:
            self._rewind()

    def _judged(self, native: Any, copies: list, seconds: float) -> Outcome:
        begin = time.perf_counter()
        try:
            results = native.run([x.copy() for x in self.arrays], copies)
        except Exception as error:  # the program's own run will tell the same
            if not from_library(error):
                raise
            return Outcome(None, why="it raised an error")
        took = time.perf_counter() - begin
        got = [*results, *[copy._snapshot._value for copy in copies]]
        try:
            same, wanted = self._agrees(got, begin + took + max(seconds, 4 * took))
        except TooLong:
            same, wanted = None, []
        ratio = (time.perf_counter() - begin) / took
        return Outcome(same, ratio, "" if same is not None else "NumPy takes too long", got, wanted)

    def _rewind(self) -> None:
        for stream, state in zip(self._streams or (), self._states, strict=True):
            stream.restore(state)

    def _agrees(self, got: list, deadline: float) -> tuple[bool, list]:
        reference = Reference(self.graph, deadline, self._drawn)

        def run(noise: Noise | None, wanted: Collection[int] | None = None) -> list[Any]:
            ahead = self._ahead.pop(None if noise is None else noise.seed, None)
            if ahead is None:
                return self._run(reference, noise, wanted)
            if noise is not None:
                noise.overflow = ahead[1]
            return ahead[0]

        found, want = [np.asarray(x) for x in got], run(None)
        if any(x.shape != y.shape or x.dtype != y.dtype for x, y in zip(found, want, strict=True)):
            return False, want
        return agree(found, want, run), want

    def _run(self, reference: Reference, noise: Noise | None,
             wanted: Collection[int] | None = None) -> list[Any]:
        self._rewind()
        ends = reference.run(self.arrays, self.values, noise, wanted)
        return [None if x is None else np.asarray(x) for end in ends for x in end]


def _kept(x: Any) -> Any:
    """A copy that no kernel can change; a scalar stays one."""
    made = np.array(x)
    made.flags.writeable = False
    return made[()]


def _held(x: Any) -> Any:
    """The same value, which no kernel can change through this."""
    made = np.asarray(x).view()
    made.flags.writeable = False
    return made[()]


def agree(found: list[np.ndarray], want: list[np.ndarray],
          perturbed: Callable[[Noise, Collection[int]], list]) -> bool:
    """Whether results agree; `perturbed(noise, numbers)` computes at least those once more, with
    noise."""
    doubtful: dict[int, _Doubtful] = {}  # by the number of the result

    def look(i: int) -> None:
        at = _differing(found[i].reshape(-1), want[i].reshape(-1))
        if at.size:
            doubtful[i] = _Doubtful(found[i], want[i], at)

    with np.errstate(all="ignore"):
        _for_each(look, range(len(want)), want)
        for seed in range(RUNS):
            if not doubtful:
                return True
            noise = Noise(seed)
            again = perturbed(noise, doubtful.keys())

            def settle(i: int, noise: Noise = noise, again: list = again) -> None:
                if doubtful[i].explained(again[i], noise.overflow):
                    del doubtful[i]

            _for_each(settle, list(doubtful), want)
        return not doubtful


def _for_each(work: Callable[[int], None], numbers: Iterable[int], results: list) -> None:
    """Look at results one by one, on several threads if they are large."""
    if sum(results[i].size for i in numbers) >= LARGE:
        kernel_threads.share(work, numbers)
    else:
        for i in numbers:
            work(i)


def _blocks(count: int) -> list[slice]:
    return [slice(begin, begin + BLOCK) for begin in range(0, count, BLOCK)]


def _joined(parts: list[np.ndarray], dtype: Any) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _differing(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which elements of two vectors differ by more than the last places."""
    return _joined([part.start + _apart(x[part], y[part]) for part in _blocks(len(y))], np.intp)


def _apart(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if y.dtype.kind not in "fcV":
        return np.flatnonzero(x != y)
    if y.dtype in (np.float32, np.float64):  # most are closer than that, which is soon seen
        near = y.dtype.type((LAST_PLACES - 1) * epsilon(y.dtype))
        at = np.flatnonzero(~((x == y) | (abs(x - y) < abs(y) * near)))
        if not at.size:
            return at
    else:
        at = np.arange(len(y))
    return at[~_close(_wide(x[at]), _wide(y[at]), _last_places(y.dtype, y[at]))]


class _Doubtful:
    """Elements of a result that differ, until runs with noise have moved them as far.

    slack of an element: some times as far as it moved, or as most of its like, of which a sample
    is looked at. More runs only ever explain more of them.
    """

    def __init__(self, found: np.ndarray, want: np.ndarray, at: np.ndarray):
        self._shape, self._at, flat = want.shape, at, want.reshape(-1)
        self._found, self._want = found.reshape(-1)[at], flat[at]
        self._far = np.zeros(len(at), np.float64)
        self._other = np.zeros(len(at), bool)  # another integer, or NaN where there was none
        self._overflow = False  # which elements are NaN and which infinite is open
        self._inexact = want.dtype.kind in "fcV"
        if self._inexact:
            usable = (flat != 0) & np.isfinite(flat)
            if usable.all():
                self._like = np.arange(0, len(flat), max(1, len(flat) // LIKE))
            else:
                like = np.flatnonzero(usable)
                self._like = like[::max(1, len(like) // LIKE)]
            self._like_want = _wide(flat[self._like])
            self._like_far = np.zeros(len(self._like), np.float64)

    def explained(self, again: np.ndarray, overflow: bool) -> bool:
        """Whether none is left after a further run with noise, which gave `again`."""
        self._overflow |= overflow
        blocks, share = _blocks(len(self._at)), 0.0
        if again.shape == self._shape:
            flat = again.reshape(-1)
            for part in blocks:
                self._add(flat, part)
            if self._inexact:
                self._like_far = np.maximum(self._like_far, _distance(_wide(flat[self._like]),
                                                                      self._like_want))
        if self._inexact and len(self._like):
            share = float(np.median(self._like_far / abs(self._like_want)))
        left = ~_joined([self._within(part, share) for part in blocks], bool)
        self._at, self._found, self._want = self._at[left], self._found[left], self._want[left]
        self._far, self._other = self._far[left], self._other[left]
        return not len(self._at)

    def _add(self, again: np.ndarray, part: slice) -> None:
        moved, want = again[self._at[part]], self._want[part]
        if not self._inexact:
            self._other[part] |= moved != want
            return
        a, b = _wide(moved), _wide(want)
        self._other[part] |= _kind(a) != _kind(b)
        self._far[part] = np.maximum(self._far[part], _distance(a, b))

    def _within(self, part: slice, share: float) -> np.ndarray:
        other, want = self._other[part], self._want[part]
        if not self._inexact:
            return other
        a, b = _wide(self._found[part]), _wide(want)
        moved = np.maximum(self._far[part], np.where(np.isfinite(b), share * abs(b), 0))
        close = _close(a, b, _last_places(want.dtype, want) + MOVED * moved)
        if self._overflow:
            close |= ~(np.isfinite(a) | np.isfinite(b))
        return close | other


def _close(a: np.ndarray, b: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """Which elements are finite and no farther apart than `slack`, or not finite and alike."""
    near = abs(a - b) <= slack
    finite = np.isfinite(a) & np.isfinite(b)
    if finite.all():  # nearly always
        return near
    return finite & near | ~finite & (_kind(a) == _kind(b))


def _distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(a) & np.isfinite(b), abs(a - b), 0)


def _last_places(dtype: Any, want: np.ndarray) -> np.ndarray:
    return LAST_PLACES * epsilon(dtype) * abs(_wide(want)) + _least(dtype)


def _least(dtype: Any) -> float:
    """Numbers so small have no full precision."""
    return LAST_PLACES * float(finfo(dtype).tiny) * epsilon(dtype)


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _kind(x: np.ndarray) -> np.ndarray:
    """0 for a finite number, 1 for NaN, 2 and 3 for the infinities."""
    if x.dtype.kind == "c":
        return _kind(x.real) + 4 * _kind(x.imag)
    if np.isfinite(x).all():  # nearly always
        return np.zeros(x.shape, np.int8)
    return np.where(np.isnan(x), 1, np.where(np.isposinf(x), 2, np.where(np.isneginf(x), 3, 0)))
