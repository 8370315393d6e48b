"""Saving that is cut short: by a kill, which leaves nothing for ever; by a full disk."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.process import atomic_files
from tapeflow.insight.run_report.html_page import write_page
from tapeflow.jit.runtime.image_cache import cache_files


def module(value):
    made = tf.Module()
    made.v = tf.Variable(np.full(50_000, value, np.float32))
    return made


def checkpoint(folder, value):
    tf.train.Checkpoint(v=module(value).v).write(os.path.join(folder, "ckpt"))


def manager(folder, value):
    held = tf.train.Checkpoint(v=module(value).v)
    tf.train.CheckpointManager(held, folder, 2).save()


def saved_model(folder, value):
    tf.saved_model.save(module(value), os.path.join(folder, "model"))


def dataset(folder, value):
    tf.data.Dataset.from_tensors(np.full(50_000, value, np.float32)).save(folder)


def cached(folder, value):
    list(tf.data.Dataset.from_tensors(np.full(50_000, value, np.float32)).cache(
        os.path.join(folder, "cache")))


SAVERS = {"checkpoint": checkpoint, "manager": manager, "saved_model": saved_model,
          "dataset": dataset, "cached": cached}


def report(folder, value):
    write_page(os.path.join(folder, f"report-{value}.html"), {"title": str(value)})


def drawing(folder, value):
    x = tf.Variable(value)
    with tf.GradientTape() as tape:
        y = tf.sin(x)
    tape.draw(y).save(os.path.join(folder, "tape.svg"))


WRITERS = {**SAVERS, "report": report, "drawing": drawing}


def parts(folder):
    return [name for _, folders, files in os.walk(folder) for name in [*folders, *files]
            if ".part" in name]


KILLED = """
import os, sys
from tests.io.test_interrupted import WRITERS
real = os.replace
os.replace = lambda *names: os.kill(os.getpid(), 9)
WRITERS[sys.argv[1]](sys.argv[2], 1.0)
"""


@pytest.mark.parametrize("name", WRITERS)
def test_the_next_save_removes_what_a_killed_one_left(name, tmp_path):
    folder = str(tmp_path)
    done = subprocess.run([sys.executable, "-c", KILLED, name, folder], check=False)
    assert done.returncode == -signal.SIGKILL and parts(folder)
    WRITERS[name](folder, 2.0)
    assert not parts(folder)


BETWEEN = """
import os, sys
from tests.io.test_interrupted import WRITERS
real, done = os.replace, []
def replace(*names):
    if len(done) == int(sys.argv[2]):
        os.kill(os.getpid(), 9)
    real(*names)
    done.append(names)
