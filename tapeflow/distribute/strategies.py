"""The strategies of one process: default, one device, mirrored.

All run on its CPU. A strategy with several devices (`devices=["cpu:0", "cpu:1"]`)
has a replica for each, which take turns.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.record.families import axes_of
from tapeflow.core.record.primitive_ops import concat
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, VariableSynchronization
from tapeflow.distribute.replica_context import (
    DefaultReplicaContext,
    MirroredReplicaContext,
    ReplicaContext,
    of_all_replicas,
    run_replicas,
)
from tapeflow.distribute.replica_values import DistributedValues, Mirrored, PerReplica, selected
from tapeflow.distribute.replica_variables import (
    DistributedVariable,
    MirroredVariable,
    SyncOnReadVariable,
)
from tapeflow.distribute.strategy_scope import (
    Frame,
    ReduceOp,
    current,
    default_class,
    entered,
    get_replica_context,
    in_cross_replica_context,
    reduce_op,
    require_cross_replica,
    updating,
)
from tapeflow.graph.functions.function import Function
from tapeflow.ops.array import shape_ops
from tapeflow.ops.indexing import gathering
from tapeflow.ops.math import casting
from tapeflow.ops.reduce.reduction import reduce_mean, reduce_prod, reduce_sum

_Dataset = LatePublic("data.Dataset")
_list_logical_devices = LatePublic("config.list_logical_devices")

_HOST = "/job:localhost/replica:0/task:0/device:CPU:0"


def full_name(device: Any) -> str:
    """A device name with all its parts."""
    text = str(getattr(device, "name", device)).lower().strip("/")
    kind, _, last = text.rpartition(":")
    index = last if last.isdigit() else "0"
    name = kind.rpartition("/")[2].rpartition(":")[2] or (last if not last.isdigit() else "cpu")
    return f"/job:localhost/replica:0/task:0/device:{name.upper()}:{index}"


class _Scope:
    """`with strategy.scope():`, which may be entered again and from the same strategy."""

    def __init__(self, strategy: Any):
        self._strategy = strategy
        self._entries: list[Any] = []

    def __enter__(self) -> Any:
        require_cross_replica(self._strategy)
        entry = entered(Frame(self._strategy, None))
        entry.__enter__()
        self._entries.append(entry)
        return self._strategy

    def __exit__(self, *failure: Any) -> None:
        self._entries.pop().__exit__(*failure)


@export("distribute.Strategy")
class Strategy:
    """What to run where: makes variables, runs functions on replicas, combines their results."""

    _should_use_with_coordinator = False  # whether a coordinator must schedule its steps

    def __init__(self, extended: StrategyExtended | None = None):
        self._extended = StrategyExtended(self) if extended is None else extended
        self._resolver: Any = None
        self._devices: tuple[str, ...] = (_HOST,)
        self._group: Any = None  # the ranks that take part, if there are several

    def unwrap(self, value: Any) -> tuple:
        """The values of the replicas, as `experimental_local_results` gives them."""
        return self.experimental_local_results(value)

    @property
    def extended(self) -> StrategyExtended:
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        return len(self._devices)

    @property
    def _local_count(self) -> int:
        """The replicas of this process."""
        return len(self._devices)

    @property
    def _first_replica(self) -> int:
        """The number of this process's first replica among all."""
        return 0

    @property
    def cluster_resolver(self) -> Any:
        return self._resolver

    def scope(self) -> Any:
        """`with strategy.scope():` variables made inside are the strategy's."""
        return _Scope(self)

    def _context(self, index: int) -> ReplicaContext:
        return ReplicaContext(self, index)

    def _variable_maker(self) -> Any:
        return None

    def _same_start(self, variable: Any) -> None:
        """Give a new variable the value that it has in every process."""

    def __deepcopy__(self, memo: dict) -> Any:
        return self

    # -- running ---------------------------------------------------------------------------------
    def run(self, fn: Callable, args: tuple = (), kwargs: dict | None = None,
            options: Any = None) -> Any:
        """Call `fn` on each replica with its part of the arguments."""
        if not isinstance(args, (list, tuple)):
            raise ValueError(f"positional args must be a list or tuple, got {type(args)}")
        if current() is not None and not isinstance(self, _DefaultStrategy):
            require_cross_replica(self)
        with self.scope():  # of a library's own class it may do more
            if isinstance(fn, Function) and self._local_count > 1:
                return of_all_replicas(self, fn)(tuple(args), kwargs or {})
            if state.trace is not None:
                from tapeflow.graph.autograph import conversion
                fn = conversion.convert(fn)
            return run_replicas(self, fn, tuple(args), kwargs or {})

    def experimental_run(self, fn: Callable, input_iterator: Any = None) -> Any:
        """`run` with the next element of an iterator, as TensorFlow 1's strategies did."""
        return self.run(fn, () if input_iterator is None else (input_iterator.get_next(),))

    # -- combining -------------------------------------------------------------------------------
    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """The sum or mean over replicas, and over an axis of each value if one is given."""
        wanted = _reduce_op(reduce_op)
        return nest.map_structure(lambda one: self._reduced(wanted, one, axis), value)

    def _reduced(self, wanted: ReduceOp, value: Any, axis: Any = None) -> Any:
        if not isinstance(value, DistributedValues):
            if self.num_replicas_in_sync > 1 and wanted is ReduceOp.SUM and axis is None and \
                    not isinstance(value, DistributedVariable):
                raise ValueError(f"A non-DistributedValues value {_shown(value)} cannot be reduced "
                                 f"with the given reduce op {wanted}.")
            if isinstance(value, IndexedSlices):
                return value
            return along(wanted, convert(value), axis)
        parts = [one if isinstance(one, IndexedSlices) else convert(one)
                 for one in value.values]
        if axis is None:
            if isinstance(value, Mirrored) and wanted is ReduceOp.MEAN:
                return parts[0]
            total = local_sum(parts)
            return total / len(parts) if wanted is ReduceOp.MEAN else total
        sums = [along(ReduceOp.SUM, one, axis) for one in parts]
        if wanted is ReduceOp.SUM:
            return local_sum(sums)
        return local_sum(sums) / sum(length(one, axis) for one in parts)

    def _reduced_all(self, wanted: ReduceOp, values: Any, options: Any = None) -> list:
        """Several values reduced."""
        return [self._reduced(wanted, one) for one in values]

    def _from_first(self, value: Any) -> Any:
        """The value of the first replica of all."""
        return value.values[0] if isinstance(value, DistributedValues) else value

    def gather(self, value: Any, axis: int) -> Any:
        """The values of all replicas joined along an axis."""
        if not in_cross_replica_context() and current() is not None:
            require_cross_replica(self)
        return nest.map_structure(lambda one: self._gathered(one, axis), value)

    def _gathered(self, value: Any, axis: int) -> Any:
        if not isinstance(value, DistributedValues):
            return convert(value)
        parts = [convert(one) for one in value.values]
        return concat(*parts, axis=axis if axis >= 0 else axis + parts[0].ndim)

    def experimental_local_results(self, value: Any) -> tuple:
        """The values of all replicas of this process, as a tuple."""
        if isinstance(value, (DistributedValues, DistributedVariable)):
            return tuple(value.values)
        return (value,)

    # -- data ------------------------------------------------------------------------------------
    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset whose batches are parted among the replicas."""
        from tapeflow.distribute.distributed_datasets import DistributedDataset
        return DistributedDataset(dataset, self, options)

    def distribute_datasets_from_function(self, dataset_fn: Callable, options: Any = None) -> Any:
        """What `dataset_fn(InputContext)` returns, one element for each replica in turn."""
        from tapeflow.distribute.distributed_datasets import DistributedDatasetsFromFunction
        return DistributedDatasetsFromFunction(dataset_fn, self, options)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn: Callable) -> Any:
        """The values of `value_fn(ValueContext)` for each replica."""
        first = self._first_replica
        found = [value_fn(ValueContext(first + i, self.num_replicas_in_sync))
                 for i in range(self._local_count)]
        if isinstance(self, _DefaultStrategy):
            return found[0]
        flat = zip(*[nest.flatten(one) for one in found])
        return nest.pack_sequence_as(found[0], [PerReplica(parts) for parts in flat])

    def experimental_make_numpy_dataset(self, numpy_input: Any) -> Any:
        """A tf.data.Dataset of NumPy arrays."""
        return _Dataset.get().from_tensor_slices(numpy_input)


_reduce_op = reduce_op


def _shown(value: Any) -> Any:
    return value if not isinstance(value, Tensor) else repr(value)


def local_sum(parts: list) -> Any:
    """The sum of values; one value as it is, IndexedSlices too."""
    if len(parts) == 1:
        return parts[0]
    if any(isinstance(one, IndexedSlices) for one in parts):
        parts = [convert(one) for one in parts]
    return functools.reduce(operator.add, parts)


def along(wanted: ReduceOp, value: Any, axis: Any) -> Any:
    """A value reduced over axes of its own."""
    if axis is None:
        return value
    if not value.ndim:
        raise ValueError(f"`axis` = {axis} specified for `reduce` over a scalar: there is no axis "
                         "to reduce over.")
    reduce = reduce_sum if wanted is ReduceOp.SUM else reduce_mean
    return reduce(value, axis=axes_of(value, axis, wanted.name.capitalize()))


def length(value: Any, axis: Any) -> Any:
    """How many elements are reduced to one."""
    axes = axis if isinstance(axis, (list, tuple)) else [axis]
    static = value.shape.as_list()
    sizes = [static[one] for one in axes]
    if None in sizes:
        shape = shape_ops.shape(value)
        return casting.cast(reduce_prod(gathering.gather(shape, list(axes)), axis=None),
                              value.dtype)
    return float(np.prod(sizes)) if value.dtype.is_floating else int(np.prod(sizes))


@export("distribute.StrategyExtended")
class StrategyExtended:
    """What libraries use of a strategy."""

    def __init__(self, strategy: Any = None):
        self._strategy = strategy

    def _in_multi_worker_mode(self) -> bool:
        """Whether other processes hold replicas; tf_keras asks."""
        return False

    @property
    def _global_batch_size(self) -> bool:
        """Whether batches are those of all replicas together; tf_keras asks."""
        return True

    @property
    def worker_devices(self) -> tuple:
        return self._strategy._devices

    parameter_devices = worker_devices
    experimental_require_static_shapes = False
    should_checkpoint = True
    should_save_summary = True

    def _use_merge_call(self) -> bool:
        return self._strategy.num_replicas_in_sync > 1

    def non_slot_devices(self, var_list: Any) -> tuple:
        """The devices of variables that belong to no other."""
        return self.worker_devices

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """`with …:` what is made inside stands where this variable stands."""
        graph = open_graph()
        with contextlib.nullcontext() if graph is None else graph.beside(colocate_with_variable):
            yield

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in this strategy's scope."""
        found = getattr(v, "distribute_strategy", None) or getattr(v, "_distribute_strategy", None)
        return found is self._strategy

    def value_container(self, value: Any) -> Any:
        """The distributed value that a component belongs to."""
        return value

    def read_var(self, v: Any) -> Tensor:
        """The value of a variable."""
        return convert(v)

    # -- updates ---------------------------------------------------------------------------------
    def update(self, var: Any, fn: Callable, args: tuple = (), kwargs: dict | None = None,
               group: bool = True) -> Any:
        """Call `fn(component, …)` for each component of a variable."""
        parts = var.values if isinstance(var, DistributedVariable) else (var,)
        results = []
        graph = open_graph()
        for i, one in enumerate(parts):
            with updating(i):
                results.append(fn(one, *selected(i, args), **selected(i, kwargs or {})))
        if isinstance(self._strategy, _DefaultStrategy) or group:
            return results[0] if graph is None or len(results) == 1 else graph.group(results)
        return tuple(results)

    def update_non_slot(self, colocate_with: Any, fn: Callable, args: tuple = (),
                        kwargs: dict | None = None, group: bool = True) -> Any:
        """Call `fn` once."""
        result = fn(*selected(0, args), **selected(0, kwargs or {}))
        return result if group else (result,)

    # -- combining -------------------------------------------------------------------------------
    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """The sum or mean over replicas, where `destinations` are."""
        wanted = _reduce_op(reduce_op)
        result = self._strategy._reduced(wanted, value)
        count = self._strategy._local_count
        return Mirrored([result] * count) if count > 1 else result

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any,
                        options: Any = None) -> list:
        """`reduce_to` of several."""
        found = self._strategy._reduced_all(
            _reduce_op(reduce_op), [value for value, _ in value_destination_pairs], options)
        count = self._strategy._local_count
        return [Mirrored([one] * count) if count > 1 else one for one in found]

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """The same value on all replicas."""
        count = self._strategy._local_count
        return Mirrored([tensor] * count) if count > 1 else tensor

    def call_for_each_replica(self, fn: Callable, args: tuple = (), kwargs: dict | None = None
                              ) -> Any:
        """`Strategy.run`."""
        return self._strategy.run(fn, args, kwargs)


