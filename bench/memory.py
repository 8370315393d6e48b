"""What tapes keep and when they let go, each measured in a process of its own.

    python bench/memory.py [--elements 1000000] [--layers 1000]

- steps: 10,000 tape steps with the garbage collector off; RSS must grow by less than 1 MB.
- free chain: layers whose rules save nothing (additions) must need no memory per layer.
- kept chain: layers whose rules save one array each (sin). The forward pass keeps that one array
  and no more; the walk back frees as it goes, so that near its end little is left.
- persistent: a persistent tape holds its record until `del`, and then no longer.

Status 1 if one of them fails. The chain of 1000 × 1 M floats needs about 4 GB.
"""

import argparse
import gc
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import tapeflow as tf

MB = 1e6
SPARE_ARRAYS = 6  # temporaries that a pass may hold at once


def resident() -> int:
    """Bytes of this process that are in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def steps(options) -> tuple[bool, str]:
    x_data = tf.constant([1.0, 2.0, 3.0, 4.0])
    y_data = tf.constant([5.0, 8.0, 11.0, 14.0])
    w, b = tf.Variable(0.0), tf.Variable(0.0)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y_data - (w * x_data + b)))
        for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
            variable.assign_sub(0.01 * gradient)

    gc.disable()
    for _ in range(200):
        step()
    before = resident()
    for _ in range(10_000):
        step()
    grown = resident() - before
    return grown < MB, f"10,000 steps grew RSS by {grown / MB:.2f} MB (< 1)"


def chain(options, layer):
    """Bytes after the forward pass, after three quarters of the walk back, and at its peak."""
    seen = []

    @tf.custom_gradient
    def probe(x):
        def gradient(g):
            seen.append(tracemalloc.get_traced_memory()[0])
            return g

        return tf.identity(x), gradient

    gc.disable()
    x = tf.zeros([options.elements])
    tracemalloc.start()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for number in range(options.layers):
            y = layer(y)
            if number == options.layers // 4:
                y = probe(y)
    forward = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    tape.gradient(y, x)
    peak = tracemalloc.get_traced_memory()[1]
    return forward, seen[0], peak


def free_chain(options) -> tuple[bool, str]:
    size = 4 * options.elements
    forward, _, peak = chain(options, lambda y: y + 1.0)
    return (
        forward <= SPARE_ARRAYS * size and peak <= 2 * SPARE_ARRAYS * size,
        f"{options.layers} additions: {forward / size:.1f} arrays after the forward pass, "
        f"{peak / size:.1f} at the peak of the walk (of {size / MB:.0f} MB each)",
    )


def kept_chain(options) -> tuple[bool, str]:
    size = 4 * options.elements
    forward, late, peak = chain(options, tf.sin)
    needed = options.layers
    return (
        forward <= (needed + SPARE_ARRAYS) * size
        and peak <= (needed + 2 * SPARE_ARRAYS) * size
        and late <= (needed / 4 + 2 * SPARE_ARRAYS) * size,
        f"{options.layers} sines: {forward / size:.1f} arrays after the forward pass, "
        f"{peak / size:.1f} at the peak of the walk, {late / size:.1f} after three quarters of it",
    )


def persistent(options) -> tuple[bool, str]:
    gc.disable()
    size = 4 * options.elements
    x = tf.Variable(tf.zeros([options.elements]))
    tracemalloc.start()
    with tf.GradientTape(persistent=True) as tape:
        y = x
        for _ in range(20):
            y = tf.sin(y)
    tape.gradient(y, x)
    held = tracemalloc.get_traced_memory()[0] / size
    del tape
    freed = tracemalloc.get_traced_memory()[0] / size
    return held >= 19 and freed <= 3, f"persistent tape: {held:.1f} arrays, {freed:.1f} after del"


MEASUREMENTS = {
    "steps": steps,
    "free-chain": free_chain,
    "kept-chain": kept_chain,
    "persistent": persistent,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--elements", type=int, default=1_000_000)
    parser.add_argument("--layers", type=int, default=1000)
    parser.add_argument("--only", choices=MEASUREMENTS, help="measure this, in this process")
    options = parser.parse_args()
    if options.only:
        met, text = MEASUREMENTS[options.only](options)
        print(f"{'pass' if met else 'MISS'}  {text}", flush=True)
        return 0 if met else 1
    sizes = ["--elements", str(options.elements), "--layers", str(options.layers)]
    command = [sys.executable, __file__, *sizes, "--only"]
    return max(subprocess.run([*command, name]).returncode for name in MEASUREMENTS)


if __name__ == "__main__":
    sys.exit(main())
