"""Answers of trained models: tapeflow, TensorFlow and onnxruntime, as ratios of one run.

    python bench/inference.py --tensorflow PYTHON [--rounds 5] [--seconds 0.5] [CASE ...]

TensorFlow saves each model; tapeflow and TensorFlow load that file, onnxruntime the ONNX file that
tapeflow writes of the same weights. A process for each library; they take turns, two threads each,
and the least time counts. Beside it stands, in parentheses, the time of all cores together. Results
are compared in the same run. For MobileNetV2 also the time from the start of a process to its first
answer, imports included. Status 1 if results differ or a target is missed.
"""

import argparse
import subprocess
import sys
import tempfile

import numpy as np
import race
from inference_worker import BATCHES, CASES

TARGETS = {"tensorflow": 1.0, "onnxruntime": 1.0}
OF_CASE = {("mobilenet", "onnxruntime"): 0.7}
FIRST = 5.0  # how many times sooner than TensorFlow the first answer is
LAUNCHES = 3


class Answerer:
    """A process that answers with one model."""

    def __init__(self, library: str, python: str, folder: str, case: str, batch: int):
        self.process = subprocess.Popen(
            [python, str(race.HERE / "inference_worker.py"), library, folder, case, str(batch)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=race.environment())
        self.best = self.busy = float("inf")
        self.first = float(self.line())

    def line(self) -> str:
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.process.args} ended")
        return answer

    def run(self, seconds: float) -> None:
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        took, busy = map(float, self.line().split())
        self.best, self.busy = min(self.best, took), min(self.busy, busy)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def prepared(folder: str, cases: list[str], pythons: dict[str, str]) -> None:
    for case in cases:
        for what, python in (("prepare", pythons["tapeflow"]), ("save", pythons["tensorflow"])):
            subprocess.run([python, str(race.HERE / "inference_worker.py"), what, folder, case],
                           check=True, env=race.environment(), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)


def alike(folder: str, case: str, batch: int, library: str) -> bool:
    ours, theirs = [np.load(f"{folder}/{case}-{batch}-{one}.npy")
                    for one in ("tapeflow", library)]
    return ours.shape == theirs.shape and np.allclose(ours, theirs, 1e-4, 1e-5)


def row(folder: str, case: str, batch: int, pythons: dict[str, str], options) -> bool:
    """Measure and print one row; whether targets are met and results alike."""
    workers = {library: Answerer(library, python, folder, case, batch)
               for library, python in pythons.items()}
    for _ in range(options.rounds):
        for worker in workers.values():
            worker.run(options.seconds)
    for worker in workers.values():
        worker.close()
    ours, good, words = workers["tapeflow"], True, [f"{case:10} batch {batch:2}"]
    for library, one in workers.items():
        words.append(f"{one.best / batch:8.4f} ({one.busy / batch:8.4f}) ms")
        if library != "tapeflow":
            ratio = one.best / ours.best
            words.append(f"{ratio:5.2f}x ({one.busy / ours.busy:.2f}x)")
            good = good and ratio >= OF_CASE.get((case, library), TARGETS[library])
            if not alike(folder, case, batch, library):
                words.append("other results")
                good = False
    print(" | ".join(words), flush=True)
    return good


def first_answers(folder: str, case: str, pythons: dict[str, str]) -> bool:
    """The seconds from the start of a process to its first answer, imports included."""
    best = dict.fromkeys(pythons, float("inf"))
    for _ in range(LAUNCHES):
        for library, python in pythons.items():
            worker = Answerer(library, python, folder, case, 1)
            worker.close()
            best[library] = min(best[library], worker.first)
    ratio = best["tensorflow"] / best["tapeflow"]
    words = [f"{library} {seconds:.2f} s" for library, seconds in best.items()]
    print(f"{case}: import, load and first answer: {', '.join(words)}; TensorFlow {ratio:.1f}x")
    return ratio >= FIRST


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}")
    parser.add_argument("--tapeflow", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--tensorflow", required=True, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    cases = options.cases or list(CASES)
    pythons = {"tapeflow": options.tapeflow, "tensorflow": options.tensorflow,
               "onnxruntime": options.tapeflow}
    with tempfile.TemporaryDirectory() as folder:
        prepared(folder, cases, pythons)
        print(" | ".join(["ms an image (all cores)", *pythons]))
        good = [row(folder, case, batch, pythons, options) for case in cases for batch in BATCHES]
        if "mobilenet" in cases:
            good.append(first_answers(folder, "mobilenet", pythons))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
