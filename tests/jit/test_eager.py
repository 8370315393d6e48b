"""Eager convolutions and products that come again are compiled, and give the same results."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.base import errors
from tapeflow.core.record.op import OPS
from tapeflow.jit.tiering import background, eager_tiering, graph_tiering
from tapeflow.ops.conv import conv_ops
from tapeflow.ops.linalg.matmul import matmul_call


@pytest.fixture
def mode(monkeypatch, using):
    """As in a program where nothing has been computed yet."""
    monkeypatch.setattr(eager_tiering, "_choices", {})
    monkeypatch.setattr(conv_ops, "native", eager_tiering.choose_window)

    def choose(name: str) -> None:
        using(jit=name)

    return choose


def gradients(x, w):
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, 1, "SAME")
        loss = tf.reduce_sum(y * y)
    return [y.numpy(), *[g.numpy() for g in tape.gradient(loss, [x, w])]]


def test_compiled_at_once(mode):
    x = tf.constant(np.random.default_rng(0).normal(size=(8, 12, 12, 6)).astype("f4"))
    w = tf.constant(np.random.default_rng(1).normal(size=(3, 3, 6, 16)).astype("f4"))
    mode("off")
    wanted = gradients(x, w)
    assert not eager_tiering._choices
    mode("now")
    for _ in range(3):
        found = gradients(x, w)
        for a, b in zip(found, wanted):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-3)
    assert len(eager_tiering._choices) == 3
    assert all(choice.native is not None for choice in eager_tiering._choices.values())


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_products_and_their_gradients(mode, dtype):
    rng = np.random.default_rng(0)
    x, w = tf.constant(rng.normal(size=(60, 200)).astype(dtype)), tf.Variable(
        rng.normal(size=(200, 120)).astype(dtype))

    def results():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x @ w
            loss = tf.reduce_sum(y * y)
        return [y.numpy(), *[g.numpy() for g in tape.gradient(loss, [x, w])]]

    mode("off")
    wanted = results()
    assert not eager_tiering._choices
    mode("now")
    for _ in range(2):
        for a, b in zip(results(), wanted):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-3 if dtype == "f4" else 1e-10)
    assert len(eager_tiering._choices) == 3
    assert all(choice.native is not None for choice in eager_tiering._choices.values())


def test_products_that_blas_computes(mode):
    """Small ones, views, whole numbers, stacks."""
    mode("now")
    a = np.random.default_rng(0).normal(size=(128, 128)).astype("f4")
    stack = np.stack([a, a])
    for x, z in ((a[:30, :30], a[:30, :30]), (a.T, a), (a, a[:, ::-1]), (stack, stack),
                 (a.astype("i4"), a.astype("i4"))):
        np.testing.assert_allclose(matmul_call(x, z), np.matmul(x, z), rtol=1e-4, atol=1e-4)
    with pytest.raises(tf.errors.InvalidArgumentError, match="size-incompatible"):
        tf.matmul(tf.constant(a), tf.constant(a[1:]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="ndims"):
        tf.matmul(tf.constant(a), tf.constant(3.0))
    assert not any(choice.native for choice in eager_tiering._choices.values())


def test_pools(mode):
    x = tf.constant(np.random.default_rng(0).normal(size=(16, 24, 24, 16)).astype("f4"))

    def results():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            a, b = tf.nn.max_pool2d(x, 2, 2, "VALID"), tf.nn.avg_pool2d(x, 3, 2, "SAME")
            c, d = a * a, b * b
        return [y.numpy() for y in (a, b, tape.gradient(c, x), tape.gradient(d, x))]

    mode("off")
    wanted = results()
    mode("now")
    for _ in range(2):
        for y, z in zip(results(), wanted):
            np.testing.assert_allclose(y, z, rtol=1e-5, atol=1e-6)
    assert len(eager_tiering._choices) == 4
    assert all(choice.native is not None for choice in eager_tiering._choices.values())


def test_views_are_copied(mode):
    mode("now")
    big = np.random.default_rng(0).normal(size=(12, 8, 14, 6)).astype("f4")
    x, w = big.transpose(1, 0, 2, 3)[:, :, ::2], np.ones((3, 3, 6, 40), "f4")
    attrs = dict(strides=(1, 1), padding="SAME", dilations=(1, 1), groups=1)
    first = conv_ops.convolve(x, w, **attrs)
    again = conv_ops.convolve(x, w, **attrs)
    np.testing.assert_allclose(first, again, rtol=1e-4, atol=1e-4)


def test_errors_stay(mode):
    mode("now")
    x, w = np.ones((8, 12, 12, 6), "f4"), np.ones((3, 3, 5, 40), "f4")
    for _ in range(2):
        with pytest.raises(errors.InvalidArgumentError):
            conv_ops.convolve(x, w, strides=(1, 1), padding="SAME", dilations=(1, 1), groups=1)


def test_native_code_takes_over_at_a_call_that_sizes_decide(mode):
    mode("auto")
    x, w = np.ones((8, 10, 10, 6), "f4"), np.ones((3, 3, 6, 40), "f4")
    attrs = dict(strides=(1, 1), padding="VALID", dilations=(1, 1), groups=1)
    first = conv_ops.convolve(x, w, **attrs)
    (choice,) = eager_tiering._choices.values()
    assert 1 < choice.begins < choice.takes_over
    while choice.calls < choice.takes_over:
        assert not choice.served_natively
        np.testing.assert_allclose(conv_ops.convolve(x, w, **attrs), first, rtol=1e-5)
        background.wait()  # native code that is there early does not serve early
    assert choice.served_natively


def test_ops_of_many_elements(mode):
    """Native code for what comes again: elementwise, along axes, of random streams."""
    mode("now")
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(300, 300)).astype("f4"))
    mask = tf.constant(rng.random((300, 300)) > 0.5)
    for run in (lambda: tf.tanh(x), lambda: tf.nn.softmax(x), lambda: tf.argmax(x, 1),
                lambda: tf.math.reduce_euclidean_norm(x, 0), lambda: tf.where(mask, x, -x),
                lambda: tf.random.stateless_normal([300, 300], [1, 2]),
                lambda: tf.math.atan2(x, x + 1.0)):
        before = len(eager_tiering._choices)
        first = run().numpy()
        assert len(eager_tiering._choices) == before + 1
        choice = list(eager_tiering._choices.values())[-1]
        assert choice.native is not None
        for _ in range(2):
            again = run()
            assert again.dtype == first.dtype and again.shape == first.shape
            np.testing.assert_allclose(again, first, rtol=1e-5, atol=1e-6)
        assert choice.run is choice.native


def test_sizes_without_native_code_make_room(mode, monkeypatch):
    monkeypatch.setattr(eager_tiering, "MOST", 4)
    mode("auto")
    for n in range(12):
        tf.tanh(tf.ones([1 << 15, n + 1]))
    assert len(eager_tiering._choices) <= 4


def test_zero_is_refused_when_native_code_divides_whole_numbers(mode):
    mode("now")
    x = tf.range(-(1 << 15), 1 << 15)
    for _ in range(3):
        with pytest.raises(errors.InvalidArgumentError):
            tf.math.floordiv(x, tf.zeros([1 << 16], tf.int32))
        assert np.array_equal(x % 7, x.numpy() % 7)
        assert np.array_equal(x // tf.ones([1 << 16], tf.int32), x)
    assert [choice.native is not None for choice in eager_tiering._choices.values()] == [True, True]


def test_indices_stay_with_the_kernel(mode):
    mode("now")
    logits, labels = tf.zeros([1 << 10, 64]), np.zeros(1 << 10, np.int32)
    labels[5] = 99
    for _ in range(3):
        with pytest.raises(errors.InvalidArgumentError):
            tf.math.segment_sum(logits, labels)
    assert not eager_tiering._choices


@pytest.mark.parametrize("draw", [
    lambda: tf.random.stateless_normal([300, 301], [1, 2]),
    lambda: tf.random.stateless_truncated_normal([300, 301], [1, 2]),
    lambda: tf.random.stateless_uniform([300, 301], [1, 2], -5, 1000, tf.int32)],
    ids=["normal", "truncated", "integers"])
def test_random_numbers_are_the_kernels_to_the_bit(mode, draw):
    mode("off")
    wanted = draw().numpy()
    mode("now")
    for _ in range(2):
        assert np.array_equal(draw().numpy(), wanted)
    assert [choice for choice in eager_tiering._choices.values() if choice.native is not None]


def test_the_second_operand_may_be_the_large_one(monkeypatch):
    """polygamma(1, x) has a number first."""
    op, met = tf.math.polygamma and OPS["polygamma"], []  # loaded by its name
    monkeypatch.setattr(op, "large", lambda *xs: met.append(xs) or op.kernel(*xs))
    x = np.linspace(0.5, 4, op.least, dtype=np.float32)
    y = tf.math.polygamma(tf.constant(1.0), tf.constant(x))
    assert len(met) == 1 and y.shape == (op.least,)


def test_an_op_that_the_compiler_refuses_has_no_native_code():
    nothing = np.ones((0, 3), "f4")
    assert eager_tiering.native_op(OPS["sin"], (nothing,), {}, nothing) is None


# -- when native code is wrong, or there is none ---------------------------------------------------
def test_a_wrong_window_is_told_and_the_kernel_serves(mode, monkeypatch):
    x = tf.constant(np.random.default_rng(0).normal(size=(8, 12, 12, 6)).astype("f4"))
    w = tf.constant(np.random.default_rng(1).normal(size=(3, 3, 6, 16)).astype("f4"))
    mode("off")
    wanted = tf.nn.conv2d(x, w, 1, "SAME").numpy()
    native_window = eager_tiering.native_window

    def wrong(*args):
        found = native_window(*args)
        return lambda xs, attrs: found(xs, attrs) * np.float32(1.01)

    monkeypatch.setattr(eager_tiering, "native_window", wrong)
    mode("now")
    with pytest.warns(graph_tiering.MiscompileWarning, match="gave other results than NumPy"):
        tf.nn.conv2d(x, w, 1, "SAME")
    np.testing.assert_array_equal(tf.nn.conv2d(x, w, 1, "SAME"), wanted)


def test_a_wrong_op_is_told_and_not_taken(monkeypatch, tmp_path):
    from tapeflow.jit.runtime.executable import Executable
    from tapeflow.jit.runtime.image_cache import cache_files
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path)
    run = Executable.run
    monkeypatch.setattr(Executable, "run", lambda self, *args: (run(self, *args)[0] + 1.0,))
    x = np.random.default_rng(0).normal(size=4000).astype("f4")
    with pytest.warns(graph_tiering.MiscompileWarning, match="'sin' gave other results"):
        assert eager_tiering.native_op(OPS["sin"], (x,), {}, np.sin(x)) is None


def test_the_kernel_serves_where_the_compiler_fails(mode, monkeypatch):
    monkeypatch.setattr(eager_tiering, "from_library", lambda error: True)
    xs = (np.ones(9, "f4"),)
    for number, error in enumerate([ImportError("no llvmlite"), ValueError("no such register")]):
        def fail(xs, attrs, result, error=error):
            raise error

        mode("auto")
        for _ in range(2 * eager_tiering.MOST_CALLS + 2):
            found = eager_tiering.choose(np.negative, fail, ("test", number), xs, {})
            np.testing.assert_array_equal(found, -xs[0])
        assert not eager_tiering._choices["test", number].served_natively
    mode("now")
    with pytest.raises(ValueError, match="no such register"):  # who asks for it is told
        eager_tiering.choose(np.negative, fail, ("test", 2), xs, {})


def test_an_attribute_that_cannot_be_looked_up(mode):
    mode("now")
    assert eager_tiering.choose(np.negative, None, ("test", [1]), (np.float32(2),), {}) == -2
    assert not eager_tiering._choices


def test_buffers_that_change_while_the_compiler_works(mode, monkeypatch):
    """Executors use their buffers again: a right window was once compared with another's values."""
    mode("auto")
    tasks, seen = [], []
    monkeypatch.setattr(background.Task, "submit", lambda task: tasks.append(task))
    x = np.arange(1000.0)
    y = x + 1
    for _ in range(eager_tiering.MOST_CALLS):
        eager_tiering.choose(lambda x: y, lambda *given: seen.append(given), "key", (x,), {})
        if tasks:
            break
    x[:] = y[:] = 0
    tasks[0].wait()
    (given,), _, result = seen[0]
    np.testing.assert_array_equal(given, np.arange(1000.0))
    np.testing.assert_array_equal(result, np.arange(1000.0) + 1)
