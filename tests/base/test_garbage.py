"""While a function is traced, Python looks for reference cycles less often than otherwise."""

import gc
import weakref

import pytest

import tapeflow as tf
from tapeflow.base.process import garbage
from tapeflow.base.process.garbage import SELDOM, collect_seldom, seldom


@pytest.fixture(autouse=True)
def thresholds():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_thresholds_are_raised_for_a_trace_and_put_back():
    seen = []

    @tf.function
    def inner(x):
        seen.append(gc.get_threshold())
        return x + 1

    @tf.function
    def outer(x):
        y = inner(x)
        seen.append(gc.get_threshold())
        return y

    gc.set_threshold(700, 10, 10)
    before = gc.get_threshold()
    outer(tf.constant(1.0))
    assert seen == [seldom(before)] * 2 == [(SELDOM, 100, 100)] * 2
    assert gc.get_threshold() == before


def test_they_are_put_back_after_an_error():
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError):
        collect_seldom(lambda: 1 / 0)
    assert gc.get_threshold() == before


@pytest.mark.parametrize("own", [(0, 10, 10), (2 * SELDOM, 5, 5)])
def test_a_program_that_collects_seldom_or_never_is_left_alone(own):
    gc.set_threshold(*own)
    assert collect_seldom(gc.get_threshold) == own


def test_what_the_function_sets_stays():
    collect_seldom(gc.set_threshold, 300, 3, 3)
    assert gc.get_threshold() == (300, 3, 3)


@pytest.fixture
def nothing_unseen(monkeypatch):
    monkeypatch.setattr(garbage, "_unseen", [0])


def test_what_was_made_counts_as_old(nothing_unseen):
    gc.set_threshold(700, 10, 10)
    gc.collect()
    made = collect_seldom(lambda: [[] for _ in range(1000)])
    assert gc.get_threshold() == (700, 10, 10)
    old = set(map(id, gc.get_objects(generation=2)))
    assert {id(one) for one in made} <= old


def test_cycles_among_what_counts_as_old_are_found(nothing_unseen, monkeypatch):
    monkeypatch.setattr(garbage, "SELDOM", 10_000)
    gc.set_threshold(700, 10, 10)
    gone = []

    class Cycle:
        def __init__(self):
            self.own = self
            weakref.finalize(self, gone.append, 1)

    def leave_one():
        Cycle()
        return [[] for _ in range(1000)]

    for _ in range(30):
        collect_seldom(leave_one)
    assert 10 <= len(gone) < 30


def test_what_a_program_has_frozen_stays_frozen(nothing_unseen):
    gc.set_threshold(700, 10, 10)
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        made = collect_seldom(lambda: [[] for _ in range(1000)])
        assert 0 < gc.get_freeze_count() <= count  # some may have been freed by their counts
        assert len(made) == 1000
    finally:
        gc.unfreeze()
