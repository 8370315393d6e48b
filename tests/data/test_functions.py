"""Datasets and iterators in tf.function, and functions in datasets."""

import numpy as np
import pytest

import tapeflow as tf

Dataset = tf.data.Dataset


def test_next_with_a_default():
    @tf.function
    def f(iterator):
        return next(iterator, tf.constant(-1, tf.int64))

    iterator = iter(Dataset.range(2))
    assert [int(f(iterator)) for _ in range(4)] == [0, 1, -1, -1]


def test_break_does_not_take_an_element():
    @tf.function
    def until(iterator, limit):
        total = tf.constant(0, tf.int64)
        for x in iterator:
            total += x
            if x >= limit:
                break
        return total

    iterator = iter(Dataset.range(10))
    assert int(until(iterator, 3)) == 6
    assert int(next(iterator)) == 4


def test_a_dataset_made_in_a_function_begins_anew():
    @tf.function
    def order(seed_of_call):
        found = tf.TensorArray(tf.int64, 0, dynamic_size=True)
        for i, x in Dataset.range(8).shuffle(8, seed=4).enumerate():
            found = found.write(tf.cast(i, tf.int32), x)
        return found.stack() + seed_of_call

    zero = tf.constant(0, tf.int64)
    assert order(zero).numpy().tolist() == order(zero).numpy().tolist()


def test_an_outer_dataset_goes_on():
    ds = Dataset.range(8).shuffle(8, seed=4)

    @tf.function
    def order():
        return ds.batch(8).get_single_element()

    assert order().numpy().tolist() != order().numpy().tolist()


def test_captured_arguments_reach_functions_in_functions():
    @tf.function
    def f(x, n):
        ds = Dataset.range(n).flat_map(
            lambda i: Dataset.range(i).map(lambda j: tf.cast(j, tf.float32) * x))
        return ds.reduce(tf.constant(0.0), lambda a, b: a + b)

    assert float(f(tf.constant(2.0), tf.constant(4, tf.int64))) == 2.0 * (0 + 0 + 1 + 0 + 1 + 2)
    assert float(f(tf.constant(3.0), tf.constant(3, tf.int64))) == 3.0
    assert f.experimental_get_tracing_count() == 1


def test_gradients_through_a_loop_over_a_dataset():
    v = tf.Variable(2.0)

    @tf.function
    def loss(ds):
        total = 0.0
        for x in ds:
            total += v * v * x
        return total

    with tf.GradientTape() as tape:
        y = loss(Dataset.from_tensor_slices([1.0, 2.0]))
    assert float(tape.gradient(y, v)) == 12.0


def test_a_dataset_that_left_its_function_is_refused():
    kept = []

    @tf.function
    def f():
        kept.append(Dataset.range(3))
        return 1

    f()
    with pytest.raises(TypeError, match="out of scope"):
        list(kept[0])


def test_python_iteration_in_a_trace_ends():
    @tf.function(autograph=False)
    def f():
        return list(Dataset.range(3))

    with pytest.raises(RuntimeError, match="AutoGraph"):
        f()


def test_iterators_travel_through_calls_and_branches():
    @tf.function
    def inner(iterator):
        return next(iterator) * 10

    @tf.function
    def outer(iterator, flag):
        if flag:
            return inner(iterator)
        return next(iterator)

    iterator = iter(Dataset.range(5))
    assert int(outer(iterator, tf.constant(False))) == 0
    assert int(outer(iterator, tf.constant(True))) == 10
    assert int(next(iterator)) == 2


def test_specs_as_arguments():
    @tf.function(input_signature=[tf.data.DatasetSpec(tf.TensorSpec((), tf.int64))])
    def total(ds):
        return ds.reduce(np.int64(0), lambda a, b: a + b)

    assert int(total(Dataset.range(4))) == 6
    with pytest.raises(TypeError):
        total(Dataset.from_tensor_slices([1.0]))


def test_datasets_of_datasets_in_functions():
    windows = Dataset.range(6).window(3)
    assert [int(x) for x in windows.map(lambda w: w.reduce(np.int64(0), lambda a, b: a + b))] == [
        3, 12]

    @tf.function
    def sums(ds):
        total = tf.constant(0, tf.int64)
        for w in ds:
            for x in w:
                total += x
        return total

    assert int(sums(windows)) == 15


def test_functions_are_traced_when_the_dataset_is_made():
    traced = []

    def f(x):
        traced.append(x)
        return x

    ds = Dataset.range(3).map(f)
    assert len(traced) == 1
    list(ds), list(ds.batch(2))
    assert len(traced) == 1


def test_debug_mode_runs_python(monkeypatch):
    from tapeflow.data.functions import user_function

    monkeypatch.setitem(user_function.DEBUG, "on", True)
    seen = []

    def f(x):
        if tf.executing_eagerly():
            seen.append(int(x))
        return x + 1

    assert [int(x) for x in Dataset.range(3).map(f)] == [1, 2, 3]
    assert seen == [0, 1, 2]


def test_unknown_sizes_run_without_a_graph_for_each():
    ds = Dataset.range(1, 80).map(lambda n: tf.ones([n])).map(tf.reduce_sum)
    assert [float(x) for x in ds] == [float(n) for n in range(1, 80)]


def test_retracing_follows_the_element_spec():
    @tf.function
    def count(ds):
        return ds.cardinality()

    count(Dataset.range(3))
    count(Dataset.range(3).filter(lambda x: True))
    assert count.experimental_get_tracing_count() == 1
    count(Dataset.range(3).batch(2))
    assert count.experimental_get_tracing_count() == 2


def test_a_batched_dataset_knows_the_size_of_its_batches():
    assert Dataset.range(3).batch(2)._batch_size.numpy() == 2
    assert Dataset.range(3).padded_batch(4)._batch_size.numpy() == 4
    assert not hasattr(Dataset.range(3), "_batch_size")
