"""Random fused graphs of comparisons, selections and extremes: NaN, infinities, signed zeros.

Every op in them is exact, so native code must give NumPy's bits (a NaN is a NaN, whatever its
bits). Their gradients have sums in them: there the numbers may be rounded otherwise.

    python -m tests.jit.test_special_values 60      fresh ones for a minute
"""

import random
import secrets
import sys
import time

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.base.settings import settings
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors

NUMBERS = [np.nan, 0.0, -0.0, np.inf, -np.inf, 1.0, -1.0, 2.0, 0.5, -3.0]
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100]
COMPARISONS = [tf.less, tf.less_equal, tf.greater, tf.greater_equal, tf.equal, tf.not_equal]
TWO = [tf.minimum, tf.maximum, tf.add, tf.subtract, tf.multiply, tf.divide,
       tf.math.multiply_no_nan, tf.math.divide_no_nan]
ONE = [tf.abs, tf.negative, tf.sign, tf.floor, tf.round, tf.square, tf.sqrt, tf.math.reciprocal,
       tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu]
TESTS = [tf.math.is_nan, tf.math.is_finite, tf.math.is_inf]
LOGIC = [tf.logical_and, tf.logical_or, tf.math.logical_xor]
EXTREMES = [tf.reduce_max, tf.reduce_min]
ENDS = [tf.argmax, tf.argmin, tf.reduce_any, tf.reduce_all, tf.math.count_nonzero]


class Graph:
    """A random program over `count` tensors of one shape; the same in every run."""

    exact = True

    def __init__(self, seed: int):
        rng = random.Random(seed)
        rank = rng.choice([1, 1, 2, 2, 3])
        self.shape = [rng.choice(SIZES[:(16, 11, 6)[rank - 1]]) for _ in range(rank)]
        self.dtype = rng.choice(["float32", "float32", "float64"])
        self.seed, self.count, self.steps = seed, rng.choice([1, 2, 3]), rng.randint(3, 14)

    def inputs(self) -> list:
        rng = np.random.default_rng(self.seed)
        found = []
        for _ in range(self.count):
            plain = rng.integers(-3, 4, self.shape) * rng.choice([1.0, 0.25])
            special = rng.random(self.shape) < rng.choice([0.0, 0.1, 0.4])
            found.append(tf.constant(np.where(special, rng.choice(NUMBERS, self.shape), plain)
                                     .astype(self.dtype)))
        return found

    def __call__(self, *xs):
        rng = random.Random(self.seed + 1)
        self.floats, self.bools, self.ends = list(xs), [xs[0] < xs[-1]], []
        for _ in range(self.steps):
            rng.choice([self.elementwise, self.elementwise, self.chosen, self.compared,
                        self.compared, self.extreme, self.end])(rng)
        return [*self.ends, self.floats[-1], self.bools[-1]]

    def operand(self, rng):
        if rng.random() < 0.2:
            return tf.constant(rng.choice(NUMBERS), self.dtype)
        return rng.choice(self.floats)

    def elementwise(self, rng):
        x = rng.choice(self.floats)
        kind = rng.random()
        if kind < 0.5:
            call, y = rng.choice(TWO), self.operand(rng)
            if call in (tf.add, tf.subtract) and y.shape.rank == 0:
                y = x  # graphs drop + 0, as TensorFlow's do, and with it the sign of -0 + 0
            self.floats.append(call(x, y))
        elif kind < 0.9:
            self.floats.append(rng.choice(ONE)(x))
        else:
            least = rng.choice([-3.0, -1.0, -0.0, 0.0])
            self.floats.append(tf.clip_by_value(x, least, rng.choice([0.0, 0.5, 2.0])))

    def chosen(self, rng):
        self.floats.append(tf.where(rng.choice(self.bools), rng.choice(self.floats),
                                    self.operand(rng)))

    def compared(self, rng):
        kind = rng.random()
        if kind < 0.6:
            made = rng.choice(COMPARISONS)(rng.choice(self.floats), self.operand(rng))
        elif kind < 0.8:
            made = rng.choice(LOGIC)(rng.choice(self.bools), rng.choice(self.bools))
        elif kind < 0.9:
            made = rng.choice(TESTS)(rng.choice(self.floats))
        else:
            made = tf.logical_not(rng.choice(self.bools))
        self.bools.append(made)
        if rng.random() < 0.3:
            self.floats.append(tf.cast(made, self.dtype))

    def extreme(self, rng):
        axis = rng.choice([None, 0, -1])
        found = rng.choice(EXTREMES)(rng.choice(self.floats), axis, keepdims=True)
        # Which of equal zeros an extreme is depends on the order, which is nobody's.
        found = tf.where(tf.equal(found, 0.0), tf.zeros_like(found), found)
        self.ends.append(found)
        self.floats.append(tf.broadcast_to(found, self.shape))

    def end(self, rng):
        call = rng.choice(ENDS)
        x = rng.choice(self.floats if call in ENDS[:2] else self.bools)
        self.ends.append(call(x, rng.choice([0, -1])))


