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
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library
from tapeflow.core.values.variable import twin_of
from tapeflow.graph import ir
from tapeflow.jit.verification.reference_run import (
    Noise,
    Reference,
    TooLong,
    epsilon,
    finfo,
    random_streams,
)

LAST_PLACES = 4  # units in the last place that are never looked into
MOVED = 32  # times as far off as the reference moved
RUNS = 16  # with noise, before a difference is believed
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
    """A native run and its reference on the same values, of which this keeps copies."""

    def __init__(self, graph: ir.Graph, arrays: list, values: list):
        """values: what the variables hold, bare."""
        self.graph = graph
        self.arrays = [np.array(x)[()] for x in arrays]  # a scalar stays one
        self.values = [np.array(x)[()] for x in values]
        self._streams = random_streams(graph)
        self._states = [stream.state() for stream in self._streams or ()]

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
        reference = Reference(self.graph, deadline)

        def run(noise: Noise | None) -> list[np.ndarray]:
            self._rewind()
            ends = reference.run([x.copy() for x in self.arrays], [x.copy() for x in self.values],
                                 noise)
            return [np.asarray(x) for end in ends for x in end]

        found, want = [np.asarray(x) for x in got], run(None)
        if any(x.shape != y.shape or x.dtype != y.dtype for x, y in zip(found, want, strict=True)):
            return False, want
        return agree(found, want, run), want


def agree(found: list[np.ndarray], want: list[np.ndarray],
          perturbed: Callable[[Noise], list[np.ndarray]]) -> bool:
    """Whether results agree; `perturbed(noise)` computes the wanted ones with noise."""
    with np.errstate(all="ignore"):
        doubtful = [i for i, (x, y) in enumerate(zip(found, want, strict=True))
                    if not _within(x, y, None).all()]
        if not doubtful:
            return True
        moved: dict[int, _Moved] = {i: _Moved(want[i]) for i in doubtful}
        for seed in range(RUNS):
            noise = Noise(seed)
            again = perturbed(noise)
            for i in doubtful:
                moved[i].add(again[i])
                moved[i].overflow |= noise.overflow
            if all(_within(found[i], want[i], moved[i]).all() for i in doubtful):
                return True
        return False


class _Moved:
    """How far the elements of a result moved in runs with noise."""

    def __init__(self, want: np.ndarray):
        self._want = want
        self.far = np.zeros(want.shape, np.float64)
        self.other = np.zeros(want.shape, bool)  # another integer, or NaN where there was none
        self.overflow = False  # which elements are NaN and which infinite is open

    def add(self, again: np.ndarray) -> None:
        want = self._want
        if again.shape != want.shape:
            return
        if want.dtype.kind not in "fcV":
            self.other |= again != want
            return
        a, b = _wide(again), _wide(want)
        self.other |= _kind(a) != _kind(b)
        self.far = np.maximum(self.far, np.where(np.isfinite(a) & np.isfinite(b), abs(a - b), 0))

    def slack(self) -> np.ndarray:
        """How far off an element may be: some times as far as it, or most of its like, moved."""
        size = abs(_wide(self._want))
        known = np.isfinite(size) & (size > 0)
        share = float(np.median(self.far[known] / size[known])) if known.any() else 0.0
        return MOVED * np.maximum(self.far, np.where(np.isfinite(size), share * size, 0))


def _within(x: np.ndarray, y: np.ndarray, moved: _Moved | None) -> np.ndarray:
    """Which elements agree: to the last places, or as far as they move anyway."""
    if y.dtype.kind not in "fcV":
        same = np.asarray(x == y)
        return same if moved is None else same | moved.other
    a, b = _wide(x), _wide(y)
    finite = np.isfinite(a) & np.isfinite(b)
    slack = LAST_PLACES * epsilon(y.dtype) * abs(b) + _least(y.dtype)
    if moved is not None:
        slack = slack + moved.slack()
    close = finite & (abs(a - b) <= slack)
    alike = ~finite & (_kind(a) == _kind(b))
    if moved is not None and moved.overflow:
        alike |= ~(np.isfinite(a) | np.isfinite(b))
    return close | alike if moved is None else close | alike | moved.other


def _least(dtype: Any) -> float:
    """Numbers so small have no full precision."""
    return LAST_PLACES * float(finfo(dtype).tiny) * epsilon(dtype)


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _kind(x: np.ndarray) -> np.ndarray:
    """0 for a finite number, 1 for NaN, 2 and 3 for the infinities."""
    if x.dtype.kind == "c":
        return _kind(x.real) + 4 * _kind(x.imag)
    return np.where(np.isnan(x), 1, np.where(np.isposinf(x), 2, np.where(np.isneginf(x), 3, 0)))
