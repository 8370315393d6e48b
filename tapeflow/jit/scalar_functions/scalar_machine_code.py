"""A module of scalar functions as machine code: translated, optimised, kept on disk, called.

Imported by `_wiring.py`, when a program has read so much that it pays.
"""

from __future__ import annotations

import ctypes
import importlib
from types import SimpleNamespace
from typing import Any

from tapeflow.base.exception_origin import from_library
from tapeflow.base.machine_code.scalar_functions import bytes_lie_so
from tapeflow.jit.runtime import llvm_backend
from tapeflow.jit.runtime.fork_gate import compiling
from tapeflow.jit.runtime.image_cache.cache_files import read_cache, write_cache
from tapeflow.jit.runtime.target import Target, host
from tapeflow.jit.scalar_functions.scalar_translator import (
    POINTERS,
    VECTORS,
    Signature,
    translate,
)

_CTYPES: dict[str, Any] = {"i64": ctypes.c_int64, "double": ctypes.c_double}


def crc_instructions(target: Target) -> tuple[str, str] | None:
    """LLVM's names for CRC-32C of a word and of a byte, where the CPU has them."""
    if target.arch == "aarch64":
        names = ("llvm.aarch64.crc32cx", "llvm.aarch64.crc32cb")
        return names if "crc" in target.names else None
    if "sse4.2" in target.names:
        return "llvm.x86.sse42.crc32.64.64", "llvm.x86.sse42.crc32.32.8"
    return None


def text_of(module: Any, target: Target) -> tuple[str, dict[str, Signature]]:
    """LLVM text of a module's functions for a CPU, and their signatures."""
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    crc = crc_instructions(target)
    constants = {name: int(value) for name, value in vars(module).items()
                 if isinstance(value, int)}
    return translate(source, {**constants, "HAS_CRC": int(crc is not None)}, crc)


def optimised_object(text: str, target: Target) -> bytes:
    """An object file; LLVM's passes run, unlike for graphs, whose text is made for speed."""
    with compiling:
        llvm = llvm_backend._llvm()
        module = llvm.parse_assembly(text, context=llvm.create_context())
        module.triple = target.triple
        machine = llvm_backend.target_machine(llvm, target)
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
        builder.getModulePassManager().run(module, builder)
        return machine.emit_object(module)


def compiled(name: str) -> Any:
    """The functions of a module, by name; None where there is no machine code."""
    try:
        if not bytes_lie_so():
            return None
        module = importlib.import_module(name)
        target = host()
        text, signatures = text_of(module, target)
        key = llvm_backend.digest(f"scalar functions\n{text}")
        data = read_cache(key)
        if data is None:
            data = optimised_object(text, target)
            write_cache(key, data)
        loaded = llvm_backend.load_objects([data])
    except Exception as error:  # no llvmlite, no source, or a processor that it does not know
        if not from_library(error):
            raise
        return None
    unlocked = getattr(module, "RELEASES_GIL", False)
    found = {one: _function(loaded.address(one), kinds, unlocked)
             for one, kinds in signatures.items()
             if not VECTORS.keys() & {*kinds.parameters.values(), kinds.result}}
    return SimpleNamespace(**found, loaded=loaded)


def _function(address: int, kinds: Signature, unlocked: bool = False) -> Any:
    """A call of machine code; unlocked, other threads of Python go on meanwhile."""
    given: list[Any] = [ctypes.c_void_p if kind in POINTERS else _CTYPES[kind]
                        for kind in kinds.parameters.values()]
    kind = ctypes.CFUNCTYPE if unlocked else ctypes.PYFUNCTYPE
    return kind(_CTYPES[kinds.result], *given)(address)
