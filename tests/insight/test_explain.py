"""Every reason for a None has its own words."""

import pytest

import tapeflow as tf


def check(tape, target, source, reason, *phrases):
    assert tape.gradient(target, source) is None
    explanation = tape.explain(target, source)
    assert explanation.reasons == [reason]
    for phrase in phrases:
        assert phrase in str(explanation)


def test_a_constant_that_was_never_watched():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    check(tape, y, x, "constant", "never watched", "tape.watch")


def test_a_variable_used_before_the_tape_began():
    x = tf.Variable(3.0)
    y = x * x
    with tf.GradientTape() as tape:
        z = y * 2.0
    check(tape, z, x, "not read", "inside the block")


def test_a_target_computed_after_the_tape():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    z = y * 2.0
    check(tape, z, x, "outside", "not computed from anything watched")


@pytest.mark.parametrize("leave", [lambda t: float(t), lambda t: t.numpy(), lambda t: int(t)])
def test_a_value_that_left_for_python(leave):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.constant(float(leave(x * x))) * 2.0
    check(tape, y, x, "escaped", ".numpy()")


def test_an_integer_source_and_target():
    i, x = tf.Variable(3), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        j = i * i
        k = tf.cast(x, tf.int32)
    check(tape, tf.constant(1.0), i, "integer", "int32")
    check(tape, j, x, "integer target")
    check(tape, k, x, "integer target")


def test_an_op_without_a_gradient_gives_its_own_reason():
    x = tf.Variable([1.5, 2.5])
    with tf.GradientTape() as tape:
        y = tf.round(x) * 2.0
    check(tape, y, x, "not differentiable", "round", "grad_pass_through")


def test_a_cast_to_integers_in_between():
    x = tf.Variable([1.5, 2.5])
    with tf.GradientTape() as tape:
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
    check(tape, y, x, "not differentiable", "cast")


def test_stop_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x) * 3.0
    check(tape, y, x, "stop_gradient", "tf.stop_gradient")


def test_the_cut_is_found_beside_a_live_path():
    x, w = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.stop_gradient(x) * w + w
    assert tape.explain(y, [x, w]).reasons == ["stop_gradient", "connected"]


def test_an_assignment_in_between():
    x, state = tf.Variable(2.0), tf.Variable(0.0, name="state")
    with tf.GradientTape() as tape:
        state.assign(x * x)
        y = state * 2.0
    check(tape, y, x, "assigned", "'state:0'", "assignments are not differentiated")


def test_a_variable_that_the_target_does_not_use():
    x, other = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        other * 2.0
        y = x * x
    check(tape, y, other, "independent", "does not depend")


def test_untrainable_and_unwatched_variables():
    x = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = x * x
    check(tape, y, x, "not trainable", "trainable=True")
    v = tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * v
    check(tape, y, v, "not accessed", "watch_accessed_variables=False")


def test_a_stopped_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        x * 1.0
        with tape.stop_recording():
            y = x * x
    check(tape, y, x, "stopped", "stop_recording")


def test_positions_name_file_and_line():
    x = tf.Variable(2.0)
    with tf.insight.positions(), tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x) * 3.0
    assert f"{__file__}:" in str(tape.explain(y, x))
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x)
    assert __file__ not in str(tape.explain(y, x))


def test_connected_sources_are_said_to_be():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.explain(y, [x, y]).reasons == ["connected", "connected"]
    tape.gradient(y, x)
    assert tape.explain(y, x).reasons == ["connected"]
