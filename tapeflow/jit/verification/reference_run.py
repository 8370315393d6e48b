"""A graph run node by node on NumPy: what native code is compared with.

`Reference` runs every node's kernel, bodies of loops and branches included, without fusion, buffers
or native code. With `noise` each operand and result is off by about a rounding error at random:
results that move tell how far two right executors may differ, element by element (Monte Carlo
arithmetic). Without it a sum that nearly cancels could not be told from a wrong one.
"""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.state import state
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.jit.passes.decompose import steps_of
from tapeflow.jit.tiering.cost import bodies

# Kernels that IEEE 754 or their nature leaves no choice: native code gives the same bits.
EXACT = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.abs,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_,
    operator.or_, operator.xor, np.sqrt, np.floor, np.ceil, np.rint, np.sign, np.isnan, np.isinf,
    np.isfinite, np.logical_not, np.invert, np.conjugate})
TABLE = 1 << 16  # random signs, used again and again


class TooLong(Exception):
    """The reference was given so much time and no more."""


class Noise:
    """Relative errors of random sign. Every other seed computes functions in double precision,
    which shows how far off a kernel in single precision is.
    """

    def __init__(self, seed: int):
        self.seed, self.in_float64 = seed, seed % 2 == 1
        self.overflow = False  # whether a partial sum may have overflowed
        rng = np.random.default_rng(seed)
        self._signs = np.tile(rng.choice(np.array([-1.0, 1.0], np.float32), TABLE), 2)
        self._rng = rng

    def on(self, x: Any, roundings: float = 1.0) -> Any:
        """The value, off by as much as so many roundings make."""
        if x.dtype.kind not in "fcV" or not x.size:
            return x
        if x.dtype.kind == "c":  # each part by itself
            pairs = np.ascontiguousarray(x).view(x.real.dtype)
            return self.on(pairs, roundings).view(x.dtype).reshape(x.shape)[()]
        eps = epsilon(x.dtype) * roundings
        at = int(self._rng.integers(TABLE))
        wide = np.dtype(np.float32) if x.dtype.itemsize < 4 else x.dtype
        signs = self._signs[at:at + min(x.size, TABLE)]
        factors = 1 + eps * signs.astype(wide, copy=False)
        flat = np.asarray(x).astype(wide, copy=False).reshape(-1)
        made = np.empty(flat.shape, wide)
        whole = flat.size - flat.size % len(factors)  # the table again and again
        np.multiply(flat[:whole].reshape(-1, len(factors)), factors,
                    out=made[:whole].reshape(-1, len(factors)))
        np.multiply(flat[whole:], factors[:flat.size - whole], out=made[whole:])
        return made.astype(x.dtype, copy=False).reshape(x.shape)[()]  # a scalar stays one

    def on_columns(self, y: Any) -> Any:
        """Each element off by a rounding of the largest of its column; zeros stay."""
        largest = np.max(np.abs(y), axis=-2, keepdims=True, initial=0.0)
        return np.where(y == 0, y, y + (self.on(np.broadcast_to(largest, y.shape)) - largest))

    def overflowed(self, y: Any) -> Any:
        """Some elements infinite or NaN: partial sums may be, in one order and not in another."""
        if y.dtype.kind not in "fcV" or not y.size:
            return y
        self.overflow = True
        others = np.array([np.nan, np.inf, -np.inf], np.float32).astype(y.dtype)
        drawn = others[self._rng.integers(0, 3, y.shape)]
        return np.where(self._rng.random(y.shape) < 0.5, drawn, y).astype(y.dtype)


def finfo(dtype: Any) -> Any:
    """What is known of a floating dtype: eps, max, tiny."""
    if dtype.kind in "fc":
        return np.finfo(dtype)
    import ml_dtypes
    return ml_dtypes.finfo(dtype)


def epsilon(dtype: Any) -> float:
    """The distance from 1 to the next number of a floating dtype."""
    return float(finfo(dtype).eps)


class Drawn:
    """Random numbers that a graph draws, by node: runs from the same states draw the same ones."""

    def __init__(self) -> None:
        self._known: dict[ir.Node, tuple] = {}

    def again(self, node: ir.Node, xs: list, attrs: dict) -> Any:
        """What a node draws for these operands; its stream is then where that leaves it."""
        stream = attrs.get("stream")
        begin = None if stream is None else stream.state()
        if node in self._known:
            *before, operands, found, end = self._known[node]
            if before == [begin, attrs] and all(map(_same_bits, xs, operands)):
                if stream is not None:
                    stream.restore(end)
                return found
        found = node.op.kernel(*xs, **attrs)
        self._known[node] = begin, attrs, xs, found, None if stream is None else stream.state()
        return found


