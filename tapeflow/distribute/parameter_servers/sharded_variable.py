"""A variable whose rows lie in several ones: `ShardedVariable`."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from tapeflow.base.dtypes import DType
from tapeflow.base.exports import publish
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec
from tapeflow.core.record.primitive_ops import concat
from tapeflow.core.values.composite import Composite, Dispatcher
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import Variable, read
from tapeflow.ops.array import partition_unique, ranges, shape_ops
from tapeflow.ops.indexing import gathering
from tapeflow.ops.indexing.embedding_lookup import rows_of_shards
from tapeflow.train.saveable_objects import VALUE

_dispatcher = Dispatcher()
_dispatcher.rest = lambda op, operands, attrs: op.call(*[
    one._whole() if isinstance(one, ShardedVariable) else one for one in operands], **attrs)


class ShardedVariableSpec(CompositeSpec):
    """The shards of a variable, described."""

    __slots__ = ("_specs",)

    def __init__(self, *variable_specs: Any):
        self._specs = variable_specs

    def _serialize(self) -> tuple:
        return self._specs

    @property
    def _component_specs(self) -> list:
        return list(self._specs)

    def _to_components(self, value: Any) -> list:
        return list(value.variables)

    def _from_components(self, components: Any) -> Any:
        return ShardedVariable(list(components))


class ShardedVariable(Trackable, Composite):
    """A variable made of shards along its first axis; acts as one where a tensor is wanted."""

    __slots__ = ("__dict__", "__weakref__")
    __array_priority__ = 100
    _dispatcher = _dispatcher

    def __init__(self, variables: Sequence[Variable], name: str = "ShardedVariable"):
        if not isinstance(variables, Sequence) or not variables or not all(
                isinstance(one, Variable) for one in variables):
            raise TypeError("Argument `variables` should be a non-empty list of "
                            f"`variables.Variable`s. Received {variables}")
        if len({one.dtype for one in variables}) > 1:
            raise ValueError("All elements in argument `variables` must have the same dtype. "
                             f"Received dtypes: {[one.dtype for one in variables]}")
        if len({tuple(one.shape.as_list()[1:]) for one in variables}) > 1:
            raise ValueError("All elements in argument `variables` must have the same shapes "
                             "except for the first axis. Received shapes: "
                             f"{[one.shape for one in variables]}")
        self._variables, self._name = list(variables), name
        self._offsets = [0]
        for one in variables:
            rows: Any = one.shape.as_list()[0]
            self._offsets.append(self._offsets[-1] + rows)
            vars(one)["_sharded_container"] = weakref.ref(self)

    # -- what it is ------------------------------------------------------------------------------
    @property
    def variables(self) -> list:
        return self._variables

    @property
    def name(self) -> str:
        return self._name

    @property
    def dtype(self) -> DType:
        return self._variables[0].dtype

    @property
    def shape(self) -> TensorShape:
        return TensorShape([self._offsets[-1], *self._variables[0].shape.as_list()[1:]])

    @property
    def trainable(self) -> bool:
        return self._variables[0].trainable

    @property
    def _unique_id(self) -> str:
        return self._variables[0]._unique_id.replace("part_0", "sharded")

    @property
    def _shared_name(self) -> str:
        return self._name

    @property
    def is_sharded_variable(self) -> bool:
        return True

    @property
    def _type_spec(self) -> ShardedVariableSpec:
        return ShardedVariableSpec(*[one._type_spec for one in self._variables])

    def __iter__(self) -> Iterator:
        return iter(self._variables)

    __hash__ = object.__hash__

    # -- reading ---------------------------------------------------------------------------------
    def _whole(self) -> Tensor:
        return concat(*[convert(one) for one in self._variables], axis=0)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """All rows, one shard after the other."""
        return self._whole()

    def numpy(self) -> Any:
        """All rows as a NumPy array."""
        return self._whole().numpy()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self._whole().__array__(*args, **kwargs)

    def __getitem__(self, index: Any) -> Tensor:
        return self._whole()[index]

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows at `indices`."""
        local, which = self._parted_rows(indices)
        rows = [gathering.gather(one, part)
                for one, part in zip(self._variables, local, strict=True)]
        order = partition_unique.dynamic_partition(
            ranges.range_(shape_ops.size(which)), which, len(rows))
        return partition_unique.dynamic_stitch(order, rows)

    # -- writing ---------------------------------------------------------------------------------
    def _each(self, method: str, value: Any) -> ShardedVariable:
        given = convert(value, self.dtype) if not isinstance(value, Tensor) else value
        for one, first, last in zip(self._variables, self._offsets, self._offsets[1:]):
            getattr(one, method)(given[first:last])
        return self

    def assign(self, value: Any, use_locking: Any = None, name: str | None = None,
               read_value: bool = True) -> ShardedVariable:
        """Hold other rows."""
        return self._each("assign", value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> ShardedVariable:
        """Add to all rows."""
        return self._each("assign_add", delta)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> ShardedVariable:
        """Subtract from all rows."""
        return self._each("assign_sub", delta)

    def _parted_rows(self, indices: Any) -> tuple[list, Tensor]:
        """Rows by shard, counted from the beginning of each, and the shard of each row."""
        rows, count = convert(indices), len(self._variables)
        if rows.shape.rank != 1:
            raise ValueError("ShardedVariable: indices must be 1D Tensor for sparse operations. "
                             f"Received shape: {rows.shape}")
        base, extra = divmod(self._offsets[-1], count)
        if [one.shape.as_list()[0] for one in self._variables] != [
                base + (i < extra) for i in range(count)]:
            raise NotImplementedError("scatter_xxx ops are not supported in ShardedVariable that "
                                      "does not conform to \"div\" sharding")
        return rows_of_shards(rows, self._offsets[-1], count)

    def _scattered(self, method: str, delta: IndexedSlices) -> ShardedVariable:
        local, which = self._parted_rows(delta.indices)
        values = partition_unique.dynamic_partition(delta.values, which, len(self._variables))
        for one, rows, part in zip(self._variables, local, values, strict=True):
            getattr(one, method)(IndexedSlices(part, rows))
        return self

    # -- checkpoints: as one variable, so that other ways of parting it read it too ----------------
    def _serialize_to_tensors(self) -> dict[str, Tensor]:
        return {VALUE: concat(*[read(one) for one in self._variables], axis=0)}

    def _restore_from_tensors(self, restored_tensors: dict[str, Tensor]) -> Any:
        value = restored_tensors[VALUE]
        if not self.shape.is_compatible_with(value.shape):
            raise ValueError(f"Received incompatible tensor with shape {value.shape} when "
                             f"attempting to restore variable with shape {self.shape} and name "
                             f"{self.name}.")
        return self.assign(value)


def _scatter(name: str) -> Any:
    def scatter(self: ShardedVariable, sparse_delta: IndexedSlices, use_locking: bool = False,
                name: str | None = None) -> ShardedVariable:
        return self._scattered(scatter.__name__, sparse_delta)

    scatter.__name__ = scatter.__qualname__ = name
    scatter.__doc__ = f"`Variable.{name}` of the rows that IndexedSlices name."
    return scatter


def _operator(name: str) -> Any:
    def operate(self: ShardedVariable, *others: Any) -> Any:
        return getattr(self._whole(), name)(*others)

    operate.__name__ = operate.__qualname__ = name
    return operate


for _name in Tensor.OVERLOADABLE_OPERATORS - {"__getitem__"}:
    setattr(ShardedVariable, _name, _operator(_name))
for _name in ("add", "div", "max", "min", "mul", "sub", "update"):
    setattr(ShardedVariable, f"scatter_{_name}", _scatter(f"scatter_{_name}"))
for _class in (ShardedVariable, ShardedVariableSpec):
    _class.__module__ = "tensorflow.python.distribute.sharded_variable"
publish(ShardedVariable, "__internal__.distribute.ShardedVariable")
