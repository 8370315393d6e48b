"""tf.data.Dataset: what all datasets have in common.

A dataset is a node: the datasets that it reads (`_inputs`), parameters (`_tensors`) and what its
class adds. `_start(run)` gives an iterator over flat elements; `run` belongs to one iterator of the
user. Inside a trace a dataset is also a value of the graph: making one is a node of it, whose
kernel makes the real dataset of the values at hand, and `_variant_tensor` is its handle.

A class that can give many elements at once has `_stacked()`, all of them as columns (one array for
each component), or `_reader(run)`, whose `read(n)` gives the next ones; `_in_memory()` and
`_has_reader()` say whether it can.
Transformations attach themselves with `@method`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from tapeflow.base.exports import export
from tapeflow.base.internal_errors import guarded
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.op import Spec
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import Trackable
from tapeflow.data.class_names import named
from tapeflow.data.elements.columnar import ColumnReader
from tapeflow.data.elements.handles import ONE_HANDLE, HandleSpec, graph_op, handle, held
from tapeflow.data.elements.structure import Structure
from tapeflow.data.iterators.iteration import Run
from tapeflow.data.iterators.owned_iterator import OwnedIterator
from tapeflow.data.options import Options

F = TypeVar("F", bound=Callable)

INFINITE = -1
UNKNOWN = -2
MOST_STACKED = 1 << 24  # elements that are stacked for the purpose


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
@named("ops.dataset_ops")
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

    _fuses_with_repeat = False  # whether TensorFlow makes one dataset of this and a repeat of it

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

    def _in_memory(self) -> bool:
        """Whether all elements are in memory anyway; then `_stacked()` gives them as columns."""
        return False

    def _stacked(self) -> list[np.ndarray]:
        raise NotImplementedError(f"{type(self).__name__} does not define _stacked")

    def _has_reader(self) -> bool:
        """Whether many elements can be had at once; then `_reader(run)` gives them by `read(n)`."""
        return self._in_memory()

    def _reader(self, run: Run) -> Any:
        return ColumnReader(self._stacked())

    def _is_slow(self) -> bool:
        """Whether elements are likely to take time: Python functions and generators are run."""
        return any(one._is_slow() for one in self._inputs)

    def _is_random(self) -> bool:
        """Whether functions may draw random numbers, whose order then matters."""
        function = getattr(self, "_function", None)
        return (function is not None and function.traits.draws) or any(
            one._is_random() for one in self._inputs)

    def _cardinality(self) -> int:
        """The number of elements, or INFINITE or UNKNOWN."""
        return UNKNOWN

    def _parameter(self, index: int) -> int:
        return int(self._tensors[index]._value)

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
        count = self._cardinality()
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    # -- iterating -------------------------------------------------------------------------------
    def __iter__(self) -> Any:
        return OwnedIterator(self)

    def __tf_iterate__(self, *statement: Any) -> None:
        """`for x in dataset` in a function that AutoGraph converts."""
        iter(self).__tf_iterate__(*statement)

    def cardinality(self) -> Tensor:
        """The number of elements; tf.data.INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
        if self._in_graph():
            return _cardinality_op(self._variant_tensor)[0]
        return wrap(np.int64(self._cardinality()))

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
        merged = Options()
        for one in self._inputs:
            merged = merged.merge(one.options())
        if self._options_attr is not None:
            merged = merged.merge(self._options_attr)
        merged._set_mutable(False)
        return merged


_cardinality_op = graph_op("dataset_cardinality", lambda x: (np.int64(held(x)._cardinality()),),
                        lambda: (Spec((), np.dtype("int64")),), "DatasetCardinality")


def method(function: F) -> F:
    """Make a function a method of tf.data.Dataset; its accidents are errors of arguments."""
    setattr(DatasetV2, function.__name__, guarded(function))
    function.__qualname__ = f"DatasetV2.{function.__name__}"
    return function


def source(function: F) -> F:
    """Make a function a static method of tf.data.Dataset, likewise."""
    setattr(DatasetV2, function.__name__, staticmethod(guarded(function)))
    function.__qualname__ = f"DatasetV2.{function.__name__}"
    return function


@export("data.DatasetSpec")
@named("ops.dataset_ops")
class DatasetSpec(HandleSpec):
    """The description of a dataset by its element spec."""

    __slots__ = ("_dataset_shape",)
    value_type = DatasetV2

    def __init__(self, element_spec: Any, dataset_shape: Any = ()):
        super().__init__(element_spec)
        self._dataset_shape = TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        return self._element_spec

    def _serialize(self) -> tuple:
        return self._element_spec, self._dataset_shape

    def _from_components(self, components: Any) -> Any:
        return _VariantDataset(components[0], self._element_spec)

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape!r})"


class _ForwardingDataset(DatasetV2):
    """Gives what another dataset gives."""

    def _target(self) -> Any:
        return self._input

    def _start(self, run: Run) -> Iterator[list]:
        return self._target()._start(run)

    def _in_memory(self) -> bool:
        return self._target()._in_memory()

    def _stacked(self) -> Any:
        return self._target()._stacked()

    def _has_reader(self) -> bool:
        return self._target()._has_reader()

    def _reader(self, run: Run) -> Any:
        return self._target()._reader(run)

    def _is_slow(self) -> bool:
        return self._target()._is_slow()

    def _is_random(self) -> bool:
        return self._target()._is_random()

    def _cardinality(self) -> int:
        return self._target()._cardinality()


@named("ops.dataset_ops")
class _VariantDataset(_ForwardingDataset):
    """A dataset behind a handle: what a function gets or returns."""

    def __init__(self, tensor: Tensor, element_spec: Any):
        self._structure = Structure(element_spec)
        self._inputs, self._tensors, self._variant = (), (tensor,), tensor

    def _target(self) -> Any:
        tensor = self._tensors[0]
        if type(tensor) is not Tensor:
            raise RuntimeError("`tf.data.Dataset` only supports Python-style iteration in eager "
                               "mode or within tf.function.")
        return held(tensor)

    def options(self) -> Any:
        tensor = self._tensors[0]
        return held(tensor).options() if type(tensor) is Tensor else super().options()


@named("ops.dataset_ops")
class _OptionsDataset(_ForwardingDataset):
    """A dataset with options."""

    def __init__(self, dataset: DatasetV2, options: Any):
        self._options_attr = dataset.options().merge(options)
        self._set(dataset._structure, (dataset,))


@method
def with_options(self: DatasetV2, options: Any, name: str | None = None) -> DatasetV2:
    """This dataset with further options."""
    return _OptionsDataset(self, options)


def check_dataset(value: Any, where: str, argument: str) -> Any:
    """`value` if it is a dataset, else a TypeError."""
    if not isinstance(value, DatasetV2):
        raise TypeError(f"Invalid `{argument}` of {where}: expected a `tf.data.Dataset`, got "
                        f"{type(value)}.")
    return value
