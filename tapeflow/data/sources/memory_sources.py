"""Datasets that read no other: from_tensors, from_tensor_slices, range, from_generator, random …"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import known_as, publish
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, escaped
from tapeflow.data.class_names import named
from tapeflow.data.dataset import MOST_STACKED, DatasetV2, source
from tapeflow.data.elements.batch_specs import without_batch
from tapeflow.data.elements.columnar import elements_of_columns
from tapeflow.data.elements.parameters import integer
from tapeflow.data.elements.structure import (
    Structure,
    common_spec,
    describe,
    is_structure,
    map_leaves,
    normalise,
)
from tapeflow.data.iterators.iteration import Run
from tapeflow.ops.control.py_function import _failure


def _filled(structure: Structure, op: str) -> Structure:
    """A structure of elements that hold a tensor at least."""
    if not structure.tensors:
        raise errors.invalid(op, "Length for attr 'Toutput_types' of 0 must be at least minimum 1: "
                                 "the element has no tensor.")
    return structure


@named("ops.from_tensors_op")
class _TensorDataset(DatasetV2):
    """One element."""

    def __init__(self, tensors: Any):
        element = normalise(tensors)
        structure = _filled(Structure(describe(element)), "TensorDataset")
        self._set(structure, (), tuple(structure.unpack_tensors(element)))

    def _start(self, run: Run) -> Iterator[list]:
        return iter([[x._value for x in self._tensors]])

    def _cardinality(self) -> int:
        return 1


@source
def from_tensors(tensors: Any, name: str | None = None) -> DatasetV2:
    """A dataset of one element."""
    return _TensorDataset(tensors)


@named("ops.from_tensor_slices_op")
class _TensorSliceDataset(DatasetV2):
    """The rows of tensors."""

    def __init__(self, tensors: Any):
        element = normalise(tensors)
        whole = Structure(describe(element))
        if not whole.leaves or element is None:
            raise ValueError("Invalid `tensors`. `tensors` should not be empty.")
        for spec in whole.tensors:
            if spec.shape.rank == 0:
                raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        parts = whole.unpack_tensors(element)
        structure = Structure(without_batch(whole.spec, "from_tensor_slices"))
        lengths = {x.shape[0] for x in parts if x.shape.rank and x.shape[0] is not None}
        if whole.plain and len(lengths) > 1:
            raise ValueError(f"Dimensions {' and '.join(map(str, sorted(lengths)))} are not "
                             "compatible: all tensors must have the same number of rows.")
        self._whole = whole
        self._set(structure, (), tuple(parts))
        for x in parts:
            escaped(x)

    def _in_memory(self) -> bool:
        return self._whole.plain

    def _stacked(self) -> list[np.ndarray]:
        columns = [x._value for x in self._tensors]
        if len({len(column) for column in columns}) > 1:
            raise errors.invalid("TensorSliceDataset", "All components must have the same size in "
                                                       "the 0th dimension")
        return columns

    def _start(self, run: Run) -> Iterator[Any]:
        if self._whole.plain:
            return elements_of_columns(self._stacked())
        from tapeflow.data.elements.ragged_sparse import elements_of_batch
        return elements_of_batch(self._whole, self._structure, [x._value for x in self._tensors])

    def _cardinality(self) -> int:
        if not self._whole.plain:
            from tapeflow.data.elements.ragged_sparse import batch_size_of
            return batch_size_of(self._whole, [x._value for x in self._tensors])
        return len(self._tensors[0]._value)


@source
def from_tensor_slices(tensors: Any, name: str | None = None) -> DatasetV2:
    """A dataset of the rows of `tensors`, a structure of tensors of one length.

    >>> [x.numpy().tolist() for x in tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    return _TensorSliceDataset(tensors)


@named("ops.range_op")
class _RangeDataset(DatasetV2):
    """Numbers at equal distances."""

    def __init__(self, *args: Any, output_type: Any = dtypes.int64, name: str | None = None):
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid `args`. The length of `args` should be between 1 and 3 but "
                             f"was {len(args)}.")
        start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
        limits = (integer(start, "start"), integer(stop, "stop"), integer(step, "step"))
        self._dtype = dtypes.as_dtype(output_type)
        self._set(TensorSpec((), self._dtype), (), limits)

    def _values(self) -> range:
        start, stop, step = [int(x._value) for x in self._tensors]
        if step == 0:
            raise errors.invalid("RangeDataset", "step must be a non-zero integer.")
        return range(start, stop, step)

    def _in_memory(self) -> bool:
        return len(self._values()) <= MOST_STACKED

    def _stacked(self) -> list[np.ndarray]:
        span = self._values()
        return [np.arange(span.start, span.stop, span.step, dtype=np.int64).astype(
            self._dtype.np, copy=False)]

    def _start(self, run: Run) -> Iterator[Any]:
        if self._in_memory():
            return elements_of_columns(self._stacked())
        kind = self._dtype.np.type
        return ([kind(i)] for i in self._values())

    def _cardinality(self) -> int:
        return len(self._values())


