"""`import tapeflow` is silent, loads little and costs little."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("scipy", "torch", "llvmlite", "numba", "keras", "tensorflow", "jax", "matplotlib",
         "multiprocessing", "asyncio", "hypothesis", "unittest", "http", "email")  # fmt: skip

# The modules that NumPy brings with it are NumPy's own cost.
LOADED = "import numpy, sys; before = set(sys.modules); import tapeflow, json;" \
         "print(json.dumps(sorted(set(sys.modules) - before)))"  # fmt: skip
TIMED = "import time, numpy; start = time.perf_counter(); import tapeflow;" \
        "print(time.perf_counter() - start)"  # fmt: skip
TIMED_NUMPY = "import time; start = time.perf_counter(); import numpy;" \
              "print(time.perf_counter() - start)"  # fmt: skip

# The project's budget is 60 ms over NumPy where NumPy takes about 80. As a ratio it holds on
# slower and busier machines too; the absolute figure is what `make bench` prints.
BUDGET_MS = 60
BUDGET_OF_NUMPY = 0.75


def python(*words: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_import_is_silent():
    done = python("-W", "error", "-c", "import tapeflow")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_import_loads_nothing_heavy():
    done = python("-c", LOADED)
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert loaded & set(HEAVY) == set()


def test_import_starts_no_thread_and_leaves_numpy_as_it_is():
    done = python(
        "-c",
        "import numpy, threading, warnings; before = numpy.geterr(), numpy.get_printoptions();"
        "import tapeflow; assert threading.active_count() == 1;"
        "assert (numpy.geterr(), numpy.get_printoptions()) == before",
    )
    assert done.returncode == 0, done.stderr


def test_import_cost(tmp_path):
    # The cost of an import is that of compiled files, wherever this machine lets them be written.
    cached = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    python("-c", "import tapeflow", **cached)
    own, numpy = [], []
    for _ in range(10):
        own.append(float(python("-c", TIMED, **cached).stdout) * 1e3)
        numpy.append(float(python("-c", TIMED_NUMPY, **cached).stdout) * 1e3)
        if min(own) <= max(BUDGET_MS, BUDGET_OF_NUMPY * min(numpy)):
            return
    raise AssertionError(f"import tapeflow costs {min(own):.0f} ms over numpy's {min(numpy):.0f}")


def test_a_module_put_off_is_loaded_by_asking_for_a_name():
    code = ("import sys, tapeflow as tf; from tapeflow.base import exports;"
            "space = tf.signal; assert 'tapeflow.ops.signal' not in sys.modules;"
            "assert callable(tf.signal.fft) and 'tapeflow.ops.signal' in sys.modules;"
            "assert 'signal.*' not in exports.LATER and 'image.*' in exports.LATER;"
            "assert 'resize' in dir(tf.image) and 'image.*' not in exports.LATER;"
            "import tapeflow.signal as signal; assert signal is space;"
            "from tapeflow.signal import rfft; assert rfft is tf.signal.rfft")
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
