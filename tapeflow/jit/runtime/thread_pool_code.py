"""The LLVM text of the thread pool (thread_pool.py), and the state that its threads share.

    @tf_parallel       runs the tasks of one call, with workers if it can have them
    @tf_run_tasks      takes tasks of the current call and runs them until none is left
    @tf_worker         what a worker thread does: wait for a call, run tasks, wait again
    @tf_start_workers  starts the threads
    @tf_acquire        takes the pool, as a call does, to keep others out

A ticket is the number of the call and, in its lower half, how many of the call's tasks nobody has
taken yet. Who lowers it owns a task; while it has one that is not done, the call's function and
argument stay as they are.
"""

from __future__ import annotations

from typing import ClassVar

from tapeflow.jit.runtime.struct_layout import Fields, Struct, cache_line, i8, i64, pointer

MAX_THREADS = 128
# How often a worker looks for the next call: at first it only pauses between two looks, later it
# lets others run, then it sleeps. To wake it takes 5 to 100 µs, much of it the caller's.
SPINS, YIELDS = 3000, 500
SIGNAL_SET_BYTES = 128  # of a sigset_t, at most


class PoolState(Struct):
    """What callers and workers share. What different threads write is on different cache lines."""

    _fields_: ClassVar[Fields] = (
        *cache_line(("ticket", i64)),
        *cache_line(("done", i64)),  # tasks of the current call
        *cache_line(("function", pointer), ("argument", pointer), ("tasks", i64), ("threads", i64),
                    ("started", i64), ("stop", i64)),
        *cache_line(("sleepers", i64)),
        *cache_line(("busy", i64)),
        *cache_line(("mutex", i8 * 128)),  # a pthread_mutex_t is smaller on every system
        *cache_line(("signal", i8 * 128)),  # and so is a pthread_cond_t
        *cache_line(("call_number", i64)),
        ("handles", i64 * MAX_THREADS),
    )


POOL = PoolState.at("%pool")


def pool_text(arch: str, native: bool = True, block_signals: int = 0) -> str:
    """The pool's functions. native: with workers; else `tf_parallel` is a plain loop."""
    if not native:
        return f"{_PARALLEL}  br label %sequential\n{_sequential()}"
    pause, declared = _pause(arch)
    return (f"{declared}\n{_DECLARED}{run_tasks()}{worker(pause, block_signals)}{acquire()}"
            f"{start_workers()}{parallel(pause)}")


_DECLARED = """
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sched_yield()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
EXTERNAL = ("pthread_create", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait",
            "pthread_cond_signal", "pthread_sigmask", "sched_yield")  # of the C library


def _pause(arch: str) -> tuple[str, str]:
    """The instruction of a thread that spins, and its declaration."""
    if arch == "aarch64":
        return "call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"
    if arch in ("x86_64", "amd64"):
        return "call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"
    return "fence acquire", ""


def run_tasks() -> str:
    return f"""
define internal void @tf_run_tasks(ptr %pool) nounwind {{
entry:
  br label %look
look:
  {POOL.atomic_load("ticket")}
  %left = and i64 %ticket, 4294967295
  %none_left = icmp eq i64 %left, 0
  br i1 %none_left, label %end, label %take
take:
  %lowered = sub i64 %ticket, 1
  {POOL.compare_exchange("ticket", "%ticket", "%lowered", "%taken")}
  br i1 %taken, label %run, label %look
run:
  {POOL.load("function")}
  {POOL.load("argument")}
  {POOL.load("tasks")}
  %task = sub i64 %tasks, %left
  call void %function(ptr %argument, i64 %task)
  {POOL.atomic_update("add", "done", "1", "%done_before")}
  br label %look
end:
  ret void
}}
"""


# -- workers ---------------------------------------------------------------------------------------
def worker(pause: str, block_signals: int) -> str:
    """A thread that no signal is delivered to: handlers are Python's, on other threads."""
    return f"""
define internal ptr @tf_worker(ptr %pool) nounwind {{
entry:
  {POOL.address("mutex")}
  {POOL.address("signal")}
  %signal_set = alloca [{SIGNAL_SET_BYTES} x i8], align 16
  call void @llvm.memset.p0.i64(ptr %signal_set, i8 -1, i64 {SIGNAL_SET_BYTES}, i1 false)
  %masked = call i32 @pthread_sigmask(i32 {block_signals}, ptr %signal_set, ptr null)
  br label %idle
{_spin(pause)}
{_sleep()}
work:
  call void @tf_run_tasks(ptr %pool)
  br label %idle
leave:
  {POOL.atomic_update("sub", "sleepers", "1", "%sleepers_at_end")}
  %unlocked_at_end = call i32 @pthread_mutex_unlock(ptr %mutex)
  ret ptr null
}}
"""


