"""tapeflow.numerical_gradient: a gradient for an opaque NumPy function, by central differences.

The decorated function is one op. Its derivative rules contract with its Jacobian, which is again an
opaque function: the differences of the first one. So second derivatives are differences of
differences, under tapes, accumulators and `jacobian` alike.

A difference over a step h errs by about h² and by the function's rounding noise / h; h = noise^⅓ is
the best of both, and leaves the Jacobian with noise^⅔. Inputs are cast to float64 where the
function takes it. Steps grow with the size of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.attributes import shown
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.autodiff.custom_gradient import _Bindable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import cast, reduce_sum, reshape
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.control.py_function import call_foreign

_FLOAT64 = np.dtype("float64")
_MACHINE = 2.0 ** -52  # rounding of float64


def _floats(values: Any) -> list[int]:
    """Which of some values take part in derivatives."""
    return [i for i, x in enumerate(values) if x.dtype.kind in "fV"]


class Opaque:
    """A function of NumPy arrays and what is known of it; `evaluate` gives a list of arrays."""

    def __init__(self, function: Callable, name: str, step: float | None):
        self.function, self.name, self.step = function, name, step
        self.structure: Any = None  # of the last result
        self.takes_float64 = True

    def evaluate(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        # Copies both ways: the function may keep or change its arguments and results.
        result = self.function(*[np.array(x) for x in arrays])
        self.structure = nest.map_structure(lambda _: None, result)
        flat = nest.flatten(result)
        given = next((x.dtype for x in arrays if x.dtype.kind in "fV"), np.dtype("float32"))
        return [self._array(one, k, given) for k, one in enumerate(flat)]

    def _array(self, one: Any, k: int, given: np.dtype) -> np.ndarray:
        if isinstance(one, Tensor):
            one = one.numpy()
        if type(one) is float:
            return np.array(one, given)
        if type(one) is int:
            return np.array(one, np.int32 if abs(one) < 2**31 else np.int64)
        array = np.array(one)
        if array.dtype.kind not in "fViub":
            raise TypeError(f"numerical_gradient: {self.name} must return real numbers or arrays "
                            f"of them, but its result {k} is {one!r}.")
        return array

    def in_float64(self, arrays: list[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Inputs for differences, in float64 if the function takes that, and its results there."""
        if self.takes_float64:
            wide = [x.astype(_FLOAT64) if x.dtype.kind in "fV" else x for x in arrays]
            try:
                return wide, self.evaluate(wide)
            except unsignalled(Exception):
                self.takes_float64 = False
        return arrays, self.evaluate(arrays)

    def noise(self, results: list[np.ndarray]) -> float:
        """Relative rounding error of the results."""
        kinds = [results[k].dtype for k in _floats(results)]
        return max([_MACHINE, *[_epsilon(one) for one in kinds]])

    @property
    def jacobian(self) -> Jacobian:
        return Jacobian(self)


