"""tf.compat.v1.nn's recurrent loops, with a cell written here, against the recurrence in NumPy."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
X = np.random.RandomState(0).randn(3, 5, 2).astype("f")
LENGTHS = [5, 3, 1]


class Cell:
    """state' = tanh([x, state] w), and the output is twice the state."""

    output_size = 4

    def __init__(self, scale):
        self.scale = scale

    def zero_state(self, batch, dtype):
        return tf.zeros([batch, 4], dtype)

    def __call__(self, x, state):
        with v1.variable_scope("cell", reuse=v1.AUTO_REUSE):
            w = v1.get_variable("w", [6, 4], initializer=v1.random_normal_initializer(0.0, 1.0, 7))
        state = tf.tanh(tf.concat([x, state], 1) @ (w * self.scale))
        return state * 2.0, state


def recurrence(x, w, lengths):
    outputs, last = np.zeros([3, 5, 4], "f"), np.zeros([3, 4], "f")
    for row in range(3):
        for step in range(lengths[row]):
            last[row] = np.tanh(np.concatenate([x[row, step], last[row]]) @ w)
            outputs[row, step] = 2.0 * last[row]
    return outputs, last


def backwards(x, lengths):
    return np.stack([np.concatenate([row[:n][::-1], row[n:]]) for row, n in zip(x, lengths)])


def run(make):
    """Results of a session, and what the variables hold by their names."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 5, 2])
        made = make(x)
        session.run(v1.global_variables_initializer())
        held = {v.name: session.run(v) for v in v1.global_variables()}
        return tf.nest.map_structure(lambda one: session.run(one, {x: X}), made), held


@pytest.mark.parametrize("lengths", [None, LENGTHS])
@pytest.mark.parametrize("kind", ["loop", "time major", "steps"])
def test_one_way(kind, lengths):
    def make(x):
        given = {"dtype": tf.float32, "sequence_length": lengths}
        if kind == "loop":
            return v1.nn.dynamic_rnn(Cell(1.0), x, **given)
        if kind == "steps":
            outputs, last = v1.nn.static_rnn(Cell(1.0), tf.unstack(x, axis=1), **given)
            return tf.stack(outputs, 1), last
        outputs, last = v1.nn.dynamic_rnn(Cell(1.0), tf.transpose(x, [1, 0, 2]), time_major=True,
                                          **given)
        return tf.transpose(outputs, [1, 0, 2]), last

    found, held = run(make)
    assert list(held) == ["rnn/cell/w:0"]
    want = recurrence(X, held["rnn/cell/w:0"], lengths or [5] * 3)
    for one, other in zip(found, want, strict=True):
        assert np.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("lengths", [None, LENGTHS])
@pytest.mark.parametrize("kind", ["loop", "steps"])
def test_both_ways(kind, lengths):
    def make(x):
        cells = Cell(1.0), Cell(0.5)
        given = {"dtype": tf.float32, "sequence_length": lengths}
        if kind == "loop":
            outputs, last = v1.nn.bidirectional_dynamic_rnn(*cells, x, **given)
            return tf.concat(outputs, 2), *last
        outputs, *last = v1.nn.static_bidirectional_rnn(*cells, tf.unstack(x, axis=1), **given)
        return tf.stack(outputs, 1), *last

    (outputs, there, back), held = run(make)
    assert list(held) == [f"bidirectional_rnn/{way}/cell/w:0" for way in ("fw", "bw")]
    first, second = held.values()
    lengths = lengths or [5] * 3
    want = recurrence(X, first, lengths)
    turned = recurrence(backwards(X, lengths), second * 0.5, lengths)
    assert np.allclose(outputs[..., :4], want[0], atol=1e-5)
    assert np.allclose(outputs[..., 4:], backwards(turned[0], lengths), atol=1e-5)
    assert np.allclose(there, want[1], atol=1e-5) and np.allclose(back, turned[1], atol=1e-5)


def test_gradients_are_those_of_the_steps():
    def make(x):
        found = []
        for outputs in (v1.nn.dynamic_rnn(Cell(1.0), x, dtype=tf.float32, scope="same")[0],
                        tf.stack(v1.nn.static_rnn(Cell(1.0), tf.unstack(x, axis=1),
                                                  dtype=tf.float32, scope="same")[0], 1)):
            (w,) = v1.trainable_variables()
            found.append(v1.gradients(tf.reduce_sum(outputs ** 2), [x, w]))
            v1.get_variable_scope().reuse_variables()
        return found

    (loop, steps), held = run(make)
    assert list(held) == ["same/cell/w:0"]
    for one, other in zip(loop, steps, strict=True):
        assert np.allclose(one, other, atol=1e-4) and np.abs(one).sum() > 1.0


def test_what_is_refused():
    with pytest.raises(ValueError, match="must not be empty"):
        v1.nn.static_rnn(Cell(1.0), [], dtype=tf.float32)
    with pytest.raises(TypeError, match="must be a sequence"):
        v1.nn.static_rnn(Cell(1.0), tf.zeros([3, 5, 2]), dtype=tf.float32)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="`dtype` must be specified"):
        v1.nn.dynamic_rnn(Cell(1.0), tf.zeros([3, 5, 2]))


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("place", ["loop", "branch"])
def test_variables_that_loops_and_branches_of_a_graph_make_are_the_graphs(place, before):
    """One for each name, and a run of the loop does not initialise it again."""
    draw = v1.random_normal_initializer(0.0, 1.0, 7)
    with tf.Graph().as_default(), v1.Session() as session:
        def value():
            with v1.variable_scope("", reuse=v1.AUTO_REUSE):
                return v1.get_variable("w", [3], initializer=draw) * 1.0

        if before:
            value()
        if place == "loop":
            _, y = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a + value()),
                                 (0, tf.zeros([3])))
        else:
            y = tf.cond(v1.placeholder_with_default(True, []), lambda: 2.0 * value(),
                        lambda: tf.zeros([3]))
        (w,) = v1.global_variables()
        assert w.name == "w:0"
        session.run(v1.global_variables_initializer())
        assert np.allclose(session.run(y), 2.0 * session.run(w))
        session.run(w.assign([1.0, 2.0, 3.0]))
        assert session.run(y).tolist() == [2.0, 4.0, 6.0]
        assert session.run(w).tolist() == [1.0, 2.0, 3.0]
