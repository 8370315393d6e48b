"""tf.io.parse_sequence_example and parse_single_sequence_example: context and lists of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import inferred_text, text_operand
from tapeflow.io.parsing import features as F
from tapeflow.io.parsing.examples import Plan, check_names, known_dtype, padded
from tapeflow.io.protobuf.wire import LENGTH, DecodeError, fields_of

_SparseTensor = LatePublic("SparseTensor")
_RaggedTensor = LatePublic("RaggedTensor")

_INT64 = np.dtype("int64")
OP_NAME = "ParseSequenceExample"


def _steps(data: Any, key: str, dtype: dtypes.DType) -> list[np.ndarray]:
    """The values of each feature of a FeatureList."""
    found: list[np.ndarray] = []
    for field, kind, value, _, _ in fields_of(data):
        if field != 1 or kind != LENGTH:
            continue
        which, values = F.values_of(value, F.STEP)
        wanted = F.KINDS[dtype.name]
        if which and which != wanted:
            raise errors.invalid(OP_NAME, (
                f"Name: <unknown>, Key: {key}, Index: {len(found)}.  Data types don't match. "
                f"Expected type: {F.NAMES[wanted]}, got {F.NAMES[which]}"))
        found.append(F.as_array(values) if which else F.empty(dtype))
    return found


class _Lists:
    """Shared by the kinds of feature lists: a key and a dtype."""

    def __init__(self, key: str, feature: Any):
        self.key, self.dtype = key, known_dtype(feature.dtype, key)

    def steps(self, found: F.NamedParts) -> list[np.ndarray]:
        data = found.get(self.key)
        try:
            return [] if data is None else _steps(data, self.key, self.dtype)
        except DecodeError:
            raise errors.invalid(OP_NAME, f"Name: <unknown>, Key: {self.key}.  Could not parse "
                                          "the feature list.") from None


class DenseList(_Lists):
    """A FixedLenSequenceFeature: the items of all steps, padded, and how many steps there are."""

    def __init__(self, key: str, feature: F.FixedLenSequenceFeature):
        super().__init__(key, feature)
        self.shape: tuple = tuple(TensorShape(feature.shape).as_list())
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.optional = feature.allow_missing

    def specs(self, batch: tuple) -> list[Spec]:
        return [Spec((*batch, None, *self.shape), self.dtype.np), Spec(batch, _INT64)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        parts = []
        for found in rows:
            if self.key not in found and not self.optional:
                raise errors.invalid(OP_NAME, (
                    f"Name: <unknown>, Feature list '{self.key}' is required but could not be "
                    "found.  Did you mean to include it in "
                    "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"))
            steps = self.steps(found)
            for i, one in enumerate(steps):
                if one.size != self.size:
                    raise errors.invalid(OP_NAME, (
                        f"Name: <unknown>, Key: {self.key}, Index: {i}.  Number of values != "
                        f"expected.  values size: {one.size} but output shape: "
                        f"[{','.join(str(n) for n in self.shape)}]"))
            joined = np.concatenate(steps) if steps else F.empty(self.dtype)
            parts.append(joined.reshape(-1, *self.shape))
        lengths = np.array([len(one) for one in parts], np.int64)
        if single:
            return [parts[0], lengths[0]]
        blank: Any = b"" if self.dtype is dtypes.string else 0
        return [padded(parts, self.shape, self.dtype, blank), lengths]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return tuple(tensors)


class SparseList(_Lists):
    """A VarLenFeature: a SparseTensor over (example,) step and index."""

    def specs(self, batch: tuple) -> list[Spec]:
        rank = len(batch) + 2
        return [Spec((None, rank), _INT64), Spec((None,), self.dtype.np), Spec((rank,), _INT64)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        coords: list[list[int]] = []
        values = [F.empty(self.dtype)]
        longest = widest = 0
        for i, found in enumerate(rows):
            steps = self.steps(found)
            longest = max(longest, len(steps))
            for j, one in enumerate(steps):
                widest = max(widest, one.size)
                lead = [j] if single else [i, j]
                coords.extend([[*lead, k] for k in range(one.size)])
                values.append(one)
        rank = 2 if single else 3
        shape = [longest, widest] if single else [len(rows), longest, widest]
        return [np.array(coords, np.int64).reshape(-1, rank), np.concatenate(values),
                np.array(shape, np.int64)]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        return _SparseTensor(*tensors)


class RaggedList(_Lists):
    """A RaggedFeature: values by (example and) step."""

    def __init__(self, key: str, feature: F.RaggedFeature):
        super().__init__(key if feature.value_key is None else feature.value_key, feature)
        if feature.partitions:
            raise ValueError("tf.io.parse_sequence_example: RaggedFeature with partitions is not "
                             f"supported for feature lists (feature {key}).")
        self.splits = feature.row_splits_dtype.np

    def specs(self, batch: tuple) -> list[Spec]:
        return [Spec((None,), self.dtype.np), *[Spec((None,), self.splits)] * (len(batch) + 1)]

    def arrays(self, rows: list[F.NamedParts], single: bool) -> list[np.ndarray]:
        counts, lengths, values = [], [], [F.empty(self.dtype)]
        for found in rows:
            steps = self.steps(found)
            counts.append(len(steps))
            lengths.extend([one.size for one in steps])
            values.extend(steps)
        inner = np.concatenate([[0], np.cumsum(lengths)]).astype(self.splits)
        outer = [] if single else [np.concatenate([[0], np.cumsum(counts)]).astype(self.splits)]
        return [np.concatenate(values), *outer, inner]

    def built(self, tensors: list[Tensor], single: bool) -> Any:
        result: Any = tensors[0]
        for splits in reversed(tensors[1:]):
            result = _RaggedTensor.get().from_row_splits(result, splits, validate=False)
        return result


_LISTS: tuple[tuple[type, type, int], ...] = (
    (F.VarLenFeature, SparseList, 0), (F.FixedLenSequenceFeature, DenseList, 1),
    (F.RaggedFeature, RaggedList, 2))


def _kernel(serialized: np.ndarray, context: Any, lists: Any) -> tuple:
    single = not serialized.ndim
    outer, inner = [], []
    for data in [serialized[()]] if single else serialized.tolist():
        try:
            outer.append(F.named_parts(F.message_parts(data, 1), 1, F.ContextParts))
            inner.append(F.named_parts(F.message_parts(data, 2), 1))
        except DecodeError:
            raise errors.invalid(OP_NAME, "Name: <unknown>, Could not parse sequence example "
                                          f"input, value: '{data!r}'") from None
    arrays = []
    for plan, rows in ((context, outer), (lists, inner)):
        if plan is not None:
            for part in plan.parts.values():
                arrays.extend(part.arrays(rows, single))
    return tuple([np.asarray(one) if one.dtype == object else one[()] for one in arrays])


def _shape(x: Spec, context: Any, lists: Any) -> tuple:
    batch = x.shape or ()
    return tuple([spec for plan in (context, lists) if plan is not None
                  for spec in plan.specs(batch)])


_parse = define("parse_sequence_example", kernel=_kernel, args=("serialized",), dtypes="O",
                multi=True, shape=_shape, batch=loop, internal=True, tf_name=OP_NAME,
                vjp=NONDIFF("what is parsed of bytes has no derivative"))


def _parsed(serialized: Tensor, context_features: Any, sequence_features: Any) -> tuple:
    if not context_features and not sequence_features:
        raise ValueError("Both context_features and sequence_features are None, but at least one "
                         "should have values.")
    context = Plan(context_features) if context_features else None
    lists = Plan(sequence_features, _LISTS) if sequence_features else None
    batch = tuple(serialized.shape.as_list())
    tensors = _parse(serialized, context=context, lists=lists)
    cut = len(context.specs(batch)) if context else 0
    found = lists.built(tensors[cut:], batch) if lists else {}
    lengths = {key: one[1] for key, one in found.items() if isinstance(one, tuple)}
    values = {key: one[0] if isinstance(one, tuple) else one for key, one in found.items()}
    return context.built(tensors[:cut], batch) if context else {}, values, lengths


@export("io.parse_sequence_example")
def parse_sequence_example(serialized: Any, context_features: Any = None,
                           sequence_features: Any = None, example_names: Any = None,
                           name: str | None = None) -> tuple[dict, dict, dict]:
    """Context, feature lists and their lengths of serialized SequenceExamples."""
    check_names(example_names, serialized)
    return _parsed(inferred_text(serialized), context_features, sequence_features)


@export("io.parse_single_sequence_example")
def parse_single_sequence_example(serialized: Any, context_features: Any = None,
                                  sequence_features: Any = None, example_name: Any = None,
                                  name: str | None = None) -> tuple[dict, dict]:
    """Context and feature lists of one serialized SequenceExample."""
    check_names(example_name, serialized)
    tensor = text_operand(serialized)
    if tensor.shape.rank:
        raise ValueError("Input serialized must be a scalar")
    return _parsed(tensor, context_features, sequence_features)[:2]
