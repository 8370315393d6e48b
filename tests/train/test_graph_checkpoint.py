"""Checkpoints in a tf.Graph: variables made later or by functions, and restores that meet."""

import numpy as np

import tapeflow as tf


def checkpoint(folder, **values):
    held = {name: tf.Variable(value) for name, value in values.items()}
    return tf.train.Checkpoint(**held).write(str(folder / "-".join(values)))


def test_variables_of_functions_in_a_graph_are_the_graphs(tmp_path):
    path = checkpoint(tmp_path, v=[5.0, 6.0])
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        root = tf.train.Checkpoint()
        status = root.restore(path)

        @tf.function
        def double(x):
            if not hasattr(root, "v"):
                root.v = tf.Variable(lambda: tf.zeros([2]), name="v")
                root.w = tf.Variable(2 * tf.ones([]), name="w")
            return root.v * x * root.w

        result = double(tf.constant(2.0))
        assert [one.name for one in tf.compat.v1.global_variables()] == [
            "save_counter:0", "v:0", "w:0"]
        assert root.v.graph is tf.compat.v1.get_default_graph()
        status.initialize_or_restore(session)
        np.testing.assert_array_equal(session.run(result), [20.0, 24.0])
        session.run(root.v.assign([1.0, 2.0]))
        np.testing.assert_array_equal(session.run(result), [4.0, 8.0])


def test_gradients_by_variables_that_functions_make():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        made = []

        @tf.function
        def square(x):
            if not made:
                made.append(tf.Variable(lambda: tf.constant(3.0)))
            return made[0] * made[0] * x

        with tf.GradientTape() as tape:
            result = square(tf.constant(2.0))
        slope = tape.gradient(result, made[0])
        session.run(tf.compat.v1.global_variables_initializer())
        assert session.run(slope) == 12.0


def test_initialising_undoes_no_restore_that_came_later(tmp_path):
    model, optimizer = checkpoint(tmp_path, v=1.0), checkpoint(tmp_path, rate=42.0)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        v, rate, other = tf.Variable(0.0), tf.Variable(7.0), tf.Variable(8.0)
        whole = tf.train.Checkpoint(v=v, rate=rate, other=other)
        part = tf.train.Checkpoint(rate=rate, other=other)
        first, nothing = whole.restore(model), part.restore(None)
        last = part.restore(optimizer)
        last.run_restore_ops(session)
        first.initialize_or_restore(session)
        nothing.initialize_or_restore(session)
        assert session.run([v, rate, other]) == [1.0, 42.0, 8.0]
        part.restore(None).initialize_or_restore(session)
        assert session.run(rate) == 7.0
