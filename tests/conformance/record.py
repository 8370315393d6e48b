"""Records what TensorFlow makes of every conformance program; needs a Python with TensorFlow 2.21.

    python tests/conformance/record.py [AREA ...]      write outcomes/AREA.json
    python tests/conformance/record.py --check         run in another order, compare, write nothing

TensorFlow prints from C++ too, so the text is captured at the file descriptor.
"""

import argparse
import contextlib
import io
import json
import os
import random
import re
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import suite

WARNINGS = ("RuntimeWarning", "ComplexWarning")


@contextlib.contextmanager
def capture_descriptor():
    """Capture file descriptor 1 and sys.stdout, in the order of writing."""
    with tempfile.TemporaryFile("w+b") as file:
        saved, python_stdout = os.dup(1), sys.stdout
        python_stdout.flush()
        os.dup2(file.fileno(), 1)
        descriptor = io.FileIO(1, "w", closefd=False)
        sys.stdout = io.TextIOWrapper(descriptor, "utf-8", newline="", write_through=True)

        def text():
            sys.stdout.flush()
            size = os.fstat(file.fileno()).st_size
            return os.pread(file.fileno(), size, 0).decode("utf-8")

        try:
            yield text
        finally:
            sys.stdout.flush()
            sys.stdout = python_stdout
            os.dup2(saved, 1)
            os.close(saved)


class UnfitProgram(Exception):
    """A program whose outcome cannot serve for comparison."""


def record(program, tf) -> dict:
    """The outcome as it is stored; a program unfit for comparison is refused."""
    if "alone" in program.directives:
        got = suite.run_alone(program, "tensorflow")
    else:
        got = suite.run(program, tf, capture_descriptor)
    if got["error"] in WARNINGS or any(name in got["stdout"] for name in WARNINGS):
        raise UnfitProgram(f"{program.id} makes NumPy warn: {got['message']}")
    phrase = program.directives.get("phrase")
    if phrase and phrase not in (got["message"] or ""):
        raise UnfitProgram(f"{program.id}: TensorFlow's message lacks {phrase!r}: {got['message']}")
    if re.search(r"\b0x[0-9a-f]{6,}", got["stdout"]):
        raise UnfitProgram(f"{program.id} prints an address, which changes from run to run")
    if not got["stdout"] and not got["error"]:
        raise UnfitProgram(f"{program.id} prints nothing and raises nothing")
    message = (got["message"] or "").strip().splitlines()
    return {
        "stdout": got["stdout"],
        "error": got["error"],
        "message": message[0][:200] if message else None,
        "digest": program.digest,
    }


def record_area(area: str, programs, tf) -> bool:
    """Write the outcomes of one area, unless one of its programs is unfit."""
    outcomes, unfit = {}, []
    for program in programs:
        try:
            outcomes[program.name] = record(program, tf)
        except UnfitProgram as problem:
            unfit.append(str(problem))
    if unfit:
        print(f"{area}: not recorded", *unfit, sep="\n  ")
        return False
    path = suite.OUTCOMES / f"{area}.json"
    path.write_text(json.dumps(outcomes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    failing = [name for name, value in outcomes.items() if value["error"]]
    print(f"{area}: {len(outcomes)} programs, {len(failing)} end in an exception: {failing}")
    return True


def check(programs, tf) -> int:
    """Run in another order and compare with the store: finds programs that lean on each other."""
    random.Random(1).shuffle(programs)
    stored = {area: suite.read_outcomes(area) for area in {p.area for p in programs}}
    bad = [p.id for p in programs if record(p, tf) != stored[p.area].get(p.name)]
    print(f"{len(programs)} programs, {len(bad)} differ from their record: {bad}")
    return bool(bad)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("areas", nargs="*", help="areas to record; all if none is named")
    parser.add_argument("--check", action="store_true", help="compare with the store")
    args = parser.parse_args()
    programs = [p for p in suite.all_programs() if not args.areas or p.area in args.areas]
    import tensorflow as tf

    if not tf.__version__.startswith("2.21."):
        raise SystemExit(f"outcomes are recorded with TensorFlow 2.21, not {tf.__version__}")
    if args.check:
        return check(programs, tf)
    areas = sorted({p.area for p in programs})
    good = [record_area(area, [p for p in programs if p.area == area], tf) for area in areas]
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
