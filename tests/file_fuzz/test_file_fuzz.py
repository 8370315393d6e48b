"""Mutated files: no internal errors, and the outcomes that TensorFlow has."""

import base64
import json
import os
import random
import subprocess
import sys
from pathlib import Path

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


def test_verdicts_on_files_that_keras_reads():
    assert verdict("keras", ["error", "BadZipFile"], None) is None
    assert verdict("keras", ["attempt", "os.system"], None) == "attempt"
    assert verdict("keras", ["error", "KeyError"], ["error", "ValueError"]) == "internal error"


@pytest.mark.parametrize("program, attempts", [
    ("os.system('true')", 1), ("pickle.loads(pickle.dumps(print))", 1),
    ("subprocess.run(['true'])", 1), ("open('/dev/null', 'w'), open(__file__)", 0),
    ("os.open(os.path.expanduser('~/absent/file'), os.O_CREAT)", 1),
    ("import colorsys", 0), ("marshal.loads(marshal.dumps(1))", 1)])
def test_attempts_that_reading_must_not_make(program, attempts, tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import marshal, os, pickle, subprocess\nfrom tests.file_fuzz import watch\n"
                    f"watch.watch()\ntry:\n    {program}\nexcept OSError:\n    pass\n"
                    f"print(len({{one.split()[0] for one in watch.attempts}}))")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])})
    assert int(done.stdout) == attempts
