"""tf.io.parse_example and parse_single_example: features of serialized Examples as tensors.

The features asked for become a `Plan`: which arrays the op returns and how they are put together
after it. The op is a record, so that parsing works in tf.function and tf.data.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import inferred_text, text_operand
from tapeflow.io.parsing import features as F
from tapeflow.io.parsing.example_columns import Columns, Wanted, columns_of, values_of_one
from tapeflow.io.protobuf.wire import DecodeError

_SparseTensor = LatePublic("SparseTensor")
_RaggedTensor = LatePublic("RaggedTensor")

_INT64 = np.dtype("int64")
OP_NAME = "ParseExampleV2"


def known_dtype(value: Any, key: str) -> DType:
    """The dtype of a feature, which must be one that Examples have."""
    if not value:
        raise ValueError(f"Missing type for feature {key}. Received type={value!r}.")
    dtype = dtypes.as_dtype(value)
    if dtype.name not in F.KINDS:
        raise errors.invalid(OP_NAME, f"Value for attr 'Tdense' of {dtype.name} is not in the list "
                                      f"of allowed values: float, int64, string (feature {key})")
    return dtype


class Where:
    """Which of a batch is being read, for the words of errors."""

    __slots__ = ("index",)

    def __init__(self, index: int | None):
        self.index = index

    def wrong(self, key: str, words: str) -> Exception:
        head = f"Key: {key}. " if self.index is None else (
            f"Name: <unknown>, Key: {key}, Index: {self.index}. ")
        return errors.invalid(OP_NAME, f"{head} {words}")

    def missing(self, key: str, dtype: DType) -> Exception:
        head = "" if self.index is None else "Name: <unknown>, "
        name = F.NAMES[F.KINDS[dtype.name]]
        return errors.invalid(OP_NAME, f"{head}Feature: {key} (data type: {name}) is required but "
                                       "could not be found.")


def read(found: F.NamedParts, key: str, dtype: DType, where: Where) -> Any:
    """The values of a feature, or None if it is not there."""
    data = found.get(key)
    if data is None:
        return None
    try:
        kind, values = F.values_of(data, found.form)
    except DecodeError:
        raise where.wrong(key, "Can't parse serialized Example.") from None
    if not kind:
        return None
    wanted = F.KINDS[dtype.name]
    if kind != wanted:
        raise where.wrong(key, f"Data types don't match. Data type: {F.NAMES[kind]} but expected "
                               f"type: {F.NAMES[wanted]}")
    return F.as_array(values)


# -- kinds of features -----------------------------------------------------------------------------
class Dense:
    """A FixedLenFeature: one array."""

    def __init__(self, key: str, feature: F.FixedLenFeature):
        self.key, self.dtype = key, known_dtype(feature.dtype, key)
        if feature.shape is None:
            raise ValueError(f"Missing shape for feature {key}. Received shape={feature.shape}.")
        sizes = TensorShape(feature.shape).as_list()
        if sizes and sizes[0] is None:
            raise ValueError(f"First dimension of shape for feature {key} unknown. Consider using "
                             f"FixedLenSequenceFeature. Received feature={feature}.")
        if None in sizes:
            raise ValueError(f"All dimensions of shape for feature {key} need to be known but "
                             f"received {feature.shape!s}.")
        self.shape: tuple = tuple(sizes)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.default = None
        if feature.default_value is not None:
            given = np.asarray(convert(feature.default_value, self.dtype)._value)
            if given.size != self.size:
                raise errors.invalid("Reshape", f"Input to reshape is a tensor with {given.size} "
                                                f"values, but the requested shape has {self.size}")
            self.default = given.reshape(-1)

    def specs(self, batch: tuple) -> list[Spec]:
        return [Spec((*batch, *self.shape), self.dtype.np)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        out = np.empty((len(rows), self.size), self.dtype.np)
        for i, found in enumerate(rows):
            where = Where(None if single else i)
            values = read(found, self.key, self.dtype, where)
            if values is None:
                if self.default is None:
                    raise where.missing(self.key, self.dtype)
                values = self.default
            if values.size != self.size:
                sizes = ",".join(str(n) for n in self.shape)
                kind = F.NAMES[F.KINDS[self.dtype.name]]
                raise where.wrong(self.key, f"Number of {kind} values != expected.  Values size: "
                                            f"{values.size} but output shape: [{sizes}]")
            out[i] = values
        return [out.reshape((*(() if single else (len(rows),)), *self.shape))]

    def quick_one(self, values: np.ndarray | None) -> list[np.ndarray] | None:
        values = self.default if values is None else values
        if values is None or values.size != self.size:
            return None
        return [values.reshape(self.shape)]

    def quick(self, columns: Columns, k: int) -> list[np.ndarray] | None:
        absent = ~columns.there(k)
        some = bool(absent.any())
        if (some and self.default is None) or (
                columns.counts(k) != np.where(absent, 0, self.size)).any():
            return None
        out = np.empty((columns.rows, self.size), self.dtype.np)
        columns.values(k, np.arange(columns.rows) * self.size, out.reshape(-1))
        if some:
            out[absent] = self.default
        return [out.reshape(columns.rows, *self.shape)]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return tensors[0]


class Padded:
    """A FixedLenSequenceFeature: one array, padded to the longest."""

    def __init__(self, key: str, feature: F.FixedLenSequenceFeature):
        self.key, self.dtype = key, known_dtype(feature.dtype, key)
        self.shape: tuple = tuple(TensorShape(feature.shape).as_list())
        if not feature.allow_missing:
            raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be "
                             "True.")
        self.size = int(np.prod(self.shape, dtype=np.int64))
        default = feature.default_value
        blank: Any = b"" if self.dtype is dtypes.string else 0
        self.fill = blank if default is None else np.asarray(
            convert(default, self.dtype)._value).reshape(-1)[0]

    def specs(self, batch: tuple) -> list[Spec]:
        return [Spec((*batch, None, *self.shape), self.dtype.np)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        parts = []
        for i, found in enumerate(rows):
            values = read(found, self.key, self.dtype, Where(None if single else i))
            values = F.empty(self.dtype) if values is None else values
            if values.size % max(self.size, 1):
                raise errors.invalid(OP_NAME, (
                    f"Error while parsing feature with key {self.key}: number of elements should "
                    f"be divisible by {self.size}, found {values.size} instead"))
            parts.append(values.reshape(-1, *self.shape))
        if single:
            return [parts[0]]
        return [padded(parts, self.shape, self.dtype, self.fill)]

    def quick_one(self, values: np.ndarray | None) -> list[np.ndarray] | None:
        values = F.empty(self.dtype) if values is None else values
        return None if values.size % max(self.size, 1) else [values.reshape(-1, *self.shape)]

    def quick(self, columns: Columns, k: int) -> list[np.ndarray] | None:
        counts = columns.counts(k)
        if not self.size or (counts % self.size).any():
            return None
        width = int(counts.max())
        out = np.full((columns.rows, width), self.fill, self.dtype.np)
        columns.values(k, np.arange(columns.rows) * width, out.reshape(-1))
        return [out.reshape(columns.rows, width // self.size, *self.shape)]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return tensors[0]


def padded(parts: list[np.ndarray], shape: tuple, dtype: DType, fill: Any) -> np.ndarray:
    """Arrays of different lengths as one, filled up at their ends."""
    longest = max([len(one) for one in parts], default=0)
    out = np.full((len(parts), longest, *shape), fill, dtype.np)
    for i, one in enumerate(parts):
        out[i, :len(one)] = one
    return out


def _batch_indices(sizes: Any) -> np.ndarray:
    """(row, index in the row) of all values."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    columns = np.arange(rows.size) - np.repeat(ends - sizes, sizes)
    return np.stack([rows, columns], axis=1).astype(np.int64)


