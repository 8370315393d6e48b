"""tf.train.Checkpoint: TensorFlow's files to the byte, restoring now and later, statuses."""

import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.io import snappy
from tapeflow.train import bundle, string_table

sys.path.insert(0, str(Path(__file__).parent))
import record_checkpoints

FILES = record_checkpoints.FOLDER
SUFFIXES = (".index", ".data-00000-of-00001")


@pytest.fixture(autouse=True)
def silent(caplog):
    """Values that no object took are told of when a restore is dropped: not the matter here."""
    caplog.set_level("CRITICAL", "tensorflow")


# -- files -----------------------------------------------------------------------------------------
def test_files_are_those_of_tensorflow(tmp_path):
    path = record_checkpoints.checkpoint(tf).save(tmp_path / "net")
    assert path == str(tmp_path / "net-1")
    for suffix in SUFFIXES:
        assert Path(path + suffix).read_bytes() == (FILES / f"net-1{suffix}").read_bytes()
    assert (tmp_path / "checkpoint").read_text() == (FILES / "checkpoint").read_text()


def test_reads_what_tensorflow_wrote():
    checkpoint = record_checkpoints.checkpoint(tf)
    net = checkpoint.net
    for v in (net.w, net.b, net.c, net.u8, net.d["x"], net.bf):
        v.assign(tf.zeros_like(v))
    net.s.assign(["", "", ""])
    checkpoint.restore(str(FILES / "net-1")).assert_consumed()
    assert net.w.numpy().tolist() == [[1, 2], [3, 4]]
    assert net.s.numpy().tolist() == [b"a", b"", ("long string é" * 3).encode()]
    assert net.c.numpy() == 1 + 2j and net.d["x"].numpy() == 1.5
    assert net.bf.numpy().tolist() == [1.5, 2.5] and net.u8.numpy().tolist() == [0, 1, 2, 3, 4]
    assert net.b.numpy().tolist() == [1, 2] and checkpoint.save_counter.numpy() == 1


@pytest.mark.parametrize("block_size", [100, 1 << 18])
def test_table(block_size):
    entries = {f"key{i:04d}{'x' * (i % 7)}".encode(): os.urandom(i % 50) for i in range(300)}
    data = string_table.table_bytes(entries, block_size)
    assert string_table.table_entries(data) == dict(sorted(entries.items()))
    with pytest.raises(string_table.TableError, match="checksum"):
        string_table.table_entries(bytes([data[0] ^ 1]) + data[1:])
    with pytest.raises(string_table.TableError, match="magic"):
        string_table.table_entries(data[:-1])


def test_large_tensors_and_damage(tmp_path):
    values = np.random.default_rng(0).standard_normal((300, 1000)).astype(np.float32)
    prefix = str(tmp_path / "big")
    bundle.write_bundle(prefix, {"a": values, "b": np.arange(3)})
    read = bundle.Bundle(prefix)
    assert np.array_equal(read.read("a"), values) and read.dtype("b") is tf.int64
    data = Path(bundle.data_path(prefix))
    raw = bytearray(data.read_bytes())
    raw[1000] ^= 4
    data.write_bytes(raw)
    with pytest.raises(tf.errors.DataLossError, match="Checksum does not match"):
        read.read("a")
    data.write_bytes(raw[:100])
    with pytest.raises(tf.errors.DataLossError, match="only 100 there"):
        read.read("a")


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.write(str(tmp_path / "c"))
    before = sorted(os.listdir(tmp_path))
    v.assign(2.0)
    monkeypatch.setattr(bundle, "table_bytes", lambda entries: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        checkpoint.write(path)
    monkeypatch.undo()
    assert sorted(os.listdir(tmp_path)) == before
    checkpoint.read(path).assert_consumed()
    assert v.numpy() == 1.0


# -- restoring -------------------------------------------------------------------------------------
def test_restored_when_made(tmp_path):
    module = tf.Module()
    module.x = tf.Variable(5.0)
    module.inner = tf.Module()
    module.inner.y = tf.Variable([1, 2])
    path = tf.train.Checkpoint(m=module).save(str(tmp_path / "c"))

    new = tf.Module()
    status = tf.train.Checkpoint(m=new).restore(path)
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.m\.x"):
        status.assert_consumed()
    new.x = tf.Variable(0.0)
    assert new.x.numpy() == 5.0
    inner = tf.Module()
    new.inner = inner
    inner.y = tf.Variable([0, 0])
    assert inner.y.numpy().tolist() == [1, 2]
    status.assert_consumed()
    new.x = tf.Variable(7.0)
    assert new.x.numpy() == 7.0  # once only


def test_lists_that_grew_are_matched_by_asking(tmp_path):
    module = tf.Module()
    module.vs = [tf.Variable(1.0), tf.Variable(2.0)]
    path = tf.train.Checkpoint(m=module).save(str(tmp_path / "c"))
    new = tf.Module()
    new.vs = [tf.Variable(0.0)]
    status = tf.train.Checkpoint(m=new).restore(path)
    new.vs.append(tf.Variable(0.0))
    status.assert_consumed()
    assert [v.numpy() for v in new.vs] == [1.0, 2.0]


def test_statuses(tmp_path):
    V = tf.Variable
    path = tf.train.Checkpoint(a=V(1.0), b=V([1, 2])).save(str(tmp_path / "s"))
    some = tf.train.Checkpoint(a=V(0.0))
    status = some.restore(path)
    assert some.a.numpy() == 1.0
    assert status.assert_existing_objects_matched() is status
    assert status.assert_nontrivial_match() is status and status.expect_partial() is status
    other = tf.train.Checkpoint(a=V(0.0), z=V(3.0)).restore(path)
    with pytest.raises(AssertionError, match="Found 1 Python objects that were not bound"):
        other.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Showing 1 of 1 unmatched objects"):
        other.assert_consumed()
    nothing = tf.train.Checkpoint(q=V(0.0)).read(path)
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        nothing.assert_nontrivial_match()
    none = some.restore(None)
    with pytest.raises(AssertionError, match="No checkpoint specified"):
        none.assert_consumed()


def test_unrestored_values_are_told_of(tmp_path, caplog):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).save(str(tmp_path / "s"))
    gc.collect()
    caplog.set_level("WARNING", "tensorflow")
    tf.train.Checkpoint(a=tf.Variable(0.0)).restore(path).expect_partial()
    assert not caplog.records
    checkpoint = tf.train.Checkpoint(a=tf.Variable(0.0))
    checkpoint.restore(path)
    del checkpoint
    gc.collect()
    assert caplog.messages[-1].endswith("not be found in the restored object: (root).b")


