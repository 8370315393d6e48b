"""Control flow as libraries call it from inside: cases, parallel loops, questions about XLA."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tapeflow

ENABLE_CONTROL_FLOW_V2 = True


def GraphOrParentsInXlaContext(graph: Any) -> bool:
    """Whether a graph, or one around it, is that of a function with `jit_compile=True`."""
    while graph is not None:
        if getattr(graph, "compiled", False):
            return True
        graph = getattr(graph, "outer", None) or getattr(graph, "around", None)
    return False


def EnableControlFlowV2(graph: Any) -> bool:
    """Whether loops and branches of a graph are nodes that hold graphs: always."""
    return ENABLE_CONTROL_FLOW_V2


def InXlaContext(graph: Any) -> bool:
    """Whether a graph is that of a function with `jit_compile=True`."""
    return bool(getattr(graph, "compiled", False))


def IsInXLAContext(op: Any) -> bool:
    """Whether an operation belongs to a function with `jit_compile=True`."""
    return GraphOrParentsInXlaContext(op.graph)


def _of_type(*types: str) -> Callable[[Any], bool]:
    """The question whether an operation has one of some types."""
    return lambda op: op.type in types


IsSwitch = _of_type("Switch", "RefSwitch")
IsMerge = _of_type("Merge", "RefMerge")
IsLoopEnter = _of_type("Enter", "RefEnter")
IsLoopExit = _of_type("Exit", "RefExit")


def smart_case(pred_fn_pairs: Any, default: Callable | None = None, exclusive: bool = False,
               name: str = "smart_case") -> Any:
    """`tf.case` whose conditions are looked at now where they are known."""
    return _case_helper(tapeflow.__internal__.smart_cond.smart_cond, pred_fn_pairs, default,
                        exclusive, name, allow_python_preds=True)


def get_enclosing_xla_context() -> None:
    """The context of XLA around: there is none."""


def _case_helper(cond_fn: Callable, pred_fn_pairs: Any, default: Callable | None, exclusive: bool,
                 name: str | None, allow_python_preds: bool = False, **cond_kwargs: Any) -> Any:
    """`tf.case` with another function for its conditions."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if default is None:
        *pairs, (_, default) = pairs
    chosen: Callable = default
    for predicate, action in reversed(pairs):
        chosen = functools.partial(cond_fn, predicate, true_fn=action, false_fn=chosen,
                                   **cond_kwargs)
    if exclusive and len(pairs) > 1:
        count = tapeflow.add_n([tapeflow.cast(one, tapeflow.int32) for one, _ in pairs])
        tapeflow.debugging.assert_less_equal(count, 1, message="Input error: exclusive=True")
    return chosen()


def pfor(loop_fn: Callable, iters: Any, fallback_to_while_loop: bool = True,
         parallel_iterations: int | None = None, warn: bool = False) -> Any:
    """`loop_fn(i)` for all i at once, its results stacked."""
    import inspect

    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError("Argument `parallel_iterations` must be None or a positive integer. "
                         f"Received: {parallel_iterations}.")
    if "pfor_config" in inspect.signature(loop_fn).parameters:
        raise NotImplementedError("tapeflow has no PForConfig: a loop function takes the number "
                                  "of the iteration alone.")
    return tapeflow.vectorized_map(loop_fn, tapeflow.range(iters),
                                   fallback_to_while_loop=fallback_to_while_loop)


def for_loop(loop_fn: Callable, loop_fn_dtypes: Any, iters: Any,
             parallel_iterations: int | None = None) -> Any:
    """`loop_fn(i)` one after the other, its results stacked."""
    return tapeflow.map_fn(loop_fn, tapeflow.range(iters), fn_output_signature=loop_fn_dtypes)
