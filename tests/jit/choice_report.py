"""The full sweep over the compiler's choices, and which of them it did not take.

    python -m tests.jit.choice_report --times 3 --seed 0

Status 1 if an alternative was not taken; a wrong result is an AssertionError that tells the case.
"""

from __future__ import annotations

import argparse
import os
import sys

from tapeflow.jit.choices import CHOICES, watching
from tapeflow.jit.runtime import target
from tests.jit import choice_products, choice_programs, choice_windows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3, help="how often each combination comes")
    parser.add_argument("--seed", type=int, default=0, help="of sizes, strides and dtypes")
    options = parser.parse_args()
    os.environ["TAPEFLOW_CACHE"] = ""  # what is forced is not in the cache's keys
    with watching() as taken:
        count = choice_products.run(options.times, options.seed)
        print(f"{count} matrix products", flush=True)
        count = choice_windows.run(300 * options.times, 4 * options.times, options.seed)
        choice_windows.same_bits(20 * options.times, options.seed)
        print(f"{count} convolutions and poolings", flush=True)
        choice_programs.sweep(None)
        choice_programs.mixed(500 * options.times, options.seed)
        print(f"{len(choice_programs.PROGRAMS)} programs with each alternative", flush=True)
    host, left = target.host(), 0
    for name, choice in sorted(CHOICES.items()):
        known = choice.alternatives(host)
        open_ = [one for one in known if (name, one) not in taken]
        left += len(open_)
        print(f"{name:28} {len(known) - len(open_):3} of {len(known):3}"
              + (f", never: {', '.join(map(str, open_))}" if open_ else ""))
    print(f"{len(CHOICES)} choice points, {left} alternatives never taken")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
