"""Objects that know the objects they hold, by name: what checkpoints and Keras walk over.

`Trackable` is a base class of variables, modules and Keras's layers. Children are those that were
announced with `_track_trackable` and, for `AutoTrackable`, what its attributes hold; nothing is
done when an attribute is set, so that layers are built quickly. May be imported by all of `core`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base.exports import export

_CHILDREN = "_self_tracked_children"


@export("__internal__.tracking.Trackable")
class Trackable:
    """An object that is saved and restored as part of the objects that hold it."""

    __slots__ = ()

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Make `trackable` a child called `name`; returns it."""
        if not isinstance(trackable, Trackable):
            raise TypeError("Trackable._track_trackable() can only be used to track objects of "
                            f"type Trackable. Got type {type(trackable)}.")
        children = vars(self).setdefault(_CHILDREN, {})
        if not overwrite and children.get(name, trackable) is not trackable:
            raise ValueError(f"Called Trackable._track_trackable() with name='{name}', but a "
                             "Trackable with this name is already declared as a dependency.")
        children[name] = trackable
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """The children by name."""
        return dict(getattr(self, "__dict__", {}).get(_CHILDREN, {}))

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        """The child called `name`, or None."""
        return self._trackable_children().get(name)


@export("__internal__.tracking.AutoTrackable")
class AutoTrackable(Trackable):
    """A Trackable whose attributes are its children."""

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        children = super()._trackable_children(save_type, **kwargs)
        for name, value in vars(self).items():
            if isinstance(value, Trackable):
                children[name] = value
        return children


@export("__internal__.tracking.no_automatic_dependency_tracking")
def no_automatic_dependency_tracking(method: Callable) -> Callable:
    """Decorator of methods whose assignments make no children; none are made by assigning."""
    return method
