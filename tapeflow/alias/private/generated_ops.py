"""`tensorflow.python.ops.gen_math_ops` and the like: raw ops by TensorFlow's names in snake case.

There `gen_math_ops.add_v2(x, y)` is `tf.raw_ops.AddV2(x=x, y=y)`: the same parameters in the same
order, but not by keyword alone.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

# Functions of their own that have the name of an op, but not its parameters.
OTHERS = frozenset(f"python.ops.{name}" for name in """
    array_ops.dequantize array_ops.listdiff array_ops.quantize_v2 linalg_ops.eig
    math_ops.sparse_matmul nn_ops.conv2d_backprop_filter nn_ops.conv2d_backprop_input
    nn_ops.fractional_avg_pool nn_ops.fractional_max_pool nn_ops.log_softmax nn_ops.nth_element
    nn_ops.quantized_avg_pool nn_ops.quantized_conv2d nn_ops.quantized_max_pool
    nn_ops.quantized_relu_x
""".split())


@functools.cache
def _names() -> dict[str, str]:
    """The names of raw ops, by those names in small letters."""
    import tapeflow

    return {name.lower(): name for name in dir(tapeflow.raw_ops) if not name.startswith("_")}


@functools.cache
def by_snake_name(name: str) -> Callable | None:
    """The raw op of a name such as `add_v2`, called by position or keyword; None if there is none.

    Names with a leading or trailing underscore are TensorFlow's for those that are hidden, or
    Python's own words.
    """
    import tapeflow

    theirs = _names().get(name.replace("_", ""))
    if theirs is None:
        return None
    op = getattr(tapeflow.raw_ops, theirs)
    parameters = list(inspect.signature(op).parameters)

    @functools.wraps(op)
    def called(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(parameters):
            raise TypeError(f"{name}() takes {len(parameters)} positional arguments but "
                            f"{len(args)} were given")
        twice = [one for one in parameters[:len(args)] if one in kwargs]
        if twice:
            raise TypeError(f"{name}() got multiple values for argument {twice[0]!r}")
        return op(**dict(zip(parameters, args, strict=False)), **kwargs)

    called.__name__ = name
    return called
