"""How TensorFlow's CPU thread pool cuts a loop into parts.

A few samplers (categorical, parameterized truncated normal) start a part of their stream anew in
each part, so their numbers depend on the cut: on the cost estimate and the number of cores. Here
the cut is the one for two cores, whatever the machine: a seed means the same numbers everywhere.
Small loops are never cut. Pure functions: may be imported by the modules of this package only.
"""

_STARTUP_CYCLES = 100_000
_CYCLES_PER_THREAD = 100_000
_TASK_CYCLES = 40_000
_OVERSHARDING = 4
THREADS = 2


def parts(total: int, cost: float, threads: int = THREADS) -> list[tuple[int, int]]:
    """[start, limit) ranges covering range(total), whose steps cost `cost` cycles each."""
    wanted = int((total * cost - _STARTUP_CYCLES) / _CYCLES_PER_THREAD + 0.9)
    if total <= 1 or threads == 1 or wanted <= 1:
        return [(0, total)] if total else []
    size = _part_size(total, cost, threads)
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def _ceil(a: int, b: int) -> int:
    return -(-a // b)


def _part_size(total: int, cost: float, threads: int) -> int:
    """At least a task's worth, at most 4 parts a thread; larger if that keeps all threads busy."""
    size = min(total, max(_ceil(total, _OVERSHARDING * threads), int(_TASK_CYCLES / cost)))
    limit = min(total, 2 * size)
    count = _ceil(total, size)
    best = count / (_ceil(count, threads) * threads)
    previous = count
    while best < 1.0 and previous > 1:
        coarser = _ceil(total, previous - 1)
        if coarser > limit:
            break
        previous = _ceil(total, coarser)
        busy = previous / (_ceil(previous, threads) * threads)
        if busy + 0.01 >= best:
            size, best = coarser, max(best, busy)
    return size
