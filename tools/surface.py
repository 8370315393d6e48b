"""Lists the names of a table of TensorFlow's surface that tapeflow does not have, most used first.

    python tools/surface.py TABLE.tsv [--area math nn …] [--all]

The table has the columns symbol, gradtape_programs, other_programs, keras_backend, exists, area.
Names that no GradientTape program and not Keras uses are left out unless --all is given.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import tapeflow as tf


def has(name: str) -> bool:
    """Whether a dotted name, beginning with tf, leads to something."""
    value: Any = tf
    for part in name.split(".")[1:]:
        try:
            value = getattr(value, part)
        except (AttributeError, ImportError):
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("--area", nargs="*", default=[])
    parser.add_argument("--all", action="store_true", help="also what only other programs use")
    args = parser.parse_args()
    with args.table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    uses = {row["symbol"]: (int(row["gradtape_programs"]), int(row["keras_backend"]),
                            int(row["other_programs"])) for row in rows}
    wanted = [row for row in rows if (not args.area or row["area"] in args.area)
              and (args.all or any(uses[row["symbol"]][:2]))]
    lacking = [row for row in wanted if not has(row["symbol"])]
    for row in sorted(lacking, key=lambda row: uses[row["symbol"]], reverse=True):
        print(f"{row['symbol']}\t{row['area']}\t{uses[row['symbol']]}")
    print(f"{len(lacking)} of {len(wanted)} names are missing", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
