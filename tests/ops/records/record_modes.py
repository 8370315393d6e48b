"""Checks that an op means the same however it is run: batched, on bare values, from what is saved.
"""

from __future__ import annotations

import itertools

import numpy as np
from record_draws import draws, frozen, generator
from record_numeric import (
    bare,
    cotangents,
    differentiable,
    first_order,
    gradients,
    listed,
    run,
    same,
)

from tapeflow.core.autodiff.batching import BatchLevel
from tapeflow.core.record.op import Outline, Spec
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, wrap

BATCH = 2


# -- (6) batch ------------------------------------------------------------------------------------
def batch(op):
    """Under a BatchLevel an op gives what stacking single calls gives, and so does its gradient."""
    if op.stateful:
        return
    elements = [draws(op, salt) for salt in range(BATCH)]
    for column in zip(*elements, strict=True):
        if not column[0].xs or not _one_shape(column):
            continue
        for pattern in patterns(len(column[0].xs)):
            _batched(column, pattern)
        _nested(column)


def patterns(count):
    """Which operands are batched: all subsets of a few operands, singles and all of many."""
    if count <= 3:
        return [p for p in itertools.product((True, False), repeat=count) if any(p)]
    return [(True,) * count, *(tuple(i == j for j in range(count)) for i in range(count))]


def _one_shape(column):
    """Results of one shape: else the op cannot be batched."""
    return len({tuple(y.shape for y in run(draw)) for draw in column}) == 1


def _mixed(column, pattern):
    """For each element of the batch its operands: its own where batched, else the first's."""
    return [[draw.xs[i] if mark else column[0].xs[i] for i, mark in enumerate(pattern)]
            for draw in column]


def _operands(level, column, pattern):
    return [level.batched(wrap(frozen(np.stack([draw.xs[i] for draw in column])))) if mark
            else wrap(column[0].xs[i]) for i, mark in enumerate(pattern)]


def _batched(column, pattern):
    draw, where = column[0], f"{column[0]} batched over {pattern}"
    single = [run(draw, xs) for xs in _mixed(column, pattern)]
    with BatchLevel(BATCH) as level:
        try:
            ys = listed(draw.op.call(*_operands(level, column, pattern), **draw.attrs))
        except ValueError as error:
            _excused(draw, error)
            return
        ys = [level.inner(y) for y in ys]
    for k, y in enumerate(ys):
        same(bare(y), np.stack([one[k] for one in single]), f"{where}: result {k}")
    if draw.active and differentiable(single[0]):
        _batched_gradient(column, pattern, single, where)


def _excused(draw, error):
    """Where shapes depend on values there may be no batch; the op must say so."""
    excused = _data_dependent(draw) or draw.op.reason is not None
    assert excused and "batch" in str(error), f"{draw} batched: {error!r}"


def _data_dependent(draw):
    specs = listed(draw.op.shape(*[Spec(x.shape, x.dtype) for x in draw.xs], **draw.attrs))
    return any(spec.shape is None or None in spec.shape for spec in specs)


def _batched_gradient(column, pattern, single, where):
    draw = column[0]
    gs = [cotangents(generator(draw.op, 20 + i), ys) for i, ys in enumerate(single)]
    want = [first_order(draw, xs, g, draw.active)
            for xs, g in zip(_mixed(column, pattern), gs, strict=True)]
    with BatchLevel(BATCH) as level:
        xs = _operands(level, column, pattern)
        seeds = [level.batched(wrap(frozen(np.stack(g)))) for g in zip(*gs, strict=True)]
        got = gradients(draw, xs, seeds, draw.active)
        got = [densify(g) if isinstance(g, IndexedSlices) else g for g in got]
        got = [None if g is None else level.inner(g) for g in got]
    for i, g, column_of in zip(draw.active, got, zip(*want, strict=True), strict=True):
        assert (g is None) == (column_of[0] is None), f"{where}: gradient {i} is {g}"
        if g is not None:
            same(bare(g), np.stack(column_of), f"{where}: gradient of operand {i}")


