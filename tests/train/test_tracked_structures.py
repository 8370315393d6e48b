"""Lists and dicts that an object tracks: what is done to them, and which cannot be saved."""

import gc
import weakref

import pytest

import tapeflow as tf
from tapeflow.api.internal import data_structures

wrap = tf.__internal__.tracking.wrap


def children(structure):
    return sorted(structure._trackable_children())


def test_what_is_done_to_a_list_is_done_to_the_users():
    users = [tf.Module()]
    tracked = wrap(users)
    tracked.append([])
    tracked += [tf.Module()]
    assert children(tracked) == ["0", "1", "2"]
    assert len(users) == 3 and all(one is other for one, other in zip(users, tracked, strict=True))
    plain = wrap([1, 2, 3])
    plain[1] = 5
    assert plain.pop() == 3
    plain.sort()
    plain.insert(0, 4)
    plain.remove(1)
    plain.reverse()
    assert plain == [5, 4] and children(plain) == []


@pytest.mark.parametrize("change", [
    lambda one: one.pop(), lambda one: one.__setitem__(0, tf.Module()), lambda one: one.clear(),
    lambda one: one.insert(1, tf.Module()), lambda one: one.__setitem__(slice(0, 1), []),
    lambda one: one.__imul__(0)])
def test_lists_whose_members_moved_cannot_be_saved(change, tmp_path):
    tracked = wrap([tf.Module()])
    change(tracked)
    with pytest.raises(ValueError, match="A list element was replaced"):
        tf.train.Checkpoint(tracked=tracked).save(str(tmp_path / "saved"))


def test_structures_changed_by_others_cannot_be_saved():
    users = []
    tracked = wrap(users)
    users.append(tf.Module())
    with pytest.raises(ValueError, match="list was modified outside the wrapper"):
        children(tracked)
    users = {}
    tracked = wrap(users)
    users["a"] = []
    with pytest.raises(ValueError, match="dictionary was modified outside the wrapper"):
        children(tracked)
    tracked = wrap({"a": []})
    tracked.pop("a")
    with pytest.raises(ValueError, match="Unable to save"):
        children(tracked)


def test_dicts():
    users = {"a": 1}
    tracked = wrap(users)
    tracked["b"] = tf.Module()
    tracked.update(c=[])
    del tracked["a"]
    assert users == tracked and children(tracked) == ["b", "c"]
    tracked[1] = 3
    tracked[2] = data_structures.NoDependency([])
    assert children(tracked) == ["b", "c"]
    tracked[3] = []
    with pytest.raises(ValueError, match="non-string key which maps to a trackable object"):
        children(tracked)


def test_tracking_by_attributes_can_be_switched_off():
    module = tf.Module()
    assert module._setattr_tracking is True
    module._setattr_tracking = False
    assert module._setattr_tracking is False


def test_an_object_that_is_no_dependency_is_no_child():
    root = tf.Module()
    root.held, root.other = tf.Module(), data_structures.NoDependency(tf.Module())
    assert root._trackable_children() == {"held": root.held}
    assert isinstance(root.other, tf.Module)


def test_checkpoints_hold_no_circle_of_references():
    gc.collect()
    gc.disable()
    try:
        module = tf.Module()
        module.checkpoint = tf.train.Checkpoint(root=weakref.ref(module))
        plain = tf.train.Checkpoint(v=tf.Variable(1.0))
        gone = weakref.ref(module), weakref.ref(plain)
        assert module.checkpoint.root() is module
        del module, plain
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


def test_a_list_that_is_tracked_stays_so_where_it_grows_untracked(tmp_path):
    class Archive(tf.Module):
        def __init__(self):
            super().__init__()
            self.values = []

        @tf.__internal__.tracking.no_automatic_dependency_tracking
        def add(self, value):
            self.values += [value]
            self.others = [value]

    archive = Archive()
    archive.add(tf.Variable(3.0))
    path = tf.train.Checkpoint(archive=archive).write(str(tmp_path / "x"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert "archive/values/0/.ATTRIBUTES/VARIABLE_VALUE" in names
    assert not any("others" in name for name in names)
