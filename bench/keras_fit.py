"""Keras's own `fit`: tapeflow, TensorFlow and JAX under the same Keras, as ratios of one run.

    python bench/keras_fit.py --tensorflow PYTHON [--jax PYTHON] [--epochs 6] [CASE ...]

A process for each library trains the same model from the same weights on the same batches; they
take turns epoch by epoch, and the best epoch counts. Beside the time of a step stand, in
parentheses, that of all cores together (which other work on the machine hardly changes), the loss
of the last epoch, the time from the start of the process to the end of the first epoch, and peak
memory. tapeflow finds no machine code of earlier runs on disk, but bytecode of its modules, as the
other libraries do; with --cached it finds both. Status 1 if losses differ or a target is missed.
"""

import argparse
import compileall
import subprocess
import sys
import tempfile

import race
from cases_keras import CASES

TARGETS = {"tensorflow": 2.0, "jax": 1.2}
ALIKE = 0.1  # losses: libraries draw other numbers for dropout


class Trainer:
    """A process that trains one model with one library."""

    def __init__(self, library: str, python: str, case: str, **variables: str):
        self.process = subprocess.Popen(
            [python, str(race.HERE / "cases_keras.py"), library, case], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=None if library == "tapeflow" else subprocess.DEVNULL,
            text=True, env={**race.environment(), **variables})
        self.best = self.busy = float("inf")
        self.first, self.loss, self.memory = 0.0, float("nan"), 0.0
        self.answer()

    def answer(self) -> list[str]:
        words = self.process.stdout.readline().split()
        if not words:
            raise SystemExit(f"{self.process.args} ended")
        return words

    def epoch(self) -> None:
        self.process.stdin.write("epoch\n")
        self.process.stdin.flush()
        took, busy, self.loss, since, self.memory = map(float, self.answer())
        self.best, self.busy = min(self.best, took), min(self.busy, busy)
        self.first = self.first or since

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def train(case: str, pythons: dict[str, str], epochs: int, **variables: str) -> dict[str, Trainer]:
    """All libraries at one model; each has the machine to itself in its first epoch."""
    trainers = {}
    for library, python in pythons.items():
        trainers[library] = Trainer(library, python, case, **variables)
        trainers[library].epoch()
    for _ in range(epochs - 1):
        for trainer in trainers.values():
            trainer.epoch()
    for trainer in trainers.values():
        trainer.close()
    return trainers


def row(case: str, trainers: dict[str, Trainer]) -> bool:
    """Print a row; whether targets are met and losses alike."""
    ours, good, words = trainers["tapeflow"], True, [f"{case:12}"]
    for library, one in trainers.items():
        words.append(f"{one.best:8.2f} ({one.busy:7.2f}) ms {one.loss:7.4f} {one.first:5.1f} s "
                     f"{one.memory:5.0f} MB")
        if library != "tapeflow":
            ratio = one.best / ours.best
            words.append(f"{ratio:5.2f}x ({one.busy / ours.busy:.2f}x)")
            good = good and ratio >= TARGETS[library]
            if abs(one.loss - ours.loss) > ALIKE * max(0.3, abs(one.loss)):
                words.append("other loss")
                good = False
    print(" | ".join(words), flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}")
    parser.add_argument("--tapeflow", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--tensorflow", metavar="PYTHON")
    parser.add_argument("--jax", metavar="PYTHON")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--cached", action="store_true", help="find machine code of earlier runs")
    options = parser.parse_args()
    compileall.compile_dir(race.HERE.parent / "tapeflow", quiet=1)
    pythons = {"tapeflow": options.tapeflow, "tensorflow": options.tensorflow, "jax": options.jax}
    pythons = {library: python for library, python in pythons.items() if python}
    print(" | ".join(["ms a step (all cores), loss, first epoch done, memory", *pythons]))
    results = []
    for case in options.cases or CASES:
        with tempfile.TemporaryDirectory() as folder:
            variables = {} if options.cached else {"TAPEFLOW_CACHE": folder}
            results.append(row(case, train(case, pythons, options.epochs, **variables)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