def _nested(column):
    """A batch of batches: operands batched over the outer, the inner or both levels."""
    draw = column[0]
    count = len(draw.xs)
    for inside in patterns(count)[:3]:
        outside = inside[::-1]
        want = [[run(draw, [(a if out else b if inn else column[0]).xs[i]
                            for i, (out, inn) in enumerate(zip(outside, inside))])
                 for b in column] for a in column]
        with BatchLevel(BATCH) as outer, BatchLevel(BATCH) as inner:
            xs = []
            for i, (out, inn) in enumerate(zip(outside, inside)):
                level = outer if out else inner if inn else None
                stacked = np.stack([one.xs[i] for one in column])
                xs.append(wrap(draw.xs[i]) if level is None else
                          level.batched(wrap(frozen(stacked))))
            try:
                ys = listed(draw.op.call(*xs, **draw.attrs))
            except ValueError as error:
                _excused(draw, error)
                return
            ys = [inner.inner(y) for y in ys]
        for k, y in enumerate(ys):
            stacked = np.stack([np.stack([one[k] for one in row]) for row in want])
            same(bare(outer.inner(y)), stacked, f"{draw}, two levels {outside} {inside}")


# -- (8) bare values ------------------------------------------------------------------------------
def bare_values(op):
    """Rules on bare NumPy values give what they give on Tensors, in the operand's dtype."""
    for dtype in _bare_dtypes(op):
        for draw in draws(op, dtype=dtype):
            for i, (plain, wrapped) in enumerate(_both(draw)):
                _agree(draw, i, plain, wrapped)


def _bare_dtypes(op):
    if "f" not in op.allowed:
        return [None]
    kinds = [np.dtype("float64"), np.dtype("float32"), np.dtype("float16")]
    return [*kinds, np.dtype("complex64")] if "c" in op.allowed else kinds


def _both(draw):
    """The rules' results for each operand, on bare values and on Tensors."""
    if not draw.active:
        return []
    ys = run(draw)
    gs = _all_cotangents(draw, ys)
    with np.errstate(all="ignore"):
        plain = ruled(draw, gs, ys, draw.xs)
    wrapped = ruled(draw, [wrap(g) for g in gs], [wrap(y) for y in ys],
                    [wrap(x) for x in draw.xs])
    return list(zip(plain, wrapped, strict=True))


def _all_cotangents(draw, ys):
    rng = generator(draw.op, 30)
    given = iter(cotangents(rng, ys))
    return [next(given) if y.dtype.kind in "fcV" else np.zeros_like(y) for y in ys]


def ruled(draw, gs, ys, xs):
    """Apply the rules themselves; what concerns the operands that are active."""
    op = draw.op
    if not op.multi:
        gs, ys = gs[0], (None if ys is None else ys[0])
    else:
        gs, ys = tuple(gs), (None if ys is None else tuple(ys))
    if op.joint is not None:
        results = op.joint(gs, ys, *xs, **draw.attrs)
        assert len(results) == len(xs), f"{draw}: {len(results)} gradients for {len(xs)} operands"
        return [results[i] for i in draw.active]
    return [op.rules[i](gs, ys, *xs, **draw.attrs) for i in draw.active]


def _agree(draw, position, plain, wrapped):
    where = f"{draw}: rule of operand {draw.active[position]}"
    assert (plain is None) == (wrapped is None), f"{where}: bare {plain}, Tensor {wrapped}"
    if plain is None:
        return
    if isinstance(plain, IndexedSlices):
        assert not isinstance(plain._values, Tensor), f"{where} wraps bare values"
        plain = densify(plain)
    assert not isinstance(plain, Tensor), f"{where} wraps bare values in a Tensor"
    assert isinstance(wrapped, (Tensor, IndexedSlices)), f"{where} returns {type(wrapped)}"
    x = draw.xs[draw.active[position]]
    assert plain.dtype == x.dtype, f"{where} on bare values gives {plain.dtype}"
    assert plain.shape == x.shape, f"{where} on bare values gives shape {plain.shape}"
    same(plain, bare(wrapped), where)


