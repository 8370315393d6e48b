"""Native programs from outside: what they change, what they leave alone, and when they serve."""

import os
import threading
import time

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.jit.lowering import layout
from tapeflow.jit.runtime.native_call import python_objects
from tests.jit.agreement import agree, both, draw


@pytest.fixture(autouse=True)
def at_once(using):
    """Functions are compiled at their first call."""
    using(jit="now")


# -- fused loops -----------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1023])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_elements_of_any_number(size, dtype):
    tolerance = 1e-2 if dtype == "float16" else 2e-5
    agree(lambda x: (x * 2 + 1, tf.reduce_sum(x * x), tf.maximum(x, 0)), draw(size, dtype=dtype),
          rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("shape", [(3, 5), (1, 7), (7, 1), (2, 3, 4), (5, 1, 6), (4, 4), (16, 33)])
def test_reductions_over_every_axis(shape):
    def f(x):
        found = [tf.reduce_sum(x), tf.reduce_max(x), tf.reduce_mean(x)]
        for axis in range(len(shape)):
            found += [tf.reduce_sum(tf.exp(x), axis), tf.reduce_min(x, axis, keepdims=True)]
        return found

    agree(f, draw(*shape))


def test_softmax_is_one_fused_loop():
    native = agree(tf.nn.softmax, draw(16, 40))
    assert len(native.function.plan.kernels) == 1


def test_a_layer_norm_and_its_gradient_are_few_fused_loops():
    def f(x, g):
        with tf.GradientTape() as tape:
            tape.watch([x, g])
            mean = tf.reduce_mean(x, -1, keepdims=True)
            var = tf.reduce_mean(tf.square(x - mean), -1, keepdims=True)
            y = tf.reduce_sum(tf.sin((x - mean) * tf.math.rsqrt(var + 1e-5) * g))
        return tape.gradient(y, [x, g])

    native = agree(f, draw(16, 33), draw(33), rtol=1e-4, atol=1e-5)
    assert len(native.function.plan.kernels) <= 2


def test_broadcasting_and_transposing():
    agree(lambda a, b, c: (a + b, tf.transpose(a) * 2 + c, tf.transpose(a + b) - tf.transpose(a)),
          draw(3, 4), draw(4), draw(4, 1))


def test_a_value_and_its_transpose():
    agree(lambda x: (x * 0.5) + tf.transpose(x * 0.5), draw(5, 5))


def test_a_reduction_of_what_a_reduction_was_added_to():
    def f(x, y):
        return tf.reduce_mean(y + tf.reduce_sum(x)), tf.reduce_sum(y * 2.0)

    agree(f, draw(3, 2), draw(2))


def test_large_unsigned_divisors():
    x = tf.constant(np.array([0, 7, 2**31, 2**32 - 1], np.uint32))
    agree(lambda x: (x % tf.constant(2**32 - 1, tf.uint32), x // tf.constant(3 * 2**30, tf.uint32)),
          x)


def test_rows_come_again_after_a_sum_of_all():
    """What a row has is not the next pass's: computed, loaded, or spread over the row."""
    def f(a, b):
        total = tf.reduce_sum(a[:, None] + b)
        return total * a, total

    def g(a, b):
        twice = tf.sin(a) * 2.0
        total = tf.reduce_sum(twice[:, None] + b)
        return total + twice, total * twice[:, None] * b

    for one in (f, g):
        for rows, columns in ((3, 6), (2, 17), (40, 9)):
            agree(one, draw(rows), draw(rows, columns))


def test_long_sums_keep_their_digits():
    x = tf.constant(np.full(1_000_000, 0.1, np.float32))
    native = agree(lambda x: tf.reduce_sum(x), x, rtol=1e-6)
    assert native.function.layout.loops[native.function.plan.kernels[0]].tasks == 1 or (
        native.image.threads > 1)


def test_special_values():
    x = tf.constant(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3e38], np.float32))
    with np.errstate(all="ignore"):
        got, want, _ = both(lambda x: (x * 2, tf.exp(x), tf.maximum(x, 1.0), tf.reduce_max(x),
                                       tf.sign(x), tf.abs(x), x == x), x)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        keep = ~np.isnan(b)
        np.testing.assert_allclose(np.asarray(a, float)[keep], np.asarray(b, float)[keep],
                                   rtol=1e-6)


