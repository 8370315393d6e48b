"""Mutated files: no internal errors, and the outcomes that TensorFlow has."""

import base64
import json
import random

import pytest

import tapeflow as tf
from tests.file_fuzz.compare import verdict
from tests.file_fuzz.formats import read, samples
from tests.file_fuzz.mutate import files, mutated
from tests.file_fuzz.outcomes import outcome, outcomes, write_files
from tests.file_fuzz.record import RECORDED


def test_files_as_tensorflow_reads_them():
    for name, data, kind, what in json.loads(RECORDED.read_text()):
        mine = outcome(tf, name, base64.b64decode(data))
        assert verdict(name, mine, [kind, what]) is None, (name, data, mine, kind, what)


def test_mutated_files_raise_no_internal_errors(tmp_path):
    made = files(random.randrange(1 << 30), 500, samples(tf))
    write_files(str(tmp_path / "files"), made)
    for (name, data), mine in zip(made, outcomes(str(tmp_path / "files"), "tapeflow"), strict=True):
        assert verdict(name, mine, None) is None, (name, base64.b64encode(data), mine)


@pytest.mark.parametrize("name", sorted(samples(tf)))
def test_samples_are_valid_and_mutations_change_them(name, tmp_path):
    for i, sample in enumerate(samples(tf)[name]):
        folder = tmp_path / str(i)
        folder.mkdir()
        read(tf, name, sample, str(folder))
        assert any(mutated(random.Random(k), name, sample) != sample for k in range(3))


@pytest.mark.parametrize("ours, theirs, problem", [
    (["value", "a"], ["value", "a"], None), (["value", "a"], ["value", "b"], "another value"),
    (["value", "a"], ["error", "DataLossError"], "accepted"),
    (["error", "KeyError"], ["error", "DataLossError"], "internal error"),
    (["error", "KeyError"], None, "internal error"), (["error", "DataLossError"], None, None),
    (["error", "DataLossError"], ["value", "a"], "refused"), (["crash", "-11"], None, "crash"),
    (["error", "DataLossError"], ["error", "InvalidArgumentError"], "another error")])
def test_verdicts(ours, theirs, problem):
    assert verdict("png", ours, theirs) == problem
