"""A sample of random programs in every mode, and the fuzzer itself: that it finds, shrinks, tells.

`python -m tests.fuzz` runs as many as one likes.
"""

import itertools
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from tapeflow.core.op import OPS
from tests.fuzz.__main__ import fuzz, minimal
from tests.fuzz.check import ASPECTS, MODES, Failure, check, compare, outcome
from tests.fuzz.generate import program
from tests.fuzz.program import Line, Program

PAIRS = list(itertools.product(list(MODES)[1:], ASPECTS))
SEEDS = 30  # for each mode and aspect


@pytest.mark.parametrize("mode, aspect", PAIRS)
def test_every_mode_gives_what_eager_gives(mode, aspect):
    start = PAIRS.index((mode, aspect)) * SEEDS
    found = []
    failed, skipped = fuzz(range(start, start + SEEDS), (mode,), (aspect,), seconds=20.0,
                           report=found.append)
    assert not failed, "\n\n".join(found)
    assert skipped < SEEDS / 10


def test_programs_repeat():
    for seed in range(3):
        assert program(seed).text() == program(seed).text()


def test_programs_have_all_there_is():
    text = "\n".join(program(seed).text() for seed in range(60))
    for word in ("tf.cond", "tf.while_loop", "tf.map_fn", "tf.vectorized_map", "GradientTape",
                 "custom_gradient", "recompute_grad", "@inner", ".assign", "tf.matmul", "tf.einsum",
                 "tf.gather", "tf.concat", "tf.split", "tf.reduce_", "tf.transpose", "tf.reshape",
                 "boolean_mask", "sample(", "op("):
        assert word in text, word


def broken(monkeypatch):
    """Make graphs, and they alone, take sines for cosines."""
    from tapeflow.graph import passes

    def wrong(graph):
        for node in graph.nodes:
            if node.op.name == "sin":
                node.op = OPS["cos"]

    monkeypatch.setattr(passes, "PASSES", (*passes.PASSES, wrong))


def line(name, template, *operands, like=0.0):
    return Line([name], template, operands, like=[np.float32(like)])


def test_a_difference_is_found_made_small_and_told(monkeypatch):
    broken(monkeypatch)
    whole = Program(0, {"a0": np.float32(0.5)}, {}, [
        line("t0", "{y} = tf.exp({0})", "a0", like=1.65),
        line("t1", "{y} = {0} * 2.0", "t0", like=3.3),
        line("t2", "{y} = tf.sin({0})", "t1", like=-0.15),
        line("t3", "{y} = {0} + 1.0", "t2", like=0.85),
    ], ["t3", "t1"])
    with pytest.raises(Failure) as found:
        check(whole)
    assert found.value.mode == "function" and found.value.aspect == "values"
    monkeypatch.setattr("tests.fuzz.__main__.program", lambda seed: whole)
    text = minimal(0, found.value, 20.0)
    assert "tf.sin(a0)" in text and "tf.exp" not in text and "+ 1.0" not in text
    space: dict = {}
    exec(text, space)  # it can be pasted
    f, variables = space["build"](lambda g: g, lambda g: g)
    assert len(f(*space["args"])) == 1 and not variables


def test_an_error_is_found(monkeypatch):
    whole = Program(0, {"a0": np.float32(0.5)}, {}, [
        line("t0", "{y} = tf.constant(float({0}))", "a0")], ["t0"])
    with pytest.raises(Failure, match="symbolic"):
        check(whole)


@pytest.mark.parametrize("got, want, same", [
    ([np.float32(1)], [np.float32(1)], True), ([np.float32(1)], [np.float64(1)], False),
    ([np.ones(2)], [np.ones((1, 2))], False), ([None], [np.zeros(2)], True),
    ([None], [np.ones(2)], False), ([np.ones(2)], [None], False), ([None], [None], True),
    ([np.array([np.nan, np.inf])], [np.array([np.nan, np.inf])], True),
    ([np.array([np.inf])], [np.array([-np.inf])], False),
    ([np.array([np.nan])], [np.array([1.0])], False),
    ([np.array([1])], [np.array([2])], False), ([np.array([1.0])], [np.array([1.0 + 1e-9])], True),
    ([np.array([1.0])], [np.array([1.001])], False),
])
def test_comparison(got, want, same):
    def bare(xs):
        return [None if x is None else np.asarray(x) for x in xs]

    assert (compare(bare(got), bare(want)) is None) == same


def test_outcomes_include_the_variables():
    whole = Program(0, {"a0": np.float32(0.5)}, {"w0": np.float32(1.0)}, [
        Line([], "w0.assign_add({0})", ["a0"])], ["a0"])
    for mode in ("eager", "function"):
        assert [float(x) for x in outcome(whole, mode, "values")] == [0.5, 1.5, 0.5, 2.0]
