"""Control flow: cond, case, switch_case, while_loop, and the ops that only order effects.

Eagerly a branch or a loop is plain Python, and tapes record what it does. Where the elements of a
vectorised map decide differently, `ops.divergence` takes over; inside a trace the graph does:

    state.trace.cond(index, branches)    int32 scalar, callables; out of range: the last
    state.trace.while_loop(condition, body, loop_vars, limit, shape_invariants)

`choose` and `repeat` are the only places that decide. May be imported by the modules of `ops`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.attributes import attributes, compared, dense, shown, some, whole
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import Batched, loop
from tapeflow.core.record.elementwise_ops import identity as _identity
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.record.samples import Case
from tapeflow.core.record.traits import set_traits
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.core.values.composite import plain
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import AnyTensor, CompositeTensor, Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.control import divergent_control
from tapeflow.ops.control.tensor_array import TensorArray

_INT32 = np.dtype("int32")
_FLOAT64 = np.dtype("float64")


def choose(index: Tensor, branches: tuple) -> Any:
    """The result of `branches[index]`; an index out of range takes the last."""
    if isinstance(index, Batched):
        return divergent_control.choose(index, branches)
    if state.trace is not None:
        return state.trace.cond(index, branches)
    position = int(index._value)
    return branches[position if 0 <= position < len(branches) else -1]()


def repeat(condition: Callable, body: Callable, loop_vars: Any, limit: int | None = None,
           shape_invariants: Any = None) -> Any:
    """`loop_vars` after the loop. What `body` returns must have the structure of what it got."""
    body = _checked(body, loop_vars, TypeError if limit is None else ValueError)
    if state.trace is not None:
        return state.trace.while_loop(condition, body, loop_vars, limit, shape_invariants)
    while limit is None or limit > 0:
        more = condition(*loop_vars)
        if isinstance(more, Batched):
            return divergent_control.resume(more, condition, body, loop_vars, limit)
        if not more:
            break
        loop_vars = body(*loop_vars)
        limit = None if limit is None else limit - 1
    return loop_vars


def _checked(body: Callable, loop_vars: Any, mistake: type[Exception]) -> Callable:
    like = list(loop_vars)

    def run(*values: Any) -> Any:
        result = body(*values)
        if len(like) == 1 and isinstance(result, Tensor) and state.trace is not None:
            result = [result]  # TensorFlow takes it in functions, not eagerly
        if not isinstance(result, (list, tuple)):
            raise mistake(f"tf.while_loop: `body` must return a list or tuple of {len(like)} "
                          f"values, as many as there are `loop_vars`; got {result!r}.")
        if state.trace is None:
            nest.assert_same_structure(like, list(result))
            return result
        # In graphs a list is as good as a tuple.
        nest.assert_same_structure(like, list(result), check_types=False)
        return nest.pack_sequence_as(like, nest.flatten(list(result)))

    return run


def _callable(function: Any, where: str, name: str) -> None:
    if not callable(function):
        raise TypeError(f"tf.{where}: `{name}` must be callable, got {function!r}.")


# -- branches --------------------------------------------------------------------------------------
@export("cond")
def cond(pred: Any, true_fn: Callable | None = None, false_fn: Callable | None = None,
         name: str | None = None) -> Any:
    """What `true_fn()` returns if `pred` holds, else what `false_fn()` returns.

    >>> tf.cond(tf.constant(2.0) > 1.0, lambda: "above", lambda: "below")
    'above'
    """
    _callable(true_fn, "cond", "true_fn")
    _callable(false_fn, "cond", "false_fn")
    assert true_fn is not None and false_fn is not None
    if state.trace is not None and isinstance(pred, bool):
        raise TypeError("tf.cond: `pred` must not be a Python bool inside a tf.function: decide by "
                        "a Python `if`.")
    pred = operand(pred)
    if type(pred) is Tensor and state.trace is None:
        if not pred._value.size:
            raise ValueError("tf.cond: the truth value of an empty `pred` is ambiguous, got shape "
                             f"{pred.shape}.")
        return true_fn() if pred else false_fn()
    dense("pred", plain(pred))
    if state.trace is not None and pred.dtype.name != "bool":
        raise errors.invalid("Switch", f"Input 'pred' passed {pred.dtype.name} expected bool")
    return choose(cast(pred, dtype=_INT32), (false_fn, true_fn))


@export("case")
def case(pred_fn_pairs: Any, default: Callable | None = None, exclusive: bool = False,
         strict: bool = False, name: str = "case") -> Any:
    """The result of the first function whose predicate holds, else that of `default`.

    As in TensorFlow, `exclusive` is checked inside a tf.function only. `strict` counts outside of
    one only: without it a list of one result becomes that result.
    """
    pairs = _case_pairs(pred_fn_pairs)
    if default is not None:
        _callable(default, "case", "default")
    if exclusive and state.trace is not None:
        preds = [pred for pred, _ in pairs]
        count = sum([cast(pred, dtype=_INT32) for pred in preds],
                    cast(operand(False), dtype=_INT32))
        Assert(count < 2, ["Input error: exclusive=True: more than 1 conditions evaluated as True:",
                           *preds])
    result = _first_true(pairs, default or _no_case(pairs))
    if state.trace is None and not strict and type(result) in (list, tuple) and len(result) == 1:
        return result[0]
    return result


def _case_pairs(given: Any) -> list[tuple[Tensor, Callable]]:
    if not isinstance(given, (list, tuple, dict)):
        raise TypeError(f"tf.case: `pred_fn_pairs` must be a list of pairs, got {given!r}.")
    if not given:
        raise ValueError("tf.case: `pred_fn_pairs` must hold at least one pair.")
    pairs = list(given.items()) if isinstance(given, dict) else list(given)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"tf.case: each entry of `pred_fn_pairs` must be a pair, got {pair!r}.")
        pred, function = pair
        if not isinstance(pred, Tensor):
            raise TypeError(f"tf.case: a predicate must be a boolean Tensor, got {pred!r}.")
        # AttributeError here and below is TensorFlow's type.
        if pred.dtype.name != "bool":
            raise AttributeError(f"tf.case: a predicate must be boolean, got {pred.dtype!r}.")
        if not callable(function):
            raise AttributeError(f"tf.case: the function of a pair must be callable, got "
                                 f"{function!r}.")
    return pairs


def _first_true(pairs: Sequence[tuple[Tensor, Callable]], default: Callable) -> Any:
    if not pairs:
        return default()
    (pred, function), *rest = pairs
    return cond(pred, function, lambda: _first_true(rest, default))


def _no_case(pairs: Sequence[tuple[Tensor, Callable]]) -> Callable:
    def fail() -> Any:
        preds = [pred for pred, _ in pairs]
        Assert(False, ["Input error: None of conditions evaluated as True:", *preds])
        return pairs[-1][1]() if state.trace is not None else None

    return fail


@export("switch_case")
def switch_case(branch_index: Any, branch_fns: Any, default: Callable | None = None,
                name: str = "switch_case") -> Any:
    """The result of `branch_fns[branch_index]`; an index out of range takes `default`, or the last.

    >>> [int(tf.switch_case(tf.constant(i), [lambda: 10, lambda: 20])) for i in (0, 1, 7, -1)]
    [10, 20, 20, 20]
    """
    if not isinstance(branch_index, Tensor) or not branch_index.dtype.is_integer:
        raise TypeError(f"tf.switch_case: `branch_index` must be an integer Tensor, got "
                        f"{branch_index!r}.")
    branches = _branches(branch_fns)
    if default is not None:
        branches.append(default)
    if branch_index.ndim:
        raise errors.invalid("Case", "`branch_index` must be a scalar, got shape "
                                     f"{branch_index.shape}")
    return choose(cast(branch_index, dtype=_INT32), tuple(branches))


def _branches(given: Any) -> list[Callable]:
    """The branches in the order of their keys, which must be 0, 1, 2 …"""
    if not given:
        raise ValueError("tf.switch_case: `branch_fns` must hold at least one function.")
    if not isinstance(given, (list, tuple, dict)):
        raise TypeError(f"tf.switch_case: `branch_fns` must be a list, tuple or dict, got "
                        f"{given!r}.")
    pairs: list[Any] = list(given.items()) if isinstance(given, dict) else list(given)
    if all(callable(one) for one in pairs):
        return pairs
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], int):
            raise TypeError("tf.switch_case: each entry of `branch_fns` must be a function, or a "
                            f"pair of an int and a function; got {pair!r}.")
        _callable(pair[1], "switch_case", f"branch_fns[{pair[0]}]")
    keys = sorted(key for key, _ in pairs)
    if keys != list(range(len(keys))):
        raise ValueError(f"tf.switch_case: the keys of `branch_fns` must be 0 to {len(keys) - 1}, "
                         f"each once; got {keys}.")
    return [function for _, function in sorted(pairs, key=lambda pair: pair[0])]


# -- loops -----------------------------------------------------------------------------------------
@export("while_loop")
@attributes(parallel_iterations=some, back_prop=compared)
def while_loop(cond: Callable, body: Callable, loop_vars: Any, shape_invariants: Any = None,
               parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
               maximum_iterations: Any = None, name: str | None = None) -> Any:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds; return the last ones.

    >>> tf.while_loop(lambda i: i < 10, lambda i: (i + 3,), (tf.constant(0),))
    (<tf.Tensor: shape=(), dtype=int32, numpy=12>,)

    Eager loops ignore `shape_invariants`, `parallel_iterations`, `back_prop` and `swap_memory`:
    shapes may change freely, and iterations run in order.
    """
    _callable(cond, "while_loop", "cond")
    _callable(body, "while_loop", "body")
    loop_vars = nest.map_structure(_read, loop_vars)
    _check_loop_vars(loop_vars)
    limit = _limit(maximum_iterations)
    loop_vars = repeat(cond, body, loop_vars, limit, shape_invariants)
    return nest.map_structure(_as_result, loop_vars, expand_composites=True)