class Sparse:
    """A VarLenFeature: indices, values and shape."""

    def __init__(self, key: str, feature: F.VarLenFeature):
        self.key, self.dtype = key, known_dtype(feature.dtype, key)

    def specs(self, batch: tuple) -> list[Spec]:
        rank = len(batch) + 1
        return [Spec((None, rank), _INT64), Spec((None,), self.dtype.np), Spec((rank,), _INT64)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        parts = []
        for i, found in enumerate(rows):
            values = read(found, self.key, self.dtype, Where(None if single else i))
            parts.append(F.empty(self.dtype) if values is None else values)
        sizes = [one.size for one in parts]
        if single:
            return [np.arange(sizes[0])[:, None], parts[0], np.array(sizes)]
        joined = np.concatenate(parts) if parts else F.empty(self.dtype)
        shape = np.array([len(rows), max(sizes, default=0)])
        return [_batch_indices(sizes), joined, shape]

    def quick_one(self, values: np.ndarray | None) -> list[np.ndarray] | None:
        values = F.empty(self.dtype) if values is None else values
        return [np.arange(values.size)[:, None], values, np.array([values.size])]

    def quick(self, columns: Columns, k: int) -> list[np.ndarray] | None:
        values, counts, _ = columns.flat(k)
        return [_batch_indices(counts), values, np.array([columns.rows, counts.max()])]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return _SparseTensor(*tensors)


class Indexed:
    """A SparseFeature: indices and values of different features."""

    def __init__(self, key: str, feature: F.SparseFeature):
        keys, sizes = feature.index_key, feature.size
        self.keys = list(keys) if isinstance(keys, (list, tuple)) else [keys]
        self.sizes = [int(n) for n in (sizes if isinstance(sizes, (list, tuple)) else [sizes])]
        if len(self.keys) != len(self.sizes):
            raise ValueError("SparseFeature: `index_key` and `size` need one entry for each "
                             f"dimension, got {self.keys} and {self.sizes} (feature {key}).")
        self.key, self.dtype = feature.value_key, known_dtype(feature.dtype, key)
        self.sorted = feature.already_sorted

    def specs(self, batch: tuple) -> list[Spec]:
        rank = len(batch) + len(self.sizes)
        return [Spec((None, rank), _INT64), Spec((None,), self.dtype.np), Spec((rank,), _INT64)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        coords, values = [], []
        for i, found in enumerate(rows):
            where = Where(None if single else i)
            own = read(found, self.key, self.dtype, where)
            own = F.empty(self.dtype) if own is None else own
            columns = []
            for key in self.keys:
                column = read(found, key, dtypes.int64, where)
                columns.append(F.empty(dtypes.int64) if column is None else column)
            if any(column.size != own.size for column in columns):
                raise where.wrong(self.key, "Numbers of indices and of values differ: "
                                            f"{[one.size for one in columns]} and {own.size}")
            lead = [] if single else [np.full(own.size, i, np.int64)]
            coords.append(np.stack([*lead, *columns], axis=1))
            values.append(own)
        rank = len(self.sizes) + (not single)
        indices = np.concatenate(coords) if coords else np.zeros((0, rank), np.int64)
        joined = np.concatenate(values) if values else F.empty(self.dtype)
        if not self.sorted:
            order = np.lexsort(indices.T[::-1])
            indices, joined = indices[order], joined[order]
        shape = np.array([*([] if single else [len(rows)]), *self.sizes])
        return [indices, joined, shape]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return _SparseTensor(*tensors)


class Ragged:
    """A RaggedFeature: values, and row splits from the outermost to the innermost."""

    def __init__(self, key: str, feature: F.RaggedFeature):
        self.key = key if feature.value_key is None else feature.value_key
        self.dtype = known_dtype(feature.dtype, key)
        self.partitions, self.validate = feature.partitions, feature.validate
        self.splits = feature.row_splits_dtype.np

    def specs(self, batch: tuple) -> list[Spec]:
        count = len(self.partitions) + len(batch)
        lengths = [None] * count
        if batch and batch[0] is not None:
            lengths[0] = batch[0] + 1
        return [Spec((None,), self.dtype.np), *[Spec((n,), self.splits) for n in lengths]]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        values: list[np.ndarray] = []
        levels: list[list[np.ndarray]] = [[] for _ in self.partitions]
        counts = []
        for i, found in enumerate(rows):
            where = Where(None if single else i)
            own = read(found, self.key, self.dtype, where)
            own = F.empty(self.dtype) if own is None else own
            values.append(own)
            count = own.size
            for level in reversed(range(len(self.partitions))):
                lengths = self._lengths(self.partitions[level], found, count, where)
                levels[level].append(lengths)
                count = lengths.size
            counts.append(count)
        joined = np.concatenate(values) if values else F.empty(self.dtype)
        found_splits = [_splits(np.concatenate(parts) if parts else np.zeros(0, np.int64))
                        for parts in levels]
        if not single:
            found_splits.insert(0, _splits(np.array(counts, np.int64)))
        return [joined, *[one.astype(self.splits) for one in found_splits]]

    def quick_one(self, values: np.ndarray | None) -> list[np.ndarray] | None:
        return [F.empty(self.dtype) if values is None else values]

    def quick(self, columns: Columns, k: int) -> list[np.ndarray] | None:
        values, counts, _ = columns.flat(k)
        return [values, _splits(counts).astype(self.splits)]

    def _lengths(self, partition: Any, found: F.NamedParts, count: int, where: Where) -> np.ndarray:
        """The lengths of the rows into which a partition cuts `count` values."""
        kind = type(partition).__name__
        if kind == "UniformRowLength":
            length = int(partition.length)
            if length < 1 or count % length:
                raise where.wrong(self.key, f"{count} values are no rows of length {length}")
            return np.full(count // length, length, np.int64)
        given = read(found, partition.key, dtypes.int64, where)
        given = F.empty(dtypes.int64) if given is None else given
        if kind == "RowLengths":
            lengths = given
        elif kind == "RowSplits":
            lengths = np.diff(given)
        elif kind == "RowStarts":
            lengths = np.diff(np.append(given, count))
        elif kind == "RowLimits":
            lengths = np.diff(np.concatenate([[0], given]))
        else:
            lengths = np.bincount(given) if given.size else given
        if lengths.sum() != count or (lengths < 0).any():
            raise where.wrong(self.key, f"The partition {partition} does not fit {count} values")
        return lengths

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        result: Any = tensors[0]
        for splits in reversed(tensors[1:]):
            result = _RaggedTensor.get().from_row_splits(result, splits, validate=False)
        return result


def _splits(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)])


# -- the op ----------------------------------------------------------------------------------------
_KINDS: tuple[tuple[type, type, int], ...] = (
    (F.VarLenFeature, Sparse, 0), (F.SparseFeature, Indexed, 0), (F.FixedLenFeature, Dense, 1),
    (F.FixedLenSequenceFeature, Padded, 1), (F.RaggedFeature, Ragged, 2))


class Plan:
    """The features asked for, in the order of results: sparse, dense, ragged, each by name."""

    def __init__(self, features: Any, kinds: tuple = _KINDS):
        if features is None:
            raise ValueError("Invalid argument: features cannot be None.")
        if not features:
            raise ValueError("Invalid argument: features cannot be empty.")
        ranked: list[tuple[int, str, Any]] = []
        for key in sorted(features):
            found = next((row for row in kinds if isinstance(features[key], row[0])), None)
            if found is None:
                raise ValueError(f"Unsupported {type(features[key]).__name__} {features[key]} for "
                                 f"key '{key}'")
            make: Callable = found[1]
            ranked.append((found[2], key, make(key, features[key])))
        ranked.sort(key=lambda one: one[0])
        self.parts = {key: part for _, key, part in ranked}

    @functools.cached_property
    def wanted(self) -> Wanted | None:
        """What machine code looks for; None if some feature is made of several."""
        parts = self.parts.values()
        if any(isinstance(part, Indexed) or getattr(part, "partitions", ()) for part in parts):
            return None
        found = Wanted([(part.key, part.dtype) for part in parts])
        return found if found.distinct else None

    def specs(self, batch: tuple) -> tuple:
        return tuple([spec for part in self.parts.values() for spec in part.specs(batch)])

    def built(self, tensors: Any, batch: tuple) -> dict[str, Any]:
        """The results by name, of the tensors that the op gave."""
        result, offset = {}, 0
        for key, part in self.parts.items():
            count = len(part.specs(batch))
            result[key] = part.built(list(tensors[offset:offset + count]), not batch)
            offset += count
        return result


def _quick(serialized: np.ndarray, plan: Plan) -> list[np.ndarray] | None:
    """The results by machine code; None where the slow reader has to look."""
    wanted = plan.wanted
    if wanted is None:
        return None
    found: list[np.ndarray] = []
    if serialized.ndim:
        columns = columns_of(serialized, wanted)
        if columns is None:
            return None
        made = (part.quick(columns, k) for k, part in enumerate(plan.parts.values()))
    else:
        values = values_of_one(serialized[()], wanted)
        if values is None:
            return None
        made = (part.quick_one(own) for part, own in zip(plan.parts.values(), values, strict=True))
    for arrays in made:
        if arrays is None:
            return None
        found += arrays
    return found


def _slow(serialized: np.ndarray, plan: Plan) -> list[np.ndarray]:
    """The results, or what is wrong with the Examples."""
    single = not serialized.ndim
    rows = []
    for i, data in enumerate([serialized[()]] if single else serialized.tolist()):
        try:
            rows.append(F.named_parts(F.message_parts(data, 1), 1))
        except DecodeError:
            head = "" if single else f"Name: <unknown>, Index: {i}. "
            raise errors.invalid(OP_NAME, f"{head}Could not parse example input, value: "
                                          f"'{data!r}'") from None
    return [array for part in plan.parts.values() for array in part.arrays(rows, single)]


def _kernel(serialized: np.ndarray, plan: Plan) -> tuple:
    arrays = _quick(serialized, plan)
    if arrays is None:
        arrays = _slow(serialized, plan)
    return tuple([array if array.ndim or array.dtype == object else array[()]
                  for array in arrays])


def _batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """Examples one by one are a vector of them, if each feature has a fixed number of values."""
    dense = all(isinstance(part, Dense) for part in attrs["plan"].parts.values())
    if dense and xs[0].shape.rank == 1:
        return call(xs[0], **attrs)
    return loop(call, size, xs, batched, attrs)


_parse = define("parse_example", kernel=_kernel, args=("serialized",), dtypes="O", multi=True,
                shape=lambda x, plan: plan.specs(x.shape or ()), batch=_batch, internal=True,
                vjp=NONDIFF("what is parsed of bytes has no derivative"), tf_name=OP_NAME)
set_traits(_parse, batch_is_one_call=True)


def _parsed(serialized: Tensor, plan: Plan) -> dict[str, Any]:
    rank = serialized.shape.rank
    if rank is None or rank > 1:
        raise ValueError("tf.io.parse_example: `serialized` must be a scalar or a vector of "
                         f"strings, got shape {serialized.shape}.")
    batch = tuple(serialized.shape.as_list())
    return plan.built(_parse(serialized, plan=plan), batch)


def check_names(names: Any, serialized: Any) -> None:
    """Names of examples are for error messages only, and as many texts all the same."""
    if names is None:
        return
    given = operand(dense("example_names", names), dtypes.string)
    if not given.shape.is_compatible_with(operand(serialized).shape) and 0 not in given.shape:
        raise errors.invalid(OP_NAME, "Expected names have the same shape as serialized: "
                                      f"name.shape={given.shape}")


@export("io.parse_example")
def parse_example(serialized: Any, features: Any, example_names: Any = None,
                  name: str | None = None) -> dict[str, Any]:
    """The features of serialized Examples, a vector or one, as tensors by name."""
    check_names(example_names, serialized)
    plan = Plan(features)
    return _parsed(inferred_text(serialized), plan)


@export("io.parse_single_example", "compat.v1.parse_single_example",
        "compat.v1.io.parse_single_example")
def parse_single_example(serialized: Any, features: Any, example_names: Any = None,
                         name: str | None = None) -> dict[str, Any]:
    """The features of one serialized Example as tensors by name."""
    if features is None:
        raise ValueError("Invalid argument: features cannot be None.")
    check_names(example_names, serialized)
    plan = Plan(features)
    tensor = text_operand(serialized)
    if tensor.shape.rank:
        raise ValueError("Input serialized must be a scalar")
    return _parsed(tensor, plan)
