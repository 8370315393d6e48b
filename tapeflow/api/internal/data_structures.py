"""Lists, dicts and tuples that an object holds, as `tf.__internal__.tracking` has them.

A plain `tf.Module` keeps its lists and dicts as they are; checkpoints look through them
(`core/values/tracking.py`). Libraries that ask for `wrap` get kinds that know their layers and
weights. Loaded when one of the names is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export, publish
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.values.tracking import NoDependency, Trackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph.functions.function import Function


@export("__internal__.tracking.TrackableDataStructure")
class TrackableDataStructure(Trackable):
    """A structure that is a child of the object that holds it, with the weights of its members."""

    _self_trainable = True

    @property
    def trainable(self) -> bool:
        return self._self_trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._self_trainable = value

    @property
    def _values(self) -> Iterable[Any]:
        """The members."""
        return ()

    @property
    def _layers(self) -> list:
        return [one for one in self._values if isinstance(one, TrackableDataStructure)
                or hasattr(one, "trainable_weights") and hasattr(one, "non_trainable_weights")]

    @property
    def layers(self) -> list:
        """The members with weights, those of inner structures too."""
        found: list[Any] = []
        for one in self._layers:
            found += one.layers if isinstance(one, TrackableDataStructure) else [one]
        return found

    def _weights(self, trainable: bool) -> list:
        name = "trainable_variables" if trainable else "non_trainable_variables"
        inner: list[Any] = []
        for one in self._values:
            if isinstance(one, Trackable) and not isinstance(one, VariableBase):
                inner += getattr(one, name, [])
        own = [one for one in self._values if isinstance(one, VariableBase)
               and getattr(one, "trainable", None) is trainable]
        return [*inner, *own]

    @property
    def trainable_weights(self) -> list:
        return self._weights(True) if self._self_trainable else []

    @property
    def non_trainable_weights(self) -> list:
        frozen = [] if self._self_trainable else self._weights(True)
        return [*frozen, *self._weights(False)]

    @property
    def weights(self) -> list:
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables, non_trainable_variables = trainable_weights, non_trainable_weights
    variables = weights

    @property
    def updates(self) -> list:
        return [one for layer in self.layers for one in getattr(layer, "updates", [])]

    @property
    def losses(self) -> list:
        return [one for layer in self.layers for one in getattr(layer, "losses", [])]


class ListWrapper(TrackableDataStructure, list):
    """A list that an object tracks; libraries take it for a list.

    What is done to it is done to the user's list too. Children go by their places, so one whose
    places may have changed, by itself or by the user's list, cannot be saved.
    """

    def __init__(self, wrapped_list: Iterable[Any] = ()):
        self._original = wrapped_list if type(wrapped_list) is list else []
        list.__init__(self, [wrap_or_unwrap(one) for one in wrapped_list])
        self._original[:] = self
        self._seen = list(self)  # what the user's list held when this one last changed
        self._moved = False

    @property
    def _values(self) -> Iterable[Any]:
        return self

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        if self._moved:
            raise ValueError(
                f"Unable to save the object {self} (a list wrapper constructed to track trackable "
                "TensorFlow objects). A list element was replaced (__setitem__, __setslice__), "
                "deleted (__delitem__, __delslice__), or moved (sort). In order to support "
                "restoration on object creation, tracking is exclusively for append-only data "
                "structures.\n\nIf you don't need this list checkpointed, wrap it in a "
                "non-trackable object; it will be subsequently ignored.")
        if self._original != self._seen:
            raise ValueError(
                f"Unable to save the object {self} (a list wrapper constructed to track trackable "
                "TensorFlow objects). The wrapped list was modified outside the wrapper (its "
                f"final value was {self._original}, its value when a checkpoint dependency was "
                f"added was {self._seen}), which breaks restoration on object creation.\n\nIf "
                "you don't need this list checkpointed, wrap it in a NoDependency object; it "
                "will be subsequently ignored.")
        return {str(i): one for i, one in enumerate(self) if isinstance(one, (Trackable, Function))}

    def _change(self, method: Callable, *args: Any, moved: Any = None, **named: Any) -> None:
        """Do something to this list and to the user's; `moved`: whether places changed."""
        if moved is None:
            moved = any(isinstance(one, Trackable) for one in self)
        method(self, *args, **named)
        if self._original == self._seen:  # else it is noticed when it is saved
            self._moved = self._moved or bool(moved)
            self._original[:] = self._seen = list(self)

    def append(self, value: Any) -> None:
        value = wrap_or_unwrap(value)
        for one in (self, self._original, self._seen):
            list.append(one, value)

    def extend(self, values: Iterable[Any]) -> None:
        found = [wrap_or_unwrap(one) for one in values]
        for one in (self, self._original, self._seen):
            list.extend(one, found)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            value = [wrap_or_unwrap(one) for one in value]
            moved = None
        else:
            value, moved = wrap_or_unwrap(value), isinstance(self[key], Trackable)
        self._change(list.__setitem__, key, value, moved=moved)

    def __delitem__(self, key: Any) -> None:
        self._change(list.__delitem__, key)

    def insert(self, index: Any, value: Any) -> None:
        value = wrap_or_unwrap(value)
        self._change(list.insert, index, value, moved=True if isinstance(value, Trackable)
                     else None)

    def pop(self, index: Any = -1) -> Any:
        value = self[index]
        del self[index]
        return value

    def remove(self, value: Any) -> None:
        del self[self.index(value)]

    def clear(self) -> None:
        self._change(list.clear)

    def reverse(self) -> None:
        self._change(list.reverse)

    def sort(self, **named: Any) -> None:
        self._change(list.sort, **named)

    def __iadd__(self, values: Any) -> Any:  # type: ignore[misc]
        self.extend(values)
        return self

    def __imul__(self, times: Any) -> Any:  # type: ignore[misc]
        if times > 0:
            self.extend(list(self) * (times - 1))
        else:
            self.clear()
        return self

    def __reduce__(self) -> tuple:
        return ListWrapper, (list(self),)


