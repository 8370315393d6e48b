"""Recorded hostile calls: what TensorFlow made of each, and what tapeflow may make of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from compare import ACCEPTED, OUTCOMES, read, verdict
from generate import calls, sweep, targets
from run import run
from values import DTYPES


@pytest.fixture(scope="module")
def verdicts() -> dict[str, tuple[str, str]]:
    recorded = read(OUTCOMES)
    ours = run(list(recorded))
    return {text: (verdict(one[0], theirs), f"{one[0]} {one[1]}, TensorFlow: {theirs}")
            for (text, theirs), one in zip(recorded.items(), ours, strict=True)}


@pytest.mark.parametrize("kind", ["internal", "crash", "hang"])
def test_no_call_ends_in(kind: str, verdicts: dict) -> None:
    assert {text: why for text, (found, why) in verdicts.items() if found == kind} == {}


def test_what_tensorflow_refuses_is_refused_but_for_the_listed_calls(verdicts: dict) -> None:
    accepted = {text: why for text, (found, why) in verdicts.items() if found == "accepted"}
    listed = set(read(ACCEPTED))
    assert {text: why for text, why in accepted.items() if text not in listed} == {}
    assert listed <= set(accepted), "refused by now: take it off the list"


def test_every_function_is_recorded() -> None:
    recorded = "\n".join(read(OUTCOMES))
    assert [target.text for target in targets() if f"{target.text}(" not in recorded] == []


def test_a_seed_makes_the_same_calls_again() -> None:
    assert calls(3, 1, "tf.linalg") == calls(3, 1, "tf.linalg") != calls(4, 1, "tf.linalg")


def test_a_sweep_gives_every_argument_every_value_of_its_kind() -> None:
    assert sweep("composites", "tf.add_n")[-1] == (
        "tf.add_n(inputs=tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]))")
    dtypes = sweep("dtypes", "tf.math.zeta")
    assert "tf.math.zeta(x=0, q=tf.cast(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.int8))" in dtypes
    assert len(dtypes) == 2 * len(DTYPES)


@pytest.mark.parametrize(("ours", "theirs", "found"), [
    ("raises IndexError", "raises ValueError", "internal"),
    ("raises IndexError", "raises IndexError", "same"),
    ("raises MemoryError", "raises ResourceExhaustedError", "internal"),
    ("value int32 ()", "raises TypeError", "accepted"),
    ("raises TypeError", "value int32 ()", "refused"),
    ("raises TypeError", "raises ValueError", "near"),
    ("raises ValueError", "crash", "void"),
    ("crash", "raises ValueError", "crash"),
    ("hang", "value int32 ()", "hang"),
    ("value int32 ()", "value int64 ()", "value"),
])
def test_verdicts(ours: str, theirs: str, found: str) -> None:
    assert verdict(ours, theirs) == found


def test_workers_go_on_after_a_crash_and_a_hang() -> None:
    texts = ["1", "__import__('os').abort()", "tf.zeros([2])", "1 / 0", "BadLen().__len__()"]
    assert [one[0] for one in run(texts)] == [
        "value int", "crash", "value float32 (2,)", "raises ZeroDivisionError", "raises Refusal"]