def _spin(pause: str) -> str:
    """Blocks of a worker: look for a call, pausing at first, then letting other threads run."""
    return f"""idle:
  br label %spin
spin:
  %looks = phi i32 [ 0, %idle ], [ %more_looks, %looked ]
  {POOL.atomic_load("ticket")}
  %left = trunc i64 %ticket to i32
  %any_left = icmp ne i32 %left, 0
  br i1 %any_left, label %work, label %none_left
none_left:
  %is_early = icmp slt i32 %looks, {SPINS}
  br i1 %is_early, label %pause, label %yield
pause:
  {pause}
  br label %looked
yield:
  %yielded = call i32 @sched_yield()
  br label %looked
looked:
  %more_looks = add i32 %looks, 1
  %go_on = icmp slt i32 %more_looks, {SPINS + YIELDS}
  br i1 %go_on, label %spin, label %sleep"""


def _sleep() -> str:
    """Blocks of a worker: sleep until there is a call, or all workers are to end."""
    return f"""sleep:
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  {POOL.atomic_update("add", "sleepers", "1", "%sleepers_before")}
  br label %check_stop
check_stop:
  {POOL.atomic_load("stop")}
  %is_stopped = icmp ne i64 %stop, 0
  br i1 %is_stopped, label %leave, label %check_call
check_call:
  {POOL.atomic_load("ticket", "%new_ticket")}
  %new_left = trunc i64 %new_ticket to i32
  %any_new = icmp ne i32 %new_left, 0
  br i1 %any_new, label %wake, label %wait
wait:
  %waited = call i32 @pthread_cond_wait(ptr %signal, ptr %mutex)
  br label %check_stop
wake:
  {POOL.atomic_update("sub", "sleepers", "1", "%sleepers_now")}
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work"""


def start_workers() -> str:
    """As many as are wanted beside the caller's thread, or as many as the system allows."""
    return f"""
define internal void @tf_start_workers(ptr %pool) nounwind {{
entry:
  {POOL.load("threads")}
  {POOL.address("handles")}
  br label %next
next:
  %running = phi i64 [ 1, %entry ], [ %running.next, %created ]
  %enough = icmp sge i64 %running, %threads
  br i1 %enough, label %end, label %create
create:
  %handle = getelementptr i64, ptr %handles, i64 %running
  %error = call i32 @pthread_create(ptr %handle, ptr null, ptr @tf_worker, ptr %pool)
  %is_created = icmp eq i32 %error, 0
  br i1 %is_created, label %created, label %end
created:
  %running.next = add i64 %running, 1
  br label %next
end:
  {POOL.store("started", "%running")}
  ret void
}}
"""


# -- callers ---------------------------------------------------------------------------------------
_PARALLEL = """
define void @tf_parallel(ptr %pool, ptr %function, ptr %argument, i64 %tasks) nounwind {
entry:
"""


def acquire() -> str:
    return f"""
define i64 @tf_acquire(ptr %pool) nounwind {{
entry:
  {POOL.compare_exchange("busy", "0", "1", "%acquired")}
  %result = zext i1 %acquired to i64
  ret i64 %result
}}
"""