StrategyExtended.__name__ = StrategyExtended.__qualname__ = "StrategyExtendedV2"


# -- the default strategy --------------------------------------------------------------------------
@default_class
class _DefaultStrategy(Strategy):
    """What there is without a strategy: everything runs as it stands."""

    def __init__(self) -> None:
        super().__init__(_DefaultExtended(self))
        self._replica = DefaultReplicaContext(self, 0)

    def scope(self) -> Any:
        """Changes nothing, but refuses to be entered inside another strategy's scope."""
        frame = current()
        if frame is not None and frame.strategy is not self:
            raise RuntimeError("Mixing different tf.distribute.Strategy objects: "
                               f"{frame.strategy} is not {self}")
        return contextlib.nullcontext(self)

    def _context(self, index: int) -> ReplicaContext:
        return self._replica

    def run(self, fn: Callable, args: tuple = (), kwargs: dict | None = None,
            options: Any = None) -> Any:
        """`fn(*args, **kwargs)`."""
        if state.trace is not None:
            from tapeflow.graph.autograph import conversion
            fn = conversion.convert(fn)
        return fn(*args, **(kwargs or {}))

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset itself."""
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Callable, options: Any = None) -> Any:
        """`dataset_fn(InputContext())`."""
        from tapeflow.distribute.distributed_datasets import InputContext
        return dataset_fn(InputContext())


class _DefaultExtended(StrategyExtended):
    @property
    def worker_devices(self) -> tuple:
        raise RuntimeError("worker_devices() method unsupported by default "
                           "tf.distribute.Strategy.")

    @property
    def parameter_devices(self) -> tuple:
        raise RuntimeError("parameter_devices() method unsupported by default "
                           "tf.distribute.Strategy.")

    def variable_created_in_scope(self, v: Any) -> bool:
        return not isinstance(v, DistributedVariable)


# -- strategies that programs make -----------------------------------------------------------------
@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Everything on one device; variables are plain ones."""

    def __init__(self, device: Any):
        super().__init__(OneDeviceExtended(self))
        self._devices = (full_name(device),)


