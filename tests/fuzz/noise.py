"""How far rounding may carry the results of a graph: the graph run on NumPy with noise.

Another executor may add in another order, or take another polynomial for a sine. Each such choice
changes what an op gives by a few units in the last place, and what comes after may multiply that:
nothing is known of the end from the op alone. So the graph is run a few times with every op's
rounding drawn at random (Monte Carlo arithmetic): how far results move is how far a right executor
may be from another, element by element. A wrong element does not move by itself. Where a partial
sum may overflow, in one order and not in another, elements become infinite or NaN at random.
"""

from __future__ import annotations

import contextlib
import math

import ml_dtypes
import numpy as np

from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.graph import ir
from tapeflow.graph.ir import attribute
from tapeflow.graph.variable_ops import write

# Results that are operands, or decided by them: nothing is rounded.
EXACT = frozenset("""abs cast ceil conj equal floor greater greater_equal is_finite is_inf is_nan
    keep_where less less_equal maximum minimum negative not_equal relu relu6 relu6_grad relu_grad
    rint round same select sign argmax argmin count_nonzero max_pool max_pool_argmax max_pool_pick
    reduce_all reduce_any reduce_max reduce_min segment_max segment_min argsort sort top_k shape
    size rank one_hot range where unique searchsorted invert_permutation in_top_k
    element_count complex real imag""".split())
# Rounded once, from their operands alone: as IEEE 754 says, or nearly so.
ONCE = frozenset("""add subtract multiply divide square sqrt squared_difference reciprocal
    divide_no_nan multiply_no_nan add_n""".split())
# Moves that add.
ADDING = frozenset("""cumsum scatter_nd scatter_rows ungather unstrided tensor_scatter_nd_add
    tensor_scatter_nd_sub tensor_scatter_nd_mul tensor_scatter_nd_div add_one_hot""".split())
# As TensorFlow has them: rounded in units of 1, whatever is left of exp(x) - 1,
BELOW_ONE = frozenset({"elu", "selu"})
# and in units of its factor x / 2, whatever is left of 1 + tanh(u).
HALF_OPERAND = frozenset({"gelu_tanh"})
LOOSE = 4.0  # units in the last place by which a function of one number may be off

OVERFLOW = [False]  # whether a partial sum may have overflowed since somebody looked
_draw: list[np.random.Generator] = []


@contextlib.contextmanager
def noise(seed: int):
    """Let programs of `Noisy` round at random."""
    _draw.append(np.random.default_rng(seed))
    try:
        yield
    finally:
        _draw.pop()


def epsilon(dtype) -> float:
    """The distance of 1 to the next number."""
    if dtype.kind == "c":
        return float(np.finfo(dtype).eps)
    return float(ml_dtypes.finfo(dtype).eps)


def is_float(x) -> bool:
    return x.dtype.kind in "fc" or x.dtype == ml_dtypes.bfloat16


def _shaken(x, units: float):
    """Numbers that are off by up to so many units in the last place; zeros stay."""
    if not is_float(x) or not units:
        return x
    if x.dtype.kind == "c":  # each part by itself
        pairs = np.ascontiguousarray(x).view(x.real.dtype)
        return _shaken(pairs, units).view(x.dtype).reshape(np.shape(x))[()]
    shift = 1.0 + units * epsilon(x.dtype) * _draw[-1].uniform(-1.0, 1.0, x.shape)
    moved = np.asarray(x, np.float64) * shift
    return moved.astype(x.dtype) if isinstance(x, np.ndarray) else x.dtype.type(moved)


def _shaken_columns(y):
    """Elements that are off in units of the largest of their column; zeros stay."""
    largest = np.broadcast_to(np.max(np.abs(y), axis=-2, keepdims=True, initial=0.0), y.shape)
    return np.where(y == 0, y, y + (_shaken(largest, LOOSE) - largest)).astype(y.dtype)


def _depth(xs, outputs) -> float:
    """About how many numbers go into one of the results."""
    sizes = [float(x.size) for x in xs if is_float(x)]
    known = [math.prod(value.shape) for value in outputs
             if value.shape is not None and None not in value.shape]
    out = float(max([1, *known]))
    pair = math.sqrt(sizes[0] * sizes[1] / out) if len(sizes) > 1 else 0.0
    return max([1.0, pair, *[size / out for size in sizes]])