def parallel(pause: str) -> str:
    """Alone if there is one task, one thread, no pool, or another call under way."""
    return f"""{_PARALLEL}\
  %few_tasks = icmp slt i64 %tasks, 2
  %no_pool = icmp eq ptr %pool, null
  %alone = or i1 %few_tasks, %no_pool
  br i1 %alone, label %sequential, label %count_threads
count_threads:
  {POOL.load("threads")}
  %one_thread = icmp slt i64 %threads, 2
  br i1 %one_thread, label %sequential, label %acquire
acquire:
  {POOL.compare_exchange("busy", "0", "1", "%acquired")}
  br i1 %acquired, label %look_for_workers, label %sequential
look_for_workers:
  {POOL.load("started")}
  %no_workers = icmp eq i64 %started, 0
  br i1 %no_workers, label %start, label %publish
start:
  call void @tf_start_workers(ptr %pool)
  br label %publish
{_publish()}
{_wake_sleepers()}
work:
  call void @tf_run_tasks(ptr %pool)
  br label %join
{_join(pause)}
release:
  {POOL.atomic_store("busy", "0")}
  br label %end
{_sequential()}"""


def _publish() -> str:
    """Block of a call: what the tasks are, then the ticket that lets workers take them."""
    return f"""publish:
  {POOL.store("function", "%function")}
  {POOL.store("argument", "%argument")}
  {POOL.store("tasks", "%tasks")}
  {POOL.atomic_store("done", "0")}
  {POOL.load("call_number", "%last_call")}
  %call_number = add i64 %last_call, 1
  {POOL.store("call_number", "%call_number")}
  %upper_half = shl i64 %call_number, 32
  %ticket = or i64 %upper_half, %tasks
  {POOL.atomic_update("xchg", "ticket", "%ticket", "%old_ticket")}
  br label %count_sleepers"""


def _wake_sleepers() -> str:
    """Blocks of a call: wake as many workers as there are tasks for them."""
    return f"""count_sleepers:
  {POOL.atomic_load("sleepers")}
  %helpers = sub i64 %tasks, 1
  %fewer = icmp slt i64 %sleepers, %helpers
  %wakes = select i1 %fewer, i64 %sleepers, i64 %helpers
  %any_asleep = icmp sgt i64 %wakes, 0
  br i1 %any_asleep, label %lock, label %work
lock:
  {POOL.address("mutex")}
  {POOL.address("signal")}
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  br label %wake
wake:
  %wakes_left = phi i64 [ %wakes, %lock ], [ %wakes_left.next, %wake ]
  %signalled = call i32 @pthread_cond_signal(ptr %signal)
  %wakes_left.next = sub i64 %wakes_left, 1
  %more_wakes = icmp sgt i64 %wakes_left.next, 0
  br i1 %more_wakes, label %wake, label %unlock
unlock:
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work"""


def _join(pause: str) -> str:
    """Blocks of a call: wait for the tasks that workers have taken."""
    return f"""join:
  %looks = phi i32 [ 0, %work ], [ %more_looks, %pause ], [ %looks, %yield ]
  {POOL.atomic_load("done")}
  %all_done = icmp eq i64 %done, %tasks
  br i1 %all_done, label %release, label %still_running
still_running:
  %is_early = icmp slt i32 %looks, {SPINS}
  br i1 %is_early, label %pause, label %yield
pause:
  {pause}
  %more_looks = add i32 %looks, 1
  br label %join
yield:
  %yielded = call i32 @sched_yield()
  br label %join"""


def _sequential() -> str:
    """Blocks that end @tf_parallel: all tasks on the caller's thread."""
    return """sequential:
  %any_tasks = icmp sgt i64 %tasks, 0
  br i1 %any_tasks, label %run_task, label %end
run_task:
  %task = phi i64 [ 0, %sequential ], [ %task.next, %run_task ]
  call void %function(ptr %argument, i64 %task)
  %task.next = add i64 %task, 1
  %more_tasks = icmp slt i64 %task.next, %tasks
  br i1 %more_tasks, label %run_task, label %end
end:
  ret void
}
"""
