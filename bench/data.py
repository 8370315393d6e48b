"""Speed of tf.data: tapeflow and TensorFlow, as ratios measured in one run.

    python bench/data.py --tensorflow PYTHON [--rounds 4] [--launches 2]

PYTHON is an interpreter that has TensorFlow. A step is one pass over a dataset. Status 1 if a
target is missed.
"""

import argparse
import sys

import race

# Case -> title, and how many times faster than TensorFlow tapeflow is meant to be.
CASES = {
    "range": ("range, 2,000 elements", {"tensorflow": 5}),
    "map": ("range.map, 2,000 elements", {"tensorflow": 5}),
    "map_batch": ("range.map.batch, 20,000 elements", {"tensorflow": 5}),
    "batch": ("slices.batch, 6,000 × 784", {"tensorflow": 5}),
    "shuffle": ("slices.shuffle.batch", {"tensorflow": 1}),
    "usual": ("slices.shuffle.map.batch.prefetch", {"tensorflow": 1}),
    "filter": ("range.filter, 2,000 elements", {"tensorflow": 1}),
    "windows": ("window.flat_map, 500 elements", {"tensorflow": 1}),
    "generator": ("from_generator, 1,000 elements", {"tensorflow": 1}),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, rounds=4)
    options = parser.parse_args()
    pythons = race.pythons(options, "cases_data")
    best, versions = race.measure(
        CASES, pythons, options.launches, options.rounds, options.seconds
    )
    return 0 if race.report(CASES, best, versions) else 1


if __name__ == "__main__":
    sys.exit(main())
