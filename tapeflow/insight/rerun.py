"""One re-run of a compiled step after a NaN or infinity was fetched: which op and line made it.

`noticed` is called when what leaves for Python is not finite. Steps are the tf.functions that write
variables or take gradients. A step keeps references to the arguments of its last call, so its graph
is run once more on those, node by node under a watch; the program's variables are not touched.
Where the step has written what is not finite into its variables, their values are gone: the run
begins with those they had when the step was traced (`graph/functions/first_values.py`), and is
repeated up to `TURNS` times, as training may diverge slowly; a step that takes long on NumPy fewer
times, and not at all if its variables are finite. A step that takes its data from an iterator is
run before its next call, on the data of that one. What is found is logged, once for each step.
"""

from __future__ import annotations

import atexit
import contextlib
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import from_handler
from tapeflow.core import state as states
from tapeflow.core.values.variable import twin_of
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction, fetch_value, replay_node
from tapeflow.graph.functions.first_values import FIRST
from tapeflow.graph.functions.signature import Signature
from tapeflow.graph.variable_ops import write
from tapeflow.insight import eager_steps
from tapeflow.insight.births import has_nan, is_finite, report
from tapeflow.insight.collected_births import HINT, Collecting, log, watching
from tapeflow.insight.remedies import DATA
from tapeflow.insight.sick_data import in_sources
from tapeflow.jit.tiering import cost
from tapeflow.jit.verification.reference_run import streams_in

TURNS = 50
PATIENCE = 5.0  # seconds on NumPy, by estimate, of all turns of a step
TRIES = 3  # runs of a step that find nothing
_waiting: dict[int, str] = {}  # steps whose next call will be checked: what to say if none comes
_tries: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()  # runs of each step


def noticed(tensor: Any) -> None:
    """What was fetched is not finite."""
    if watching() or eager_steps.fetched():
        return
    for function, first in list(FIRST.items()):
        if _tries.get(function, 0) >= TRIES:
            continue
        sick = [use.variable for concrete in function._traces.in_order
                for uid, use in concrete.function.graph.variables.items()
                if uid in first and not is_finite(use.variable._snapshot._value)]
        _tries[function] = TRIES if sick else _tries.get(function, 0) + 1
        kind = "NaN" if has_nan(tensor._value) else "infinity"
        _look_at(function, first, sick, f"tapeflow: {kind} in what {function.__name__!r} computes")


def _look_at(function: Any, first: dict[int, Any], sick: list, head: str) -> None:
    """Run a step again now, or before its next call."""
    text = "" if not sick else f"{head}; its variable {sick[0].name!r} is not finite any more. "
    try:
        data = _in_data(function) if sick else ""
        if data:
            log(f"{text}{data}\nremedy: {DATA}")
            return None
        text += f"{HINT} A NaN in the data does the same: np.isnan(x).any()." if sick else ""
        step = _last_call(function)
        if step is None:
            return _prepare(function, first, text, head) if sick else None
        found = _found(*step, first if sick else None, head)
    except Exception as error:  # a report that fails must not stop the program
        if from_handler(error):
            raise
        found = None
    if found:
        _tries[function] = TRIES
    if found or text:
        log(found or text)
    return None


def _in_data(function: Any) -> str:
    """Where the datasets whose iterators a step takes have a NaN or infinity; "" if nowhere."""
    for one in nest.flatten(function._last, expand_composites=True):
        value = getattr(one, "_value", None)
        if isinstance(value, np.ndarray) and value.dtype.kind == "O" and not value.ndim:
            held = value.item()
            if hasattr(held, "dataset"):
                return in_sources(held.dataset)
    return ""


def _last_call(function: Any) -> tuple[ir.Graph, list] | None:
    """The graph and the inputs of the last call; None: they cannot be had again."""
    last = function._last
    if last is None:
        return None
    if type(last) is tuple:
        return _on(function, Signature(function._parameters, last if function._wanted is None
                                       else function._wanted.fit(last)))
    concrete, tensors = last
    return _whole(concrete, tensors)


def _on(function: Any, signature: Signature) -> tuple[ir.Graph, list] | None:
    """The graph for these arguments, and its inputs."""
    concrete = function._traces.by_key.get(signature.key)
    return None if concrete is None or signature.variables else _whole(concrete, signature.tensors)


def _whole(concrete: Any, tensors: list) -> tuple[ir.Graph, list] | None:
    """A graph that nothing but its inputs and variables decides."""
    graph = concrete.function.graph
    return (graph, [*tensors, *concrete._captured]) if _fed(graph) == [] else None


