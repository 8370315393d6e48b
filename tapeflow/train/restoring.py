"""Giving objects the values of a checkpoint: matching by names, waiting for what is not there yet.

A `Restore` walks the object graph of a checkpoint and the objects of the program side by side. A
child that the program does not have yet is restored when it is made: its holder remembers that this
checkpoint waits (`core.tracking`). The status classes are what `restore` returns.
"""

from __future__ import annotations

import logging
import weakref
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.scopes import init_scope, open_graph
from tapeflow.core.values.tensor import Tensor, next_uid, wrap
from tapeflow.core.values.tracking import WAITING, Trackable
from tapeflow.core.values.variable import Variable
from tapeflow.train.bundle import Bundle
from tapeflow.train.object_graph import (
    ObjectGraph,
    children,
    graph_in,
    holder_of_children,
    node_names,
    other_containers,
)
from tapeflow.train.slots import SlotMatches, slots_of

_SPELT = {"float32": "float", "float64": "double", "float16": "half"}


class Restore:
    """One checkpoint on its way into the objects of a program."""

    def __init__(self, bundle: Bundle, root: Any, attached: dict[str, Any]):
        self._bundle, self.root, self.attached = bundle, root, attached
        self.graph = graph_in(bundle)
        self.objects: dict[int, Any] = {}
        self.unused: dict[str, list[str]] = {}
        self.quiet = False
        self.waiting: list[Any] = []  # functions that give a session values of a tf.Graph
        self.session: Any = None  # one that gets them at once
        self.number = next_uid()  # restores are numbered in the order in which they were asked for
        self._slots = SlotMatches(self)
        self.bind(root, 0)

    def bind(self, value: Any, first: int) -> None:
        """Match an object with a node, and what it holds with the nodes below."""
        queue = [(value, first)]
        for one, node_id in queue:
            if node_id in self.objects and self.objects[node_id] is not one:
                if isinstance(one, (list, dict)):
                    pass  # a list made anew of a library's own kind
                else:
                    logging.getLogger("tensorflow").warning(
                        "Inconsistent references when loading the checkpoint into this object "
                        "graph. For example, in the saved checkpoint object, `model.layer.weight` "
                        "and `model.layer_copy.weight` reference the same variable, while in the "
                        "current object these are two different variables. The referenced "
                        "variables are:(%s and %s).", self.objects[node_id], one)
                    continue
            elif node_id not in self.objects:
                self.objects[node_id] = one
                self._restore_values(one, self.graph.nodes[node_id])
            queue.extend(self._matched(one, node_id))
        self._slots.give()

    def _matched(self, value: Any, node_id: int) -> list[tuple[Any, int]]:
        """The children of a node that both sides have and that are not matched yet."""
        held = children(value)
        if value is self.root:
            held = {**held, **self.attached}
        node = self.graph.nodes[node_id]
        if any(one.local_name not in held for one in node.children):
            held = {**other_containers(value, set()), **held}
        found = []
        for child in node.children:
            one = held.get(child.local_name)
            if one is not None:
                if self.objects.get(child.node_id) is not one:
                    found.append((one, child.node_id))
            elif isinstance(value, Trackable) and hasattr(value, "__dict__"):
                holder = vars(holder_of_children(value))
                waiting = holder.setdefault(WAITING, {}).setdefault(child.local_name, [])
                if (self, child.node_id) not in waiting:
                    waiting.append((self, child.node_id))
        return found

    def _restore_values(self, value: Any, node: Any) -> None:
        if not node.attributes:
            return
        take = getattr(value, "_restore_from_tensors", None)
        if not callable(take):
            self.unused.setdefault(repr(value), []).extend([one.name for one in node.attributes])
            return
        for attribute in node.attributes:
            self._check_dtype(value, attribute.checkpoint_key)
        found = self.values_of(node)
        if getattr(value, "_value", 0) is None and callable(getattr(value, "_initializer", None)):
            # A variable of Keras that is to be filled later: by this value, then.
            value._initializer = lambda shape, dtype=None: found["VARIABLE_VALUE"]
            return
        with init_scope():  # an object made while a function is traced gets its value at once
            later = take(found)
            of_session = later is not None and open_graph() is not None
        if of_session:
            self.waiting.append(later if callable(later) else lambda session: session.run(later))
            if self.session is not None:
                self.run(self.session)
            _note(value, self.number)

    def run(self, session: Any) -> None:
        """Give a session the values of a tf.Graph that it has not got yet."""
        waiting, self.waiting = self.waiting, []
        for give in waiting:
            give(session)

    def values_of(self, node: Any) -> dict[str, Tensor]:
        """What the checkpoint holds of a node, by name."""
        found = {}
        for attribute in node.attributes:
            value = self._bundle.read(attribute.checkpoint_key)
            plain = value.dtype == object or value.ndim
            found[attribute.name] = wrap(value if plain else value[()])
        return found

    def _check_dtype(self, value: Any, key: str) -> None:
        variable = value if isinstance(value, Variable) else getattr(value, "value", None)
        if isinstance(variable, Variable) and variable.dtype != self._bundle.dtype(key):
            wanted, given = variable.dtype.name, self._bundle.dtype(key).name
            raise errors.invalid("RestoreV2", (
                f"tensor_name = {key}; expected dtype {_SPELT.get(wanted, wanted)} does not equal "
                f"original dtype {_SPELT.get(given, given)}"))

    def refresh(self) -> None:
        """Match what has been added to lists and dicts, which tell nobody, since then."""
        for node_id in list(self.objects):
            for one, child in self._matched(self.objects[node_id], node_id):
                if child not in self.objects:
                    self.bind(one, child)

    def growing(self, members: list) -> GrowingList:
        """A list that takes values as it grows."""
        return GrowingList(members, self)

    def missing(self) -> list[int]:
        """The nodes with values that no object has taken."""
        return [i for i, node in enumerate(self.graph.nodes)
                if node.attributes and i not in self.objects]

    def __del__(self) -> None:
        if getattr(self, "quiet", True) or not getattr(self, "objects", None):
            return
        missing = self.missing()
        if missing and logging is not None:
            log = logging.getLogger("tensorflow")
            log.warning("Detecting that an object or model or tf.train.Checkpoint is being deleted "
                        "with unrestored values. See the following logs for the specific values "
                        "in question. To silence these warnings, use `status.expect_partial()`.")
            names = node_names(self.graph)
            for i in missing:
                log.warning("Value in checkpoint could not be found in the restored object: %s",
                            names[i])