WRITERS["checkpoint"](sys.argv[1], 1.0)
done.clear()
os.replace = replace
WRITERS["checkpoint"](sys.argv[1], 2.0)
"""


@pytest.mark.parametrize("renamed", [0, 1])
@pytest.mark.parametrize("reads", [True, False])
def test_a_checkpoint_that_replaces_another_is_the_old_or_the_new_one(renamed, reads, tmp_path):
    folder = str(tmp_path)
    done = subprocess.run([sys.executable, "-c", BETWEEN, folder, str(renamed)], check=False)
    assert done.returncode == -signal.SIGKILL and parts(folder)
    if not reads:  # another one writes in the folder
        tf.train.Checkpoint(v=module(7.0).v).write(os.path.join(folder, "other"))
    assert (value_in("checkpoint", folder) == renamed + 1.0).all() and not parts(folder)


def test_half_of_a_pair_does_not_replace_what_came_after_it(tmp_path):
    index, data = str(tmp_path / "i"), str(tmp_path / "d")
    with atomic_files.replacing_both(data, index) as (first, second):
        first.write(b"1")
        second.write(b"1")
        left, = [str(tmp_path / name) for name in parts(tmp_path) if name.startswith("i.")]
    atomic_files._open.clear()
    with open(left, "wb") as file:
        file.write(b"0")
    past = time.time() - 60
    os.utime(left, (past, past))
    atomic_files.clear(str(tmp_path))
    assert (tmp_path / "i").read_bytes() == b"1" and not parts(tmp_path)


def test_parts_of_living_writers_stay(tmp_path):
    path = str(tmp_path / "file")
    with atomic_files.replacing(path) as file:
        file.write(b"one")
        with atomic_files.replacing(path) as other:  # a thread beside this one
            other.write(b"two")
        assert len(parts(tmp_path)) == 1
        child = subprocess.run(
            [sys.executable, "-c", "import sys; from tapeflow.base.process import atomic_files\n"
             "with atomic_files.replacing(sys.argv[1]) as file: file.write(b'three')", path],
            check=True)
        assert child.returncode == 0 and len(parts(tmp_path)) == 1
    assert (tmp_path / "file").read_bytes() == b"one" and not parts(tmp_path)


def test_parts_of_other_machines_stay_for_a_day(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic_files, "_host", lambda: "elsewhere")
    left = atomic_files.part_of(str(tmp_path / "file"))
    open(left, "wb").close()
    monkeypatch.undo()
    atomic_files._open.clear()
    atomic_files.clear(str(tmp_path))
    assert os.path.exists(left)
    old = time.time() - atomic_files.DAY - 5
    os.utime(left, (old, old))
    atomic_files.clear(str(tmp_path))
    assert not os.path.exists(left)


def test_files_of_others_stay(tmp_path):
    for name in ("a.part-1", "b.part-99999999", "c.tapeflow", "movie.part"):
        (tmp_path / name).write_text("mine")
    checkpoint(str(tmp_path), 1.0)
    assert {"a.part-1", "b.part-99999999", "c.tapeflow", "movie.part"} <= set(
        os.listdir(tmp_path))


def test_the_code_cache_removes_parts_too(tmp_path, monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", str(tmp_path / "objects"))
    key = "ab" + "0" * 62
    cache_files.write_cache(key, b"one")
    left = atomic_files.part_of(str(tmp_path / "objects" / "ab" / key))
    open(left, "wb").close()
    atomic_files._open.clear()
    cache_files.write_cache(key, b"two")
    assert os.listdir(tmp_path / "objects" / "ab") == [key]
    assert cache_files.read_cache(key) == b"two"


# -- a full disk -----------------------------------------------------------------------------------
FULL = """
import resource, signal, sys
import tapeflow as tf
from tests.io.test_interrupted import SAVERS
SAVERS[sys.argv[1]](sys.argv[2], 1.0)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    SAVERS[sys.argv[1]](sys.argv[2], 2.0)
except tf.errors.OpError as error:
    print("raised", type(error).__name__)
"""


def value_in(name, folder):
    if name in ("checkpoint", "manager"):
        path = os.path.join(folder, "ckpt") if name == "checkpoint" else (
            tf.train.latest_checkpoint(folder))
        return tf.train.load_checkpoint(path).get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE")
    if name == "saved_model":
        return tf.saved_model.load(os.path.join(folder, "model")).v.numpy()
    return next(iter(tf.data.Dataset.load(folder))).numpy()


@pytest.mark.parametrize("name", [name for name in SAVERS if name != "cached"])
def test_a_full_disk_leaves_the_old_file_and_says_so(name, tmp_path):
    folder = str(tmp_path)
    done = subprocess.run([sys.executable, "-c", FULL, name, folder], capture_output=True,
                          text=True, check=False)
    assert done.stdout == "raised OutOfRangeError\n", done.stderr
    assert "Exception ignored" not in done.stderr and "Traceback" not in done.stderr
    assert (value_in(name, folder) == 1.0).all() and not parts(folder)


DROPPED = """
import sys
import tapeflow as tf
writer = tf.io.TFRecordWriter("/dev/full")
writer.write(b"x" * 100)
del writer
writer = tf.summary.create_file_writer(sys.argv[1])
file = tf.io.gfile.GFile("/dev/full", "w")
file.write("x" * 100)
del file
try:
    with tf.io.TFRecordWriter("/dev/full") as writer:
        writer.write(b"x" * 1_000_000)
except tf.errors.ResourceExhaustedError as error:
    print("told")
try:
    tf.io.write_file("/dev/full", "x" * 100)
except tf.errors.ResourceExhaustedError as error:
    print("told")
"""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
def test_writers_that_are_dropped_print_nothing(tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", "-c", DROPPED, str(tmp_path)],
                          capture_output=True, text=True, check=False)
    assert done.stdout == "told\ntold\n" and done.stderr == ""
