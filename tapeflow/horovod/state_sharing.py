"""Variables and objects of one rank for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base.frames.user_lines import user_line
from tapeflow.core.record.families import operand
from tapeflow.distribute.mpi import collectives, exchange
from tapeflow.horovod.process_sets import ProcessSet, global_process_set
from tapeflow.horovod.reductions import root_position


def broadcast_variables(variables: Any, root_rank: int,
                        process_set: ProcessSet = global_process_set, inplace: bool = False
                        ) -> None:
    """Give variables, of TensorFlow's kind or of Keras's, the values of rank `root_rank`."""
    group, where = process_set.group(), user_line()
    if group is None:
        return
    root = root_position(root_rank, process_set)
    for one in variables:
        variable = getattr(one, "value", one) if hasattr(one, "_dtype") else one
        variable = one if callable(variable) else variable
        variable.assign(collectives.broadcast(operand(variable), root, group, where=where))


def broadcast_object(obj: Any, root_rank: int = 0, session: Any = None, name: str | None = None,
                     process_set: ProcessSet = global_process_set) -> Any:
    """A Python object of rank `root_rank`, by pickle."""
    group = process_set.group()
    return obj if group is None else exchange.broadcast_object(
        group, obj, root_position(root_rank, process_set), user_line())


def broadcast_object_fn(root_rank: int = 0, session: Any = None, name: str | None = None,
                        process_set: ProcessSet = global_process_set) -> Callable[[Any], Any]:
    """`broadcast_object` as a function of the object."""
    return lambda obj: broadcast_object(obj, root_rank, process_set=process_set)


def allgather_object(obj: Any, session: Any = None, name: str | None = None,
                     process_set: ProcessSet = global_process_set) -> list:
    """A Python object of each rank, by pickle."""
    group = process_set.group()
    return [obj] if group is None else exchange.gather_objects(group, obj, user_line())
