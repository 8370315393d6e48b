"""The checks of op records are themselves checked: each must catch the mistake it is there for."""

import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "records"))

import record_checks
import record_derivatives
import record_modes
from record_draws import draws, specials

import tapeflow  # noqa: F401
from tapeflow.core.record.families import batch_elementwise, broadcast, conj, same_as
from tapeflow.core.record.op import FLOAT, INEXACT, NAMED, NONDIFF, OPS, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import reshape, transpose
from tapeflow.core.record.samples import Case, Samples, ints, symmetric


@pytest.fixture
def scratch():
    """Defines ops that are forgotten after the test."""
    before = set(OPS)

    def make(**fields):
        right = {"kernel": lambda x: x * x * x, "shape": same_as(0), "saves": "in",
                 "vjp": (lambda g, y, x: g * x * x * 3.0,), "dtypes": "f",
                 "batch": batch_elementwise, "check": Samples(-2, 2),
                 "jvp": lambda ts, y, x: ts[0] * x * x * 3.0}
        return define(f"scratch_{len(OPS)}", **{**right, **fields}).op

    yield make
    for name in set(OPS) - before:
        del OPS[name], NAMED[name]


def caught(check, op, words):
    with pytest.raises(AssertionError, match=words):
        check(op)


EVERY = [record_checks.complete, record_checks.kernel, record_checks.shapes, record_checks.dtypes,
         record_checks.special_values, record_checks.empty_operands, record_derivatives.vjp,
         record_derivatives.jvp, record_derivatives.second, record_derivatives.single_precision,
         record_modes.batch, record_modes.bare_values, record_modes.saved]


@pytest.mark.parametrize("check", EVERY, ids=lambda check: check.__name__)
def test_a_right_record_passes(scratch, check):
    check(scratch())
    check(scratch(jvp=None))


# -- completeness ---------------------------------------------------------------------------------
@pytest.mark.parametrize("field", ["shape", "batch", "check", "vjp"])
def test_a_missing_field_is_named(scratch, field):
    caught(record_checks.complete, scratch(**{field: None}), field)


def test_an_empty_reason(scratch):
    caught(record_checks.complete, scratch(vjp=NONDIFF(" ")), "reason")


def test_a_rule_too_many(scratch):
    rule = lambda g, y, x: g
    caught(record_checks.complete, scratch(vjp=(rule, rule)), "2 rules for 1 operands")