class DictWrapper(TrackableDataStructure, dict):
    """A dict that an object tracks; libraries take it for a dict.

    What is set and deleted here is so in the user's dict too. One that changed in other ways cannot
    be saved, nor one whose children have names that are no strings.
    """

    def __init__(self, wrapped_dict: Any = (), **kwargs: Any):
        self._original = wrapped_dict if type(wrapped_dict) is dict and not kwargs else {}
        self._unnamed = False  # whether a child's key is no string
        for key, one in dict(wrapped_dict, **kwargs).items():
            self._put(key, one)
        self._seen = dict(self)  # what it held when it was last changed here

    def _put(self, key: Any, value: Any) -> None:
        stored = wrap_or_unwrap(value)
        if not isinstance(key, str) and isinstance(stored, Trackable) and (
                not isinstance(value, NoDependency)):
            self._unnamed = True
        dict.__setitem__(self, key, stored)
        self._original[key] = stored

    @property
    def _values(self) -> Iterable[Any]:
        return [self[key] for key in sorted(self, key=str)]

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        start = (f"Unable to save the object {self} (a dictionary wrapper constructed "
                 "automatically on attribute assignment). The wrapped dictionary ")
        end = ("\n\nIf you don't need this dictionary checkpointed, wrap it in a non-trackable "
               "object; it will be subsequently ignored.")
        if self._unnamed:
            raise ValueError(f"{start}contains a non-string key which maps to a trackable object "
                             f"or mutable data structure.{end}")
        if not self._seen == self._original == self:
            final = self._original if self._seen == self else dict(self)
            raise ValueError(
                f"{start}was modified outside the wrapper (its final value was {final}, its value "
                f"when a checkpoint dependency was added was {self._seen}), which breaks "
                f"restoration on object creation.{end}")
        return {key: one for key, one in self.items()
                if isinstance(key, str) and isinstance(one, (Trackable, Function))}

    def __setitem__(self, key: Any, value: Any) -> None:
        self._put(key, value)
        self._seen[key] = self[key]

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key)
        self._original.pop(key, None)
        self._seen.pop(key, None)

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, one in dict(*args, **kwargs).items():
            self[key] = one

    def __reduce__(self) -> tuple:
        return DictWrapper, (dict(self),)


class TupleWrapper(TrackableDataStructure, tuple):
    """A tuple that an object tracks."""

    @property
    def _values(self) -> Iterable[Any]:
        return self

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {str(i): one for i, one in enumerate(self) if isinstance(one, (Trackable, Function))}


