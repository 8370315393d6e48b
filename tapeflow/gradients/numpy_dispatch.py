"""numpy_on_tape: NumPy's functions on tensors give tensors, which tapes follow.

While it is on, tensors and variables answer NumPy's protocols (`__array_ufunc__`,
`__array_function__`) with the functions of tf.experimental.numpy, whose promotion is NumPy's, and
with those of tf.linalg for np.linalg. What has no such function is NumPy's, on arrays, as ever.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.process.locks import new_lock
from tapeflow.core.values.tensor import TensorBase
from tapeflow.core.values.variable import VariableBase

# Questions about an array, and arrays that are asked for: NumPy's answer is the right one.
PLAIN = frozenset("""shape ndim size isscalar result_type promote_types issubdtype iscomplexobj
    isrealobj allclose array_equal array asarray asanyarray ascontiguousarray copy""".split())
# Without a gradient: their values may leave a tape.
FLAT = frozenset("""argmax argmin argsort isnan isfinite isinf isneginf isposinf isclose iscomplex
    isreal equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not
    logical_xor all any floor ceil fix rint round around sign signbit count_nonzero nonzero
    zeros_like ones_like full_like empty_like floor_divide heaviside nextafter bitwise_and
    bitwise_not bitwise_or bitwise_xor gcd lcm""".split())
# With a gradient, and without a function over tensors here: NumPy's, on arrays.
SMOOTH = frozenset("""apply_along_axis average convolve correlate cov corrcoef gradient interp
    lstsq matrix_power median multi_dot nanmean nanmedian nanstd nanvar percentile piecewise
    quantile trapezoid unwrap vectorize fft ifft rfft irfft fft2 ifft2 fftn ifftn hfft""".split())
ALIASES = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh",
           "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh", "pow": "power",
           "degrees": "rad2deg", "radians": "deg2rad", "invert": "bitwise_not", "rint": "around"}
REDUCTIONS = {np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min",
              np.logical_and: "all", np.logical_or: "any"}


# -- the switch ------------------------------------------------------------------------------------
_lock = new_lock()
_uses = 0  # how often it was switched on and not off again


@export("numpy_on_tape")
class numpy_on_tape:
    """NumPy's functions on tensors stay differentiable from now on: np.sin(t) is a tensor.

    As in TensorFlow, np.sin(t) is an array otherwise, at which a tape's knowledge ends. While this
    is on, NumPy's functions on tensors and variables (np.sum, np.where, np.concatenate,
    np.linalg.solve …) are those of tf.experimental.numpy and tf.linalg: tapes, tf.function and
    tf.vectorized_map know them. Dtypes are promoted as NumPy does. np.asarray(t), t.numpy() and
    float(t) give the value, as ever. It holds for all threads.

    Returns:
      A context that switches it off when it ends; it may be ignored.

    Example:
      >>> with tf.numpy_on_tape(), tf.GradientTape() as tape:
      ...     tape.watch(x := tf.constant([1.0, 2.0]))
      ...     y = np.sum(np.square(x) * np.array([1.0, 3.0], "float32"))
      >>> print(tape.gradient(y, x).numpy())
      [ 2. 12.]
    """

    def __init__(self) -> None:
        self._on = True
        _switch(1)

    def __enter__(self) -> numpy_on_tape:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.off()

    def off(self) -> None:
        """Switch it off again."""
        if self._on:
            self._on = False
            _switch(-1)


def _switch(change: int) -> None:
    global _uses
    with _lock:
        before, _uses = _uses, _uses + change
        for kind in (TensorBase, VariableBase):
            for name, answer in _PROTOCOLS.items():
                if _uses and not before:
                    setattr(kind, name, answer)
                elif before and not _uses:
                    delattr(kind, name)


# -- NumPy's protocols -----------------------------------------------------------------------------
def _array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    if method == "__call__" and not kwargs:
        function = counterpart(ufunc)
        if function is not None:
            return function(*[_listed(one) for one in inputs])
    elif method == "reduce" and ufunc in REDUCTIONS and set(kwargs) <= {"axis", "keepdims"}:
        return getattr(tf.experimental.numpy, REDUCTIONS[ufunc])(*inputs, **{"axis": 0, **kwargs})
    arrays, options = nest.map_structure(_as_array, (inputs, kwargs))
    return getattr(ufunc, method)(*arrays, **options)


def _array_function(self: Any, func: Callable, types: Any, args: tuple, kwargs: dict) -> Any:
    function = counterpart(func)
    if function is None:
        arrays, options = nest.map_structure(_as_array, (args, kwargs))
        return func(*arrays, **options)
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"np.{func.__name__} of tensors, with numpy_on_tape: {error}. Use an array "
                        "(t.numpy()) or write it with tf's functions.") from None
    return function(*args, **kwargs)


def _listed(x: Any) -> Any:
    """A list of numbers as NumPy reads it: float64, not of the dtype of what it meets."""
    plain = isinstance(x, (list, tuple)) and not any(
        isinstance(one, (TensorBase, VariableBase)) for one in nest.flatten(x))
    return np.asarray(x) if plain else x


_PROTOCOLS = {"__array_ufunc__": _array_ufunc, "__array_function__": _array_function}


def _as_array(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, (TensorBase, VariableBase)) else x


def counterpart(function: Any) -> Callable | None:
    """The function over tensors that one of NumPy's stands for; None: none."""
    name = getattr(function, "__name__", "")
    if name in LINALG and getattr(np.linalg, name, None) is function:
        return LINALG[name]
    if name in PLAIN or getattr(np, name, None) is not function:
        return None
    if function is np.pad:
        return _pad
    name = ALIASES.get(name, name)
    space = tf.experimental.numpy
    return getattr(space, name) if name in dir(space) else None


