"""The graph of objects that a checkpoint is made of: nodes, named edges, and the message of both.

A node is an object that can be tracked (variables, modules, Keras's layers …) or a list, tuple or
dict that such an object holds. `children` gives the edges of one node; `ObjectGraph` numbers the
nodes breadth first, as TensorFlow does, so that the files are the same byte for byte.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import CONTAINERS, AutoTrackable, Trackable
from tapeflow.core.values.variable import UnreadVariable, Variable
from tapeflow.graph.functions.function import Function
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.wire import DecodeError
from tapeflow.train.bundle import Bundle
from tapeflow.train.slots import slots_of

GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def graph_in(bundle: Bundle) -> Any:
    """The graph of objects that a checkpoint holds, with edges to nodes that are there."""
    if GRAPH_KEY not in bundle.entries:
        raise errors.NotFoundError(
            None, None, f"The checkpoint {bundle.prefix} has no object graph: it was written by "
                        "name, not by tf.train.Checkpoint. Read it with tf.train.load_checkpoint.")
    data = bundle.read(GRAPH_KEY)
    try:
        if data.shape or data.dtype.kind != "O":
            raise DecodeError("it is no string")
        graph = protos.TrackableObjectGraph.FromString(data[()])
    except DecodeError as error:
        raise errors.DataLossError(
            None, None, f"The object graph of {bundle.prefix} is damaged: {error}") from None
    ids = [one.node_id for node in graph.nodes for one in node.children]
    ids += [node_id for node in graph.nodes for one in node.slot_variables
            for node_id in (one.original_variable_node_id, one.slot_variable_node_id)]
    if not graph.nodes or not all(0 <= node_id < len(graph.nodes) for node_id in ids):
        raise errors.DataLossError(
            None, None, f"The object graph of {bundle.prefix} is damaged: a node that is not there")
    return graph


_PLAIN = (list, dict, OrderedDict)
_PRIVATE = "_self_"  # attributes by which tracking itself works


def is_container(value: Any) -> bool:
    """Whether a value is a list, dict or tuple that is tracked as TensorFlow tracks it."""
    kind = type(value)
    if kind in (list, dict, OrderedDict):
        return True
    return isinstance(value, tuple) and any(is_node(one) for one in value)


def is_node(value: Any) -> bool:
    """Whether a value has a place of its own in a checkpoint; functions have an empty one."""
    return isinstance(value, (Trackable, Function)) or is_container(value)


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    """The members of a container that are nodes, by name."""
    if isinstance(value, dict):
        for key, one in value.items():
            if is_node(one):
                if not isinstance(key, str):
                    raise ValueError(
                        f"Unable to save the object {value!r} (a dictionary wrapper constructed "
                        "automatically on attribute assignment). The wrapped dictionary contains "
                        "a non-string key which maps to a trackable object or mutable data "
                        "structure.\n\nIf you don't need this dictionary checkpointed, wrap it in "
                        "a non-trackable object; it will be subsequently ignored.")
                yield key, one
    else:
        for i, one in enumerate(value):
            if is_node(one):
                yield str(i), one


def chooses_functions(value: Any) -> bool:
    """Whether an object says by itself which functions a saved model has of it, as Keras 2's."""
    return isinstance(value, AutoTrackable) and (
        type(value)._trackable_children is not AutoTrackable._trackable_children)


def holder_of_children(value: Any) -> Any:
    """The object whose children a checkpoint sees: itself, unless it stands for another."""
    found = getattr(type(value), "_holder_of_children", None)
    return value if found is None else found(value)


def children(value: Any, cache: dict | None = None) -> dict[str, Any]:
    """The nodes that a node holds, by name; with a cache those that a saved model has."""
    if not isinstance(value, Trackable):
        return {} if isinstance(value, Function) else dict(_members(value))
    value = holder_of_children(value)
    chooses = cache is not None and chooses_functions(value)
    found = value._trackable_children("savedmodel", cache=cache) if chooses else (
        value._trackable_children("checkpoint"))
    if isinstance(value, AutoTrackable):
        noted = vars(value).get(CONTAINERS, {})
        merged = {}
        for name, one in vars(value).items():
            # A plain list that was not noted belongs to a class with its own rules: Keras 2's.
            if not name.startswith(_PRIVATE) and noted.get(name, type(one) not in _PLAIN):
                if chooses and isinstance(one, Function):
                    continue
                if is_node(one) or (name in noted and isinstance(one, (list, dict))):
                    merged[name] = found.get(name, one)
        found = {**merged, **found}
    return {name: _owner(one) for name, one in found.items()
            if isinstance(one, (list, dict)) or is_node(one)}


def _owner(value: Any) -> Any:
    """The variable behind what an assignment returned."""
    return value._owner if type(value) is UnreadVariable else value


def _holds_state(value: Any, seen: set[int]) -> bool:
    """Whether a container of a library's own kind holds a trackable that nobody else showed."""
    members = value.values() if isinstance(value, dict) else value
    return any(isinstance(one, Trackable) and id(one) not in seen for one in members)


def other_containers(value: Any, seen: set[int]) -> dict[str, Any]:
    """Lists and dicts of a library's own classes (Keras's) with objects not seen elsewhere.

    TensorFlow leaves these out, and with them the layers that a Keras model keeps in lists.
    """
    if not isinstance(value, AutoTrackable):
        return {}
    value = holder_of_children(value)
    noted = vars(value).get(CONTAINERS, {})
    return {name: dict(one) if isinstance(one, dict) else list(one)
            for name, one in vars(value).items()
            if not name.startswith(_PRIVATE) and isinstance(one, (list, dict))
            and type(one) not in (list, dict, OrderedDict) and not noted.get(name)
            and _holds_state(one, seen)}


