"""Records the LLVM text that the compiler emits, and compares two recordings.

    python -m tools.emitted_code record FOLDER     compile the programs of FOLDER; draw them if none
    python -m tools.emitted_code compare OLD NEW   tell which have other code, but for names

A change that only moves or renames leaves the code as it was. A recording holds the programs as
well (random training steps, and the benchmark's cases by name), so that the same ones are compiled
after a change: copy `programs/` of the old recording into the folder of the new one.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from pathlib import Path

os.environ["TAPEFLOW_JIT"], os.environ["TAPEFLOW_CACHE"] = "now", ""

DRAWN = 280
FIRST_SEED = 7_000_000
BENCHMARK = "benchmark.txt"  # names of cases of bench/cases_compiled.py, in programs/
LARGE = {"lotka"}  # a loop of thousands of ops, unrolled


def record(folder: Path) -> None:
    import llvmlite.binding as llvm

    import tapeflow as tf
    programs, code = folder / "programs", folder / "code"
    if not programs.exists():
        draw(programs)
    code.mkdir(exist_ok=True)
    texts: list[str] = []
    parse = llvm.parse_assembly

    def listening(text, *args, **named):
        texts.append(text)
        return parse(text, *args, **named)

    llvm.parse_assembly = listening
    for name, run in sorted(runs(tf, programs).items()):
        texts.clear()
        try:
            run()
        except Exception as error:  # a program may be refused; by both versions alike
            texts.append(f"raised {type(error).__name__}")
        # Parts of one program are compiled by several threads, in any order.
        (code / f"{name}.ll").write_text("\n".join(sorted(map(plain, texts))))


def draw(programs: Path) -> None:
    from bench.cases_compiled import data
    from tests.fuzz.generate import program
    programs.mkdir(parents=True)
    for seed in range(FIRST_SEED, FIRST_SEED + DRAWN):
        (programs / f"{seed}.py").write_text(program(seed).text())
    (programs / BENCHMARK).write_text("\n".join(sorted(set(data()) - LARGE)))


def runs(tf, programs: Path) -> dict:
    """What compiles each program, by its name."""
    from bench.cases_compiled import cases
    steps = cases(tf, jit_compile=True)
    found = {name: steps[name] for name in (programs / BENCHMARK).read_text().split()
             if name in steps}
    found.update({path.stem: lambda path=path: call(tf, path)
                  for path in programs.glob("*.py")})
    return found


def call(tf, path: Path) -> None:
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    function, _ = space["build"](
        lambda f: f,
        lambda f: tf.function(f, jit_compile=True, autograph=space["autograph"]))
    for _ in range(space["calls"]):
        function(*space["args"])


def plain(text: str) -> str:
    """LLVM text without comments, its names numbered in the order in which they appear."""
    numbers: dict[str, str] = {}

    def number(found: re.Match) -> str:
        return found.group(1) + numbers.setdefault(found.group(), str(len(numbers)))

    lines = (line.split(";")[0].rstrip() for line in text.splitlines())
    joined = "\n".join(line for line in lines if line)
    # A label is named "x:" where it stands and "%x" where it is jumped to.
    joined = re.sub(r"^([\w.$-]+):$", r"%\1:", joined, flags=re.M)
    return re.sub(r"([%@#!])([A-Za-z$._][\w.$-]*)", number, joined)


def compare(old: Path, new: Path) -> int:
    names = {path.name for folder in (old, new) for path in (folder / "code").glob("*.ll")}
    other = []
    for name in sorted(names):
        before, after = (read(folder / "code" / name) for folder in (old, new))
        if before != after:
            other.append(name)
            if len(other) == 1:
                lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="")
                print("\n".join([name, *list(lines)[:60]]))
    print(f"{len(names)} programs, {len(other)} with other code: {' '.join(other)}")
    return 1 if other else 0


def read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    if given.what == "compare":
        return compare(*given.folders)
    record(*given.folders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
