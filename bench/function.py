"""Speed of tf.function: tapeflow, TensorFlow and XLA, as ratios measured in one run.

    python bench/function.py --tensorflow PYTHON [--xla] [--rounds 8] [--launches 2]

PYTHON is an interpreter that has TensorFlow; `--xla` adds a worker of it that compiles every
function with jit_compile=True. Status 1 if a target is missed.
"""

import argparse
import sys

import race

# Case -> title, and how many times faster than each library tapeflow is meant to be.
CASES = {
    "regression": ("linear-regression step", {"tensorflow": 10}),
    "mlp": ("MLP 784-128-10, batch 64, SGD step", {"tensorflow": 1}),
    "sines": ("100 sin and the gradient", {"tensorflow": 10}),
    "outside": ("100 sin, the tape outside", {"tensorflow": 10}),
    "tracing": ("tracing 1,000 ops", {"tensorflow": 1}),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, 8, "xla")
    options = parser.parse_args()
    pythons = race.pythons(options, "cases_function")
    best, versions = race.measure(
        CASES, pythons, options.launches, options.rounds, options.seconds
    )
    return 0 if race.report(CASES, best, versions) else 1


if __name__ == "__main__":
    sys.exit(main())
