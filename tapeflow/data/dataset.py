"""tf.data.Dataset: what all datasets have in common.

A dataset is a node: the datasets that it reads (`_inputs`), parameters (`_tensors`) and what its
class adds. `_start(run)` gives an iterator over flat elements; `run` belongs to one iterator of the
user. Inside a trace a dataset is also a value of the graph: making one is a node of it, whose
kernel makes the real dataset of the values at hand, and `_variant_tensor` is its handle.

A class that can give many rows at once has `_table()`, columns of all of them, or `_reader(run)`,
whose `read(n)` gives the next ones; `_tabular()` and `_readable()` say whether it can.
Transformations attach themselves with `@method`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exports import export
from tapeflow.base.specs import CompositeSpec
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import Trackable
from tapeflow.data.elements.structure import HANDLE, Structure, handle, held

F = TypeVar("F", bound=Callable)

INFINITE = -1
UNKNOWN = -2
MOST_TABLE = 1 << 24  # rows of a table that is made for the purpose
NO_GRADIENT = NONDIFF("datasets are not differentiated")


class Run:
    """One iterator of the user: what the datasets below it share.

    instances  functions of this run: random ops in them begin anew
    drawn      seeds that shuffles have taken: number in the dataset's row, seeds, the row's own
    replay     seeds to take instead, when an iterator goes on from a checkpoint
    """

    __slots__ = ("_branches", "drawn", "instances", "replay")

    def __init__(self, replay: list | None = None) -> None:
        self.instances: dict[int, Any] = {}
        self.drawn: list[tuple] = []
        self.replay: list[tuple] = list(reversed(replay or []))
        self._branches: dict[tuple, tuple[Run, Any]] = {}

    def branch(self, owner: DatasetV2, index: int) -> Run:
        """The run of one of several inputs: a dataset that two of them share is not shared here.

        It is the same for every pass over `owner`.
        """
        key = (id(owner._structure), index)  # which copies of a dataset have in common
        if key not in self._branches:
            made = Run()
            made.drawn, made.replay = self.drawn, self.replay
            self._branches[key] = (made, owner._structure)
        return self._branches[key][0]


def graph_op(name: str, kernel: Callable, results: Callable, tf_name: str) -> Callable:
    """An op that only graphs and this package use; `results(**attrs)` gives specs."""
    return define(name, kernel=kernel, multi=True, args=("*operands",), vjp=NO_GRADIENT,
                  shape=lambda *specs, **attrs: tuple(results(**attrs)), stateful=True,
                  kind="opaque", tf_name=tf_name, internal=True,
                  unsavable="it reads a dataset of the program")


def specs_in_graph(structure: Structure) -> list[Spec]:
    """What a graph knows of an element's tensors."""
    return [Spec(None if one.shape.rank is None else tuple(one.shape.as_list()), one.dtype.np)
            for one in structure.tensors]


ONE_HANDLE = (Spec((), np.dtype(object)),)


def _make_kernel(*values: Any, template: DatasetV2) -> tuple:
    made = object.__new__(type(template))
    made.__dict__.update(template.__dict__)
    count = len(template._inputs)
    made._inputs = tuple([held(value) for value in values[:count]])
    made._tensors = tuple([wrap(value) for value in values[count:]])
    made._variant = None
    made._renew()
    return (handle(made),)


_make = graph_op("make_dataset", _make_kernel, lambda template: ONE_HANDLE, "MakeDataset")


