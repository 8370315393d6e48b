"""Objects that know the objects they hold, by name: what checkpoints and Keras walk over.

`Trackable` is a base class of variables, modules and Keras's layers. Children are those that were
announced with `_track_trackable` and, for `AutoTrackable`, what its attributes hold; nothing is
done when an attribute is set, so that layers are built quickly, but to note lists and dicts, which
libraries may turn into their own kinds, and to restore what a checkpoint has waiting for a child of
that name.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from tapeflow.base.exports import export

WAITING = "_self_waiting_restores"  # restores that have values for children not there yet
BY_NAME = ""  # among them: restores that match variables by their own names
CONTAINERS = "_self_containers"  # attributes set to lists, dicts or untracked: whether tracked
_TRACKING = "_self_setattr_tracking"  # False while attributes are set that are no children


@export("__internal__.tracking.NoDependency")
class NoDependency:
    """Marks a value that an object holds but does not track."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value


_KINDS = frozenset((list, dict, OrderedDict, tuple, NoDependency))


@export("__internal__.tracking.Trackable")
class Trackable:
    """An object that is saved and restored as part of the objects that hold it."""

    __slots__ = ()
    # In the class too, so that it is an attribute of every object: Keras looks into those that
    # only some objects have.
    _self_tracked_children: dict[str, Any] = {}

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Make `trackable` a child called `name`; returns it."""
        if not isinstance(trackable, Trackable):
            raise TypeError("Trackable._track_trackable() can only be used to track objects of "
                            f"type Trackable. Got type {type(trackable)}.")
        children = vars(self).setdefault("_self_tracked_children", {})
        if not overwrite and children.get(name, trackable) is not trackable:
            raise ValueError(f"Called Trackable._track_trackable() with name='{name}', but a "
                             "Trackable with this name is already declared as a dependency.")
        children[name] = trackable
        if WAITING in vars(self):
            restore_waiting(self, name, trackable)
        return trackable

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        """Give a child that a library tracks by itself what a checkpoint has for it."""
        if WAITING in vars(self):
            restore_waiting(self, name, trackable)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """The children by name."""
        return dict(self._self_tracked_children)

    def _add_variable_with_custom_getter(self, name: str, shape: Any = None, dtype: Any = None,
                                         initializer: Any = None, getter: Any = None,
                                         overwrite: bool = False, **kwargs: Any) -> Any:
        """A variable that a library's `getter` makes, as a child called `name`."""
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs)
        if isinstance(made, Trackable) and getattr(self, "_manual_tracking", True):
            self._track_trackable(made, name, overwrite)
        return made

    def _no_dependency(self, value: Any) -> Any:
        """A value to be stored in an attribute of this object without being its child."""
        return value

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        """The child called `name`, or None."""
        return self._trackable_children().get(name)


def restore_waiting(holder: Trackable, name: str, value: Any) -> None:
    """Give a new child the values that a checkpoint, restored before it was there, has for it."""
    waiting = vars(holder)[WAITING]
    if name in waiting and isinstance(value, (Trackable, list, dict, tuple)):
        found = waiting.pop(name)
        if type(value) is list:
            value = found[0][0].growing(value)
            object.__setattr__(holder, name, value)
        for restore, node in found:
            restore.bind(value, node)
    for restore in waiting.get(BY_NAME, ()) if isinstance(value, Trackable) else ():
        restore.meet(value)


@export("__internal__.tracking.AutoTrackable")
class AutoTrackable(Trackable):
    """A Trackable whose attributes are its children."""

    _functions: Callable  # given by the writer of saved models

    def __setattr__(self, name: str, value: Any) -> None:
        state = self.__dict__
        again = type(value) in _KINDS and state.get(name) is value  # `self.values += …`
        super().__setattr__(name, value)
        if type(value) in _KINDS:
            tracked = state.get(_TRACKING, True) or (
                again and state.get(CONTAINERS, {}).get(name, False))
            if type(value) is NoDependency:
                value, tracked = value.value, False
                super().__setattr__(name, value)
            if type(value) in _KINDS or not tracked:
                state.setdefault(CONTAINERS, {})[name] = tracked
        elif CONTAINERS in state:
            state[CONTAINERS].pop(name, None)
        if WAITING in state:
            restore_waiting(self, name, value)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        children = super()._trackable_children(save_type, **kwargs)
        noted = vars(self).get(CONTAINERS, {})
        for name, value in vars(self).items():
            if isinstance(value, Trackable) and noted.get(name, True):
                children[name] = value
        return {**self._functions(), **children} if save_type == "savedmodel" else children


@export("__internal__.tracking.no_automatic_dependency_tracking")
def no_automatic_dependency_tracking(method: Callable) -> Callable:
    """Decorator of methods whose assignments make no children."""
    @functools.wraps(method)
    def untracked(self: Any, *args: Any, **kwargs: Any) -> Any:
        state = self.__dict__
        before = state.get(_TRACKING, True)
        held = dict(state)
        state[_TRACKING] = False
        try:
            return method(self, *args, **kwargs)
        finally:
            state[_TRACKING] = before
            for name, value in [*state.items()]:
                if isinstance(value, Trackable) and held.get(name) is not value:
                    state.setdefault(CONTAINERS, {})[name] = False

    return untracked
