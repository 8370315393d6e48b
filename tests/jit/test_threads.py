"""The pool of native threads: every task once, several callers, nesting, forks, other counts."""

import ctypes
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tapeflow.jit.runtime import llvm_backend, thread_pool, thread_pool_code
from tapeflow.jit.runtime.target import host

# work(arg, i): adds 1 to the i-th word after the first three, as often as the first one says;
# `nested` calls the pool.
TEXT = """
declare void @tf_parallel(ptr, ptr, ptr, i64)
define void @work(ptr %arg, i64 %i) {
entry:
  %repeats = load i64, ptr %arg
  %word = getelementptr i64, ptr %arg, i64 %i
  %to = getelementptr i64, ptr %word, i64 3
  br label %again
again:
  %t = phi i64 [ 0, %entry ], [ %t1, %again ]
  %old = load volatile i64, ptr %to
  %new = add i64 %old, 1
  store volatile i64 %new, ptr %to
  %t1 = add i64 %t, 1
  %more = icmp slt i64 %t1, %repeats
  br i1 %more, label %again, label %end
end:
  ret void
}
define void @nested(ptr %arg, i64 %i) {
  %poolp = getelementptr i64, ptr %arg, i64 1
  %pool = load ptr, ptr %poolp
  %first = icmp eq i64 %i, 0
  br i1 %first, label %deep, label %end
deep:
  call void @tf_parallel(ptr %pool, ptr @work, ptr %arg, i64 5)
  br label %end
end:
  ret void
}
define void @run(ptr %pool, ptr %arg, i64 %tasks) {
  call void @tf_parallel(ptr %pool, ptr @work, ptr %arg, i64 %tasks)
  ret void
}
define void @run_nested(ptr %pool, ptr %arg, i64 %tasks) {
  call void @tf_parallel(ptr %pool, ptr @nested, ptr %arg, i64 %tasks)
  ret void
}
"""


def function(name: str = "run"):
    code = llvm_backend.load(TEXT, thread_pool.symbols())
    kinds = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    found = ctypes.CFUNCTYPE(None, *kinds)(code.address(name))
    found.keep = code
    return found


@pytest.fixture(params=[1, 2, 3])
def run(request):
    thread_pool.set_count(request.param)
    yield function()
    thread_pool.set_count(0)


def block(tasks: int, repeats: int = 1) -> np.ndarray:
    return np.array([repeats, thread_pool.pool(), 0] + [0] * tasks, "i8")


def test_every_task_runs_once(run):
    for tasks in (0, 1, 2, 3, 17, 1000):
        data = block(tasks, 3)
        run(thread_pool.pool(), data.ctypes.data, tasks)
        assert np.all(data[3:] == 3)


def test_many_calls(run):
    data = block(8)
    for _ in range(2000):
        run(thread_pool.pool(), data.ctypes.data, 8)
    assert np.all(data[3:] == 2000)


def test_workers_wake_from_sleep(run):
    import time
    data = block(8, 1000)
    for _ in range(20):
        time.sleep(0.002)
        run(thread_pool.pool(), data.ctypes.data, 8)
    assert np.all(data[3:] == 20_000)


def test_callers_side_by_side(run):
    """Python threads that call at once: one has the pool, the others work alone."""
    datas = [block(16, 100) for _ in range(4)]

    def call(data: np.ndarray) -> None:
        for _ in range(200):
            run(thread_pool.pool(), data.ctypes.data, 16)

    callers = [threading.Thread(target=call, args=(data,)) for data in datas]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for data in datas:
        assert np.all(data[3:] == 20_000)


def test_a_task_may_call(run):
    nested = function("run_nested")
    data = block(5)
    nested(thread_pool.pool(), data.ctypes.data, 9)
    assert np.all(data[3:] == 1)


def test_no_pool_is_a_plain_loop():
    data = block(9)
    function()(None, data.ctypes.data, 9)
    assert np.all(data[3:] == 1)


def test_no_threads_before_the_first_call():
    thread_pool.set_count(2)
    try:
        call = function()
        pool = thread_pool.pool()
        assert thread_pool.started() == 0
        data = block(4)
        call(pool, data.ctypes.data, 1)
        assert thread_pool.started() == 0
        call(pool, data.ctypes.data, 4)
        assert thread_pool.started() == 2
    finally:
        thread_pool.set_count(0)
    assert thread_pool.started() == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    """The child makes workers of its own; the parent keeps its."""
    thread_pool.set_count(2)
    try:
        call = function()
        data = block(64, 10)
        call(thread_pool.pool(), data.ctypes.data, 64)
        child = os.fork()
        if not child:
            fine = thread_pool.started() == 0
            call(thread_pool.pool(), data.ctypes.data, 64)
            fine = fine and thread_pool.started() == 2 and bool(np.all(data[3:] == 20))
            thread_pool.stop()
            os._exit(0 if fine else 1)
        call(thread_pool.pool(), data.ctypes.data, 64)
        assert os.waitpid(child, 0)[1] == 0
        assert np.all(data[3:] == 20) and thread_pool.started() == 2
    finally:
        thread_pool.set_count(0)


def test_exit_with_workers():
    """A process that used the pool ends by itself, and quietly."""
    program = ("import tests.jit.test_threads as t\n"
               "d = t.block(9); t.thread_pool.set_count(2)\n"
               "t.function()(t.thread_pool.pool(), d.ctypes.data, 9)\n"
               "assert t.thread_pool.started() == 2; print('done')\n")
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           timeout=600)
    assert (found.returncode, found.stdout, found.stderr) == (0, "done\n", "")


def test_the_setting_counts():
    import tapeflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(3)
    try:
        assert thread_pool.count() == 3
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)
    assert thread_pool.count() >= 1


def test_a_setting_reaches_a_pool_that_is_running(using):
    thread_pool.pool()
    using(num_threads=3)
    assert thread_pool._pool.state.threads == thread_pool.count() == 3


def test_machines_without_threads():
    """The plain text and that for other machines compile."""
    assert llvm_backend.compile_object(thread_pool_code.pool_text("any", native=False))
    assert llvm_backend.compile_object(thread_pool_code.pool_text(host().arch))


@pytest.mark.parametrize("start", ["raise RuntimeError('no more threads')", "thread._target()",
                                   "started.append(thread); thread.start()"],
                         ids=["none", "at once", "beside"])
def test_what_all_programs_need_is_compiled_beside_the_first(start):
    code = f"""
import tapeflow as tf
from tapeflow.jit import pipeline
started = []

def start(thread):
    {start}

pipeline.start_thread = start
f = tf.function(lambda x: x * 2 + 1, autograph=False, jit_compile=True)
g = tf.function(lambda x: x * 3 + 1, autograph=False, jit_compile=True)
assert f(tf.constant([1.0, 2.0])).numpy().tolist() == [3, 5]
assert g(tf.constant([1.0, 2.0])).numpy().tolist() == [4, 7]
assert len(started) <= 1 and all(one.name.startswith("tapeflow-") for one in started)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "TAPEFLOW_CACHE": ""})
    assert done.returncode == 0 and not done.stderr, done.stderr
