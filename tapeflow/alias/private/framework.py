"""Small functions of TensorFlow's framework that libraries call from inside."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import tapeflow
from tapeflow.base import nest
from tapeflow.core.scopes import current_prefix
from tapeflow.core.values.convert import made_by_registered
from tapeflow.core.values.tensor import CompositeTensor, Tensor
from tapeflow.core.values.variable import VariableBase
from tapeflow.train.checkpoint_views import list_objects

_numbers = itertools.count(1)


# -- values and names ------------------------------------------------------------------------------
def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """The value itself if it is a composite, else a tensor of it."""
    if isinstance(value, CompositeTensor) and not isinstance(value, VariableBase):
        if dtype is not None and not tapeflow.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(f"Tensor conversion dtype mismatch. Requested dtype is "
                             f"{tapeflow.as_dtype(dtype).name}, Tensor has dtype "
                             f"{value.dtype.name}: {value!r}")
        return value
    made = made_by_registered(value, None if dtype is None else tapeflow.as_dtype(dtype))
    if isinstance(made, CompositeTensor):
        return made
    return tapeflow.convert_to_tensor(value if made is None else made, dtype=dtype, name=name)


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Any:
    """The input, whose gradient is an error."""
    return tapeflow.raw_ops.PreventGradient(input=input, message=message, name=name)


def name_from_scope_name(name: str) -> str:
    """The name of an op in a scope that is given with its slash."""
    return name[:-1] if name.endswith("/") else name


def strip_name_scope(name: str | None, export_scope: str | None) -> str | None:
    """A name without the scope that it begins with, after the marks of variables and inputs."""
    if not export_scope:
        return name
    scope = export_scope.rstrip("/")
    for mark in ("^", "loc:@", ""):
        if name is not None and name.startswith(f"{mark}{scope}/"):
            return mark + name[len(mark) + len(scope) + 1:]
    return name


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """A name in a scope, which stands after the marks of variables and inputs."""
    if not import_scope:
        return name
    scope = import_scope.rstrip("/")
    mark = next(mark for mark in ("^", "loc:@", "") if name.startswith(mark))
    return f"{mark}{scope}/{name[len(mark):]}"


def get_name_scope() -> str:
    """The scope in which names stand here."""
    return current_prefix().rstrip("/")


def has_default_graph() -> bool:
    """Whether ops go into a graph here that somebody opened."""
    return tapeflow.compat.v1.get_default_graph() is not None and not tapeflow.executing_eagerly()


def convert_n_to_tensor(values: Any, dtype: Any = None, name: str | None = None,
                        preferred_dtype: Any = None) -> list:
    """A tensor of each of some values; `name` is that of all, with numbers."""
    return [tapeflow.convert_to_tensor(
        one, dtype, dtype_hint=preferred_dtype, name=None if name is None else f"{name}_{i}")
        for i, one in enumerate(values)]


def is_dense_tensor_like(t: Any) -> bool:
    """Whether a value acts as a dense tensor: a tensor or a variable."""
    return isinstance(t, (tapeflow.Tensor, VariableBase))


def name_scope(name: str | None, default_name: str | None = None, values: Any = None,
               skip_on_eager: bool = True) -> Any:
    """A scope of names, eagerly too: of ops nothing shows it there."""
    return tapeflow.compat.v1.name_scope(name, default_name, values)


def uid() -> int:
    """A number that no other call in this process gives."""
    return next(_numbers)


@contextlib.contextmanager
def NullContextmanager(*args: Any, **kwargs: Any) -> Iterator[None]:
    """A context that does nothing."""
    yield


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether a tensor is one of a graph."""
    return isinstance(tensor, Tensor) and tensor._interpreter is not None


def is_resource_variable(var: Any) -> bool:
    """Whether a value is a variable."""
    return isinstance(var, VariableBase)


def variable_shape(handle: Any, out_type: Any = tapeflow.int32) -> Any:
    """The sizes of the variable that a handle stands for."""
    return tapeflow.raw_ops.VariableShape(input=handle, out_type=out_type)


def smart_constant_value(pred: Any) -> Any:
    """The value of a condition that is known now, else None."""
    if tapeflow.is_tensor(pred):
        return tapeflow.get_static_value(pred)
    if not isinstance(pred, bool) and pred not in (0, 1):
        raise TypeError("Argument `pred` must be a Tensor, or a Python bool, or 1 or 0. Received: "
                        f"pred={pred} of type {type(pred).__name__}")
    return bool(pred)


def as_shape(shape: Any) -> Any:
    """A TensorShape."""
    return shape if isinstance(shape, tapeflow.TensorShape) else tapeflow.TensorShape(shape)


def unknown_shape(rank: int | None = None) -> Any:
    """A shape of which at most the rank is known."""
    return tapeflow.TensorShape(None if rank is None else [None] * rank)


