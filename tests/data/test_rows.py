"""Many rows at once and one by one are the same elements in the same order."""

import numpy as np
import pytest

import tapeflow as tf

Dataset = tf.data.Dataset
ROWS = np.arange(600.0, dtype=np.float32).reshape(300, 2)


def base():
    return Dataset.from_tensor_slices((ROWS, np.arange(300)))


def shift(x, y):
    return x * 2.0 + 1.0, y - 1


PIPELINES = {
    "batch": lambda ds: ds.batch(7),
    "drop": lambda ds: ds.batch(7, drop_remainder=True),
    "map": lambda ds: ds.map(shift),
    "map_batch": lambda ds: ds.map(shift).batch(64),
    "map_parallel": lambda ds: ds.map(shift, num_parallel_calls=2).batch(64),
    "shuffle": lambda ds: ds.shuffle(50, seed=3).batch(11),
    "shuffle_all": lambda ds: ds.shuffle(1000, seed=3),
    "shuffle_one": lambda ds: ds.shuffle(1, seed=3),
    "shuffle_repeat": lambda ds: ds.shuffle(20, seed=1).repeat(3).batch(13),
    "shuffle_map_repeat": lambda ds: ds.shuffle(20, seed=1).map(shift).repeat(2).batch(13),
    "take": lambda ds: ds.map(shift).take(17).batch(4),
    "skip": lambda ds: ds.skip(290).map(shift).batch(4),
    "shard": lambda ds: ds.shard(7, 3).batch(4),
    "enumerate": lambda ds: ds.enumerate(5).batch(40),
    "zip": lambda ds: Dataset.zip(ds, ds.map(shift).take(90)).batch(40),
    "concatenate": lambda ds: ds.concatenate(ds.map(shift)).batch(128),
    "repeat": lambda ds: ds.take(5).repeat(4).batch(3),
    "options": lambda ds: ds.with_options(tf.data.Options()).batch(9),
}


def values(ds):
    return [[np.asarray(x).tolist() for x in tf.nest.flatten(element)]
            for element in ds.as_numpy_iterator()]


@pytest.mark.parametrize("name", PIPELINES)
def test_same_elements(name):
    """A filter that lets everything pass has no reader: what follows runs one by one."""
    pipeline = PIPELINES[name]
    tf.random.set_seed(5)
    quick = pipeline(base())
    tf.random.set_seed(5)
    slow = pipeline(base().filter(lambda x, y: True))
    for _ in range(2):  # the second iteration: other seeds, and functions with graphs for blocks
        assert values(quick) == values(slow)
    assert quick.element_spec == slow.element_spec


@pytest.mark.parametrize("count", [0, 1, 2, 5, 23])
@pytest.mark.parametrize("size", [1, 2, 4, 23, 40])
def test_orders_of_both_shuffles(count, size):
    from tapeflow.data.transforms.shuffling import _Order, _Shuffled, words

    order = _Order(count, size, words(3, 4))
    found = []
    for n in (1, 2, 3, 100):
        found += order.following(n)
    assert found == list(_Shuffled(iter(range(count)), size, words(3, 4)))
    assert sorted(found) == list(range(count)) and order.following(5) == []


def test_slices_are_views():
    """Batches of tensors in memory copy nothing."""
    ds = Dataset.from_tensor_slices(ROWS)
    column = ds._tensors[0]._value
    assert all(np.shares_memory(batch._value, column) for batch in ds.batch(32))


def test_a_failing_row_does_not_hide_others():
    table = tf.constant(np.arange(10))
    places = np.arange(400) % 10
    places[[0, 5, 299, 399]] = 10
    ds = Dataset.from_tensor_slices(places).map(lambda i: tf.gather(table, i))
    for _ in range(2):
        assert ds._has_reader()
        found = [int(x) for x in ds.ignore_errors()]
        assert found == [i for i in places if i < 10]
    iterator = iter(ds)
    with pytest.raises(tf.errors.InvalidArgumentError):
        next(iterator)
    assert int(next(iterator)) == 1


def test_blocks_are_used_after_a_trial():
    from tapeflow.data.functions.vectorized import TRIAL

    ds = Dataset.range(4 * TRIAL).map(lambda x: x * 3)
    assert [int(x) for x in ds] == list(range(0, 12 * TRIAL, 3))
    assert any(block is not None for block in ds._function.vectorized.programs.values())


def test_blocks_of_large_values_are_not_made():
    from tapeflow.data.functions.vectorized import MOST_BYTES, TRIAL

    ds = Dataset.from_tensor_slices(np.ones((TRIAL + 64, 200), np.float32)).map(
        lambda x: tf.reduce_sum(x[:, None] * x[None, :])).batch(MOST_BYTES // 160_000 + 50)
    sizes = [x.shape[0] for x in list(ds) + list(ds)]
    assert max(sizes) not in ds._input._function.vectorized.programs


def test_parallel_maps_update_variables_one_by_one():
    count = tf.Variable(0)
    ds = Dataset.range(500).map(lambda x: count.assign_add(1), num_parallel_calls=4)
    assert [int(x) for x in ds] == list(range(1, 501))


def test_effects_are_not_run_ahead():
    """A function with an effect runs once for each element that is asked for."""
    count = tf.Variable(0)
    ds = Dataset.range(100).map(lambda x: count.assign_add(1))
    iterator = iter(ds)
    next(iterator), next(iterator)
    assert int(count) == 2


def test_strings_and_scalars():
    ds = Dataset.from_tensor_slices(["a", "b", "c"])
    assert [x.shape for x in ds] == [()] * 3
    assert list(ds.shuffle(3, seed=1).batch(2).unbatch().as_numpy_iterator())
    assert [x.numpy().tolist() for x in ds.batch(2)] == [[b"a", b"b"], [b"c"]]
    assert all(isinstance(x, bytes) for x in ds.cache().repeat(2).as_numpy_iterator())
