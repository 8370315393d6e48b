"""Python functions called as ops: tf.py_function and tf.numpy_function.

py_function runs eager code that tapes look into; numpy_function runs NumPy code that they cannot.
Inside a batch the function runs for one element after another. (A NumPy function with a gradient:
`ops.numerical`.)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.autodiff.tape import GradientTape, UnconnectedGradients
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Op, Spec, define
from tapeflow.core.record.traits import set_traits
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable


def _inputs(inp: Any, where: str) -> list[Tensor]:
    if isinstance(inp, (Tensor, Variable)) and not inp.ndim or not hasattr(inp, "__iter__"):
        raise TypeError(f"tf.{where}: `inp` must be a list of tensors, got {inp!r}.")
    return [operand(x) for x in inp]


def _dtype(one: Any, where: str) -> dtypes.DType:
    if isinstance(one, TensorSpec):
        return one.dtype
    if one is None or nest.is_nested(one):
        raise TypeError(f"tf.{where}: `Tout` must be a dtype, a TensorSpec or a list of them, got "
                        f"{one!r}.")
    return dtypes.as_dtype(one)


# -- py_function -----------------------------------------------------------------------------------
# What an exception inside the function becomes; everything else is an UnknownError.
_ERRORS: tuple[tuple[type[Exception], type[errors.OpError]], ...] = (
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
    (ValueError, errors.InvalidArgumentError),
    (TypeError, errors.InvalidArgumentError),
)


def _failure(error: Exception) -> errors.OpError:
    kind: Any = next((ours for theirs, ours in _ERRORS if isinstance(error, theirs)),
                errors.UnknownError)
    return kind(None, None, f"{type(error).__name__}: {error} [Op:EagerPyFunc]")


def _run(func: Callable, xs: tuple, wanted: tuple) -> list[Tensor]:
    """Call `func` on Tensors; its results as Tensors of the dtypes `wanted`."""
    try:
        result = func(*xs)
        listed = list(result) if isinstance(result, (list, tuple)) else [result]
        if len(listed) < len(wanted):
            raise ValueError(f"the function returned {len(listed)} values, `Tout` names "
                             f"{len(wanted)}")
        return [_as_result(one, dtype) for one, dtype in zip(listed, wanted)]
    except unsignalled(Exception) as error:
        raise _failure(error) from error


def _as_result(one: Any, dtype: dtypes.DType) -> Tensor:
    if isinstance(one, Variable):
        one = operand(one)
    if not isinstance(one, Tensor):
        return convert(one, dtype)
    if one.dtype != dtype:
        raise TypeError(f"the function returned {one.dtype.name}, `Tout` says {dtype.name}")
    return one


def _py_kernel(*values: Any, func: Callable, wanted: tuple) -> tuple:
    return tuple([y._value for y in _run(func, tuple([wrap(x) for x in values]), wanted)])


def _py_vjp(gs: tuple, ys: tuple, *xs: Any, func: Callable, wanted: tuple) -> tuple:
    """Where the run itself could not be recorded: another Python function, which runs it again."""
    bare = not isinstance(gs[0], Tensor)
    operands = tuple([wrap(x) if bare else x for x in (*gs, *xs)])
    inputs = [i for i, x in enumerate(operands[len(gs):]) if _real(x.dtype)]
    found = _call_py(_gradient_of(func, wanted, inputs), operands,
                     tuple([operands[len(gs) + i].dtype for i in inputs]))
    grads: list[Any] = [None] * len(xs)
    for i, g in zip(inputs, found, strict=True):
        grads[i] = g._value if bare else g
    return tuple(grads)


def _real(dtype: dtypes.DType) -> bool:
    return dtype.is_floating or dtype.is_complex


def _gradient_of(func: Callable, wanted: tuple, inputs: list[int]) -> Callable:
    outputs = [k for k, dtype in enumerate(wanted) if _real(dtype)]

    def gradient(*operands: Tensor) -> list[Tensor]:
        gs, xs = operands[:len(wanted)], operands[len(wanted):]
        sources = [xs[i] for i in inputs]
        with GradientTape() as tape:
            tape.watch(sources)
            ys = _run(func, xs, wanted)
        return tape.gradient([ys[k] for k in outputs], sources, [gs[k] for k in outputs],
                             UnconnectedGradients.ZERO)

    return gradient


_py_op = define("py_function", kernel=_py_kernel, multi=True, args=("*inputs",), vjp=_py_vjp,
                shape=lambda *specs, func, wanted: tuple([Spec(None, one.np) for one in wanted]),
                saves="in out", stateful=True, batch=loop, tf_name="EagerPyFunc", internal=True,
                unsavable="it calls a Python function")
set_traits(_py_op, calls_python=True)


@export("py_function")
def py_function(func: Callable | None = None, inp: Any = None, Tout: Any = None,
                name: str | None = None) -> Any:
    """Call `func`, a Python function of eager tensors, with gradients through what it does.

    >>> tf.py_function(lambda x: x * x, [tf.constant(3.0)], tf.float32)
    <tf.Tensor: shape=(), dtype=float32, numpy=9.0>

    Beyond TensorFlow: gradients have any order, and reach the variables that `func` reads.
    """
    if func is None:
        return functools.partial(_decorated, py_function, Tout, name)
    if not callable(func):
        raise ValueError(f"tf.py_function: `func` must be callable, got {func!r}.")
    many = isinstance(Tout, (list, tuple))
    wanted = tuple([_dtype(one, "py_function") for one in (Tout if many else [Tout])])
    xs = tuple(_inputs(inp, "py_function"))
    graph = open_graph()
    if graph is not None and not wanted:
        return graph.effect_of(lambda: _call_py(func, xs, wanted))
    results = _call_py(func, xs, wanted)
    return results if many else results[0]


def _call_py(func: Callable, xs: tuple, wanted: tuple) -> list[Tensor]:
    """Eager tensors go to the function as they are, so that tapes see what it does with them."""
    if is_eager(xs):
        return _run(func, xs, wanted)
    return list(_py_op(*xs, func=func, wanted=wanted))


def _decorated(call: Callable, Tout: Any, name: str | None, func: Callable) -> Callable:
    """`@tf.py_function(Tout=…)`: a function whose arguments are the inputs."""
    return functools.wraps(func)(lambda *args: call(func, args, Tout, name=name))


# -- numpy_function --------------------------------------------------------------------------------
def is_eager(xs: tuple) -> bool:
    """Whether a Python function can run on `xs` here and now."""
    return state.trace is None and all(type(x) is Tensor for x in xs)


def call_foreign(call: Callable, xs: tuple, **attrs: Any) -> tuple:
    """Call the op of a NumPy function; eagerly its exceptions stay the function's own."""
    if not is_eager(xs):
        return call(*xs, **attrs)
    op: Op = call.op  # type: ignore[attr-defined]
    ys = tuple([wrap(y) for y in op.kernel(*[x._value for x in xs], **attrs)])
    if state.recorder is not None:
        state.recorder.note(op, xs, ys, attrs)
    return ys