def test_a_rule_that_no_case_reaches(scratch):
    op = scratch(kernel=lambda a, b: a * b, args=("a", "b"), shape=broadcast(),
                 vjp=(lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
                 check=[Case((2,), [1, 2])])
    caught(record_checks.complete, op, r"no Case reaches the rule of \['b'\]")


# -- shapes and dtypes ----------------------------------------------------------------------------
def test_a_wrong_static_shape(scratch):
    op = scratch(shape=lambda x: Spec((*x.shape, 1), x.dtype))
    caught(record_checks.shapes, op, "shape rule says")


def test_a_wrong_static_dtype(scratch):
    op = scratch(shape=lambda x: Spec(x.shape, np.dtype("float32")))
    caught(record_checks.shapes, op, "float32, the result is float64")


def test_a_shape_rule_that_makes_things_up_when_sizes_are_unknown(scratch):
    op = scratch(shape=lambda x: Spec(x.shape and tuple(n or 7 for n in x.shape), x.dtype))
    caught(record_checks.shapes, op, "7")


def test_a_lazy_shape_rule(scratch):
    caught(record_checks.shapes, scratch(shape=lambda x: Spec(None, x.dtype)), "says None")


def test_a_kernel_that_widens(scratch):
    op = scratch(kernel=lambda x: x * np.float64(2), vjp=(lambda g, y, x: g * 2.0,), saves="")
    caught(record_checks.dtypes, op, "the result is float64")


def test_a_kernel_that_fails_in_one_dtype(scratch):
    def kernel(x):
        if x.dtype.itemsize == 2:
            raise OverflowError("too narrow")
        return x

    op = scratch(kernel=kernel, vjp=(lambda g, y, x: g,), saves="")
    caught(record_checks.dtypes, op, "fails in float16")


# -- values ---------------------------------------------------------------------------------------
def test_a_kernel_that_changes_its_input(scratch):
    def kernel(x):
        x = np.asarray(x)
        x += 1
        return x

    with pytest.raises(ValueError, match="read-only"):
        record_checks.kernel(scratch(kernel=kernel))


def test_a_warning_at_a_special_point(scratch):
    def kernel(x):
        import warnings
        warnings.warn("divide by zero", RuntimeWarning)
        return x

    op = scratch(kernel=kernel, check=Samples(special=[0.0]))
    caught(record_checks.special_values, op, "warns: divide by zero")


def test_special_points_of_two_operands_meet_in_pairs(scratch):
    op = scratch(kernel=lambda x, y: x, args=("x", "y"), check=Samples(0, 2, special=[0.0, np.inf]))
    first, second = specials(op, np.dtype("float32"))
    assert len(first) == 9
    assert (0.0, np.inf) in set(zip(first.tolist(), second.tolist()))


def test_a_crash_on_nothing(scratch):
    op = scratch(kernel=lambda x: x[0], check=[Case((2, 3))])
    caught(record_checks.empty_operands, op, "crashes: IndexError")


def test_a_wrong_shape_of_nothing(scratch):
    op = scratch(kernel=lambda x: x if x.size else np.zeros(5), check=[Case((2, 3))])
    caught(record_checks.empty_operands, op, r"the result is \[\(5,\)\]")


# -- derivatives ----------------------------------------------------------------------------------
def test_a_wrong_vjp(scratch):
    op = scratch(vjp=(lambda g, y, x: g * x * x * 3.001,))
    caught(record_derivatives.vjp, op, "vjp of operand 0")


def test_a_vjp_that_misses_one_operand(scratch):
    op = scratch(kernel=lambda a, b: a * b, args=("a", "b"), shape=broadcast(),
                 check=[Case((3,), (3,))],
                 vjp=(lambda g, y, a, b: g * b, lambda g, y, a, b: g * b))
    caught(record_derivatives.vjp, op, "vjp of operand 1")


def test_a_vjp_that_returns_none_for_what_matters(scratch):
    caught(record_derivatives.vjp, scratch(vjp=(lambda g, y, x: None,)), "vjp of operand 0")


def test_a_complex_vjp_without_the_conjugate(scratch):
    op = scratch(dtypes=INEXACT)
    caught(record_derivatives.vjp, op, "complex128.*vjp of operand 0")
    record_derivatives.vjp(scratch(dtypes=INEXACT,
                                   vjp=(lambda g, y, x: g * conj(x) * conj(x) * 3.0,)))


def test_a_wrong_jvp(scratch):
    caught(record_derivatives.jvp, scratch(jvp=lambda ts, y, x: ts[0] * x * x), "jvp, result 0")


def test_a_vjp_that_cannot_be_differentiated_again(scratch):
    from tapeflow.core.values.tensor import Tensor, wrap

    def rule(g, y, x):
        return g * (wrap(x._value ** 2 * 3) if isinstance(x, Tensor) else x ** 2 * 3)

    op = scratch(vjp=(rule,))
    record_derivatives.vjp(op)
    caught(record_derivatives.second, op, "second order, operand 0")


def test_a_vjp_that_loses_the_cotangent(scratch):
    from tapeflow.core.values.tensor import Tensor, wrap

    def rule(g, y, x):
        return (wrap(g._value) if isinstance(g, Tensor) else g) * x * x * 3.0

    caught(record_derivatives.second, scratch(vjp=(rule,)), "second order, cotangent")


def test_a_gradient_wrong_in_float32_only(scratch):
    def rule(g, y, x):
        return g * x * x * (3.0 if g.dtype.name != "float32" else 3.1)

    caught(record_derivatives.single_precision, scratch(vjp=(rule,)), "in float32")


def test_symmetric_operands_move_symmetrically(scratch):
    op = scratch(check=[Case(symmetric((3, 3)))])
    draw, = draws(op)
    t = draw.tangent(np.random.default_rng(0), 0)
    assert np.array_equal(t, t.T)
    assert np.all(np.linalg.eigvalsh(draw.xs[0]) > 0)


# -- modes ----------------------------------------------------------------------------------------
def test_a_batch_rule_that_forgets_what_is_not_batched(scratch):
    op = scratch(kernel=lambda a, b: a * b, args=("a", "b"), shape=broadcast(), jvp=None,
                 vjp=(lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
                 check=[Case((2,), (2,))],
                 batch=lambda call, size, xs, batched, attrs: call(xs[0], xs[0]))
    caught(record_modes.batch, op, "result 0")


def test_a_batch_rule_that_mixes_the_batch_axis_in(scratch):
    op = scratch(kernel=lambda x: np.transpose(x), check=[Case((2, 2))], saves="",
                 vjp=(lambda g, y, x: transpose(g, perm=(1, 0)),),
                 batch=lambda call, size, xs, batched, attrs: call(xs[0]))
    caught(record_modes.batch, op, "batched over")


def test_a_batch_rule_whose_gradient_fails(scratch):
    def rule(g, y, x):
        return reshape(g, shape=shape_of(x)) * 3.0 * (x * x if type(x).__name__ != "Batched" else x)

    caught(record_modes.batch, scratch(vjp=(rule,)), "gradient of operand 0")


def test_a_rule_that_widens_bare_values(scratch):
    op = scratch(vjp=(lambda g, y, x: g * x * x * np.float64(3),))
    caught(record_modes.bare_values, op, "on bare values gives float64")


def test_a_rule_that_wraps_bare_values(scratch):
    from tapeflow.core.values.tensor import wrap
    op = scratch(vjp=(lambda g, y, x: wrap(g),), saves="")
    caught(record_modes.bare_values, op, "wraps bare values")


def test_a_rule_that_needs_more_than_is_saved(scratch):
    caught(record_modes.saved, scratch(saves=""), "needs more than saves says")


def test_saving_for_nothing(scratch):
    op = scratch(kernel=lambda x: x * 2, vjp=(lambda g, y, x: g * 2.0,))
    caught(record_modes.saved, op, "saves 'in0', which no rule needs")
    op = scratch(saves="in out")
    caught(record_modes.saved, op, "saves 'out', which no rule needs")


# -- draws ----------------------------------------------------------------------------------------
def test_draws_repeat_and_differ_by_salt(scratch):
    op = scratch(check=[Case((3,), ints(5, (2,)))], args=("x", "i"), dtypes=FLOAT + "iu")
    a, b, c = draws(op)[0], draws(op)[0], draws(op, salt=1)[0]
    assert np.array_equal(a.xs[0], b.xs[0]) and not np.array_equal(a.xs[0], c.xs[0])
    assert a.xs[1].dtype == np.int32 and draws(op, dtype="float16")[0].xs[0].dtype == np.float16
    assert not a.xs[0].flags.writeable
