"""Iterators over datasets in a tf.Graph: what each session takes, and where they begin."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1


def test_each_run_takes_an_element_until_the_end():
    with tf.Graph().as_default():
        iterator = v1.data.make_one_shot_iterator(tf.data.Dataset.range(3))
        element = iterator.get_next()
        assert (iterator.output_types, iterator.output_shapes.rank) == (tf.int64, 0)
        with v1.Session() as session:
            assert [int(session.run(element)) for _ in range(3)] == [0, 1, 2]
            with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
                session.run(element)


def test_sessions_have_runs_of_their_own_and_a_run_takes_one_element():
    with tf.Graph().as_default():
        element = v1.data.make_one_shot_iterator(
            tf.data.Dataset.from_tensor_slices(np.array([1.0, 2.0, 3.0], "f"))).get_next()
        first, second = v1.Session(), v1.Session()
        assert first.run([element, element + 1.0]) == [1.0, 2.0]
        assert (first.run(element), second.run(element)) == (2.0, 1.0)


def test_an_initializer_begins_with_what_is_fed():
    with tf.Graph().as_default():
        count = v1.placeholder(tf.int64, [])
        dataset = tf.data.Dataset.range(count).map(lambda x: (x * 2, {"a": -x})).batch(2)
        iterator = v1.data.make_initializable_iterator(dataset)
        doubled, rest = iterator.get_next()
        with v1.Session() as session:
            with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
                session.run(doubled)
            session.run(iterator.initializer, {count: 3})
            assert [one.tolist() for one in session.run([doubled, rest["a"]])] == [[0, 2], [0, -1]]
            assert session.run(doubled).tolist() == [4]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(doubled)
            session.run(iterator.initializer, {count: 1})
            assert session.run(doubled).tolist() == [0]


def test_what_has_no_initializer_and_what_needs_a_graph():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="does not have an initializer"):
        v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).initializer
    with pytest.raises(RuntimeError, match="not supported in eager mode"):
        v1.data.make_initializable_iterator(tf.data.Dataset.range(3))
    assert int(v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()) == 0
