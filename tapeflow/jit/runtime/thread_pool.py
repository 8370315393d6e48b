"""Threads for native code: workers that run machine code and never touch Python.

Compiled code calls

    void @tf_parallel(ptr pool, ptr fn, ptr arg, i64 tasks)

which calls `fn(arg, i)` for every i below `tasks`, in any order, on the caller's thread and on the
workers, and returns when all are done. A pool serves one caller at a time: a second one, or a task
that calls in turn, does its tasks alone. A worker waits for the next call by spinning for some
microseconds and then asleep, so that many processes on few cores do each other no harm; a call is
over when its tasks are done, whether or not every worker has woken up. Workers start with the first
call that has something for them, anew after a fork, and end before the interpreter does.

The number of threads is tf.config.threading's, else that of the cores this process may use.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.locks import new_lock
from tapeflow.base.settings import settings

# How long a worker looks out for the next call: at first it only pauses between looks, later it
# lets others run, then it sleeps. To wake it takes 5 to 100 µs, much of it the caller's.
SPIN, YIELD = 3000, 500
MOST = 128  # threads

# The pool's block of memory, in bytes. What different threads write stands on different lines.
TICKET, DONE, FUNCTION, ARGUMENT, TASKS, THREADS, STARTED, STOP, SLEEPERS, BUSY, MUTEX, SIGNAL, \
    EPOCH, HANDLES = (0, 64, 128, 136, 144, 152, 160, 168, 192, 256, 320, 448, 576, 640)
SIZE = HANDLES + 8 * MOST


def _field(name: str, offset: int) -> str:
    return f"  %{name} = getelementptr i8, ptr %pool, i64 {offset}\n"


def _pause(arch: str) -> tuple[str, str]:
    if arch == "aarch64":
        return "call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"
    if arch in ("x86_64", "amd64"):
        return "call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"
    return "fence acquire", ""


def pool_text(arch: str, native: bool = True, block_signals: int = 0) -> str:
    """The pool's functions. native: with workers; else `tf_parallel` is a plain loop."""
    alone = """
alone:
  %any = icmp sgt i64 %tasks, 0
  br i1 %any, label %one, label %end
one:
  %i = phi i64 [ 0, %alone ], [ %next, %one ]
  call void %fn(ptr %arg, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %tasks
  br i1 %more, label %one, label %end
end:
  ret void
}
"""
    head = "define void @tf_parallel(ptr %pool, ptr %fn, ptr %arg, i64 %tasks) nounwind {\nentry:\n"
    if not native:
        return head + "  br label %alone\n" + alone
    pause, declared = _pause(arch)
    # A ticket is the number of the call and, below, how many of its tasks nobody has taken yet:
    # who lowers it owns a task, and with that the call's function and argument stay as they are.
    return f"""
{declared}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sched_yield()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal void @tf_take(ptr %pool) nounwind {{
entry:
{_field('done', DONE)}{_field('function', FUNCTION)}{_field('argument', ARGUMENT)}\
{_field('total', TASKS)}  br label %look
look:
  %ticket = load atomic i64, ptr %pool seq_cst, align 8
  %left = and i64 %ticket, 4294967295
  %none = icmp eq i64 %left, 0
  br i1 %none, label %end, label %take
take:
  %lower = sub i64 %ticket, 1
  %pair = cmpxchg ptr %pool, i64 %ticket, i64 %lower seq_cst seq_cst, align 8
  %won = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %won, label %run, label %look
run:
  %fn = load ptr, ptr %function, align 8
  %arg = load ptr, ptr %argument, align 8
  %tasks = load i64, ptr %total, align 8
  %i = sub i64 %tasks, %left
  call void %fn(ptr %arg, i64 %i)
  %before = atomicrmw add ptr %done, i64 1 seq_cst, align 8
  br label %look
end:
  ret void
}}

define internal ptr @tf_worker(ptr %pool) nounwind {{
entry:
{_field('sleepers', SLEEPERS)}{_field('stop', STOP)}{_field('mutex', MUTEX)}\
{_field('signal', SIGNAL)}
  %signals = alloca [128 x i8], align 16
  call void @llvm.memset.p0.i64(ptr %signals, i8 -1, i64 128, i1 false)
  %masked = call i32 @pthread_sigmask(i32 {block_signals}, ptr %signals, ptr null)
  br label %idle
idle:
  br label %spin
spin:
  %count = phi i32 [ 0, %idle ], [ %further, %onward ]
  %ticket = load atomic i64, ptr %pool seq_cst, align 8
  %left = trunc i64 %ticket to i32
  %some = icmp ne i32 %left, 0
  br i1 %some, label %work, label %again
again:
  %early = icmp slt i32 %count, {SPIN}
  br i1 %early, label %soon, label %late
soon:
  {pause}
  br label %onward
late:
  %y = call i32 @sched_yield()
  br label %onward
onward:
  %further = add i32 %count, 1
  %patient = icmp slt i32 %further, {SPIN + YIELD}
  br i1 %patient, label %spin, label %sleep
sleep:
  %l = call i32 @pthread_mutex_lock(ptr %mutex)
  %more = atomicrmw add ptr %sleepers, i64 1 seq_cst, align 8
  br label %check
check:
  %halt = load atomic i64, ptr %stop seq_cst, align 8
  %halted = icmp ne i64 %halt, 0
  br i1 %halted, label %leave, label %check2
check2:
  %now = load atomic i64, ptr %pool seq_cst, align 8
  %there = trunc i64 %now to i32
  %has = icmp ne i32 %there, 0
  br i1 %has, label %wake, label %wait
wait:
  %w = call i32 @pthread_cond_wait(ptr %signal, ptr %mutex)
  br label %check
wake:
  %less = atomicrmw sub ptr %sleepers, i64 1 seq_cst, align 8
  %u = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work
work:
  call void @tf_take(ptr %pool)
  br label %idle
leave:
  %less2 = atomicrmw sub ptr %sleepers, i64 1 seq_cst, align 8
  %u2 = call i32 @pthread_mutex_unlock(ptr %mutex)
  ret ptr null
}}

define i64 @tf_claim(ptr %pool) nounwind {{
entry:
{_field('busy', BUSY)}\
  %pair = cmpxchg ptr %busy, i64 0, i64 1 seq_cst seq_cst, align 8
  %mine = extractvalue {{ i64, i1 }} %pair, 1
  %result = zext i1 %mine to i64
  ret i64 %result
}}

define internal void @tf_start(ptr %pool) nounwind {{
entry:
{_field('threads', THREADS)}{_field('started', STARTED)}{_field('handles', HANDLES)}\
  %wanted = load i64, ptr %threads, align 8
  br label %next
next:
  %n = phi i64 [ 1, %entry ], [ %n1, %made ]
  %enough = icmp sge i64 %n, %wanted
  br i1 %enough, label %end, label %create
create:
  %handle = getelementptr i64, ptr %handles, i64 %n
  %error = call i32 @pthread_create(ptr %handle, ptr null, ptr @tf_worker, ptr %pool)
  %fine = icmp eq i32 %error, 0
  br i1 %fine, label %made, label %end
made:
  %n1 = add i64 %n, 1
  br label %next
end:
  store i64 %n, ptr %started, align 8
  ret void
}}

{head}\
{_field('done', DONE)}{_field('function', FUNCTION)}{_field('argument', ARGUMENT)}\
{_field('total', TASKS)}{_field('threads', THREADS)}{_field('started', STARTED)}\
{_field('sleepers', SLEEPERS)}{_field('busy', BUSY)}{_field('mutex', MUTEX)}\
{_field('signal', SIGNAL)}{_field('epoch', EPOCH)}\
  %single = icmp slt i64 %tasks, 2
  %no = icmp eq ptr %pool, null
  %either = or i1 %single, %no
  br i1 %either, label %alone, label %several
several:
  %n = load i64, ptr %threads, align 8
  %lonely = icmp slt i64 %n, 2
  br i1 %lonely, label %alone, label %acquire
acquire:
  %pair = cmpxchg ptr %busy, i64 0, i64 1 seq_cst seq_cst, align 8
  %mine = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %mine, label %own, label %alone
own:
  %running = load i64, ptr %started, align 8
  %fresh = icmp eq i64 %running, 0
  br i1 %fresh, label %begin, label %call
begin:
  call void @tf_start(ptr %pool)
  br label %call
call:
  store ptr %fn, ptr %function, align 8
  store ptr %arg, ptr %argument, align 8
  store i64 %tasks, ptr %total, align 8
  store atomic i64 0, ptr %done seq_cst, align 8
  %last = load i64, ptr %epoch, align 8
  %number = add i64 %last, 1
  store i64 %number, ptr %epoch, align 8
  %high = shl i64 %number, 32
  %ticket = or i64 %high, %tasks
  %old = atomicrmw xchg ptr %pool, i64 %ticket seq_cst, align 8
  %asleep = load atomic i64, ptr %sleepers seq_cst, align 8
  %helpers = sub i64 %tasks, 1
  %fewer = icmp slt i64 %asleep, %helpers
  %calls = select i1 %fewer, i64 %asleep, i64 %helpers
  %anybody = icmp sgt i64 %calls, 0
  br i1 %anybody, label %lock, label %work
lock:
  %l = call i32 @pthread_mutex_lock(ptr %mutex)
  br label %ring
ring:
  %k = phi i64 [ %calls, %lock ], [ %k1, %ring ]
  %s = call i32 @pthread_cond_signal(ptr %signal)
  %k1 = sub i64 %k, 1
  %on = icmp sgt i64 %k1, 0
  br i1 %on, label %ring, label %unlock
unlock:
  %u = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work
work:
  call void @tf_take(ptr %pool)
  br label %join
join:
  %turn = phi i32 [ 0, %work ], [ %turn1, %soon ], [ %turn, %late ]
  %finished = load atomic i64, ptr %done seq_cst, align 8
  %complete = icmp eq i64 %finished, %tasks
  br i1 %complete, label %release, label %hold
hold:
  %short = icmp slt i32 %turn, {SPIN}
  br i1 %short, label %soon, label %late
soon:
  {pause}
  %turn1 = add i32 %turn, 1
  br label %join
late:
  %y = call i32 @sched_yield()
  br label %join
release:
  store atomic i64 0, ptr %busy seq_cst, align 8
  br label %end
{alone}"""


