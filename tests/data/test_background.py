"""Threads: they work ahead, hand errors on, and end with their iterator."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

import tapeflow as tf

Dataset = tf.data.Dataset


def threads():
    return [one for one in threading.enumerate() if one.name.startswith("tf_data")]


def wait_until(test, seconds=300):
    """Whether `test()` comes true; the limit only ends a hang."""
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def test_prefetch_works_ahead():
    made, ahead, asked = [], [0], [0]

    def generate():
        for i in range(20):
            made.append(i)
            ahead[0] = max(ahead[0], len(made) - asked[0])
            yield i

    iterator = iter(Dataset.from_generator(generate, output_types=tf.int32).prefetch(3))
    assert made == []
    for i in range(20):
        asked[0] = i + 1
        assert int(next(iterator)) == i
        assert wait_until(lambda: len(made) >= min(asked[0] + 3, 20))
    assert ahead == [3]  # no more than the buffer holds


@pytest.mark.parametrize("build", [
    lambda ds: ds.prefetch(2),
    lambda ds: ds.prefetch(1).map(lambda x: x + 1).prefetch(1),
    lambda ds: ds.map(lambda x: tf.py_function(lambda v: v, [x], tf.int64), num_parallel_calls=3),
    lambda ds: ds.interleave(lambda x: Dataset.range(50).map(
        lambda y: tf.py_function(lambda v: v, [y], tf.int64)), cycle_length=2,
        num_parallel_calls=2),
])
def test_threads_end_when_an_iterator_is_dropped(build):
    assert wait_until(lambda: not threads())
    iterator = iter(build(Dataset.range(1000)))
    next(iterator)
    assert threads()
    del iterator
    assert wait_until(lambda: not threads())


def test_threads_end_with_the_dataset():
    assert len(list(Dataset.range(10).prefetch(2))) == 10
    assert wait_until(lambda: not threads())


def test_automatic_prefetch_has_a_thread_where_elements_take_time():
    def first_of(ds):
        iterator = iter(ds.prefetch(tf.data.AUTOTUNE))
        next(iterator)
        return iterator

    assert wait_until(lambda: not threads())
    quick = first_of(Dataset.range(1000))
    assert not threads()
    slow = first_of(Dataset.range(1000).map(lambda x: tf.py_function(lambda v: v, [x], tf.int64)))
    assert threads()
    assert [int(x) for x in (next(quick), next(slow))] == [1, 1]


def test_one_element_is_not_prefetched():
    assert wait_until(lambda: not threads())
    iterator = iter(Dataset.from_tensors(3).prefetch(1))
    assert int(next(iterator)) == 3 and not threads()


def test_parallel_calls_overlap():
    """Each of three calls waits for the others: one after another they would never end."""
    meeting = threading.Barrier(3, timeout=300)

    def meet(x):
        meeting.wait()
        return x

    ds = Dataset.range(9).map(lambda x: tf.py_function(meet, [x], tf.int64), num_parallel_calls=3)
    assert [int(x) for x in ds] == list(range(9))


def test_interleaved_datasets_overlap():
    """Two generators wait for each other."""
    meeting = threading.Barrier(2, timeout=300)

    def generate(start):
        for i in range(4):
            meeting.wait()
            yield start + i

    ds = Dataset.from_tensor_slices([0, 10]).interleave(
        lambda x: Dataset.from_generator(generate, tf.int64, args=(x,)), cycle_length=2,
        num_parallel_calls=2)
    assert [int(x) for x in ds] == [0, 10, 1, 11, 2, 12, 3, 13]


def test_slow_datasets_get_threads_when_it_shows():
    from tapeflow.data.iterators.threads import PrefetchIfSlow

    def slow():
        for i in range(12):
            time.sleep(0.002)
            yield [i]

    trial = PrefetchIfSlow(slow(), 2)
    assert [one[0] for one in trial] == list(range(12))
    assert type(trial._now).__name__ == "PrefetchIterator"


def test_order_is_kept_unless_given_up():
    def slow_at_first(x):
        if int(x) == 0:
            time.sleep(0.05)
        return x

    def mapped(**options):
        return [int(x) for x in Dataset.range(8).map(
            lambda x: tf.py_function(slow_at_first, [x], tf.int64), num_parallel_calls=2,
            **options)]

    assert mapped() == list(range(8))
    assert sorted(mapped(deterministic=False)) == list(range(8))


def test_errors_come_in_their_place():
    def fail(x):
        if int(x) == 2:
            raise ValueError("two")
        return x

    for extra in (lambda ds: ds, lambda ds: ds.prefetch(2)):
        ds = extra(Dataset.range(5).map(lambda x: tf.py_function(fail, [x], tf.int64),
                                        num_parallel_calls=2))
        iterator = iter(ds)
        assert [int(next(iterator)), int(next(iterator))] == [0, 1]
        with pytest.raises(tf.errors.InvalidArgumentError, match="two"):
            next(iterator)
        assert [int(x) for x in iterator] == [3, 4]
        with pytest.raises(StopIteration):
            next(iterator)


def test_an_error_below_does_not_end_a_dataset():
    def generate():
        yield 1
        raise RuntimeError("broken")

    iterator = iter(Dataset.from_generator(generate, output_types=tf.int32).prefetch(1))
    assert int(next(iterator)) == 1
    with pytest.raises(tf.errors.UnknownError, match="broken"):
        next(iterator)


def test_several_threads_may_share_an_iterator():
    iterator = iter(Dataset.range(2000).map(lambda x: x + 1))
    found = []

    def take():
        for x in iterator:
            found.append(int(x))

    workers = [threading.Thread(target=take) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    assert sorted(found) == list(range(1, 2001))


def test_memory_is_given_back():
    """Without the garbage collector: nothing refers to itself."""
    gc.collect()
    gc.disable()
    try:
        ds = Dataset.from_tensor_slices(np.zeros((100, 10))).shuffle(10).batch(4).prefetch(2)
        held = weakref.ref(ds._inputs[0]._inputs[0]._inputs[0])
        iterator = iter(ds)
        next(iterator)
        del ds, iterator
        assert wait_until(lambda: held() is None)
        cached = Dataset.range(5).map(lambda x: x).cache()
        list(cached)
        held = weakref.ref(cached)
        del cached
        assert wait_until(lambda: held() is None)
    finally:
        gc.enable()


def test_a_generator_is_closed_when_its_iterator_is_dropped():
    closed = []

    def generate():
        try:
            yield from range(10)
        finally:
            closed.append(True)

    iterator = iter(Dataset.from_generator(generate, output_types=tf.int32).batch(2))
    next(iterator)
    del iterator
    assert closed == [True]


# -- random numbers --------------------------------------------------------------------------------
def _held_up(i):
    """1.0, after a while: the earlier of two elements is the slower one."""
    def wait(i):
        time.sleep(0.002 * (3 - i % 4))
        return np.float32(1)
    return tf.ensure_shape(tf.numpy_function(wait, [i], tf.float32), [])


def _in_branch(i):
    return tf.cond(_held_up(i) > 0, lambda: tf.random.uniform([]), lambda: -1.0)


def _in_loop(i):
    count = tf.cast(_held_up(i), tf.int64) + i % 3
    return tf.while_loop(lambda k, s: k < count,
                         lambda k, s: (k + 1, s + tf.random.uniform([])), [tf.constant(0, "int64"),
                                                                          0.0])[1]


@pytest.mark.parametrize("function", [
    lambda i: tf.random.uniform([2], maxval=_held_up(i)) + tf.random.normal([2]) * _held_up(i),
    lambda i: tf.random.shuffle(tf.range(9.0) * _held_up(i)), _in_branch, _in_loop])
def test_elements_draw_in_their_order_on_any_thread(function):
    found = []
    for calls in (None, 4, 7):
        tf.random.set_seed(3)
        found.append(list(tf.data.Dataset.range(24).map(function, calls).as_numpy_iterator()))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_interleaved_datasets_draw_in_their_order():
    def part(i):
        return Dataset.range(6).map(lambda j: tf.random.uniform([], maxval=_held_up(i + j)))

    found = []
    for calls in (None, 4):
        tf.random.set_seed(3)
        found.append(list(Dataset.range(4).interleave(part, 4, num_parallel_calls=calls)
                          .as_numpy_iterator()))
    np.testing.assert_array_equal(*found)


def test_an_element_that_fails_holds_up_nobody():
    def function(i):
        checked = tf.debugging.assert_less(_held_up(i) * tf.cast(i % 5, tf.float32), 3.5)
        with tf.control_dependencies([checked]):
            return tf.random.uniform([]) + tf.cast(i, tf.float32)

    drawn = tf.data.Dataset.range(20).map(function, 4).ignore_errors()
    assert [int(x) for x in drawn] == [i for i in range(20) if i % 5 != 4]
