"""Sizes, places, axes and indices that are known only at run time are checked in every executor.

Each call of cases.py is run eagerly, in functions of known and unknown shapes, natively, and its
gradient too; all must come to what TensorFlow recorded: the value, or the type of the error.
"""

import json
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases
import running

import tapeflow as tf

STORE = pathlib.Path(__file__).resolve().parent / "outcomes.json"
RECORDED = json.loads(STORE.read_text(encoding="utf-8"))
NATIVE = {"native": "function", "native, sizes unknown": "sizes unknown",
          "native gradient": "gradient in a function"}


def ways_here(case):
    """TensorFlow's ways and the native ones, which must come to the same."""
    ways = running.ways_of(case)
    return {**ways, **{native: {**ways[way], "jit_compile": True}
                       for native, way in NATIVE.items() if way in ways}}


# Cases that come to something else here, by kind of difference, and why.
IN_A_RUN = "here noticed in a run, by TensorFlow while tracing"
WHILE_TRACING = "here noticed while tracing, by TensorFlow in a run"
TRACED = "TensorFlow refuses to trace it; here it runs"
DIFFERENT = {
    ("strided_slice", "other error"): WHILE_TRACING,
    ("gather_batch", "other error"): WHILE_TRACING,
    ("segment_sum", "other error"): WHILE_TRACING,
    ("reshape", "other error"): IN_A_RUN,
    ("repeat", "other error"): IN_A_RUN,
    ("repeat_flat", "other error"): IN_A_RUN,
    ("crop_size", "other error"): IN_A_RUN,
    ("scatter_nd_shape", "other error"): IN_A_RUN,
    ("fft_length", "other error"): IN_A_RUN,
    ("roll_many", "other error"): "shifts and axes of different lengths: no trial succeeds",
    ("array_scatter", "other error"): WHILE_TRACING,
    ("crop_to_box", "other error"): "TensorFlow's own checks differ for tensors and numbers",
    ("pad_to_box", "other error"): "TensorFlow's own checks differ for tensors and numbers",
    ("gather_nd_batch", "other error"): TRACED,
    ("gather_nd_batch", "works"): TRACED,
    ("space_to_batch", "other error"): TRACED,
    ("space_to_batch", "works"): TRACED,
    ("resize", "other error"): TRACED,
    ("resize", "works"): TRACED,
    ("crop_to_box", "works"): "TensorFlow asserts a rank that it does not know to be 4",
    ("pad_to_box", "works"): "TensorFlow asserts a rank that it does not know to be 4",
    ("gather_nd", "works"): "TensorFlow has no gradient for indices of one vector",
    ("transpose", "works"): "TensorFlow's gradient refuses negative axes, which the op takes",
    ("fft_length", "works"): "TensorFlow has no gradient where fft_length cuts",
    ("boolean_mask", "fails"): "a mask that is too short is refused, whatever is known",
    ("boolean_mask_axis", "fails"): "a mask that is too short is refused, whatever is known",
    ("repeat", "fails"): "TensorFlow takes negative repeats beside others for 0, and lists of one",
    ("reduce_sum_axis", "fails"): "an axis given twice is refused; TensorFlow's graphs take it",
    ("array_gather", "other value"): "TensorFlow loses all but the last gradient of a place",
    ("array_scatter", "fails"): "rows of unknown rank",
    ("array_split", "works"): "eager arrays take a negative length for nothing",
    ("ragged_row_lengths", "fails"): "values of unknown rank",
    ("ragged_row_lengths", "other error"): "values of unknown rank",
    ("ragged_row_splits", "fails"): "values of unknown rank",
    ("ragged_row_splits", "other error"): "values of unknown rank",
    ("ragged_rowids", "fails"): "values of unknown rank",
    ("ragged_rowids", "other error"): "values of unknown rank",
}


def difference(got, want):
    """How two outcomes differ, in two words, or None."""
    if isinstance(got, str) and isinstance(want, str):
        return None if got == want else "other error"
    if isinstance(got, str) or isinstance(want, str):
        return "fails" if isinstance(got, str) else "works"
    good = len(got) == len(want) and all(
        a[:2] == b[:2] and np.allclose(a[2], b[2], rtol=1e-3, atol=1e-3, equal_nan=True)
        for a, b in zip(got, want, strict=True))
    return None if good else "other value"


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case[0])
def test_every_executor_checks_what_a_call_knows_only_at_run_time(case):
    name, _, _, choices = case
    made = running.runners(tf, case, ways_here(case))
    wrong, met = [], set()
    for values, want in zip(choices, RECORDED[name], strict=True):
        for way, run in made.items():
            expected = NATIVE.get(way, way)
            if expected not in want:
                continue
            got = run(*values)
            kind = difference(got, want[expected])
            if kind is not None and (name, kind) in DIFFERENT:
                met.add((name, kind))
            elif kind is not None:
                shown = [value.tolist() for value in values]
                wrong.append(f"{shown} {way}: {got}, TensorFlow {want[expected]}")
    assert not wrong, "\n".join(wrong)
    assert met == {one for one in DIFFERENT if one[0] == name}, "differs no longer: off the list"


def test_only_cases_that_exist_are_listed_as_different():
    assert {name for name, _ in DIFFERENT} <= {case[0] for case in cases.CASES}


def test_every_case_is_recorded():
    assert {case[0]: len(case[3]) for case in cases.CASES} == {
        name: len(rows) for name, rows in RECORDED.items()}
