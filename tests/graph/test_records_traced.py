"""Every op record inside tf.function: what it gives eagerly, it gives traced.

Values and gradients (a tape around the function, a tape in it) with sizes known, with sizes unknown
and with the rank unknown; second order on one sample. The samples are the records' own.
"""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import draws, generator, noise
from record_numeric import (
    bare,
    cotangents,
    differentiable,
    first_order,
    listed,
    run,
    same,
    second_order,
)

import tapeflow as tf
from tapeflow.base import exports
from tapeflow.core.record.op import OPS
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import wrap

exports.load_all()
SAMPLES = 2  # of each record
# Their results differ from call to call by what they are.
CHANGING = {"timestamp", "random_state"}


@pytest.fixture(autouse=True)
def verified(using):
    """Graphs are checked after every pass."""
    using(verify_passes=True)


def known(x):
    return tf.TensorSpec(x.shape, x.dtype)


def unsized(x):
    return tf.TensorSpec([None] * x.ndim, x.dtype)


def unranked(x):
    return tf.TensorSpec(None, x.dtype)


# "computed" sizes are unknown while tracing and, since they come from data, when a call begins.
SPECS = {"known": known, "unsized": unsized, "unranked": unranked, "computed": known}


def subjects(name):
    return draws(OPS[name])[:SAMPLES]


def traced(function, spec, *groups):
    """A tf.function over lists of arrays, traced for sizes known as `spec` says."""
    def hidden(groups, flag):
        return function(*[[computed(x, flag) if spec == "computed" else x for x in group]
                          for group in groups])

    signature = [[[SPECS[spec](x) for x in group] for group in groups], tf.TensorSpec([], tf.bool)]
    call = tf.function(hidden, input_signature=signature, autograph=False)
    return lambda *groups: call(list(groups), True)


def computed(x, flag):
    """The same tensor, if the flag is set, with a first size that only a run can tell."""
    if not x.shape.rank:
        return x
    rows = tf.gather(x, tf.where(tf.fill([x.shape[0]], flag))[:, 0])
    assert rows.shape[0] is None
    return rows


def wrapped(xs):
    return [wrap(x) for x in xs]


def plain(gs):
    return [densify(g) if isinstance(g, IndexedSlices) else g for g in gs]


def taped(draw, xs, gs, sources):
    """Gradients of the op's results in the direction `gs`, dense, by a tape around the op."""
    with tf.GradientTape() as tape:
        for i in sources:
            tape.watch(xs[i])
        ys = listed(draw.op.call(*xs, **draw.attrs))
    targets = [y for y in ys if y.dtype.is_floating or y.dtype.is_complex]
    return plain(tape.gradient(targets, [xs[i] for i in sources], output_gradients=gs))


def counts_by_size(draw, spec):
    """Whether the number of results depends on sizes, which must then be known."""
    return spec != "known" and draw.op.name in ("unstack", "split")


def check_same(got, want, where):
    for k, (a, b) in enumerate(zip(got, want, strict=True)):
        # TensorFlow has zeros through a function where there is None without one.
        if b is None and a is not None:
            assert not bare(a).any(), f"{where}: {k} is {a}, eagerly None"
            continue
        assert a is not None or b is None, f"{where}: {k} is None, eagerly {b}"
        if b is not None:
            same(bare(a), b, f"{where}: {k}")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", sorted(set(OPS) - CHANGING))
def test_value(name, spec):
    for draw in subjects(name):
        if counts_by_size(draw, spec):
            continue
        call = traced(lambda xs, draw=draw: draw.op.call(*xs, **draw.attrs), spec, draw.xs)
        check_same(listed(call(wrapped(draw.xs))), run(draw), f"{draw}, {spec}")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", sorted(name for name, op in OPS.items() if op.reason is None))
def test_gradient(name, spec):
    for draw in subjects(name):
        active = draw.active
        ys = run(draw)
        if not active or not differentiable(ys) or counts_by_size(draw, spec):
            continue
        gs = cotangents(generator(draw.op, 5), ys)
        want = first_order(draw, draw.xs, gs, active)
        call = traced(lambda xs, draw=draw: draw.op.call(*xs, **draw.attrs), spec, draw.xs)
        around = taped_around(call, draw, gs)
        check_same(around, want, f"{draw}, {spec}, tape around")
        inside = traced(lambda xs, gs, draw=draw: taped(draw, xs, gs, draw.active),
                        spec, draw.xs, gs)
        check_same(inside(wrapped(draw.xs), wrapped(gs)), want, f"{draw}, {spec}, tape inside")


def taped_around(call, draw, gs):
    xs = wrapped(draw.xs)
    with tf.GradientTape() as tape:
        for i in draw.active:
            tape.watch(xs[i])
        ys = listed(call(xs))
    targets = [ys[k] for k in differentiable(ys)]
    return plain(tape.gradient(targets, [xs[i] for i in draw.active],
                               output_gradients=wrapped(gs)))


@pytest.mark.parametrize("spec", sorted(set(SPECS) - {"unranked"}))
@pytest.mark.parametrize("name", sorted(name for name, op in OPS.items() if op.reason is None))
def test_second_order(name, spec):
    draw = min(draws(OPS[name]), key=lambda one: (
        max(x.size for x in one.xs) < 2, sum(x.size for x in one.xs)))
    active, ys = draw.active, run(draw)
    if not active or not differentiable(ys) or counts_by_size(draw, spec):
        return
    gs = cotangents(generator(draw.op, 6), ys)
    ws = [noise(generator(draw.op, 7 + i), draw.xs[i].shape, draw.xs[i].dtype) for i in active]
    want = second_order(draw, draw.xs, gs, ws, active)
    one = traced(lambda xs, gs: taped(draw, xs, gs, active), spec, draw.xs, gs)
    xs, seeds = wrapped(draw.xs), wrapped(gs)
    wanted = [xs[i] for i in active] + seeds
    with tf.GradientTape() as tape:
        tape.watch(wanted)
        inner = one(xs, seeds)
    live = [(g, wrap(w)) for g, w in zip(inner, ws, strict=True) if g is not None]
    got = tape.gradient([g for g, _ in live], wanted, output_gradients=[w for _, w in live])
    check_same(plain(got), want, f"{draw}, {spec}, second order")