def range_(*args: Any, **kwargs: Any) -> DatasetV2:
    """Numbers from start (0) to stop by step (1), as Python's range; int64.

    >>> [int(x) for x in tf.data.Dataset.range(1, 10, 3)]
    [1, 4, 7]
    """
    return _RangeDataset(*args, **kwargs)


setattr(DatasetV2, "range", staticmethod(range_))  # noqa: B010


# -- generators ------------------------------------------------------------------------------------
@named("ops.flat_map_op")
class _GeneratorDataset(DatasetV2):
    """What a Python generator yields."""

    def __init__(self, generator: Callable, spec: Any, args: tuple):
        self._generator = generator
        self._set(spec, (), tuple([convert(x) for x in args]))

    def _is_slow(self) -> bool:
        return True

    def _start(self, run: Run) -> Iterator[Any]:
        return _Yielded(self._generator, self._structure,
                        [x.numpy() for x in self._tensors])


_GeneratorDataset.__name__ = _GeneratorDataset.__qualname__ = "_FlatMapDataset"


class _Yielded:
    """Runs a generator; what it yields is converted and checked."""

    __slots__ = ("_args", "_done", "_function", "_iterator", "_nested", "_structure")

    def __init__(self, function: Callable, structure: Structure, args: list):
        self._function, self._structure, self._args = function, structure, args
        self._nested = is_structure(structure.spec)
        self._iterator: Any = None
        self._done = False

    def __iter__(self) -> _Yielded:
        return self

    def __next__(self) -> list:
        if self._done:
            raise StopIteration
        try:
            if self._iterator is None:
                self._iterator = iter(self._function(*self._args))
            try:
                element = next(self._iterator)
            except StopIteration:
                self._done, self._iterator = True, None
                raise
            return self._checked(element)
        except StopIteration:
            raise
        except errors.OpError:
            raise
        except unsignalled(Exception) as error:
            failure: Any = _failure(error)
            raise type(failure)(None, None, str(failure.message).replace(
                "EagerPyFunc", "IteratorGetNext")) from error

    def _checked(self, element: Any) -> list:
        structure = self._structure
        if not self._nested:
            return _leaf(structure.leaves[0], element)
        try:
            leaves = nest.flatten_up_to(structure.spec, element)
        except unsignalled(TypeError, ValueError) as error:
            raise TypeError("`generator` yielded an element that did not match the expected "
                            f"structure. The expected structure was "
                            f"{map_leaves(lambda one: one, structure.spec)}, but the yielded "
                            f"element was {element}.") from error
        values: list[Any] = []
        for spec, leaf in zip(structure.leaves, leaves, strict=True):
            values += _leaf(spec, leaf)
        return values


def _leaf(spec: TypeSpec, leaf: Any) -> list:
    if not isinstance(spec, TensorSpec):
        if not spec.is_compatible_with(leaf):
            raise TypeError(f"`generator` yielded an element of {leaf!r} where an element of "
                            f"{spec!r} was expected.")
        return [x._value for x in nest.flatten(spec._to_components(leaf))]
    try:
        value = _as_value(leaf, spec.dtype)
    except unsignalled(TypeError, ValueError) as error:
        raise TypeError(f"`generator` yielded an element that did not match the expected "
                        f"structure. The expected structure was {spec}, but the yielded element "
                        f"was {leaf}.") from error
    if not spec.shape.is_compatible_with(value.shape):
        raise TypeError(f"`generator` yielded an element of shape {value.shape} where an element "
                        f"of shape {spec.shape} was expected.")
    return [value]


def _as_value(leaf: Any, dtype: dtypes.DType) -> Any:
    if (type(leaf) is int and dtype.kind in "iuf") or (type(leaf) is float and dtype.kind == "f"):
        try:
            return dtype.np.type(leaf)
        except unsignalled(OverflowError):
            pass
    if isinstance(leaf, Tensor):
        return convert(leaf, dtype)._value
    if isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind not in "USOT":
        if dtype.kind == "O":
            raise TypeError(f"{leaf!r} is no text")
        return _cast(leaf, dtype)
    return convert(leaf, dtype)._value