def _same_bits(x: Any, y: Any) -> bool:
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


class Reference:
    """A graph on NumPy, node by node."""

    def __init__(self, graph: ir.Graph, deadline: float = float("inf"),
                 drawn: Drawn | None = None):
        """drawn: random numbers of earlier runs from the same states of the streams."""
        self.graph = graph
        self.deadline = deadline  # by the clock of time.perf_counter
        self._needless_after = _needless_after(graph)
        self._drawn = drawn
        self._steps: dict[ir.Node, Reference | None] = {}  # of ops that are computed by steps

    def run(self, arrays: Any, variables: Any, noise: Noise | None = None,
            wanted: Collection[int] | None = None) -> tuple[list, list]:
        """The results, and what the variables hold in the end; `variables` are bare values.

        wanted: the numbers of those, results first, that are computed; None stands for the others.
        """
        graph = self.graph
        skipped = frozenset() if wanted is None else _needless_for(graph, wanted)
        known = dict(zip(graph.inputs, arrays, strict=True))
        held = dict(zip(graph.variables, variables, strict=True))
        for uid, use in graph.variables.items():
            known[use.initial] = held[uid]

        def fetch(value: ir.Value) -> Any:
            return known[value] if value.const is None else value.const

        needless = self._needless_after
        token, outer = ignore_fp_errors(), state.numpy_alone
        state.numpy_alone = True
        try:
            for position, node in enumerate(graph.nodes):
                if node in skipped:
                    continue
                if time.perf_counter() > self.deadline:
                    raise TooLong
                xs = [fetch(value) for value in node.inputs]
                if node.op is write:
                    held[node.attrs["variable"]] = known[node.outputs[0]] = xs[0]
                else:
                    attrs = {key: ir.attribute(fetch(attr)) if isinstance(attr, ir.Value) else attr
                             for key, attr in node.attrs.items()}
                    ys = self._apply(node, xs, attrs, noise)
                    known.update(zip(node.outputs, ys, strict=True))
                    del ys
                del xs
                for value in needless[position]:
                    known.pop(value, None)
            count = len(graph.outputs)
            return ([fetch(value) if wanted is None or i in wanted else None
                     for i, value in enumerate(graph.outputs)],
                    [x if wanted is None or count + i in wanted else None
                     for i, x in enumerate(held.values())])
        finally:
            state.numpy_alone = outer
            restore_fp_errors(token)

    def _apply(self, node: ir.Node, xs: list, attrs: dict, noise: Noise | None) -> Any:
        if bodies(node):
            attrs = {key: self._on_numpy(attr, noise) for key, attr in attrs.items()}
            noise = None
        elif _is_exact(node):
            noise = None
        if noise is not None:
            terms = _terms(node)
            xs = [noise.on(x, 1.0 if _summed_wider(node, x) else terms) for x in xs]
        steps = self._steps_of(node) if noise is not None else None
        if steps is not None:
            operands = [x for x, value in zip(xs, node.inputs, strict=True) if value.const is None]
            results, _ = steps.run(operands, (), noise)
            found = results if node.op.multi else results[0]
        elif noise is not None and noise.in_float64 and node.op.kind == "elementwise":
            found = _in_float64(node, xs, attrs)
        elif node.op.kind == "random" and self._drawn is not None:
            found = self._drawn.again(node, xs, attrs)
        else:
            found = node.op.kernel(*xs, **attrs)
        ys = found if node.op.multi else (found,)
        if noise is None:
            return ys
        if node.op.kind != "elementwise" and _may_overflow(node, xs, terms):
            return [noise.overflowed(y) for y in ys]
        if getattr(node.op.lower, "normwise", False):
            return [noise.on_columns(y) for y in ys]
        return [noise.on(y) for y in ys]

    def _steps_of(self, node: ir.Node) -> Reference | None:
        """What an op is written with that cancels: with noise on each step, not on the whole alone,
        since its results may be as small as the roundings on the way to them."""
        if not getattr(node.op.lower, "cancels", False):
            return None
        if node not in self._steps:
            graph = steps_of(node)
            self._steps[node] = None if graph is None else Reference(graph, self.deadline)
        return self._steps[node]

    def _on_numpy(self, attr: Any, noise: Noise | None) -> Any:
        if isinstance(attr, tuple):
            return tuple([self._on_numpy(one, noise) for one in attr])
        return _Body(attr, self.deadline, noise) if hasattr(attr, "graph") else attr


