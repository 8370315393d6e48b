"""The NumPy executor: order, buffers that are used again, and what must never be written over."""

import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph.executor import buffer_plan, scalar_batching
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise

SIZE = buffer_plan.LARGE  # bytes, and so more than enough elements


@pytest.fixture(autouse=True)
def on_numpy(using):
    """No native code takes over in the middle of a test."""
    using(jit="off")


def program(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    return Program(optimise(concrete.function.graph))


def large(value):
    return tf.fill([SIZE], float(value))


# -- scalars side by side -------------------------------------------------------------------------
def test_scalars_are_gathered():
    def f(x):
        y = x
        values = []
        for _ in range(20):
            y = y * 1.25
            values.append(tf.cos(y))
        return tf.add_n(values)

    source = program(f, tf.TensorSpec([])).source
    assert source.count("array((") == 1
    got = tf.function(f)(tf.constant(0.5))
    np.testing.assert_allclose(got, f(tf.constant(0.5)), rtol=1e-6)


def test_few_scalars_are_not_gathered():
    def f(x):
        return tf.add_n([tf.cos(x * i) for i in range(2, scalar_batching.FEWEST - 2)])

    assert "array((" not in program(f, tf.TensorSpec([])).source


def test_a_chain_stays_in_order():
    def f(x):
        for _ in range(50):
            x = tf.sin(x)
        return x

    assert "array((" not in program(f, tf.TensorSpec([])).source
    np.testing.assert_allclose(tf.function(f)(tf.constant(1.0)), f(tf.constant(1.0)))


# -- buffers ---------------------------------------------------------------------------------------
def test_results_are_made_in_one_buffer():
    made = program(lambda x: tf.reduce_sum(tf.sin(tf.exp(x) * 2.0) + 1.0), tf.TensorSpec([SIZE]))
    assert made.source.count("out=arena[0]") == 4
    assert "arena[1]" not in made.source


def test_an_operand_that_is_needed_again_is_not_written_over():
    def f(x):
        y = tf.exp(x)
        z = y * 2.0
        return tf.reduce_sum(z - y), tf.reduce_sum(y)

    x = large(0.5)
    for got, want in zip(tf.function(f)(x), f(x), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_what_is_returned_outlives_later_runs():
    f = tf.function(lambda x: (tf.exp(x), tf.reshape(tf.exp(x) * 2.0, [2, -1]), tf.exp(x)[1:]))
    first = f(large(0))
    kept = [y.numpy() for y in first]
    f(large(3))
    for y, want in zip(first, kept, strict=True):
        np.testing.assert_array_equal(y, want)


# -- variables -------------------------------------------------------------------------------------
def step(v):
    @tf.function
    def run(x):
        v.assign_sub(0.5 * x)

    return run


def test_a_variable_alternates_between_two_arrays():
    v = tf.Variable(large(1))
    run = step(v)
    seen = set()
    for _ in range(8):
        run(large(1))
        seen.add(v._snapshot._value.ctypes.data)
    assert len(seen) <= 3
    np.testing.assert_array_equal(v, np.full(SIZE, -3.0))


@pytest.mark.parametrize("hold", [
    lambda v: v.read_value(), lambda v: v.value(), lambda v: tf.identity(v), lambda v: v[:10],
    lambda v: np.asarray(v.read_value()), lambda v: memoryview(np.asarray(v.value())),
    lambda v: tf.reshape(v, [2, -1]), lambda v: v._snapshot._value[5:],
])
def test_what_somebody_holds_is_not_written_over(hold):
    v = tf.Variable(large(1))
    run = step(v)
    held = []
    for _ in range(6):
        held.append((hold(v), np.array(v.numpy())))
        run(large(1))
    for got, want in held:
        assert np.all(np.asarray(got).ravel() == want[0])


def test_a_tape_keeps_what_it_needs():
    v = tf.Variable(large(2))
    run = step(v)
    run(large(2))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    for _ in range(4):
        run(large(1))
    np.testing.assert_array_equal(tape.gradient(y, v), np.full(SIZE, 2.0))


def test_a_function_returns_a_value_before_the_update():
    v = tf.Variable(large(1))

    @tf.function
    def run():
        before = v.read_value()
        v.assign(v * 2.0)
        return before

    values = [run() for _ in range(5)]
    assert [float(x[0]) for x in values] == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_two_variables_may_hold_one_value():
    v, w = tf.Variable(large(1)), tf.Variable(large(1))

    @tf.function
    def run():
        y = v + 1.0
        v.assign(y)
        w.assign(y)

    for k in range(5):
        run()
        assert float(v[0]) == float(w[0]) == k + 2


def test_two_writes_in_one_run():
    v = tf.Variable(large(1))

    @tf.function
    def run():
        v.assign(v * 2.0)
        middle = v + 0.0
        v.assign(v + 1.0)
        return middle

    values = [run() for _ in range(4)]
    assert [float(x[0]) for x in values] == [2.0, 6.0, 14.0, 30.0]
    assert float(v[0]) == 31.0


def test_an_error_leaves_the_last_completed_update():
    v = tf.Variable(large(1))

    @tf.function
    def run(i):
        v.assign(v + 1.0)
        v.assign(v + tf.gather(tf.constant([10.0]), i))

    run(tf.constant(0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.constant(5))
    assert float(v[0]) == 13.0
    run(tf.constant(0))
    assert float(v[0]) == 24.0
    assert float(v[SIZE - 1]) == 24.0


def test_threads_do_not_share_buffers():
    f = tf.function(lambda x: tf.reduce_sum(tf.sin(tf.exp(x) * 2.0) + 1.0))
    f(large(0))
    wrong = []

    def work(value):
        want = float(f(large(value)))
        for _ in range(30):
            if float(f(large(value))) != want:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_variable_whose_shape_changes():
    v = tf.Variable(large(1), shape=[None])

    @tf.function
    def run(x):
        v.assign(x * 2.0)

    for size in (SIZE, 2 * SIZE, SIZE, SIZE, 2 * SIZE):
        run(tf.ones([size]))
        assert v.read_value().shape == [size]
        assert np.all(v.numpy() == 2.0)


# -- errors ----------------------------------------------------------------------------------------
def test_a_kernel_that_fails_says_what_it_says_eagerly():
    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool)])
    def f(x, mask):
        return tf.boolean_mask(x, mask) + x

    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        f(tf.ones([3]), [True, False, True])
