"""`DistributedOptimizer`: a Keras optimizer that applies the gradients of all ranks."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.horovod.gradients import GradientReduction
from tapeflow.horovod.keras_2_programs import tolerate
from tapeflow.horovod.process_sets import ProcessSet, global_process_set
from tapeflow.horovod.reductions import Average, Compression


def DistributedOptimizer(optimizer: Any, name: str | None = None, use_locking: bool = False,
                         device_dense: str = "", device_sparse: str = "",
                         compression: Any = Compression.none, sparse_as_dense: bool = False,
                         backward_passes_per_step: int = 1, op: Any = Average,
                         gradient_predivide_factor: float = 1.0,
                         average_aggregated_gradients: bool = False, num_groups: int = 0,
                         groups: Any = None, process_set: ProcessSet = global_process_set,
                         scale_local_gradients: bool = True) -> Any:
    """An optimizer like `optimizer` that applies gradients reduced over ranks.

    With `backward_passes_per_step` > 1 gradients are added up for so many calls, and then reduced
    and applied once; `average_aggregated_gradients` divides them by that number.
    """
    tolerate()
    reduction = GradientReduction(compression, sparse_as_dense, op, gradient_predivide_factor,
                                  process_set)
    base = type(optimizer)
    cls: Any = type(base.__name__, (_Distributed, base), {"__module__": base.__module__})
    made = cls.from_config(optimizer.get_config())
    made._hvd = _Aggregation(reduction, backward_passes_per_step, average_aggregated_gradients)
    return made


class _Distributed:
    """Mixed into the class of the optimizer."""

    _hvd: Any = None

    def apply(self, grads: Any, trainable_variables: Any = None) -> Any:
        apply = super().apply  # type: ignore[misc]
        if self._hvd is None:  # while Keras makes it
            return apply(grads, trainable_variables)
        return self._hvd.apply(self, apply, list(grads), trainable_variables)


class _Aggregation:
    """Adds up gradients for some calls, then reduces and applies them."""

    def __init__(self, reduction: GradientReduction, passes: int, average: bool):
        self._reduction, self._passes, self._average = reduction, passes, average
        self._sums: list[Any] = []
        self._count: Any = None

    def apply(self, optimizer: Any, apply: Any, grads: list, variables: Any) -> Any:
        if self._passes == 1:
            return apply(self._reduction(grads), variables)
        if self._count is None:
            self._prepare(optimizer, grads, variables)
        for total, g in zip(self._sums, grads):
            total.assign_add(tf.convert_to_tensor(g))
        self._count.assign_add(1)
        return tf.cond(tf.equal(self._count, self._passes),
                       lambda: self._update(apply, variables), lambda: tf.constant(False))

    def _prepare(self, optimizer: Any, grads: list, variables: Any) -> None:
        with tf.init_scope():
            if variables is not None and not optimizer.built:
                optimizer.build(variables)
            self._count = tf.Variable(0, trainable=False, name="hvd_passes")
            self._sums = [tf.Variable(tf.zeros(g.shape, g.dtype), trainable=False,
                                      name=f"hvd_sum_{i}") for i, g in enumerate(grads)]

    def _update(self, apply: Any, variables: Any) -> Any:
        sums = [tf.convert_to_tensor(one) for one in self._sums]
        if self._average:
            sums = [one / self._passes for one in sums]
        apply(self._reduction(sums), variables)
        for one in self._sums:
            one.assign(tf.zeros_like(one))
        self._count.assign(0)
        return tf.constant(True)
