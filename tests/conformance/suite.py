"""Reads, runs and compares the conformance programs; imported by record.py and the tests only.

It imports neither TensorFlow nor tapeflow: the caller hands in the module that plays `tf`.
"""

import contextlib
import hashlib
import importlib
import io
import json
import linecache
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass, field

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
OUTCOMES = HERE / "outcomes"

SEPARATOR = re.compile(r"^# --- (\S+)[ \t]*$", re.MULTILINE)
DIRECTIVE = re.compile(r"^# (exact|types-only|tol|needs|phrase|alone)(?:: *(.+?))?[ \t]*$")
# A number stands alone: the 32 of float32 is text, so that a wrong dtype is a wrong text.
# A sign after a digit is that of an imaginary part.
NUMBER = re.compile(
    r"(?:(?<=[\d.])[-+]|(?<![\w.])[-+]?)"
    r"(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)(?=j?(?!\w))"
)


@dataclass
class Program:
    """One program: its text, and how its outcome is to be compared."""

    area: str
    name: str
    source: str
    directives: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.area}/{self.name}"

    @property
    def digest(self) -> str:
        """Changes with the program, so that an outcome of an older text is noticed."""
        return hashlib.sha1(self.source.encode()).hexdigest()[:12]


def read_area(path: pathlib.Path) -> list[Program]:
    """The programs of one file, in order; a name used twice is refused."""
    parts = SEPARATOR.split(path.read_text(encoding="utf-8"))
    names, sources = parts[1::2], parts[2::2]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(f"{path.name}: program names used twice: {sorted(repeated)}")
    return [
        Program(path.stem, name, source.strip() + "\n", read_directives(source))
        for name, source in zip(names, sources, strict=True)
    ]


def read_directives(source: str) -> dict[str, str]:
    """The directives among the comment lines that open a program."""
    found = {}
    for line in source.strip().splitlines():
        if not line.startswith("#"):
            break
        match = DIRECTIVE.match(line)
        if match:
            found[match[1]] = match[2] or ""
    return found


def all_programs() -> list[Program]:
    return [program for path in sorted(PROGRAMS.glob("*.py")) for program in read_area(path)]


def read_differences() -> dict[str, str]:
    """Programs in which tapeflow is known to differ, with the reason (differences.tsv)."""
    lines = (HERE / "differences.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def read_outcomes(area: str) -> dict[str, dict]:
    path = OUTCOMES / f"{area}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def lacking(program: Program, tf) -> str | None:
    """The first public attribute that a program needs and `tf` does not have."""
    for needed in program.directives.get("needs", "").split():
        value = tf
        for name in needed.removeprefix("tf.").split("."):
            try:
                value = getattr(value, name)
            except (AttributeError, ImportError):
                return needed
    return None


def outcome(function, *args, **kwargs) -> str:
    """What a call comes to, as text: the type of the exception it raises, or the value's repr."""
    try:
        return repr(function(*args, **kwargs))
    except Exception as error:
        return type(error).__name__


def run(program: Program, tf, capture) -> dict:
    """Execute a program; `capture()` is a context manager that yields a function: text so far."""
    if tf is not None:
        tf.random.set_seed(None)  # whatever program ran before
    namespace = {"tf": tf, "np": np, "outcome": outcome, "__name__": "__main__"}
    file_name = f"<{program.id}>"
    # inspect.getsource must find the text: AutoGraph reads it.
    lines = program.source.splitlines(keepends=True)
    linecache.cache[file_name] = (len(program.source), None, lines, file_name)
    raised = None
    with capture() as text, warnings.catch_warnings(record=True), temporary_folder():
        # Whatever filters the user sets, a warning of NumPy must not come out of an op.
        warnings.simplefilter("always")  # ours are no errors
        warnings.simplefilter("error", RuntimeWarning)
        try:
            exec(compile(program.source, file_name, "exec"), namespace)
        except Exception as error:
            raised = error
        stdout = text()
    return {
        "stdout": stdout,
        "error": type(raised).__name__ if raised is not None else None,
        "message": str(raised) if raised is not None else None,
        "exception": raised,
    }


@contextlib.contextmanager
def temporary_folder():
    """What a program makes by `tempfile` is gone when it ends."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory() as tempfile.tempdir:
        try:
            yield
        finally:
            tempfile.tempdir = before


def run_alone(program: Program, module: str) -> dict:
    """Execute a program in a process of its own: it changes settings that cannot be put back."""
    done = subprocess.run(
        [sys.executable, __file__, module, program.area, program.name],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode:
        raise RuntimeError(f"{program.id} cannot be run alone:\n{done.stderr}")
    return json.loads(done.stdout.rpartition("\n")[2])


def main(module: str, area: str, name: str) -> None:
    """What `run_alone` starts: the last line printed is the outcome."""
    program = next(p for p in read_area(PROGRAMS / f"{area}.py") if p.name == name)
    got = run(program, importlib.import_module(module), capture_stdout)
    print("\n" + json.dumps({**got, "exception": None}), end="")


@contextlib.contextmanager
def capture_stdout():
    """Capture what Python code prints."""
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        yield buffer.getvalue


def compare(program: Program, want: dict, got: dict) -> str | None:
    """None if the outcomes agree, else one sentence that says how they differ."""
    if want["error"] != got["error"]:
        return (
            f"error: TensorFlow {want['error'] or 'raises nothing'}, "
            f"here {got['error'] or 'nothing'}: {got['message']}"
        )
    phrase = program.directives.get("phrase")
    if phrase and phrase not in (got["message"] or ""):
        return f"the message lacks {phrase!r}: {got['message']}"
    if "exact" in program.directives:
        return None if want["stdout"] == got["stdout"] else "the printed text is not the same"
    return compare_text(
        want["stdout"],
        got["stdout"],
        float(program.directives.get("tol", 1e-5)),
        floats="types-only" not in program.directives,
    )


def compare_text(want: str, got: str, tol: float = 1e-5, floats: bool = True) -> str | None:
    """Compare two printed texts: the words exactly but for white space, the numbers closely."""
    if skeleton(want) != skeleton(got):
        return "the printed words differ"
    for expected, actual in zip(NUMBER.findall(want), NUMBER.findall(got), strict=True):
        if not same_number(expected, actual, tol, floats):
            return f"numbers differ: TensorFlow {expected}, here {actual}"
    return None


def skeleton(text: str) -> str:
    return re.sub(r"\s+", "", NUMBER.sub("#", text))


def is_integer(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def same_number(want: str, got: str, tol: float, floats: bool = True) -> bool:
    """Integers are equal or not; others agree to `tol`, relative, and a tenth of it near zero."""
    if is_integer(want) or is_integer(got):
        return is_integer(want) and is_integer(got) and int(want) == int(got)
    if not floats:
        return True
    x, y = float(want), float(got)
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or math.isinf(y):
        return x == y or (math.isnan(x) and math.isnan(y))
    return abs(x - y) <= tol * max(abs(x), abs(y)) + tol / 10


if __name__ == "__main__":
    main(*sys.argv[1:])
