"""tf.gradients and tapes in a tf.Graph: custom gradients, constants, graphs entered again."""

import weakref

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1


@tf.custom_gradient
def square(x):
    return x * x, lambda g: g * 2.0 * same(x)


@tf.custom_gradient
def same(x):
    return tf.identity(x), lambda g: g * one(x)


@tf.custom_gradient
def one(x):
    return tf.ones_like(x), lambda g: g * square(x)


SOURCES = {"constant": lambda: tf.constant(3.0),
           "placeholder": lambda: v1.placeholder_with_default(np.float32(3.0), []),
           "unknown": lambda: v1.placeholder_with_default(np.float32(3.0), None)}


@pytest.mark.parametrize("source", SOURCES)
def test_custom_gradients_that_call_each_other_have_all_orders(source):
    with tf.Graph().as_default(), v1.Session() as session:
        x = SOURCES[source]()
        y, found = square(x), []
        want = [6.0, 2.0, 18.0, 12.0, 4.0, 36.0, 24.0][:4 if source == "unknown" else 7]
        for _ in want:
            (y,) = tf.gradients(y, x)
            found.append(y)
        assert session.run(found) == want


@pytest.mark.parametrize("source", ["constant", "placeholder"])
def test_custom_gradients_in_loops_and_branches_of_a_graph(source):
    with tf.Graph().as_default(), v1.Session() as session:
        x = SOURCES[source]()
        _, power = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * square(x)),
                                 (0, tf.constant(1.0)))
        chosen = tf.cond(x > 0.0, lambda: square(x), lambda: x)
        assert session.run(tf.gradients([power, chosen], x)) == [108.0 + 6.0]


def test_a_wrapped_function_of_custom_gradients_has_derivatives():
    function = v1.wrap_function(square, [tf.TensorSpec([], tf.float32)])
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (9.0, 6.0)


def test_gradients_by_constants_of_which_nodes_have_taken_results():
    def both(a, b, p):
        square_of_a = a * a
        product = square_of_a * b
        return [tf.gradients(square_of_a, a)[0], *tf.gradients(p * product, [b]),
                *tf.gradients(p * product, [a, b, p]), p * product]

    want = [6.0, 18.0, 60.0, 18.0, 45.0, 90.0]
    with tf.Graph().as_default(), v1.Session() as session:
        p = v1.placeholder_with_default(np.float32(2.0), [])
        results = both(tf.constant(3.0), tf.constant(5.0), p)
        assert session.run(results) == want
        assert session.run(results, {p: 4.0}) == [6.0, 36.0, 120.0, 36.0, 45.0, 180.0]
    function = tf.function(lambda p: both(tf.constant(3.0), tf.constant(5.0), p))
    assert [one.numpy() for one in function(tf.constant(2.0))] == want


def test_a_graph_that_is_entered_again_keeps_tapes_and_scopes():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v = tf.Variable([1.0, 2.0])
        session.run(v.initializer)
        with tf.GradientTape() as tape, tf.name_scope("layer"), graph.as_default():
            y = tf.reduce_sum(v * v)
        assert y.name == "layer/Sum:0"
        assert session.run(tape.gradient(y, v)).tolist() == [2.0, 4.0]


def test_a_callable_by_names():
    from tapeflow.io.protobuf.config_protos import CallableOptions
    with tf.Graph().as_default(), v1.Session() as session:
        x, z = (v1.placeholder(tf.float32, [], name=name) for name in "xz")
        v = tf.Variable(1.0)
        session.run(v.initializer)
        options = CallableOptions(feed=[x.name], fetch=[(x * 2.0 + z).name],
                                  target=[v.assign_add(1.0).op.name])
        options.tensor_connection.add(from_tensor=(x + 1.0).name, to_tensor=z.name)
        call = session._make_callable_from_options(options)
        assert (call(3.0), call(4.0), session.run(v)) == ([10.0], [13.0], 3.0)
        with pytest.raises(KeyError):
            session._make_callable_from_options(CallableOptions(fetch=["absent:0"]))


def test_what_a_trace_computed_at_once_does_not_outlive_it():
    x, made = tf.constant([1.0, 2.0]), []

    @tf.function(autograph=False)
    def tangent():
        with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as accumulator:
            y = x * x
        made.append(weakref.ref(y))
        return accumulator.jvp(y)

    assert tangent().numpy().tolist() == [2.0, 4.0] and made[0]() is None