class ObjectGraph:
    """The nodes below a root, numbered, with their edges."""

    def __init__(self, root: Any, attached: dict[str, Any] | None = None, wide: bool = True,
                 cache: dict | None = None):
        self._root, self._attached = root, attached or {}
        self.cache = cache  # of a saved model: where objects keep the functions they make for it
        self.nodes: list[Any] = []
        self.edges: list[dict[str, int]] = []
        self.paths: list[tuple[str, ...]] = []
        self._ids: dict[int, int] = {}
        self._id_of(root, ())
        self._expand(0, self.children)
        start = 0
        while wide and start < len(self.nodes):
            count = len(self.nodes)
            for i in range(start, count):
                more = other_containers(self.nodes[i], set(self._ids))
                self._link(i, more)
            self._expand(count, self.children)
            start = count

    def children(self, value: Any) -> dict[str, Any]:
        """The children of a node; the root has those that a Checkpoint gave it as well."""
        found = children(value, self.cache)
        return {**found, **self._attached} if value is self._root else found

    def _id_of(self, value: Any, path: tuple[str, ...]) -> int:
        found = self._ids.get(id(value))
        if found is None:
            found = self._ids[id(value)] = len(self.nodes)
            self.nodes.append(value)
            self.edges.append({})
            self.paths.append(path)
        return found

    def _link(self, i: int, found: dict[str, Any]) -> None:
        for name, one in found.items():
            self.edges[i][name] = self._id_of(one, (*self.paths[i], name))

    def _expand(self, start: int, rule: Callable[[Any], dict[str, Any]]) -> None:
        i = start
        while i < len(self.nodes):
            self._link(i, rule(self.nodes[i]))
            i += 1

    def holders(self) -> Iterator[tuple[int, Any, dict[str, Any]]]:
        """(node id, object, tensors by name) of the nodes that have values."""
        for i, one in enumerate(self.nodes):
            save = getattr(one, "_serialize_to_tensors", None)
            found = save() if callable(save) else None
            if found:
                yield i, one, found

    def serialised(self) -> tuple[dict[str, Tensor], Any]:
        """The tensors by key, and the TrackableObjectGraph that tells whose they are."""
        message = protos.TrackableObjectGraph()
        for edges in self.edges:
            node = message.nodes.add()
            for name, child in edges.items():
                node.children.add(node_id=child, local_name=name)
        tensors: dict[str, Tensor] = {}

        def put(node: Any, one: Any, prefix: str, found: dict[str, Tensor]) -> None:
            for name, tensor in found.items():
                key = f"{prefix}/.ATTRIBUTES/{_escaped(name)}".lstrip("/")
                node.attributes.add(name=name, full_name=_full_name(one), checkpoint_key=key)
                tensors[key] = tensor

        for i, one, found in self.holders():
            put(message.nodes[i], one, self._path(i), found)
        for slot in slots_of(self.nodes) if self.cache is None else ():
            message.nodes[slot.optimizer].slot_variables.add(
                slot_name=slot.name, original_variable_node_id=slot.variable,
                slot_variable_node_id=len(message.nodes))
            prefix = (f"{self._path(slot.variable)}/.OPTIMIZER_SLOT/"
                      f"{self._path(slot.optimizer)}/{_escaped(slot.name)}")
            put(message.nodes.add(), slot.value, prefix, slot.value._serialize_to_tensors())
        self._mark_values(message)
        return tensors, message

    def _path(self, i: int) -> str:
        """The path of a node, as keys of a checkpoint begin."""
        return "/".join([_escaped(name) for name in self.paths[i]])

    def arrays(self) -> tuple[dict[str, Any], Any]:
        """The same with the values now, those of a tf.Graph as its session has them."""
        tensors, message = self.serialised()
        graph = open_graph()
        if graph is None:
            return {name: one._value for name, one in tensors.items()}, message
        found = graph.session().run(list(tensors.values()))
        return {name: np.asarray(value, one.dtype.np)
                for (name, one), value in zip(tensors.items(), found)}, message

    def _mark_values(self, message: Any) -> None:
        """Say of each node whether it or anything below it has values."""
        above: list[list[int]] = [[] for _ in message.nodes]
        for i, edges in enumerate(self.edges):
            for child in edges.values():
                above[child].append(i)
        found = [i for i, node in enumerate(message.nodes) if node.attributes]
        marked = set(found)
        while found:
            for i in above[found.pop()]:
                if i not in marked:
                    marked.add(i)
                    found.append(i)
        for i, node in enumerate(message.nodes):
            node.has_checkpoint_values.SetInParent()
            if i in marked:
                node.has_checkpoint_values.value = True


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def _full_name(value: Any) -> str:
    """The name of a variable, for readers that know no objects."""
    variable = value if isinstance(value, Variable) else getattr(value, "value", None)
    name = getattr(variable, "name", "") if isinstance(variable, Variable) else ""
    return name.removesuffix(":0")


def node_names(message: Any) -> list[str]:
    """A readable path for each node of a message: `(root).layers.0`."""
    names = [""] * len(message.nodes)
    if names:
        names[0] = "(root)"
    queue = [0] if names else []
    for i in queue:
        for child in message.nodes[i].children:
            if not names[child.node_id]:
                names[child.node_id] = f"{names[i]}.{child.local_name}"
                queue.append(child.node_id)
    for i, node in enumerate(message.nodes):
        for one in node.slot_variables:
            names[one.slot_variable_node_id] = (
                f"{names[i]}'s state '{one.slot_name}' for {names[one.original_variable_node_id]}")
    return names
