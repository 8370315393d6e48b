"""Runs Keras's own tests, which ship in its wheel, on tapeflow; compares with TensorFlow's results.

    keras_suite.py                      every area, as a table
    keras_suite.py ops layers --show    some areas, and what fails here but not with TensorFlow
    keras_suite.py layers/rnn -k lstm   folders and files below an area, and pytest's -k
    keras_suite.py --record             with TensorFlow's Python: write its results

TensorFlow's results are in tensorflow_results.json: which tests did not pass, by area. A test
counts if it passes with TensorFlow; it is good if it passes here too.
"""

import argparse
import collections
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "tensorflow_results.json"
# pytest's own settings, not those of the project around.
OPTIONS = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "suite_plugin", "--tb=short",
           "-W", "ignore", "-o", "addopts=", "--continue-on-collection-errors"]


def keras_tests() -> Path:
    """The folder of Keras's sources and tests."""
    spec = importlib.util.find_spec("keras")
    if spec is None or spec.origin is None:
        sys.exit('Keras is not installed: pip install "tapeflow[keras]"')
    return Path(spec.origin).parent / "src"


def areas() -> list[str]:
    """The folders of Keras that have tests."""
    return sorted({path.relative_to(keras_tests()).parts[0]
                   for path in keras_tests().rglob("*_test.py")})


def run(places: list[str], server: str, jobs: int, words: list[str], limit: float) -> dict:
    """Outcomes of the tests in some places: test id -> (outcome, error)."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results")
        results.touch()
        paths = [str(HERE)] + ([str(HERE.parents[1])] if server == "tapeflow" else [])
        # Nothing of a pytest around this one: it has results of its own.
        outer = {name: value for name, value in os.environ.items()
                 if not name.startswith("PYTEST_")}
        environment = {
            **outer, "KERAS_BACKEND": "tensorflow", "KERAS_HOME": folder,
            "KERAS_SUITE_RESULTS": str(results), "KERAS_SUITE_SERVE": server,
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])}
        command = [sys.executable, "-m", "pytest", *OPTIONS, *words, "--rootdir",
                   str(keras_tests()), *[str(keras_tests() / place) for place in places]]
        if jobs > 1:
            command += ["-n", str(jobs)]
        try:
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True,
                                  text=True, timeout=limit, errors="replace")
            if done.returncode not in (0, 1, 5):
                print(f"pytest ended with status {done.returncode} in {' '.join(places)}:\n"
                      f"{(done.stdout + done.stderr)[-2000:]}", file=sys.stderr)
        except subprocess.TimeoutExpired:
            print(f"{' '.join(places)} did not end within {limit:.0f} s", file=sys.stderr)
        return parse(results.read_text(encoding="utf-8", errors="replace"))


def parse(text: str) -> dict:
    """What the plugin wrote; of two lines on one test (call and teardown) the worse counts."""
    found: dict[str, tuple[str, str]] = {}
    for line in text.splitlines():
        name, outcome, error = (line.split("\t") + ["", ""])[:3]
        if found.get(name, ("passed",))[0] != "failed":
            found[name] = (outcome, error)
    return found


def record(places: list[str], options: argparse.Namespace) -> None:
    """Write down what does not pass with TensorFlow."""
    known = json.loads(RECORDED.read_text()) if RECORDED.exists() else {"areas": {}}
    for place in places:
        found = run([place], "tensorflow", options.jobs, [], options.limit)
        names = {kind: sorted(name for name, (outcome, _) in found.items() if outcome == kind)
                 for kind in ("passed", "failed", "skipped")}
        known["areas"][place] = {"passed": len(names["passed"]), "failed": names["failed"],
                                 "skipped": names["skipped"]}
        known["keras"] = importlib.metadata.version("keras")
        known["tensorflow"] = importlib.metadata.version("tensorflow_cpu")
        RECORDED.write_text(json.dumps(known, indent=1) + "\n")
        print(f"{place:16} " + "  ".join(f"{kind} {len(one)}" for kind, one in names.items()),
              flush=True)


def compare(places: list[str], options: argparse.Namespace) -> int:
    """Print the table; the number of tests that pass with TensorFlow and not here."""
    known = json.loads(RECORDED.read_text())
    words = ["-k", options.k] if options.k else []
    rows, errors = [], []
    for place in places:
        found = run([place], "tapeflow", options.jobs, words, options.limit)
        skipped = [name for name, (outcome, _) in found.items() if outcome == "skipped"]
        theirs = known["areas"].get(place.split("/")[0], {"failed": [], "skipped": skipped})
        other = {*theirs["failed"], *theirs["skipped"]}
        counted = {name: result for name, result in found.items() if name not in other}
        bad = {name: error for name, (outcome, error) in counted.items() if outcome != "passed"}
        whole = place in known["areas"] and not words
        expected = theirs["passed"] if whole else len(counted)
        good = len(counted) - len(bad)
        rows.append((place, expected, good))
        errors += bad.items()
        print(f"{place:16} {good:6} of {expected:6}  {share(good, expected)}", flush=True)
    total, good = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{'all':16} {good:6} of {total:6}  {share(good, total)}   that pass with TensorFlow "
          f"{known['tensorflow']}, Keras {known['keras']}")
    show(errors, options)
    return total - good


def share(good: int, total: int) -> str:
    return f"{100 * good / total:6.2f} %" if total else "     –"


def show(errors: list[tuple[str, str]], options: argparse.Namespace) -> None:
    """The failures, by error."""
    if options.show:
        kinds = collections.Counter(error[:110] for _, error in errors)
        for error, count in kinds.most_common(options.top):
            print(f"{count:5} {error}")
            for name in [one for one, said in errors if said[:110] == error][:options.names]:
                print(f"      {name}")
    if options.output:
        lines = ["\t".join(pair) for pair in errors]
        Path(options.output).write_text("\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", help="areas, or folders and files below them")
    parser.add_argument("--record", action="store_true", help="run under TensorFlow and note it")
    parser.add_argument("--jobs", type=int, default=1, help="processes (needs pytest-xdist)")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for one area")
    parser.add_argument("-k", help="pytest's -k")
    parser.add_argument("--show", action="store_true", help="list the failures by error")
    parser.add_argument("--top", type=int, default=30, help="how many kinds of errors to list")
    parser.add_argument("--names", type=int, default=2, help="how many tests of each kind")
    parser.add_argument("--output", help="write every failure to this file")
    options = parser.parse_args()
    places = options.places or areas()
    if options.record:
        record(places, options)
        return 0
    return 1 if compare(places, options) else 0


if __name__ == "__main__":
    sys.exit(main())
