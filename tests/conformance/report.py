"""Prints which conformance programs fail, grouped by cause; a working aid beside the tests.

python tests/conformance/report.py [AREA | AREA/NAME ...] [--show]
"""

import argparse
import collections
import importlib
import sys

import suite


def cause(difference: str, got: dict) -> str:
    """A short name for what went wrong, the same for programs that fail alike."""
    message = (got["message"] or "").splitlines()
    if difference.startswith("error:"):
        first = message[0][:90] if message else ""
        return f"{got['error'] or 'nothing'} raised: {first}"
    return difference.split(":")[0]


def show(program, want: dict, got: dict, difference: str) -> None:
    print(f"=== {program.id}: {difference}\n{program.source}")
    print(f"--- TensorFlow ({want['error']}): {want['message'] or ''}\n{want['stdout']}")
    print(f"--- here ({got['error']}): {got['message'] or ''}\n{got['stdout']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("areas", nargs="*", help="areas or single programs, AREA/NAME")
    parser.add_argument("--show", action="store_true", help="print programs and both outcomes")
    args = parser.parse_args()
    tf = importlib.import_module("tapeflow")
    groups, passed = collections.defaultdict(list), 0
    for program in suite.all_programs():
        if args.areas and program.area not in args.areas and program.id not in args.areas:
            continue
        want = suite.read_outcomes(program.area).get(program.name)
        if want is None or suite.lacking(program, tf):
            groups["not recorded" if want is None else "skipped"].append(program.id)
            continue
        if "alone" in program.directives:
            got = suite.run_alone(program, "tapeflow")
        else:
            got = suite.run(program, tf, suite.capture_stdout)
        difference = suite.compare(program, want, got)
        if difference is None:
            passed += 1
            continue
        groups[cause(difference, got)].append(program.id)
        if args.show:
            show(program, want, got, difference)
    for name, programs in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"{len(programs):4d}  {name}\n      {' '.join(programs)}")
    print(f"{passed} pass, {sum(map(len, groups.values()))} do not")
    return bool(groups)


if __name__ == "__main__":
    sys.exit(main())
