"""Hostile calls made with TensorFlow and with tapeflow, and where the two differ.

    python -m tests.hostile --seed 7 --tensorflow /path/to/python
    python -m tests.hostile --seed 7 --only tf.math --show accepted
    python -m tests.hostile --kinds dtypes --tensorflow /path/to/python
    python -m tests.hostile --seed 7 --seeds 10 --internal --tensorflow /path/to/python
    python -m tests.hostile --seed 2 --count 3 --record --tensorflow /path/to/python
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from compare import ACCEPTED, OUTCOMES, doubtful, kind_of, verdict, write
from generate import calls, sweep
from run import run
from values import SWEPT


def search_internal(texts: list[str], tensorflow: str) -> None:
    """Internal errors, crashes and hangs among these calls; TensorFlow makes few of them."""
    ours = {text: one for text, one in zip(texts, run(texts), strict=True) if doubtful(one[0])}
    theirs = run(list(ours), "tensorflow", tensorflow) if ours else []
    found = 0
    for (text, one), other in zip(ours.items(), theirs, strict=True):
        kind = verdict(one[0], kind_of(*other))
        if kind in ("internal", "crash", "hang"):
            found += 1
            print(f"{kind}\t{text}\n\t{one[0]}: {one[1]}\n\t{other[0]}: {other[1]}")
    print(f"{len(texts)} calls: {found} internal", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="hostile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=24, help="calls for each function")
    parser.add_argument("--only", default="", help="functions that begin so")
    parser.add_argument("--tensorflow", default=sys.executable, type=os.path.abspath,
                        help="a Python that has TensorFlow")  # workers run in another folder
    parser.add_argument("--kept", default="", help="file that keeps what TensorFlow did")
    parser.add_argument("--record", action="store_true", help="write what the tests compare with")
    parser.add_argument("--show", default="internal crash hang accepted")
    parser.add_argument("--kinds", choices=["drawn", "dtypes", *SWEPT], default="drawn",
                        help="drawn from the seed, or a sweep: every argument in turn")
    parser.add_argument("--internal", action="store_true",
                        help="ask TensorFlow only about what looks like an internal error")
    parser.add_argument("--seeds", type=int, default=1, help="so many seeds, with --internal")
    options = parser.parse_args()
    if options.internal:
        for seed in range(options.seed, options.seed + options.seeds):
            search_internal(calls(seed, options.count, options.only), options.tensorflow)
        return
    if options.kinds == "drawn":
        texts = calls(options.seed, options.count, options.only)
    else:
        texts = sweep(options.kinds, options.only)
    kept = Path(options.kept) if options.kept else None
    known = json.loads(kept.read_text()) if kept and kept.exists() else {}
    missing = [text for text in texts if text not in known]
    if missing:
        theirs = run(missing, "tensorflow", options.tensorflow, progress=True)
        known |= dict(zip(missing, theirs, strict=True))
        if kept:
            kept.write_text(json.dumps(known))
    ours = run(texts)
    counts: Counter[str] = Counter()
    for text, one in zip(texts, ours, strict=True):
        kind = verdict(one[0], kind_of(*known[text]))
        counts[kind] += 1
        if kind in options.show.split():
            print(f"{kind}\t{text}\n\t{one[0]}: {one[1]}\n\t{known[text][0]}: {known[text][1]}")
    if options.record:
        write(OUTCOMES, {text: kind_of(*known[text]) for text in texts})
        write(ACCEPTED, {text: kind_of(*known[text]) for text, one in zip(texts, ours, strict=True)
                         if verdict(one[0], kind_of(*known[text])) == "accepted"})
    print(f"{len(texts)} calls:", ", ".join(f"{n} {kind}" for kind, n in counts.most_common()))


if __name__ == "__main__":
    main()
