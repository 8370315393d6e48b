"""The compiler from end to end: `compile(graph)` gives an `Executable`.

The stages of a function, one value each:

    graph      simplified for the compiler                    passes/
    Lowered    instructions fused into loops, and kernels     lowering/lower, fusion
    Bindings   slots of what the caller sees                  lowering/binding
    Layout     schedules, tasks, memory                       lowering/layout
    Function   LLVM text in a module                          codegen/emit
    Image      machine code and what running it needs         runtime/image_cache
"""

from __future__ import annotations

import threading

from tapeflow.base.exception_origin import ignoring, start_thread
from tapeflow.core.values.variable_locks import never_writing
from tapeflow.graph import ir
from tapeflow.jit.codegen.emit import CompiledFunction, emit
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.codegen.shared_functions import share
from tapeflow.jit.lowering.binding import bind
from tapeflow.jit.lowering.layout import lay_out
from tapeflow.jit.lowering.lower import lower
from tapeflow.jit.lowering.plan import State
from tapeflow.jit.lowering.supported import Refused, check_supported
from tapeflow.jit.passes.branch_selection import select_branches
from tapeflow.jit.passes.decompose import expand
from tapeflow.jit.passes.joined_slices import join_slices
from tapeflow.jit.passes.loops.hoisting import hoist
from tapeflow.jit.passes.loops.rolling import roll
from tapeflow.jit.passes.loops.trip_count import infer_trip_counts
from tapeflow.jit.passes.window_borders import absorb_borders
from tapeflow.jit.runtime import llvm_backend, thread_pool
from tapeflow.jit.runtime.executable import Executable, load_code
from tapeflow.jit.runtime.fork_gate import once, planning, release_llvm_lock
from tapeflow.jit.runtime.image_cache import cache_files, program_cache
from tapeflow.jit.runtime.image_cache.image import Image
from tapeflow.jit.runtime.native_call import call_stub, python_objects
from tapeflow.jit.runtime.target import Target, host


def compile(graph: ir.Graph, target: Target | None = None, reuse: bool = True) -> Executable:
    """Native code of a graph: from the cache, or made now. Raises `Refused`, which says why not.

    reuse: keep the memory of large results for the next call.
    """
    try:
        with planning():  # asking for the host's CPU takes LLVM's lock, too
            return _compile(graph, target or host(), reuse)
    except BaseException:
        release_llvm_lock()
        raise


def _compile(graph: ir.Graph, target: Target, reuse: bool) -> Executable:
    if not python_objects.object_layout().supported:
        raise Refused("objects of this Python are laid out in another way")
    threads = thread_pool.count()
    key = None if cache_files.folder() is None else program_cache.key_of(graph, threads)
    image, function = program_cache.load(key), None
    if image is None:
        _load_beside()
        function = compile_function(graph, Module(target))
        image = Image.of(function, llvm_backend.objects_of(function.module.texts(threads)))
        program_cache.save(key, image)

    def planned() -> CompiledFunction:
        """The stages' values, for who asks; of cached code they are made once more."""
        nonlocal function
        function = function or compile_function(graph, Module(target))
        return function

    compiled = graph if function is None else function.graph
    return Executable(compiled, graph, image, load_code(image), planned, reuse)


@once
def _load_beside() -> None:
    """Let what all programs need be compiled by a thread of its own, while the first is planned."""
    def load() -> None:
        with never_writing(), planning(), ignoring(Exception):  # who needs it meets it, too
            thread_pool.symbols()
            call_stub.run_on_objects()

    with ignoring(RuntimeError):  # no more threads: who needs it does it
        start_thread(threading.Thread(target=load, name="tapeflow-compiler"))


def compile_function(graph: ir.Graph, module: Module, prefix: str = "",
                     state: State = ()) -> CompiledFunction:
    """A graph as functions of a module, whose names begin with `prefix`.

    state: which inputs are changed in place, and to which outputs.
    """
    def compile_body(body: ir.Graph, name: str, state: State) -> CompiledFunction:
        return compile_function(body, module, prefix + name, state)

    target, threads = module.target, thread_pool.count()
    graph = simplify(graph)
    lowered = lower(graph, target, compile_body, state)
    bindings = bind(lowered)
    plan = lowered.plan.freeze()
    layout = lay_out(plan, bindings, target, threads, outermost=not prefix)
    function = CompiledFunction(graph, module, prefix, plan, bindings, layout, lowered.reasons)
    emit(function, threads)
    if not prefix:
        share(module)
    return function


def simplify(graph: ir.Graph) -> ir.Graph:
    """A copy of a graph with what lowering expects: known sizes, simple ops, light loops."""
    graph = infer_trip_counts(graph)
    check_supported(graph)
    graph = roll(graph)
    graph = expand(join_slices(hoist(select_branches(graph))))
    absorb_borders(graph)
    check_supported(graph)
    return graph