def test_errors(tmp_path):
    V = tf.Variable
    path = tf.train.Checkpoint(a=V(1.0)).save(str(tmp_path / "s"))
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files"):
        tf.train.Checkpoint().read(path + "x")
    with pytest.raises(tf.errors.NotFoundError, match="You may be missing the checkpoint suffix"):
        tf.train.Checkpoint().restore(path + "x")
    with pytest.raises(ValueError, match=r"tensor with shape \(\) when attempting to restore"):
        tf.train.Checkpoint(a=V([0.0, 0.0])).restore(path)
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected dtype double"):
        tf.train.Checkpoint(a=V(0.0, dtype=tf.float64)).restore(path)
    with pytest.raises(ValueError, match="was expecting a to be a trackable object"):
        tf.train.Checkpoint(a=3)
    with pytest.raises(ValueError, match="contains a non-string key"):
        tf.train.Checkpoint(a={1: V(2.0)}).save(path)
    module = tf.Module()
    module.x = V(1.0)
    with pytest.raises(ValueError, match="keyword argument x if root.x already exists"):
        tf.train.Checkpoint(module, x=V(2.0))


def test_root(tmp_path):
    module = tf.Module()
    module.x = tf.Variable(4.0)
    path = tf.train.Checkpoint(module, extra=tf.Variable(1.0)).save(str(tmp_path / "r"))
    assert [key.split("/")[0] for key, _ in tf.train.list_variables(path)] == [
        "_CHECKPOINTABLE_OBJECT_GRAPH", "extra", "save_counter", "x"]
    assert not hasattr(module, "save_counter")
    module.x.assign(0.0)
    tf.train.Checkpoint(module).restore(path).expect_partial()
    assert module.x.numpy() == 4.0


def test_write_in_a_function(tmp_path):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)

    @tf.function
    def step():
        v.assign_add(1.0)
        return checkpoint.write(str(tmp_path / "f"))

    step()
    assert step().numpy() == str(tmp_path / "f").encode()
    assert tf.train.load_variable(str(tmp_path / "f"), "v/.ATTRIBUTES/VARIABLE_VALUE") == 3.0
    with pytest.raises(NotImplementedError, match="from a function is not supported"):
        tf.function(lambda: checkpoint.save(str(tmp_path / "g")))()


def test_random_generator(tmp_path):
    g = tf.random.Generator.from_seed(1)
    path = tf.train.Checkpoint(g=g).write(str(tmp_path / "g"))
    first = g.normal([3]).numpy()
    tf.train.Checkpoint(g=g).read(path).assert_consumed()
    assert np.array_equal(g.normal([3]).numpy(), first)


# -- folders ---------------------------------------------------------------------------------------
def test_readers(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable([1, 2])).save(str(tmp_path / "s"))
    key = "a/.ATTRIBUTES/VARIABLE_VALUE"
    assert tf.train.latest_checkpoint(str(tmp_path)) == path
    assert tf.train.latest_checkpoint("/none") is None
    reader = tf.train.load_checkpoint(str(tmp_path))
    assert reader.get_variable_to_shape_map()["b/.ATTRIBUTES/VARIABLE_VALUE"] == [2]
    assert reader.get_variable_to_dtype_map()[key] is tf.float32
    assert reader.has_tensor(key) and not reader.has_tensor("x")
    assert reader.debug_string().splitlines()[1] == f"{key} (DT_FLOAT) []".encode()
    assert tf.train.load_variable(path, key) == 1.0
    with pytest.raises(tf.errors.NotFoundError, match="Key x not found in checkpoint"):
        reader.get_tensor("x")
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        (tmp_path / "empty").mkdir()
        tf.train.list_variables(str(tmp_path / "empty"))
    assert tf.train.get_checkpoint_state(str(tmp_path)).model_checkpoint_path == path
    os.remove(path + ".index")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None


