"""Running an op, its derivatives by tapes and by differences, and comparing the two.

A cotangent g and a tangent t meet in the pairing Re(sum(conj(g) * t)), for which TensorFlow's
gradients of complex functions are the adjoint: <g, J t> = <J* g, t>. Imported by the checks only.
"""

from __future__ import annotations

import numpy as np
from record_draws import BFLOAT16, frozen, noise

from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, wrap

STEP = 1e-3  # of differences with an error of the order STEP**4


def listed(ys):
    """Results as a list, of an op with one or several."""
    return list(ys) if isinstance(ys, (tuple, list)) else [ys]


def bare(x):
    """The value of a Tensor, dense; None stays None."""
    if isinstance(x, IndexedSlices):
        x = densify(x)
    return x._value if isinstance(x, Tensor) else x


def run(draw, xs=None):
    """Call the op on Tensors; a list of bare results."""
    tensors = [wrap(x) for x in (draw.xs if xs is None else xs)]
    return [bare(y) for y in listed(draw.op.call(*tensors, **draw.attrs))]


def differentiable(ys):
    """Positions of the results that take part in derivatives."""
    return [k for k, y in enumerate(ys) if y.dtype.kind in "fcV"]


def cotangents(rng, ys):
    return [noise(rng, ys[k].shape, ys[k].dtype) for k in differentiable(ys)]


def pairing(gs, ts):
    """Re(sum(conj(g) * t)) over all pairs; None stands for zero."""
    total = 0.0
    for g, t in zip(gs, ts, strict=True):
        if g is not None and t is not None:
            total += float(np.real(np.vdot(wide(g), wide(t))))
    return total


def wide(x):
    """In double precision."""
    x = np.asarray(x)
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def difference(function, xs, ts):
    """d/dh function(xs + h ts) at h = 0, for a list of arrays; ts has None where nothing moves."""

    def at(h):
        moved = [x if t is None else frozen(x + np.asarray(h * t, x.dtype))
                 for x, t in zip(xs, ts, strict=True)]
        return function(moved)

    values = [at(h) for h in (STEP, -STEP, 2 * STEP, -2 * STEP)]
    return [None if any(v is None for v in column) else
            (8.0 * (wide(column[0]) - wide(column[1])) - (wide(column[2]) - wide(column[3])))
            / (12.0 * STEP) for column in zip(*values, strict=True)]


def gradients(draw, xs, gs, sources):
    """By a tape, of Tensors: gradient to xs[i] for each i in sources, in the direction gs."""
    with GradientTape() as tape:
        for i in sources:
            tape.watch(xs[i])
        ys = listed(draw.op.call(*xs, **draw.attrs))
    targets = [ys[k] for k in differentiable(ys)]
    return tape.gradient(targets, [xs[i] for i in sources], output_gradients=gs)


def first_order(draw, xs, gs, sources):
    """The same with bare values in and out."""
    result = gradients(draw, [wrap(x) for x in xs], [wrap(g) for g in gs], sources)
    return [bare(one) for one in result]


def second_order(draw, xs, gs, ws, sources):
    """Gradient of <gradients(xs, gs), ws> to xs[sources] and to gs, by nested tapes."""
    xs, gs = [wrap(x) for x in xs], [wrap(g) for g in gs]
    wanted = [xs[i] for i in sources] + gs
    with GradientTape() as outer:
        outer.watch(wanted)
        inner = gradients(draw, xs, gs, sources)
        inner = [densify(one) if isinstance(one, IndexedSlices) else one for one in inner]
    live = [(one, wrap(w)) for one, w in zip(inner, ws, strict=True) if one is not None]
    if not live:
        return [None] * len(wanted)
    result = outer.gradient([one for one, _ in live], wanted,
                            output_gradients=[w for _, w in live])
    return [bare(one) for one in result]


def tangent_by_vjp(draw, ts):
    """J t as the gradient, to g, of <J* g, t>: what serves an op without a jvp of its own."""
    sources = [i for i, t in enumerate(ts) if t is not None]
    xs = [wrap(x) for x in draw.xs]
    ys = listed(draw.op.call(*xs, **draw.attrs))
    gs = [wrap(np.zeros(ys[k].shape, ys[k].dtype.np)) for k in differentiable(ys)]
    with GradientTape() as outer:
        outer.watch(gs)
        inner = gradients(draw, xs, gs, sources)
        inner = [densify(one) if isinstance(one, IndexedSlices) else one for one in inner]
    live = [(one, ts[i]) for one, i in zip(inner, sources, strict=True) if one is not None]
    if not live:
        return [None] * len(gs)
    return [bare(one) for one in outer.gradient(
        [one for one, _ in live], gs, output_gradients=[wrap(t) for _, t in live])]


def near(got, want, tol, what):
    """Assert that two numbers or arrays agree; None stands for zero."""
    if got is None and want is None:
        return
    got = np.zeros_like(want) if got is None else wide(got)
    want = np.zeros_like(got) if want is None else wide(want)
    assert got.shape == want.shape, f"{what}: shape {got.shape}, expected {want.shape}"
    finite = np.isfinite(want)
    scale = 1.0 + (np.max(np.abs(want[finite])) if np.any(finite) else 0.0)
    agree = (np.abs(np.where(finite, got, 0) - np.where(finite, want, 0)) <= tol * scale)
    agree = np.where(finite, agree, (got == want) | (np.isnan(got) & np.isnan(want)))
    assert np.all(agree), f"{what}:\n got {got}\nwant {want}"


def same(got, want, what):
    """Assert that two bare values are of one shape and dtype and agree to rounding."""
    assert got.dtype == want.dtype, f"{what}: dtype {got.dtype}, expected {want.dtype}"
    assert got.shape == want.shape, f"{what}: shape {got.shape}, expected {want.shape}"
    if want.dtype.kind in "iubO":
        assert np.array_equal(got, want), f"{what}:\n got {got}\nwant {want}"
    else:
        near(got, want, rounding(want.dtype), what)


def rounding(dtype):
    """What two ways of computing the same may differ by."""
    if dtype == BFLOAT16:
        return 2e-2
    return {2: 2e-3, 4: 2e-5, 8: 1e-10 if dtype.kind == "f" else 2e-5, 16: 1e-10}[dtype.itemsize]
