"""Records what TensorFlow 2.21 makes of every call of cases.py, into outcomes.json.

    python tests/runtime_arguments/record.py
"""

import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

from cases import CASES
from running import fits, runners, ways_of

STORE = pathlib.Path(__file__).resolve().parent / "outcomes.json"


def main():
    import tensorflow as tf

    found = {}
    for case in CASES:
        made = runners(tf, case, ways_of(case))
        found[case[0]] = [{way: run(*values) for way, run in made.items()
                           if fits(way, case, values)} for values in case[3]]
        tf.keras.backend.clear_session()
    lines = [json.dumps(name) + ": [\n  " + ",\n  ".join(map(json.dumps, rows)) + "]"
             for name, rows in found.items()]
    STORE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(found), "cases")


if __name__ == "__main__":
    main()