def constant_value_as_shape(tensor: Any) -> Any:
    """The shape that a vector of sizes is, as far as it is known."""
    return tapeflow.TensorShape(None) if (value := try_evaluate_constant(tensor)) is None else (
        tapeflow.TensorShape([None if size == -1 else int(size) for size in value.tolist()]))


def try_evaluate_constant(tensor: Any) -> Any:
    """The value of a tensor that is known while a graph is made, else None."""
    return tapeflow.get_static_value(tensor)


def convert_variables_to_tensors(values: Any) -> Any:
    """A structure with the values of its variables in their place."""
    def convert(one: Any) -> Any:
        if isinstance(one, VariableBase):
            return tapeflow.convert_to_tensor(one)
        if isinstance(one, CompositeTensor) and hasattr(one, "_convert_variables_to_tensors"):
            return one._convert_variables_to_tensors()
        return one

    return nest.map_structure(convert, values)


def replace_variables_with_atoms(values: Any) -> Any:
    """A structure with zeros in place of its variables; those of composites stay."""
    return nest.map_structure(lambda one: 0 if isinstance(one, VariableBase) else one, values)


def convert_composite_variables(composite_tensor: Any) -> Any:
    """A composite with the values of its variables in their place."""
    return convert_variables_to_tensors(composite_tensor)


def replace_composites_with_components(structure: Any) -> Any:
    """A structure with the tensors of composites in their place, however deep."""
    if isinstance(structure, CompositeTensor) and not isinstance(structure, VariableBase):
        spec: Any = getattr(structure, "_type_spec")  # noqa: B009  # as its class defines it
        return replace_composites_with_components(spec._to_components(structure))
    if not nest.is_nested(structure):
        return structure
    return nest.map_structure(replace_composites_with_components, structure)


def assert_splits_match(nested_splits_lists: Any) -> list:
    """Checks that ragged tensors have the same rows: none needed where they are the same ones."""
    first = nested_splits_lists[0]
    if any(len(other) != len(first) for other in nested_splits_lists):
        raise ValueError("Inputs must have identical ragged splits.")
    return [tapeflow.debugging.assert_equal(a, b, message="Inputs must have identical ragged "
                                                          "splits")
            for other in nested_splits_lists[1:] for a, b in zip(first, other, strict=True)]


def assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool = True,
                          name: str | None = None) -> Any:
    """`variable = variable * decay + value * (1 - decay)`."""
    if zero_debias:
        raise NotImplementedError("tapeflow has no moving averages that start at zero: pass "
                                  "zero_debias=False.")
    rest = tapeflow.cast(1.0 - decay, variable.dtype)
    return variable.assign_sub((variable - value) * rest)


def parameterized_truncated_normal(
        shape: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0, maxvals: Any = 2.0,
        dtype: Any = tapeflow.float32, seed: int | None = None, name: str | None = None) -> Any:
    """Normal numbers between bounds; from a stream of the seed, but not TensorFlow's bits."""
    pair = tapeflow.random.uniform([2], 0, 2**31 - 1, tapeflow.int32, seed=seed)
    means = tapeflow.convert_to_tensor(means, dtype)
    return tapeflow.random.stateless_parameterized_truncated_normal(
        shape, pair, means, stddevs, minvals, maxvals)


def disable_cudnn_autotune(func: Any) -> Any:
    """A test as it is: there is no cuDNN that could choose other algorithms."""
    return func


def InstallStackTraceHandler() -> None:
    """Print the stacks of all threads when the process is killed by a signal."""
    import faulthandler

    faulthandler.enable()


class _AnyTable(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        lookup = tapeflow.lookup
        return isinstance(instance, (lookup.StaticHashTable, lookup.StaticVocabularyTable,
                                     lookup.experimental.DenseHashTable,
                                     lookup.experimental.MutableHashTable))


class LookupInterface(metaclass=_AnyTable):
    """The class of lookup tables, for isinstance."""


# -- variables of objects --------------------------------------------------------------------------
def add_variable(trackable: Any, name: str, shape: Any = None, dtype: Any = "float32",
                 initializer: Any = None, trainable: bool = True) -> Any:
    """A variable that is a child of an object, in no scope of variables."""
    def make(name: str, shape: Any, dtype: Any, initializer: Any, **options: Any) -> Any:
        if initializer is not None and not callable(initializer) and shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        kind = tapeflow.as_dtype(dtype)
        start = initializer
        if start is None:
            start = (tapeflow.initializers.GlorotUniform() if kind.is_floating
                     else tapeflow.zeros_initializer())
        with tapeflow.init_scope():
            value = (lambda: start(shape, dtype=kind)) if callable(start) else start
            return tapeflow.Variable(value, name=name, dtype=kind, **options)

    return trackable._add_variable_with_custom_getter(
        name=name, shape=shape, dtype=dtype, initializer=initializer, getter=make,
        trainable=trainable)


def gather_initializers(root_trackable: Any) -> list:
    """The operations that give the variables below an object their values, in a tf.Graph."""
    found = [getattr(one, "initializer", None) for one in list_objects(root_trackable)]
    return [one for one in found if one is not None]
