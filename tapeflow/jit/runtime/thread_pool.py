"""Threads for native code: workers that run machine code and never touch Python.

Compiled code calls

    void @tf_parallel(ptr pool, ptr function, ptr argument, i64 tasks)

which calls `function(argument, i)` for every i below `tasks`, in any order, on the caller's thread
and on the workers, and returns when all are done. A pool serves one caller at a time: a second one,
or a task that calls itself, does its tasks alone. A worker waits for the next call by spinning for
some microseconds and then asleep, so that many processes on few cores do each other no harm; a call
is over when its tasks are done, whether or not every worker has woken up. Workers start with the
first call that has something for them, anew after a fork, and end before the interpreter does.

The number of threads is tf.config.threading's, else that of the cores this process may use. The
text of the native functions is in thread_pool_code.py.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

from tapeflow.base.process.cores import usable_cores
from tapeflow.base.process.locks import new_lock
from tapeflow.base.settings import settings
from tapeflow.jit.runtime import thread_pool_code as code
from tapeflow.jit.runtime.struct_layout import CACHE_LINE, field_offset
from tapeflow.jit.runtime.thread_pool_code import MAX_THREADS, PoolState


# -- how many --------------------------------------------------------------------------------------
def count() -> int:
    """The number of threads that a parallel call may use."""
    return min(settings.threads_asked_for() or usable_cores(), MAX_THREADS)


def set_count(threads: int) -> None:
    """Use this many threads from now on; 0: as many as there are cores."""
    settings.num_threads = max(0, threads)


def _resize() -> None:
    """The setting was changed."""
    if _pool.state is not None:
        stop()
        _pool.state.threads = count()


# -- the pool --------------------------------------------------------------------------------------
class _Pool:
    """The state that the workers and callers share, and the compiled functions."""

    def __init__(self) -> None:
        self.lock = new_lock()
        self.memory: Any = None
        self.state: PoolState | None = None  # in `memory`
        self.code: Any = None
        self.closed = False


_pool = _Pool()
settings.watch("num_threads", _resize)


def pool() -> int:
    """The address to hand to `tf_parallel`."""
    if _pool.state is None:
        with _pool.lock:
            if _pool.state is None:
                _create()
    assert _pool.state is not None
    return ctypes.addressof(_pool.state)


def symbols() -> dict[str, int]:
    """The address of `tf_parallel`, by its name: for code that calls it."""
    with _pool.lock:
        return {"tf_parallel": _load().address("tf_parallel")}


def _native() -> bool:
    return os.name == "posix"


def _load() -> Any:
    if _pool.code is None:
        from tapeflow.jit.runtime import llvm_backend
        from tapeflow.jit.runtime.target import host
        block_signals, external = 0, {}
        if _native():
            import signal
            block_signals = int(signal.SIG_BLOCK)
            library = ctypes.CDLL(None)
            external = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
                        for name in code.EXTERNAL}
        text = code.pool_text(host().arch, _native(), block_signals)
        _pool.code = llvm_backend.load(text, external)
    return _pool.code


def _create() -> None:
    import atexit
    _pool.memory = (ctypes.c_char * (ctypes.sizeof(PoolState) + CACHE_LINE))()
    start = ctypes.addressof(_pool.memory)
    state = PoolState.from_address(start + -start % CACHE_LINE)
    _reset(state)
    _pool.state = state  # from now on other threads use it
    if _native():
        os.register_at_fork(after_in_child=_reset_after_fork)
        atexit.register(_close)


def _reset(state: PoolState) -> None:
    """A pool without workers."""
    ctypes.memset(ctypes.addressof(state), 0, ctypes.sizeof(PoolState))
    state.threads = 1 if _pool.closed else count()
    if _native():
        library = ctypes.CDLL(None)
        library.pthread_mutex_init(ctypes.byref(state, field_offset(PoolState, "mutex")), None)
        library.pthread_cond_init(ctypes.byref(state, field_offset(PoolState, "signal")), None)


def _reset_after_fork() -> None:
    """A new process has only the thread that forked, whatever the others were doing."""
    assert _pool.state is not None
    _reset(_pool.state)


def started() -> int:
    """How many threads work now, the caller's own among them; 0 before the first call."""
    return 0 if _pool.state is None else _pool.state.started


def stop(timeout: float = float("inf")) -> None:
    """End the workers, when no call is under way; the next call starts new ones.

    timeout: seconds to wait for a call of another thread.
    """
    state = _pool.state
    if state is None or not state.started or not _native():
        return
    with _pool.lock:
        library = ctypes.CDLL(None)
        # Keep callers out, as a call would: they do their tasks alone meanwhile.
        end = time.monotonic() + timeout
        while not _acquire(state):
            if time.monotonic() > end:
                return
            library.sched_yield()
        if state.started:
            _join_workers(state)
        state.busy = 0


def _join_workers(state: PoolState) -> None:
    library = ctypes.CDLL(None)
    mutex = ctypes.byref(state, field_offset(PoolState, "mutex"))
    library.pthread_mutex_lock(mutex)
    state.stop = 1
    library.pthread_cond_broadcast(ctypes.byref(state, field_offset(PoolState, "signal")))
    library.pthread_mutex_unlock(mutex)
    for i in range(1, state.started):
        library.pthread_join(ctypes.c_void_p(state.handles[i]), None)
    state.stop = state.started = 0


def _acquire(state: PoolState) -> bool:
    """Take the pool for ourselves, by way of the compiled code's own lock."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(_load().address("tf_acquire"))
    return bool(function(ctypes.addressof(state)))


def _close() -> None:
    """At exit: no workers, and none any more."""
    _pool.closed = True
    stop(5.0)
    assert _pool.state is not None
    _pool.state.threads = 1
