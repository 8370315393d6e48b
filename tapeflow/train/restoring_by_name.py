"""Objects that take the values of a checkpoint of no objects, by the names of variables."""

from __future__ import annotations

import weakref
from typing import Any

from tapeflow.base import errors
from tapeflow.core.scopes import init_scope, open_graph
from tapeflow.core.values.tensor import wrap
from tapeflow.core.values.tracking import BY_NAME, WAITING, Trackable
from tapeflow.core.values.variable import Variable
from tapeflow.train.bundle import Bundle
from tapeflow.train.object_graph import ObjectGraph
from tapeflow.train.saveable_objects import VALUE
from tapeflow.train.slots import slots_of


class NamedRestore:
    """One checkpoint that a Saver wrote, on its way into the objects of a program."""

    def __init__(self, bundle: Bundle, root: Any, attached: dict[str, Any]):
        self.bundle, self.root, self.attached = bundle, root, attached
        self.seen: set[int] = set()  # objects that were asked for their names
        self.unmatched: list[tuple[Any, str]] = []
        if open_graph() is None:
            self.take(root, attached)

    def objects(self, root: Any = None, attached: dict[str, Any] | None = None) -> list[Any]:
        """What can be reached, with the slots of optimizers."""
        nodes = ObjectGraph(self.root if root is None else root,
                            self.attached if attached is None else attached, wide=False).nodes
        return [*nodes, *[one.value for one in slots_of(nodes)]]

    def take(self, root: Any, attached: dict[str, Any] | None = None) -> list[Any]:
        """Give an object and what it holds their values; what a tf.Graph's session must run."""
        later = []
        for one in self.objects(root, attached or {}):
            if id(one) in self.seen:
                continue
            self.seen.add(id(one))
            if isinstance(one, Trackable) and hasattr(one, "__dict__"):
                weakref.finalize(one, self.seen.discard, id(one))
                vars(one).setdefault(WAITING, {}).setdefault(BY_NAME, []).append(self)
            if callable(getattr(one, "_restore_from_tensors", None)):
                found = self._given(one)
                if found is not None:
                    later.append(found)
        return later

    def meet(self, value: Any) -> None:
        """Give a new object its values; in a tf.Graph they come when they are asked for."""
        if open_graph() is None:
            self.take(value)

    def _given(self, value: Any) -> Any:
        """Give one object its value, or note that there is none."""
        name = value.name.partition(":")[0] if isinstance(value, Variable) else ""
        if name not in self.bundle.entries:
            if open_graph() is not None and name:
                raise errors.NotFoundError(None, None, (
                    "Restoring from checkpoint failed. This is most likely due to a Variable name "
                    f"or other graph key that is missing from the checkpoint {self.bundle.prefix}: "
                    f"Key {name} not found in checkpoint"))
            self.unmatched.append((value, name or type(value).__name__))
            return None
        array = self.bundle.read(name)
        with init_scope():
            return value._restore_from_tensors(
                {VALUE: wrap(array if array.ndim or array.dtype == object else array[()])})


class NameBasedSaverStatus:
    """What `restore` of a checkpoint that a Saver wrote has matched, and what it has not."""

    def __init__(self, restore: NamedRestore, optional: Any):
        self._restore, self._optional = restore, optional

    def assert_consumed(self) -> NameBasedSaverStatus:
        """Raise unless every object that has a value has found one."""
        restore = self._restore
        missing = [(one, name) for one, name in restore.unmatched if one is not self._optional]
        if missing:
            listed = "".join([f"\n    {one}: {[name]}" for one, name in missing])
            raise AssertionError("Some objects had attributes which were not restored: "
                                 f"{listed}")
        for one in restore.objects():
            if id(one) not in restore.seen:
                raise AssertionError(f"Object not restored: {one}")
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def expect_partial(self) -> NameBasedSaverStatus:
        """Nothing is told of values that no object takes."""
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Give a session the values; without a tf.Graph they are restored at once."""
        graph = open_graph()
        if graph is None:
            return
        session = session or graph.session()
        for later in self._restore.take(self._restore.root, self._restore.attached):
            later(session) if callable(later) else session.run(later)

    initialize_or_restore = run_restore_ops

    def stream_into(self, session: Any) -> None:
        """In a tf.Graph values by name come when they are asked for, not as objects are made."""
        if open_graph() is not None:
            raise NotImplementedError(
                "Streaming restore not supported from name-based checkpoints when graph building. "
                "File a feature request if this limitation bothers you. As a workaround, consider "
                "either using tf.train.Checkpoint to load name-based checkpoints or enabling eager "
                "execution.")


NameBasedSaverStatus.__module__ = "tensorflow.python.checkpoint.checkpoint"
