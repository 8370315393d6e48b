"""Sums of columns that are held in registers: few columns, odd numbers of them, other dtypes."""

import pytest

import tapeflow as tf
from tests.jit import agreement
from tests.jit.agreement import draw


def agree(f, *args, rtol=1e-5, atol=1e-4):
    """Check a function against NumPy, with sums of many elements; gives LLVM's text."""
    return agreement.agree(f, *args, rtol=rtol, atol=atol).text


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 6, 7, 8, 12, 16, 24, 31, 32, 48, 64, 65, 96, 128])
@pytest.mark.parametrize("rows", [2, 37, 20_000])
def test_sums(rows, columns):
    x = draw(rows, columns)
    agree(lambda x: tf.reduce_sum(x, 0), x, atol=1e-3)
    agree(lambda x: [tf.reduce_sum(x * x, 0), tf.reduce_max(x, 0), tf.reduce_sum(x, 1)], x,
          atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "int64", "bool"])
def test_dtypes(dtype):
    x = (10 * draw(50, 8)).numpy().astype(dtype)
    if dtype == "bool":
        agree(lambda x: [tf.reduce_all(x, 0), tf.reduce_any(x, 0)], x)
    else:
        agree(lambda x: [tf.reduce_sum(x, 0), tf.reduce_min(x, 0)], x, rtol=2e-3)


def test_outer_loops_and_rows_between():
    x, y = draw(5, 700, 8), draw(5, 8)
    agree(lambda x: tf.reduce_sum(x, 1), x, atol=1e-3)
    agree(lambda x, y: [tf.reduce_sum(x * y[:, None], (0, 1)), x * y[:, None]], x, y, atol=1e-3)

    def norm(x):
        x = x - tf.reduce_mean(x, -1, keepdims=True)
        return tf.reduce_sum(x, (0, 1)), x

    agree(norm, x, atol=1e-3)


def test_short_rows_do_not_go_through_memory():
    text = agree(lambda x: tf.reduce_sum(x, 0), draw(4000, 8), atol=1e-3)
    body = text[text.index("define  void @r0"):].split("\nbody")[1].split("\ndone")[0]
    assert "fadd <8 x float>" in body or "fadd <4 x float>" in body
    assert "store" not in body
