"""Sums over the rows of products, made in their epilogues."""

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.jit import pipeline
from tapeflow.jit.choices import forcing, watching
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.kernels.row_blocks import BLOCK_ROWS, product_rows
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop
from tapeflow.jit.runtime import thread_pool
from tapeflow.jit.runtime.target import host
from tests.jit.agreement import draw, graph_of


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def run(f, *args, **alternatives):
    """Results of native code, with these choices; its plan; where sums were made."""
    graph = graph_of(f, *args)
    with forcing({name.replace("__", "."): one for name, one in alternatives.items()}), (
            watching()) as met:
        native = pipeline.compile(graph)
        assert not native.reasons
        found = native.run([np.asarray(x) for x in args], [])
    return found, native.function.plan, {one for name, one in met if name == "fusion.sums"}


def agree(f, *args, where=("epilogue",), rtol=1e-4, atol=1e-3, **alternatives):
    """Check a function against NumPy; gives its plan."""
    found, plan, met = run(f, *args, **alternatives)
    assert met == set(where)
    wanted = Program(graph_of(f, *args)).run([np.asarray(x) for x in args], [])
    for x, y in zip(found, wanted, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape
        np.testing.assert_allclose(np.asarray(x, "f8"), np.asarray(y, "f8"), rtol=rtol, atol=atol)
    return plan


def loops(plan):
    return [kernel for kernel in plan.kernels if isinstance(kernel, FusedLoop)]


def every_axis_but_the_last(x, **keep):
    return tf.reduce_sum(x, list(range(len(x.shape) - 1)), **keep)


def gradients(y, g, mean):
    """What the gradient of a normalisation sums up."""
    y = tf.nn.relu(y)
    return y, every_axis_but_the_last(y), every_axis_but_the_last(y * (g - mean), keepdims=True)


# -- products --------------------------------------------------------------------------------------
@pytest.mark.parametrize("rows", [13, 14, 15, 16, 29, 257, 1000])
@pytest.mark.parametrize("columns", [4, 5, 16, 17, 33, 96])
def test_products(rows, columns):
    def f(x, w, g, mean):
        return gradients(x @ w, g, mean)

    for k in (3, 40):
        agree(f, draw(rows, k), draw(k, columns), draw(rows, columns), draw(columns))


@pytest.mark.parametrize(("rows", "columns"), [(1, 16), (16, 1), (16, 3), (1000, 3)])
def test_one_row_or_few_columns_are_summed_by_a_loop(rows, columns):
    agree(lambda x, w: [x @ w, tf.reduce_sum(x @ w, 0)], draw(rows, 5), draw(5, columns), where=())


def test_rows_of_several_axes():
    agree(lambda x, w: [tf.matmul(x, w), tf.reduce_mean(tf.matmul(x, w), (0, 1))],
          draw(7, 90, 9), draw(9, 20))


def test_batches_are_summed_by_a_loop():
    agree(lambda x, w: [tf.matmul(x, w), tf.reduce_sum(tf.matmul(x, w), (0, 1))],
          draw(7, 30, 9), draw(7, 9, 20), where=())


def test_other_reductions_are_loops():
    plan = agree(lambda x, w: [tf.reduce_max(x @ w, 0), tf.reduce_sum(x @ w, 1)],
                 draw(40, 9), draw(9, 20), where=())
    assert len(loops(plan)) == 1


def test_a_sum_of_squares_after_the_mean_is_a_loop():
    def variance(x, w):
        y = x @ w
        return tf.reduce_mean(tf.square(y - tf.reduce_mean(y, 0)), 0)

    plan = agree(variance, draw(500, 9), draw(9, 20))  # more would go on in one loop
    assert any(loop.dims == (500, 20) for loop in loops(plan))


def test_few_rows_need_no_loop():
    plan = agree(lambda x, w: [x @ w, tf.reduce_sum(x @ w, 0)], draw(100, 9), draw(9, 20))
    assert not loops(plan)


def test_many_rows_need_a_loop_over_blocks():
    plan = agree(lambda x, w: [x @ w, tf.reduce_sum(x @ w, 0)], draw(20_000, 9), draw(9, 20),
                 atol=1e-2)
    (loop,) = loops(plan)
    assert 32 <= loop.dims[0] <= 20_000 // 50 and loop.dims[1] == 20


def test_two_sums_share_the_loop_over_blocks():
    plan = agree(lambda x, w, g: gradients(x @ w, g, 0.5), draw(5000, 9), draw(9, 20),
                 draw(5000, 20))
    (loop,) = loops(plan)
    assert len(loop.instructions) == 2


def test_what_only_sums_read_is_not_stored():
    plan = agree(lambda x, w: tf.reduce_sum(tf.nn.relu(x @ w), 0), draw(100, 9), draw(9, 20))
    (kernel,) = plan.kernels
    assert isinstance(kernel, CustomKernel) and kernel.result not in plan.stored
    assert [value.shape for value in kernel.epilogue.makes] == [(20,)]


def test_what_others_read_is_stored():
    def centred(x, w):
        y = x @ w
        return y - tf.reduce_mean(y, 0)

    plan = agree(centred, draw(500, 9), draw(9, 20))
    kernel = next(one for one in plan.kernels if isinstance(one, CustomKernel))
    assert kernel.result in plan.stored


def test_a_sum_into_a_variable_that_the_product_reads():
    start = draw(20).numpy()
    v = tf.Variable(start)
    x, w = draw(40, 9), draw(9, 20)

    @tf.function(jit_compile=True)
    def step(x, w):
        y = x @ w + v
        v.assign(tf.reduce_sum(y, 0))
        return y

    y = step(x, w).numpy()
    np.testing.assert_allclose(y, x.numpy() @ w.numpy() + start, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(v.numpy(), y.sum(0), rtol=1e-4, atol=1e-3)


PRODUCTS = {"gemm__k": "blocks", "gemm__m": "blocks", "gemm__overlap": False,
            "gemm__pack_a": True, "gemm__pack_b": True, "gemm__kernel": "dots",
            "epilogue__hold": False, "epilogue__row_index": "unraveled",
            "gemm__panels": "before", "element__read": "apart"}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("tasks", ["one", "rows", "columns", "both"])
def test_products_in_all_ways(name, tasks):
    for rows in (37, 300):
        agree(lambda x, w, g, mean: gradients(x @ w, g, mean), draw(rows, 45), draw(45, 37),
              draw(rows, 37), draw(37), gemm__tasks=tasks, **{name: PRODUCTS[name]})


def test_large_arrays_are_not_read_across():
    """In the order of a product's panels."""
    def f(x, w, g):
        return gradients(x @ w, g, 0.5)

    args = draw(9000, 3), draw(3, 128), draw(9000, 128)
    agree(f, *args, where=["loop"], atol=1e-2)
    agree(f, *args, fusion__sums="epilogue", atol=1e-2)
    agree(lambda x, w, g: [x @ w, tf.reduce_sum(x @ w, 0), g], *args, atol=1e-2)


# -- windows ---------------------------------------------------------------------------------------


def test_pointwise():
    def f(x, w):
        return gradients(tf.nn.conv2d(x, w, 1, "SAME"), 1.0, 0.5)

    agree(f, draw(3, 9, 11, 20), draw(1, 1, 20, 33))


def test_other_windows_are_summed_by_a_loop():
    """A task may take a band of an image, which would cut a block of its rows."""
    def f(x, w):
        y = tf.nn.conv2d(x, w, 1, "SAME")
        return y, every_axis_but_the_last(y)

    agree(f, draw(3, 9, 11, 20), draw(3, 3, 20, 8), where=(), atol=1e-2)


def test_filters_are_no_rows_of_pixels():
    def f(x, w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.nn.conv2d(x, w, 1, "SAME")
        return tf.reduce_sum(tape.gradient(y, w, y), (0, 1, 2))

    agree(f, draw(2, 8, 8, 5), draw(3, 3, 5, 8), where=(), atol=1e-2)


# -- values ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@pytest.mark.parametrize("rows", [40, 3000])
def test_dtypes(dtype, rows):
    x, w, g = [(draw(*shape).numpy() / 8).astype(getattr(ml_dtypes, dtype, dtype))
               for shape in ((rows, 20), (20, 24), (rows, 24))]
    rtol = {"float16": 2e-3, "bfloat16": 2e-2, "float64": 1e-12}[dtype]
    agree(lambda x, w, g: gradients(x @ w, g, 0.5)[1:], x, w, g, rtol=rtol, atol=64 * rtol)


def test_half_precision_is_rounded_once():
    x, w = np.ones((5000, 1), "float16"), np.ones((1, 8), "float16")
    (total, _), _, met = run(lambda x, w: (tf.reduce_sum(x @ w, 0), x @ w), x, w)
    assert met == {"epilogue"}
    np.testing.assert_array_equal(total, np.full(8, 5000, "float16"))


@pytest.mark.parametrize("rows", [40, 3000])
def test_nan_and_infinity_reach_their_columns_alone(rows):
    x, w = draw(rows, 8).numpy(), np.eye(8, 20, dtype="f")
    x[rows // 2, 3], x[5, 4], x[rows - 1, 5] = np.nan, np.inf, -np.inf
    x[7, 6], x[rows - 2, 6] = np.inf, -np.inf
    x = np.where(np.isfinite(x), 0, x) + np.where(np.isfinite(x), x, 0)

    def f(x, w):
        y = tf.where(w[:1] * 0.0 == 0.0, x[:, :1] * 0.0, 0.0) + x @ w
        return y, tf.reduce_sum(y, 0)

    (y, total), _, met = run(f, x, w)
    assert met == {"epilogue"}
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(total, np.asarray(y, "f8").sum(0), rtol=1e-4, atol=1e-3)
    assert np.isnan(total).any()


def test_long_sums_keep_their_digits():
    """Blocks of about 100 rows, and then their sums: NumPy, row by row, is wrong by 1e-4."""
    x, w = np.full((100_000, 1), 0.1, "f"), np.ones((1, 8), "f")
    (total,), _, met = run(lambda x, w: [tf.reduce_sum(x @ w, 0)], x, w)
    assert met == {"epilogue"}
    np.testing.assert_allclose(total, 100_000 * np.float64(np.float32(0.1)), rtol=2e-5)


def test_the_number_of_threads_changes_no_bit():
    def pointwise(x, w, g):
        return gradients(tf.nn.conv2d(x, w, 1, "SAME"), g, 0.5)

    functions = [(lambda x, w, g: gradients(x @ w, g, 0.5),
                  (draw(3000, 40), draw(40, 65), draw(3000, 65))),
                 (lambda x, w, g: gradients(x @ w, g, 0.5),
                  (draw(3001, 400), draw(400, 16), draw(3001, 16))),
                 (pointwise, (draw(5, 48, 64, 9), draw(1, 1, 9, 33), draw(5, 48, 64, 33)))]
    for f, args in functions:
        results = []
        for threads in (1, 2, 3, 8):
            thread_pool.set_count(threads)
            try:
                found, _, met = run(f, *args, fusion__sums="epilogue")
            finally:
                thread_pool.set_count(0)
            assert met == {"epilogue"}
            results.append([np.array(x) for x in found])
        for other in results[1:]:
            for x, y in zip(results[0], other, strict=True):
                np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("hold", [False, True])
def test_registers_and_memory_hold_the_same_sums(hold):
    args = draw(3000, 40), draw(40, 65), draw(3000, 65)
    plain = run(lambda x, w, g: gradients(x @ w, g, 0.5), *args)[0]
    other = run(lambda x, w, g: gradients(x @ w, g, 0.5), *args, epilogue__hold=hold)[0]
    for x, y in zip(plain, other, strict=True):
        np.testing.assert_array_equal(x, y)


# -- blocks ----------------------------------------------------------------------------------------
def test_blocks_of_products():
    for m, n, k in ((8, 16, 9), (500, 96, 64), (100_352, 96, 16), (6272, 32, 192)):
        product = Product.of((m, n, k), "float32", (k, 1), (n, 1))
        rows = product_rows(host(), product)
        assert rows >= m or rows <= BLOCK_ROWS or rows <= 16
        assert rows >= m or m // rows >= 16
