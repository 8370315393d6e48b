"""Classic mistakes in four libraries: who names the op, the line and the remedy.

    python bench/debuggers.py --tensorflow PYTHON --torch PYTHON --jax PYTHON

The mistakes are those of `tests/insight/nan_mistakes.py`, `classic_nan_mistakes.py` and
`none_mistakes.py`, the same lines for all: PyTorch and JAX run them through the few names of
TensorFlow that they use (`debugger_words.py`). Each library has its own means: tapeflow's
`tf.insight.debug()` and `tape.explain`, TensorFlow's `tf.debugging.enable_check_numerics`,
PyTorch's anomaly mode, JAX's `jax_debug_nans` and `jax_debug_infs`. What each says, error or
warning, is searched for the name of the op, for file and line of the guilty line, and for a word of
the remedy. Prints a table; a library that is not named is left out. `--texts` prints all that was
said.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = ("tapeflow", "tensorflow", "torch", "jax")


def asked(library: str, python: str) -> list[dict]:
    """What a library, in a process of its own, said to each mistake."""
    done = subprocess.run(
        [python, str(HERE / "debuggers_worker.py"), library], capture_output=True, text=True,
        timeout=600, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"})
    if done.returncode:
        sys.exit(f"{library}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def counted(rows: list[dict]) -> str:
    """For each of the three: how many were named."""
    return " | ".join(f"{sum(row[what] for row in rows)}" for what in ("op", "line", "remedy"))


def table(answers: dict[str, list[dict]], kind: str) -> None:
    """A line for each library."""
    total = sum(row["kind"] == kind for row in answers["tapeflow"])
    print(f"\n{total} mistakes that end in {kind}\n\n| | op | line | remedy |\n| --- | --- | --- "
          "| --- |")
    for library, rows in answers.items():
        print(f"| {library} | {counted([row for row in rows if row['kind'] == kind])} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for library in LIBRARIES[1:]:
        parser.add_argument(f"--{library}", metavar="PYTHON")
    parser.add_argument("--texts", action="store_true")
    given = vars(parser.parse_args())
    pythons = {"tapeflow": sys.executable, **{one: given[one] for one in LIBRARIES[1:]
                                              if given[one]}}
    answers = {library: asked(library, python) for library, python in pythons.items()}
    for kind in ("NaN", "None"):
        table(answers, kind)
    for library, rows in answers.items():
        for row in rows:
            if given["texts"]:
                print(f"\n## {library}: {row['name']}\n{row['text']}")
            elif library == "tapeflow" and not (row["op"] and row["line"] and row["remedy"]):
                print(f"missed by tapeflow: {row['name']}")


if __name__ == "__main__":
    main()
