"""Checkpoints by name in tf.train.Checkpoint, checkpoints of objects in a Saver, names of slots."""

import pytest

import tapeflow as tf

v1 = tf.compat.v1


def saved_by_name(folder) -> str:
    with tf.Graph().as_default(), v1.Session() as session:
        tf.Variable([1.0, 2.0], name="v")
        tf.Variable(5.0, name="w")
        session.run(v1.global_variables_initializer())
        return v1.train.Saver().save(session, f"{folder}/named")


def test_objects_take_values_by_name(tmp_path):
    path = saved_by_name(tmp_path)
    v, module = tf.Variable([3.0, 3.0], name="v"), tf.Module()
    status = tf.train.Checkpoint(v=v, m=module).restore(path)
    assert v.numpy().tolist() == [1.0, 2.0]
    status.assert_consumed().assert_existing_objects_matched()  # the counter of saves is not asked
    module.w = tf.Variable(7.0, name="w")  # made later
    assert module.w.numpy() == 5.0
    module.x = tf.Variable(7.0, name="x")
    assert module.x.numpy() == 7.0
    with pytest.raises(AssertionError, match="Some objects had attributes which were not restored"):
        status.assert_consumed()


def test_a_session_takes_values_by_name_when_asked(tmp_path):
    path = saved_by_name(tmp_path)
    with tf.Graph().as_default(), v1.Session() as session:
        v, x = tf.Variable([0.0, 0.0], name="v"), tf.Variable(0.0, name="x")
        session.run(v1.global_variables_initializer())
        status = tf.train.Checkpoint(v=v).read(path)
        with pytest.raises(AssertionError, match="Object not restored"):
            status.assert_consumed()
        status.run_restore_ops(session)
        status.assert_consumed()
        assert session.run(v).tolist() == [1.0, 2.0]
        with pytest.raises(tf.errors.NotFoundError, match="Key x not found in checkpoint"):
            tf.train.Checkpoint(v=v, x=x).read(path).run_restore_ops(session)


def test_a_saver_reads_a_checkpoint_of_objects(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        optimizer = v1.train.AdamOptimizer(0.1)
        step = optimizer.minimize(tf.reduce_sum(v * v))
        start = v1.global_variables_initializer()
        session.run(start)
        session.run(step)
        path = tf.train.Checkpoint(o=optimizer, v=v).save(f"{tmp_path}/objects")
        before = session.run([v, *optimizer.variables()])
        session.run(start)
        v1.train.Saver().restore(session, path)
        for was, now in zip(before, session.run([v, *optimizer.variables()]), strict=True):
            assert (was == now).all()
        tf.Variable(1.0, name="y")
        with pytest.raises(tf.errors.NotFoundError,
                           match="Existing variables not in the checkpoint: y\n"):
            v1.train.Saver().restore(session, path)


def test_names_of_slots():
    with tf.Graph().as_default():
        v, w = tf.Variable([1.0], name="my/v"), tf.Variable([1.0], name="w")
        for numbers in (("", "_1"), ("_2", "_3")):
            optimizer = v1.train.AdamOptimizer(0.001)
            optimizer.minimize(tf.reduce_sum(v * w))
            slots = [one.name for one in optimizer.variables() if "Adam" in one.name]
            assert slots == [f"{name}/Adam{n}:0" for name in ("my/v", "w") for n in numbers]


def test_a_manager_counts_in_a_session(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), 2)
        paths = [manager.save() for _ in range(3)]
    assert [path.rpartition("-")[2] for path in paths] == ["1", "2", "3"]


def test_what_holds_no_values_need_not_match(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(f"{tmp_path}/one")
    status = tf.train.Checkpoint(m=tf.Module()).read(path)
    with pytest.raises(AssertionError, match="Nothing to load. No dependencies"):
        status.expect_partial().assert_nontrivial_match()
    status.assert_existing_objects_matched()


def test_a_session_may_be_named_to_a_checkpoint_of_tensorflow_1(tmp_path):
    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        root = v1.train.Checkpoint(v=v)
        assert isinstance(root, tf.train.Checkpoint)
        session = v1.Session()
        session.run(v.initializer)
        session.run(v.assign(5.0))
        path = root.save(str(tmp_path / "named"), session=session)
        assert path.endswith("named-1") and root.write(str(tmp_path / "w"), session)
        with v1.Session() as other:
            root.restore(path).run_restore_ops(other)
            assert other.run(v) == 5.0


def test_new_objects_in_a_graph_wait_for_values_by_name(tmp_path):
    path = saved_by_name(tmp_path)
    with tf.Graph().as_default():
        module = tf.Module()
        module.v = tf.Variable([0.0, 0.0], name="v")
        status = tf.train.Checkpoint(m=module).read(path)
        with v1.Session() as session:
            status.run_restore_ops(session)
            module.lacking = tf.Variable(1.0, name="lacking")  # not asked for yet
            assert session.run(module.v).tolist() == [1.0, 2.0]


def test_slots_are_made_when_their_variable_is_restored(tmp_path):
    v, adam = tf.Variable([2.0]), v1.train.AdamOptimizer(0.1)
    adam.apply_gradients([(tf.constant([3.0]), v)])
    m = adam.get_slot(v, "m").numpy()
    path = tf.train.Checkpoint(v=v, adam=adam).save(str(tmp_path / "slots"))
    root = tf.train.Checkpoint(adam=v1.train.AdamOptimizer(0.1))
    root.restore(path)
    root.v = tf.Variable([0.0])
    assert root.adam.get_slot(root.v, "m").numpy() == m


def test_the_ways_to_objects_and_what_is_saved_of_them():
    root, inner = tf.Module(), tf.Module()
    root.inner, inner.v, root.again = inner, tf.Variable(1.0, name="v"), inner
    view = tf.__internal__.tracking.ObjectGraphView(root)
    found, paths = view.breadth_first_traversal()
    assert len(found) == 3 and paths[root] == ()
    assert [one.name for one in paths[inner.v]][1:] == ["v"] and paths[inner.v][-1].ref is inner.v
    assert inner.v in paths and tf.Module() not in paths and paths.get(1, 2) == 2
    saved, message, _ = view.serialize_object_graph()
    assert len(message.nodes) == 3
    assert [one.name.endswith("v/.ATTRIBUTES/VARIABLE_VALUE") for one in saved] == [True]
