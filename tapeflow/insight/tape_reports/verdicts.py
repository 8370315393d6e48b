"""The verdict on a gradient, in a word and a sentence; the thresholds stand here, and only here.

| verdict | when |
| --- | --- |
| disconnected | there is no gradient; the sentence is `explain`'s |
| overflow in float16 | NaN or infinity in it, and float16 values that are infinite on the way |
| not finite | NaN or infinity in it |
| dead ReLU | ReLUs on the way gave 0 for DEAD of their elements, and it is 0 or vanishing |
| saturated | sigmoids or tanhs on the way are within FLAT of a limit for SATURATED of elements |
| zero | every element is 0 |
| vanishing | its root mean square is VANISHING times the largest of the report or less, or it is \
lost in the rounding of the value |
| exploding | its norm is over EXPLODING times that of the value, or than 1 if that is smaller |
| fine | else |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tapeflow.core.autodiff.record import Record
from tapeflow.core.record.op import NAMED, Op
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.executor.graph_function import RECORDED
from tapeflow.insight.tape_reports.tape_steps import HINT, Step, position_of, short
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.math.arithmetic import multiply
from tapeflow.ops.math.trigonometric import tanh
from tapeflow.ops.nn.activations import relu, relu6, sigmoid
from tapeflow.ops.nn.softmax_norm import softmax

DEAD = 0.95
FLAT = 0.01
SATURATED = 0.9
VANISHING = 1e-4
EXPLODING = 1e4
UNDERFLOW = ("float16 knows no number below 6e-8: if that is it, scale the loss, as "
             "tf.keras.mixed_precision.LossScaleOptimizer does, or compute this in float32.")


class Stats(NamedTuple):
    """Numbers of an array: `zeros`, `nans` and `infinities` are shares of its elements."""

    norm: float
    size: int
    zeros: float
    nans: float
    infinities: float

    @property
    def rms(self) -> float:
        return self.norm / max(self.size, 1) ** 0.5

    @property
    def finite(self) -> bool:
        return not (self.nans or self.infinities)


def numbers_of(x: Any) -> np.ndarray:
    """A gradient or value as an array of floats."""
    if isinstance(x, IndexedSlices):
        x = densify(x)
    array = np.asarray(x._value if isinstance(x, Tensor) else x)
    if array.dtype.kind == "V":
        array = array.astype(np.float32)
    return np.abs(array) if array.dtype.kind == "c" else array


def measure(x: Any) -> Stats:
    """The numbers of a gradient or value."""
    array = numbers_of(x)
    size = array.size
    if not size:
        return Stats(0.0, 0, 0.0, 0.0, 0.0)
    with np.errstate(all="ignore"):
        norm = float(np.linalg.norm(array.ravel().astype(np.float64)))
    shares = [float(np.count_nonzero(one)) / size for one in (array == 0, np.isnan(array),
                                                              np.isinf(array))]
    return Stats(norm, size, *shares)


# -- what stops a gradient -------------------------------------------------------------------------
class Flat(NamedTuple):
    """An activation on the tape that passes next to nothing on, and where it stands."""

    kind: str  # "dead ReLU" or "saturated"
    step: Step
    share: float
    where: str
    text: str


def _dead(y: np.ndarray) -> np.ndarray:
    return y <= 0


def _dead_or_full(y: np.ndarray) -> np.ndarray:
    return (y <= 0) | (y >= 6)


def _near_0_or_1(y: np.ndarray) -> np.ndarray:
    return (y < FLAT) | (y > 1 - FLAT)


def _near_1(y: np.ndarray) -> np.ndarray:
    return np.abs(y) > 1 - FLAT


ACTIVATIONS: dict[Op, tuple[str, float, Callable]] = {
    relu.op: ("dead ReLU", DEAD, _dead), relu6.op: ("dead ReLU", DEAD, _dead_or_full),
    sigmoid.op: ("saturated", SATURATED, _near_0_or_1), tanh.op: ("saturated", SATURATED, _near_1)}


def place(record: Record, step: Step) -> str:
    """The op and where it stands, as text."""
    where = short(position_of(record, step))
    return f"{step.op.name} at {where}" if where else f"{step.op.name} ({HINT})"


def flat_step(record: Record, step: Step) -> Flat | None:
    """The finding, if a step is an activation that passes next to nothing on."""
    known = ACTIVATIONS.get(step.op)
    y = step.results[0] if step.results else None
    if known is None or not isinstance(y, Tensor):
        return None
    kind, limit, test = known
    share = float(np.mean(test(numbers_of(y))))
    if share < limit:
        return None
    if test is _dead_or_full and np.mean(_dead(numbers_of(y))) < share / 2:
        kind = "saturated"
    said = "of its outputs are 0" if test is _dead else "of its outputs are at their limits"
    return Flat(kind, step, share, short(position_of(record, step)),
                f"{place(record, step)}: {share:.0%} {said}")


def overflowed(record: Record, step: Step) -> str | None:
    """Where a float16 value of a step is infinite."""
    for held in (*step.results, *step.operands):
        value = held._value if isinstance(held, Tensor) else None
        if value is not None and value.dtype == np.float16 and np.isinf(value).any():
            return place(record, step)
    return None


# -- verdicts --------------------------------------------------------------------------------------
def verdict(stats: Stats, value: Stats, largest: float, dtype: Any, flats: list[Flat],
            overflows: list[str]) -> tuple[str, str, str]:
    """A word, a place if there is one to blame, and a sentence on a gradient that there is.

    `largest`: the largest root mean square of the report; `flats`, `overflows`: what stands between
    the source and the target.
    """
    if not stats.finite:
        return _not_finite(stats, dtype, overflows)
    small = stats.norm == 0 or stats.rms <= VANISHING * largest
    worst = max(flats, key=lambda one: one.share, default=None)
    if worst is not None and (worst.kind == "saturated" or small):
        advice = ("Lower the learning rate, start from smaller or positive biases, or use a leaky "
                  "ReLU." if worst.kind == "dead ReLU" else
                  "Scale or normalise what goes in, start from smaller weights, or use an "
                  "activation without limits.")
        return worst.kind, worst.where, f"{worst.text}. {advice}"
    if stats.norm == 0:
        return "zero", "", ("every element is 0: the target does not change with it here. Look "
                            "for comparisons, clipping, or a minimum."
                            + (f" {UNDERFLOW}" if dtype.name == "float16" else ""))
    if small:
        return "vanishing", "", (
            f"its elements are {stats.rms / largest:.1e} times those of the largest gradient of "
            "this report. Normalise between layers, use residual connections or another "
            "activation.")
    if value.norm and stats.norm < _rounding(dtype) * value.norm:
        return "vanishing", "", (
            f"it is {stats.norm / value.norm:.1e} times the value: a step of that size is lost in "
            "rounding. At the end of a training that is as it should be.")
    if stats.norm > EXPLODING * max(value.norm, 1.0):
        return "exploding", "", (
            f"its norm is {stats.norm:.1e}, that of the value {value.norm:.1e}. Clip it "
            "(tf.clip_by_global_norm), lower the learning rate, or take a mean where there is a "
            "sum.")
    return "fine", "", ""


def zero_text(record: Record, step: Step) -> str:
    """A sentence on the step where a gradient becomes 0."""
    advice = ("The target does not change with it here: look for clipping, a sign, a limit that "
              "was reached, or a minimum.")
    if step.op in RECORDED:
        advice = ("It is a tf.function: after tf.config.run_functions_eagerly(True) the op inside "
                  "is named.")
    elif step.op is softmax.op and _along_axis(step) == 1:
        advice = ("A softmax adds up to 1 along its axis: of one element it is always 1. For two "
                  "classes with one output use a sigmoid.")
    elif step.op is softmax.op:
        advice = ("Its largest logit is so far above the others that it has rounded to 1 and 0. "
                  "Scale or normalise the logits, or take a loss that is given logits "
                  "(from_logits=True).")
    elif _zero_factor(step):
        advice = ("What it is multiplied with is 0 throughout: weights that start at 0, a mask "
                  "that takes nothing, or ReLUs that are dead. Start weights from random numbers.")
    elif ACTIVATIONS.get(NAMED.get(step.op.name.removesuffix("_grad"), step.op), ("",))[0] == (
            "dead ReLU"):
        advice = ("A ReLU consists of straight lines, so a gradient of its gradient is 0. Where "
                  "second derivatives are trained on, use tanh, softplus or gelu.")
    elif any(isinstance(one, Tensor) and one.dtype.name == "float16"
             for one in (*step.results, *step.operands)):
        advice = f"{advice} {UNDERFLOW}"
    return f"{place(record, step)} passes nothing on, its slope is 0 here. {advice}"


def _along_axis(step: Step) -> int | None:
    """How many elements a softmax has along its axis, if the entry tells."""
    shape = getattr(step.results[0] if step.results else None, "shape", ())
    axis = step.attrs.get("axis")
    return shape[-1 if axis is None else axis] if len(shape) else None


def _zero_factor(step: Step) -> bool:
    """Whether a product has an operand that is 0 throughout."""
    return step.op in (multiply.op, matmul_call.op) and any(
        isinstance(one, Tensor) and not np.any(numbers_of(one)) for one in step.operands)


def _not_finite(stats: Stats, dtype: Any, overflows: list[str]) -> tuple[str, str, str]:
    shares = [f"{share:.0%} {name}" for share, name in (
        (stats.nans, "NaN"), (stats.infinities, "infinite")) if share]
    said = f"{' and '.join(shares)} elements"
    if overflows or dtype.name == "float16":
        where = f" ({overflows[0]})" if overflows else ""
        return "overflow in float16", "", (
            f"{said}: float16 ends at 65504{where}. Compute this in float32, or let "
            "tf.keras.mixed_precision.LossScaleOptimizer find a smaller scale.")
    return "not finite", "", f"{said}. `with tf.insight.debug():` names the op that makes it."


def _rounding(dtype: Any) -> float:
    return {"float16": 2.0 ** -11, "bfloat16": 2.0 ** -8, "float64": 2.0 ** -53,
            "complex128": 2.0 ** -53}.get(dtype.name, 2.0 ** -24)