class OneDeviceExtended(StrategyExtended):
    """Extended part of OneDeviceStrategy."""

    def variable_created_in_scope(self, v: Any) -> bool:
        return isinstance(v, Variable) or super().variable_created_in_scope(v)


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A replica on each device, with variables that are kept equal."""

    _collective_key_base = 0  # TensorFlow Probability's tests count it up

    def __init__(self, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(MirroredExtended(self))
        if devices is None:
            found = _list_logical_devices("CPU")
            devices = [one.name for one in found] or ["cpu:0"]
        elif isinstance(devices, str):
            devices = [devices]
        names = tuple([full_name(one) for one in devices])
        if not names:
            raise ValueError("Got an empty `devices` list.")
        if len(set(names)) != len(names):
            raise ValueError(f"Duplicates in `devices` argument: {list(devices)}")
        self._devices = names
        self._cross_device_ops = cross_device_ops

    def _context(self, index: int) -> ReplicaContext:
        return MirroredReplicaContext(self, index)

    def _variable_maker(self) -> Any:
        return _make_variable


class MirroredExtended(StrategyExtended):
    """Extended part of MirroredStrategy."""


def _make_variable(kwargs: dict) -> Any:
    """A new variable of the kind that its synchronization asks for.

    Replicas make the same variables in the same order: the second and later ones get the first's.
    """
    run = getattr(get_replica_context(), "_run", None)
    if run is not None:
        context = get_replica_context()
        position = run.made_by[context._index]
        run.made_by[context._index] += 1
        if position < len(run.made):
            return run.made[position]
    kind = kwargs.get("synchronization", VariableSynchronization.AUTO)
    if kind is VariableSynchronization.NONE:
        return object.__new__(Variable)
    chosen = SyncOnReadVariable if kind is VariableSynchronization.ON_READ else MirroredVariable
    variable = object.__new__(chosen)
    if run is not None:
        run.made.append(variable)
    return variable


@export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(Strategy):
    """Variables on the CPU, plain ones, and a replica on each compute device: here the CPU."""

    def __init__(self, compute_devices: Any = None, parameter_device: Any = None):
        super().__init__(OneDeviceExtended(self))
        if compute_devices is not None and len(compute_devices) > 1:
            raise NotImplementedError("tf.distribute.experimental.CentralStorageStrategy: only one "
                                      f"compute device is supported, got {compute_devices}.")


def _absent(name: str, *names: str) -> type:
    """A class that libraries test for and that cannot be made here."""
    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"tf.distribute.{name} is not available: tapeflow runs in one "
                                  "process on CPUs. tf.distribute.MirroredStrategy is.")

    made = type(name, (Strategy,), {"__init__": refuse, "__doc__": f"{name}: cannot be made here."})
    made.__module__ = "tensorflow.python.distribute.distribute_lib"
    export(*names)(made)
    return made


TPUStrategy = _absent("TPUStrategy", "distribute.TPUStrategy",
                      "distribute.experimental.TPUStrategy")
_absent("ParameterServerStrategy", "compat.v1.distribute.experimental.ParameterServerStrategy")


@export("distribute.experimental.ValueContext")
class ValueContext:
    """Which replica a value is made for."""

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1):
        self._index, self._count = replica_id_in_sync_group, num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> int:
        return self._index

    @property
    def num_replicas_in_sync(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return (f"tf.distribute.InputContext(replica id {self._index}, total replicas in sync: ) "
                f"{self._count})")


# -- what Keras asks of TensorFlow's internals -----------------------------------------------------
@export("__internal__.distribute.strategy_supports_no_merge_call")
def strategy_supports_no_merge_call() -> bool:
    """Whether updates may be made without `merge_call`: with one replica they may."""
    frame = current()
    return frame is None or frame.strategy._local_count == 1


@export("__internal__.distribute.interim.maybe_merge_call")
def maybe_merge_call(fn: Callable, strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """`fn(strategy, …)`, by `merge_call` where that is needed."""
    if strategy_supports_no_merge_call() or get_replica_context() is None:
        return fn(strategy, *args, **kwargs)
    return get_replica_context().merge_call(fn, args=args, kwargs=kwargs)


for _class, _where, _called in (
        (Strategy, "distribute_lib", "Strategy"),
        (StrategyExtended, "distribute_lib", "StrategyExtendedV2"),
        (_DefaultStrategy, "distribute_lib", "_DefaultDistributionStrategy"),
        (_DefaultExtended, "distribute_lib", "_DefaultDistributionExtended"),
        (OneDeviceStrategy, "one_device_strategy", "OneDeviceStrategy"),
        (OneDeviceExtended, "one_device_strategy", "OneDeviceExtended"),
        (MirroredStrategy, "mirrored_strategy", "MirroredStrategy"),
        (MirroredExtended, "mirrored_strategy", "MirroredExtended"),
        (CentralStorageStrategy, "central_storage_strategy", "CentralStorageStrategy")):
    _class.__module__ = f"tensorflow.python.distribute.{_where}"
    _class.__name__ = _class.__qualname__ = _called
