"""From LLVM text to object files, and from these to machine code in this process.

Objects hold no addresses: pointers come in through a table at run time, so an object made by one
process serves another, from the cache on disk (cache_files.py).
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import threading
import weakref
from typing import Any

from tapeflow.base.exception_origin import ignoring, signals_wait, start_thread, unsignalled
from tapeflow.core.values.variable_locks import never_writing
from tapeflow.jit.runtime.fork_gate import compiling
from tapeflow.jit.runtime.image_cache.cache_files import read_cache, write_cache
from tapeflow.jit.runtime.target import Target, host

_initialised: list[bool] = []

# The engines are kept here, by references to who uses them: llvmlite's finalisers are Python code,
# where an exception of a signal's handler would be lost.
_engines: dict[weakref.ref, Any] = {}
_unused: list[weakref.ref] = []


def _dispose_unused() -> None:
    while _unused:
        engine = _engines.pop(_unused.pop(), None)
        if engine is not None:
            try:
                engine.close()
            finally:  # interrupted in the middle, its finaliser must not do it once more
                engine._owned = True


class LoadedCode:
    """Machine code of one module, which lives as long as this, and until another is loaded."""

    def __init__(self, engine: Any):
        _engines[weakref.ref(self, _unused.append)] = self._engine = engine

    def address(self, name: str) -> int:
        return self._engine.get_function_address(name)


def _llvm() -> Any:
    import llvmlite.binding as llvm
    if not _initialised:
        with ignoring(RuntimeError):  # not needed, and refused, by newer versions
            llvm.initialize()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _initialised.append(True)
    return llvm


@functools.cache
def _context(llvm: Any) -> Any:
    return llvm.create_context()


def target_machine(llvm: Any, target: Target) -> Any:
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=target.opt, reloc="pic", codemodel="small")


def compile_object(text: str, target: Target | None = None) -> bytes:
    """Compile LLVM text to an object file. LLVM's optimising passes are not run."""
    with compiling:
        llvm = _llvm()
        target = target or host()
        # A context of its own, or LLVM keeps every type and constant for ever.
        module = llvm.parse_assembly(text, context=llvm.create_context())
        module.triple = target.triple
        return target_machine(llvm, target).emit_object(module)


def compile_objects(texts: list[str]) -> list[bytes]:
    """Compile texts that make up one program, at the same time."""
    with compiling:
        llvm = _llvm()
        emit = _emitter(llvm)
        if len(texts) == 1 or emit is None:
            return [compile_object(text) for text in texts]
        target = host()
        # Each has a context and a target machine of its own: threads share nothing of LLVM's.
        modules = [llvm.parse_assembly(text, context=llvm.create_context()) for text in texts]
        for module in modules:
            module.triple = target.triple
        objects: list[bytes] = [b""] * len(texts)
        failures: list[str] = []

        def compile_one(i: int) -> None:
            try:
                objects[i] = emit(target_machine(llvm, target), modules[i])
            except unsignalled(Exception) as error:
                failures.append(str(error))

        def compile_on_thread(i: int) -> None:
            with never_writing():
                compile_one(i)

        started = []
        for i in range(1, len(texts)):
            thread = threading.Thread(target=compile_on_thread, args=(i,), name="tapeflow-compiler")
            try:
                start_thread(thread)
                started.append(thread)
            except unsignalled(RuntimeError):  # no more threads, or Python is ending
                compile_one(i)
        compile_one(0)
        for thread in started:
            thread.join()
        modules.clear()  # now: a module must be gone before its context
        if failures:
            raise RuntimeError(failures[0])
        return objects


@functools.cache
def _emitter(llvm: Any) -> Any:
    """Like `emit_object` without llvmlite's lock, which lets one thread at a time into LLVM.

    None if this llvmlite does not have it where others do.
    """
    try:
        library = llvm.ffi.lib
        emit_to_memory = library.LLVMPY_TargetMachineEmitToMemory._cfn
        start, size = library.LLVMPY_GetBufferStart, library.LLVMPY_GetBufferSize
        dispose, output = library.LLVMPY_DisposeMemoryBuffer, llvm.ffi.OutputString
    except unsignalled(AttributeError):
        return None

    def emit(machine: Any, module: Any) -> bytes:
        with output() as message:
            buffer = emit_to_memory(machine, module, 1, message)
            if not buffer:
                raise RuntimeError(str(message))
        try:
            return ctypes.string_at(start(buffer), size(buffer))
        finally:
            dispose(buffer)

    return emit


def load_objects(objects: list[bytes], symbols: dict[str, int] | None = None) -> LoadedCode:
    """Machine code from object files that refer to each other."""
    with compiling:
        _dispose_unused()
        llvm = _llvm()
        for name, address in (symbols or {}).items():
            llvm.add_symbol(name, address)
        # An engine needs a module, whose context must outlive it.
        empty = llvm.parse_assembly("", context=_context(llvm))
        # The engine owns the target machine that it is given: each has its own.
        machine = target_machine(llvm, host())
        with signals_wait():  # half an engine cannot be freed
            engine = llvm.create_mcjit_compiler(empty, machine)
        for data in objects:
            engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        return LoadedCode(engine)


def objects_of(texts: list[str]) -> list[bytes]:
    """The objects of LLVM texts, from the cache if they were compiled before."""
    with compiling:
        return _objects_of(texts)


def _objects_of(texts: list[str]) -> list[bytes]:
    keys = [digest(text) for text in texts]
    cached = {key: read_cache(key) for key in keys}
    missing = [i for i, key in enumerate(keys) if cached[key] is None]
    if missing:
        compiled = compile_objects([texts[i] for i in missing])
        for i, new in zip(missing, compiled, strict=True):
            cached[keys[i]] = new
            write_cache(keys[i], new)
    return [data for key in keys if (data := cached[key]) is not None]


def load(text: str, symbols: dict[str, int] | None = None) -> LoadedCode:
    """Machine code of LLVM text, from the cache if it was compiled before."""
    return load_objects(objects_of([text]), symbols)


def digest(text: str) -> str:
    """What an object depends on: its text, LLVM's version and the CPU."""
    return hashlib.sha256(f"{text}\0{_compiler_and_cpu(host())}".encode()).hexdigest()


@functools.cache
def _compiler_and_cpu(target: Target) -> str:
    import llvmlite
    import llvmlite.binding as llvm
    return "\0".join((llvmlite.__version__, str(llvm.llvm_version_info), target.triple, target.cpu,
                      target.features, str(target.opt)))


def void_function(address: int, releases: bool, *kinds: Any) -> Any:
    """A function of native code; `releases`: other Python threads run meanwhile."""
    make = ctypes.CFUNCTYPE if releases else ctypes.PYFUNCTYPE
    return make(None, *kinds)(address)
