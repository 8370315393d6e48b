"""Assertions in a tf.Graph are operations: what waits for one runs it, and nothing else does."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
ASSERTIONS = {
    "equal": lambda x: tf.debugging.assert_equal(x, [1.0, 2.0]),
    "less": lambda x: v1.assert_less(x, 3.0),
    "near": lambda x: tf.debugging.assert_near(x, [1.0, 2.0]),
    "positive": lambda x: tf.debugging.assert_positive(x),
    "rank": lambda x: tf.debugging.assert_rank(x, 1),
    "Assert": lambda x: tf.debugging.Assert(tf.reduce_all(x > 0), [x]),
    "shapes": lambda x: tf.debugging.assert_shapes([(x, ("N",))]),
    "type": lambda x: tf.debugging.assert_type(x, tf.float32),
}


@pytest.mark.parametrize("name", ASSERTIONS)
def test_an_assertion_is_an_operation(name):
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder_with_default(np.float32([1.0, 2.0]), [None])
        check = ASSERTIONS[name](x)
        assert isinstance(check, tf.Operation) and session.run(check) is None
        if name not in ("rank", "shapes", "type"):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(check, {x: [9.0, -9.0]})
    assert ASSERTIONS[name](tf.constant([1.0, 2.0])) is None


def test_an_assertion_waits_for_nobody_else():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder_with_default(-1.0, [])
        outer = tf.debugging.assert_positive(x, message="outer")
        inner = tf.debugging.assert_less(x, 10.0)
        with tf.control_dependencies([inner]):
            free = tf.identity(x)
        assert session.run(free) == -1.0
        with tf.control_dependencies([outer]):
            held = tf.identity(x)
        with pytest.raises(tf.errors.InvalidArgumentError, match="outer"):
            session.run(held)


def test_what_waits_for_an_assertion_has_no_static_value():
    with tf.Graph().as_default(), v1.Session() as session:
        n = tf.constant(2.5)
        with tf.control_dependencies([tf.debugging.Assert(tf.equal(n, 2.0), ["no integer", n])]):
            n = tf.identity(n)
        assert tf.get_static_value(n) is None and tf.get_static_value(tf.constant(3)) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="no integer"):
            session.run(tf.cast(n, tf.int32))


def test_a_raw_op_without_results_is_an_operation():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([1.0, 2.0])
        session.run(v.initializer)
        step = tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=1.0, delta=[0.5, 1.0])
        assert session.run(v).tolist() == [1.0, 2.0]
        session.run(tf.group(step))
        assert session.run(v).tolist() == [0.5, 1.0]


def test_a_choice_of_operations_is_one():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        v, p = tf.Variable(1.0), v1.placeholder(tf.bool, [])
        session.run(v1.global_variables_initializer())
        for branch in (lambda: v.assign_add(1.0).op, lambda: tf.group(v.assign_add(1.0))):
            step = tf.group(tf.cond(p, branch, tf.no_op))
            before = session.run(v)
            session.run(step, {p: False})
            assert session.run(v) == before
            session.run(step, {p: True})
            assert session.run(v) == before + 1


def test_a_python_function_without_results_is_an_operation():
    seen = []
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32)
        step = tf.py_function(lambda x: seen.append(float(x)), [x], [])
        for value in (1.0, 2.0):
            session.run(step, {x: value})
    assert seen == [1.0, 2.0]


def test_a_step_of_an_optimizer_reads_what_it_wrote():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        var, accum = tf.Variable([1.0]), tf.Variable([0.0])
        step = tf.raw_ops.ResourceApplyAdagradV2(
            var=var.handle, accum=accum.handle, lr=0.5, epsilon=0.0, grad=[2.0])
        session.run(v1.global_variables_initializer())
        session.run(step)
        assert session.run(var) == [0.5] and session.run(accum) == [4.0]
