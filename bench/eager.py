"""Eager speed of tapeflow, TensorFlow and PyTorch, as ratios measured in one run.

    python bench/eager.py --tensorflow PYTHON --torch PYTHON [--rounds 8] [--launches 2]

PYTHON is an interpreter that has the library. One worker process for each library stays alive
while they take turns: a round asks each of them for each case, and the least time over all rounds
and launches counts. Status 1 if a target is missed.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Case -> title, and how many times faster than each library tapeflow is meant to be.
CASES = {
    "multiply": ("scalar tensor × tensor", {"tensorflow": 15, "torch": 1}),
    "cube": ("d(x³)/dx with a tape", {"tensorflow": 20, "torch": 2.5}),
    "sines": ("100 sin and the gradient", {"tensorflow": 15, "torch": 2}),
    "regression": ("linear-regression step", {"tensorflow": 20, "torch": 2}),
    "mlp": ("MLP 784-128-10, batch 64, SGD step", {"torch": 1 / 1.3}),
}
IMPORT_BUDGET = 0.060  # seconds over NumPy
TIME_IMPORT = (
    "import time; a = time.perf_counter(); import {first}; b = time.perf_counter(); {then};"
    "print(b - a, time.perf_counter() - b)"
)


class Worker:
    """A process that times one library."""

    def __init__(self, library: str, python: str):
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(),
        )
        first = self.process.stdout.readline().split()
        if first[:1] != ["ready"]:
            raise SystemExit(f"{python} cannot import {library}")
        self.version = first[1]

    def ask(self, line: str) -> float:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the worker {self.process.args} ended at {line!r}")
        return float(answer)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def environment() -> dict[str, str]:
    """What the workers see: the project's own source first."""
    path = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
    }


def measure(pythons: dict[str, str], launches: int, rounds: int, seconds: float):
    """The least time of each case for each library, and the versions."""
    best = {case: dict.fromkeys(pythons, float("inf")) for case in CASES}
    versions = {}
    for launch in range(launches):
        workers = {library: Worker(library, python) for library, python in pythons.items()}
        versions = {library: worker.version for library, worker in workers.items()}
        if launch == 0:
            compare_results(workers)
        for turn in range(rounds):
            for case, times in best.items():
                for library, worker in workers.items():
                    times[library] = min(times[library], worker.ask(f"{case} {seconds}"))
            progress(f"launch {launch + 1}/{launches}, round {turn + 1}/{rounds}")
        for worker in workers.values():
            worker.close()
    return best, versions


def compare_results(workers: dict[str, Worker]) -> None:
    """Stop if the libraries do not compute the same: then the times mean nothing."""
    for case in CASES:
        results = {library: worker.ask(f"value {case}") for library, worker in workers.items()}
        ours = results["tapeflow"]
        for library, theirs in results.items():
            if abs(theirs - ours) > 1e-3 * max(1.0, abs(ours)):
                raise SystemExit(f"{case}: tapeflow computes {ours}, {library} {theirs}")


def measure_imports(pythons: dict[str, str], rounds: int) -> dict[str, float]:
    """Seconds of `import` in a fresh process, over NumPy for tapeflow; the least of some."""
    with tempfile.TemporaryDirectory() as folder:
        cached = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        return time_imports(pythons, rounds, {**environment(), **cached})


def time_imports(pythons: dict[str, str], rounds: int, variables: dict) -> dict[str, float]:
    """The same, in a given environment."""
    best = dict.fromkeys(["numpy", *pythons], float("inf"))
    for turn in range(rounds + 1):  # the first one compiles the files; the least counts
        for library, python in pythons.items():
            if library == "tapeflow":
                code = TIME_IMPORT.format(first="numpy", then="import tapeflow")
            else:
                code = TIME_IMPORT.format(first=library, then="pass")
            done = subprocess.run(
                [python, "-c", code], env=variables, capture_output=True, text=True, check=True
            )
            first, second = map(float, done.stdout.split())
            if library == "tapeflow":
                best["numpy"] = min(best["numpy"], first)
                best["tapeflow"] = min(best["tapeflow"], second)
            else:
                best[library] = min(best[library], first)
        progress(f"imports, round {turn}/{rounds}")
    return best


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def verdict(met: bool) -> str:
    return "pass" if met else "MISS"


def report(best, versions, imports) -> bool:
    """Print the tables; whether every target is met."""
    peers = [library for library in versions if library != "tapeflow"]
    progress("")
    names = ", ".join(f"{library} {version}" for library, version in versions.items())
    print(f"{names}; Python {platform.python_version()}, {os.cpu_count()} cores")
    print("µs per step, least of all rounds; in brackets how many times faster tapeflow is\n")
    heading = "".join(f"{peer:>13}{'':>23}" for peer in peers)
    print(f"{'':<36}{'tapeflow':>10}{heading}")
    all_met = True
    for case, (title, targets) in CASES.items():
        times = best[case]
        line = f"{title:<36}{times['tapeflow'] * 1e6:>10.2f}"
        for peer in peers:
            ratio = times[peer] / times["tapeflow"]
            line += f"{times[peer] * 1e6:>13.2f} ({ratio:6.2f}×"
            if peer in targets:
                met = ratio >= targets[peer]
                all_met &= met
                line += f", ≥ {targets[peer]:4.2g} {verdict(met)})"
            else:
                line += f"{')':<13}"
        print(line.rstrip())
    met = imports["tapeflow"] <= IMPORT_BUDGET
    print(f"\nimport tapeflow: {imports['tapeflow'] * 1e3:.0f} ms over numpy's "
          f"{imports['numpy'] * 1e3:.0f} ms (≤ {IMPORT_BUDGET * 1e3:.0f} {verdict(met)})", end="")
    print("".join(f"; import {peer}: {imports[peer] * 1e3:.0f} ms" for peer in peers))
    return bool(all_met and met)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tapeflow", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--tensorflow", metavar="PYTHON")
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--launches", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.15, help="for one case in one round")
    options = parser.parse_args()
    pythons = {
        library: python
        for library in ("tapeflow", "tensorflow", "torch")
        if (python := getattr(options, library))
    }
    best, versions = measure(pythons, options.launches, options.rounds, options.seconds)
    imports = measure_imports(pythons, 5)
    return 0 if report(best, versions, imports) else 1


if __name__ == "__main__":
    sys.exit(main())
