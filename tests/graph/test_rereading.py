"""Rules of custom gradients read variables when the gradient runs, wherever the tape is."""

import numpy as np
import pytest

import tapeflow as tf

X = tf.constant(0.7)
SIN, COS = np.sin(0.7), np.cos(0.7)
WRAPS = {"eager": lambda f: f, "function": tf.function, "native": tf.function(jit_compile=True)}


def around(wrap, body, v, after, persistent=False):
    """The gradients to X and v by a tape around the function, v being `after` by then."""
    function = wrap(body)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(X)
        y = function(X)
    v.assign(after)
    return tape, y, tape.gradient(y, [X, v])


def block(v):
    return tf.recompute_grad(lambda x: tf.sin(x) * v * v)


def plain(wrap):
    v = tf.Variable(2.0)
    return around(wrap, block(v), v, 3.0)[2], [9 * COS, 6 * SIN]


def assigned_in_the_function(wrap):
    v = tf.Variable(2.0)
    inner = block(v)

    def body(x):
        y = inner(x)
        v.assign_add(1.0)
        return y + v * x

    return around(wrap, body, v, 10.0)[2], [100 * COS + 3, 20 * SIN + 0.7]


def persistent(wrap):
    v = tf.Variable(2.0)
    tape, y, _ = around(wrap, block(v), v, 3.0, persistent=True)
    v.assign(4.0)
    return tape.gradient(y, [X, v]), [16 * COS, 8 * SIN]


def nested_functions(wrap):
    v = tf.Variable(2.0)
    inner = wrap(block(v))
    return around(wrap, lambda x: inner(x) * v, v, 3.0)[2], [18 * COS, (2 * 6 + 4) * SIN]


def nested_blocks(wrap):
    v = tf.Variable(2.0)
    inner = block(v)
    return around(wrap, tf.recompute_grad(lambda x: inner(x) * v), v, 3.0)[2], [27 * COS, 27 * SIN]


def tape_in_an_outer_function(wrap):
    v = tf.Variable(2.0)
    inner = wrap(block(v))

    def body(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        v.assign(3.0)
        return tape.gradient(y, [x, v])

    return wrap(body)(X), [9 * COS, 6 * SIN]


def loop(wrap):
    v = tf.Variable(2.0)
    inner = tf.recompute_grad(lambda x: x * v)

    def body(x):
        for _ in tf.range(2):
            x = inner(x)
        return x

    # The second iteration's argument is of the forward pass: 1.4 + 0.7 · 3 is the derivative to v.
    return around(wrap, body, v, 3.0)[2], [9.0, 3 * 0.7 + 1.4]


def loop_inside_the_tape(wrap):
    v = tf.Variable(2.0)
    inner = tf.recompute_grad(lambda x: x * v)

    def body(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(2):
                y = inner(y)
        v.assign(3.0)
        return tape.gradient(y, [x, v])

    return wrap(body)(X), [9.0, 3 * 0.7 + 1.4]


def branch(wrap):
    v = tf.Variable(2.0)
    inner = block(v)
    return around(wrap, lambda x: tf.cond(x > 0, lambda: inner(x), lambda: x), v,
                  3.0)[2], [9 * COS, 6 * SIN]


def passed_as_an_argument(wrap):
    v = tf.Variable(2.0)
    function = wrap(lambda x, w: block(w)(x))
    return around(lambda f: f, lambda x: function(x, v), v, 3.0)[2], [9 * COS, 6 * SIN]


def not_trainable(wrap):
    v = tf.Variable(2.0, trainable=False)
    return around(wrap, block(v), v, 3.0)[2][:1], [9 * COS]


def second_order(wrap):
    v = tf.Variable(2.0)
    function = wrap(block(v))
    with tf.GradientTape() as outer:
        outer.watch(X)
        with tf.GradientTape() as inner:
            inner.watch(X)
            y = function(X)
        v.assign(3.0)
        d = inner.gradient(y, X)
    v.assign(4.0)
    # The gradient has read v = 3; what was read there is a plain operand of the second one.
    return outer.gradient(d, [X, v]), [-9 * SIN, 6 * COS]


def user_rule(wrap):
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        w = v * 1.0

        def grad(g, variables=None):
            return g * w * v, [g * v]

        return x * w, grad

    return around(wrap, scaled, v, 3.0)[2], [2.0 * 3.0, 3.0]


def jacobian(wrap):
    v = tf.Variable(2.0)
    function, xs = wrap(block(v)), tf.constant([0.7, 0.7])
    with tf.GradientTape() as tape:
        tape.watch(xs)
        ys = function(xs)
    v.assign(3.0)
    return tf.unstack(tf.reshape(tape.jacobian(ys, xs), [4])), [9 * COS, 0, 0, 9 * COS]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("program", [
    plain, assigned_in_the_function, persistent, nested_functions, nested_blocks,
    tape_in_an_outer_function, loop, loop_inside_the_tape, branch, passed_as_an_argument,
    not_trainable, second_order, user_rule, jacobian], ids=lambda one: one.__name__)
def test_rules_read_variables_when_they_run(program, wrap):
    got, want = program(WRAPS[wrap])
    np.testing.assert_allclose([float(g) for g in got], want, rtol=1e-5)


def test_loaded_functions_read_variables_when_the_gradient_runs(tmp_path):
    module = tf.Module()
    module.v = tf.Variable(2.0)
    module.f = tf.function(block(module.v), input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(module, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    got = around(lambda f: f, loaded.f, loaded.v, 3.0)[2]
    np.testing.assert_allclose([float(g) for g in got], [9 * COS, 6 * SIN], rtol=1e-5)


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_a_jacobian_through_rows_of_a_tensor_of_unknown_size(rows):
    def of(x):
        z = tf.zeros([2])
        with tf.GradientTape() as tape:
            tape.watch(z)
            y = tf.reduce_sum(tf.gather(tf.sin(x + z), [1, 0, 1]), 1)
        return tape.jacobian(y, z)

    known = [tf.TensorSpec([None, 2], tf.float32)]
    traced = tf.function(of, autograph=False, input_signature=known)
    x = tf.reshape(tf.range(2.0 * rows), [rows, 2])
    assert (traced(x).numpy() == of(x).numpy()).all()
