"""The target: the CPU that code is made for, and what it can do."""

from __future__ import annotations

import contextlib
import functools
import platform
from collections.abc import Iterator
from typing import Any

from tapeflow.jit.runtime.fork_gate import once


class UnsupportedMachine(Exception):
    """There is no native code for this machine."""


class Target:
    """A CPU as LLVM names it, and what decides how code for it is written.

    vector: bytes of a vector register; registers: how many there are; fma: whether it has a fused
    multiply-add; half: whether it converts float16; rounds: whether it rounds floats to whole
    numbers by an instruction, not by the C library. opt: how much LLVM optimises while it makes
    machine code, 0 to 3.
    """

    def __init__(self, triple: str, cpu: str, features: str, arch: str, names: frozenset[str],
                 opt: int = 2):
        self.triple, self.cpu, self.features = triple, cpu, features
        self.arch, self.names, self.opt = arch, names, opt
        if arch == "aarch64":
            self.vector, self.registers, self.fma, self.half = 16, 32, True, True
        else:
            self.vector = 64 if "avx512f" in names else 32 if "avx2" in names else 16
            self.registers = 32 if "avx512f" in names else 16
            self.fma, self.half = "fma" in names, "f16c" in names
        self.rounds = arch == "aarch64" or "sse4.1" in names or self.vector > 16

    def lanes(self, itemsize: int) -> int:
        """Elements of this size in one register."""
        return self.vector // itemsize

    @property
    def attributes(self) -> str:
        """Function attributes: no traps, and registers as wide as they are."""
        return (f'nounwind "no-trapping-math"="true" "prefer-vector-width"="{8 * self.vector}" '
                f'"min-legal-vector-width"="{8 * self.vector}"')

    @property
    def task_attributes(self) -> str:
        """Of functions that find out what a task is and call who does it: a few instructions each,
        which are not worth LLVM's time."""
        return f"noinline optnone {self.attributes}"


@once  # no process is forked while LLVM is asked
def _this_machine() -> Target:
    import llvmlite.binding as llvm
    machine = platform.machine().lower()
    arch = "aarch64" if machine in ("arm64", "aarch64") else machine
    if arch not in ("x86_64", "amd64", "aarch64"):
        raise UnsupportedMachine(f"no native code for the CPU {platform.machine()!r}")
    features: Any = llvm.get_host_cpu_features()
    names = frozenset(name for name, on in features.items() if on)
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), arch,
                  names)


# x86-64 by what it adds: the CPU that stands for it in LLVM, and the features that decide here.
LEVELS = {"baseline": ("x86-64", frozenset()),
          "avx2": ("haswell", frozenset({"sse4.1", "avx2", "fma", "f16c"})),
          "avx512": ("skylake-avx512",
                     frozenset({"sse4.1", "avx2", "fma", "f16c", "avx512f"}))}
_chosen: list[Target] = []


def host() -> Target:
    """The machine that code is made for: this one, unless `using` says otherwise."""
    return _chosen[-1] if _chosen else _this_machine()


@functools.cache
def level(name: str | None = None, opt: int = 2) -> Target | None:
    """This machine with the features of one of LEVELS only; None if it does not have them.

    None: this machine as it is.
    """
    machine = _this_machine()
    if name is None:
        return Target(machine.triple, machine.cpu, machine.features, machine.arch, machine.names,
                      opt)
    cpu, names = LEVELS[name]
    if machine.arch == "aarch64" or not names <= machine.names:
        return None
    return Target(machine.triple, cpu, "", machine.arch, names, opt)


@functools.cache
def widened(name: str, opt: int = 2) -> Target | None:
    """What is chosen for one of LEVELS (vectors, registers, tiles), in code that this machine runs.

    LLVM cuts vectors to the registers that there are. None: another architecture.
    """
    machine = _this_machine()
    if machine.arch == "aarch64":
        return None
    return Target(machine.triple, machine.cpu, machine.features, machine.arch, LEVELS[name][1], opt)


@contextlib.contextmanager
def using(target: Target) -> Iterator[None]:
    """Make code for another machine, for a while and in the whole process: for tests."""
    _chosen.append(target)
    try:
        yield
    finally:
        _chosen.pop()