List, Mapping = ListWrapper, DictWrapper
_DictWrapper, _TupleWrapper = DictWrapper, TupleWrapper
for _name, _class in {"_DictWrapper": DictWrapper, "_TupleWrapper": TupleWrapper,
                      "ListWrapper": ListWrapper}.items():
    _class.__name__ = _class.__qualname__ = _name
    _class.__module__ = "tensorflow.python.trackable.data_structures"


def wrap_or_unwrap(value: Any) -> Any:
    """The value that an object stores for one that it is given."""
    if isinstance(value, NoDependency):
        return value.value
    if type(value) is dict:
        return DictWrapper(value)
    if type(value) is list:
        return ListWrapper(value)
    if type(value) is tuple and any(isinstance(one, (Trackable, list, dict)) for one in value):
        return TupleWrapper([wrap_or_unwrap(one) for one in value])
    return value


publish(wrap_or_unwrap, "__internal__.tracking.wrap")


@export("__internal__.tracking.sticky_attribute_assignment")
def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """Make a value a child of an object, unless it is marked; gives what is to be stored."""
    stored = wrap_or_unwrap(value)
    if not isinstance(value, NoDependency) and isinstance(stored, Trackable):
        trackable._track_trackable(stored, name, overwrite=True)
    return stored


@export("__internal__.tracking.CheckpointInitialValueCallable")
class CheckpointInitialValueCallable:
    """A function that gives the value that a checkpoint has for a variable."""

    def __init__(self, checkpoint_position: Any):
        self._position = checkpoint_position

    @property
    def checkpoint_position(self) -> Any:
        return self._position

    @property
    def restore_uid(self) -> int:
        return self._position.restore_uid

    def __call__(self, shape: Any = None, dtype: Any = None, shard_info: Any = None) -> Any:
        return self._position.value()


class CheckpointInitialValue:
    """The value that a checkpoint has for a variable that is being made."""

    def __init__(self, checkpoint_position: Any, shape: Any = None, shard_info: Any = None):
        self.checkpoint_position = checkpoint_position


@export("__internal__.tracking.DelegatingTrackableMixin")
class DelegatingTrackableMixin:
    """An object whose children are those of another."""

    def __init__(self, trackable_obj: Any):
        self._trackable = trackable_obj

    def _track_trackable(self, *args: Any, **kwargs: Any) -> Any:
        return self._trackable._track_trackable(*args, **kwargs)

    def _trackable_children(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self._trackable._trackable_children(*args, **kwargs)

    def _lookup_dependency(self, *args: Any, **kwargs: Any) -> Any:
        return self._trackable._lookup_dependency(*args, **kwargs)

    def _holder_of_children(self) -> Any:
        return self._trackable


class KerasModeKeys:
    """The names of what a model is run for."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"


# -- what Keras 2 asks of every object when it saves and loads a model -----------------------------
def _delete_tracking(self: Any, name: str) -> None:
    """Forget a child that was announced."""
    self._self_tracked_children.pop(name, None)


_children = property(lambda self: self._self_tracked_children)


def _set_tracking(self: Any, tracked: bool) -> None:
    """Say whether the attributes that are set from now on are children."""
    self._self_setattr_tracking = tracked


_tracking = property(lambda self: getattr(self, "_self_setattr_tracking", True), _set_tracking)


def _rename(self: Any, name: str) -> None:
    """Give a variable the name that it was saved with."""
    self._name = name.removesuffix(":0")


def _without_tensor_names(self: TypeSpec) -> Any:
    """The description without the names of tensors."""
    if isinstance(self, TensorSpec):
        return TensorSpec(self.shape, self.dtype)
    return self._deserialize(nest.map_structure(
        lambda one: _without_tensor_names(one) if isinstance(one, TypeSpec) else one,
        self._serialize()))


setattr(TypeSpec, "_without_tensor_names", _without_tensor_names)  # noqa: B010
for _name, _value in (("_object_identifier", "_generic_user_object"),
                      ("_maybe_initialize_trackable", lambda self: None),
                      ("_self_unconditional_dependency_names", _children),
                      ("_unconditional_dependency_names", _children),
                      ("_setattr_tracking", _tracking),
                      ("_delete_tracking", _delete_tracking)):
    setattr(Trackable, _name, _value)
setattr(Variable, "_in_graph_mode", False)  # noqa: B010
setattr(Variable, "_handle_name", property(lambda self: self.name, _rename))  # noqa: B010
