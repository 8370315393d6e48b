"""Sequences decoded from scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting


@written("ctc_greedy_decoder")
def _greedy(w: GraphWriter, node: Any, logits: Term, lengths: Term) -> list[Term]:
    """The best class of each step by "ArgMax"; "Compress" drops blanks and repeats"""
    steps = counting(w, w.squeeze(w.size_of(logits, 0), 0))
    inside = w.unsqueeze(steps, 0) < w.unsqueeze(w.cast(lengths, INT64), 1)
    best = w.transpose(w.op("ArgMax", logits, dtype=INT64, axis=2, keepdims=0), (1, 0))
    keep = inside & ~best.equals(node.attrs["blank"])
    if node.attrs["merge"]:
        before = w.op("Pad", w.slice(best, [0], [-1], [1]), w.ints(0, 1, 0, 0),
                      w.scalar(-1, INT64))
        keep = keep & ~best.equals(before)
    marks = w.cast(keep, INT64)
    column = w.op("CumSum", marks, w.constant(np.int64(1)), exclusive=1)
    row = w.unsqueeze(counting(w, w.squeeze(w.size_of(logits, 1), 0)), 1) + column * 0
    flat = w.reshape(keep, (-1,))
    values, rows, columns = [w.op("Compress", w.reshape(one, (-1,)), flat, axis=0)
                             for one in (best, row, column)]
    counts = w.op("ReduceSum", marks, w.ints(1), keepdims=0)
    most = w.op("ReduceMax", counts, w.ints(0), keepdims=1)
    top = w.transpose(w.op("ReduceMax", logits, w.ints(2), keepdims=0), (1, 0))
    score = -w.op("ReduceSum", w.where(inside, top, 0), w.ints(1), keepdims=1)
    return [w.concat([w.unsqueeze(rows, 1), w.unsqueeze(columns, 1)], 1), values,
            w.concat([w.size_of(logits, 1), most]), score]