def _numpy_kernel(*values: Any, func: Callable, wanted: tuple | None) -> tuple:
    # Copies: the function may change what it gets, and tensors never change. In a graph, which
    # knows what is `wanted`, scalars are NumPy's, and a string is bytes.
    copies = [np.array(x) for x in values]
    result = func(*(copies if wanted is None else [x[()] for x in copies]))
    found = tuple([convert(one)._value for one in nest.flatten(result) if one is not None])
    if wanted is not None:
        for i, (value, dtype) in enumerate(zip(found, wanted, strict=False)):
            if value.dtype != dtype.np:
                raise errors.invalid("PyFunc", f"{i}-th value returned by {func} is "
                                               f"{value.dtype}, but expects {dtype.name}")
        if len(found) < len(wanted):
            raise errors.invalid("PyFunc", f"{func} returned {len(found)} values, but expects to "
                                           f"see {len(wanted)} values")
        found = found[:len(wanted)]
    return found


_numpy_op = define("numpy_function", kernel=_numpy_kernel, multi=True, args=("*inputs",),
                   vjp=NONDIFF("tf.numpy_function runs NumPy code, which tapes cannot look into: "
                               "use tf.py_function, or tapeflow.numerical_gradient"),
                   shape=lambda *specs, func, wanted: tuple(
                       [Spec(None, one.np) for one in wanted]), stateful=True,
                   batch=loop, tf_name="PyFunc", internal=True,
                   unsavable="it calls a Python function")
set_traits(_numpy_op, calls_python=True)


@export("numpy_function")
def numpy_function(func: Callable | None = None, inp: Any = None, Tout: Any = None,
                   stateful: bool = True, name: str | None = None) -> Any:
    """Call `func`, a function of NumPy arrays, and give its results as tensors, without gradient.

    >>> tf.numpy_function(np.cumsum, [tf.constant([1.0, 2.0])], tf.float32)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 3.], dtype=float32)>

    Eagerly `Tout` is ignored, as in TensorFlow: dtypes are those of the results.
    `tapeflow.numerical_gradient` gives such a function a gradient.
    """
    if func is None:
        return functools.partial(_decorated, numpy_function, Tout, name)
    if not callable(func):
        raise TypeError(f"tf.numpy_function: `func` must be callable, got {func!r}.")
    if state.trace is None and isinstance(inp, (list, tuple)):  # as NumPy would have them
        inp = [np.array(one) if isinstance(one, (bool, int, float, complex)) else one
               for one in inp]
    xs = tuple(_inputs(inp, "numpy_function"))
    if is_eager(xs):
        results = list(call_foreign(_numpy_op, xs, func=func, wanted=None))
        return results[0] if len(results) == 1 else results or None
    many = isinstance(Tout, (list, tuple))
    wanted = tuple([_dtype(one, "numpy_function") for one in (Tout if many else [Tout])])
    results = list(_numpy_op(*xs, func=func, wanted=wanted))
    return results if many else results[0]