def test_manager(tmp_path):
    checkpoint = tf.train.Checkpoint(a=tf.Variable(1.0))
    folder = str(tmp_path / "m")
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.restore_or_initialize() is None
    paths = [manager.save() for _ in range(4)]
    assert paths[-1] == f"{folder}/ckpt-4" and manager.checkpoints == paths[2:]
    assert sorted(os.listdir(folder)) == ["checkpoint", *[
        f"ckpt-{n}{suffix}" for n in (3, 4) for suffix in (SUFFIXES[1], SUFFIXES[0])]]
    again = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    assert again.restore_or_initialize() == paths[-1]
    assert again.save(checkpoint_number=77) == f"{folder}/ckpt-77"
    assert again.checkpoints == [paths[-1], f"{folder}/ckpt-77"]
    with pytest.raises(ValueError, match="Expected a positive integer"):
        tf.train.CheckpointManager(checkpoint, folder, 0)


def test_manager_by_steps(tmp_path):
    step = tf.Variable(0, dtype=tf.int64)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(s=step), str(tmp_path), 3,
                                         step_counter=step, checkpoint_interval=5)
    found = []
    for n in (0, 3, 5, 5):
        step.assign(n)
        found.append(manager.save())
    assert [one and os.path.basename(one) for one in found] == ["ckpt-1", None, "ckpt-2", None]


def test_iterator(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0)).save(str(tmp_path / "s"))
    assert list(tf.train.checkpoints_iterator(str(tmp_path), timeout=0)) == [path]


def test_restored_arrays_have_the_dtype_object_of_others(tmp_path):
    """Native code takes no array with a twin of NumPy's dtype, as `newbyteorder` makes them."""
    v = tf.Variable(np.ones((3, 2), "float32"))
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    new = tf.Variable(np.zeros((3, 2), "float32"))
    tf.train.Checkpoint(v=new).restore(path)
    assert new._snapshot._value.dtype is np.dtype("float32")
    assert tf.make_ndarray(tf.make_tensor_proto(np.ones(3, "float32"))).dtype is np.dtype("float32")


def test_blocks_of_older_files_are_decompressed():
    """Snappy: bytes as they are, copies from near and far, copies of what they make."""
    plain = bytes(range(256)) * 2
    copies = ((3, 8, bytes([1 | 4 << 2, 3])), (257, 5, bytes([1 | 1 << 2 | 1 << 5, 1])),
              (512, 64, b"".join([bytes([2 | 63 << 2]), (512).to_bytes(2, "little")])),
              (1, 1, b"\x03" + (1).to_bytes(4, "little")))
    text = bytearray(plain)
    for back, size, _ in copies:
        for _ in range(size):
            text.append(text[-back])
    packed = b"".join([b"\xce\x04", bytes([61 << 2]), (511).to_bytes(2, "little"), plain,
                       *[element for *_, element in copies]])
    assert len(text) == 590
    assert snappy.decompressed(packed) == text
    for damaged in (b"\xff\xff\xff\x7f\x00a", b"\x04\x01\x00", b"\x05\x05\x01", packed[:-1],
                    packed[:-6], packed[:40], packed + b"\x00a"):
        with pytest.raises(ValueError):
            snappy.decompressed(damaged)


def test_tables_are_saved(tmp_path):
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int32, 0)
    table.insert(["a", "b"], [1, 2])
    checkpoint = tf.train.Checkpoint(table=table)
    path = checkpoint.save(str(tmp_path / "it"))
    assert ("table/.ATTRIBUTES/table-keys", [2]) in tf.train.list_variables(path)
    table.insert(["a", "c"], [9, 9])
    checkpoint.restore(path).assert_consumed()
    assert sorted(zip(*[one.numpy().tolist() for one in table.export()])) == [(b"a", 1), (b"b", 2)]


def test_tensors_of_an_object_for_libraries():
    find = tf.__internal__.tracking.saveable_objects_from_trackable
    v = tf.Variable([1.0, 2.0])
    (make,) = find(v).values()
    saveable = make("v/")
    assert [(one.name, one.dtype) for one in saveable.specs] == [("v/VARIABLE_VALUE", tf.float32)]
    saveable.restore([tf.constant([3.0, 4.0])])
    assert v.numpy().tolist() == [3.0, 4.0] and saveable.op is v
    assert not find(tf.Module())


def test_what_is_set_without_tracking_is_no_child():
    class Holder(tf.__internal__.tracking.AutoTrackable):
        @tf.__internal__.tracking.no_automatic_dependency_tracking
        def __init__(self):
            self.aside, self.again = tf.Variable(1.0), tf.Variable(1.0)

    holder = Holder()
    holder.child = holder.again = tf.Variable(2.0)
    assert set(tf.train.TrackableView.children(holder)) == {"child", "again"}
