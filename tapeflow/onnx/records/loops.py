"""A Loop whose number of iterations is known before it, for records that need one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tapeflow.onnx.onnx_writer import BOOL, INT64, GraphWriter, Term


def looped(w: GraphWriter, count: Term, states: list[Term], step: Callable) -> list[Term]:
    """`states = step(writer, iteration, *states)`, `count` times; shapes may change."""
    body = w.subgraph("loop")
    at = body.input("iteration", INT64, ())
    body.input("go_on", BOOL, ())
    ranks = [None if one.shape is None else (None,) * len(one.shape) for one in states]
    before = [body.input("carry", one.dtype, rank) for one, rank in zip(states, ranks, strict=True)]
    after = step(body, at, *before)
    body.output(body.constant(np.array(True)), shape=())
    for one, rank in zip(after, ranks, strict=True):
        body.output(one, shape=rank)
    return w.ops("Loop", len(states), count, None, *states, dtypes=[one.dtype for one in states],
                 shapes=ranks, body=body.graph)