def _pad(array: Any, pad_width: Any, mode: str = "constant", **options: Any) -> Any:
    """One width for all sides will do, as in NumPy."""
    array = tf.experimental.numpy.asarray(array)
    widths = np.broadcast_to(pad_width, (array.ndim, 2))
    return tf.experimental.numpy.pad(array, widths, mode, **options)


# -- np.linalg -------------------------------------------------------------------------------------
def _floating(*values: Any) -> list:
    """Values as tensors of the one floating-point dtype that NumPy would compute in."""
    tensors = [tf.experimental.numpy.asarray(one) for one in values]
    dtype = np.result_type(np.float32, *[one.dtype.as_numpy_dtype for one in tensors])
    return [tf.cast(one, dtype) for one in tensors]


def _over(name: str, several: bool = False) -> Callable:
    """A function of tf.linalg over one floating-point operand."""
    function = LatePublic(f"linalg.{name}")

    def over(a: Any) -> Any:
        found = function(_floating(a)[0])
        return tuple(found) if several else found

    return over


def _solve(a: Any, b: Any) -> Any:
    a, b = _floating(a, b)
    return tf.linalg.solve(a, b[:, None])[..., 0] if b.ndim == 1 else tf.linalg.solve(a, b)


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    (a,) = _floating(a)
    if not compute_uv:
        return tf.linalg.svd(a, compute_uv=False)
    s, u, v = tf.linalg.svd(a, full_matrices=full_matrices)
    return u, s, tf.linalg.adjoint(v)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    (x,) = _floating(x)
    if axis is None and ord is not None and x.ndim == 2:
        axis = (0, 1)
    return tf.norm(x, "euclidean" if ord is None else ord, axis, keepdims)


LINALG: dict[str, Callable] = {
    **{name: _over(name) for name in ("inv", "det", "cholesky", "pinv", "eigvalsh")},
    **{name: _over(name, True) for name in ("eigh", "qr", "slogdet")},
    "solve": _solve, "svd": _svd, "norm": _norm,
}
