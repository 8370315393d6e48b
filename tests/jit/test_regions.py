"""Graphs with calls of Python and of iterators: what lies between is compiled all the same."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.jit.tiering.regions import Divided


@pytest.fixture(autouse=True)
def at_once(using):
    using(jit="now")


def heavy(x):
    """Enough work to be worth a region."""
    for _ in range(12):
        x = tf.tanh(x @ tf.ones((8, 8)) / 8 + x)
    return x


def executor_of(function):
    concrete, = function._list_all_concrete_functions()
    graph_function = concrete.function
    return graph_function._program or next(iter(graph_function._special.values()))


def regions_of(function):
    """The labels of the programs of regions, all of which must be native."""
    report = tf.compiler.explain(function)
    regions = [(label, program) for label, program in report.programs if "region" in label]
    assert regions and all(program.settled for _, program in regions), report
    return [label for label, _ in regions]


def batches(sizes):
    rows = np.random.default_rng(0).normal(size=(sum(sizes), 8)).astype("f")
    return rows, tf.data.Dataset.from_tensor_slices(rows).batch(sizes[0])


def test_a_step_over_an_iterator_is_native_for_every_size():
    rows, dataset = batches([4, 4, 3])
    w = tf.Variable(tf.ones((8, 8)) / 8)

    @tf.function
    def step(iterator):
        x = iterator.get_next()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(heavy(x @ w) ** 2)
        w.assign_sub(tape.gradient(loss, w))
        return loss

    def run(function):
        w.assign(tf.ones((8, 8)) / 8)
        iterator = iter(dataset)
        losses = [float(function(iterator)) for _ in range(3)]
        with pytest.raises(tf.errors.OutOfRangeError):
            function(iterator)
        return losses, w.numpy()

    got, want = run(step), run(step.python_function)
    np.testing.assert_allclose(got[0], want[0], rtol=1e-5)
    np.testing.assert_allclose(got[1], want[1], rtol=1e-5, atol=1e-6)
    assert isinstance(executor_of(step), Divided)
    labels = regions_of(step)
    assert len(labels) == 2 and "around iterator_get_next" in labels[0]  # of 4 rows, and of 3


def test_what_comes_before_and_after_a_call_of_python():
    seen = []

    def look(x):
        seen.append(float(tf.reduce_sum(x)))
        return x * 2

    @tf.function
    def f(x):
        y = heavy(x)
        z = tf.py_function(look, [y], tf.float32)
        z.set_shape((3, 8))
        return heavy(z) + y

    x = tf.constant(np.random.default_rng(1).normal(size=(3, 8)).astype("f"))
    np.testing.assert_allclose(f(x), f.python_function(x), rtol=1e-5, atol=1e-6)
    assert len(seen) == 2 and len(regions_of(f)) == 2


def test_what_a_call_gives_without_a_shape():
    @tf.function
    def f(x):
        z = tf.py_function(lambda v: v[:2], [x], tf.float32)
        return tf.reduce_sum(heavy(tf.ensure_shape(z, (None, 8))))

    for rows in (5, 6):
        x = tf.ones((rows, 8)) * 0.3
        np.testing.assert_allclose(f(x), f.python_function(x), rtol=1e-5)
    regions_of(f)


def test_variables_between_calls_are_read_where_the_program_reads_them():
    v = tf.Variable(tf.ones((8, 8)))

    def assign(x):
        v.assign(100 * tf.ones((8, 8)))
        return x

    @tf.function
    def f(x):
        before = v.read_value()
        y = heavy(x @ v)
        v.assign(y[:8])
        y = tf.py_function(assign, [y], tf.float32)
        y.set_shape((8, 8))
        z = heavy(y @ before) + heavy(before)
        v.assign_add(z)
        return z, before

    x = tf.constant(np.random.default_rng(1).normal(size=(8, 8)).astype("f"))

    def run(function):
        v.assign(tf.ones((8, 8)))
        z, before = function(x)
        return z.numpy(), before.numpy()

    got, want = run(f), run(f.python_function)
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    assert len(regions_of(f)) == 2


def test_printing_between_regions_keeps_the_order(capfd):
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(tf.reduce_sum(heavy(x)))
        tf.print("first", v)
        v.assign_add(tf.reduce_sum(heavy(x)))
        tf.print("second", v)
        return v + 1

    x = tf.ones((2, 8)) * 0.1
    f.python_function(x)
    want = capfd.readouterr()
    v.assign(1.0)
    f(x)
    got = capfd.readouterr()
    words, others = (got.out + got.err).split(), (want.out + want.err).split()
    assert words[::2] == others[::2] == ["first", "second"]
    np.testing.assert_allclose([float(one) for one in words[1::2]],
                               [float(one) for one in others[1::2]], rtol=1e-5)


def test_a_loop_over_a_dataset_has_a_native_body():
    rows, dataset = batches([4, 4, 3])
    v = tf.Variable(tf.zeros((8, 8)))

    @tf.function
    def epoch():
        total = tf.constant(0.0)
        for x in dataset:
            y = heavy(x)
            v.assign_add(tf.matmul(x, y, transpose_a=True))
            total += tf.reduce_sum(y)
        return total

    def run(function):
        v.assign(tf.zeros((8, 8)))
        return float(function()), v.numpy()

    got = run(epoch)
    total, added = 0.0, np.zeros((8, 8), "f")
    for at in range(0, 11, 4):
        y = heavy(tf.constant(rows[at:at + 4])).numpy()
        total, added = total + y.sum(), added + rows[at:at + 4].T @ y
    np.testing.assert_allclose(got[0], total, rtol=1e-4)
    np.testing.assert_allclose(got[1], added, rtol=1e-4, atol=1e-5)
    for _ in range(3):
        run(epoch)
    regions_of(epoch)


def test_random_numbers_are_those_of_the_whole_graph():
    def f(x):
        y = heavy(x) + tf.random.uniform((8, 8), seed=3)
        y = tf.py_function(lambda v: v, [y], tf.float32)
        y.set_shape((8, 8))
        return heavy(y) + tf.random.uniform((8, 8), seed=4)

    found = []
    for mode in ("off", "now"):
        with tf.config.settings.using(jit=mode):
            tf.random.set_seed(5)
            function = tf.function(f)
            found.append([function(tf.ones((8, 8)) * 0.2).numpy() for _ in range(3)])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


def test_assertions_stand_between_native_parts_where_native_code_is_required():
    """XLA leaves them out; here they are checked."""
    @tf.function(jit_compile=True)
    def step(x, n):
        tf.debugging.assert_positive(n, "no rows")
        for _ in tf.range(n):
            y = x * 2.0
        return heavy(y)

    x = tf.ones((8, 8))
    np.testing.assert_allclose(step(x, tf.constant(1)), heavy(x * 2.0), rtol=1e-5)
    assert regions_of(step)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no rows"):
        step(x, tf.constant(0))


def test_strings_beside_an_assertion_are_refused_where_native_code_is_required():
    @tf.function(jit_compile=True)
    def step(x):
        tf.debugging.assert_positive(x)
        return tf.strings.as_string(x)

    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be compiled: as_string"):
        step(tf.ones(3))