def _may_overflow(xs, depth: float) -> bool:
    """Whether a partial sum of products may be too large, which another order of it may avoid."""
    bound, most = depth, 0.0
    for x in xs:
        if is_float(x) and x.size:
            size = np.abs(np.asarray(x, np.complex128 if x.dtype.kind == "c" else np.float64))
            bound *= max(1.0, float(np.max(size, initial=0.0, where=np.isfinite(size))))
            most = max(most, float(ml_dtypes.finfo(x.real.dtype).max))
    return bool(most) and bound > most / 2


def _overflowed(y):
    """Some of the elements are infinite or NaN, at random."""
    if not is_float(y):
        return y
    OVERFLOW[0] = True
    others, rng, shape = np.array([np.nan, np.inf, -np.inf]).astype(y.dtype), _draw[-1], np.shape(y)
    if rng.random() < 0.5:  # the elements of a column are sums of the same factors: all alike
        shape = shape[-1:]
    drawn = others[rng.integers(0, 3, shape)]
    found = np.where(rng.random(shape) < 0.5, drawn, y).astype(y.dtype)
    return found if isinstance(y, np.ndarray) else found[()]


class Noisy:
    """An executor, as `graph.execute.Program` is one; without noise it gives the same numbers."""

    def __init__(self, graph: ir.Graph):
        self.graph = graph
        self.slots = {uid: i for i, uid in enumerate(graph.variables)}

    def run(self, arrays, variables) -> tuple:
        token = ignore_fp_errors()
        try:
            return self._run(arrays, variables)
        finally:
            restore_fp_errors(token)

    def _run(self, arrays, variables):
        graph = self.graph
        env = {id(value): x for value, x in zip(graph.inputs, arrays, strict=True)}
        for use, variable in zip(graph.variables.values(), variables, strict=True):
            env[id(use.initial)] = variable._snapshot._value

        def get(value):
            return env[id(value)] if value.const is None else value.const

        for node in graph.nodes:
            if node.op is write:
                value = get(node.inputs[0])
                variables[self.slots[node.attrs["variable"]]]._swap(value)
                env[id(node.outputs[0])] = value
                continue
            attrs = {key: attribute(get(attr)) if isinstance(attr, ir.Value) else attr
                     for key, attr in node.attrs.items()}
            results = _call(node, [get(value) for value in node.inputs], attrs)
            env.update(zip(map(id, node.outputs), results, strict=True))
        return tuple([get(value) for value in graph.outputs])


def _call(node, xs, attrs):
    """The results of a node, rounded at random if there is noise."""
    op = node.op
    exact = op.kind in ("random", "control") or (op.kind == "move" and op.name not in ADDING)
    if not _draw or exact or op.name in EXACT:
        return _kernel(op, xs, attrs)
    if op.name in ONCE:
        return [_shaken(y, 1.0) for y in _kernel(op, xs, attrs)]
    depth = 1.0 if op.kind == "elementwise" else _depth(xs, node.outputs)
    if op.name in ADDING:
        depth = max([depth, *[n for x in xs if is_float(x) for n in x.shape]])
    found = _kernel(op, [_shaken(x, math.sqrt(depth)) for x in xs], attrs)
    if op.name in BELOW_ONE:
        return [np.where(y < 0, _shaken(y + 1, LOOSE) - 1, y).astype(y.dtype) for y in found]
    if op.name in HALF_OPERAND:
        half = xs[0] * xs[0].dtype.type(0.5)
        return [(_shaken(y, LOOSE) + (_shaken(half, LOOSE) - half)).astype(y.dtype)
                for y in found]
    if op.kind != "elementwise" and _may_overflow(xs, depth):
        return [_overflowed(y) for y in found]
    if getattr(op.lower, "normwise", False):
        return [_shaken_columns(y) for y in found]
    # Terms that are alike are rounded alike, one after the other.
    loose = max(LOOSE, math.sqrt(depth)) if op.kind == "reduce" else LOOSE
    return [_shaken(y, loose) for y in found]


def _kernel(op, xs, attrs):
    try:
        found = op.kernel(*xs, **attrs)
    except Exception as error:
        found = op.recover(error, tuple(xs), attrs)
    return list(found) if op.multi else [found]
