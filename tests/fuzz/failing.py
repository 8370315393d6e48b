"""Calls that fail: an index out of range is an error, after which no variable is half changed.

A program that is given whole numbers is called with some that are far too large. If one of them is
an index, NumPy's executor raises, and so must native code; variables then hold what they held, or
what that executor leaves in them.
"""

from __future__ import annotations

import numpy as np

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program as OnNumpy
from tapeflow.jit import pipeline
from tapeflow.jit.lowering.supported import Refused

FAR = 1_000_003  # outside of everything that has an axis
CLOSE = 1e-2  # what is changed at all is changed by more


def wrong_arguments(arrays: list) -> list | None:
    """The arguments with the last of all whole numbers too large; None if there are none."""
    found = [x.copy() if x.dtype.name in ("int32", "int64") and x.ndim and x.size else None
             for x in arrays]
    if all(x is None for x in found):
        return None
    for x in found:
        if x is not None:
            x.reshape(-1)[-1] = FAR
    return [x if y is None else y for x, y in zip(arrays, found, strict=True)]


def wanted(traced) -> tuple[list, list] | None:
    """What variables hold before and after a call on NumPy that fails; None if it does not fail.

    What no result needs is not computed: the graph is that which native code is made of.
    """
    arrays = wrong_arguments(traced.arrays)
    if arrays is None:
        return None
    try:
        simple = traced.function(lambda graph: OnNumpy(pipeline.simplify(graph)))
    except Refused:
        return None
    if not _fails(traced, simple, arrays)[0]:
        return None
    traced.case.begin()
    return traced.case.held(), _fails(traced, traced.function(OnNumpy), arrays)[1]


def difference(traced, function) -> str | None:
    """What is wrong with native code's way of failing, if anything is."""
    if traced.failure is None:
        return None
    before, after = traced.failure
    raised, got = _fails(traced, function, wrong_arguments(traced.arrays))
    if not raised:
        return "an index out of range is no error"
    if _alike(got, before) or _alike(got, after):
        return None
    return f"an error left {got} in variables that held {before}, and on NumPy {after}"


def _fails(traced, function, arrays) -> tuple[bool, list]:
    """Whether a call raises an error, and what the variables hold then."""
    traced.case.begin()
    try:
        function.run(arrays, function.variables_for())
    except tf.errors.OpError:
        return True, traced.case.held()
    return False, []


def _alike(got: list, want: list) -> bool:
    return all(np.allclose(x.astype(np.float64), y.astype(np.float64), CLOSE, CLOSE, equal_nan=True)
               for x, y in zip(got, want, strict=True))
