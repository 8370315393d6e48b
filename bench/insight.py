"""What the debugger costs while nobody asks: the watch for NaN and infinity, on and off in turns.

    python bench/insight.py [--rounds 60] [--seconds 0.02]

Times are of this process's CPU, the least of many rounds; on and off alternate within each round. A
third column repeats "on", which tells how far two measurements of the same are apart. Status 1 if a
step of training takes 3 % more, and more than that noise.
"""

import argparse
import sys
import time
import types

import numpy as np

import tapeflow as tf
from tapeflow.core.autodiff import tape as tapes
from tapeflow.core.values import tensor as tensors

LIMIT = 1.03
ON = (tapes.tensors, tapes.its_turn, tapes.SCALARS)
OFF = (types.SimpleNamespace(), lambda: False, ())


def switch(on: bool) -> None:
    """The watch of what is read, and of what walks begin with and make."""
    tapes.tensors, tapes.its_turn, tapes.SCALARS = ON if on else OFF
    tensors.trains = on


def cases() -> dict:
    """Title -> (function, whether it is a step of training)."""
    rng = np.random.default_rng(0)
    x, y = [tf.constant(rng.standard_normal(shape).astype("f")) for shape in ((32, 8), (32, 1))]
    w = tf.Variable(rng.standard_normal((8, 1)).astype("f"))
    scalar, array = tf.constant(1.5), tf.constant(rng.standard_normal(100).astype("f"))

    def step() -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        return loss

    def sines() -> None:
        with tf.GradientTape() as tape:
            h = w
            for _ in range(50):
                h = tf.sin(h)
        tape.gradient(h, w)

    compiled = tf.function(step, autograph=False)
    for _ in range(300):  # native code serves from then on
        compiled()
    time.sleep(1.0)
    return {"eager op": (lambda: scalar + scalar, False), "50 sines, recorded and walked": (
                sines, True), "step, eager": (step, True),
            "step, eager, float(loss)": (lambda: float(step()), True),
            "step, compiled": (compiled, True),
            "step, compiled, float(loss)": (lambda: float(compiled()), True),
            "scalar.numpy()": (scalar.numpy, False), "float(scalar)": (scalar.__float__, False),
            "array.numpy(), 100 elements": (array.numpy, False)}


def seconds_of(function, count: int) -> float:
    begin = time.process_time()
    for _ in range(count):
        function()
    return (time.process_time() - begin) / count


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=0.02, help="of one measurement")
    options = parser.parse_args()
    good = True
    print("| | off | on | on / off | on / on |\n| --- | --- | --- | --- | --- |")
    for title, (function, training) in cases().items():
        count = max(1, int(options.seconds / max(seconds_of(function, 20), 1e-8)))
        best = {"off": 9e9, "on": 9e9, "on again": 9e9}
        for turn in range(options.rounds):
            names = list(best)
            for name in names[turn % 3:] + names[:turn % 3]:
                switch(name != "off")
                best[name] = min(best[name], seconds_of(function, count))
        switch(True)
        ratio, noise = best["on"] / best["off"], best["on again"] / best["on"]
        print(f"| {title} | {best['off'] * 1e6:.2f} µs | {best['on'] * 1e6:.2f} µs | "
              f"{ratio:.3f} | {noise:.3f} |")
        good &= not training or ratio <= LIMIT + abs(noise - 1)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