# -- (9) what is saved ----------------------------------------------------------------------------
def saved(op):
    """Rules need no more than `saves` names, and need all that it names."""
    subjects = [draw for draw in draws(op) if draw.active]
    for draw in subjects:
        ys = run(draw)
        gs = _all_cotangents(draw, ys)
        full = ruled(draw, gs, ys, draw.xs)
        for wrapped in (False, True):
            try:
                got = _from_saved(draw, gs, ys, _marks(op, draw), op.saves_out, wrapped)
            except Exception as error:
                raise AssertionError(f"{draw}: a rule needs more than saves says: {error!r}") \
                    from error
            for a, b in zip(got, full, strict=True):
                assert (a is None) == (b is None), f"{draw}: a rule needs more than saves says"
                if a is not None:
                    same(bare(a), bare(b), f"{draw}: rules from what is saved")
    _no_more(op, subjects)


def _marks(op, draw):
    return [op.saves] * len(draw.xs) if isinstance(op.saves, bool) else list(op.saves)


def _from_saved(draw, gs, ys, marks, keep_out, wrapped):
    put = wrap if wrapped else lambda value: value
    xs = [put(x) if keep else Outline(x.shape, x.dtype)
          for x, keep in zip(draw.xs, marks, strict=True)]
    kept = [put(y) for y in ys] if keep_out else None
    if draw.op.multi and not keep_out:
        kept = [Outline(y.shape, y.dtype) for y in ys]
    return ruled(draw, [put(g) for g in gs], kept, xs)


def _no_more(op, subjects):
    """Leaving out what is saved must break a rule somewhere, else it is kept for nothing."""
    if not subjects:
        return
    marks = _marks(op, subjects[0])
    if isinstance(op.saves, bool):
        variants = [([False] * len(marks), "in")] if op.saves else []
    else:
        variants = [([m and j != i for j, m in enumerate(marks)], f"in{i}")
                    for i, mark in enumerate(marks) if mark]
    for without, word in variants:
        assert any(_breaks(draw, without if not isinstance(op.saves, bool)
                           else [False] * len(draw.xs), op.saves_out) for draw in subjects), \
            f"{op.name} saves {word!r}, which no rule needs"
    if op.saves_out and not op.multi:
        assert any(_breaks(draw, _marks(op, draw), False) for draw in subjects), \
            f"{op.name} saves 'out', which no rule needs"


def _breaks(draw, marks, keep_out):
    """Whether the rules fail, or say something else, when no more than this is kept."""
    ys = run(draw)
    gs = _all_cotangents(draw, ys)
    try:
        got = _from_saved(draw, gs, ys, marks, keep_out, False)
    except Exception:
        return True
    try:
        for a, b in zip(got, ruled(draw, gs, ys, draw.xs), strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                same(bare(a), bare(b), "")
    except AssertionError:
        return True
    return False


# -- (14) layouts ---------------------------------------------------------------------------------
def layouts(op):
    """Values and gradients do not depend on how operands lie in memory: transposed, backwards or
    in gaps.
    """
    if op.stateful:
        return
    for draw in draws(op):
        wanted = run(draw)
        gs, active = cotangents(generator(op), wanted), draw.active
        slopes = first_order(draw, draw.xs, gs, active) if active and gs else []
        for laid in (_transposed, _backwards, _in_gaps):
            xs = [laid(x) for x in draw.xs]
            for got, want in zip(run(draw, xs), wanted, strict=True):
                same(got, want, f"{draw}, operands {laid.__name__}")
            if slopes:
                found = first_order(draw, xs, [laid(g) for g in gs], active)
                for got, want in zip(found, slopes, strict=True):
                    same(got, want, f"gradient of {draw}, operands {laid.__name__}")


def _transposed(x):
    return frozen(np.array(x, order="F"))


def _backwards(x):
    return frozen(np.flip(np.flip(x).copy())) if np.ndim(x) else x


def _in_gaps(x):
    if not np.ndim(x):
        return x
    wide = np.zeros(tuple(2 * n for n in x.shape), x.dtype)
    wide[(slice(None, None, 2),) * x.ndim] = x
    return frozen(wide[(slice(None, None, 2),) * x.ndim])
