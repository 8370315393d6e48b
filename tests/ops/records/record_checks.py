"""The checks of one op record; each raises AssertionError with what is wrong.

    complete, shapes, dtypes, special_values, empty_operands      here
    derivatives                                                   record_derivatives
    batching, bare values, what is saved                          record_modes
"""

from __future__ import annotations

import warnings

import numpy as np
from record_draws import (
    BFLOAT16,
    DTYPES,
    Draw,
    base_dtype,
    draws,
    emptied,
    frozen,
    generator,
    specials,
)
from record_numeric import bare, cotangents, first_order, listed, run

from tapeflow.base import errors
from tapeflow.core.record.op import Spec
from tapeflow.core.record.samples import Case, Samples

REFUSALS = (errors.OpError, ValueError, TypeError)


# -- (1) nothing is missing -----------------------------------------------------------------------
def complete(op):
    missing = [field for field in ("kernel", "shape", "batch", "check")
               if getattr(op, field) is None]
    if op.reason is None and op.rules is None and op.joint is None:
        missing.append("vjp")
    if op.reason is not None and not op.reason.strip():
        missing.append("the reason of NONDIFF")
    assert not missing, f"the record of {op.name} has no {', '.join(missing)}"
    many = op.args and op.args[0].startswith("*")
    if op.rules is not None and not many:
        assert len(op.rules) == len(op.args), \
            f"{op.name} has {len(op.rules)} rules for {len(op.args)} operands {op.args}"
    if op.multi and op.reason is None:
        assert op.saves_out, f"{op.name} has several results, so it must save them"
    _worthwhile(op, many)


def _worthwhile(op, many):
    """The sample inputs must reach every rule."""
    if isinstance(op.check, Samples):
        return
    assert len(op.check) and all(isinstance(case, Case) for case in op.check), \
        f"{op.name}: check must hold Cases, not {op.check!r}"
    for case in op.check:
        assert many or len(case.operands) == len(op.args), \
            f"{op.name}: a Case has {len(case.operands)} operands for {op.args}"
    if op.rules is not None and any(case.grad for case in op.check):
        reached = {i for draw in draws(op) for i in draw.active}
        missed = [op.args[i] for i, rule in enumerate(op.rules) if rule is not None
                  and i not in reached]
        assert not missed, f"{op.name}: no Case reaches the rule of {missed}"


# -- (2) the static shape -------------------------------------------------------------------------
def shapes(op):
    others = draws(op, salt=1)
    for draw, other in zip(draws(op), others, strict=True):
        results = run(draw)
        specs = [Spec(x.shape, x.dtype) for x in draw.xs]
        ruled = _ruled(draw, specs)
        data_dependent = _varies(draw, other, results) or _never_knows(op)
        for spec, y in zip(ruled, results, strict=True):
            assert np.dtype(spec.dtype) == y.dtype, \
                f"{draw}: shape rule says {spec.dtype}, the result is {y.dtype}"
            exact = spec.shape == y.shape or (data_dependent and _compatible(spec.shape, y.shape))
            assert exact, f"{draw}: shape rule says {spec.shape}, the result is {y.shape}"
        for vague in _vague(specs):
            try:
                guess = _ruled(draw, vague)
            except ValueError:
                # How many results there are may depend on a size.
                assert op.multi, f"{draw}: shape rule fails for {vague}"
                continue
            for spec, y in zip(guess, results, strict=True):
                assert np.dtype(spec.dtype) == y.dtype, f"{draw}: {vague} gives {spec}"
                assert _compatible(spec.shape, y.shape), \
                    f"{draw}: shape rule of {vague} says {spec.shape}, the result is {y.shape}"


def _varies(draw, other, results):
    """Whether the shape of the result may depend on values: of indices, or as two draws show."""
    if draw.op.stateful:
        return False
    if any(x.dtype.kind in "iub" for x in draw.xs):
        return True
    return [y.shape for y in run(other)] != [y.shape for y in results]


def _never_knows(op):
    """Whether the shape rule knows the rank but some size for no sample: it depends on values."""
    ruled = [_ruled(draw, [Spec(x.shape, x.dtype) for x in draw.xs]) for draw in draws(op)]
    return all(any(spec.shape is not None and None in spec.shape for spec in one) for one in ruled)


def _ruled(draw, specs):
    ruled = draw.op.shape(*specs, **draw.attrs)
    assert isinstance(ruled, tuple) == draw.op.multi, f"{draw}: shape rule returns {ruled!r}"
    for spec in listed(ruled):
        assert isinstance(spec, Spec) and (spec.shape is None or isinstance(spec.shape, tuple)), \
            f"{draw}: shape rule returns {ruled!r}, not Specs"
    return listed(ruled)


def _vague(specs):
    """Specs with one unknown size, with all sizes unknown, with unknown rank."""
    for i, spec in enumerate(specs):
        for axis in range(len(spec.shape)):
            shape = (*spec.shape[:axis], None, *spec.shape[axis + 1:])
            yield [*specs[:i], Spec(shape, spec.dtype), *specs[i + 1:]]
        yield [*specs[:i], Spec(None, spec.dtype), *specs[i + 1:]]
    if specs:
        yield [Spec((None,) * len(spec.shape), spec.dtype) for spec in specs]
        yield [Spec(None, spec.dtype) for spec in specs]


def _compatible(static, shape):
    return static is None or (len(static) == len(shape) and all(
        m is None or m == n for m, n in zip(static, shape)))


# -- (7) dtypes -----------------------------------------------------------------------------------
def dtypes(op):
    """Every dtype of the kinds that the record allows runs, forwards and backwards, or is refused
    in so many words.
    """
    for kind in sorted(op.allowed):
        for dtype in DTYPES[kind]:
            for draw in draws(op, dtype=dtype):
                _one_dtype(draw, dtype)


