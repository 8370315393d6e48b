"""Checks of derivatives against differences: vjp, jvp, second order, real and complex."""

from __future__ import annotations

import numpy as np
from record_draws import base_dtype, draws, generator, noise
from record_numeric import (
    bare,
    cotangents,
    difference,
    differentiable,
    first_order,
    listed,
    near,
    pairing,
    run,
    second_order,
    tangent_by_vjp,
)

from tapeflow.core.values.tensor import wrap

TOL = {1: 1e-6, 2: 1e-5}
TRIES = 3  # a sample may fall on a kink; three in a row do not


def _dtypes(op):
    """Derivatives are checked in double precision, real and complex."""
    base = base_dtype(op)
    return [base, np.dtype("complex128")] if "c" in op.allowed and base.kind == "f" else [base]


def _subjects(op):
    """The draws that have something to differentiate."""
    for dtype in _dtypes(op):
        for draw in draws(op, dtype=dtype):
            if draw.active and not (draw.real and dtype.kind == "c"):
                if differentiable(run(draw)):
                    yield draw


def _retried(check, op):
    """Run a check on every subject, once more with new samples when one fails.

    A LookupError says that no rule is known, in TensorFlow's manner.
    """
    for position, draw in enumerate(_subjects(op)):
        for salt in range(TRIES):
            try:
                check(draw)
                break
            except LookupError:
                assert check is not _vjp, f"{draw}: no gradient"
                break
            except AssertionError:
                if salt == TRIES - 1:
                    raise
                again = [one for dtype in _dtypes(op) for one in draws(op, salt + 1, dtype)
                         if one.active and not (one.real and dtype.kind == "c")]
                draw = again[position] if position < len(again) else draw


# -- (3) vjp --------------------------------------------------------------------------------------
def vjp(op):
    _retried(_vjp, op)


def _vjp(draw):
    """<g, J t> by differences = <J* g, t> by the tape, for each operand by itself."""
    rng = generator(draw.op, 7)
    ys = run(draw)
    gs = cotangents(rng, ys)
    grads = first_order(draw, draw.xs, gs, draw.active)
    for i, g in zip(draw.active, grads, strict=True):
        t = draw.tangent(rng, i)
        moves = _differences(draw, {i: t}, ys)
        if g is not None:
            assert g.dtype == draw.xs[i].dtype and g.shape == draw.xs[i].shape, \
                f"{draw}: gradient of operand {i} is {g.dtype}{g.shape}"
        near(np.float64(pairing([g], [t])), np.float64(pairing(gs, moves)),
             max(draw.tol or 0, TOL[1]), f"{draw}: vjp of operand {i}")


def _differences(draw, ts, ys):
    """J t by differences, for the results that take part in derivatives."""
    wanted = differentiable(ys)

    def function(xs):
        results = run(draw, xs)
        return [results[k] for k in wanted]

    return difference(function, draw.xs, [ts.get(i) for i in range(len(draw.xs))])


# -- (4) jvp --------------------------------------------------------------------------------------
def jvp(op):
    _retried(_jvp, op)


def _jvp(draw):
    """J t by the record's jvp, or made from its vjp, against differences and the vjp."""
    rng = generator(draw.op, 8)
    ys = run(draw)
    ts = {i: draw.tangent(rng, i) for i in draw.active}
    tol = max(draw.tol or 0, TOL[1])
    for some in [ts, *({i: t} for i, t in ts.items() if len(ts) > 1)]:
        got = pushed(draw, some, ys)
        want = _differences(draw, some, ys)
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            near(a, b, tol, f"{draw}: jvp, result {k}, tangents of operands {sorted(some)}")
        gs = cotangents(rng, ys)
        grads = first_order(draw, draw.xs, gs, sorted(some))
        near(np.float64(pairing(gs, got)),
             np.float64(pairing(grads, [some[i] for i in sorted(some)])), tol,
             f"{draw}: jvp and vjp are no adjoints, operands {sorted(some)}")


def pushed(draw, ts, ys):
    """Tangents of the differentiable results."""
    op, count = draw.op, len(draw.xs)
    padded = [ts.get(i) for i in range(count)]
    if op.jvp is None:
        return tangent_by_vjp(draw, padded)
    xs = [wrap(x) for x in draw.xs]
    results = op.call(*xs, **draw.attrs)
    tangents = op.jvp(tuple(None if t is None else wrap(t) for t in padded), results, *xs,
                      **draw.attrs)
    if tangents is None:
        return [None] * len(differentiable(ys))
    tangents = listed(tangents)
    assert len(tangents) == len(ys), f"{draw}: jvp gives {len(tangents)} tangents for {len(ys)}"
    kept = [bare(tangents[k]) for k in differentiable(ys)]
    for t, k in zip(kept, differentiable(ys), strict=True):
        assert t is None or (t.dtype == ys[k].dtype and t.shape == ys[k].shape), \
            f"{draw}: the tangent is {t.dtype}{t.shape}, the result {ys[k].dtype}{ys[k].shape}"
    return kept


# -- (5) second order -----------------------------------------------------------------------------
def second(op):
    _retried(_second, op)


def _second(draw):
    """The gradient of the gradient, also to the cotangent, against differences of the gradient."""
    rng = generator(draw.op, 9)
    active = draw.active
    gs = cotangents(rng, run(draw))
    ws = [draw.tangent(rng, i) for i in active]
    got = second_order(draw, draw.xs, gs, ws, active)
    movable = [draw.xs[i] for i in active] + gs
    ts = [draw.tangent(rng, i) for i in active] + [noise(rng, g.shape, g.dtype) for g in gs]

    def function(moved):
        xs = list(draw.xs)
        for i, x in zip(active, moved):
            xs[i] = x
        return first_order(draw, xs, moved[len(active):], active)

    for j in range(len(movable)):
        only = [t if k == j else None for k, t in enumerate(ts)]
        moves = difference(function, movable, only)
        what = f"operand {active[j]}" if j < len(active) else "cotangent"
        near(np.float64(pairing([got[j]], [ts[j]])), np.float64(pairing(ws, moves)),
             max(10 * (draw.tol or 0), TOL[2]), f"{draw}: second order, {what}")


def single_precision(op):
    """First-order gradients in float32 are those of float64, but for rounding."""
    if "f" not in op.allowed:
        return
    for draw in draws(op):
        ys = run(draw)
        if not draw.active or not differentiable(ys):
            continue
        gs = cotangents(generator(op, 10), ys)
        want = first_order(draw, draw.xs, gs, draw.active)
        xs = [x.astype(np.float32) if x.dtype == np.float64 else x for x in draw.xs]
        ys = run(draw, xs)
        narrow = [g.astype(ys[k].dtype) for g, k in zip(gs, differentiable(ys), strict=True)]
        got = first_order(draw, xs, narrow, draw.active)
        for i, a, b in zip(draw.active, got, want, strict=True):
            near(a, b, 2e-3, f"{draw}: gradient of operand {i} in float32")