@export("data.Dataset")
class DatasetV2(Composite, Trackable):
    """A sequence of elements, each a structure of tensors, made anew by every iteration.

    >>> [int(x) for x in tf.data.Dataset.range(5).map(lambda x: x * x).skip(1)]
    [1, 4, 9, 16]
    """

    _inputs: tuple
    _tensors: tuple
    _structure: Structure
    _variant: Any
    _options_attr: Any = None

    # Static methods that the modules of sources and transforms define.
    from_tensors: ClassVar[Any]
    from_tensor_slices: ClassVar[Any]
    list_files: ClassVar[Any]
    random: ClassVar[Any]
    sample_from_datasets: ClassVar[Any]
    zip: ClassVar[Any]

    _fuses = False  # whether TensorFlow makes one dataset of this and a repeat of it

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, variant_tensor: Any = None):
        raise TypeError("tf.data.Dataset is not built directly: use Dataset.from_tensor_slices, "
                        "from_generator, range or another of its functions.")

    def _set(self, spec: Any, inputs: tuple = (), tensors: tuple = ()) -> None:
        """Called at the end of every `__init__`."""
        self._structure = spec if isinstance(spec, Structure) else Structure(spec)
        self._inputs, self._tensors, self._variant = inputs, tensors, None
        if state.trace is None:
            self._renew()
        else:
            self._variant, = _make(*[one._variant_tensor for one in inputs], *tensors,
                                   template=self)

    def _renew(self) -> None:
        """Make what iterations of one dataset share: a generator of seeds, a cache."""

    def _start(self, run: Run) -> Iterator[list]:
        """An iterator over flat elements. It goes on after an error, as TensorFlow's do."""
        raise NotImplementedError(f"{type(self).__name__} does not define _start")

    def _tabular(self) -> bool:
        """Whether all rows are in memory anyway; then `_table()` gives them as columns."""
        return False

    def _table(self) -> list[np.ndarray]:
        raise NotImplementedError(f"{type(self).__name__} does not define _table")

    def _readable(self) -> bool:
        """Whether many rows can be had at once; then `_reader(run)` gives them by `read(n)`."""
        return self._tabular()

    def _reader(self, run: Run) -> Any:
        from tapeflow.data.elements.columnar import TableReader
        return TableReader(self._table())

    def _waits(self) -> bool:
        """Whether elements are likely to take time: Python functions and generators are run."""
        return any(one._waits() for one in self._inputs)

    def _draws(self) -> bool:
        """Whether functions may draw random numbers, whose order then matters."""
        function = getattr(self, "_function", None)
        return getattr(function, "draws", False) or any(one._draws() for one in self._inputs)

    def _count(self) -> int:
        """The number of elements, or INFINITE or UNKNOWN."""
        return UNKNOWN

    def _number(self, position: int) -> int:
        return int(self._tensors[position]._value)

    @property
    def _input(self) -> Any:
        return self._inputs[0]

    # -- as a value ------------------------------------------------------------------------------
    @property
    def _variant_tensor(self) -> Tensor:
        return wrap(handle(self)) if self._variant is None else self._variant

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a TypeSpec for each tensor."""
        return self._structure.spec

    def __repr__(self) -> str:
        return f"<{type(self).__name__} element_spec={self.element_spec!r}>"

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        if state.trace is not None:
            raise TypeError("`tf.data.Dataset` does not support `len` with eager execution "
                            "disabled. Use `tf.data.Dataset.cardinality` instead.")
        count = self._count()
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    # -- iterating -------------------------------------------------------------------------------
    def __iter__(self) -> Any:
        from tapeflow.data.iterators import OwnedIterator
        return OwnedIterator(self)

    def __tf_iterate__(self, *statement: Any) -> None:
        """`for x in dataset` in a function that AutoGraph converts."""
        iter(self).__tf_iterate__(*statement)

    def __tf_builtin__(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """A builtin on a dataset in a function that AutoGraph converts."""
        from tapeflow.data.autograph_builtins import builtin
        return builtin(function, args, kwargs) if state.trace is not None else NotImplemented

    def as_numpy_iterator(self) -> Any:
        """An iterator that converts all tensors to NumPy."""
        from tapeflow.data.iterators import NumpyIterator
        return NumpyIterator(self)

    def cardinality(self) -> Tensor:
        """The number of elements; tf.data.INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
        if self._in_graph():
            return _cardinality(self._variant_tensor)[0]
        return wrap(np.int64(self._count()))

    def _in_graph(self) -> bool:
        return self._variant is not None and type(self._variant) is not Tensor

    def apply(self, transformation_func: Callable) -> Any:
        """`transformation_func(self)`, which must be a dataset."""
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`transformation_func` must return a `tf.data.Dataset` object. Got "
                            f"{type(dataset)}.")
        return dataset

    # -- options ---------------------------------------------------------------------------------
    def options(self) -> Any:
        """The options of this dataset and of those it reads."""
        from tapeflow.data.options import Options
        merged = Options()
        for one in self._inputs:
            merged = merged.merge(one.options())
        if self._options_attr is not None:
            merged = merged.merge(self._options_attr)
        merged._set_mutable(False)
        return merged


