"""Small functions of TensorFlow's framework that libraries call from inside."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, MutableMapping, MutableSet
from typing import Any

import tapeflow
from tapeflow.base import nest
from tapeflow.core.values.convert import made_by_registered
from tapeflow.core.values.tensor import CompositeTensor, Reference, Tensor
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


def smart_constant_value(pred: Any) -> Any:
    """The value of a condition that is known now, else None."""
    if isinstance(pred, bool) or pred in (0, 1):
        return bool(pred)
    if not tapeflow.is_tensor(pred):
        raise TypeError("Argument `pred` must be a Tensor, or a Python bool, or 1 or 0. Received: "
                        f"pred={pred} of type {type(pred).__name__}")
    return tapeflow.get_static_value(pred)


def as_shape(shape: Any) -> Any:
    """A TensorShape."""
    return shape if isinstance(shape, tapeflow.TensorShape) else tapeflow.TensorShape(shape)


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


# -- by identity -----------------------------------------------------------------------------------
class ObjectIdentityDictionary(MutableMapping):
    """A dict whose keys are compared by identity."""

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage: dict[Reference, Any] = {}
        self.update(dict(*args, **kwargs))

    def __getitem__(self, key: Any) -> Any:
        return self._storage[Reference(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[Reference(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[Reference(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.deref() for key in self._storage)


class ObjectIdentitySet(MutableSet):
    """A set whose members are compared by identity."""

    def __init__(self, *args: Any):
        self._storage = {Reference(one) for one in (args[0] if args else ())}

    def __contains__(self, key: object) -> bool:
        return Reference(key) in self._storage

    def add(self, value: Any) -> None:
        self._storage.add(Reference(value))

    def discard(self, value: Any) -> None:
        self._storage.discard(Reference(value))

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.deref() for key in self._storage)
