"""Runs cases in processes of their own under conditions that must not matter, and compares."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]

# What a condition sets in the environment; `cores` and `busy` are for `running`.
CONDITIONS = {
    "plain": {"PYTHONHASHSEED": "0"},
    "one core": {"PYTHONHASHSEED": "1", "cores": 1},
    "busy": {"PYTHONHASHSEED": "2", "busy": 2},
    "more threads": {"PYTHONHASHSEED": "3", "OPENBLAS_NUM_THREADS": "3", "OMP_NUM_THREADS": "3",
                     "TF_NUM_INTRAOP_THREADS": "3", "REPEAT_OFFSET": "1"},
    "one thread": {"PYTHONHASHSEED": "4", "OPENBLAS_NUM_THREADS": "1",
                   "TF_NUM_INTRAOP_THREADS": "1", "TAPEFLOW_CACHE": "", "REPEAT_OFFSET": "3"},
    "four threads": {"PYTHONHASHSEED": "5", "TF_NUM_INTRAOP_THREADS": "4", "REPEAT_OFFSET": "2"},
    "busy core": {"PYTHONHASHSEED": "6", "cores": 1, "busy": 1},
    "again": {},
}
# The default mode is measured by more steps, so that native code has taken over.
MODES = {
    "eager": {"REPEAT_MODE": "eager", "TAPEFLOW_JIT": "off"},
    "now": {"TAPEFLOW_JIT": "now"},
    "auto": {"REPEAT_STEPS": "600"},
}
_GIVEN = {"PYTHONHASHSEED", "TAPEFLOW_JIT", "TAPEFLOW_CACHE", "OPENBLAS_NUM_THREADS",
          "OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"}
_LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100000))"


@contextlib.contextmanager
def _busy(count):
    """Other processes that keep cores busy."""
    others = [subprocess.Popen([sys.executable, "-c", _LOOP]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def hashes(module, condition, mode, cache, names=()):
    """The hash of every case of a module, by name, from a new process."""
    settings = dict(CONDITIONS[condition])
    cores, busy = settings.pop("cores", None), settings.pop("busy", 0)
    environment = {k: v for k, v in os.environ.items() if k not in _GIVEN} | {
        "TAPEFLOW_CACHE": str(cache), "PYTHONPATH": str(ROOT), **MODES[mode], **settings}
    command = [sys.executable, "-m", "tests.repeat.child", module, *names]
    if cores and hasattr(os, "sched_setaffinity"):
        few = sorted(os.sched_getaffinity(0))[:cores]
        start = (f"import os, sys\nos.sched_setaffinity(0, {few})\n"
                 "os.execv(sys.argv[1], sys.argv[1:])")
        command = [sys.executable, "-c", start, *command]
    with _busy(busy):
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def differences(module, conditions, mode, cache, names=()):
    """Cases that do not end at the bits of the first condition: (case, condition)."""
    first, *others = conditions
    wanted = hashes(module, first, mode, cache, names)
    assert wanted, "no case has such a name"
    return [(case, other) for other in others
            for case, found in hashes(module, other, mode, cache, names).items()
            if found != wanted[case]]
