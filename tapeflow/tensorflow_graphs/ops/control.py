"""Calls, branches and loops of functions, assertions, printing.

An attribute that names a function comes as a callable: flat inputs to a flat list of results. What
is no tensor (a variable, a table) passes through calls as it is, and is the same in every
iteration of a loop.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

from tapeflow.core.values.tensor import Tensor
from tapeflow.tensorflow_graphs.ops.rows.lists import growing
from tapeflow.tensorflow_graphs.ops.rows.pieces import Learned, Pieces
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


@raw
def NoOp() -> Any:
    return ()


@raw
def PartitionedCall(args: list, f: Callable) -> Any:
    return [f(*args)]


@raw
def StatefulPartitionedCall(args: list, f: Callable) -> Any:
    return [f(*args)]


@raw
def SymbolicGradient(input: list, f: Callable, Tin: list, Tout: list) -> Any:
    """The gradients of a function's arguments; behind those stand the results' gradients."""
    # One tensor may be several arguments: each needs an identity of its own.
    xs, upstream = [tf.identity(x) for x in input[:len(Tout)]], input[len(Tout):]
    floats = [x for x in xs if x.dtype.is_floating or x.dtype.is_complex]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        results = f(*xs)
    found = iter(tape.gradient(results, floats, output_gradients=upstream,
                               unconnected_gradients=tf.UnconnectedGradients.ZERO))
    return [[next(found) if x.dtype.is_floating or x.dtype.is_complex else tf.zeros_like(x)
             for x in xs]]


def _is_loop_value(value: Any) -> bool:
    return isinstance(value, (Pieces, Tensor, tf.TensorArray))


def _branch(function: Callable, inputs: list) -> Callable[[], list]:
    return lambda: function(*inputs)


def _tested(value: Any) -> Any:
    """A condition as a boolean: numbers are true if not 0, strings if not empty."""
    if value.dtype == tf.bool:
        return value if value.shape.rank == 0 else tf.size(value) > 0
    if value.dtype == tf.string:
        return tf.strings.length(value) > 0
    return tf.not_equal(value, tf.zeros([], value.dtype))


def _chosen(cond: Any, input: list, then_branch: Callable, else_branch: Callable) -> list:
    return [_listed(tf.cond(_tested(cond), _branch(then_branch, input),
                            _branch(else_branch, input)))]


def _listed(found: Any) -> list:
    return list(found) if isinstance(found, (list, tuple)) else [] if found is None else [found]


@raw
def If(cond: Any, input: list, then_branch: Callable, else_branch: Callable) -> Any:
    return _chosen(cond, input, then_branch, else_branch)


@raw
def StatelessIf(cond: Any, input: list, then_branch: Callable, else_branch: Callable) -> Any:
    return _chosen(cond, input, then_branch, else_branch)


@raw
def Case(branch_index: Any, input: list, branches: list) -> Any:
    return [_listed(tf.switch_case(branch_index, [_branch(one, input) for one in branches]))]


@raw
def StatelessCase(branch_index: Any, input: list, branches: list) -> Any:
    return Case(branch_index, input, branches)


def _repeated(input: list, cond: Callable, body: Callable, output_shapes: list) -> list:
    """A loop; what is no tensor, and what its body hands on, stands outside of it."""
    while True:
        try:
            return _looped(input, cond, body, output_shapes)
        except Learned:  # what the elements of a list are
            again = [x.begun() if isinstance(x, Pieces) else x for x in input]
        except ValueError:  # sizes change from one iteration to the next
            again = [growing(x) if isinstance(x, tf.TensorArray) else x for x in input]
            if all(x is y for x, y in zip(input, again, strict=True)):
                raise
        input = again


def _looped(input: list, cond: Callable, body: Callable, output_shapes: list) -> list:
    moving = [i for i, one in enumerate(input) if _is_loop_value(one)]

    def whole(values: Any) -> list:
        every, left = list(input), iter(values)
        for i in moving:
            every[i] = input[i].like([next(left) for _ in input[i].parts]) if isinstance(
                input[i], Pieces) else next(left)
        return every

    def parts(values: list) -> tuple:
        return tuple([part for i in moving for part in (
            values[i].parts if isinstance(values[i], Pieces) else [values[i]])])

    def test(*values: Any) -> Any:
        return _tested(cond(*whole(values))[0])

    def step(*values: Any) -> tuple:
        return parts(body(*whole(values)))

    invariants = None
    if output_shapes:
        invariants = tuple([shape for i in moving for shape in (
            input[i].shapes() if isinstance(input[i], Pieces) else
            [output_shapes[i] if isinstance(input[i], Tensor) else tf.TensorShape(None)])])
    found = tf.while_loop(test, step, parts(input), shape_invariants=invariants)
    return [whole(found)]


@raw
def While(input: list, cond: Callable, body: Callable, output_shapes: list) -> Any:
    return _repeated(input, cond, body, output_shapes)


@raw
def StatelessWhile(input: list, cond: Callable, body: Callable, output_shapes: list) -> Any:
    return _repeated(input, cond, body, output_shapes)


@raw
def Timestamp() -> Any:
    return tf.timestamp()


@raw
def Assert(condition: Any, data: list, summarize: int) -> Any:
    tf.debugging.Assert(condition, data, summarize)
    return ()


@raw
def Print(input: Any, data: list, message: str, summarize: int) -> Any:
    tf.print(message, *data, summarize=summarize)
    return tf.identity(input)


_STREAMS = {"stdout": sys.__stdout__, "stderr": sys.__stderr__, "log(info)": logging.info,
            "log(warning)": logging.warning, "log(error)": logging.error}


@raw
def PrintV2(input: Any, output_stream: str, end: str) -> Any:
    tf.print(input, output_stream=_STREAMS.get(output_stream, output_stream), end=end)
    return ()
