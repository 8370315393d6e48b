"""BLAS keeps to one thread inside kernels, and is left as it was."""

import os
import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops._support import blas_threads, blocked_matmul, kernel_threads
from tapeflow.ops.linalg import solving

blas_threads.scipy_linalg()
pytestmark = pytest.mark.skipif(not blas_threads.one_thread._controls,
                                reason="BLAS has no such setting")


@pytest.fixture
def two_threads():
    """Both libraries at two threads, whatever the machine has."""
    before = [(change, get()) for get, change in blas_threads.one_thread._controls]
    for change, _ in before:
        change(2)
    yield
    for change, count in before:
        change(count)


def counts():
    return [get() for get, _ in blas_threads.one_thread._controls]


def test_both_libraries_are_found():
    assert blas_threads.one_thread.reaches("numpy") and blas_threads.one_thread.reaches("scipy")


def test_the_setting_is_put_back(two_threads):
    with blas_threads.one_thread:
        assert set(counts()) == {1}
        with blas_threads.one_thread:
            pass
        assert set(counts()) == {1}
    assert set(counts()) == {2}
    with pytest.raises(KeyError), blas_threads.one_thread:
        raise KeyError
    assert set(counts()) == {2}


def test_the_last_thread_puts_it_back(two_threads):
    inside, leave = threading.Event(), threading.Event()

    def work():
        with blas_threads.one_thread:
            inside.set()
            leave.wait(600)

    other = threading.Thread(target=work)
    other.start()
    inside.wait(600)
    with blas_threads.one_thread:
        pass
    assert set(counts()) == {1}
    leave.set()
    other.join()
    assert set(counts()) == {2}


def test_a_library_that_is_found_later_keeps_to_one_thread_at_once(two_threads):
    context = blas_threads._OneThread()
    with context:
        context.reaches("scipy")
        assert set(counts()) == {1}
    assert set(counts()) == {2}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_has_the_setting_back(two_threads):
    with blas_threads.one_thread:
        child = os.fork()
        if not child:
            os._exit(0 if set(counts()) == {2} else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("columns", [1, 30, 100])
def test_small_solves_wake_no_threads(columns, two_threads, monkeypatch):
    seen, find = [], solving.routine

    def routine(name, dtype):
        def run(*args, **options):
            seen.append(counts())
            return find(name, dtype)(*args, **options)
        return run

    monkeypatch.setattr(solving, "routine", routine)
    a, b = np.eye(30) * 3, np.ones((30, columns))
    tf.linalg.triangular_solve(a, b)
    tf.linalg.cholesky_solve(a, b)
    assert len(seen) == 3 and all(set(one) == {1} for one in seen)


# -- products in blocks ----------------------------------------------------------------------------
@pytest.mark.parametrize("m, n", [(1, 1), (16, 4000), (17, 33), (256, 256), (1000, 1), (999, 1001)])
@pytest.mark.parametrize("work", [blocked_matmul.THREADED_FROM, 1 << 27, 1 << 40])
def test_blocks_cover_a_matrix_once(m, n, work):
    seen = np.zeros((m, n), int)
    for rows, columns in blocked_matmul._blocks(m, n, work):
        seen[rows, columns] += 1
    assert (seen == 1).all()


@pytest.mark.parametrize("flips", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("dtype", ["f", "d", "F"])
def test_large_products(flips, dtype):
    a, b = np.random.RandomState(0).standard_normal((2, 300, 300)).astype(dtype)
    x, z = a.T if flips[0] else a, b.T if flips[1] else b
    y = tf.matmul(a, b, transpose_a=flips[0], transpose_b=flips[1]).numpy()
    np.testing.assert_allclose(y, x @ z, atol=1e-3)


@pytest.mark.parametrize("first, second", [
    ((5, 200, 130), (5, 130, 140)), ((5, 200, 130), (130, 140)), ((200, 130), (5, 130, 140)),
    ((1, 7, 200, 130), (6, 1, 130, 90)), ((1, 1, 300, 300), (300, 300)),
    ((1, 300, 300), (1, 300, 300)), ((4, 3, 5), (4, 5, 2))])
def test_large_stacks(first, second):
    r = np.random.RandomState(0)
    a, b = r.standard_normal(first), r.standard_normal(second)
    np.testing.assert_allclose(blocked_matmul.products(a, b), np.matmul(a, b), atol=1e-10)


def test_work_that_shares_work_ends():
    done = []
    share = kernel_threads.share
    share(lambda i: share(lambda j: done.append((i, j)), range(4)), range(9))
    assert sorted(done) == [(i, j) for i in range(9) for j in range(4)]
