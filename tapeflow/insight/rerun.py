"""One re-run of a training step after a NaN was fetched: which op and line made it.

`noticed` is called when a scalar that leaves for Python is NaN. By then the step has written NaN
into its variables. The next call of such a step is preceded by a checked run of its graph: on the
arguments of that call, from the values that the variables had when the step was traced
(`graph/functions/first_values.py`), repeated up to `TURNS` times as training diverges slowly. The
program's own variables are not touched. What is found is logged, once for each step.
"""

from __future__ import annotations

import atexit
import logging
import weakref
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_handler
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.variable import twin_of
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction, fetch_value, replay_node
from tapeflow.graph.functions.first_values import FIRST
from tapeflow.graph.functions.signature import Signature
from tapeflow.graph.variable_ops import write
from tapeflow.insight.births import Birth, BirthWatch, is_finite, report

TURNS = 50
_HINT = ("`tapeflow run --debug script.py`, or tf.insight.debug() around the loop, names the op "
         "and line where it is born.")
_waiting: dict[int, str] = {}  # steps whose next call will be checked: what to say if none comes
_done: weakref.WeakSet[Any] = weakref.WeakSet()  # steps that were reported
_told: set[str] = set()  # what is said once in a process


class _Collecting(BirthWatch):
    """Goes on to the end of the step: what its results tell may matter more than a variable."""

    __slots__ = ("arrivals",)

    def __init__(self) -> None:
        super().__init__()
        self.arrivals: list[tuple[str, Any, Birth]] = []

    def arrived(self, what: str, value: Any, birth: Birth) -> None:
        self.arrivals.append((what, value, birth))

    def worst(self) -> tuple[str, Any, Birth]:
        """A birth in the forward pass comes before those that follow from it."""
        return next((one for one in self.arrivals if one[2].forward is None), self.arrivals[0])


def noticed(tensor: Any) -> None:
    """A scalar was fetched that is NaN."""
    if state.trace is not None or any(isinstance(one, BirthWatch) for one in state.stack):
        return
    steps = False
    for function, first in list(FIRST.items()):
        sick = [use.variable for concrete in function._traces.in_order
                for uid, use in concrete.function.graph.variables.items()
                if uid in first and not is_finite(use.variable._snapshot._value)]
        steps = steps or bool(sick)
        if sick and function not in _done:
            _done.add(function)
            _prepare(function, first, sick[0].name)
    if tensor._uid and not steps and "eager" not in _told:
        _told.add("eager")
        _log(f"tapeflow: a NaN was read that a tape has recorded. {_HINT}")


def _prepare(function: Any, first: dict[int, Any], name: str) -> None:
    """Let the next call of a step begin with a checked run."""
    if not _waiting:
        atexit.register(_tell_rest)
    _waiting[id(function)] = (f"tapeflow: NaN in what {function.__name__!r} computes; its variable "
                              f"{name!r} is not finite any more. {_HINT}")

    def checked(args: tuple, kwargs: dict, key: Any) -> Any:
        del function._by_signature  # the method serves again
        text = _waiting.pop(id(function), "")
        try:
            _log(_found(function, first, args, kwargs) or text)
        except Exception as error:  # a report that fails must not stop the program
            if from_handler(error):
                raise
            _log(text)
        return function._by_signature(args, kwargs, key)

    function._by_signature = checked
    function._native = None
    function._quick.clear()


def _log(text: str) -> None:
    logging.getLogger("tensorflow").warning(text)


def _tell_rest() -> None:
    for text in _waiting.values():
        _log(text)


def _found(function: Any, first: dict[int, Any], args: tuple, kwargs: dict) -> str | None:
    """What a checked run of the step on these arguments tells; None: nothing."""
    args = function._parameters.bind(args, kwargs)
    if function._wanted is not None:
        args = function._wanted.fit(args)
    signature = Signature(function._parameters, args)
    concrete = function._traces.by_key.get(signature.key)
    if concrete is None or signature.variables:
        return None
    inputs = [*signature.tensors, *concrete._captured]
    graph = concrete.function.graph
    fed = _fed(graph)
    if fed is None or any(use.variable is None for use in graph.variables.values()):
        return None
    graph, inputs = _without(graph, fed, inputs)
    twins = [twin_of(use.variable, np.copy(first[uid])[()] if uid in first else None)
             for uid, use in graph.variables.items()]
    step, watch = GraphFunction(graph), _Collecting()
    with states.only((watch,)):
        for turn in range(TURNS):
            for y in step.replay(inputs, twins):
                watch.escaped(y)
            if watch.arrivals:
                since = "" if turn == 0 else f", repeated {turn + 1} times"
                return (f"tapeflow: NaN in what {function.__name__!r} computes. A run from the "
                        f"variables' first values on these arguments{since} finds:\n"
                        f"{report(*watch.worst())}")
    return None


def _fed(graph: ir.Graph) -> list[ir.Node] | None:
    """The nodes that bring data from outside (iterators); None: others have effects too."""
    fed = []
    for node in graph.nodes:
        if not node.op.stateful or node.op is write or node.op.kind == "random":
            continue
        if _all_handles(node.inputs):
            fed.append(node)
        elif not _all_handles(node.outputs):  # it does more than to make an optional of values
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