class Gradient:
    """The gradient of such a program: comparisons with the extreme, ties and NaN among them."""

    exact = False

    def __init__(self, seed: int):
        self.graph = Graph(seed)
        self.inputs = self.graph.inputs

    def __call__(self, *xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = self.graph(*xs)[-2]
        return [g for g in tape.gradient(y, xs) if g is not None]


def difference(got: np.ndarray, want: np.ndarray, exact: bool = True) -> str:
    """What differs, or nothing."""
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return f"{got.dtype}{got.shape} for {want.dtype}{want.shape}"
    if got.dtype.kind != "f":
        return "" if (got == want).all() else "another truth or index"
    if (np.isnan(got) != np.isnan(want)).any():
        return "NaN"
    if not exact:
        scale = np.abs(want[np.isfinite(want)]).max(initial=1e-30)
        return "" if np.allclose(got, want, 1e-5, 1e-5 * scale, True) else "another number"
    there = ~np.isnan(want)
    if (got[there] != want[there]).any():
        return "another number"
    return "" if (np.signbit(got) == np.signbit(want))[there].all() else "the sign of a zero"


def check(program) -> str:
    """What of a program differs between native code and NumPy."""
    xs = program.inputs()
    token = ignore_fp_errors()
    try:
        want = [y.numpy() for y in program(*xs)]
        native = tf.function(program.__call__, jit_compile=True, autograph=False)
        got = [y.numpy() for y in native(*xs)]
    finally:
        restore_fp_errors(token)
    found = [difference(a, b, program.exact) for a, b in zip(got, want, strict=True)]
    return "; ".join([f"result {i}: {one}" for i, one in enumerate(found) if one])


@pytest.fixture
def unchecked(using):
    """Native results as they are, not NumPy's in place of wrong ones."""
    using(checks=0)


FRESH = secrets.randbits(40)


@pytest.mark.parametrize("kind", [Graph, Gradient])
def test_fused_graphs_of_special_values(kind, unchecked):
    for seed in [*range(25), *range(FRESH, FRESH + 10)]:
        found = check(kind(seed))
        assert not found, f"{kind.__name__}({seed}): {found}"


def test_extremes_of_two_zeros_are_the_second_as_on_numpy(unchecked):
    zeros = tf.constant([0.0, -0.0, np.nan, 1.0, -1.0])
    calls = [lambda x, c=c, bound=bound: c(x, bound) for c in (tf.minimum, tf.maximum)
             for bound in (0.0, -0.0)]
    calls += [tf.nn.relu, tf.nn.relu6, lambda x: tf.clip_by_value(x, -0.0, 1.0)]
    for call in calls:
        native = tf.function(call, jit_compile=True)(zeros).numpy()
        assert not difference(native, call(zeros).numpy())


if __name__ == "__main__":
    settings.checks = 0
    drawn, wrong, end = 0, 0, time.time() + float(sys.argv[1])
    while time.time() < end:
        for family in (Graph, Gradient):
            drawn += 1
            what = check(family(FRESH + drawn))
            if what:
                wrong += 1
                print(f"{family.__name__}({FRESH + drawn}): {what}", flush=True)
    print(f"{drawn} graphs, {wrong} wrong")
