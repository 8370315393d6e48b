"""cond, case, while_loop, map_fn, scan, folds and TensorArray under tapes and at their edges.

What TensorFlow does with arguments and errors is in the conformance programs.
"""

import threading

import numpy as np
import pytest

import tapeflow as tf


def test_map_fn_reads_each_row_once_in_the_gradient():
    """The gradient of n rows costs one stack, not n zero-filled tensors."""
    x = tf.Variable(np.arange(2000, dtype=np.float32).reshape(1000, 2))
    with tf.GradientTape() as tape:
        y = tf.map_fn(lambda row: row * row, x)
    assert len(tape._record._entries) < 3 * 1000
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 2 * x.numpy())


def test_scan_gradient_of_a_recurrence():
    w = tf.Variable(0.5, dtype=tf.float64)
    xs = tf.constant([1.0, -2.0, 0.5], tf.float64)

    def run(w):
        start = tf.constant(0.1, tf.float64)
        return tf.scan(lambda h, x: tf.tanh(w * h + x), xs, initializer=start)

    by_tape, by_differences = tf.test.compute_gradient(run, [w])
    np.testing.assert_allclose(by_tape[0], by_differences[0], atol=1e-6)


def test_forward_mode_through_loops():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = tf.foldl(lambda a, v: a * v, x)
        z = tf.map_fn(lambda v: v * v, x)
    assert accumulator.jvp(y).numpy() == 11.0
    np.testing.assert_array_equal(accumulator.jvp(z).numpy(), [2.0, 4.0, 6.0])


def test_while_loop_keeps_going_without_recursion():
    (n,) = tf.while_loop(lambda i: i < 20000, lambda i: (i + 1,), (0,))
    assert n.numpy() == 20000


def test_exception_in_a_body_leaves_no_trace():
    def body(i):
        raise KeyError("inside")

    with tf.GradientTape() as tape:
        x = tf.Variable(1.0)
        with pytest.raises(KeyError):
            tf.while_loop(lambda i: True, body, (x,))
        y = x * 3.0
    assert tape.gradient(y, x).numpy() == 3.0


def test_loops_in_threads_do_not_meet():
    results = {}

    def work(k):
        x = tf.Variable(float(k))
        with tf.GradientTape() as tape:
            y = tf.vectorized_map(lambda v: tf.cond(v > 1.0, lambda: v * x, lambda: v),
                                  tf.range(4.0))
        results[k] = tape.gradient(y, x).numpy()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert results == dict.fromkeys(range(8), 5.0)


def test_tensor_array_is_written_before_anything_is_refused():
    ta = tf.TensorArray(tf.float32, 1, dynamic_size=True)
    for bad in (tf.constant(1), "s", None):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError, TypeError)):
            ta.write(4, bad)
    assert ta.size().numpy() == 1


def test_tensor_array_holds_what_was_written_not_the_variable():
    v = tf.Variable([1.0, 2.0])
    ta = tf.TensorArray(tf.float32, 1).write(0, v)
    v.assign([5.0, 6.0])
    np.testing.assert_array_equal(ta.read(0).numpy(), [1.0, 2.0])


def test_tensor_array_of_batched_elements():
    def f(row):
        ta = tf.TensorArray(tf.float32, 3)
        for i in range(3):
            ta = ta.write(i, row[i] * float(i))
        return ta.stack()

    x = tf.reshape(tf.range(6.0), [2, 3])
    np.testing.assert_array_equal(tf.vectorized_map(f, x).numpy(), x.numpy() * [0.0, 1.0, 2.0])


def test_timestamp():
    a, b = tf.timestamp(), tf.timestamp()
    assert a.dtype == tf.float64 and 0 <= b.numpy() - a.numpy() < 60


def test_slices_of_branches_get_indices_of_one_dtype():
    @tf.function
    def f(p):
        def slices(dtype):
            indices = tf.constant([0, 2], dtype)
            return tf.IndexedSlices(tf.ones([2, 3]), indices, tf.constant([4, 3]))

        found = tf.cond(p, lambda: slices(tf.int32), lambda: slices(tf.int64))
        return found.indices, tf.convert_to_tensor(found)

    for p in (True, False):
        indices, dense = f(tf.constant(p))
        assert indices.dtype == tf.int64 and np.array_equal(indices, [0, 2])
        assert np.array_equal(dense[:, 0], [1, 0, 1, 0])


@pytest.mark.parametrize("sizes", [[2], [None]])
def test_strings_of_a_traced_map(sizes):
    @tf.function(input_signature=[tf.TensorSpec(sizes, tf.int32)])
    def shown(x):
        return tf.map_fn(tf.strings.as_string, x, fn_output_signature=tf.string)

    assert shown(tf.constant([3, 4])).numpy().tolist() == [b"3", b"4"]


@pytest.mark.parametrize("like", [tf.ones_like, tf.zeros_like])
def test_numbers_in_the_shape_of_strings_of_any_count(like):
    made = tf.function(
        lambda x: (like(x, tf.int32), tf.zeros_like(tf.strings.length(x), tf.string)),
        input_signature=[tf.TensorSpec([None], tf.string)])
    numbers, empty = made(tf.constant(["a", "b"]))
    assert numbers.numpy().tolist() == like([5, 5]).numpy().tolist()
    assert empty.numpy().tolist() == [b"", b""]
