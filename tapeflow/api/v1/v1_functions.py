"""Functions of tf.compat.v1 that TensorFlow 2 does not have in any order of arguments.

Loaded when one of their names is asked for. What means something only in a session of a graph is
elsewhere, or absent.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exports import export, known_as, publish
from tapeflow.base.shapes import TensorShape
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.families import matching, operand
from tapeflow.core.scopes import name_scope as name_scope_v2
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.wrapped_names import OF_VALUES, wrap_names
from tapeflow.graph.tracing.symbolic import shape_tuple
from tapeflow.graph.tracing.trace import current_trace
from tapeflow.graph_mode.graph import Graph
from tapeflow.ops.random.streams import seeds


# -- choices and loops -----------------------------------------------------------------------------
@export("compat.v1.where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`tf.where` whose operands have one shape; a vector of conditions picks whole rows."""
    if x is None or y is None:
        return tf.where(condition, x, y, name=name)
    mask, (left, right) = operand(condition), matching(x, y)
    if left.shape.rank is not None and right.shape.rank is not None:
        if not left.shape.is_compatible_with(right.shape):
            raise errors.invalid("Select", (
                "'then' and 'else' must have the same size.  but received: "
                f"{left.shape.as_list()} vs. {right.shape.as_list()}"))
    rank, rows = mask.shape.rank, left.shape.rank
    if rank == 1 and rows is not None and rows > 1:
        mask = tf.reshape(mask, tf.concat(
            [tf.shape(mask), np.ones(rows - 1, np.int32)], 0))
    elif rank not in (0, None) and not mask.shape.is_compatible_with(left.shape):
        raise errors.invalid("Select", (
            f"Inputs to operation Select must have the same size and shape.  Input 0: "
            f"{mask.shape.as_list()} != input 1: {left.shape.as_list()}"))
    return tf.where(mask, left, right, name=name)


@export("compat.v1.cond")
def cond(pred: Any, true_fn: Callable | None = None, false_fn: Callable | None = None,
         strict: bool = False, name: str | None = None, fn1: Callable | None = None,
         fn2: Callable | None = None) -> Any:
    """`tf.cond`; unless it is strict, a list of one result is the result."""
    chosen = tf.cond(pred, fn1 if true_fn is None else true_fn,
                         fn2 if false_fn is None else false_fn, name=name)
    one = isinstance(chosen, (list, tuple)) and len(chosen) == 1
    return chosen[0] if one and not strict else chosen


@export("compat.v1.while_loop")
def while_loop(cond: Callable, body: Callable, loop_vars: Any, shape_invariants: Any = None,
               parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
               name: str | None = None, maximum_iterations: Any = None,
               return_same_structure: bool = False) -> Any:
    """`tf.while_loop`; a single value of the loop needs no list, and is returned without one."""
    one = len(loop_vars) == 1 and not return_same_structure

    def packed(*values: Any) -> Any:
        after = body(*values)
        return after if isinstance(after, (list, tuple)) else [after]

    found = tf.while_loop(
        cond, packed if one else body, loop_vars, shape_invariants=shape_invariants,
        parallel_iterations=parallel_iterations, swap_memory=swap_memory,
        maximum_iterations=maximum_iterations, name=name)
    if not back_prop:
        found = nest.map_structure(tf.stop_gradient, found, expand_composites=True)
    return found[0] if one else found


# -- values ----------------------------------------------------------------------------------------
def _cast_to(name: str) -> Callable:
    def to(x: Any, name: str = name) -> Any:
        return tf.cast(x, dtype)

    dtype = dtypes.as_dtype({"float": "float32", "double": "float64"}.get(name, name))
    known_as(to, f"compat.v1.to_{name}")
    to.__doc__ = f"`tf.cast(x, tf.{dtype.name})`."
    return to


for _name in ("bfloat16", "complex128", "complex64", "double", "float", "int32", "int64"):
    publish(_cast_to(_name), f"compat.v1.to_{_name}")


@export("compat.v1.div")
def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient as Python 2 had it: of integers rounded down."""
    left = operand(x)
    right = operand(y, left.dtype)
    return left // right if left.dtype.is_integer else left / right


@export("compat.v1.py_func")
def py_func(func: Callable, inp: Any, Tout: Any, stateful: bool = True,
            name: str | None = None) -> Any:
    """`tf.numpy_function`; eager, the function sees tensors of NumPy's values as well."""
    return tf.numpy_function(func, inp, Tout, stateful=stateful, name=name)


@export("compat.v1.placeholder_with_default")
def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """The input, in whose place a session may be fed another value.

    In a graph no more is known of its shape than `shape` says.
    """
    value = operand(input)
    if not value.shape.is_compatible_with(TensorShape(shape)):
        raise ValueError(f"The shape {value.shape} of `input` does not fit `shape`, {shape}.")
    if state.trace is None:
        return tf.identity(value)
    sizes = shape_tuple(TensorShape(shape))
    if sizes is None or None in sizes:  # calls of public functions may wait for them
        wrap_names(deferrable, but=OF_VALUES)
    trace = current_trace()
    if isinstance(trace, Graph):
        return trace.with_default(value, sizes, name or "PlaceholderWithDefault")
    made = identity(trace.eager.symbolic(value) if type(value) is Tensor else value)
    made._ir.shape = sizes
    return made


@export("compat.v1.Print")
def Print(input_: Any, data: Any, message: str | None = None, first_n: int | None = None,
          summarize: int | None = None, name: str | None = None) -> Tensor:
    """The input; its evaluation prints the data."""
    tf.print(*([message] if message else []), *data,
                 **({} if summarize is None else {"summarize": summarize}))
    return tf.identity(input_)


