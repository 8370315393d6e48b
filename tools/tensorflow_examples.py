"""Counts how many examples of TensorFlow's own docstrings come out the same here.

    python tools/tensorflow_examples.py TF_PYTHON [--only tf.ragged …] [--show] [--keep FILE]

TF_PYTHON is a Python that has TensorFlow. There the docstrings of all public names are read, and
their examples run; those that print what they say are run here, and judged by the same rules,
which are TensorFlow's own (`tensorflow/tools/docs/tf_doctest_lib.py`). Nothing of the text stays
behind, but for the file of `--keep`, which spares TensorFlow's part the next time.

`tf.keras` is left out, since it is Keras itself, and so are `tf.compat` and methods that begin
with an underscore. A docstring's examples run
in one namespace, as doctest runs them; a docstring that takes longer than a minute fails. If a
process ends in the middle of one, the next goes on with the docstring after it.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import faulthandler
import importlib.util
import inspect
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 30  # seconds a docstring may take
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
# Docstrings whose examples change how everything after them runs are last.
SWITCHES = ("enable_numpy_behavior", "enable_strict_mode", "run_functions_eagerly",
            "debug_mode", "disable_", "enable_op_determinism", "enable_tensor_float_32",
            "set_visible_devices", "set_logical_device")


# -- in TensorFlow's process -----------------------------------------------------------------------
def docstrings(tf: Any) -> Iterator[tuple[str, str]]:
    """Public names with the examples of their docstrings, each docstring once."""
    seen: set[str] = set()
    for name, value in _public(tf, "tf", set()):
        text = getattr(value, "__doc__", None)
        if isinstance(text, str) and ">>>" in text and text not in seen:
            seen.add(text)
            yield name, inspect.cleandoc(text)


def _public(value: Any, name: str, modules: set) -> Iterator[tuple[str, Any]]:
    """All that can be reached by public names, methods of classes included."""
    yield name, value
    if inspect.isclass(value):
        for key, member in sorted(vars(value).items()):
            if key.startswith("_") and not key.startswith("__"):
                continue
            yield f"{name}.{key}", getattr(member, "__func__", member)
    if not isinstance(value, types.ModuleType) or value in modules:
        return
    modules.add(value)
    for key in sorted(dir(value)):
        if key.startswith("_") or (name == "tf" and key in ("compat", "keras")):
            continue
        with contextlib.suppress(Exception):  # names that are there and cannot be had
            member = getattr(value, key)
            if not isinstance(member, types.ModuleType) or (
                    member.__name__.startswith(("tensorflow", "keras"))
                    and not member.__name__.startswith("tensorflow.python")):  # its source tree
                yield from _public(member, f"{name}.{key}", modules)


def read_docstrings(path: Path) -> None:
    """Writes names and docstrings, switches last, and where TensorFlow's rules are, to a file."""
    import tensorflow as tf

    rules = Path(tf.__file__).parent / "tools" / "docs" / "tf_doctest_lib.py"
    found = sorted(docstrings(tf), key=lambda item: any(word in item[1] for word in SWITCHES))
    path.write_text(json.dumps({"rules": str(rules), "docstrings": found}))


