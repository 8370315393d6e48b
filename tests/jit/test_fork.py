"""A process that is forked while threads compile, trace and change variables is a whole one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
ROOT = Path(__file__).resolve().parents[2]
HANG = 600  # seconds: only a hang takes so long

HEAD = """
import faulthandler, os, random, sys, threading, warnings
import numpy as np
import tapeflow as tf
warnings.simplefilter("ignore")
w = tf.Variable(tf.ones([16, 16]))

def whole():
    faulthandler.dump_traceback_later(200, exit=True)
    doubled = tf.function(lambda x: tf.sin(x) * 2.0, jit_compile=True)
    np.testing.assert_allclose(doubled(w), np.sin(w.numpy()) * 2.0, rtol=1e-5)
    before, add = w.numpy(), tf.function(lambda: w.assign_add(tf.ones_like(w)))
    threads = [threading.Thread(target=lambda: [add() for _ in range(10)]) for _ in range(3)]
    for one in threads: one.start()
    for one in threads: one.join()
    assert np.all(w.numpy() == before + 30.0)
    tf.random.get_global_generator().normal([3]); tf.random.normal([3])
    big = tf.ones([300, 300])
    assert float((big @ big)[0, 0]) == 300.0
    assert sum(tf.data.Dataset.range(9).map(lambda x: x, num_parallel_calls=2).prefetch(2)
               .as_numpy_iterator()) == 36

def child():
    pid = os.fork()
    if not pid:
        try:
            whole()
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return pid
"""

BACKGROUND = HEAD + """
for k in range(6):
    step = tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ w) * float(k)))
    for _ in range(24 + k % 3): step(w)  # now the compiler works
    assert os.waitpid(child(), 0)[1] == 0
whole()
"""

LOAD = HEAD + """
stop = []
def compiling():
    while not stop:
        c = random.random()
        tf.function(lambda x: tf.reduce_sum(x * w) * c, jit_compile=True)(w)
def changing():
    add = tf.function(lambda: w.assign_add(tf.ones_like(w)))
    while not stop:
        add(); w.assign_add(tf.ones_like(w)); tf.random.get_global_generator().normal([3])
def reading():
    while not stop:
        list(tf.data.Dataset.range(9).map(lambda x: x, num_parallel_calls=2).prefetch(2))
found = []
def forking():
    for _ in range(3): found.append(os.waitpid(child(), 0)[1])
workers = [threading.Thread(target=one, daemon=True) for one in (compiling, changing, reading)]
forkers = [threading.Thread(target=forking) for _ in range(2)]
for one in workers + forkers: one.start()
for one in forkers: one.join()
stop.append(1)
for one in workers: one.join()
assert found == [0] * 6, found
"""

POOL = HEAD + """
import multiprocessing
def square(x):
    return float(tf.function(lambda z: z * z, jit_compile=True)(tf.constant(float(x))))
step = tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ w)))
for _ in range(26): step(w)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(square, range(5)) == [0.0, 1.0, 4.0, 9.0, 16.0]
"""


@pytest.mark.parametrize("program", [BACKGROUND, LOAD, POOL], ids=["background", "load", "pool"])
def test_children_work(program, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TAPEFLOW_CACHE": "", "TAPEFLOW_JIT": "auto"},
        cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