# -- names, devices and graphs ---------------------------------------------------------------------
@export("compat.v1.name_scope")
class name_scope(contextlib.AbstractContextManager):
    """A scope of names; `default_name` where `name` is None."""

    def __init__(self, name: str | None, default_name: str | None = None, values: Any = None):
        if not (name is None or isinstance(name, str)):
            raise TypeError("`name` for name_scope must be a string.")
        if name is None and default_name is None:
            raise TypeError("At least one of name (None) and default_name (None) is required.")
        self._name: str = default_name or "" if name is None else name
        self._scope = name_scope_v2(self._name)

    @property
    def name(self) -> str:
        return self._name

    def __enter__(self) -> Any:
        return self._scope.__enter__()

    def __exit__(self, *details: Any) -> Any:
        return self._scope.__exit__(*details)


@export("compat.v1.colocate_with")
@contextlib.contextmanager
def colocate_with(op: Any, ignore_existing: bool = False) -> Iterator[None]:
    """Accepted: there is one device."""
    yield


@export("compat.v1.device")
def device(device_name_or_function: Any) -> Any:
    """`tf.device`; a function of an op is accepted and chooses nothing: there is one device."""
    chosen = device_name_or_function
    return tf.device(None if inspect.isfunction(chosen) else chosen)


# -- switches --------------------------------------------------------------------------------------
def _already_on(name: str) -> None:
    def enable() -> None:
        """Accepted: this is how tapeflow behaves."""

    publish(known_as(enable, f"compat.v1.{name}"), f"compat.v1.{name}")


for _name in ("enable_control_flow_v2", "enable_resource_variables",
              "enable_tensor_equality", "enable_v2_tensorshape"):
    _already_on(_name)


def _refused(name: str, reason: str) -> None:
    def disable() -> None:
        raise NotImplementedError(f"tapeflow cannot {name}: {reason}")

    known_as(disable, f"compat.v1.{name}")
    disable.__doc__ = f"Refused: {reason}"
    publish(disable, f"compat.v1.{name}")


for _name, _reason in {
        "disable_control_flow_v2": "branches and loops of functions are TensorFlow 2's.",
        "disable_resource_variables": "all variables are resource variables.",
        "disable_tensor_equality": "tensors are compared by value.",
        "disable_v2_tensorshape": "sizes of shapes are ints and None."}.items():
    _refused(_name, _reason)


@export("compat.v1.control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Whether branches and loops are TensorFlow 2's: always."""
    return True


@export("compat.v1.resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether variables are resource variables: always."""
    return True


@export("compat.v1.set_random_seed", "compat.v1.random.set_random_seed")
def set_random_seed(seed: int) -> None:
    """`tf.random.set_seed`."""
    tf.random.set_seed(seed)


# Itself, not a wrapper: libraries replace it in the module that it names, and ops ask it there.
publish(seeds.get_seed, "compat.v1.get_seed", "compat.v1.random.get_seed")


# -- sizes and rows --------------------------------------------------------------------------------
@export("compat.v1.dimension_value")
def dimension_value(dimension: Any) -> int | None:
    """The size that a dimension is: sizes are ints and None, as they are in TensorFlow 2."""
    return dimension.value if hasattr(dimension, "value") else dimension


@export("compat.v1.dimension_at_index")
def dimension_at_index(shape: Any, index: int) -> Any:
    """One size of a shape, as a Dimension."""
    size = None if shape.rank is None else shape[index]
    return size if hasattr(size, "value") else tf.compat.v1.Dimension(size)


@export("compat.v1.batch_gather")
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """The rows of each element of a batch, by that element's indices."""
    indices = tf.convert_to_tensor(indices)
    if indices.shape.rank is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    return tf.gather(params, indices, batch_dims=indices.shape.rank - 1, name=name)


@export("compat.v1.sparse_to_dense")
def sparse_to_dense(sparse_indices: Any, output_shape: Any, sparse_values: Any,
                    default_value: Any = 0, validate_indices: bool = True,
                    name: str | None = None) -> Tensor:
    """A tensor of one value that has others at some positions."""
    return tf.raw_ops.SparseToDense(
        sparse_indices=sparse_indices, output_shape=output_shape, sparse_values=sparse_values,
        default_value=tf.convert_to_tensor(
            default_value, tf.convert_to_tensor(sparse_values).dtype),
        validate_indices=validate_indices)


@export("compat.v1.convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None,
                                       name: str | None = None) -> Any:
    """A tensor; a sparse one stays sparse."""
    if isinstance(value, tf.compat.v1.SparseTensorValue):
        value = tf.SparseTensor(*value)
    if isinstance(value, tf.SparseTensor):
        if dtype is not None and not tf.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError(f"Sparse dtype mismatch. Requested: {tf.as_dtype(dtype).name}, "
                               f" Actual: {value.dtype.name}")
        return value
    return tf.convert_to_tensor(value, dtype, name=name)


@export("compat.v1.convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None,
                                        name: str | None = None) -> Any:
    """A tensor; slices stay slices."""
    return value if isinstance(value, tf.IndexedSlices) else tf.convert_to_tensor(
        value, dtype, name=name)


@export("compat.v1.setdiff1d")
def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """The values of `x` that are not in `y`, and where they stand."""
    return tf.raw_ops.ListDiff(x=x, y=y, out_idx=index_dtype)