def _epsilon(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else 2.0 ** -7  # else bfloat16


class Jacobian(Opaque):
    """The derivatives of all real results by all real inputs, as an opaque function itself.

    Result k · inputs + i has the shape (size of result k, size of input i), float64.
    """

    def __init__(self, of: Opaque):
        super().__init__(of.function, of.name, of.step)
        self.of = of
        self.own_noise = _MACHINE

    def evaluate(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        xs, results = self.of.in_float64(list(arrays))
        noise = self.of.noise(results)
        step = noise ** (1 / 3) if self.step is None else self.step
        self.own_noise = max(noise / step, step * step)
        outputs, inputs = _floats(results), _floats(xs)
        found = [np.empty((results[k].size, xs[i].size)) for k in outputs for i in inputs]
        for column, i in enumerate(inputs):
            for j in range(xs[i].size):
                for row, quotient in enumerate(self._quotients(xs, i, j, step, results)):
                    found[row * len(inputs) + column][:, j] = quotient
        return found

    def noise(self, results: list[np.ndarray]) -> float:
        return self.own_noise

    def _quotients(self, xs: list, i: int, j: int, step: float, results: list) -> list:
        """(f(x + h) - f(x - h)) / 2h for each real result, where element j of input i moves."""
        here = float(xs[i].flat[j])
        reach = step * max(1.0, abs(here)) if self.step is None else step
        sides = []
        for h in (reach, -reach):
            moved = np.array(xs[i])
            moved.flat[j] = here + h
            ys = self.of.evaluate([*xs[:i], moved, *xs[i + 1:]])
            self._compare(ys, results, i, j, h)
            sides.append((float(moved.flat[j]), [ys[k].astype(_FLOAT64).ravel()
                                                 for k in _floats(results)]))
        (above, up), (below, down) = sides
        return [self._finite((a - b) / (above - below), i, j) for a, b in zip(up, down)]

    def _compare(self, ys: list, results: list, i: int, j: int, h: float) -> None:
        if [y.shape for y in ys] != [y.shape for y in results]:
            raise ValueError(f"numerical_gradient: {self.name} returns shapes "
                             f"{[y.shape for y in results]}, but {[y.shape for y in ys]} after "
                             f"element {j} of input {i} moved by {h:g}.")

    def _finite(self, quotient: np.ndarray, i: int, j: int) -> np.ndarray:
        if not np.isfinite(quotient).all():
            raise ValueError(f"numerical_gradient: {self.name} has no finite difference where "
                             f"element {j} of input {i} moves: a result is NaN or infinite there. "
                             "Keep inputs away from such points, or give a smaller step=.")
        return quotient


# -- the op ----------------------------------------------------------------------------------------
def _kernel(*values: Any, f: Opaque) -> tuple:
    return tuple(f.evaluate([np.asarray(x) for x in values]))


def _dtype(x: Any) -> np.dtype:
    return np.dtype(getattr(x.dtype, "np", x.dtype))


def _bare_kind(x: Any) -> bool:
    return _dtype(x).kind in "fV"


def _vjp(gs: tuple, ys: tuple, *xs: Any, f: Opaque) -> tuple:
    """g J for each real input, summed over the real results."""
    outputs = [k for k, y in enumerate(ys) if _bare_kind(y)]
    inputs = [i for i, x in enumerate(xs) if _bare_kind(x)]
    grads: list[Any] = [None] * len(xs)
    if not outputs or not inputs:
        return tuple(grads)
    parts = call(*xs, f=f.jacobian)
    for column, i in enumerate(inputs):
        total = None
        for row, k in enumerate(outputs):
            g = reshape(cast(gs[k], dtype=_FLOAT64), shape=(-1, 1))
            term = reduce_sum(parts[row * len(inputs) + column] * g, axis=(0,))
            total = term if total is None else total + term
        grads[i] = cast(reshape(total, shape=shape_of(xs[i])), dtype=_dtype(xs[i]))
    return tuple(grads)


def _jvp(ts: tuple, ys: tuple, *xs: Any, f: Opaque) -> tuple:
    """J t for each real result, summed over the inputs that have a tangent."""
    inputs = [i for i, x in enumerate(xs) if _bare_kind(x)]
    tangents: list[Any] = []
    parts = call(*xs, f=f.jacobian)
    row = 0
    for y in ys:
        total = None
        if _bare_kind(y):
            for column, i in enumerate(inputs):
                if ts[i] is not None:
                    t = reshape(cast(ts[i], dtype=_FLOAT64), shape=(1, -1))
                    term = reduce_sum(parts[row * len(inputs) + column] * t, axis=(1,))
                    total = term if total is None else total + term
            row += 1
        tangents.append(None if total is None else cast(
            reshape(total, shape=shape_of(y)), dtype=_dtype(y)))
    return tuple(tangents)


def _unknown(*specs: Any, f: Opaque) -> Any:
    raise TypeError(f"numerical_gradient: what {f.name} returns is known only after it has run, so "
                    "it cannot be traced. Call it eagerly.")


call = define("numerical_gradient", kernel=_kernel, shape=_unknown, vjp=_vjp, jvp=_jvp,
              saves="in out", args=("*inputs",), multi=True, batch=loop, internal=True,
              unsavable="it calls a Python function")


# -- the decorator ---------------------------------------------------------------------------------
@export("numerical_gradient")
def numerical_gradient(function: Callable | None = None, *, step: float | None = None) -> Any:
    """Give an opaque function of NumPy arrays a gradient, by central differences.

    >>> @tf.numerical_gradient
    ... def energy(x):
    ...     return np.sum(x ** 2)
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     y = energy(x)
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>

    Each positional argument that is a number, array or tensor reaches the function as an ndarray of
    its own; other arguments and all keyword arguments reach it as they are, and are not
    differentiated. It may return numbers, arrays and structures of them. One gradient costs two
    calls for each element of the inputs; a second one, twice that squared.

    `step` is the distance moved to either side; without it, it is chosen by the dtype and grows
    with the input. tapeflow's own: TensorFlow has no such function.
    """
    if function is None:
        return lambda f: numerical_gradient(f, step=step)
    if not callable(function):
        raise TypeError(f"numerical_gradient: `function` must be callable, got "
                        f"{shown(function)}.")
    if step is not None and not step > 0:
        raise ValueError(f"numerical_gradient: `step` must be positive, got {step!r}.")

    def run(function: Callable, args: tuple, kwargs: dict) -> Any:
        return _run(function, args, kwargs, step)

    return _Bindable(function, run)


def _is_input(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return bool(x) and all(_is_input(one) for one in x)
    return isinstance(x, (Tensor, Variable, np.ndarray, np.generic, int, float))


def _run(function: Callable, args: tuple, kwargs: dict, step: float | None) -> Any:
    name = getattr(function, "__name__", repr(function))
    positions = [i for i, x in enumerate(args) if _is_input(x)]
    inputs = tuple([operand(args[i]) for i in positions])
    for x in inputs:
        if x.dtype.is_complex or x.dtype is dtypes.string:
            raise TypeError(f"numerical_gradient: {name} got a {x.dtype.name} argument; inputs "
                            "must be real numbers.")

    def on_arrays(*arrays: np.ndarray) -> Any:
        whole = list(args)
        for i, array in zip(positions, arrays, strict=True):
            whole[i] = array
        return function(*whole, **kwargs)

    f = Opaque(on_arrays, name, step)
    results = call_foreign(call, inputs, f=f)
    return nest.pack_sequence_as(f.structure, results)
