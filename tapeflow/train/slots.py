"""Slots in checkpoints: variables that an optimizer keeps for other variables.

A slot is no child of an object: it is saved where both the optimizer and the variable are, and
restored when both are there (TensorFlow's and Keras 2's optimizers find it by `get_slot`).
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from tapeflow.base.shapes import TensorShape
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import VariableBase
from tapeflow.train.saveable_objects import VALUE

_uids = itertools.count()


class Slot(NamedTuple):
    """A variable of an optimizer's, both numbered as nodes, and its name there."""

    optimizer: int
    variable: int
    name: str
    value: Any


def slots_of(nodes: list[Any]) -> list[Slot]:
    """The slots that the optimizers among these objects keep for the variables among them."""
    found = []
    variables = [(i, one) for i, one in enumerate(nodes) if isinstance(one, VariableBase)]
    for i, optimizer in enumerate(nodes):
        if "get_slot_names" in dir(optimizer):  # not by hasattr: wrappers answer for others
            for name in optimizer.get_slot_names():
                for j, variable in variables:
                    try:
                        slot = optimizer.get_slot(variable, name)
                    except (AttributeError, KeyError):
                        continue  # not one that it trains
                    if slot is not None:
                        found.append(Slot(i, j, name, slot))
    return found


class SlotPosition:
    """What a checkpoint holds of one slot, for an optimizer that makes or finds it."""

    def __init__(self, restore: Any, node_id: int):
        self._restore, self._node_id = restore, node_id
        self.restore_uid = next(_uids)  # later ones win

    def is_simple_variable(self) -> bool:
        """Whether it is one value, and nothing else."""
        node = self._restore.graph.nodes[self._node_id]
        return [one.name for one in node.attributes] == [VALUE] and not node.children

    def value(self) -> Tensor:
        """The value."""
        return self._restore.values_of(self._restore.graph.nodes[self._node_id])[VALUE]

    def value_shape(self) -> TensorShape:
        """The shape of the value."""
        return self.value().shape

    def restore(self, slot_variable: Any) -> None:
        """Give a slot that was made the value."""
        self._restore.bind(slot_variable, self._node_id)


class SlotMatches:
    """The slots of a checkpoint, each given to its optimizer as soon as its variable is there."""

    def __init__(self, restore: Any):
        self._restore = restore
        self._open = [(i, one) for i, node in enumerate(restore.graph.nodes)
                      for one in node.slot_variables]

    def give(self) -> None:
        """Give those whose optimizers and variables have been matched by now."""
        objects = self._restore.objects
        ready = [one for one in self._open
                 if one[0] in objects and one[1].original_variable_node_id in objects]
        self._open = [one for one in self._open if one not in ready]
        for i, one in ready:
            make = getattr(objects[i], "_create_or_restore_slot_variable", None)
            if make is not None:
                slot = make(slot_variable_position=SlotPosition(
                                self._restore, one.slot_variable_node_id),
                            slot_name=one.slot_name,
                            variable=objects[one.original_variable_node_id])
                if slot is not None:
                    self._restore.bind(slot, one.slot_variable_node_id)
