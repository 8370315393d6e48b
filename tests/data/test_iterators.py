"""Iterators and optionals: ends, checkpoints, tapes."""

import numpy as np
import pytest

import tapeflow as tf

Dataset = tf.data.Dataset


def test_ends():
    iterator = iter(Dataset.range(1))
    iterator.get_next()
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(iterator)
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            iterator.get_next()


@pytest.mark.parametrize("build", [
    lambda: Dataset.range(50),
    lambda: Dataset.range(20).shuffle(5).repeat().batch(3).prefetch(2),
    lambda: Dataset.range(30).map(lambda x: tf.random.uniform([], seed=3)),
    lambda: Dataset.range(20).shuffle(20, seed=1, reshuffle_each_iteration=False).repeat(2),
])
def test_checkpoints_go_on_where_they_were(build, tmp_path):
    iterator = iter(build())
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    for _ in range(5):
        next(iterator)
    path = checkpoint.save(str(tmp_path / "it"))
    expected = [next(iterator).numpy().tolist() for _ in range(6)]
    checkpoint.restore(path)
    assert [next(iterator).numpy().tolist() for _ in range(6)] == expected
    other = iter(build())
    tf.train.Checkpoint(iterator=other).restore(path).assert_consumed()
    assert [next(other).numpy().tolist() for _ in range(6)] == expected


def test_tapes_do_not_hear_of_what_datasets_do():
    v = tf.Variable(2.0)
    ds = Dataset.range(3).map(lambda x: tf.cast(x, tf.float32) * v)
    with tf.GradientTape() as tape:
        total = tf.add_n(list(ds))
    assert tape.gradient(total, v) is None
    assert tape.watched_variables() == ()


def test_optionals_in_structures():
    optional = tf.experimental.Optional.from_value((tf.constant(1), {"a": tf.constant("x")}))
    first, second = optional.get_value()
    assert int(first) == 1 and second["a"].numpy() == b"x"
    ds = Dataset.from_tensors(optional)
    assert isinstance(ds.element_spec, tf.OptionalSpec)
    assert int(next(iter(ds)).get_value()[0]) == 1
    assert int(ds.map(lambda o: o.get_value()[0] + 1).get_single_element()) == 2


def test_numpy_iterator_gives_arrays_of_its_own():
    source = np.arange(4)
    ds = Dataset.from_tensor_slices(source)
    source[:] = 9
    assert list(ds.as_numpy_iterator()) == [0, 1, 2, 3]


def test_names_that_libraries_look_for():
    kinds = type(Dataset.range(3)).__mro__
    assert any(one.__name__ == "DatasetV2" and "tensorflow.python.data" in one.__module__
               for one in kinds)
    assert isinstance(Dataset.range(2), tf.data.Dataset)
    assert isinstance(iter(Dataset.range(2)), tf.data.Iterator)


def test_data_is_loaded_when_it_is_asked_for():
    import subprocess
    import sys

    code = ("import sys, tapeflow as tf\n"
            "assert not any(name.startswith('tapeflow.data.') and 'experimental' not in name "
            "for name in sys.modules), sorted(sys.modules)\n"
            "tf.data.Dataset.range(2)\n"
            "assert 'tapeflow.data.dataset' in sys.modules\n"
            "assert 'tapeflow.data.elements.ragged_sparse' not in sys.modules\n")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_batch_size_that_keras_asks_for():
    from tapeflow.alias.private.dataset_insides import compute_batch_size
    numbers = Dataset.range(5)
    assert compute_batch_size(numbers.batch(2, drop_remainder=True)) == 2
    assert compute_batch_size(numbers.batch(2).map(lambda x: x + 1).prefetch(1)) == 2