@pytest.mark.parametrize("branch", [False, True])
def test_tapes_follow_results_of_functions_with_effects(branch):
    with tf.Graph().as_default(), v1.Session() as session:
        w, calls = tf.Variable([1.0, 2.0]), tf.Variable(0)

        @tf.function
        def cubed(x):
            if not branch or calls < 5:
                calls.assign_add(1)
            return tf.reduce_sum(w ** 3.0 * x)

        session.run(v1.global_variables_initializer())
        x = tf.identity(tf.constant([1.0, 2.0]))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cubed(x)
        slopes = tape.gradient(y, [w, x])
        assert [one.tolist() for one in session.run(slopes)] == [[3.0, 24.0], [1.0, 8.0]]
        assert session.run(calls) == 1


def test_gradients_in_a_function_by_constants_that_its_loops_and_branches_use():
    outside = tf.constant(3.0)
    drawn = []

    @tf.function
    def function(x):
        drawn.append(None)  # Python runs once more, only if a loop or branch is there
        k = tf.constant(2.0)
        folded = k * 3.0
        y = tf.cond(x > 0.0, lambda: x * folded + k, lambda: k)
        for i in tf.range(3):
            y = y * (k + folded) * outside if i > 0 else y
        twice = 2.0 * tf.gradients(y, k)[0]
        return twice, *tf.gradients(y, [x, folded, outside]), tf.hessians(y, outside)[0]

    # With f for folded and c for outside y is (x f + k) (k + f)² c², or k (k + f)² c².
    assert [float(one) for one in function(tf.constant(1.0))] == [
        13824.0, 3456.0, 1728.0, 3072.0, 1024.0]
    assert [float(one) for one in function(tf.constant(-1.0))] == [
        3456.0, 0.0, 288.0, 768.0, 256.0]
    assert len(drawn) == 2 and function.experimental_get_tracing_count() == 1

    @tf.function
    def plain(x):
        drawn.append(None)
        return tf.gradients(x * outside, [outside, x])

    assert [float(one) for one in plain(tf.constant(2.0))] == [2.0, 3.0] and len(drawn) == 3


def test_gradients_by_constants_in_a_function_that_makes_variables_and_in_a_wrapped_one():
    made = []

    def function(x):
        if not made:
            made.append(tf.Variable(2.0))
        k = tf.constant(2.0)
        _, y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * made[0] * k), (0, x))
        slope, none = tf.gradients(y, k)[0], tf.gradients(x, k)[0]
        return slope, tf.constant(none is None)

    slope, none = tf.function(function)(tf.constant(1.0))
    assert float(slope) == 96.0 and none


BRANCHES = {"squares": lambda x: (x * tf.constant(2.0) + 1.0) ** 2,
            "mean": lambda x: tf.reduce_mean(x) * x,
            "normalised": lambda x: v1.nn.fused_batch_norm(
                tf.reshape(x, [3, 1, 1, 1]), tf.constant([2.0]), tf.constant([1.0]))[0] ** 2}


@pytest.mark.parametrize("default", [None, False, True])
@pytest.mark.parametrize("name", BRANCHES)
def test_gradients_of_branches_in_a_graph(name, default):
    """Their rules' own constants are made in the graph; a default says nothing of what is fed."""
    function = BRANCHES[name]
    x = tf.constant([1.0, 2.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    want = {True: tape.gradient(y, x).numpy(), False: [2.0, 2.0, 2.0]}
    with tf.Graph().as_default(), v1.Session() as session:
        given = v1.placeholder(tf.float32, [3])
        chosen = v1.placeholder(tf.bool, []) if default is None else (
            v1.placeholder_with_default(default, []))
        y = tf.reduce_sum(tf.cond(chosen, lambda: function(given), lambda: given * 2.0))
        (slope,) = tf.gradients(y, given)
        for fed in (True, False):
            found = session.run(slope, {given: [1, 2, 4], chosen: fed})
            assert np.allclose(found, want[fed], atol=1e-5)
        if default is not None:
            assert np.allclose(session.run(slope, {given: [1, 2, 4]}), want[default], atol=1e-5)


def test_a_vectorised_map_of_loops_in_a_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [3])
        grown = tf.vectorized_map(lambda a: tf.while_loop(
            lambda b: b < 9.0, lambda b: (b * 2.0 + tf.reduce_mean(b),), (a,))[0], x)
        found = session.run(grown, {x: [1.0, 2.0, 10.0]})
        assert found.tolist() == [9.0, 18.0, 10.0]
