"""MultiWorkerMirroredStrategy: a replica for each rank of a job (or several), kept equal.

In a process that is alone it is MirroredStrategy with one device. The numbers of all ranks meet in
`_reduced_all`, in `_gathered`, and where a mirrored variable is made (rank 0's value counts).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.exports import export
from tapeflow.base.frames.user_lines import user_line
from tapeflow.base.late import LateModule
from tapeflow.core.record.families import operand
from tapeflow.core.record.primitive_ops import concat
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.distribute.cluster_resolvers import RankClusterResolver, TFConfigClusterResolver
from tapeflow.distribute.replica_values import DistributedValues, Mirrored
from tapeflow.distribute.strategies import (
    MirroredExtended,
    MirroredStrategy,
    along,
    length,
    local_sum,
)
from tapeflow.distribute.strategy_scope import ReduceOp
from tapeflow.ops.array import shaping

# Keras asks for the class in every program: MPI is loaded when a strategy is made.
background_exchange = LateModule("tapeflow.distribute.mpi.background_exchange")
collectives = LateModule("tapeflow.distribute.mpi.collectives")
exchange = LateModule("tapeflow.distribute.mpi.exchange")
keras_ranks = LateModule("tapeflow.distribute.keras_ranks")


@export("distribute.MultiWorkerMirroredStrategy",
        "distribute.experimental.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(MirroredStrategy):
    """MirroredStrategy over the ranks of a job that a launcher has started.

    `tapeflow launch -n 4 train.py` starts four; alone, the process is the only worker.
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None):
        joined = background_exchange.engine()  # of the module that lets exchanges start early
        given = TFConfigClusterResolver() if cluster_resolver is None else cluster_resolver
        _check_workers(given, joined)
        super().__init__(["cpu:0"])
        self._extended = CollectiveAllReduceExtended(self)
        self._options = communication_options
        self._resolver = given
        if joined is not None:
            self._group = joined.world
            self._resolver = RankClusterResolver(given, joined.rank, joined.size)
            self._devices = tuple([one.replace("job:localhost", "job:worker").replace(
                "task:0", f"task:{joined.rank}") for one in self._devices])

    @property
    def num_replicas_in_sync(self) -> int:
        return self._local_count * self._workers

    @property
    def _workers(self) -> int:
        return 1 if self._group is None else self._group.size

    @property
    def _first_replica(self) -> int:
        return 0 if self._group is None else self._group.rank * self._local_count

    @property
    def _in_multi_worker_mode(self) -> bool:
        return self._group is not None

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """This rank's part of a dataset, by the auto-shard policy of its options."""
        if self._group is not None:
            keras_ranks.teach_keras()  # Keras comes by here before it trains
        return super().experimental_distribute_dataset(dataset, options)

    def _same_start(self, variable: Any) -> None:
        """Give a new variable the value that rank 0 has made."""
        if self._group is not None:
            value = variable._snapshot._value
            where = f"{user_line()} (the variable {variable.name!r})"
            if value.dtype.kind == "O":
                variable._swap(exchange.broadcast_object(self._group, value, 0, where))
            else:
                variable._swap(exchange.broadcast(self._group, np.asarray(value), 0, where))

    # -- combining ---------------------------------------------------------------------------------
    def _reduced(self, wanted: ReduceOp, value: Any, axis: Any = None) -> Any:
        if self._group is None:
            return super()._reduced(wanted, value, axis)
        if isinstance(value, Mirrored) and wanted is ReduceOp.MEAN and axis is None:
            return convert(value.values[0])
        parts: list[Any] = [one if isinstance(one, IndexedSlices) else operand(one)
                            for one in _parts(value)]
        # Keras reduces scalar metrics over axis 0, where TensorFlow fails.
        if axis is None or not len(parts[0].shape):
            return self._reduced_all(wanted, [value])[0]
        sums = local_sum([along(ReduceOp.SUM, one, axis) for one in parts])
        if wanted is ReduceOp.SUM:
            return self._all_reduce([sums], "sum")[0]
        count = convert(sum(length(one, axis) for one in parts), sums.dtype)
        total, rows = self._all_reduce([sums, count], "sum")
        return total / rows

    def _reduced_all(self, wanted: ReduceOp, values: Any, options: Any = None) -> list:
        """Several values, packed together; IndexedSlices are gathered."""
        if self._group is None:
            return super()._reduced_all(wanted, values)
        sums = [local_sum([operand(x) if not isinstance(x, IndexedSlices) else x
                           for x in _parts(value)]) for value in values]
        dense = [i for i, one in enumerate(sums) if not isinstance(one, IndexedSlices)]
        found: list[Any] = list(sums)
        mean = wanted is ReduceOp.MEAN
        scale = 1.0 / self._local_count if mean else 1.0
        reduced = self._all_reduce([sums[i] for i in dense], "mean" if mean else "sum", scale,
                                   options)
        for i, one in zip(dense, reduced):
            found[i] = one
        for i, one in enumerate(sums):
            if isinstance(one, IndexedSlices):
                found[i] = self._gathered_slices(one, mean)
        return found

    def _all_reduce(self, values: list, how: str, scale: float = 1.0, options: Any = None) -> list:
        most = getattr(options or self._options, "bytes_per_pack", 0)
        return collectives.all_reduce(values, how, self._group, after=scale, most=most)

    def _gathered_slices(self, value: Any, mean: bool) -> IndexedSlices:
        rows = collectives.all_gather(operand(value.values), self._group)
        indices = collectives.all_gather(operand(value.indices), self._group)
        if mean:
            rows = rows / self.num_replicas_in_sync
        return IndexedSlices(rows, indices, value.dense_shape)

    def _gathered(self, value: Any, axis: int) -> Any:
        if self._group is None:
            return super()._gathered(value, axis)
        parts = [operand(one) for one in _parts(value)]
        axis = axis if axis >= 0 else axis + parts[0].ndim
        joined = parts[0] if len(parts) == 1 else concat(*parts, axis=axis)
        if axis == 0:
            return collectives.all_gather(joined, self._group)
        order = [axis, *[i for i in range(joined.ndim) if i != axis]]
        rows = collectives.all_gather(shaping.transpose(joined, order), self._group)
        return shaping.transpose(rows, [order.index(i) for i in range(joined.ndim)])

    def _from_first(self, value: Any) -> Any:
        """The value of the first replica of all."""
        if self._group is None:
            return super()._from_first(value)
        return collectives.broadcast(convert(_parts(value)[0]), 0, self._group)


