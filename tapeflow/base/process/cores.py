"""How many cores this process may use."""

from __future__ import annotations

import os

from tapeflow.base.exception_origin import unsignalled


def usable_cores() -> int:
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
    return max(1, count)
