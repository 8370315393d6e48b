"""tf.debugging: assertions on values, ranks, types and shapes, and check_numerics.

Values are compared by ops, so an assertion also works for every element of a vectorised map and
inside a trace, where it becomes an Assert. Ranks, types and shapes are known at once. In a tf.Graph
an assertion returns its operation, for others to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense, shown, text, whole
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.record.families import batch_elementwise, operand, same_as
from tapeflow.core.record.op import FLOAT, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.array.shape_ops import rank as rank_op
from tapeflow.ops.control.control_flow import Assert, group, no_op
from tapeflow.ops.math import comparison
from tapeflow.ops.math.rounding import abs as absolute
from tapeflow.ops.reduce.reduction import reduce_all

_SHOWN_VALUES = 3  # how many values an error message shows


# -- values ----------------------------------------------------------------------------------------
def _plain(x: Any) -> bool:
    return type(x) is Tensor


def _check_words(summarize: Any, message: Any = None) -> None:
    """In a trace the number of values to show is an attribute, and the message is a tensor;
    eagerly only a failure reads them.
    """
    if state.trace is not None:
        if summarize is not None:
            whole("summarize", summarize)
        if message is not None:
            operand(message)


def _holds(call: Callable, x: Tensor, y: Tensor) -> Tensor:
    return reduce_all(call(x, y), axis=None, keepdims=False)


def _comparison(name: str, call: Callable, symbol: str) -> Callable:
    def check(x: Any, y: Any, message: str | None, summarize: int | None) -> Any:
        _check_words(summarize, message)
        x, y = operand(x), operand(y)
        held = _holds(call, x, y)
        if not _plain(held):
            return Assert(held, ["" if message is None else message,
                                 f"Condition x {symbol} y did not hold:", x, y], summarize)
        if not held:
            raise errors.failed_assertion(_difference(
                x._value, y._value, call(x, y)._value, symbol, message, summarize))
        return no_op()

    check.__name__ = name
    return check


def _difference(x: Any, y: Any, held: Any, symbol: str, message: str | None,
                summarize: int | None) -> str:
    """What TensorFlow says: where the first differences are, and the first values."""
    most = _SHOWN_VALUES if summarize is None else summarize
    most = max(x.size, y.size) if most < 0 else most
    lines = [message] if message else []
    lines.append(f"Condition x {symbol} y did not hold.")
    if x.shape == y.shape and x.shape:
        wrong = np.argwhere(~held)[:most]
        at = tuple(wrong.T)
        lines += [f"Indices of first {len(wrong)} different values:", str(wrong),
                  "Corresponding x values:", str(x[at]), "Corresponding y values:", str(y[at])]
    for name, values in (("x", x), ("y", y)):
        shown = min(most, values.size)
        lines += [f"First {shown} elements of {name}:", str(np.ravel(values)[:shown])]
    return "\n".join(lines)


_equal = _comparison("assert_equal", comparison.equal, "==")
_none_equal = _comparison("assert_none_equal", comparison.not_equal, "!=")
_less = _comparison("assert_less", comparison.less, "<")
_less_equal = _comparison("assert_less_equal", comparison.less_equal, "<=")
_greater = _comparison("assert_greater", comparison.greater, ">")
_greater_equal = _comparison("assert_greater_equal", comparison.greater_equal, ">=")


@export("debugging.assert_equal", "assert_equal")
def assert_equal(x: Any, y: Any, message: str | None = None, summarize: int | None = None,
                 name: str | None = None) -> Any:
    """InvalidArgumentError unless x == y, elementwise."""
    return _equal(x, y, message, summarize)


@export("debugging.assert_none_equal")
def assert_none_equal(x: Any, y: Any, summarize: int | None = None, message: str | None = None,
                      name: str | None = None) -> Any:
    """InvalidArgumentError unless x != y, elementwise."""
    return _none_equal(x, y, message, summarize)


@export("debugging.assert_less", "assert_less")
def assert_less(x: Any, y: Any, message: str | None = None, summarize: int | None = None,
                name: str | None = None) -> Any:
    """InvalidArgumentError unless x < y, elementwise."""
    return _less(x, y, message, summarize)


@export("debugging.assert_less_equal")
def assert_less_equal(x: Any, y: Any, message: str | None = None, summarize: int | None = None,
                      name: str | None = None) -> Any:
    """InvalidArgumentError unless x <= y, elementwise."""
    return _less_equal(x, y, message, summarize)


@export("debugging.assert_greater", "assert_greater")
def assert_greater(x: Any, y: Any, message: str | None = None, summarize: int | None = None,
                   name: str | None = None) -> Any:
    """InvalidArgumentError unless x > y, elementwise."""
    return _greater(x, y, message, summarize)


@export("debugging.assert_greater_equal")
def assert_greater_equal(x: Any, y: Any, message: str | None = None, summarize: int | None = None,
                         name: str | None = None) -> Any:
    """InvalidArgumentError unless x >= y, elementwise."""
    return _greater_equal(x, y, message, summarize)


def _sign(call: Callable, symbol: str, x: Any, message: str | None, summarize: int | None) -> Any:
    _check_words(summarize)
    x = operand(x)
    held = _holds(call, x, operand(0, dtype=x.dtype))
    start = f"{_prefix(message)}\nCondition x {symbol} 0 did not hold element-wise:"
    if not _plain(held):
        return Assert(held, [start, x], summarize)
    if not held:
        shown = _listed(x._value, _SHOWN_VALUES if summarize is None else summarize)
        raise errors.failed_assertion(f"{start}\nx ({_described(x)}) = \n{shown}")
    return no_op()


def _listed(value: Any, most: int) -> str:
    if not value.ndim:
        return str(value[()])
    flat = value.ravel()
    most = flat.size if most < 0 else most
    return str([str(one) for one in flat[:most]] + ["..."] * (flat.size > most))


def worded(name: str, value: Any) -> Any:
    """A message: whatever is true or false, and can be put into a text by `%s`."""
    return "%s" % value if value else None  # noqa: UP031


def _prefix(message: str | None) -> str:
    return f"{message}.  " if message else ""


def _described(x: Tensor) -> str:
    return f"shape={x.shape} dtype={x.dtype.name}"


@export("debugging.assert_positive")
@attributes(x=dense, message=worded)
def assert_positive(x: Any, message: str | None = None, summarize: int | None = None,
                    name: str | None = None) -> Any:
    """InvalidArgumentError unless x > 0, elementwise."""
    return _sign(comparison.greater, ">", x, message, summarize)


@export("debugging.assert_negative")
@attributes(x=dense, message=worded)
def assert_negative(x: Any, message: str | None = None, summarize: int | None = None,
                    name: str | None = None) -> Any:
    """InvalidArgumentError unless x < 0, elementwise."""
    return _sign(comparison.less, "<", x, message, summarize)


@export("debugging.assert_non_negative")
@attributes(x=dense, message=worded)
def assert_non_negative(x: Any, message: str | None = None, summarize: int | None = None,
                        name: str | None = None) -> Any:
    """InvalidArgumentError unless x >= 0, elementwise."""
    return _sign(comparison.greater_equal, ">=", x, message, summarize)


@export("debugging.assert_non_positive")
@attributes(x=dense, message=worded)
def assert_non_positive(x: Any, message: str | None = None, summarize: int | None = None,
                        name: str | None = None) -> Any:
    """InvalidArgumentError unless x <= 0, elementwise."""
    return _sign(comparison.less_equal, "<=", x, message, summarize)


@export("debugging.assert_near")
@attributes(message=worded)
def assert_near(x: Any, y: Any, rtol: Any = None, atol: Any = None, message: str | None = None,
                summarize: int | None = None, name: str | None = None) -> Any:
    """InvalidArgumentError unless |x - y| < atol + rtol |y|, elementwise."""
    x = operand(x)
    y = operand(y, dtype=x.dtype)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise ValueError(f"tf.debugging.assert_near: x and y must be floats, got {x.dtype.name}.")
    real = x.dtype.real_dtype
    tolerance = 10 * (float(np.finfo(real.np).eps) if real.np.kind == "f" else 2.0 ** -7)
    rtol = operand(tolerance if rtol is None else rtol, dtype=real)
    atol = operand(tolerance if atol is None else atol, dtype=real)
    held = _holds(comparison.less, absolute(x - y), atol + rtol * absolute(y))
    return Assert(held, [_prefix(message),
                         f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}",
                         f"x ({_described(x)}) = ", x, f"y ({_described(y)}) = ", y], summarize)


# -- finiteness ------------------------------------------------------------------------------------
def _check_kernel(x: Any, message: str) -> Any:
    if not np.isfinite(x).all():
        nan, inf = np.isnan(x).any(), np.isinf(x).any()
        kinds = "Inf and NaN" if nan and inf else "NaN" if nan else "Inf"
        raise errors.invalid("CheckNumerics", f"{message} : Tensor had {kinds} values")
    return x


def _check_vjp(g: Any, y: Any, x: Any, message: str) -> Any:
    return _check(g, message="Not a number (NaN) or infinity (Inf) values detected in gradient. "
                             + message)


_check = define("check_numerics", kernel=_check_kernel, shape=same_as(0), vjp=(_check_vjp,),
                jvp=lambda ts, y, x, message: _check(ts[0], message=message), dtypes=FLOAT,
                batch=batch_elementwise, stateful=True, kind="elementwise",
                check=[Case((2, 3), message="sample")])
set_traits(_check, selects_elements=True)


@export("debugging.check_numerics")
@attributes(message=text)
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """`tensor` itself; InvalidArgumentError if it, or its gradient, holds a NaN or infinity."""
    return _check(operand(tensor), message=message)


@export("debugging.assert_all_finite")
@attributes(x=dense, message=text)
def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """The same as `check_numerics`."""
    return _check(operand(x), message=message)


# -- ranks -----------------------------------------------------------------------------------------
def _rank(rank: Any, what: str = "rank") -> Any:
    """A rank as an integer; as a tensor if a run decides it."""
    if isinstance(rank, Tensor) and rank._interpreter is not None:
        return rank
    if isinstance(rank, (Tensor, Variable)):
        rank = rank.numpy()
    single = isinstance(rank, (np.ndarray, np.generic, str, bytes)) or not hasattr(rank, "__len__")
    if not single or (array := np.asarray(rank)).ndim:
        raise ValueError(f"tf.debugging: `{what}` must be a scalar, got {shown(rank)}.")
    if array.dtype.kind not in "iu" or (array.dtype != np.int32 and type(rank) is not int):
        raise TypeError(f"tf.debugging: `{what}` must be an int32, got {rank!r}.")
    return int(array)


def _check_rank(x: Any, good: Callable[[Any], Any], wanted: str, message: str | None) -> Any:
    x = operand(x)
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize:
        rank = rank_op(x)
    held = good(rank)
    if isinstance(held, Tensor):
        return Assert(held, [
            f"{_prefix(message)}Tensor must have rank {wanted}.  Received rank", rank])
    if not held:
        raise ValueError(f"{_prefix(message)}Tensor must have rank {wanted}.  Received rank "
                         f"{rank}, shape {x.shape}")
    return no_op()


@export("debugging.assert_rank", "assert_rank")
@attributes(x=dense, message=worded)
def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """ValueError unless `x` has the rank."""
    wanted = _rank(rank)
    return _check_rank(x, lambda r: r == wanted, str(wanted), message)


@export("debugging.assert_rank_at_least")
@attributes(x=dense, message=worded)
def assert_rank_at_least(x: Any, rank: Any, message: str | None = None,
                         name: str | None = None) -> Any:
    """ValueError unless `x` has the rank or a higher one."""
    wanted = _rank(rank)
    return _check_rank(x, lambda r: r >= wanted, f"at least {wanted}", message)


@export("debugging.assert_rank_in")
@attributes(message=worded)
def assert_rank_in(x: Any, ranks: Iterable, message: str | None = None,
                   name: str | None = None) -> Any:
    """ValueError unless `x` has one of the ranks."""
    wanted = tuple([_rank(one, "ranks") for one in ranks])
    return _check_rank(x, lambda r: reduce(or_, [r == one for one in wanted]), f"in {wanted}",
                       message)


@export("debugging.assert_scalar")
@attributes(message=worded)
def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:
    """ValueError unless `tensor` is a scalar."""
    x = operand(tensor)
    if shape_of(x):
        raise ValueError(f"{_prefix(message)}Expected scalar shape, saw shape: {x.shape}.")
    return no_op()


# -- types -----------------------------------------------------------------------------------------
@export("debugging.assert_type")
def assert_type(tensor: Any, tf_type: Any, message: str | None = None,
                name: str | None = None) -> Any:
    """TypeError unless `tensor` has the dtype."""
    wanted, found = dtypes.as_dtype(tf_type), operand(tensor).dtype
    if found != wanted:
        raise TypeError(f"{_prefix(message)}tensor must be of type {wanted!r}; got {found!r}")
    return no_op()


@export("debugging.assert_integer")
@attributes(x=dense)
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Any:
    """TypeError unless `x` is of an integer dtype."""
    found = operand(x).dtype
    if not found.is_integer:
        raise TypeError(f"{_prefix(message)}Expected x to be of an integer type, found {found!r}")
    return no_op()


@export("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: Iterable | None = None, dtype: Any = None) -> DType:
    """The float dtype that all `tensors` (and `dtype`) have; ValueError if they differ."""
    wanted = dtypes.as_dtype(dtype) if dtype else None
    for tensor in tensors or ():
        if tensor is None:
            continue
        wanted = tensor.dtype if wanted is None else wanted
        if tensor.dtype != wanted:
            raise ValueError(f"tf.debugging.assert_same_float_dtype: got {tensor.dtype!r} beside "
                             f"{wanted!r}: {tensor!r}.")
    wanted = dtypes.float32 if wanted is None else wanted
    if not wanted.is_floating:
        raise ValueError(f"tf.debugging.assert_same_float_dtype: {wanted!r} is no float dtype.")
    return wanted


@export("debugging.assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """TypeError unless `values` is an iterable of values: no tensor, array or string."""
    if isinstance(values, (Tensor, Variable, Composite, np.ndarray, str, bytes)) or not hasattr(
            values, "__iter__"):
        raise TypeError(f"tf.debugging.assert_proper_iterable: expected a list or the like, got "
                        f"{type(values).__name__}.")


@export("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a Tensor of numbers."""
    return isinstance(tensor, Tensor) and tensor.dtype.kind not in "bO"


