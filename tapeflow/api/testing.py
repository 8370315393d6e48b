"""tf.test: comparing gradients with differences, benchmarks, and what this build has (a CPU).

Loaded when one of its names is asked for.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export, publish
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.families import operand
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap


def compute_gradient(f: Callable, x: Any, delta: float | None = None) -> tuple:
    """Jacobians of `f` by its arguments, by the tape and by central differences.

    >>> by_tape, by_differences = tf.test.compute_gradient(lambda v: v * v, [tf.constant([3.0])])
    >>> by_tape
    (array([[6.]], dtype=float32),)

    Both are tuples of one matrix for each argument: a row for each element of the result, a column
    for each element of the argument. Complex numbers count as two real ones.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(f"tf.test.compute_gradient: `x` must be a list of arguments, got {x!r}.")
    xs = [operand(one) for one in x]
    with GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = f(*xs)
    for i, one in enumerate([*xs, y]):
        name = f"argument {i}" if i < len(xs) else "the result"
        assert one.dtype.is_floating or one.dtype.is_complex, \
            f"tf.test.compute_gradient: {name} is {one.dtype.name}, which has no gradient."
    step = 1.0 / 1024 if delta is None else delta  # a power of two is exact
    theoretical = _by_tape(tape, y, xs)
    return theoretical, tuple([_by_differences(f, xs, i, y, step) for i in range(len(xs))])


publish(compute_gradient, "test.compute_gradient")  # raises AssertionError, as TensorFlow's does


def _flat(array: np.ndarray) -> np.ndarray:
    """All elements as real numbers, complex ones as pairs."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _by_tape(tape: GradientTape, y: Tensor, xs: list[Tensor]) -> tuple:
    like = y.numpy()
    size = _flat(like).size
    found = [np.zeros((size, _flat(x.numpy()).size), x.dtype.real_dtype.np) for x in xs]
    for row in range(size):
        seed = np.zeros_like(like)
        _flat(seed)[row] = 1
        grads = tape.gradient(y, xs, output_gradients=wrap(seed))
        for jacobian, g in zip(found, grads, strict=True):
            if g is not None:
                dense = convert(g) if isinstance(g, IndexedSlices) else g
                jacobian[row] = _flat(dense.numpy())
    return tuple(found)


def _by_differences(f: Callable, xs: list[Tensor], i: int, y: Tensor, step: float) -> np.ndarray:
    arrays = [np.array(x.numpy()) for x in xs]
    real = y.dtype.real_dtype.np
    columns = []
    for j in range(_flat(arrays[i]).size):
        sides = []
        for sign in (1, -1):
            moved = arrays[i].copy()
            _flat(moved)[j] += sign * step
            parts = [*arrays[:i], moved, *arrays[i + 1:]]
            sides.append(f(*[wrap(one) for one in parts]).numpy())
        quotient = (sides[0] - sides[1]) / np.asarray(2 * step, real)
        columns.append(_flat(np.asarray(quotient)))
    shape = (_flat(y.numpy()).size, len(columns))
    return np.array(columns).T.reshape(shape).astype(xs[i].dtype.real_dtype.np)


@export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether there is a GPU: no."""
    return False


@export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Whether this build can use CUDA: no."""
    return False


@export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Whether this build can use ROCm: no."""
    return False


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Whether this build can use GPUs: no."""
    return False


@export("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """Whether this build has XLA: no."""
    return False


@export("test.gpu_device_name")
def gpu_device_name() -> str:
    """The name of a GPU; there is none."""
    return ""


@export("test.Benchmark")
class Benchmark:
    """A class whose methods `benchmark…` measure something."""

    def report_benchmark(self, iters: int | None = None, cpu_time: float | None = None,
                         wall_time: float | None = None, throughput: float | None = None,
                         extras: dict | None = None, name: str | None = None,
                         metrics: list | None = None) -> None:
        """Log what was measured."""
        logging.getLogger("tensorflow").info(
            "Benchmark [%s] iters: %s, wall_time: %s, cpu_time: %s, throughput: %s, extras: %s, "
            "metrics: %s", name or type(self).__name__, iters, wall_time, cpu_time, throughput,
            extras, metrics)

    def run_op_benchmark(self, sess: Any, op_or_tensor: Any, feed_dict: dict | None = None,
                         burn_iters: int = 2, min_iters: int = 10, store_trace: bool = False,
                         store_memory_usage: bool = True, name: str | None = None,
                         extras: dict | None = None, mbs: float = 0) -> dict[str, Any]:
        """The median wall time in seconds that a session takes, reported and returned."""
        times = []
        for i in range(burn_iters + min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            if i >= burn_iters:
                times.append(time.perf_counter() - start)
        median = float(np.median(times))
        rate = mbs / median if median else 0.0
        found = dict(extras or {}, wall_time_mean=float(np.mean(times)),
                     wall_time_stdev=float(np.std(times)))
        self.report_benchmark(iters=min_iters, wall_time=median, throughput=rate, extras=found,
                              name=name)
        return {"iters": min_iters, "wall_time": median, "extras": found, "name": name,
                "throughput": rate}

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors as arrays."""
        return nest.map_structure(lambda x: x.numpy() if hasattr(x, "numpy") else x, tensors)


@export("test.disable_with_predicate")
def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable:
    """A decorator of test methods, which are skipped where `pred` holds."""
    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def decided(self: Any, *args: Any, **kwargs: Any) -> Any:
            if pred():
                self.skipTest(skip_message)
            return test(self, *args, **kwargs)

        return decided

    return decorate


@export("test.experimental.sync_devices")
def sync_devices() -> None:
    """Wait until all devices have done their work: here ops are done when they return.

    >>> tf.test.experimental.sync_devices()
    """
    if state.trace is not None:
        raise RuntimeError("sync_devices() must only be called in Eager mode, outside tf.functions")
