"""Looking at objects and checkpoints as graphs, and Python state in checkpoints."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exports import export
from tapeflow.core.values.tensor import wrap
from tapeflow.core.values.tracking import Trackable
from tapeflow.io.paths import text_of
from tapeflow.train.bundle import Bundle
from tapeflow.train.object_graph import GRAPH_KEY, ObjectGraph, children, graph_in
from tapeflow.train.saveable_objects import SaveSpec
from tapeflow.train.slots import slots_of


@export("train.TrackableView")
class TrackableView:
    """The objects that can be reached from one, as checkpoints walk over them."""

    def __init__(self, root: Any):
        self._root = root if isinstance(root, weakref.ref) else lambda: root

    @property
    def root(self) -> Any:
        return self._root()

    @classmethod
    def children(cls, obj: Any, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """What an object holds, by name."""
        return children(obj)

    def descendants(self) -> list[Any]:
        """All objects that can be reached, breadth first, the root first."""
        found, seen = [self.root], {id(self.root)}
        for one in found:
            for child in self.children(one).values():
                if id(child) not in seen:
                    seen.add(id(child))
                    found.append(child)
        return found


class TrackableReference(NamedTuple):
    """One step of the way from an object to another: by which name, and to what."""

    name: str
    ref: Any


class _PathsByObject(dict):
    """The ways to objects; an object is its own key, whatever it says of equality."""

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(id(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(id(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(id(key), default)


@export("__internal__.tracking.ObjectGraphView")
class ObjectGraphView(TrackableView):
    """The objects that can be reached from one, the ways to them, and what is saved of them."""

    def breadth_first_traversal(self) -> tuple[list[Any], _PathsByObject]:
        """The objects, nearest first, and of each the references by which it is reached."""
        root = self.root
        found, paths = [root], _PathsByObject({id(root): ()})
        for one in found:
            for name, child in self.children(one).items():
                if child not in paths:
                    found.append(child)
                    dict.__setitem__(paths, id(child),
                                     (*paths[one], TrackableReference(name, child)))
        return found, paths

    def serialize_object_graph(self, saveables_cache: Any = None) -> tuple[list, Any, None]:
        """The tensors under their keys in a checkpoint, and the description of the objects."""
        tensors, message = ObjectGraph(self.root).serialised()
        return [SaveSpec(tensor, "", key) for key, tensor in tensors.items()], message, None


@export("train.CheckpointView")
class CheckpointView:
    """The objects in a checkpoint, by node id."""

    def __init__(self, save_path: Any):
        bundle = Bundle(text_of(save_path))
        if GRAPH_KEY not in bundle.entries:
            raise ValueError(f"The specified checkpoint \"{save_path}\" does not appear to be "
                             "object-based (saved with TF2) since it is missing the key "
                             f"\"{GRAPH_KEY}\".")
        self._graph = graph_in(bundle)

    def children(self, node_id: int) -> dict[str, int]:
        """The node ids of what an object holds, by name."""
        return {one.local_name: one.node_id for one in self._graph.nodes[node_id].children}

    def descendants(self) -> list[int]:
        """The node ids of all objects, breadth first."""
        found = [0]
        for one in found:
            found.extend([child for child in self.children(one).values() if child not in found])
        return found

    def match(self, obj: Any) -> dict[int, Any]:
        """Objects of the program by the node ids of those in the checkpoint that they match."""
        if not isinstance(obj, Trackable):
            raise ValueError(f"Expected a Trackable, got {obj} of type {type(obj)}.")
        found, queue = {0: obj}, [(0, obj)]
        for node_id, one in queue:
            held = children(one)
            for name, child in self.children(node_id).items():
                if name in held and child not in found:
                    found[child] = held[name]
                    queue.append((child, held[name]))
        return found

    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """What matches, the node ids that match nothing, and the objects that match nothing."""
        matched = self.match(obj)
        known = {id(one) for one in matched.values()}
        return (matched, [one for one in self.descendants() if one not in matched],
                [one for one in TrackableView(obj).descendants() if id(one) not in known])


def list_objects(root_trackable: Any) -> list[Any]:
    """The objects that a checkpoint of one would have, as libraries ask for them."""
    found = TrackableView(root_trackable).descendants()
    return [*found, *[slot.value for slot in slots_of(found)]]


@export("train.experimental.PythonState")
class PythonState(Trackable):
    """A mixin that puts Python state into checkpoints, as a string."""

    def serialize(self) -> Any:
        """The state as a string."""
        raise NotImplementedError

    def deserialize(self, string_value: bytes) -> None:
        """Take the state out of a string."""
        raise NotImplementedError

    def _serialize_to_tensors(self) -> dict[str, Any]:
        text = self.serialize()
        held = np.empty((), object)
        held[()] = text.encode() if isinstance(text, str) else text
        return {"py_state": wrap(held)}

    def _restore_from_tensors(self, restored_tensors: dict[str, Any]) -> None:
        self.deserialize(restored_tensors["py_state"].numpy())


for _class in (TrackableView, CheckpointView):
    _class.__module__ = "tensorflow.python.checkpoint"