def _needless_after(graph: ir.Graph) -> list[list[ir.Value]]:
    """For each node the values that no later node and no result needs."""
    found: list[list[ir.Value]] = [[] for _ in graph.nodes]
    needed = set(graph.outputs)
    for position in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[position]
        for value in (*(node.operands() if node.attrs else node.inputs), *node.outputs):
            if value not in needed:
                needed.add(value)
                found[position].append(value)
    return found


def _needless_for(graph: ir.Graph, wanted: Collection[int]) -> frozenset[ir.Node]:
    """The nodes that are not needed for some of the results and variables. Effects are, but for
    writes: random numbers are drawn in their order."""
    ends = [*graph.outputs, *graph.variables]
    ends = [ends[i] for i in wanted]
    needed, skipped = set(ends), []
    for node in reversed(graph.nodes):
        effect = (node.attrs["variable"] in needed) if node.op is write else node.op.stateful
        if effect or not needed.isdisjoint(node.outputs):
            needed.update(node.operands())
        else:
            skipped.append(node)
    return frozenset(skipped)


class _Body:
    """A body as the kernels of control ops call it."""

    def __init__(self, function: Any, deadline: float, noise: Noise | None):
        self._function, self._noise = function, noise
        self._reference = Reference(function.graph, deadline)

    def run(self, arrays: list, variables: list) -> tuple:
        values = [variable._snapshot._value for variable in variables]
        return tuple(self._reference.run(arrays, values, self._noise)[0])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def _is_exact(node: ir.Node) -> bool:
    """Whether there is one right result, to the bit, for given operands."""
    form = node.op.lower
    if isinstance(form, forms.Reduce):
        return form.combine not in ("sum", "prod")
    return node.op.kind == "move" or node.op.kernel in EXACT


def _in_float64(node: ir.Node, xs: list, attrs: dict) -> Any:
    """A function of single or half precision, computed in double precision."""
    if any(x.dtype.kind not in "fV" or x.dtype.itemsize > 4 for x in xs) or node.op.multi:
        return node.op.kernel(*xs, **attrs)
    found = node.op.kernel(*[x.astype(np.float64) for x in xs], **attrs)
    return found.astype(node.outputs[0].dtype)


def _terms(node: ir.Node) -> float:
    """About how many terms are summed to one element of a result."""
    if node.op.kind == "elementwise":
        return 1.0
    if isinstance(node.op.lower, forms.MatrixRoutine):
        return float(max((node.inputs[0].shape or (1,))[-2:])) ** 0.5
    largest = max((_size(value) for value in node.inputs), default=1)
    least = min((_size(value) for value in node.outputs), default=1)
    return max(largest / max(least, 1), largest ** 0.5, 1.0)


def _summed_wider(node: ir.Node, x: Any) -> bool:
    """Whether an operand of half precision is summed in float32, where sums are hardly rounded:
    everywhere but where the sums lie in the result."""
    return x.dtype.itemsize == 2 and not isinstance(node.op.lower, (forms.Scan, forms.Scatter))


def _may_overflow(node: ir.Node, xs: list, terms: float) -> bool:
    """Whether a partial sum of products may be too large for the dtype that it is kept in."""
    bound, most = terms, 0.0
    for x in xs:
        if x.dtype.kind in "fcV" and x.size:
            bound *= max(1.0, _largest(x))
            kept = np.dtype(np.float32) if _summed_wider(node, x) else x.dtype
            most = max(most, float(finfo(kept).max))
    return most > 0.0 and bound > most / 2


def _largest(x: Any) -> float:
    """The largest finite absolute value, 0 if there is none."""
    if x.dtype.kind == "f":  # of most arrays all are finite, and need no copy in float64
        found = max(float(np.max(x)), -float(np.min(x)))
        if math.isfinite(found):
            return found
    size: Any = abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    return float(np.max(size, initial=0.0, where=np.isfinite(size)))


def _size(value: ir.Value) -> int:
    return int(np.prod([n or 1 for n in value.shape or ()]))


def random_streams(graph: ir.Graph) -> list[Any] | None:
    """The streams that a graph draws from; None if it has an effect that cannot be undone."""
    found = streams_in(graph)
    drawn = {id(stream) for stream in found}
    if any(node.op.stateful and node.op is not write and not bodies(node)
           and id(node.attrs.get("stream")) not in drawn for node in _all_nodes(graph)):
        return None
    return found


def streams_in(graph: ir.Graph) -> list[Any]:
    """The streams that a graph draws random numbers from."""
    streams = [node.attrs.get("stream") for node in _all_nodes(graph)]
    return [stream for stream in streams if stream is not None and hasattr(stream, "reserve")]


def _all_nodes(graph: ir.Graph) -> Iterator[ir.Node]:
    for node in graph.nodes:
        yield node
        for body in bodies(node):
            yield from _all_nodes(body.graph)
