"""Mutated files, from the command line.

    python -m tests.file_fuzz --count 20000 --seed 0 [--oracle PYTHON] [--formats png,wav]

Without an oracle it looks for internal errors alone. With the Python of a TensorFlow each file is
read by both: a file counts if tapeflow raises what TensorFlow never does, accepts what TensorFlow
refuses, or has another value.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

import tapeflow as tf
from tests.file_fuzz.compare import verdict
from tests.file_fuzz.formats import OWN, samples
from tests.file_fuzz.model_files import model_samples
from tests.file_fuzz.mutate import files
from tests.file_fuzz.outcomes import outcomes, write_files


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--oracle", help="a Python that has TensorFlow")
    parser.add_argument("--formats", default="")
    parser.add_argument("--keep", help="a folder for the files that were found")
    args = parser.parse_args()
    valid = samples(tf) | model_samples(tf)
    made = files(args.seed, args.count, valid, tuple(filter(None, args.formats.split(","))))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "files")
        write_files(path, made)
        ours = outcomes(path, "tapeflow")
        theirs = [None] * len(made)
        if args.oracle:
            shared = [i for i, (name, _) in enumerate(made) if name not in OWN]
            write_files(path, [made[i] for i in shared])
            for i, one in zip(shared, outcomes(path, "tensorflow", args.oracle), strict=True):
                theirs[i] = one
    counts: dict[str, int] = {}
    for i, ((name, data), mine, other) in enumerate(zip(made, ours, theirs, strict=True)):
        problem = verdict(name, mine, other)
        counts[problem or "good"] = counts.get(problem or "good", 0) + 1
        if problem:
            print(f"{args.seed}:{i} {name} {problem}: {mine[1:]} | {other}")
            if args.keep:
                with open(os.path.join(args.keep, f"{args.seed}_{i}.{name}"), "wb") as file:
                    file.write(data)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return int(set(counts) != {"good"})


if __name__ == "__main__":
    sys.exit(main())
