"""Loops of Python in compiled functions: rolled up, left unrolled, and written as tf.scan.

    python bench/unrolled.py [--rounds 40]

Each form is traced and compiled anew (CPU seconds of all threads, the code cache off) and its calls
take turns with those of the others; the least of all rounds counts. Before that its results are
compared with eager's. PyTorch's own LSTM beside the same step: `compiled.py --only lstm lstm_loop`.
"""

import argparse
import os
import sys
import time
from pathlib import Path

os.environ["TAPEFLOW_CACHE"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from cases_compiled import data, scalars, sequences

import tapeflow as tf
from tapeflow.jit.choices import forcing

FORMS = {"rolled up": {}, "unrolled": {"rolling.loop": False}}


def steps(name):
    """The step of a case as a Python function, and its arguments."""
    found = {}

    def keep(step, *args):
        found[step.__name__] = step, [tf.constant(one) for one in args]
        return step

    (scalars if name == "lotka" else sequences)(tf, data(), keep)
    return found[name]


class Compiled:
    """A case in one form: how long it took to trace and compile, and its best call."""

    def __init__(self, name, alternatives):
        step, self.args = steps(name)
        eager, _ = steps(name)
        self.function = tf.function(step, jit_compile=True, autograph=False)
        begin = time.process_time()
        self.function.get_concrete_function(*self.args)
        self.traced = time.process_time() - begin
        with forcing(alternatives):
            found = self.function(*self.args)
        self.first = time.process_time() - begin
        np.testing.assert_allclose(found.numpy(), eager(*self.args).numpy(), rtol=1e-4)
        self.best = float("inf")

    def call(self, times=20):
        for _ in range(times):
            begin = time.perf_counter()
            self.function(*self.args)
            self.best = min(self.best, time.perf_counter() - begin)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    tf.function(lambda x: x + 1, jit_compile=True)(tf.constant(1.0))  # loads the compiler
    print(f"{'':<30}{'trace, s':>10}{'first call, s':>15}{'step, µs':>12}   CPU time; least of all")
    for name, title in (("lotka", "Lotka–Volterra, 200 steps"), ("lstm_loop", "LSTM, 50 steps")):
        made = {form: Compiled(name, how) for form, how in FORMS.items()}
        if name == "lstm_loop":
            made["tf.scan"] = Compiled("lstm", {})
        for _ in range(options.rounds):
            for one in made.values():
                one.call()
        for form, one in made.items():
            print(f"{title + ', ' + form:<38}{one.traced:>8.3f}{one.first:>13.3f}"
                  f"{one.best * 1e6:>13.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
