"""Writes recorded.json: what TensorFlow shows in each case. Run by hand, with TensorFlow installed.

    python tests/ops/random/record.py
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def main() -> None:
    import tensorflow as tf
    from random_cases import CASES
    from random_runner import run

    lines = [f"{json.dumps(name)}: {json.dumps(run(name, program, tf), separators=(',', ':'))}"
             for name, program in CASES.items()]
    (HERE / "recorded.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
