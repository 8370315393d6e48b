"""What a library makes of files, each read in a worker with little memory and little time.

    python -m tests.file_fuzz.outcomes FILES OUT [tensorflow]

An outcome is ["value", digest], ["error", class of the exception, the first of its words], or
["attempt", what was attempted that reading must not do].
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import warnings
from typing import Any

import numpy as np

from tests.file_fuzz import model_files, watch

MEMORY = 4 << 30  # bytes of address space
SECONDS = 20


def write_files(path: str, files: list[tuple[str, bytes]]) -> None:
    """Files one after another, as `read_files` finds them."""
    with open(path, "wb") as out:
        for name, data in files:
            out.write(struct.pack("<II", len(name), len(data)) + name.encode() + data)


def read_files(path: str) -> list[tuple[str, bytes]]:
    """The files that `write_files` wrote."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at < len(data):
        short, long = struct.unpack_from("<II", data, at)
        at += 8
        found.append((data[at:at + short].decode(), data[at + short:at + short + long]))
        at += short + long
    return found


def _flat(value: Any) -> list:
    if isinstance(value, dict):
        return [one for key in sorted(value) for one in (key, *_flat(value[key]))]
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in _flat(one)]
    if hasattr(value, "dense_shape"):
        return _flat([value.indices, value.values, value.dense_shape])
    if hasattr(value, "flat_values"):
        return _flat([value.flat_values, *value.nested_row_splits])
    return [value]


def digest(value: Any) -> str:
    """The same for the same values, whichever library they come from."""
    found = hashlib.sha256()
    for one in _flat(value):
        array = one if isinstance(one, (bytes, str)) else np.asarray(
            one.numpy() if hasattr(one, "numpy") else one)
        if isinstance(array, np.ndarray):
            words = array.tolist() if array.dtype.kind in "OSU" else array.tobytes()
            array = f"{array.shape}{array.dtype.kind}{words!r}"
        found.update(repr(array).encode())
    return found.hexdigest()[:16]


def _late(*_: Any) -> None:
    raise TimeoutError("too slow")


def outcome(tf: Any, name: str, data: bytes) -> list[str]:
    """What a library makes of one file."""
    from tests.file_fuzz.formats import read
    signal.signal(signal.SIGALRM, _late)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        signal.alarm(SECONDS)
        watch.attempts.clear()
        try:
            found = ["value", digest(read(tf, name, data, folder))]
        except Exception as error:
            found = ["error", type(error).__name__, " ".join(str(error).split())[:200]]
        finally:
            signal.alarm(0)
        return ["attempt", *watch.attempts] if watch.attempts else found


def work(path: str, start: int, library: str) -> None:
    """Outcomes from `start` on, a line each, as they are known."""
    made = read_files(path)[start:]
    if library == "tensorflow":
        import tensorflow as tf
    else:
        import tapeflow as tf
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if any(name in model_files.FORMATS for name, _ in made):
            tf.keras.Model  # Keras asks the system about itself when it is loaded
        watch.watch()
    for name, data in made:
        print(json.dumps(outcome(tf, name, data)), flush=True)


def outcomes(path: str, library: str, python: str = sys.executable) -> list[list[str]]:
    """The outcomes of all files; one that ends the worker is ["crash", signal]."""
    count, found = len(read_files(path)), []
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "",
                   "PYTHONPATH": os.getcwd(), "TAPEFLOW_CACHE": ""}
    while len(found) < count:
        done = subprocess.run(
            [python, "-m", "tests.file_fuzz.outcomes", path, str(len(found)), library],
            capture_output=True, text=True, env=environment, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
        found += [json.loads(line) for line in lines]
        if len(found) < count:
            if not lines and done.returncode > 0:
                raise RuntimeError(done.stderr[-2000:])
            found.append(["crash", str(done.returncode)])
    return found


if __name__ == "__main__":
    work(sys.argv[1], int(sys.argv[2]), sys.argv[3])
