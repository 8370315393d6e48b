"""The text of native code: the same in every process, so that bits and the cache's keys are."""

import os

from tapeflow.jit.runtime import llvm_backend, thread_pool
from tapeflow.jit.runtime.image_cache import program_cache
from tapeflow.jit.runtime.native_call import call_stub
from tests.repeat import native, programs

FEW = ("loop (32", "scatter (3000", "rows (64", "normalised", "stack (9", "(24,10,24,32) (3,1)")


def _texts(run):
    """What is compiled, and under which keys it is kept, while a case runs."""
    found, compile_, name = [], llvm_backend.objects_of, program_cache.key_of

    def objects_of(texts, *args):
        texts = list(texts)
        found.extend(texts)
        return compile_(texts, *args)

    def key_of(*args):
        found.append(name(*args) or "")
        return name(*args)

    os.environ["TAPEFLOW_CACHE"] = ""  # all is compiled
    # What a thread of its own compiles beside the first program may be done before or after it.
    thread_pool.symbols()
    call_stub.run_on_objects()
    llvm_backend.objects_of, program_cache.key_of = objects_of, key_of
    try:
        run()
    finally:
        llvm_backend.objects_of, program_cache.key_of = compile_, name
    assert found
    return found


CASES = {name: lambda run=run: _texts(run) for name, run in {
    **{name: run for name, run in programs.CASES.items() if "data" not in name
       and name != "seeded_map"},
    **{name: run for name, run in native.CASES.items() if any(one in name for one in FEW)},
}.items()}
