"""`GradientTape.jacobian` and `batch_jacobian`: one vectorised walk for all rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff import tape as tapes
from tapeflow.core.autodiff.batching import BatchLevel, eye_seeds
from tapeflow.core.autodiff.sources import (
    as_source,
    flatten_sources,
    is_differentiable,
    snapshot_of,
)
from tapeflow.core.autodiff.tape import GradientTape, UnconnectedGradients
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import constant_like, expand, reshape, transpose
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, uid_of, wrap

_size = LatePublic("size")
_concat = LatePublic("concat")
_shape = LatePublic("shape")
_reshape = LatePublic("reshape")
_eye = LatePublic("eye")
_zeros = LatePublic("zeros")
_reduce_prod = LatePublic("reduce_prod")


def _rows(tape: GradientTape, target: Any, sources: list, seeds: Any) -> list:
    """For each source the gradients of all seeds at once, batch axis first; None: unconnected."""
    record = tape._begin()
    seeds = seeds if isinstance(seeds, Tensor) else wrap(seeds)

    def walk(seed: Tensor) -> list:
        grads: dict[int, Any] = {uid_of(target): seed}
        keep = {uid_of(source) for source in sources}
        walk_back(record, grads, keep, False, not tape._persistent)
        found = [grads.get(source._uid) for source in sources]
        return [densify(g) if isinstance(g, IndexedSlices) else g for g in found]

    try:
        if not all(_sized(x) for x in [target, *sources]):
            assert state.trace is not None  # nowhere else are sizes unknown
            return state.trace.vectorized_map(walk, seeds, [seeds], False)
        with BatchLevel(shape_of(seeds)[0]) as level:
            found = walk(level.batched(seeds))
        return [None if g is None else level.inner(g) for g in found]
    except Exception as error:
        tapes.rule_failed(error)
        raise
    finally:
        tape._finish()


def _sized(x: Any) -> bool:
    return snapshot_of(x).ndim is not None and None not in shape_of(snapshot_of(x))


def _seeds(target: Any) -> Any:
    """One seed for each element of the target."""
    if _sized(target):
        return eye_seeds(_eager_shape(target), target.dtype.np)
    count = _size(target)
    whole = _concat([[count], _shape(target)], 0)
    return _reshape(_eye(count, dtype=target.dtype), whole)


def _joined(target: Any, source: Any) -> Any:
    """The shape of a jacobian: that of the target, then that of the source."""
    if _sized(target) and _sized(source):
        return (*_eager_shape(target), *_eager_shape(source))
    return _concat([_shape(target), _shape(snapshot_of(source))], 0)


def _zero_wanted(unconnected_gradients: Any) -> bool:
    return UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO


def _eager_shape(x: Any) -> tuple:
    return shape_of(snapshot_of(x))


def jacobian(self: GradientTape, target: Any, sources: Any,
             unconnected_gradients: Any = UnconnectedGradients.NONE,
             parallel_iterations: int | None = None, experimental_use_pfor: bool = True) -> Any:
    """Derivatives of every element of `target`: shape target.shape + source.shape for each."""
    self._begin()
    if not experimental_use_pfor and not self._persistent:
        raise RuntimeError("GradientTape must be created with persistent=True to compute the "
                           "jacobian with eager execution enabled and with "
                           "experimental_use_pfor set to False.")
    flat, rebuild = flatten_sources(sources)
    target = as_source(target, "jacobian")
    if is_differentiable(target):
        results = _rows(self, target, flat, _seeds(target))
    else:
        results = [None] * len(flat)
        self._finish()
    results = [None if rows is None or not is_differentiable(source)
               else reshape(rows, shape=_joined(target, source))
               for rows, source in zip(results, flat, strict=True)]
    if _zero_wanted(unconnected_gradients):
        results = [_zeros(_joined(target, source), source.dtype)
                   if rows is None else rows for rows, source in zip(results, flat, strict=True)]
    for listener in state.stack:
        listener.differentiated([target], flat, results)
    if rebuild is None:
        return results[0]
    return results if rebuild is list else rebuild(results)


def batch_jacobian(self: GradientTape, target: Tensor, source: Tensor,
                   unconnected_gradients: Any = UnconnectedGradients.NONE,
                   parallel_iterations: int | None = None,
                   experimental_use_pfor: bool = True) -> Tensor:
    """Per-example Jacobians, where example b of `target` depends on example b of `source`."""
    self._begin()
    if not experimental_use_pfor and not self._persistent:
        raise RuntimeError("GradientTape must be created with persistent=True to compute the "
                           "batch_jacobian with eager execution enabled and with "
                           "experimental_use_pfor set to False.")
    target, source = as_source(target, "batch_jacobian"), as_source(source, "batch_jacobian")
    out, into = _eager_shape(target), _eager_shape(source)
    UnconnectedGradients(unconnected_gradients)  # refuses what is none
    if len(out) < 2 or len(into) < 2:
        raise ValueError(f"Shape {(target if len(out) < 2 else source).shape} must have rank at "
                         f"least 2: batch_jacobian got a target of shape {target.shape} and a "
                         f"source of shape {source.shape}.")
    if out[0] != into[0] and None not in (out[0], into[0]):
        raise ValueError(f"Need first dimension of target shape ({target.shape}) and source shape "
                         f"({source.shape}) to match.")
    if None in (*out, *into[1:]):
        return _unknown_batch(self, target, source)
    batch, row = out[0], out[1:]
    seeds = eye_seeds(row, target.dtype.np)
    seeds = np.broadcast_to(seeds[:, None], (len(seeds), batch, *row))
    (rows,) = _rows(self, target, [source], seeds)
    if rows is None:
        return wrap(np.zeros((*out, *into[1:]), source.dtype.np))
    perm = (1, 0, *range(2, 1 + len(into)))
    result = reshape(transpose(rows, perm=perm), shape=(batch, *row, *into[1:]))
    for listener in state.stack:
        listener.differentiated([target], [source], [result])
    return result


def _unknown_batch(tape: GradientTape, target: Tensor, source: Tensor) -> Tensor:
    """The same where sizes are unknown while tracing."""
    shape, own = _shape(target), _shape(snapshot_of(source))
    count = _reduce_prod(shape[1:])
    seeds = _reshape(_eye(count, dtype=target.dtype), _concat([[count, 1], shape[1:]], 0))
    seeds = seeds * expand(constant_like(target, 1), axis=0)
    (rows,) = _rows(tape, target, [source], seeds)
    whole = _concat([shape, own[1:]], 0)
    if rows is None:
        return _zeros(whole, source.dtype)
    return reshape(transpose(rows, perm=(1, 0, *range(2, 1 + len(_eager_shape(source))))),
                   shape=whole)


GradientTape.jacobian = jacobian
GradientTape.batch_jacobian = batch_jacobian
