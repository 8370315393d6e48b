"""Every reason for a None has its own words."""

import threading
from pathlib import Path

import pytest

import tapeflow as tf
from tapeflow.insight import notes


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
    assert "test_explain.py:" in str(tape.explain(y, x))
    with tf.GradientTape() as tape:
        h = tf.stop_gradient(x * x)
        y = tf.stop_gradient(h * 2.0)
    assert "test_explain.py" not in str(tape.explain(y, x))  # it may be either line


def test_the_only_line_with_such_an_op_is_named_without_positions():
    w = tf.Variable([1.5, 2.5])
    with tf.GradientTape(persistent=True) as tape:
        h = w * 2.0
        k = tf.argmax(h)  # the index
        index = tf.cast(k, tf.float32) * 3.0
        value = tf.constant(h.numpy()) * 2.0  # the value
        compared = tf.where(h > 4.0, 1.0, 0.0)  # the comparison
    lines = Path(__file__).read_text().splitlines()
    for target, mark in ((index, "# the index"), (value, "# the value"),
                         (compared, "# the comparison")):
        text = str(tape.explain(target, w))
        line = 1 + next(i for i, one in enumerate(lines) if mark in one)
        assert f"test_explain.py:{line})" in text, text


def test_connected_sources_are_said_to_be():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.explain(y, [x, y]).reasons == ["connected", "connected"]
    tape.gradient(y, x)
    assert tape.explain(y, x).reasons == ["connected"]


def test_a_custom_gradient_that_gives_none():
    @tf.custom_gradient
    def lossy(x):
        return x * 2.0, lambda g: None

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = lossy(x) * 2.0
    assert tape.explain(y, x).reasons == ["gradient gave None"]  # without a walk before
    check(tape, y, x, "gradient gave None", "lossy")


def test_explaining_does_not_use_the_tape_up():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(tf.round)(x) * 2.0
    assert tape.explain(y, x).reasons == ["connected"]
    assert tape.gradient(y, x).numpy() == 2.0


def test_all_cuts_are_named_the_nearest_first():
    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.round(tf.stop_gradient(x)) + v + tf.floor(x)
    check(tape, y, x, "stop_gradient", "also end at", "round", "floor")


def test_assignment_after_the_target_plays_no_part():
    x, u, v = tf.Variable(3.0), tf.Variable(1.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = u * v
        u.assign(x)
    check(tape, y, x, "independent")


def test_a_variable_that_only_decides_a_branch():
    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = v * 2.0 if x > 1.0 else v
    check(tape, y, x, "condition", "greater", "`if`")


def test_a_value_that_was_only_printed_is_no_escape(capsys):
    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        print(f"{x * 2.0:.2f}", x * 2.0)
        y = v * v
    check(tape, y, x, "independent")


def test_an_escape_is_not_said_to_reach_the_target():
    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        float(x * 2.0)
        y = v * v
    check(tape, y, x, "escaped", "If the target was computed from that value")


def test_watched_too_late():
    x, v = tf.constant(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * v
        tape.watch(x)
    check(tape, y, x, "watched late", "after the target")


def test_reset_forgets():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()
        x * 2.0
    check(tape, y, x, "forgotten", "reset")


def test_a_tape_that_never_recorded():
    x = tf.Variable(3.0)
    assert tf.GradientTape().explain(x * x, x).reasons == ["never entered"]


def test_a_source_that_only_an_integer_target_uses():
    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y, k = v * v, tf.cast(x, tf.int32)
    check(tape, [y, k], x, "integer target", "int32")


def test_the_gradient_of_something_linear():
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 3.0 * x
        slope = inner.gradient(y, x)
    check(outer, slope, x, "outside", "linear")


def test_a_none_does_not_keep_a_persistent_tape_alive():
    import gc
    import weakref

    x, v = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        middle = v * 2.0
        y = middle * middle
    assert tape.gradient(y, x) is None
    alive = weakref.ref(middle)
    del tape, middle, y
    gc.collect()
    assert alive() is None


def test_a_shape_beside_an_op_without_gradient_is_not_the_reason():
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        p = tf.round(w @ tf.ones([2, 2]))
        loss = tf.reduce_sum(p) / tf.cast(tf.shape(p)[0], tf.float32)
    text = str(tape.explain(loss, w))
    assert "goes through round" in text and "also end at: shape" in text


def _gradient_that_is_none():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def test_the_none_of_another_thread_explains_nothing_here():
    error = TypeError("unsupported operand: 'NoneType'")
    seen = []

    def work():
        seen.append(notes.for_exception(error))
        _gradient_that_is_none()
        seen.append(notes.for_exception(error))

    _gradient_that_is_none()
    here = notes.for_exception(error)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen[0] is None and "never watched" in seen[1]
    assert notes.for_exception(error) == here


def test_statistics_of_a_layer_are_no_sources():
    moving = tf.Variable(0.5, trainable=False, name="moving_mean")
    with tf.GradientTape() as tape:
        y = tf.Variable(2.0) * moving
    check(tape, y, moving, "not trainable", "model.trainable_variables, not model.variables")


def test_watched_after_its_use():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
    check(tape, y, x, "outside", "after tape.watch")


def test_a_loss_of_floats():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        losses = [float(w[i] * 2.0) for i in range(2)]
        y = tf.convert_to_tensor(sum(losses))
    check(tape, y, w, "escaped", "left the tape by .numpy(), float()")


def test_a_variable_that_nothing_uses():
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.Variable(2.0) * 1.0
    check(tape, y, v, "not read", "nothing uses it")
