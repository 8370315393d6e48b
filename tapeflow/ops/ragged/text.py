"""The text of a ragged tensor, as tf.print and tf.strings.format show it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.control.printing import as_string
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor
from tapeflow.ops.ragged.row_partition_ops import SPLITS

_STRING = np.dtype(object)


def _shown(value: Any, summarize: int, quoted: bool) -> str:
    if not isinstance(value, list):
        text = value.decode("utf-8", "surrogateescape")
        return f"'{text}'" if quoted else text
    parts: list[Any] = value
    if 0 <= summarize and len(value) > 2 * summarize:
        parts = [*value[:summarize], None, *value[len(value) - summarize:]]
    return "[" + ", ".join(["..." if one is None else _shown(one, summarize, quoted)
                            for one in parts]) + "]"


def _text_kernel(flat, *splits, summarize, quoted):
    rows = flat.tolist()
    for one in reversed(splits):
        bounds = one.tolist()
        rows = [rows[a:b] for a, b in zip(bounds, bounds[1:])]
    result = np.empty((), _STRING)
    result[()] = _shown(rows, summarize, quoted).encode("utf-8", "surrogateescape")
    return result


_text = define("ragged_text", kernel=_text_kernel, args=("*operands",), batch=loop, dtypes="Oiu",
               shape=lambda *specs, summarize, quoted: Spec((), _STRING),
               vjp=NONDIFF("a text has no derivative"),
               check=[Case(np.array([b"1", b"2", b"3", b"4", b"5"], object), SPLITS, summarize=1,
                           quoted=False)])


def text_of(rt: RaggedTensor, summarize: int) -> Tensor:
    """[[1, 2], [], [3]]"""
    quoted = rt.dtype is dtypes.string
    flat = rt.flat_values if quoted else as_string(rt.flat_values)
    return _text(flat, *rt.nested_row_splits, summarize=summarize, quoted=quoted)
