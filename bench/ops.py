"""Every public op against TensorFlow eager, worst first, on small and on large inputs.

    python bench/ops.py --tensorflow PYTHON [--only NAME …] [--rounds 3] [--seconds 0.03]

PYTHON is an interpreter that has TensorFlow. The two libraries take turns in one run, and the least
of all rounds counts. The bounds: no op more than 1.5 times slower on large inputs (a million
elements; images of 32×28×28×16 and 8×112×112×64), none slower on small ones (under 1,000). Status 1
if an op misses its bound.
"""

import argparse
import sys

import cases_ops
import race

BOUNDS = {"small": 1.0, "large": 1.5}


def chosen(only: list[str]) -> list[str]:
    names = [f"{size}:{label}".replace(" ", "_")
             for size in BOUNDS for label in cases_ops.expressions()]
    return [name for name in names if not only or any(part in name for part in only)]


def report(best: dict, versions: dict, shown: int) -> bool:
    """Print the tables; whether every op keeps its bound."""
    race.progress("")
    print(", ".join(f"{library} {version}" for library, version in versions.items()))
    good = True
    for size, bound in BOUNDS.items():
        rows = sorted(((times["tapeflow"] / times["tensorflow"], case, times)
                       for case, times in best.items() if case.startswith(size)), reverse=True)
        missed = [row for row in rows if row[0] > bound]
        good &= not missed
        print(f"\n{size}: {len(rows)} ops, {len(missed)} beyond {bound}×; µs, worst first")
        print(f"{'':<34}{'tapeflow':>12}{'TensorFlow':>12}{'ratio':>8}")
        for ratio, case, times in rows[:shown or None]:
            label = case.partition(":")[2].replace("_", " ")
            print(f"{label:<34}{times['tapeflow'] * 1e6:>12.1f}{times['tensorflow'] * 1e6:>12.1f}"
                  f"{ratio:>8.2f}{'  MISS' if ratio > bound else ''}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, rounds=3)
    parser.set_defaults(launches=1, seconds=0.03)
    parser.add_argument("--only", nargs="*", default=[], help="cases whose names contain these")
    parser.add_argument("--show", type=int, default=0, help="how many rows of each table; 0: all")
    options = parser.parse_args()
    if not options.tensorflow:
        raise SystemExit("name a Python that has TensorFlow: --tensorflow PYTHON")
    pythons = {library: (getattr(options, library), "cases_ops")
               for library in ("tapeflow", "tensorflow")}
    names = chosen(options.only)
    best, versions = race.measure(names, pythons, options.launches, options.rounds,
                                  options.seconds)
    return 0 if report(best, versions, options.show) else 1


if __name__ == "__main__":
    sys.exit(main())
