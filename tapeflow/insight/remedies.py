"""What to do about a NaN or infinity, by the op that made it and what it was given."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tapeflow.graph.tracing.error_position import REMEDIES

_SAFE = ("the slope from above is 0 here, and 0 times an infinite slope is NaN. So it is behind "
         "tf.where: both branches are computed and differentiated. Give the op a harmless "
         "argument first, tf.where(ok, x, 1.0), and choose afterwards; or use "
         "tf.math.divide_no_nan, multiply_no_nan, xlogy.")
_LEFT_OUT = (" If tf.where leaves this value out: both branches are differentiated all the same, "
             "and 0 * NaN is NaN. Give the op a harmless argument first, tf.where(ok, x, 1.0).")
_SQRT = ("the slope of a square root at 0 is infinite. Add a small number inside: "
         "tf.sqrt(x + 1e-12), or take the square itself.")
_NORM = ("a norm has no slope at 0. Use tf.sqrt(tf.reduce_sum(x * x) + 1e-12), "
         "tf.math.l2_normalize, or the squared norm.")
_SOFTMAX = ("tf.exp overflows above 88.7 in float32, and inf / inf is NaN. Use tf.nn.softmax, "
            "tf.nn.log_softmax or tf.nn.softmax_cross_entropy_with_logits, which subtract the "
            "maximum first.")
_TANH = ("tf.exp overflows above 88.7 in float32, and inf / inf is NaN. This is tf.tanh(x), which "
         "does not overflow.")
_LOG_COSH = ("cosh overflows above 88.7 in float32, where its logarithm is harmless: log(cosh(x)) "
             "is x + tf.nn.softplus(-2.0 * x) - tf.math.log(2.0), as in tf.keras.losses.LogCosh.")
_EXP = ("tf.exp, tf.sinh and tf.cosh overflow above 88.7 in float32 (11 in float16). Stay with "
        "logits and use tf.nn.softmax, tf.nn.softplus, tf.reduce_logsumexp or a *_with_logits "
        "loss, or clip the argument.")
_LOG = ("log(0) is -infinity. Use tf.math.log(x + 1e-12) or tf.math.log1p, or, for "
        "probabilities, tf.math.log_sigmoid, tf.nn.log_softmax or a loss that takes logits "
        "(from_logits=True).")
_LOG_NEGATIVE = ("the logarithm of a negative number is NaN. Find out why it is negative, or clip "
                 "it: tf.math.log(tf.maximum(x, 1e-12)).")
_LOG_OF_REST = ("log(0) is -infinity: 1 - p is 0 as soon as p rounds to 1, and 1 - 1e-10 is 1 in "
                "float32. Use tf.math.log1p(-p), clip p by 1e-7, or take a loss of logits "
                "(from_logits=True).")
_LOG1P = ("log1p(-1) is log(0), -infinity: of log1p(-p), p has rounded to 1. Clip p by 1e-7, or "
          "stay with logits: tf.math.log_sigmoid(-x) is the logarithm of 1 - sigmoid(x).")
_BINARY = ("log(0) is -infinity, at p = 0 in the one term and at p = 1 in the other. Of logits use "
           "tf.nn.sigmoid_cross_entropy_with_logits or "
           "tf.keras.losses.BinaryCrossentropy(from_logits=True); of probabilities clip them "
           "first, tf.clip_by_value(p, 1e-7, 1 - 1e-7), or write tf.math.xlogy and "
           "tf.math.xlog1py.")
_LOGIT = ("the logit of a probability is infinite at 0 and 1. Stay with the logits that the "
          "probability was computed from, or clip it: tf.clip_by_value(p, 1e-6, 1 - 1e-6).")
_LOG_SUM_EXP = ("tf.exp is 0 below -103 in float32, and log(0) is -infinity. Use "
                "tf.reduce_logsumexp, which subtracts the maximum first.")
_XLOGY = ("0 * log(0) is 0 * -infinity, NaN. Use tf.math.xlogy(x, y), which is 0 there; of what a "
          "softmax or sigmoid gave, tf.nn.log_softmax or tf.math.log_sigmoid of its logits.")
_XLOG1PY = ("0 * log(1 - y) is 0 * -infinity at y = 1, NaN. Use tf.math.xlog1py(x, -y), which is 0 "
            "there.")
_SQUASHED = ("tanh rounds to 1 above 9 in float32, and log(0) is -infinity. "
             "log(1 - tanh(u) ** 2) is 2.0 * (tf.math.log(2.0) - u - tf.nn.softplus(-2.0 * u)), "
             "which is finite.")
_EXP_LESS_ONE = ("exp(x) - 1 is 0 at 0, and rounds to 0 near it. Use tf.math.expm1(x), and keep x "
                 "away from 0: tf.maximum(x, 1e-6).")
_DETERMINANT = ("a determinant is a product of all eigenvalues: it overflows, or is 0, where its "
                "logarithm is harmless. Use tf.linalg.slogdet(a); if the matrix is singular, add a "
                "little to its diagonal: a + 1e-6 * tf.eye(n).")
_DIRECTION = ("a vector of length 0 has no direction: 0 / 0 is NaN. Use tf.math.l2_normalize(x), "
              "which is 0 there.")
_NORMALISED = ("a vector of length 0 has no direction: its inverse length is infinite, and "
               "0 * infinity is NaN. Use tf.math.l2_normalize(x) with an epsilon above 0, or add a "
               "small number inside: tf.math.rsqrt(x + 1e-12).")
_MASKED_ROW = ("a row whose logits are all -infinity has no softmax: it is 0 / 0. Leave one "
               "position of each row unmasked, or mask with a large negative number (-1e9; in "
               "float16 -1e4, where -1e9 is -infinity), and leave such rows out afterwards.")
_ANGLE = ("the angle of the point (0, 0) has no slope. Keep the arguments away from it, for "
          "instance tf.atan2(y, tf.where((x == 0.) & (y == 0.), 1., x)).")
_ZERO_BY_ZERO = ("0 / 0 is NaN. Use tf.math.divide_no_nan(a, b), or add a small number below: "
                 "a / (b + 1e-12). Where the limit is another than 0, as of sin(x) / x, choose it: "
                 "tf.where(ok, a / tf.where(ok, b, 1.0), limit).")
_BY_ZERO = ("a division by zero. Use tf.math.divide_no_nan(a, b), or add a small number below: "
            "a / (b + 1e-12).")
_HALF = ("float16 ends at 65504. Scale the loss (a Keras LossScaleOptimizer, or the mixed_float16 "
         "policy, does), compute this op in float32, or use bfloat16.")
_POW_NEGATIVE = ("a negative number to a power that is no whole number is NaN. Take tf.abs(x) or "
                 "tf.maximum(x, 0.) first, or tf.sign(x) * tf.abs(x) ** p.")
_POW_ZERO = ("the slope of x ** p at 0 is infinite for p below 1, and log(0) in the slope by p. "
             "Add a small number: (x + 1e-12) ** p. A geometric mean is the exponential of a mean "
             "of logarithms.")
_POW_BY_ZERO = ("0 to a negative power is a division by zero. Add a small number to x, or use "
                "tf.math.divide_no_nan.")
_ARC = ("the slope of acos, asin and atanh at -1 and 1 is infinite. Keep x away from them: "
        "tf.clip_by_value(x, -1 + 1e-6, 1 - 1e-6), or use tf.atan2.")
_ARC_OUTSIDE = ("acos, asin, acosh and atanh have a domain: rounding often gives 1.0000001. "
                "Clip the argument: tf.clip_by_value(x, -1.0, 1.0).")
_ROOT_NEGATIVE = ("the square root of a negative number is NaN; rounding often makes a variance "
                  "negative. Clip it: tf.sqrt(tf.maximum(x, 0.) + 1e-12).")
_CHOLESKY = ("the matrix is not positive definite, perhaps by rounding alone. Add a little to its "
             "diagonal: a + 1e-6 * tf.eye(n); see that it is symmetric; for the determinant of "
             "any matrix use tf.linalg.slogdet.")
_GAMMA = ("lgamma and digamma are not finite at 0 and at negative whole numbers. Keep the argument "
          "positive: tf.nn.softplus(x) + 1e-6, tf.maximum(x, 1e-6).")
_QUANTILE = ("a quantile is infinite at 0 and 1 (erfinv at -1 and 1), and NaN beyond. Keep the "
             "probability away from them: tf.clip_by_value(p, 1e-6, 1 - 1e-6).")
_ZETA = ("tf.math.zeta(x, q) is infinite at x = 1 and NaN below it, and infinite where q is 0 or a "
         "negative whole number. Keep x above 1 and q above 0.")
_REMAINDER = ("a remainder of a division by 0 is NaN. Keep the divisor away from 0: "
              "tf.where(y == 0.0, 1.0, y).")
_SINGULAR = REMEDIES["not invertible"]
_DIFFERENCE = ("infinity minus infinity is NaN. Look at where the infinity comes from; for a "
               "difference of logarithms use tf.nn.log_softmax or tf.reduce_logsumexp.")
_EMPTY = ("the mean of no elements is 0 / 0. Use tf.math.divide_no_nan(tf.reduce_sum(x), count), "
          "or leave empty batches and masks out.")
_EMPTY_EXTREME = ("the largest of no elements is -infinity, the smallest infinity. Leave empty "
                  "batches and masks out, or add a value that is always there: "
                  "tf.reduce_max(tf.concat([x, [0.0]], 0)).")
_GROWN = ("the numbers have grown beyond the largest there is (3.4e38 in float32). If it comes "
          "after some steps, training diverges: take a smaller learning rate, clip gradients "
          "(tf.clip_by_global_norm, or clipnorm= of the optimizer), normalise the inputs.")
_TIMES_ZERO = ("0 * infinity is NaN. A mask does not take an infinity out by multiplication: use "
               "tf.where or tf.math.multiply_no_nan.")
DATA = ("look at the data: np.argwhere(~np.isfinite(x)). Leave such rows out, "
         "keep = np.isfinite(x).all(1) and x[keep], y[keep], or dataset.filter; or fill them in: "
         "tf.where(tf.math.is_finite(x), x, 0.0).")
_BEFORE = ("compute it inside `with tf.insight.debug():` as well: only what runs there is followed "
           "to its birth.")
_HELD = ("it held that before what is checked began: check from the start, with "
         "`tapeflow run --debug` or tf.insight.debug() around the whole loop.")
_TINY = (" Mind that float16 knows no number below 6e-8: 1e-12 is 0 there. Use 1e-4, or compute "
         "this in float32.")
_PLAIN = ("see which operand is out of range there, and keep it in range (tf.clip_by_value, a "
          "small number added) before this line.")

Rule = Callable[[Any], bool]


def remedy_for(birth: Any) -> str:
    """Advice for a `Birth`."""
    advice = next((advice for holds, advice in _RULES if holds(birth)), _PLAIN)
    if birth.dtype == "float16" and "1e-12" in advice:
        advice += _TINY
    if birth.earlier is not None and birth.earlier.op is not None:
        if advice is _DIFFERENCE:
            advice += f" The infinity: {remedy_for(birth.earlier)}"
        elif advice is _PLAIN:  # it only passed on what it was given
            advice = remedy_for(birth.earlier)
    return advice + _LEFT_OUT if birth.spread else advice


def _text(birth: Any) -> str:
    return birth.guilty.text if birth.guilty else ""


def _is(*hazards: str) -> Rule:
    return lambda birth: birth.hazard in hazards


def _backward(birth: Any) -> bool:
    return birth.forward is not None


def _has(birth: Any, value: float) -> bool:
    return any(one == value for one in birth.values if one is not None)


def _below_zero(birth: Any) -> bool:
    return any(one is not None and one < 0 for one in birth.values)


def _origin(birth: Any) -> str:
    """The hazard of the op in which the infinity was born that this one was given."""
    return birth.earlier.hazard if birth.earlier is not None else ""


def _masked(birth: Any) -> bool:
    """A slope of 0 from above, which only a choice or a mask gives, met an infinite one."""
    return _backward(birth) and birth.kind == "NaN" and _has(birth, 0.0)


def _all(*rules: Rule) -> Rule:
    return lambda birth: all(rule(birth) for rule in rules)


def _says(pattern: re.Pattern[str]) -> Rule:
    return lambda birth: pattern.search(_text(birth)) is not None


def _not(rule: Rule) -> Rule:
    return lambda birth: not rule(birth)


_FORWARD = _not(_backward)
_REST = re.compile(r"log\(1(\.0?)? ?- ?\w")  # log(1 - p)
_SUM_OF_EXP = re.compile(r"log\(.*sum\(.*exp\(")
_BOTH_LOGS = re.compile(r"log\((?!1(\.0?)? ?-).*log\(1(\.0?)? ?- ?\w"
                        r"|log\(1(\.0?)? ?- ?\w.*log\((?!1(\.0?)? ?-)")  # log(p) and log(1 - p)
_ODDS = re.compile(r"log\((\w+) ?/ ?\(1(\.0?)? ?- ?\1\)")  # log(p / (1 - p))
_DIFFERENCE_OF_EXP = re.compile(r"exp\(.*\) ?- ?[\w.]*exp\(-.*/")
_LESS_ONE = re.compile(r"exp\([^()]*\) ?- ?1")

_RULES: list[tuple[Rule, str]] = [
    (lambda birth: birth.op is None and birth.given.startswith("variable"), _HELD),
    (lambda birth: birth.op is None and birth.given.startswith("computed"), _BEFORE),
    (lambda birth: birth.op is None, DATA),
    (lambda birth: birth.earlier is not None and birth.earlier.given.startswith("component"), DATA),
    (lambda birth: birth.earlier is not None and remedy_for(birth.earlier) == _GROWN, _GROWN),
    (lambda birth: birth.dtype == "float16" and birth.kind != "NaN" and not _has(birth, 0.0),
     _HALF),
    (lambda birth: _is("mean")(birth) and birth.kind == "NaN"
     and birth.earlier is None, _EMPTY),
    (_all(_is("extreme"), lambda birth: birth.earlier is None), _EMPTY_EXTREME),
    (_all(_is("logarithm", "product", "sum"), _says(_BOTH_LOGS)), _BINARY),
    (_says(_ODDS), _LOGIT),
    (_all(_is("logarithm"), _FORWARD, lambda birth: birth.op == "log1p" and _has(birth, -1.0)),
     _LOG1P),
    (_all(_backward, lambda birth: birth.kind == "NaN" and _origin(birth) == "arc"), _ARC),
    (lambda birth: "norm(" in _text(birth) and _is("root", "product", "quotient")(birth)
     and _backward(birth), _NORM),
    (_all(_masked, lambda birth: _origin(birth) == "root" and "where" not in _text(birth)), _SQRT),
    (_all(_masked, _is("root", "inverse root"), lambda birth: "where" not in _text(birth),
          lambda birth: birth.values.count(0.0) == 2), _SQRT),
    (_all(_masked, lambda birth: _origin(birth) == "power" and "where" not in _text(birth)),
     _POW_ZERO),
    (_all(_masked, _is("logarithm"), lambda birth: "where" not in _text(birth)
          and "*" in _text(birth)), _XLOGY),
    (_all(_backward, lambda birth: birth.called == "atan2"), _ANGLE),
    (_masked, _SAFE),
    (_all(_is("quotient"), _FORWARD, lambda birth: birth.kind == "NaN" and birth.earlier is None
          and any(one in _text(birth) for one in ("norm(", "normalize("))), _DIRECTION),
    (lambda birth: "softmax" in birth.called and birth.earlier is not None
     and birth.earlier.kind == "-inf", _MASKED_ROW),
    (_all(_is("root", "inverse root"), _FORWARD, _below_zero), _ROOT_NEGATIVE),
    (_is("inverse root"), _BY_ZERO),
    (_is("root"), _SQRT),
    (_all(_is("logarithm"), _FORWARD, lambda birth: birth.kind == "NaN"), _LOG_NEGATIVE),
    (lambda birth: "det(" in _text(birth) and birth.kind != "NaN", _DETERMINANT),
    (_all(_is("logarithm"), _says(_SUM_OF_EXP)), _LOG_SUM_EXP),
    (_all(_is("logarithm"), _says(_LESS_ONE)), _EXP_LESS_ONE),
    (_all(_is("logarithm"), _says(_REST), lambda birth: "tanh(" in _text(birth)), _SQUASHED),
    (_all(_is("logarithm"), _says(_REST)), _LOG_OF_REST),
    (_is("logarithm"), _LOG),
    (_all(_is("quotient"), lambda birth: _origin(birth) == "exponential",
          _says(_DIFFERENCE_OF_EXP)), _TANH),
    (_all(_is("quotient"), lambda birth: _origin(birth) == "exponential"), _SOFTMAX),
    (_all(_is("sum"), lambda birth: birth.kind == "NaN"), _DIFFERENCE),
    (_all(_is("product"), lambda birth: birth.kind == "NaN" and _origin(birth) == "logarithm",
          _says(_REST)), _XLOG1PY),
    (_all(_is("product"), lambda birth: birth.kind == "NaN"
          and _origin(birth) == "logarithm"), _XLOGY),
    (_all(_is("product"), lambda birth: birth.kind == "NaN"
          and _origin(birth) == "inverse root"), _NORMALISED),
    (_all(_is("product"), lambda birth: birth.kind == "NaN"), _TIMES_ZERO),
    (_all(_is("quotient"), lambda birth: birth.kind == "NaN"), _ZERO_BY_ZERO),
    (_all(_is("quotient"), lambda birth: _has(birth, 0.0)), _BY_ZERO),
    (_all(_is("exponential"), lambda birth: "log(" in _text(birth)
          and "cosh(" in _text(birth)), _LOG_COSH),
    (_is("exponential"), _EXP),
    (_all(_is("power"), lambda birth: birth.kind == "NaN" and _below_zero(birth)), _POW_NEGATIVE),
    (_all(_is("power"), _FORWARD, lambda birth: _has(birth, 0.0)), _POW_BY_ZERO),
    (_all(_is("power"), lambda birth: _has(birth, 0.0)), _POW_ZERO),
    (_all(_is("arc"), _FORWARD, lambda birth: birth.kind == "NaN"), _ARC_OUTSIDE),
    (_is("arc"), _ARC),
    (_is("positive definite"), _CHOLESKY),
    (_is("gamma"), _GAMMA),
    (_is("quantile"), _QUANTILE),
    (_is("zeta"), _ZETA),
    (_is("remainder"), _REMAINDER),
    (_is("inverse"), _SINGULAR),
    (lambda birth: birth.kind in ("inf", "-inf") and not _has(birth, 0.0), _GROWN),
]
