"""What depends on constants only, computed while the graph is written: weights, sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SMALL = 4096  # elements up to which anything is computed; of larger constants only moves are


def _slice(x: Any, starts: Any, ends: Any, axes: Any, steps: Any) -> Any:
    index = [slice(None)] * x.ndim
    for start, end, axis, step in zip(*[one.tolist() for one in (starts, ends, axes, steps)]):
        index[axis] = slice(start, None if step < 0 and end < -x.shape[axis] else end, step)
    return x[tuple(index)]


def _unsqueeze(x: Any, axes: Any) -> Any:
    return np.expand_dims(x, tuple(axes.tolist()))


_MOVES: dict[str, Callable] = {
    "Transpose": lambda x, perm: np.ascontiguousarray(x.transpose(perm)),
    "Reshape": lambda x, shape, allowzero=0: x.reshape(
        [int(n) if n or allowzero else x.shape[i] for i, n in enumerate(shape)]),
    "Unsqueeze": _unsqueeze,
    "Squeeze": lambda x, axes: np.squeeze(x, tuple(axes.tolist())),
    "Cast": lambda x, to: x.astype(to),
    "Slice": _slice,
}
_COMPUTED: dict[str, Callable] = {
    "Concat": lambda *xs, axis: np.concatenate(xs, axis),
    "Gather": lambda x, i, axis=0: np.take(x, i, axis),
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Neg": np.negative,
    "Max": lambda a, b: np.maximum(a, b), "Min": lambda a, b: np.minimum(a, b),
    "Where": np.where, "Equal": np.equal, "Less": np.less, "Greater": np.greater,
    "ReduceProd": lambda x, axes=None, keepdims=1: np.prod(
        x, None if axes is None else tuple(axes.tolist()), keepdims=bool(keepdims)),
    "Range": lambda a, b, d: np.arange(a.item(), b.item(), d.item(), dtype=a.dtype),
    "Expand": lambda x, shape: np.broadcast_to(
        x, np.broadcast_shapes(x.shape, tuple(shape.tolist()))),
}


def folded(kind: str, operands: list, attrs: dict, dtype: Any) -> np.ndarray | None:
    """The result of a node whose operands (Terms) are all constants, if it can be computed here."""
    if not operands or any(one.const is None or one.dtype.kind in "cO" for one in operands):
        return None
    function = _MOVES.get(kind)
    if function is None:
        function = _COMPUTED.get(kind)
        if function is None or sum(one.const.size for one in operands) > SMALL:
            return None
    if any(one.const.dtype.kind == "V" for one in operands) and kind not in _MOVES:
        return None
    with np.errstate(all="ignore"):
        result = np.asarray(function(*[one.const for one in operands], **attrs))
    if kind == "Expand" and result.size > SMALL:
        return None
    return np.ascontiguousarray(result).reshape(result.shape).astype(dtype, copy=False)