# -- how many --------------------------------------------------------------------------------------
def cores() -> int:
    """The cores that this process may use: affinity, and a container's share of time."""
    try:
        count = len(os.sched_getaffinity(0))
    except unsignalled(AttributeError, OSError):
        count = os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max") as file:
            quota, period = file.read().split()[:2]
        if quota != "max":
            count = min(count, max(1, -(-int(quota) // int(period))))
    except unsignalled(OSError, ValueError):
        pass
    return max(1, min(count, MOST))


class _Pool:
    """The block that the workers and callers share, and the compiled functions."""

    def __init__(self) -> None:
        self.lock = new_lock()
        self.block: Any = None
        self.address = 0
        self.code: Any = None
        self.closed = False

    def read(self, offset: int) -> int:
        return ctypes.c_int64.from_address(self.address + offset).value

    def write(self, offset: int, value: int) -> None:
        ctypes.c_int64.from_address(self.address + offset).value = value


_pool = _Pool()


def count() -> int:
    """The number of threads that a parallel call may use."""
    return min(settings.threads_asked_for(), MOST) or cores()


def pool() -> int:
    """The address to hand to `tf_parallel`."""
    if not _pool.address:
        with _pool.lock:
            if not _pool.address:
                _make()
    return _pool.address


def symbols() -> dict[str, int]:
    """The address of `tf_parallel`, by its name: for code that calls it."""
    with _pool.lock:
        return {"tf_parallel": _load().address("tf_parallel")}


def set_count(threads: int) -> None:
    """Use this many threads from now on; 0: as many as there are cores."""
    settings.num_threads = max(0, threads)
    if _pool.address:
        stop()
        _pool.write(THREADS, count())


def _native() -> bool:
    return os.name == "posix"


def _load() -> Any:
    if _pool.code is None:
        from tapeflow.jit.runtime import llvm_backend
        from tapeflow.jit.runtime.target import host
        block_signals, outer = 0, {}
        if _native():
            import signal
            block_signals = int(signal.SIG_BLOCK)
            library = ctypes.CDLL(None)
            outer = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
                     for name in ("pthread_create", "pthread_mutex_lock", "pthread_mutex_unlock",
                                  "pthread_cond_wait", "pthread_cond_signal", "pthread_sigmask",
                                  "sched_yield")}
        _pool.code = llvm_backend.load(pool_text(host().arch, _native(), block_signals), outer)
    return _pool.code


def _make() -> None:
    import atexit
    _pool.block = (ctypes.c_char * (SIZE + 64))()
    _pool.address = ctypes.addressof(_pool.block) + -ctypes.addressof(_pool.block) % 64
    _reset()
    if _native():
        os.register_at_fork(after_in_child=_reset_after_fork)
        atexit.register(_close)


def _reset() -> None:
    """A pool without workers."""
    ctypes.memset(_pool.address, 0, SIZE)
    _pool.write(THREADS, 1 if _pool.closed else count())
    if _native():
        library = ctypes.CDLL(None)
        library.pthread_mutex_init(ctypes.c_void_p(_pool.address + MUTEX), None)
        library.pthread_cond_init(ctypes.c_void_p(_pool.address + SIGNAL), None)


def _reset_after_fork() -> None:
    """A new process has only the thread that forked, whatever the others were doing."""
    _reset()


def started() -> int:
    """How many threads work now, the caller's own among them; 0 before the first call."""
    return _pool.read(STARTED) if _pool.address else 0


def stop(patience: float = float("inf")) -> None:
    """End the workers, when no call is under way; the next call starts new ones.

    patience: seconds to wait for a call of another thread.
    """
    if not started() or not _native():
        return
    with _pool.lock:
        library = ctypes.CDLL(None)
        # Keep callers out, as a call would: they do their tasks alone meanwhile.
        end = time.monotonic() + patience
        while not _claim():
            if time.monotonic() > end:
                return
            library.sched_yield()
        running = _pool.read(STARTED)
        if running:
            mutex = ctypes.c_void_p(_pool.address + MUTEX)
            library.pthread_mutex_lock(mutex)
            _pool.write(STOP, 1)
            library.pthread_cond_broadcast(ctypes.c_void_p(_pool.address + SIGNAL))
            library.pthread_mutex_unlock(mutex)
            for i in range(1, running):
                handle = ctypes.c_void_p(_pool.read(HANDLES + 8 * i))
                library.pthread_join(handle, None)
            _pool.write(STOP, 0)
            _pool.write(STARTED, 0)
        _pool.write(BUSY, 0)


def _claim() -> bool:
    """Take the pool for ourselves, by way of the compiled code's own lock."""
    claim = _load().address("tf_claim")
    return bool(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(claim)(_pool.address))


def _close() -> None:
    """At exit: no workers, and none any more."""
    _pool.closed = True
    stop(5.0)
    _pool.write(THREADS, 1)
