"""shard_optimizer: each rank keeps and updates its part of an optimizer's state.

A step sums up the gradients so that each rank gets its part of them, updates its part of the
variables with its part of the slots, and gathers the variables. That moves as many bytes as an
all-reduce of the gradients, and a rank holds 1/n of the slots.

Files hold whole slots, as those of the plain optimizer do: all ranks save together, and a job of
another number of ranks, or a plain optimizer, goes on from them.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

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
        # What checkpoints hold beside the slots; in place, so that they are no slots themselves.
        self._trainable_variables[:] = list(variables)  # type: ignore[attr-defined]

    def add_variable_from_reference(self, reference_variable: Any, *args: Any, **options: Any
                                    ) -> Any:
        slot = super().add_variable_from_reference(  # type: ignore[misc]
            reference_variable, *args, **options)
        self._shards.adopt(slot, reference_variable)
        return slot

    def save_own_variables(self, store: Any) -> None:
        for i, one in enumerate(self.variables):  # type: ignore[attr-defined]
            store[str(i)] = self._shards.whole_slot(one)

    def load_own_variables(self, store: Any) -> None:
        known = self.variables  # type: ignore[attr-defined]
        if len(store.keys()) == len(known):
            store = {str(i): self._shards.own_part(one, store[str(i)])
                     for i, one in enumerate(known)}
        super().load_own_variables(store)  # type: ignore[misc]

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
        shards.refresh()
        with entered(None):
            super().apply(parts, shards.parts)  # type: ignore[misc]
        shards.gather()


class _Shards:
    """The parts of the variables that this rank updates, and how ranks exchange them."""

    def __init__(self, group: Any, reduction: str, clipping: dict[str, Any]):
        self._group, self._reduction, self._clipping = group, reduction, clipping
        self.variables: list[Any] = []
        self.parts: list[Variable] = []
        self._owners: dict[int, int] = {}  # by the id of a slot, which variable it is for
        self._slots: list[Any] = []
        self._collected: dict[int, np.ndarray] = {}

    def parts_of(self, variables: Any) -> list[Variable]:
        """Flat variables of this rank, one for each variable."""
        self.variables = list(variables)
        self.parts = []
        for one in self.variables:
            name = getattr(one, "name", "variable").removesuffix(":0")
            self.parts.append(Variable(self._part(_tensor(one)), name=f"{name}_part"))
        return self.parts

    def _part(self, value: Any) -> Any:
        flat = shaping.reshape(value, [-1])
        begin, end = shard_ops.bounds(flat.shape[0], self._group.rank, self._group.size)
        return flat[begin:end]

    def refresh(self) -> None:
        """Take over what the program has given the variables since the last step."""
        for one, part in zip(self.variables, self.parts):
            part.assign(self._part(_tensor(one)))

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


    # -- files -------------------------------------------------------------------------------------
    def adopt(self, slot: Any, part: Any) -> None:
        """A slot that belongs to a part: in files it is whole."""
        self._owners[id(slot)] = next(i for i, one in enumerate(self.parts) if one is part)
        self._slots.append(slot)
        slot._serialize_to_tensors = lambda: {"VARIABLE_VALUE": convert(self.whole_slot(slot))}
        slot._restore_from_tensors = functools.partial(self._restore, slot)

    def whole_slot(self, slot: Any) -> np.ndarray:
        """What all ranks have of a slot; other variables of the optimizer as they are."""
        owner = self._owners.get(id(slot))
        if owner is None:
            return slot.numpy()
        if id(slot) in self._collected:
            return self._collected[id(slot)]
        shape = tuple(self.variables[owner].shape)
        return shard_ops.whole([operand(slot.value)], [shape], self._group)[0].numpy()

    def own_part(self, slot: Any, value: Any) -> Any:
        """This rank's part of a whole slot."""
        owner = self._owners.get(id(slot))
        if owner is None:
            return value
        whole, shape = np.asarray(value), tuple(self.variables[owner].shape)
        if whole.shape != shape:
            raise ValueError(f"shard_optimizer: slot {slot.name} of a variable of shape {shape} "
                             f"cannot take a value of shape {whole.shape}.")
        return self._part(convert(whole)).numpy()

    def _restore(self, slot: Any, found: dict[str, Any]) -> None:
        slot.assign(self.own_part(slot, found["VARIABLE_VALUE"]))

    @contextlib.contextmanager
    def collected(self, keep: bool) -> Iterator[None]:
        """Whole slots on the ranks that keep them, for what one rank alone saves."""
        for slot in self._slots:
            whole = self.whole_slot(slot)
            if keep:
                self._collected[id(slot)] = whole
        try:
            yield
        finally:
            self._collected.clear()


def _tensor(variable: Any) -> Any:
    own = variable if isinstance(variable, Variable) else getattr(variable, "value", variable)
    return operand(own)