class GrowingList(list, Trackable):
    """A list that a checkpoint has values for: what is appended is restored at once."""

    def __init__(self, members: Any, restore: Restore):
        list.__init__(self, members)
        self._self_restore = restore

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {str(i): one for i, one in enumerate(self) if isinstance(one, Trackable)}

    def append(self, value: Any) -> None:
        self.extend((value,))

    def extend(self, values: Any) -> None:
        list.extend(self, values)
        self._self_restore.refresh()

    def __reduce__(self) -> tuple:
        return list, (list(self),)


class CheckpointLoadStatus:
    """What a restore has matched, and what it has not."""

    def __init__(self, restore: Restore):
        self._restore = restore

    def _unmatched(self) -> list[Any]:
        restore = self._restore
        restore.refresh()
        graph = ObjectGraph(restore.root, restore.attached, wide=False)
        matched = {id(one) for one in restore.objects.values()}
        slots = [one.value for one in slots_of(graph.nodes)]
        return [one for one in [*graph.nodes, *slots] if id(one) not in matched
                and callable(getattr(one, "_serialize_to_tensors", None))]

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raise unless every object has found a node and every value an object."""
        self.assert_existing_objects_matched()
        restore = self._restore
        missing = restore.missing()
        if missing:
            i = missing[0]
            raise AssertionError(f"Unresolved object in checkpoint {node_names(restore.graph)[i]}: "
                                 f"{restore.graph.nodes[i]}")
        if restore.unused:
            listed = "\n".join(f"{who}: {names}" for who, names in restore.unused.items())
            raise AssertionError("Unused attributes in these objects (the attributes exist in the "
                                 f"checkpoint but were not restored):\n{listed}")
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raise unless every object that there is now has found a node."""
        unmatched = self._unmatched()
        if unmatched:
            raise AssertionError(
                f"Found {len(unmatched)} Python objects that were not bound to checkpointed "
                "values, likely due to changes in the Python program. Showing "
                f"{min(10, len(unmatched))} of {len(unmatched)} unmatched objects: "
                f"{unmatched[:10]}")
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raise if nothing but the root has found a node."""
        unmatched = self._unmatched()
        if len(self._restore.objects) > 1:
            return self
        if unmatched:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. The following objects have "
                f"no matching checkpointed value: {unmatched}")
        raise AssertionError("Nothing to load. No dependencies have been added to "
                             f"{self._restore.root} yet.")

    def expect_partial(self) -> CheckpointLoadStatus:
        """Say nothing of values that no object takes."""
        self._restore.quiet = True
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Give a session the values; without a tf.Graph they are restored at once."""
        graph = open_graph()
        if graph is not None:
            self._restore.refresh()
            self._restore.run(session or graph.session())

    def initialize_or_restore(self, session: Any = None) -> None:
        """The same, and initialise what the checkpoint has no value for."""
        graph = open_graph()
        if graph is not None:
            session = session or graph.session()
            self.run_restore_ops(session)
            matched = {id(one) for one in self._restore.objects.values()}
            session.run([one.initializer for one in _to_be_initialised(
                self._restore.root, self._restore.attached, self._restore.number)
                if id(one) not in matched])

    def stream_into(self, session: Any) -> None:
        """Give a session the values that are there, and others when they come."""
        graph = open_graph()
        if graph is not None:
            self._restore.session = session or graph.session()
            self.run_restore_ops(self._restore.session)