def _prepare(function: Any, first: dict[int, Any], text: str, head: str) -> None:
    """Let the next call of a step begin with a checked run."""
    if not _waiting:
        atexit.register(_tell_rest)
    _waiting[id(function)] = text

    def checked(args: tuple, kwargs: dict, key: Any) -> Any:
        del function._by_signature  # the method serves again
        text = _waiting.pop(id(function), "")
        try:
            log(_found_before(function, first, args, kwargs, head) or text)
        except Exception as error:  # a report that fails must not stop the program
            if from_handler(error):
                raise
            log(text)
        return function._by_signature(args, kwargs, key)

    function._by_signature = checked
    function._native = None
    function._quick.clear()


def _tell_rest() -> None:
    for text in _waiting.values():
        log(text)


def _found_before(function: Any, first: dict[int, Any], args: tuple, kwargs: dict,
                  head: str) -> str | None:
    """What a checked run on these arguments, and on the next elements of iterators, tells."""
    args = function._parameters.bind(args, kwargs)
    if function._wanted is not None:
        args = function._wanted.fit(args)
    signature = Signature(function._parameters, args)
    concrete = function._traces.by_key.get(signature.key)
    if concrete is None or signature.variables:
        return None
    graph = concrete.function.graph
    fed = _fed(graph)
    if fed is None:
        return None
    graph, inputs = _without(graph, fed, [*signature.tensors, *concrete._captured])
    return _found(graph, inputs, first, head, "the arguments of the next call")


def _found(graph: ir.Graph, inputs: list, first: dict[int, Any] | None, head: str,
           what: str = "the arguments of its last call") -> str | None:
    """What a checked run of the step tells; None: nothing. first: what variables begin with."""
    if any(use.variable is None for use in graph.variables.values()):
        return None
    twins = [twin_of(use.variable, np.copy(first[uid])[()] if first and uid in first else None)
             for uid, use in graph.variables.items()]
    turns = min(TURNS if first else 1, int(PATIENCE / cost.on_numpy(graph)))
    step, watch = GraphFunction(graph), Collecting()
    writes = any(node.op is write for node in graph.nodes)
    with states.only((watch,)), _streams_kept(graph):
        for turn in range(max(turns, 1) if first else turns):
            for y in step.replay(inputs, twins):
                watch.escaped(y)
            if watch.arrivals:
                since = "" if turn == 0 else f" repeated {turn + 1} times,"
                begin = "," if since else ""
                if writes:
                    begin = (", from the variables' first values," if first else
                             ", from what the variables hold now,")
                return (f"{head}. A run on {what}{begin}{since} finds:\n"
                        f"{report(*watch.worst())}")
    return None


@contextlib.contextmanager
def _streams_kept(graph: ir.Graph) -> Iterator[None]:
    """Put back what a run draws: the program's own random numbers stay what they are."""
    before = [(stream, stream.state()) for stream in streams_in(graph)]
    try:
        yield
    finally:
        for stream, held in before:
            stream.restore(held)


def _fed(graph: ir.Graph) -> list[ir.Node] | None:
    """The nodes that bring data from outside (iterators); None: others have effects too."""
    fed = []
    for node in graph.nodes:
        if not node.op.stateful or node.op is write or node.op.kind == "random":
            continue
        if _all_handles(node.inputs):
            fed.append(node)
        elif not node.op.name.startswith("optional"):  # more than an optional made of values
            return None
    return fed


def _all_handles(values: tuple[ir.Value, ...]) -> bool:
    return bool(values) and all(value.dtype.kind == "O" for value in values)


def _without(graph: ir.Graph, fed: list[ir.Node], inputs: list) -> tuple[ir.Graph, list]:
    """The graph with what iterators bring as further inputs, and the next element of each.

    The element is put back: the program's own call takes it.
    """
    if not fed:
        return graph, inputs
    env = dict(zip(graph.inputs, inputs, strict=True))
    env.update({value: x for x, value in graph.captured})
    made = ir.Graph(graph.name)
    made.inputs, made.outputs = list(graph.inputs), graph.outputs
    made.variables, made.captured = graph.variables, graph.captured
    made.nodes = [node for node in graph.nodes if node not in fed]
    for node in fed:
        resource = fetch_value(env, node.inputs[0])._value.item()
        put_back = resource.put_back  # what has none is no iterator, and is not touched
        replay_node(node, env, None)
        put_back([env[value]._value for value in node.outputs])
        made.inputs += node.outputs
    return made, [fetch_value(env, value) for value in made.inputs]
