"""Eager speed of tapeflow, TensorFlow and PyTorch, as ratios measured in one run.

    python bench/eager.py --tensorflow PYTHON --torch PYTHON [--rounds 8] [--launches 2]

PYTHON is an interpreter that has the library. One worker process for each library stays alive
while they take turns: a round asks each of them for each case, and the least time over all rounds
and launches counts. Status 1 if a target is missed.
"""

import argparse
import subprocess
import sys
import tempfile

import race

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


def measure_imports(pythons: dict[str, str], rounds: int) -> dict[str, float]:
    """Seconds of `import` in a fresh process, over NumPy for tapeflow; the least of some."""
    with tempfile.TemporaryDirectory() as folder:
        cached = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        return time_imports(pythons, rounds, {**race.environment(), **cached})


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
        race.progress(f"imports, round {turn}/{rounds}")
    return best


def report_imports(imports: dict[str, float], peers: list[str]) -> bool:
    """Print what importing costs; whether it is within the budget."""
    met = imports["tapeflow"] <= IMPORT_BUDGET
    print(f"\nimport tapeflow: {imports['tapeflow'] * 1e3:.0f} ms over numpy's "
          f"{imports['numpy'] * 1e3:.0f} ms (≤ {IMPORT_BUDGET * 1e3:.0f} {race.verdict(met)})",
          end="")
    print("".join(f"; import {peer}: {imports[peer] * 1e3:.0f} ms" for peer in peers))
    return met


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, 8, "torch")
    options = parser.parse_args()
    pythons = {
        library: python
        for library in ("tapeflow", "tensorflow", "torch")
        if (python := getattr(options, library))
    }
    modules = {
        library: (python, "cases_torch" if library == "torch" else "cases_tf")
        for library, python in pythons.items()
    }
    best, versions = race.measure(
        CASES, modules, options.launches, options.rounds, options.seconds
    )
    imports = measure_imports(pythons, 5)
    met = race.report(CASES, best, versions)
    return 0 if report_imports(imports, list(pythons)[1:]) and met else 1


if __name__ == "__main__":
    sys.exit(main())
