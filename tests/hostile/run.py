"""Runs calls in workers: a worker that crashes or hangs is ended and another one goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PATIENCE = 120  # seconds without a sign from a worker, however busy the machine is


def run(calls: list[str], library: str = "tapeflow", python: str = sys.executable,
        progress: bool = False) -> list[list[str]]:
    """[outcome, message] for each call: `value …`, `raises Type`, `hang` or `crash`."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "calls.json"), Path(folder, "outcomes")
        source.write_text(json.dumps(calls))
        target.touch()
        found: dict[int, list[str]] = {}
        while len(found) < len(calls):
            _worker(python, library, source, target, len(found), folder, progress)
            _read(target, found, len(calls))
        return [found[i] for i in range(len(calls))]


def _worker(python: str, library: str, source: Path, target: Path, first: int, folder: str,
            progress: bool) -> None:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT),
                   "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    process = subprocess.Popen(
        [python, str(HERE / "worker.py"), library, str(source), str(target), str(first)],
        cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    size, seen = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.05)
        if target.stat().st_size != size:
            size, seen = target.stat().st_size, time.monotonic()
        elif time.monotonic() - seen > PATIENCE:
            process.kill()
            process.wait()
            with target.open("a") as file:
                file.write("hang\n")
    if progress:
        print(f"{library}: a worker ended ({process.returncode})", file=sys.stderr)


def _read(target: Path, found: dict, count: int) -> None:
    """Fill `found`; a call that has begun and has no outcome crashed or hung."""
    begun = None
    for line in target.read_text().splitlines():
        if line.startswith("["):
            number, kind, words = json.loads(line)
            found[number], begun = [kind, words], None
        elif line == "hang" and begun is not None:
            found[begun], begun = ["hang", ""], None
        elif line.isdigit():
            begun = int(line)
    if begun is not None and begun not in found and begun < count:
        found[begun] = ["crash", ""]