# -- arguments -------------------------------------------------------------------------------------
def test_arrays_that_do_not_lie_well():
    f = tf.function(lambda x: tf.reduce_sum(x * 2.0, 1))
    whole = np.arange(24.0, dtype=np.float32).reshape(4, 6)
    raw = np.zeros(4 * 6 * 4 + 1, np.uint8)
    odd = raw[1:].view(np.float32).reshape(4, 6)
    odd[...] = whole
    wide = np.zeros((4, 12), np.float32)
    wide[:, ::2] = whole
    for x in (whole, odd, wide[:, ::2], np.asfortranarray(whole)):
        np.testing.assert_allclose(f(tf.constant(whole)), f(tf.convert_to_tensor(x)))
        np.testing.assert_allclose(f.get_concrete_function(tf.constant(whole)).function.run(
            [x], [])[0], whole.sum(1) * 2)


def test_results_outlive_later_calls():
    f = tf.function(lambda x: (x + 1.0, tf.reduce_sum(x)))
    first = f(tf.zeros(5))
    second = f(tf.ones(5))
    assert first[0].numpy().tolist() == [1.0] * 5 and float(first[1]) == 0.0
    assert second[0].numpy().tolist() == [2.0] * 5 and float(second[1]) == 5.0


def test_memory_of_large_results_serves_again_when_nobody_holds_it():
    f = tf.function(lambda x: x * 2.0)
    x = tf.ones(100_000)
    for _ in range(40):
        f(x)
    first = f(x)
    held, view = first.numpy(), first.numpy()[10:]
    second = f(x + 1.0)
    assert held[0] == 2.0 and second.numpy()[0] == 4.0
    del first, held
    third = f(x + 2.0)
    assert view[0] == 2.0 and second.numpy()[5] == 4.0 and third.numpy()[5] == 6.0
    del view, second, third
    places = {f(x).numpy().ctypes.data for _ in range(10)}
    assert len(places) <= 2


def test_an_argument_that_is_returned():
    f = tf.function(lambda x, y: (x, y, x[1:], x))
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    assert [np.asarray(one).tolist() for one in f(x, y)] == [[1.0, 2.0], 3.0, [2.0], [1.0, 2.0]]


# -- variables -------------------------------------------------------------------------------------
def test_updates_are_seen_and_old_values_stay():
    v = tf.Variable([1.0, 2.0])
    f = tf.function(lambda x: v.assign_add(x * 2.0))
    before = v.read_value()
    held = v.numpy()
    f(tf.ones(2))
    f(tf.ones(2))
    assert v.numpy().tolist() == [5.0, 6.0]
    assert before.numpy().tolist() == [1.0, 2.0] and held.tolist() == [1.0, 2.0]


def test_variables_change_places():
    a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def swap():
        old = a.read_value()
        a.assign(b)
        b.assign(old)

    swap()
    assert a.numpy().tolist() == [3.0, 4.0] and b.numpy().tolist() == [1.0, 2.0]
    swap()
    assert a.numpy().tolist() == [1.0, 2.0] and b.numpy().tolist() == [3.0, 4.0]


def test_a_variable_that_is_returned_before_and_after():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def run():
        before = v + 0.0
        v.assign(v * 10.0)
        return before, v + 0.0

    before, after = run()
    assert before.numpy().tolist() == [1.0, 2.0] and after.numpy().tolist() == [10.0, 20.0]


def test_a_tape_keeps_the_value_of_its_time():
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign(v * 3.0))
    step()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    step()
    step()
    assert tape.gradient(y, v).numpy().tolist() == [6.0, 12.0]


def test_a_matrix_that_is_multiplied_by_itself():
    v = tf.Variable(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
    f = tf.function(lambda: v.assign(v @ v))
    f()
    assert v.numpy().tolist() == [[7.0, 10.0], [15.0, 22.0]]


def test_an_index_out_of_range_changes_nothing():
    v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def run(i):
        v.assign(v + tf.gather(tf.constant([10.0, 20.0]), i))

    run(tf.constant(1))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"7 is not in \[0, 2\)"):
        run(tf.constant(7))
    assert v.numpy().tolist() == [21.0, 22.0, 23.0]


# -- control ---------------------------------------------------------------------------------------
def test_loops_and_branches_are_native():
    def f(x):
        i = tf.constant(0)
        _, y = tf.while_loop(lambda i, y: i < 7, lambda i, y: (i + 1, tf.cond(
            tf.reduce_sum(y) > 1.0, lambda: y * 0.5, lambda: y + 1.0)), (i, x))
        return y

    agree(f, draw(5))


def test_the_gradient_of_a_recurrent_loop():
    w = tf.Variable(draw(4, 4) * 0.3)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            h = tf.zeros((3, 4))
            for i in tf.range(6):
                h = tf.tanh(h @ w + x[i])
            y = tf.reduce_sum(h * h)
        return tape.gradient(y, w)

    x = draw(6, 3, 4)
    got = f(x)
    report = tf.compiler.explain(f)
    assert report.native, str(report)
    with tf.GradientTape() as tape:
        h = tf.zeros((3, 4))
        for i in range(6):
            h = tf.tanh(h @ w + x[i])
        y = tf.reduce_sum(h * h)
    np.testing.assert_allclose(got, tape.gradient(y, w), rtol=1e-4, atol=1e-5)


# -- which executor serves -------------------------------------------------------------------------
def test_jit_compile_insists():
    def f(x):
        return tf.numpy_function(lambda a: a, [x], tf.float32)

    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be compiled"):
        tf.function(f, jit_compile=True)(tf.eye(2))
    assert tf.function(lambda x: x * 2.0, jit_compile=True)(tf.ones(2)).numpy().tolist() == [2, 2]


def test_mode_off(using):
    using(jit="off")
    f = tf.function(lambda x: x * 2.0)
    for _ in range(60):
        f(tf.ones(3))
    assert f.get_concrete_function(tf.ones(3)).function._program.native is None


def test_explain_tells_units_and_fall_backs():
    f = tf.function(lambda x: tf.reduce_sum(tf.linalg.svd(x)[0] * 2.0))
    f(tf.eye(3))
    text = str(tf.compiler.explain(f))
    assert "call of svd" in text and "fused loop" in text and "arena" in text
    assert "define" in str(tf.compiler.explain(f, ir=True))


# -- threads and processes -------------------------------------------------------------------------
def test_what_another_thread_has_read_of_a_variable_stays():
    """A long step runs without the interpreter: others read variables meanwhile."""
    v = tf.Variable(tf.zeros([400, 400]))

    @tf.function
    def step(x):
        for _ in range(6):
            v.assign_add(tf.ones_like(v) * tf.reduce_mean(tf.sin(x @ x)) * 0.0 + 1.0)
        return tf.reduce_sum(v)

    x = tf.random.stateless_normal([400, 400], [1, 2])
    step(x)
    stop, torn = threading.Event(), []

    def read():
        while not stop.is_set():
            seen = v.read_value()
            first = seen.numpy().copy()
            time.sleep(0.0005)
            if not np.array_equal(first, seen.numpy()) or np.ptp(first) != 0 or first[0, 0] % 6:
                torn.append(first)

    thread = threading.Thread(target=read)
    thread.start()
    for _ in range(40):
        step(x)
    stop.set()
    thread.join()
    assert not torn
    assert v.numpy()[0, 0] == 41 * 6


def test_threads_share_a_program():
    f = tf.function(lambda x: tf.reduce_sum(tf.sin(x) * 2.0))
    f(tf.zeros(4000))
    wrong = []

    def work(value):
        x = tf.fill([4000], tf.constant(value))
        want = float(f(x))
        for _ in range(50):
            if float(f(x)) != want:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(0.1 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_goes_on():
    f = tf.function(lambda x: tf.reduce_sum(tf.sin(x)))
    x = draw(1_000_000)
    want = float(f(x))
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        good = abs(float(f(x)) - want) < 1e-2
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_layout_of_objects_is_known():
    assert python_objects.object_layout().supported


# -- scatters --------------------------------------------------------------------------------------
@pytest.mark.parametrize("scatter", [
    lambda v, w, i: tf.tensor_scatter_nd_update(v, i, w),
    lambda v, w, i: tf.tensor_scatter_nd_add(v, i, w),
    lambda v, w, i: tf.tensor_scatter_nd_max(v, i, w[::-1]),
    lambda v, w, i: tf.tensor_scatter_nd_add(v, tf.cast(w[:, :1], tf.int32) % 4, w),
    lambda v, w, i: tf.tensor_scatter_nd_add(v, tf.cast(w[:, :1], tf.int32) % 4, v)])
def test_rows_of_a_variable_are_put_into_another_and_assigned_to_the_first(scatter):
    """What is read beside the array that a scatter begins with is not changed in place."""
    found = []
    for jit in ("off", "now"):
        v = tf.Variable(np.arange(12.0, dtype="f").reshape(4, 3))
        w = tf.Variable(100 + np.arange(12.0, dtype="f").reshape(4, 3))

        @tf.function
        def step(i, v=v, w=w):
            w.assign(scatter(v, w, i))
            return tf.reduce_sum(w)

        with tf.config.settings.using(jit=jit, checks=0):
            found += [[step(tf.constant([[2], [0], [1], [3]])).numpy(), v.numpy(), w.numpy()]
                      for _ in range(2)][-1:]
    for got, want in zip(found[1], found[0], strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("kept", [False, True])
def test_indices_in_a_variable_that_takes_the_result(kept):
    v, w = tf.Variable([[0], [1], [2], [3]]), tf.Variable([[1], [2], [3], [0]])

    @tf.function
    def step(v=v, w=w):
        old = tf.identity(w)
        w.assign(tf.tensor_scatter_nd_add(v, w, [[5], [6], [7], [8]]))
        return old if kept else v + 0

    with tf.config.settings.using(jit="now", checks=0):
        step()
    np.testing.assert_array_equal(w, [[8], [6], [8], [10]])


def test_scatters_into_views():
    def f(x, row, i, updates):
        start = tf.transpose(tf.transpose(x) * 2.0)
        spread = tf.broadcast_to(row[None], [6, 4])
        return (tf.tensor_scatter_nd_max(start, i, updates),
                tf.tensor_scatter_nd_add(spread, i, updates),
                tf.tensor_scatter_nd_update(x[::-1], i, updates))

    agree(f, draw(6, 4), draw(4), tf.constant([[1], [5], [1]]),
          tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4)))


# -- tasks -----------------------------------------------------------------------------------------
def loop_tasks(f, *args):
    _, _, native = both(f, *args)
    loop, = native.function.layout.loops.values()
    return loop.tasks


def test_a_light_loop_over_what_no_cache_holds_is_divided():
    assert loop_tasks(lambda x: x + 1.0, np.zeros(1 << 14, "f")) == 1
    assert loop_tasks(lambda x: x + 1.0, np.zeros(1 << 18, "f")) > 1
    table, few = np.zeros((1 << 17, 4), "f"), np.arange(99)  # of the table only some rows are read
    assert loop_tasks(lambda x, i: tf.gather(x, i) + 1.0, table, few) == 1


def test_random_numbers_are_made_where_they_are_used():
    def dropped(x, seed):
        return tf.where(tf.random.stateless_uniform(x.shape, seed) < 0.9, x, 0.0)

    native = agree(dropped, np.ones((36, 1001), "f"), np.array([1, 2]))
    words, loop = native.function.plan.kernels
    assert loop.dims == (36, 1001) and "random words" in words.impl.text


