"""Variables of a strategy: one component for each replica, kept equal or summed up when read.

A distributed variable stands for the component of the replica that runs (`_owner`, as for what an
assignment returns); in cross-replica context for all of them.
"""

from __future__ import annotations

import weakref
from typing import Any

from tapeflow.base import formatting
from tapeflow.base.exports import export
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import (
    UnreadVariable,
    Variable,
    VariableAggregation,
    VariableSynchronization,
    new_variable,
    read,
)
from tapeflow.distribute.replica_values import DistributedValues, Mirrored, PerReplica
from tapeflow.distribute.strategy_scope import (
    ReduceOp,
    current,
    get_replica_context,
    update_index,
)


class DistributedVariable(UnreadVariable):
    """Shared by both kinds: the components, and which of them is meant."""

    __slots__ = ("_components", "_strategy")

    def __init__(self, *args: Any, **kwargs: Any):
        if hasattr(self, "_components"):
            return  # made by another replica at this point of the program
        strategy = current().strategy  # type: ignore[union-attr]
        self._strategy = strategy
        first = new_variable()
        first.__init__(*args, **kwargs)
        first._synchronization = self._kind
        strategy._same_start(first)
        self._components = [first]
        for i in range(1, strategy._local_count):
            other = new_variable()
            start = getattr(first, "_initial", None)  # of a tf.Graph's, which has no value yet
            other.__init__(first._snapshot if start is None else start, trainable=first.trainable,
                           name=f"{first.name.removesuffix(':0')}/replica_{i}",
                           constraint=first.constraint, aggregation=first.aggregation,
                           shape=first._static_shape)
            other._synchronization = self._kind
            self._components.append(other)
        for one in self._components:  # how libraries get from a component to the whole
            one.__dict__["_distributed_container"] = weakref.ref(self)

    _kind = VariableSynchronization.ON_WRITE

    def _component(self, index: int) -> Variable:
        return self._components[index]

    @property
    def _owner(self) -> Variable:  # type: ignore[override]
        index = update_index()
        if index is None:
            index = getattr(get_replica_context(), "_index", 0)
        return self._components[index if index < len(self._components) else 0]

    @property
    def _unique_id(self) -> str:
        return self._components[0]._unique_id

    @property
    def _several(self) -> bool:
        return len(self._components) > 1 or self._strategy._group is not None

    @property
    def values(self) -> tuple:
        return tuple(self._components)

    _values = values  # by which libraries know it from inside

    @property
    def distribute_strategy(self) -> Any:
        return self._strategy

    @property
    def _primary(self) -> Variable:
        return self._components[0]

    def _in_replica(self) -> bool:
        if update_index() is not None:
            return True
        return get_replica_context() is not None and current() is not None

    def __repr__(self) -> str:
        parts = [f"  {i}: " + formatting.variable_repr(
            one.name, one.shape, one.dtype, one._snapshot._value)
            for i, one in enumerate(self._components)]
        return f"{type(self).__name__}:{{\n" + ",\n".join(parts) + "\n}"

    __str__ = __repr__

    # -- assignment ------------------------------------------------------------------------------
    def _assigned(self, method: str, value: Any, kwargs: dict) -> Any:
        if not self._several or update_index() is not None:
            return getattr(self._owner, method)(value, **kwargs)
        if self._in_replica():
            return self._assigned_in_replica(method, value, kwargs)
        return self._assigned_everywhere(method, value, kwargs)

    def _assigned_in_replica(self, method: str, value: Any, kwargs: dict) -> Any:
        raise NotImplementedError

    def _assigned_everywhere(self, method: str, value: Any, kwargs: dict) -> Any:
        written = [getattr(one, method)(
            value._values[i] if isinstance(value, DistributedValues) else value, **kwargs)
            for i, one in enumerate(self._components)]
        if open_graph() is not None:  # what stands for the values after the assignment
            return Mirrored(written)
        return Mirrored([one.value() for one in self._components])

    @property
    def initializer(self) -> Any:
        """In a tf.Graph, what initialises all components."""
        graph = open_graph()
        return None if graph is None else graph.group([one.initializer for one in self._components],
                                                      "init")

    def _assign_changed(self, function: Any, given: Any) -> Any:
        return self.assign(wrap(function(self._snapshot._value)))

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None,
               read_value: bool = True) -> Any:
        """Replace the value, of all replicas or of the one that runs."""
        return self._assigned("assign", value, {"read_value": read_value})

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        """Add to the value."""
        return self._assigned("assign_add", delta, {"read_value": read_value})

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        """Subtract from the value."""
        return self._assigned("assign_sub", delta, {"read_value": read_value})


def aggregated(strategy: Any, value: Any, aggregation: VariableAggregation) -> Any:
    """Values of replicas combined as a variable of this aggregation combines them."""
    if aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
        return strategy._from_first(value)
    mean = aggregation is VariableAggregation.MEAN
    return strategy._reduced(ReduceOp.MEAN if mean else ReduceOp.SUM, value)


@export("__internal__.distribute.MirroredVariable")
class MirroredVariable(DistributedVariable):
    """A variable whose components are kept equal: updates of replicas are aggregated first."""

    __slots__ = ()

    def _assigned_in_replica(self, method: str, value: Any, kwargs: dict) -> Any:
        aggregation = self._components[0].aggregation
        if aggregation is VariableAggregation.NONE:
            return getattr(self._owner, method)(value, **kwargs)

        def everywhere(strategy: Any, given: Any) -> Any:
            if not isinstance(given, DistributedValues):
                given = PerReplica([given] * len(self._components))
            combined = aggregated(strategy, given, aggregation)
            return self._assigned_everywhere(method, combined, kwargs)

        return get_replica_context().merge_call(everywhere, args=(convert(value, self.dtype),))


class SyncOnReadVariable(DistributedVariable):
    """A variable that each replica changes for itself; read from outside, it is aggregated."""

    __slots__ = ()
    _kind = VariableSynchronization.ON_READ

    def _assigned_in_replica(self, method: str, value: Any, kwargs: dict) -> Any:
        return getattr(self._owner, method)(value, **kwargs)

    def _assigned_everywhere(self, method: str, value: Any, kwargs: dict) -> Any:
        if isinstance(value, DistributedValues):
            return super()._assigned_everywhere(method, value, kwargs)
        if method != "assign" and self._components[0].aggregation is VariableAggregation.SUM:
            raise ValueError("SyncOnReadVariable does not support `assign_add` in cross-replica "
                             "context when aggregation is set to `tf.VariableAggregation.SUM`.")
        given = convert(value, self.dtype)
        if self._components[0].aggregation is VariableAggregation.SUM:
            given = given / self._strategy.num_replicas_in_sync
        for one in self._components:
            getattr(one, method)(given, **kwargs)
        return self.value()

    def _combined(self) -> Tensor:
        return aggregated(self._strategy, PerReplica([read(one) for one in self._components]),
                          self._components[0].aggregation)

    @property
    def _snapshot(self) -> Tensor:  # type: ignore[override]
        if self._several and not self._in_replica():
            return self._combined()
        return self._owner._snapshot

    def value(self) -> Tensor:
        return self._combined() if self._several and not self._in_replica() else super().value()


for _class in (DistributedVariable, MirroredVariable, SyncOnReadVariable):
    _class.__module__ = "tensorflow.python.distribute.values"