def _read(x: Any) -> Any:
    return x.value() if isinstance(x, Variable) else x


def _check_loop_vars(loop_vars: Any) -> None:
    if isinstance(loop_vars, Tensor):
        raise ValueError("tf.while_loop: `loop_vars` must be a list or tuple of tensors, got "
                         f"{loop_vars!r}.")
    if not loop_vars:
        raise ValueError("tf.while_loop: `loop_vars` must hold at least one tensor.")
    if not isinstance(loop_vars, (list, tuple)):
        raise TypeError(f"tf.while_loop: `loop_vars` must be a list or tuple, got {loop_vars!r}.")


def _limit(maximum_iterations: Any) -> Any:
    if maximum_iterations is None:
        return None
    limit = operand(maximum_iterations)
    if limit.ndim:
        raise ValueError("tf.while_loop: `maximum_iterations` must be a scalar, got shape "
                         f"{limit.shape}.")
    return int(limit._value) if type(limit) is Tensor else limit


def _as_result(x: Any) -> Any:
    return x if isinstance(x, TensorArray) else convert(x)


# -- ordering and grouping -------------------------------------------------------------------------
@export("identity_n")
def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """New tensors equal to those of a list."""
    if not isinstance(input, (list, tuple, Tensor, Variable)):
        raise TypeError(f"tf.identity_n: `input` must be a list of tensors, got {input!r}.")
    values = list(input)
    if not values:
        raise errors.invalid("IdentityN", "`input` must hold at least one tensor")
    return [_identity(operand(x)) for x in values]


