"""States that are kept, restored and made equal: `hvd.elastic` as far as one set of ranks goes.

`commit` keeps a state in memory, `restore` goes back to it, `sync` takes rank 0's. Ranks neither
come nor go while a job runs: `tapeflow launch --restarts` starts all of them again.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.horovod.state_sharing import broadcast_object, broadcast_variables


class HorovodInternalError(RuntimeError):
    """A collective has failed."""


class HostsUpdatedInterrupt(RuntimeError):
    """Ranks have come or gone; never raised here."""


class State:
    """What a program may go back to."""

    def __init__(self, **kwargs: Any):
        self._reset_callbacks: list[Callable[[], None]] = []

    def register_reset_callbacks(self, callbacks: list) -> None:
        """Call these after a reset."""
        self._reset_callbacks.extend(callbacks)

    def on_reset(self) -> None:
        """Ranks have changed: call the callbacks."""
        for one in self._reset_callbacks:
            one()

    def on_hosts_updated(self, timestamp: Any, update_res: Any) -> None:
        """Nothing: hosts do not change here."""

    def commit(self) -> None:
        """Keep the state."""
        self.save()

    def check_host_updates(self) -> None:
        """Nothing: hosts do not change here."""

    def save(self) -> None:
        raise NotImplementedError

    def restore(self) -> None:
        raise NotImplementedError

    def sync(self) -> None:
        raise NotImplementedError


class ObjectState(State):
    """Attributes that are plain Python objects."""

    def __init__(self, bcast_object: Any = None, get_rank: Any = None, **kwargs: Any):
        super().__init__()
        self._names = list(kwargs)
        self._kept: dict[str, Any] = {}
        for name, value in kwargs.items():
            setattr(self, name, value)
        ObjectState.save(self)

    def save(self) -> None:
        """Keep copies of the attributes."""
        self._kept = {name: copy.deepcopy(getattr(self, name)) for name in self._names}

    def restore(self) -> None:
        """Go back to what was kept."""
        for name, value in self._kept.items():
            setattr(self, name, copy.deepcopy(value))

    def sync(self) -> None:
        """Take rank 0's attributes, and keep them."""
        if self._names:
            for name, value in broadcast_object(
                    {name: getattr(self, name) for name in self._names}).items():
                setattr(self, name, value)
        self.save()


class TensorFlowState(ObjectState):
    """Variables, and attributes beside them."""

    def __init__(self, variables: Any = None, session: Any = None, **kwargs: Any):
        self._given = variables
        self._values: list[np.ndarray] = []
        super().__init__(**kwargs)
        self.save()

    @property
    def variables(self) -> list:
        return list(self._given() if callable(self._given) else self._given or ())

    def save(self) -> None:
        """Keep the values of the variables, and the attributes."""
        self._values = [np.array(one.numpy()) for one in self.variables]
        super().save()

    def restore(self) -> None:
        """Go back to what was kept."""
        for one, value in zip(self.variables, self._values):
            one.assign(value)
        super().restore()

    def sync(self) -> None:
        """Take rank 0's values, and keep them."""
        broadcast_variables(self.variables, 0)
        super().sync()


class TensorFlowKerasState(TensorFlowState):
    """The variables of a model and of its optimizer, and attributes beside them."""

    def __init__(self, model: Any, optimizer: Any = None, backend: Any = None, **kwargs: Any):
        self.model, self.optimizer = model, optimizer

        def variables() -> list:
            chosen = self.optimizer or getattr(model, "optimizer", None)
            found = [*model.variables, *(chosen.variables if chosen is not None else ())]
            return [getattr(one, "value", one) for one in
                    {id(one): one for one in found}.values()]

        super().__init__(variables, **kwargs)


def run(func: Callable) -> Callable:
    """A function of a state that begins with `sync`, and begins again after an internal error."""
    @functools.wraps(func)
    def wrapped(state: State, *args: Any, **kwargs: Any) -> Any:
        while True:
            state.sync()
            try:
                return func(state, *args, **kwargs)
            except HorovodInternalError:
                state.restore()
                state.on_reset()

    return wrapped