_restored: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def _note(value: Any, number: int) -> None:
    """Remember the last restore that had a value for an object of a tf.Graph."""
    if isinstance(value, Variable):
        _restored[value] = max(number, _restored.get(value, 0))


def _to_be_initialised(root: Any, attached: dict[str, Any], number: int) -> list[Any]:
    """The objects whose values a session must be given by an operation: not those for which
    restores after that of this number had a value."""
    nodes = ObjectGraph(root, attached).nodes
    return [one for one in [*nodes, *[slot.value for slot in slots_of(nodes)]]
            if getattr(one, "initializer", None) is not None
            and not (isinstance(one, Variable) and _restored.get(one, 0) > number)]


@export("__internal__.tracking.streaming_restore")
def streaming_restore(status: CheckpointLoadStatus, session: Any = None) -> None:
    """In a tf.Graph, give a session restored values as soon as there are any."""
    status.stream_into(session)


class InitializationOnlyStatus:
    """What `restore(None)` returns: nothing was restored."""

    def __init__(self, root: Any, attached: dict[str, Any]):
        self._root, self._attached, self._number = root, attached, next_uid()

    def _nothing(self) -> AssertionError:
        return AssertionError("No checkpoint specified (save_path=None); nothing is being "
                              "restored.")

    def assert_consumed(self) -> Any:
        raise self._nothing()

    def assert_existing_objects_matched(self) -> Any:
        raise self._nothing()

    def assert_nontrivial_match(self) -> Any:
        raise self._nothing()

    def expect_partial(self) -> InitializationOnlyStatus:
        """Nothing to be silent of."""
        return self

    def run_restore_ops(self, session: Any = None) -> Any:
        """There is nothing to restore."""
        raise AssertionError("No checkpoint specified, so no restore ops are available "
                             "(save_path=None to Saver.restore).")

    def initialize_or_restore(self, session: Any = None) -> None:
        """In a tf.Graph, initialise the variables; else they have their values already."""
        graph = open_graph()
        if graph is not None:
            (session or graph.session()).run([one.initializer for one in _to_be_initialised(
                self._root, self._attached, self._number)])


for _status in (CheckpointLoadStatus, InitializationOnlyStatus):
    _status.__module__ = "tensorflow.python.checkpoint.checkpoint"


@export("train.CheckpointOptions", "compat.v1.train.CheckpointOptions")
class CheckpointOptions:
    """How a checkpoint is written; on local files there is little to choose."""

    __slots__ = ("enable_async", "experimental_enable_async_checkpoint", "experimental_io_device",
                 "experimental_sharding_callback", "experimental_skip_slot_variables",
                 "experimental_write_callbacks")

    def __init__(self, experimental_io_device: Any = None,
                 experimental_enable_async_checkpoint: bool = False,
                 experimental_write_callbacks: Any = None, enable_async: bool = False,
                 experimental_skip_slot_variables: bool = False,
                 experimental_sharding_callback: Any = None):
        self.experimental_io_device = experimental_io_device
        self.enable_async = bool(experimental_enable_async_checkpoint or enable_async)
        self.experimental_enable_async_checkpoint = self.enable_async
        self.experimental_write_callbacks = experimental_write_callbacks
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback
