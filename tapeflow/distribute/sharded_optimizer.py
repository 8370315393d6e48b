"""shard_optimizer: each rank keeps and updates its part of an optimizer's state.

A step sums up the gradients so that each rank gets its part of them, updates its part of the
variables with its part of the slots, and gathers the variables. That moves as many bytes as an
all-reduce of the gradients, and a rank holds 1/n of the slots.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.record.families import operand
from tapeflow.core.values.convert import convert
from tapeflow.core.values.variable import Variable
from tapeflow.distribute.mpi import collectives, shard_ops
from tapeflow.distribute.mpi.engine import engine
from tapeflow.distribute.strategy_scope import entered, has_strategy
from tapeflow.ops.array import shaping
from tapeflow.ops.math.clipping import clip_by_value
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.math.exponential import sqrt
from tapeflow.ops.reduce.reduction import reduce_sum

_init_scope: Any = LatePublic("init_scope")

# Optimizers whose update of an element depends on others of the variable.
NOT_ELEMENTWISE = ("Adafactor", "Lamb", "LossScaleOptimizer", "Muon")


@export("distribute.shard_optimizer")
def shard_optimizer(optimizer: Any) -> Any:
    """An optimizer like this one (of Keras) whose slots are shared out among the ranks of the job.

    >>> optimizer = tf.distribute.shard_optimizer(tf.keras.optimizers.Adam(0.001))

    Numbers are those of the optimizer itself. In the scope of a strategy gradients of ranks are
    summed up, as Keras does there; otherwise they are averaged. A process that is alone gets its
    optimizer back.
    """
    joined = engine()
    if joined is None:
        return optimizer
    base = type(optimizer)
    if base.__name__ in NOT_ELEMENTWISE or getattr(optimizer, "use_ema", False):
        raise ValueError(f"shard_optimizer: {base.__name__}"
                         f"{' with use_ema' if getattr(optimizer, 'use_ema', False) else ''} does "
                         "not update each element by itself, so its state cannot be divided.")
    if getattr(optimizer, "built", False):
        raise ValueError("shard_optimizer: the optimizer has slots already. Shard it before it is "
                         "used.")
    cls: Any = type(base.__name__, (_Sharded, base), {"__module__": base.__module__})
    config = optimizer.get_config()
    clipping = {name: config.pop(name, None) for name in ("clipnorm", "global_clipnorm",
                                                          "clipvalue")}
    with entered(None):  # its variables are the rank's own
        made = cls.from_config(config)
    made._shards = _Shards(joined.world, "sum" if has_strategy() else "mean", clipping)
    return made


class _Sharded:
    """Mixed into the class of the optimizer."""

    _shards: Any = None

    def build(self, variables: Any) -> None:
        with entered(None):
            super().build(self._shards.parts_of(variables))  # type: ignore[misc]

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        shards = self._shards
        variables = shards.variables if trainable_variables is None else list(trainable_variables)
        if not self.built:  # type: ignore[attr-defined]
            with _init_scope.get()():
                self.build(variables)
        if len(variables) != len(shards.variables):
            raise ValueError(f"shard_optimizer: {len(variables)} variables given, and the "
                             f"optimizer was built for {len(shards.variables)}.")
        parts = shards.own_gradients(list(grads))
        with entered(None):
            super().apply(parts, shards.parts)  # type: ignore[misc]
        shards.gather()


class _Shards:
    """The parts of the variables that this rank updates, and how ranks exchange them."""

    def __init__(self, group: Any, reduction: str, clipping: dict[str, Any]):
        self._group, self._reduction, self._clipping = group, reduction, clipping
        self.variables: list[Any] = []
        self.parts: list[Variable] = []

    def parts_of(self, variables: Any) -> list[Variable]:
        """Flat variables of this rank, one for each variable."""
        self.variables = list(variables)
        self.parts = []
        for one in self.variables:
            flat = shaping.reshape(_tensor(one), [-1])
            begin, end = shard_ops.bounds(flat.shape[0], self._group.rank, self._group.size)
            name = getattr(one, "name", "variable").removesuffix(":0")
            self.parts.append(Variable(flat[begin:end], name=f"{name}_part"))
        return self.parts

    def own_gradients(self, grads: list) -> list:
        """This rank's parts of the gradients of all ranks, clipped as the optimizer asks for."""
        dense = [shaping.reshape(_tensor(v), [-1]) * 0 if g is None else convert(g)
                 for g, v in zip(grads, self.variables)]
        return self._clipped(shard_ops.part_sums(dense, self._reduction, self._group))

    def _clipped(self, parts: list) -> list:
        limit = self._clipping["clipvalue"]
        if limit:
            return [clip_by_value(g, -limit, limit) for g in parts]
        every, each = self._clipping["global_clipnorm"], self._clipping["clipnorm"]
        if not every and not each:
            return parts
        squares = collectives.all_reduce([reduce_sum(g * g) for g in parts], "sum", self._group)
        if every:
            squares = [sum(squares[1:], squares[0])] * len(parts)
        most = float(every or each)
        return [g * (most / maximum(sqrt(square), most)) for g, square in zip(parts, squares)]

    def gather(self) -> None:
        """Give the variables what all ranks have made of their parts."""
        shapes = [tuple(one.shape) for one in self.variables]
        found = shard_ops.whole([operand(one) for one in self.parts], shapes, self._group)
        for one, value in zip(self.variables, found):
            own = getattr(one, "value", one) if not isinstance(one, Variable) else one
            for component in getattr(own, "values", (own,)):
                component.assign(value)


def _tensor(variable: Any) -> Any:
    own = variable if isinstance(variable, Variable) else getattr(variable, "value", variable)
    return operand(own)