def _cast(value: Any, dtype: dtypes.DType) -> Any:
    """Numbers in the dtype asked for; tensors never see later changes of an array."""
    if value.dtype.kind == "c" and dtype.kind not in "c":
        raise TypeError("complex numbers")
    return np.array(value, dtype.np)[()] if isinstance(value, np.ndarray) else value.astype(
        dtype.np)


@source
def from_generator(generator: Callable, output_types: Any = None, output_shapes: Any = None,
                   args: Any = None, output_signature: Any = None,
                   name: str | None = None) -> DatasetV2:
    """The elements that `generator(*args)` yields, each time it is called anew.

    `output_signature`, a structure of TypeSpecs, or `output_types` and `output_shapes` say what
    they look like.
    """
    if not callable(generator):
        raise TypeError("`generator` must be a Python callable.")
    if output_signature is not None:
        if output_types is not None:
            raise TypeError("The `output_types` argument can not be used together with the "
                            "`output_signature` argument.")
        if output_shapes is not None:
            raise TypeError("The `output_shapes` argument can not be used together with the "
                            "`output_signature` argument.")
        spec = map_leaves(_type_spec, output_signature)
    elif output_types is None:
        raise TypeError("Either `output_signature` or `output_types` must be specified.")
    else:
        spec = legacy_spec(output_types, output_shapes)
    if isinstance(args, (Tensor, dict)):
        raise TypeError(f"from_generator: `args` must be a sequence, got {args!r}.")
    return _GeneratorDataset(generator, spec, () if args is None else tuple(args))


def _type_spec(leaf: Any) -> TypeSpec:
    if not isinstance(leaf, TypeSpec):
        raise TypeError(f"`output_signature` must contain objects that are subclass of "
                        f"`tf.TypeSpec` but found {type(leaf)} which is not.")
    return leaf


def legacy_spec(types: Any, shapes: Any) -> Any:
    """Types and shapes in two structures, as one of TensorSpecs."""
    found = map_leaves(dtypes.as_dtype, types)
    if shapes is None:
        return map_leaves(lambda one: TensorSpec(None, one), found)
    flat = nest.flatten_up_to(map_leaves(lambda one: 0, types), shapes)
    return nest.pack_sequence_as(found, [
        TensorSpec(TensorShape(shape), one)
        for one, shape in zip(nest.flatten(found), flat, strict=True)])


# -- counting, lists -------------------------------------------------------------------------------
@source
def counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64,
            name: str | None = None) -> DatasetV2:
    """start, start + step, … without end."""
    first, by = convert(start, dtypes.as_dtype(dtype)), convert(step, dtypes.as_dtype(dtype))
    return DatasetV2.from_tensors(0).repeat().scan(first, lambda now, _: (now + by, now))


publish(known_as(lambda start=0, step=1, dtype=dtypes.int64: counter(start, step, dtype),
                 "data.experimental.Counter"), "data.experimental.Counter")


def from_list(elements: Any, name: str | None = None) -> DatasetV2:
    """A dataset of the elements of a Python list, all of one structure."""
    if not isinstance(elements, list):
        raise TypeError(f"`elements` must be a list, got {type(elements)}.")
    if not elements:
        raise ValueError("Empty list.")
    found = [normalise(one) for one in elements]
    return _ListDataset(found)


publish(from_list, "data.experimental.from_list")


@named("experimental.ops.from_list")
class _ListDataset(DatasetV2):
    """Elements that are given one by one."""

    def __init__(self, elements: list):
        specs = [describe(one) for one in elements]
        spec = specs[0]
        for other in specs[1:]:
            merged = common_spec(spec, other)
            if merged is None:
                raise TypeError(f"Incompatible elements: {spec} and {other}.")
            spec = merged
        structure = _filled(Structure(spec), "ListDataset")
        self._size = len(elements)
        self._set(structure, (), tuple([x for one in elements
                                        for x in structure.unpack_tensors(one)]))

    def _start(self, run: Run) -> Iterator[list]:
        width = len(self._structure.tensors)
        flat = [x._value for x in self._tensors]
        return iter([flat[i * width:(i + 1) * width] for i in range(self._size)])

    def _cardinality(self) -> int:
        return self._size


class _ValuesDataset(DatasetV2):
    """Elements that are bare values already: a window, a bucket."""

    def __init__(self, structure: Structure, elements: list):
        self._elements = elements
        self._structure, self._inputs, self._tensors = structure, (), ()
        self._variant = None

    def _start(self, run: Run) -> Iterator[list]:
        return iter(self._elements)

    def _cardinality(self) -> int:
        return len(self._elements)