@export("group")
def group(*inputs: Any, **kwargs: Any) -> Any:
    """Waits for all `inputs`; eagerly they have happened already. In a tf.Graph, an operation."""
    if state.trace is not None:
        graph = open_graph()
        if graph is not None:
            return graph.group(nest.flatten(inputs), kwargs.get("name"))
        for one in nest.flatten(inputs):
            if not (one is None or hasattr(one, "device") or isinstance(one, CompositeTensor)):
                raise TypeError("'inputs' should be zero or more (nested) Tensors. Received "
                                f"{shown(one)} with type '{type(one)}'.")  # None: `no_op` gives it
    return None


@export("no_op")
def no_op(name: str | None = None) -> Any:
    """Does nothing."""
    graph = open_graph()
    return None if graph is None else graph.group((), name or "NoOp")


@export("tuple")
def tuple_of(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list:
    """The list of `tensors`, all computed before any is used; eagerly they are already."""
    if state.trace is not None and control_inputs is not None:
        for one in control_inputs:  # None is what `group` gives in a tf.function
            if one is not None and not isinstance(one, (AnyTensor, CompositeTensor)) and (
                    not hasattr(one, "outputs")):  # which operations have
                raise TypeError("'control_inputs' must only contain Operation or Tensor. "
                                f"Received: {type(one)}")
    if state.trace is not None:
        bool(tensors)  # arrays and ragged tensors are neither true nor false
        tensors = [one if one is None or isinstance(one, CompositeTensor) else operand(one)
                   for one in tensors]
    graph = open_graph()
    if graph is not None:
        with graph.control_dependencies([
                *[x for x in tensors if x is not None], *(control_inputs or ())]):
            return [None if x is None else _identity(operand(x)) for x in tensors]
    return list(tensors)


# -- assertion -------------------------------------------------------------------------------------
def _assert_kernel(condition: Any, *data: Any, summarize: int) -> tuple:
    if condition:
        return ()
    shown = "\n".join(_summary(one, summarize) for one in data)
    truth = f"tf.Tensor({condition}, shape={condition.shape}, dtype={condition.dtype})"
    raise errors.InvalidArgumentError(
        None, None, f"Expected '{truth}' to be true. Summarized data: {shown}")


def _summary(value: Any, most: int) -> str:
    if not value.ndim:
        return str(value[()])
    flat = value.ravel()
    shown = [str(one) for one in flat[:most].tolist()] if most >= 0 else [
        str(one) for one in flat.tolist()]
    return ", ".join(shown + ["..."] * (0 <= most < flat.size))


assert_true = define("assert_true", kernel=_assert_kernel, shape=lambda *specs, **attrs: (),
                     vjp=NONDIFF("an assertion has no result"), args=("*values",), multi=True,
                     stateful=True, tf_name="Assert", batch=loop,
                     check=[Case([True], (2,), summarize=3, grad=False)])
set_traits(assert_true, only_checks=True)


@export("Assert", "debugging.Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None,
           name: str | None = None) -> Any:
    """InvalidArgumentError with `data` in its message unless `condition` holds."""
    if summarize is not None and state.trace is not None:
        summarize = whole("summarize", summarize)

    def check() -> None:
        assert_true(operand(condition), *[operand(one) for one in data],
                    summarize=3 if summarize is None else summarize)

    graph = open_graph()
    return check() if graph is None else graph.effect_of(check)


# -- the clock -------------------------------------------------------------------------------------
def _timestamp_kernel() -> np.float64:
    return np.float64(time.time())


_timestamp = define("timestamp", kernel=_timestamp_kernel, shape=lambda: Spec((), _FLOAT64),
                    vjp=NONDIFF("the time depends on nothing"), args=(), stateful=True, batch=loop,
                    check=[Case(grad=False)])


@export("timestamp")
def timestamp(name: str | None = None) -> Tensor:
    """Seconds since 1970 when this runs; inside a tf.function, at each call."""
    return _timestamp()
