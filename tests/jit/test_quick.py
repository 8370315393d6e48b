"""The quickest call: results made by native code are what `wrap` makes, and nothing leaks."""

import gc
import sys
import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph.executor.interface import MISS


@pytest.fixture(autouse=True)
def at_once(using):
    using(jit="now")


def direct(function, *args):
    """A tf.function whose calls go straight into native code."""
    made = tf.function(function)
    for _ in range(40):
        made(*args)
    assert made._native is not None
    return made


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int8", "uint8",
                                   "int32", "int64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_results_are_like_those_of_ops(dtype, shape):
    kind = tf.as_dtype(dtype).as_numpy_dtype
    x = tf.constant(np.arange(1, 7)[:int(np.prod(shape))].reshape(shape).astype(kind))
    made = direct(lambda x: x * x, x)
    got, want = made._native((x,)), x * x
    assert type(got) is tf.Tensor or isinstance(got, type(want))
    assert got._uid == 0 and got.dtype == want.dtype and got.shape == want.shape
    assert type(got._value) is type(want._value)
    np.testing.assert_array_equal(got.numpy(), want.numpy())
    got.note = 1  # a dictionary of its own, as every tensor has


def test_truth_values_are_the_shared_ones():
    made = direct(lambda x: [x > 0, x < 0, x + 1], tf.constant(2.0))
    more, less, _ = made._native((tf.constant(2.0),))
    assert more._value is np.True_ and less._value is np.False_
    more, less, _ = made._native((tf.constant(-2.0),))
    assert more._value is np.False_ and less._value is np.True_


def test_structures():
    made = direct(lambda x: {"a": (x + 1, None), "b": [x * tf.ones(3)]}, tf.constant(2.0))
    got = made(tf.constant(5.0))
    assert float(got["a"][0]) == 6 and got["a"][1] is None
    np.testing.assert_array_equal(got["b"][0].numpy(), [5, 5, 5])
    v = tf.Variable(0.0)
    assert direct(lambda x: [v.assign_add(x), None][1], tf.constant(2.0))(tf.constant(1.0)) is None
    assert float(v) == 81


def test_what_does_not_fit_is_a_miss():
    made = direct(lambda x, y: x + y, tf.ones(3), tf.ones(3))
    native = made._native
    fitting = tf.ones(3)
    for args in [(fitting,), (fitting,) * 3, (fitting, tf.ones(4)), (tf.ones(3, tf.float64),) * 2,
                 (fitting, tf.ones((3, 1))), (fitting, 1.0), (fitting, tf.Variable(fitting))]:
        assert native(args) is MISS
    np.testing.assert_array_equal(made(tf.ones(4), 2 * tf.ones(4)).numpy(), [3] * 4)
    np.testing.assert_array_equal(made(fitting, fitting).numpy(), [2] * 3)


def test_an_index_out_of_range_is_told_and_changes_nothing():
    v = tf.Variable(1.0)

    def step(i):
        y = tf.gather(tf.constant([1.0, 2.0, 3.0]), i)
        v.assign_add(y)
        return y

    made = direct(step, tf.constant(1))
    before = float(v)
    assert made._native((tf.constant(7),)) is MISS
    with pytest.raises(tf.errors.InvalidArgumentError):
        made(tf.constant(7))
    assert float(v) == before and float(made(tf.constant(2))) == 3.0


def test_a_variable_that_others_hold_is_not_changed_under_them():
    v = tf.Variable([1.0, 2.0])

    def step():
        v.assign_add([1.0, 1.0])
        return tf.reduce_sum(v)

    made = direct(step)
    held = v.read_value()
    seen = held.numpy().copy()
    for _ in range(20):
        made()
    np.testing.assert_array_equal(held.numpy(), seen)
    np.testing.assert_array_equal(v.numpy(), seen + 20)


def test_nothing_leaks():
    x = tf.constant([1.0, 2.0])
    one, many = direct(lambda x: tf.reduce_sum(x), x), direct(lambda x: [x + 1, x[0] > 0], x)
    other = tf.ones(5)
    shared = (x, x._value, x._value.dtype, np.True_, np.False_, tf.Tensor, np.float32, MISS,
              one._native, many._native)

    def turn():
        for _ in range(3000):
            one(x)
            many(x)
            one._native((other,))
            many._native((other,))

    turn()
    gc.collect()
    before, blocks = [sys.getrefcount(thing) for thing in shared], sys.getallocatedblocks()
    turn()
    gc.collect()
    after = [sys.getrefcount(thing) for thing in shared]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 50
    assert abs(sys.getallocatedblocks() - blocks) < 1000


def test_finalisers_may_call_the_same_function():
    made = direct(lambda x: [x * 2, x + tf.ones(4)], tf.constant(1.0))
    wrong = []

    class Cycle:
        def __init__(self):
            self.own = self

        def __del__(self):
            got = made(tf.constant(50.0))
            if float(got[0]) != 100 or got[1].numpy().tolist() != [51.0] * 4:
                wrong.append(got)

    threshold = gc.get_threshold()
    gc.set_threshold(5, 2, 2)
    try:
        for i in range(2000):
            Cycle()
            double, more = made(tf.constant(float(i)))
            assert float(double) == 2 * i and more.numpy().tolist() == [i + 1.0] * 4
    finally:
        gc.set_threshold(*threshold)
    gc.collect()
    assert not wrong


def test_threads_do_not_disturb_each_other():
    made = direct(lambda x: [x * 2, x + tf.ones(7)], tf.constant(1.0))
    wrong = []

    def work(number):
        x = tf.constant(float(number))
        for _ in range(3000):
            double, more = made(x)
            if float(double) != 2 * number or more.numpy().tolist() != [number + 1.0] * 7:
                wrong.append(number)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong
