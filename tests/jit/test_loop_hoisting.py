"""Products are taken out of loops where that changes nothing, and left where it would."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.record.primitive_ops import sum_to
from tapeflow.jit.pipeline import compile
from tests.jit import agreement

T, B, K, N = 6, 3, 5, 4
rng = np.random.default_rng(3)
X = rng.normal(size=(T, B, K)).astype("f")
W = rng.normal(size=(K, N)).astype("f")
U = rng.normal(size=(N, N)).astype("f")


def described(kernels, inside=False):
    """The texts of kernels outside of loops, or in them."""
    for kernel in kernels:
        impl = getattr(kernel, "impl", None)
        if hasattr(impl, "body"):
            yield from described(impl.body.compiled.plan.kernels, True)
        elif impl is not None:
            yield inside, impl.text


def agree(f, *arrays, whole=True):
    """Check a function against NumPy; gives the products inside and outside of loops."""
    native = agreement.agree(f, *arrays, atol=1e-5, whole=whole)
    found = [(inside, text) for inside, text in described(native.function.plan.kernels)
             if "product" in text]
    return ([text.split(",")[0] for inside, text in found if inside],
            [text.split(",")[0] for inside, text in found if not inside])


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def recurrent(x, w, u):
    def turn(h, now):
        return tf.tanh(now @ w + h @ u)

    return tf.scan(turn, x, initializer=tf.zeros((B, N)))


def test_rows_are_multiplied_before_the_loop():
    inside, outside = agree(lambda x, w, u: recurrent(x, w, u), X, W, U)
    assert inside == [f"product {B}x{N} by {N}x{N}"]
    assert outside == [f"product {T * B}x{K} by {K}x{N}"]


def test_gradients_in_bfloat16_are_one_product():
    def step(x, w, u):
        with tf.GradientTape() as tape:
            tape.watch(w)
            x, w, u = [tf.cast(one, tf.bfloat16) for one in (x, w, u)]
            h = tf.scan(lambda h, now: tf.tanh(now @ w + h @ u), x, tf.zeros((B, N), tf.bfloat16))
            y = tf.reduce_sum(tf.cast(h, tf.float32))
        return tape.gradient(y, w)

    native = compile(agreement.graph_of(step, X, W, U))
    texts = list(described(native.function.plan.kernels))
    assert [inside for inside, text in texts if f"product {K}x{T * B}" in text] == [False]


def mixed(dtype):
    """A step whose iterations cast the weights, as layers of mixed precision do."""
    def step(x, w, u, bias):
        def turn(i, h):
            weights = [tf.cast(one, dtype) for one in (w, u, bias)]
            h = tf.tanh(tf.cast(x[i], dtype) @ weights[0] + h @ weights[1] + weights[2])
            return i + 1, h

        with tf.GradientTape() as tape:
            tape.watch([w, u, bias])
            start = tf.zeros((B, N), dtype)
            _, h = tf.while_loop(lambda i, h: i < T, turn, (0, start), maximum_iterations=T)
            y = tf.reduce_sum(tf.cast(h, tf.float32) ** 2)
        return [y, *tape.gradient(y, [w, u, bias])]

    return step


BIAS = rng.normal(size=20).astype("f")
WIDE, SQUARE = rng.normal(size=(K, 20)).astype("f"), rng.normal(size=(20, 20)).astype("f") / 5


@pytest.mark.parametrize("dtype, units", [("float32", 1e-5), ("float16", 1e-2), ("bfloat16", 8e-2)])
def test_weights_that_each_iteration_casts_are_cast_once(monkeypatch, dtype, units):
    monkeypatch.setattr(f"{__name__}.N", 20)
    native = agreement.agree(mixed(dtype), X, WIDE, SQUARE, BIAS, rtol=units, atol=units)
    size = np.dtype("f" if dtype == "float32" else "e").itemsize
    loops = [kernel.impl for kernel in native.function.plan.kernels
             if hasattr(getattr(kernel, "impl", None), "body")]
    assert len(loops) == 2
    for one in loops:  # no sequence of matrices is read, none is collected
        rows = [x.shape for x in (*one.inputs, *one.node.outputs)]
        assert (T, 20, 20) not in rows and (T, K, 20) not in rows
    assert native.function.arena < 4 * T * 20 * 20 * size + 9000


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_sums_of_widened_products_leave_the_loop(monkeypatch, dtype):
    """As one product, but for float16, where each may overflow: these stay apart."""
    monkeypatch.setattr(f"{__name__}.N", 20)
    native = compile(agreement.graph_of(mixed(dtype), X, WIDE, SQUARE, BIAS))
    texts = [(inside, text.split(",")[0])
             for inside, text in described(native.function.plan.kernels)]
    whole, each = [(False, f"product 20x{n} by {n}x20") for n in (T * B, B)]
    assert (whole in texts, each in texts) == (dtype == "bfloat16", dtype == "float16")


def summed_products(x, y):
    """The sums in float32 of products in half precision, and of their columns."""
    def turn(i, total, columns):
        a, b = x[i], y[i]
        return (i + 1, total + tf.cast(tf.matmul(a, b, transpose_a=True), tf.float32),
                columns + tf.cast(sum_to(b, shape=columns.shape), tf.float32))

    trips, _, n = y.shape
    _, total, columns = tf.while_loop(
        lambda i, *_: i < trips, turn, (0, tf.ones((x.shape[2], n)), tf.zeros(n)),
        maximum_iterations=trips)
    return total, columns


@pytest.mark.parametrize("shape", [(6, 4, 3, 5), (5, 1, 1, 1), (4, 7, 33, 18), (40, 3, 2, 9)])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_sums_in_float32_of_what_is_rounded_in_each_iteration(dtype, shape):
    trips, rows, m, n = shape
    x, y = [tf.cast(rng.normal(size=(trips, rows, k)).astype("f"), dtype) for k in (m, n)]
    units = {"float16": 1e-5, "bfloat16": 5e-2}[dtype]
    native = agreement.agree(summed_products, x, y, rtol=units, atol=units * trips)
    assert not [one for one in native.function.plan.kernels if hasattr(
        getattr(one, "impl", None), "body")]  # no loop is left


def test_a_product_in_float16_that_overflows_does_so_after_the_loop_too():
    """Two products that are infinite, and would not be as one sum: a scaled loss skips the step."""
    x, y = np.ones((5, 2, 3), np.float16), np.ones((5, 2, 4), np.float16)
    x[1:3, :, 0], y[1, :, 1], y[2, :, 1] = 300, 300, -300
    (got, columns), (want, _), _ = agreement.both(summed_products, x, y)
    assert np.isnan(want[0, 1]) and np.isfinite(np.delete(want.ravel(), 1)).all()
    np.testing.assert_array_equal(got, want)
    assert columns.dtype == np.float32


def test_large_products_in_float16_stay_in_the_loop(monkeypatch):
    """All of them in memory would be too much."""
    monkeypatch.setattr("tapeflow.jit.passes.loops.hoisting.TERMS_MOST", 5 * 12 * 2 - 1)
    x, y = [tf.cast(rng.normal(size=(5, 2, k)).astype("f"), tf.float16) for k in (3, 4)]
    native = agreement.agree(summed_products, x, y)
    assert (True, "product 3x2 by 2x4") in [
        (inside, text.split(",")[0]) for inside, text in described(native.function.plan.kernels)]


def last_output(write):
    """A layer of 32 rows that writes to an array of one row, and its gradients."""
    def step(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            rows = tf.TensorArray(tf.float32, 60).unstack(x)
            array = tf.TensorArray(tf.float32, 1, element_shape=[32, 64], clear_after_read=False)

            def turn(i, h, array):
                h = tf.tanh(rows.read(i) + h @ w)
                return i + 1, h, write(i, h, array)

            start = (0, tf.zeros((32, 64)), array.write(0, tf.ones((32, 64))))
            _, h, array = tf.while_loop(lambda i, *_: i < 60, turn, start, maximum_iterations=60)
            y = tf.reduce_sum(tf.sin(array.stack())) + tf.reduce_sum(h * h)
        return [array.stack(), y, *tape.gradient(y, [x, w])]

    return step


SINGLE = {
    "the output": lambda i, h, array: array.write(0, h),
    "twice": lambda i, h, array: array.write(0, h).write(0, 2 * h),
    "with what was there": lambda i, h, array: array.write(0, h + 0.5 * array.read(0)),
    "where the iteration says": lambda i, h, array: array.write(i // 60, h),
}


@pytest.mark.parametrize("case", SINGLE)
def test_arrays_of_one_row(case):
    x, w = rng.normal(size=(60, 32, 64)).astype("f"), rng.normal(size=(64, 64)).astype("f") / 9
    native = agreement.agree(last_output(SINGLE[case]), x, w, rtol=2e-4, atol=1e-4)
    loops = [kernel.impl.text for kernel in native.function.plan.kernels
             if hasattr(getattr(kernel, "impl", None), "body")]
    assert len(loops) == 2
    if case == "the output":
        assert all("rows in 4 parts" in text for text in loops)
    if case == "where the iteration says":
        assert not any("parts" in text for text in loops)


@pytest.mark.parametrize("sources", ["w", "u", "wu", "xwu"])
def test_gradients_of_weights_are_one_product(sources):
    def step(x, w, u):
        watched = [{"x": x, "w": w, "u": u}[name] for name in sources]
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = tf.reduce_sum(tf.square(recurrent(x, w, u)))
        return [y, *tape.gradient(y, watched)]

    inside, outside = agree(step, X, W, U)
    assert (f"product {K}x{T * B} by {T * B}x{N}" in outside) == ("w" in sources)
    assert (f"product {N}x{T * B} by {T * B}x{N}" in outside) == ("u" in sources)
    assert not [text for text in inside if text.startswith(f"product {K}x{B} ")]


def test_sums_of_columns_and_what_they_begin_with():
    def step(x, w, start, bias):
        total, columns = start, bias
        for i in tf.range(T):
            row = tf.gather(x, i)
            total += tf.matmul(row, tf.sin(row) @ w, transpose_a=True)
            columns += tf.reduce_sum(row, 0)
        return total, columns

    agree(step, X, W, np.ones((K, N), "f"), np.arange(K, dtype="f"))


def test_a_sum_that_the_loop_looks_at_stays():
    def step(x, w):
        total, seen = tf.zeros((K, N)), tf.constant(0.0)
        for i in tf.range(T):
            row = tf.gather(x, i)
            total += tf.matmul(row, row @ w, transpose_a=True)
            seen += tf.reduce_sum(total)
        return total, seen

    inside, _ = agree(step, X, W)
    assert f"product {K}x{B} by {B}x{N}" in inside


@pytest.mark.parametrize("begin, end, step", [(0, T, 2), (1, T, 1), (0, T - 1, 1), (T - 1, -1, -1)])
def test_other_rows_than_all_in_order(begin, end, step):
    def run(x, w):
        total = tf.zeros((B, N))
        for i in tf.range(begin, end, step):
            total = 0.5 * total + tf.gather(x, i) @ w
        return total

    agree(run, X, W)


def test_rows_and_matrices_that_change_stay():
    def step(x, w):
        whole, matrix = x, w
        out = tf.zeros((B, N))
        for i in tf.range(T):
            out += tf.gather(whole, i) @ matrix
            whole, matrix = whole * 1.5, matrix * 0.5
        return out

    inside, _ = agree(step, X, W)
    assert inside == [f"product {B}x{K} by {K}x{N}"]


def test_a_row_is_collected_only_once():
    def step(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.scan(lambda h, now: tf.tanh(now @ w) * now[:, :N] + h, x,
                        initializer=tf.zeros((B, N)))
            y = tf.reduce_sum(y * y)
        return tape.gradient(y, [x, w])

    agree(step, X, W)


def test_doubles_and_second_order():
    def step(x, w, u):
        with tf.GradientTape() as outer:
            outer.watch(u)
            with tf.GradientTape() as tape:
                tape.watch(u)
                y = tf.reduce_sum(tf.scan(lambda h, now: tf.tanh(now @ w + h @ u), x,
                                          initializer=tf.zeros((B, N), tf.float64)))
            g = tf.reduce_sum(tf.square(tape.gradient(y, u)))
        return outer.gradient(g, u)

    agree(step, *[one.astype("d") for one in (X, W, U)], whole=False)


def carried(f, *arrays):
    """Check a function against NumPy; gives how much its loops carry."""
    native = agreement.agree(f, *arrays, atol=1e-5, whole=False)
    return [kernel.impl.node.attrs["n_carry"] for kernel in native.function.plan.kernels
            if hasattr(getattr(kernel, "impl", None), "body")]


def test_arrays_that_are_written_row_by_row_are_collected():
    def step(x, w, u):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.square(recurrent(x, w, u)))
        return y, tape.gradient(y, x)

    assert carried(step, X, W, U) == [1, 1]  # neither the array nor the number of the turn


@pytest.mark.parametrize("place", [
    lambda i: i, lambda i: T - 1 - i, lambda i: (i * 5) % T, lambda i: i // 2,
    lambda i: tf.constant(2)], ids=["same", "back", "mixed", "twice", "one"])
def test_arrays_that_are_written_anywhere(place):
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            rows = tf.TensorArray(tf.float32, T, element_shape=(B, K), clear_after_read=False)
            for i in range(T):
                rows = rows.write(i, x[0])
            for i in tf.range(T):
                rows = rows.write(place(i), tf.sin(x[i]))
            y = rows.stack()
            total = tf.reduce_sum(y * y * y)
        return y, tape.gradient(total, x)

    carried(step, X)


def test_an_array_that_is_read_while_it_is_written():
    def step(x):
        rows = tf.TensorArray(tf.float32, T, element_shape=(B, K), clear_after_read=False)
        rows = rows.unstack(x)
        for i in tf.range(T):
            rows = rows.write(i, tf.sin(rows.read(T - 1 - i)) + rows.read(i))
        return rows.stack()

    carried(step, X)


def test_the_number_of_the_turn_is_asked_for():
    def step(x):
        i, total = tf.constant(0), tf.zeros((B, K))
        while i < T:
            total += x[i] * tf.cast(i, tf.float32)
            i += 1
        return i, total

    carried(step, X)


def test_a_matrix_is_turned_once():
    wide = rng.normal(size=(16, 20)).astype("f")
    rows = rng.normal(size=(T, 5, 20)).astype("f")

    def step(x, w):
        i, h = tf.constant(0), tf.zeros((5, 16))
        while i < T:
            h = tf.tanh(tf.matmul(x[i] * tf.reduce_sum(h), w, transpose_b=True)) + h
            i += 1
        return h

    inside, _ = agree(step, rows, wide)
    assert inside == ["product 5x20 by 20x16"]


def test_products_that_are_only_collected_follow_the_loop():
    def step(x, w, u):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.square(recurrent(x, w, u)))
        return y, tape.gradient(y, x)

    inside, outside = agree(step, X, W, U)
    assert inside == [f"product {B}x{N} by {N}x{N}"] * 2
    assert outside[-1] == f"product {T * B}x{N} by {N}x{K}"

    def projected(x, w, u):
        def turn(state, now):
            h = tf.tanh(now @ w + state[0] @ u)
            return h, h @ u[:, :3]

        return tf.scan(turn, x, initializer=(tf.zeros((B, N)), tf.zeros((B, 3))))

    agree(projected, X, W, U)


def test_loops_that_numpy_runs_know_when_to_end():
    """Eigenvalues have no native code, so the loop around them has none."""
    def f(x):
        rows = tf.TensorArray(tf.float32, 6)
        return tf.while_loop(lambda i, rows: i < 6,
                             lambda i, rows: (i + 1, rows.write(i, tf.linalg.eigvalsh(x * 2.0))),
                             [0, rows])[1].stack()

    agree(f, np.float32([[3.0, 1.0], [1.0, 2.0]]), whole=False)