def _one_dtype(draw, dtype):
    with quiet(f"{draw} in {dtype}"):
        try:
            results = _run_in(draw, dtype)
        except Exception as error:
            raise AssertionError(f"{draw} fails in {dtype}: {error!r} {error}") from error
        if results is None:
            return
        ruled = _ruled(draw, [Spec(x.shape, x.dtype) for x in draw.xs])
        for spec, y in zip(ruled, results, strict=True):
            assert np.dtype(spec.dtype) == y.dtype, \
                f"{draw} in {dtype}: shape rule says {spec.dtype}, the result is {y.dtype}"
        active = draw.active
        if draw.real and dtype.kind == "c" or not active:
            return
        gs = cotangents(generator(draw.op), results)
        if gs:
            grads = first_order(draw, draw.xs, gs, active)
            fitting(draw, grads, active, f"gradient in {dtype}")


def _run_in(draw, dtype):
    """The results, or None if the op says that it does not take this dtype."""
    try:
        return run(draw)
    except errors.OpError as error:
        if "list of allowed values" in str(error) and dtype != base_dtype(draw.op):
            return None
        if dtype.kind != "i" or error.__cause__ is not None:
            raise
    # Some ops refuse negative integers: they must take the others.
    draw.xs = [frozen(np.abs(x)) if x.dtype == dtype else x for x in draw.xs]
    return run(draw)


def fitting(draw, grads, active, what):
    """A gradient has the operand's shape and dtype."""
    for i, g in zip(active, grads, strict=True):
        if g is None:
            continue
        x = draw.xs[i]
        assert g.dtype == x.dtype, f"{draw}: {what} of operand {i} is {g.dtype}, not {x.dtype}"
        assert g.shape == x.shape, f"{draw}: {what} of operand {i} is {g.shape}, not {x.shape}"


# -- (10) special values --------------------------------------------------------------------------
def special_values(op):
    """NaN, infinities, zeros: no exception, no warning, not in the gradient either."""
    for dtype in _special_dtypes(op):
        xs = specials(op, dtype)
        if not xs:
            return
        draw = Draw(op, "special points", [(x, None) for x in xs], {})
        with quiet(f"{draw} at its special points"):
            results = run(draw)
            for spec, y in zip(_ruled(draw, [Spec(x.shape, x.dtype) for x in xs]), results,
                               strict=True):
                assert (spec.shape, np.dtype(spec.dtype)) == (y.shape, y.dtype), f"{draw}: {spec}"
            active = draw.active
            gs = [frozen(np.ones(y.shape, y.dtype)) for y in results if y.dtype.kind in "fcV"]
            if active and gs:
                fitting(draw, first_order(draw, xs, gs, active), active, "special gradient")


def _special_dtypes(op):
    kinds = [np.dtype("float32"), np.dtype("float64")] if "f" in op.allowed else [base_dtype(op)]
    return [*kinds, BFLOAT16] if "V" in op.allowed else kinds


class quiet:
    """As a user would run it: whatever warning still shows is a failure."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.catch = warnings.catch_warnings(record=True)
        self.caught = self.catch.__enter__()
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"tapeflow(\.|$)")

    def __exit__(self, kind, error, trace):
        self.catch.__exit__(kind, error, trace)
        if kind is None:
            shown = [str(one.message) for one in self.caught]
            assert not shown, f"{self.what} warns: {shown[0]}"


# -- (11) nothing to work on ----------------------------------------------------------------------
def empty_operands(op):
    """Operands of size zero are worked on or refused, never crashed on."""
    for draw in draws(op):
        empty = emptied(draw)
        if empty is None:
            continue
        try:
            ruled = _ruled(empty, [Spec(x.shape, x.dtype) for x in empty.xs])
            results = run(empty)
        except REFUSALS as error:
            assert error.__cause__ is None, f"{empty} crashes: {error.__cause__!r}"
            continue
        except (LookupError, AttributeError, ArithmeticError) as error:
            raise AssertionError(f"{empty} crashes: {error!r}") from error
        fits = all(_compatible(spec.shape, y.shape)
                   for spec, y in zip(ruled, results, strict=True))
        if not fits and empty.attrs:
            continue  # its attributes do not suit operands of this size
        assert fits, f"{empty}: shape rule says {ruled}, the result is {[y.shape for y in results]}"
        _empty_gradient(empty, results)


def _empty_gradient(empty, results):
    active = empty.active
    gs = cotangents(generator(empty.op), results)
    if not active or not gs:
        return
    try:
        grads = first_order(empty, empty.xs, gs, active)
    except NotImplementedError:
        return  # TensorFlow has no gradient for such shapes either
    except REFUSALS:
        assert empty.attrs, f"{empty}: its gradient is refused"
        return
    fitting(empty, grads, active, "gradient of nothing")


# -- the kernel -----------------------------------------------------------------------------------
def kernel(op):
    """Calls on Tensors and on bare values give what the kernel gives, again and again."""
    for draw in draws(op):
        if op.stateful:
            continue
        first = run(draw)
        again = [bare(y) for y in listed(op.call(*draw.xs, **draw.attrs))] if draw.xs else first
        for k, (a, b) in enumerate(zip(first, again, strict=True)):
            where = f"{draw}, result {k}"
            assert isinstance(a, (np.ndarray, np.generic)), f"{where} is a {type(a).__name__}"
            assert a.dtype == b.dtype and a.shape == b.shape, f"{where}: bare and Tensor differ"
            equal = a == b if a.dtype.kind == "O" else (a == b) | ((a != a) & (b != b))
            assert np.all(equal), f"{where}: bare and Tensor differ"