_cardinality = graph_op("dataset_cardinality", lambda x: (np.int64(held(x)._count()),),
                        lambda: (Spec((), np.dtype("int64")),), "DatasetCardinality")


def public_class(cls: type, module: str, name: str | None = None) -> type:
    """Give a class TensorFlow's name for it."""
    cls.__name__ = cls.__qualname__ = name or cls.__name__
    cls.__module__ = f"tensorflow.python.data.{module}"
    return cls


def named(module: str) -> Callable:
    """Decorator form of `public_class`."""
    return lambda cls: public_class(cls, module)


named("ops.dataset_ops")(DatasetV2)


def method(function: F) -> F:
    """Make a function a method of tf.data.Dataset."""
    setattr(DatasetV2, function.__name__, function)
    function.__qualname__ = f"DatasetV2.{function.__name__}"
    return function


def source(function: F) -> F:
    """Make a function a static method of tf.data.Dataset."""
    setattr(DatasetV2, function.__name__, staticmethod(function))
    function.__qualname__ = f"DatasetV2.{function.__name__}"
    return function


# -- descriptions ----------------------------------------------------------------------------------
@export("data.DatasetSpec")
class DatasetSpec(CompositeSpec):
    """The description of a dataset by its element spec."""

    __slots__ = ("_dataset_shape", "_element_spec")

    def __init__(self, element_spec: Any, dataset_shape: Any = ()):
        from tapeflow.base.shapes import TensorShape
        self._element_spec, self._dataset_shape = element_spec, TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        return self._element_spec

    def _serialize(self) -> tuple:
        return self._element_spec, self._dataset_shape

    @property
    def _component_specs(self) -> Any:
        return [HANDLE]

    def _to_components(self, value: Any) -> Any:
        return [value._variant_tensor]

    def _from_components(self, components: Any) -> Any:
        return _VariantDataset(components[0], self._element_spec)

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """The description of a dataset."""
        return DatasetSpec(value.element_spec)

    def __hash__(self) -> int:
        return hash((DatasetSpec, tuple(nest.flatten(self._element_spec))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self._serialize() == other._serialize()

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape!r})"


DatasetSpec.value_type = DatasetV2
named("ops.dataset_ops")(DatasetSpec)


@named("ops.dataset_ops")
class _VariantDataset(DatasetV2):
    """A dataset behind a handle: what a function gets or returns."""

    def __init__(self, tensor: Tensor, element_spec: Any):
        self._structure = Structure(element_spec)
        self._inputs, self._tensors, self._variant = (), (tensor,), tensor

    def _real(self) -> Any:
        tensor = self._tensors[0]
        if type(tensor) is not Tensor:
            raise RuntimeError("`tf.data.Dataset` only supports Python-style iteration in eager "
                               "mode or within tf.function.")
        return held(tensor)

    def _start(self, run: Run) -> Iterator[list]:
        return self._real()._start(run)

    def _tabular(self) -> bool:
        return self._real()._tabular()

    def _table(self) -> Any:
        return self._real()._table()

    def _readable(self) -> bool:
        return self._real()._readable()

    def _reader(self, run: Run) -> Any:
        return self._real()._reader(run)

    def _waits(self) -> bool:
        return self._real()._waits()

    def _draws(self) -> bool:
        return self._real()._draws()

    def _count(self) -> int:
        return self._real()._count()

    def options(self) -> Any:
        tensor = self._tensors[0]
        return held(tensor).options() if type(tensor) is Tensor else super().options()


def check_dataset(value: Any, where: str, argument: str) -> Any:
    """`value` if it is a dataset, else a TypeError."""
    if not isinstance(value, DatasetV2):
        raise TypeError(f"Invalid `{argument}` of {where}: expected a `tf.data.Dataset`, got "
                        f"{type(value)}.")
    return value


def failed(message: str) -> errors.InvalidArgumentError:
    """The error of an element that cannot be made."""
    return errors.invalid("IteratorGetNext", message)