# -- in either process -----------------------------------------------------------------------------
class _Runner(doctest.DocTestRunner):
    """Notes of each example whether it came out right, and what came instead."""

    def __init__(self, checker: doctest.OutputChecker):
        super().__init__(checker, verbose=False, optionflags=FLAGS)
        self.results: list[list] = []

    def report_success(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.results.append([example.lineno, True, example.source, example.want, got])

    def report_failure(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.results.append([example.lineno, False, example.source, example.want, got])

    def report_unexpected_exception(self, out: Any, test: Any, example: doctest.Example,
                                    exc_info: Any) -> None:
        got = f"{exc_info[0].__name__}: {str(exc_info[1])[:400]}"
        self.results.append([example.lineno, False, example.source, example.want, got])
        if exc_info[0] is TimeoutError:
            raise exc_info[1]


def run_docstrings(path: Path, results: Path, library: str) -> None:
    """Runs the docstrings of a file from the first on that has no line in `results` yet."""
    tf = importlib.import_module(library)
    import numpy as np

    content = json.loads(path.read_text())
    spec = importlib.util.spec_from_file_location("rules", content["rules"])
    assert spec is not None and spec.loader is not None
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    signal.signal(signal.SIGALRM, _too_long)
    done = len(results.read_text().splitlines()) if results.exists() else 0
    with results.open("a") as lines:
        for name, text in content["docstrings"][done:]:
            runner = _Runner(rules.TfDoctestOutputChecker())
            test = doctest.DocTestParser().get_doctest(
                text, {"tf": tf, "np": np, "os": os}, name, None, None)
            signal.alarm(LIMIT)
            faulthandler.dump_traceback_later(LIMIT + 5, exit=True)
            with contextlib.suppress(TimeoutError), contextlib.redirect_stderr(io.StringIO()):
                runner.run(test, out=lambda text: None)
            signal.alarm(0)
            faulthandler.cancel_dump_traceback_later()
            lines.write(json.dumps([name, runner.results]) + "\n")
            lines.flush()


def _too_long(*_: Any) -> None:
    raise TimeoutError(f"more than {LIMIT} s")


# -- in the process that was started ---------------------------------------------------------------
def outcomes(python: str, library: str, path: Path, folder: Path) -> list[tuple[str, list]]:
    """What a library makes of the docstrings in a file, process after process."""
    results = folder / f"{library}.jsonl"
    wanted = json.loads(path.read_text())["docstrings"]
    results.touch()
    while (done := len(results.read_text().splitlines())) < len(wanted):
        _start(python, ["--run", str(path), str(results), library], folder)
        if len(results.read_text().splitlines()) == len(wanted):
            break
        after = results.read_text().splitlines()
        print(f"{library}: the process ended in {wanted[len(after)][0]}", file=sys.stderr)
        with results.open("a") as lines:
            lines.write(json.dumps([wanted[len(after)][0], []]) + "\n")
        assert len(after) >= done
    return [tuple(json.loads(line)) for line in results.read_text().splitlines()]


def _start(python: str, arguments: list[str], folder: Path) -> None:
    """Runs this file with another Python, in a folder of its own, where examples may write."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT),
                   "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
    work = folder / "work"
    work.mkdir(exist_ok=True)
    subprocess.run([python, str(Path(__file__).resolve()), *arguments], cwd=work,
                   env=environment, stdout=subprocess.DEVNULL, check=False)


def passing(results: list[tuple[str, list]]) -> dict[tuple[str, int], list]:
    """The examples that came out right, by name and line."""
    return {(name, line): rest for name, examples in results
            for line, right, *rest in examples if right}


def compare(args: argparse.Namespace, folder: Path) -> int:
    """Both libraries over all docstrings; prints the count, and what differs."""
    path = args.keep or folder / "examples.json"
    if not path.exists():
        _start(args.python, ["--read", str(path)], folder)
        theirs = outcomes(args.python, "tensorflow", path, folder)
        path.write_text(json.dumps({**json.loads(path.read_text()), "outcomes": theirs}))
    content = json.loads(path.read_text())
    chosen = [item for item in content["docstrings"]
              if not args.only or item[0].startswith(tuple(args.only))]
    ours_path = folder / "chosen.json"
    ours_path.write_text(json.dumps({"rules": content["rules"], "docstrings": chosen}))
    names = {name for name, _ in chosen}
    wanted = passing([item for item in content["outcomes"] if item[0] in names])
    ours = outcomes(sys.executable, "tapeflow", ours_path, folder)
    right = passing(ours)
    if args.show:
        for name, examples in ours:
            for line, ok, source, want, got in examples:
                if not ok and (name, line) in wanted:
                    print(f"--- {name}\n>>> {source}{want}… {got}")
    count = sum(key in right for key in wanted)
    print(f"{len(wanted)} examples pass with TensorFlow, {count} of these here "
          f"({100 * count / max(1, len(wanted)):.1f} %)")
    return 0


def main() -> int:
    if sys.argv[1:2] == ["--read"]:
        read_docstrings(Path(sys.argv[2]))
        return 0
    if sys.argv[1:2] == ["--run"]:
        run_docstrings(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", help="a Python that has TensorFlow")
    parser.add_argument("--only", nargs="*", default=[], help="public names that begin like this")
    parser.add_argument("--show", action="store_true", help="what differs")
    parser.add_argument("--keep", type=Path, help="file that keeps what TensorFlow printed")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return compare(args, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
