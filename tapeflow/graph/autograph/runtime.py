"""What converted code calls: Python's own meaning, or a graph's where a tensor decides.

Statements are in `statements.py`; all that converted code uses can be found here.
"""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import from_handler
from tapeflow.base.late import LatePublic
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert as to_tensor
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read
from tapeflow.graph.autograph import conversion, error_report
from tapeflow.graph.autograph.statements import (
    as_test,
    for_stmt,
    if_exp,
    if_stmt,
    symbolic,
    while_stmt,
)
from tapeflow.graph.autograph.unbound_names import (
    Missing,
    load,
    peek,
    present,
    returned,
    surely_returned,
)
from tapeflow.graph.tracing.deferred_calls import defer_call, waits
from tapeflow.ops.array import ranges, shape_ops
from tapeflow.ops.control import control_flow
from tapeflow.ops.math import logical
from tapeflow.ops.reduce import sorting

_to_number = LatePublic("strings.to_number")

__all__ = ["Missing", "and_", "assert_stmt", "call", "compare", "converted", "for_stmt", "if_exp",
           "if_stmt", "load", "not_", "or_", "peek", "present", "returned", "surely_returned",
           "while_stmt"]


# -- logic -----------------------------------------------------------------------------------------
def and_(*parts: Callable) -> Any:
    """a and b: the second is not evaluated if the first decides, nor run."""
    value = parts[0]()
    for part in parts[1:]:
        if symbolic(value):
            first = value
            value = if_exp(first, part, lambda first=first: first)
        elif value:
            value = part()
        else:
            return value
    return value


def or_(*parts: Callable) -> Any:
    """a or b."""
    value = parts[0]()
    for part in parts[1:]:
        if symbolic(value):
            first = value
            value = if_exp(first, lambda first=first: first, part)
        elif not value:
            value = part()
        else:
            return value
    return value


def not_(x: Any) -> Any:
    if not symbolic(x):
        return not x
    return logical.logical_not_public(read(x) if isinstance(x, Variable) else x)


def compare(operators: list[Callable], sides: list[Callable]) -> Any:
    """a < b < c: each side once, from left to right, and not beyond the first that fails."""
    left = sides[0]()

    def chain(i: int, left: Any) -> Any:
        right = sides[i + 1]()
        now = operators[i](left, right)
        if i + 1 == len(operators) or (not symbolic(now) and not now):
            return now
        if not symbolic(now):
            return chain(i + 1, right)
        return and_(lambda: now, lambda: chain(i + 1, right))

    return chain(0, left)


def assert_stmt(test: Any, message: Callable) -> None:
    """assert, also on a tensor: then each run checks it."""
    if symbolic(test):
        text = message()
        control_flow.Assert(as_test(test, "assert statement"),
                                   ["assertion failed" if text is None else text])
    elif not test:
        text = message()
        raise AssertionError(*([] if text is None else [text]))


# -- calls -----------------------------------------------------------------------------------------
def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """function(*args, **kwargs); a user's function is converted first."""
    if isinstance(function, (type, types.BuiltinFunctionType)):
        if error_report.active():
            for x in args:  # enumerate(dataset), next(iterator)
                if hasattr(type(x), "__tf_builtin__"):
                    found = x.__tf_builtin__(function, args, kwargs)
                    if found is not NotImplemented:
                        return found
        replacement = _BUILTINS.get(function) if error_report.active() else None
        if replacement is not None and not kwargs and any(
                isinstance(x, (Tensor, Variable)) for x in args):
            return replacement(*args)
        return function(*args, **kwargs)
    if inspect.isfunction(function) and (function.__module__ or "").partition(".")[0] == "tapeflow":
        if function.__name__ in _AS_THEY_ARE:
            return function(*args, **kwargs)
        # A function for tf.map_fn, tf.cond and the like is the user's.
        args, kwargs = tuple(map(_given, args)), {k: _given(x) for k, x in kwargs.items()}
        try:
            return function(*args, **kwargs)
        except Exception as error:
            unknown = any(waits(x, error) for x in nest.flatten((args, kwargs)))
            if from_handler(error) or not unknown:
                raise
            return defer_call(function, args, kwargs, error)
    return conversion.convert(function)(*args, **kwargs)


# Functions whose functions are called as Python, and those that take values, never tensors.
_AS_THEY_ARE = frozenset({"py_function", "numpy_function", "constant"})


def _given(x: Any) -> Any:
    return conversion.convert(x) if isinstance(x, (types.FunctionType, types.MethodType)) else x


def converted(function: Any) -> Any:
    """A function defined inside a converted one; it may be handed to anyone."""
    return conversion.convert(function)


def _len(x: Any) -> Any:
    shape = x.shape
    if shape.rank == 0:
        raise ValueError("len requires a non-scalar tensor, got one of shape ()")
    if shape.rank is not None and shape[0] is not None:
        return shape[0]
    return shape_ops.shape(x)[0]


def _scalar_of(x: Any, dtype: np.dtype) -> Tensor:
    tensor = read(x) if isinstance(x, Variable) else to_tensor(x)
    if tensor.dtype.name == "string":
        return _to_number(tensor, dtype.name)
    return cast(tensor, dtype=dtype)


_BUILTINS: dict[Any, Callable] = {
    builtins.len: _len,
    builtins.range: lambda *limits: ranges.range_(*limits),
    builtins.int: lambda x, *base: _scalar_of(x, np.dtype("int32")),
    builtins.float: lambda x: _scalar_of(x, np.dtype("float32")),
    builtins.sorted: lambda x: sorting.sort(x),
}