def _parts(value: Any) -> list:
    return list(value.values) if isinstance(value, DistributedValues) else [value]


def _check_workers(resolver: Any, joined: Any) -> None:
    """Compare the cluster that is described with the ranks that there are."""
    cluster = resolver.cluster_spec()
    workers = sum(cluster.num_tasks(job) for job in cluster.jobs if job in ("worker", "chief"))
    if joined is None and workers > 1:
        raise RuntimeError(
            f"tf.distribute.MultiWorkerMirroredStrategy: the cluster has {workers} workers (in "
            f"TF_CONFIG, if it is set), and this process is alone. Start all of them together: "
            f"`tapeflow launch -n {workers} train.py`, with `--hosts a,b` for other machines "
            f"than this one, or `mpiexec -n {workers} tapeflow run train.py`.")
    if joined is not None and workers > 1 and workers != joined.size:
        raise RuntimeError(
            f"tf.distribute.MultiWorkerMirroredStrategy: the cluster has {workers} workers (in "
            f"TF_CONFIG, if it is set), but the launcher has started {joined.size} ranks. Unset "
            "TF_CONFIG, or start as many ranks as it names workers.")


class CollectiveAllReduceExtended(MirroredExtended):
    """Extended part of MultiWorkerMirroredStrategy."""

    def _in_multi_worker_mode(self) -> bool:
        return self._strategy._group is not None

    @property
    def should_checkpoint(self) -> bool:  # type: ignore[override]
        return self._strategy._first_replica == 0

    should_save_summary = should_checkpoint

    def _use_merge_call(self) -> bool:
        return self._strategy._local_count > 1


for _class, _called in ((MultiWorkerMirroredStrategy, "CollectiveAllReduceStrategy"),
                        (CollectiveAllReduceExtended, "CollectiveAllReduceExtended")):
    _class.__module__ = "tensorflow.python.distribute.collective_all_reduce_strategy"
    _class.__name__ = _class.__qualname__ = _called
