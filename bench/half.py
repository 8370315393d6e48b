"""Training steps in half precision: against float32 in the same run, and against TensorFlow.

    python bench/half.py [--tensorflow PYTHON] [--xla] [--rounds 6] [--launches 1]

PYTHON is an interpreter that has TensorFlow. Each step is compiled (`jit_compile=True`) by tapeflow
and, with `--xla`, by TensorFlow; the first column of ratios is the step's time over that of the
same step in float32. Losses are compared with TensorFlow's first. Status 1 if a step of half
precision takes more than 1.15 times as long as float32.
"""

import argparse
import sys

import race
from cases_half import DTYPES, MODELS

MOST = 1.15  # times as long as float32
UNITS = {"float32": 1e-4, "float16": 2e-3, "bfloat16": 2e-2}  # relative difference of a loss


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, 6, "xla")
    parser.set_defaults(launches=1)
    options = parser.parse_args()
    pythons = race.pythons(options, "cases_half")
    names = [f"{model}_{dtype}" for model in MODELS for dtype in DTYPES]
    best = {name: dict.fromkeys(pythons, float("inf")) for name in names}
    for _ in range(options.launches):
        workers = {library: race.Worker(library, *how, TAPEFLOW_JIT="now")
                   for library, how in pythons.items()}
        compare(names, workers)
        for turn in range(options.rounds):
            for name in names:
                for library, worker in workers.items():
                    time = worker.ask(f"{name} {options.seconds}")
                    best[name][library] = min(best[name][library], time)
            race.progress(f"round {turn + 1}/{options.rounds}")
        for worker in workers.values():
            worker.close()
    return 0 if report(best) else 1


def compare(names: list[str], workers: dict) -> None:
    """Stop if a loss is not TensorFlow's: then the times mean nothing."""
    for name in names:
        race.progress(f"{name}: first results")
        values = {library: worker.ask(f"value {name}") for library, worker in workers.items()}
        ours, unit = values["tapeflow"], UNITS[name.rpartition("_")[2]]
        for library, theirs in values.items():
            if theirs != float("inf") and abs(theirs - ours) > unit * max(1.0, abs(ours)):
                raise SystemExit(f"{name}: tapeflow computes {ours}, {library} {theirs}")


def report(best: dict) -> bool:
    """Print the table; whether half precision is as fast as it is meant to be."""
    race.progress("")
    peers = [library for library in next(iter(best.values())) if library != "tapeflow"]
    print("µs per step, least of all rounds; over float32; how many times faster than others\n")
    print(f"{'':<22}{'tapeflow':>10}{'over float32':>18}"
          + "".join(f"{peer:>24}" for peer in peers))
    met = True
    for name, times in best.items():
        model, _, dtype = name.rpartition("_")
        share = times["tapeflow"] / best[f"{model}_float32"]["tapeflow"]
        good = share <= MOST
        met &= good
        line = f"{model + ' ' + dtype:<22}{times['tapeflow'] * 1e6:>10.1f}{share:>12.2f} " + (
            f"{race.verdict(good):>5}")
        for peer in peers:
            line += f"{times[peer] * 1e6:>14.1f} ({times[peer] / times['tapeflow']:6.2f}×)"
        print(line)
    return met


if __name__ == "__main__":
    sys.exit(main())
