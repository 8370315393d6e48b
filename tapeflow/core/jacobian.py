"""`GradientTape.jacobian` and `batch_jacobian`: one vectorised walk for all rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.basics import constant_like, expand, reshape, transpose
from tapeflow.core.batching import BatchLevel, eye_seeds
from tapeflow.core.op import shape_of
from tapeflow.core.slices import IndexedSlices, densify
from tapeflow.core.state import state
from tapeflow.core.tape import (
    GradientTape,
    UnconnectedGradients,
    _differentiable,
    _flatten_sources,
    _value,
    as_source,
)
from tapeflow.core.tensor import Tensor, uid_of, wrap


def _rows(tape: GradientTape, target: Any, sources: list, seeds: Any) -> list:
    """For each source the gradients of all seeds at once, batch axis first; None: unconnected."""
    record = tape._begin()
    try:
        level = BatchLevel(shape_of(seeds)[0])
        with level:
            rows = seeds if isinstance(seeds, Tensor) else wrap(seeds)
            grads: dict[int, Any] = {uid_of(target): level.batched(rows)}
            keep = {uid_of(source) for source in sources}
            record.walk(grads, keep, False, not tape._persistent)
            found = [grads.get(source._uid) for source in sources]
            found = [densify(g) if isinstance(g, IndexedSlices) else g for g in found]
        return [None if g is None else level.inner(g) for g in found]
    finally:
        tape._finish()


def _zero_wanted(unconnected_gradients: Any) -> bool:
    return UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO


def _eager_shape(x: Any) -> tuple:
    return shape_of(_value(x))


def jacobian(self: GradientTape, target: Any, sources: Any,
             unconnected_gradients: Any = UnconnectedGradients.NONE,
             parallel_iterations: int | None = None, experimental_use_pfor: bool = True) -> Any:
    """Derivatives of every element of `target`: shape target.shape + source.shape for each."""
    self._begin()
    if not experimental_use_pfor and not self._persistent:
        raise RuntimeError("GradientTape must be created with persistent=True to compute the "
                           "jacobian with eager execution enabled and with "
                           "experimental_use_pfor set to False.")
    flat, rebuild = _flatten_sources(sources)
    target = as_source(target, "jacobian")
    shape = _eager_shape(target)
    if None in shape and _differentiable(target):
        return _rebuilt(_unknown_rows(self, target, flat), rebuild)
    if _differentiable(target):
        seeds = eye_seeds(shape, target.dtype.np)
        results = _rows(self, target, flat, seeds)
    else:
        results = [None] * len(flat)
        self._finish()
    results = [None if rows is None or not _differentiable(source)
               else reshape(rows, shape=(*shape, *_eager_shape(source)))
               for rows, source in zip(results, flat, strict=True)]
    if _zero_wanted(unconnected_gradients):
        results = [wrap(np.zeros((*shape, *_eager_shape(source)), source.dtype.np))
                   if rows is None else rows for rows, source in zip(results, flat, strict=True)]
    return _rebuilt(results, rebuild)


def _rebuilt(results: list, rebuild: Any) -> Any:
    if rebuild is None:
        return results[0]
    return results if rebuild is list else rebuild(results)


def _unknown_rows(tape: GradientTape, target: Any, sources: list) -> list:
    """Jacobians inside a trace whose target has an unknown size: a map over the rows' seeds."""
    from tapeflow.base.exports import PUBLIC
    count, sizes = PUBLIC["size"](target), PUBLIC["shape"](target)
    seeds = PUBLIC["reshape"](PUBLIC["eye"](count, dtype=target.dtype),
                              PUBLIC["concat"]([[count], sizes], 0))
    seeds.set_shape([None, *shape_of(target)])
    record = tape._begin()
    connected: list[bool] = []

    def row(seed: Tensor) -> list:
        grads: dict[int, Any] = {uid_of(target): seed}
        record.walk(grads, {uid_of(source) for source in sources}, False, False)
        found = [grads.get(source._uid) for source in sources]
        connected[:] = [g is not None and _differentiable(s) for g, s in zip(found, sources)]
        return [densify(g) if isinstance(g, IndexedSlices) else g
                for g, there in zip(found, connected) if there]

    try:
        rows = iter(state.trace.each(row, seeds, [seeds], False))
    finally:
        tape._finish()
    return [PUBLIC["reshape"](next(rows), PUBLIC["concat"](
        [sizes, PUBLIC["shape"](_value(source))], 0)) if there else None
        for source, there in zip(sources, connected)]


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
    if len(out) < 2 or len(into) < 2:
        raise ValueError(f"batch_jacobian: target and source must have at least rank 2, got shapes "
                         f"{target.shape} and {source.shape}.")
    if out[0] != into[0] and None not in (out[0], into[0]):
        raise ValueError(f"Need first dimension of target shape ({target.shape}) and source shape "
                         f"({source.shape}) to match.")
    batch, row = out[0], out[1:]
    seeds = eye_seeds(row, target.dtype.np)
    if batch is None:
        seeds = wrap(seeds[:, None]) * expand(constant_like(target, 1), axis=0)
    else:
        seeds = np.broadcast_to(seeds[:, None], (len(seeds), batch, *row))
    (rows,) = _rows(self, target, [source], seeds)
    if rows is None:
        return wrap(np.zeros((*out, *into[1:]), source.dtype.np))
    perm = (1, 0, *range(2, 1 + len(into)))
    batch = -1 if batch is None else batch
    return reshape(transpose(rows, perm=perm), shape=(batch, *row, *into[1:]))


GradientTape.jacobian = jacobian  # type: ignore[attr-defined]
GradientTape.batch_jacobian = batch_jacobian  # type: ignore[attr-defined]