# -- shapes ----------------------------------------------------------------------------------------
@export("debugging.assert_shapes")
def assert_shapes(shapes: Any, data: Any = None, summarize: int | None = None,
                  message: str | None = None, name: str | None = None) -> Any:
    """ValueError unless the tensors have shapes that fit together.

    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("N", "Q")), (tf.zeros([3]), ("Q",))])

    `shapes` lists pairs of a tensor and a shape: sizes, names of sizes, None or "." for any, and
    as first entry `...` or "*" for any number of axes. A scalar passes for a vector of one.
    """
    if data:
        list(data)
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    known: dict[Any, tuple[int, str]] = {}
    tensors = [(operand(x), shape) for x, shape in pairs if shape is not None]
    checks = []
    for x, shape in tensors:
        names, open_ended = _symbols(x, shape, message)
        sizes = shape_of(x) or (1,) * (len(names) < 2)
        checks.append(_fitting_rank(x, len(names), open_ended, message))
        for axis, symbol in enumerate(names):
            if symbol is None or symbol == ".":
                continue
            at = axis - len(names) if open_ended else axis
            if sizes[at] is not None:  # not known before a traced function runs
                _check_size(x, sizes[at], at, symbol, known, message)
    return group(*[one for one in checks if one is not None])


def _symbols(x: Tensor, shape: Any, message: str | None) -> tuple[list, bool]:
    if not hasattr(shape, "__iter__"):
        raise ValueError(f"{_prefix(message)}Tensor {_described(x)}.  Its shape must be given as a "
                         f"sequence, got {shape!r}")
    names = list(shape)
    for i, symbol in enumerate(names):
        if i and (symbol is Ellipsis or symbol == "*"):
            raise ValueError(f"{_prefix(message)}Tensor {_described(x)} specified shape index {i}."
                             "  `...` and `*` may stand only as the first entry")
    if names and (names[0] is Ellipsis or names[0] == "*"):
        return names[1:], True
    return names, False


def _fitting_rank(x: Tensor, rank: int, open_ended: bool, message: str | None) -> Any:
    if rank < 2:
        return None if open_ended else assert_rank_in(x, (0, 1), message)
    check = assert_rank_at_least if open_ended else assert_rank
    return check(x, rank, message)


def _check_size(x: Tensor, size: int, axis: int, symbol: Any, known: dict,
                message: str | None) -> None:
    try:
        wanted, source = int(symbol), "Specified explicitly"
    except unsignalled(TypeError, ValueError):
        if symbol not in known:
            known[symbol] = (size, f"Specified by tensor {_described(x)} dimension {axis}")
        wanted, source = known[symbol]
    if size != wanted:
        raise ValueError(f"{_prefix(message)}{source}.  Tensor {_described(x)} dimension {axis} "
                         f"must have size {wanted}.  Received size {size}, shape {x.shape}")