def test_a_small_variable_changes_once_beside_a_large_value(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    monkeypatch.setattr(layout, "TASK", 30)  # so that a small graph is run by several tasks
    count, row = tf.Variable(0.0), tf.Variable(tf.ones(65))

    @tf.function
    def step(x):
        count.assign_add(1.0)
        row.assign(row * 0.5)
        return tf.clip_by_value(x * count, -5.0, 5.0) + row

    @tf.function
    def loop(x):
        return tf.while_loop(lambda i, y: i < 6.0, lambda i, y: (i + 1.0, y + x * i),
                             [tf.constant(0.0), x])

    x = draw(64, 65)
    for turn in (1, 2, 3):
        want = np.clip(x.numpy() * np.float32(turn), -5, 5) + np.float32(0.5 ** turn)
        np.testing.assert_allclose(step(x), want, rtol=1e-6)
        assert float(count) == turn and row.numpy().tolist() == [0.5 ** turn] * 65
    end, y = loop(x)
    assert float(end) == 6.0
    np.testing.assert_allclose(y, 16 * x.numpy(), rtol=1e-5)


def test_both_zeros_in_a_constant():
    zeros = tf.constant([0.0, -0.0, 0.0])
    got, want, _ = both(lambda x: x / zeros, tf.constant([1.0, 1.0, 1.0]))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(got[0], [np.inf, -np.inf, np.inf])


@pytest.mark.parametrize("op", [tf.math.floordiv, tf.truncatediv])
def test_quotients_of_halves_are_rounded_before_they_are_cut(op):
    """-0.9 / 0.1 is -9.002 in float32, where it is -9 in half precision; 0.9 / 0.3 is below 3."""
    x, y = tf.constant([-0.9, 0.9, 7.0], tf.float16), tf.constant([0.1, 0.3, 2.0], tf.float16)
    native = tf.function(op, jit_compile=True)
    np.testing.assert_array_equal(native(x, y), op(x, y))


def test_segments_that_are_dropped_are_no_error_where_a_variable_changes():
    """Indices are checked before the variable is: negative ones are not out of range there."""
    v = tf.Variable([1.0, 2.0])
    x, ids = tf.constant([3.0, 4.0, 5.0]), tf.constant([1, -1, 0])

    def f(ids):
        v.assign_add([1.0, 1.0])
        return tf.math.unsorted_segment_sum(x * v[0], ids, 2)

    native = tf.function(f, jit_compile=True)
    np.testing.assert_array_equal(native(ids), [10.0, 6.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        native(tf.constant([1, -1, 2]))
    np.testing.assert_array_equal(v, [3.0, 4.0])  # changed once more before the error, as eagerly


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("features", [1, 2, 3, 4])
def test_a_step_of_linear_regression(features, dtype):
    """The gradient is a product flipped into a row, with the update as its epilogue."""
    x, y = draw(16, features, dtype=dtype), draw(16, 1, dtype=dtype)
    w = tf.Variable(draw(features, 1, dtype=dtype))

    def step():
        g = tf.matmul(x, x @ w - y, transpose_a=True)
        w.assign_sub(0.1 * g)
        return g

    before = w.numpy()
    gradient, after = step().numpy(), w.numpy()
    w.assign(before)
    native = tf.function(step, jit_compile=True)
    np.testing.assert_allclose(native(), gradient, rtol=1e-4)
    np.testing.assert_allclose(w, after, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_what_a_kernel_gives_becomes_the_value_of_a_variable(dtype, shape):
    """Between native parts a kernel is called whose result a variable takes, also a scalar one."""
    v = tf.Variable(tf.zeros(shape, dtype))

    def step(x):
        v.assign_add(tf.cast(x, dtype))
        v.assign(bump(v.read_value()))
        return tf.cast(v, tf.float32) * 2.0

    got = tf.function(step)(tf.ones(shape))
    np.testing.assert_array_equal(v.numpy(), np.full(shape, 2, dtype))
    np.testing.assert_array_equal(got, np.full(shape, 4, "float32"))


bump = define("bump", kernel=lambda x: np.asarray(x + 1, x.dtype)[()], shape=lambda x: x,
              vjp=NONDIFF("for a test"), private=True)  # an op without native code


def test_a_scalar_variable_that_a_loop_on_numpy_changes():
    v = tf.Variable(1.0)

    def step(x):
        v.assign_add(0.5 * v)

        def body(i):
            v.assign_add(tf.linalg.svd(x)[0][0])
            return i + 1

        tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
        return tf.reduce_sum(x)

    tf.function(step)(2.0 * tf.eye(2))
    assert float(v) == pytest.approx(1.5 + 3 * 2.0)
