"""Every program and kernel under every condition: `python -m tests.repeat [--modes auto]`."""

import argparse
import sys
import tempfile

from tests.repeat.conditions import CONDITIONS, MODES, differences

MODULES = {"programs": MODES, "kernels": ("eager", "now"), "native": ("now",)}
SAME_THREADS = ("plain", "busy", "again")  # the text of native code says how many it is for


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    chosen = parser.parse_args().modes
    failed = False
    for module, modes in MODULES.items():
        for mode in [mode for mode in chosen if mode in modes]:
            with tempfile.TemporaryDirectory() as cache:
                found = differences(f"tests.repeat.{module}", CONDITIONS, mode, cache)
            print(f"{module} {mode}: {len(found)} differ from the first run", flush=True)
            for case, condition in found:
                print(f"  {case} ({condition})")
            failed = failed or bool(found)
    with tempfile.TemporaryDirectory() as cache:
        found = differences("tests.repeat.code", SAME_THREADS, "now", cache)
    print(f"code: {len(found)} differ from the first run")
    return failed or bool(found)


if __name__ == "__main__":
    sys.exit(main())
