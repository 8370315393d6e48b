"""Whether an outcome is right: eager's, but for rounding (`noise`).

An outcome is a list of arrays: results and variables after each call. Wherever the noise that
rounding makes does not move an element, it must be eager's to a few units in the last place;
wherever it does, within a few times as much.
"""

from __future__ import annotations

import numpy as np

from tests.fuzz.noise import epsilon, is_float

FACTOR = 8.0  # how many times farther than noise has moved it a right element may be
UNITS = 8.0  # in the last place, everywhere
SHARE = 2.0  # units in the last place of the largest element of an array: sums of its like


class Allowed:
    """How far each element of an outcome may be from `want`; `centre`: the run without noise."""

    def __init__(self, want: list, centre: list):
        self.want = want
        self._centre = [_wide(x) for x in centre]
        self._moved = [np.zeros(x.shape) for x in centre]
        self._loose = [np.zeros(x.shape, bool) for x in centre]  # finite or not
        self._unsized = [False for _ in centre]  # whether its shape depends on data
        self.overflow = False

    def add(self, sample: list, overflow: bool = False) -> None:
        """Another run with noise; `overflow`: which elements are NaN, which infinite is open."""
        self.overflow |= overflow
        for k, x in enumerate(sample):
            if self._unsized[k]:
                continue
            centre, wide = self._centre[k], _wide(x)
            if wide.shape != centre.shape:  # sizes depend on data
                self._unsized[k] = True
                continue
            with np.errstate(all="ignore"):
                step = np.abs(wide - centre)
                both = np.isfinite(wide) & np.isfinite(centre)
                same = (wide == centre) | (np.isnan(wide) & np.isnan(centre))
            self._moved[k] = np.maximum(self._moved[k], np.where(both, step, 0.0))
            self._loose[k] = self._loose[k] | ~(both | same)

    def difference(self, got: list) -> str | None:
        """What is wrong, if anything is."""
        for k, (a, b) in enumerate(zip(got, self.want, strict=True)):
            if a.dtype == b.dtype and self._unsized[k]:
                continue
            if (a.dtype, a.shape) != (b.dtype, b.shape):
                return f"result {k}: {a.dtype}{a.shape}, eagerly {b.dtype}{b.shape}"
            if a.tobytes() == b.tobytes():
                continue
            bad = self._bad(k, a, b)
            if bad.any():
                at = tuple(int(i) for i in np.argwhere(bad)[0])
                return (f"result {k}, {int(bad.sum())} of {bad.size} elements, the first at "
                        f"{at}: {a[at]!r}, eagerly {b[at]!r}\n{_short(a)}\neagerly\n{_short(b)}")
        return None

    def _bad(self, k, a, b):
        a, wide, moved = _wide(a), _wide(b), FACTOR * self._moved[k]
        with np.errstate(all="ignore"):
            if is_float(b):
                size = np.abs(wide)
                largest = np.max(size, initial=0.0, where=np.isfinite(size))
                unit = epsilon(b.dtype)
                moved = moved + UNITS * unit * size + SHARE * unit * largest + _floor(b.dtype)
            same = (a == wide) | (np.isnan(a) & np.isnan(wide))
            near = np.isfinite(wide) & (np.abs(a - wide) <= moved)
            if self.overflow:
                same |= ~np.isfinite(a) & ~np.isfinite(wide)
        return ~(same | near | self._loose[k])


def _floor(dtype) -> float:
    """Numbers so small are rounded to a grid."""
    import ml_dtypes
    about = np.finfo(dtype) if dtype.kind == "c" else ml_dtypes.finfo(dtype)
    return 8.0 * float(about.smallest_subnormal if dtype.itemsize == 2 else about.tiny)


def _wide(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        return x.astype(np.complex128)
    return x.astype(np.float64) if x.dtype.itemsize < 8 or is_float(x) else x


def _short(x):
    with np.printoptions(threshold=40, edgeitems=4):
        return "\n".join(str(x).split("\n")[:12])
