"""Eager tensors that a trace meets: constants of its graph, or computed again as nodes.

An op on eager tensors only runs at once, so constants fold by themselves. Two kinds of results are
no plain constants: those of a tensor that a tape may follow are *derived*, and become nodes over
that tensor where the graph uses them; the others are *folded*, and become nodes if `tf.gradients`
asks.

Tensors are known by their ids, because their `==` compares values; every table keeps them alive.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from tapeflow.core.record.families import literal_of
from tapeflow.core.record.op import Op
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.tracing.graph_builder import GraphBuilder
from tapeflow.graph.tracing.symbolic import Symbolic

_SMALL = 1 << 16  # larger constants are not kept for the sake of tf.gradients


class EagerResult(NamedTuple):
    """How an eager tensor was made: result `position` of an op."""

    tensor: Tensor
    position: int
    op: Op
    xs: tuple
    attrs: dict


class EagerOperands:
    """The eager tensors of one trace.

    constants  tensors and the Values that stand for them
    met        tensors from outside that no tape has watched yet, of the function's own trace
    open       in a loop or branch of a tf.Graph, or where tf.gradients has asked: constants from
               outside are operands
    inside     of the function's own trace: whether it has a loop or branch that is not open
    unfolded   how many nodes, the first, make what was folded before
    """

    def __init__(self, builder: GraphBuilder):
        self._builder, self._root = builder, builder.root
        self.open = builder.outer is not None and (
            builder.home_graph() is not None or self._root.opens_constants)
        self.inside = False
        if builder.outer is not None and not self.open:
            self._root.eager.inside = True
        self.constants: dict[int, tuple[Tensor, ir.Value]] = {}
        self.met: dict[int, Tensor] = {}
        self.derived: dict[int, EagerResult] = {}
        self.folded: dict[int, EagerResult] = {}
        self.symbols: dict[int, Symbolic] = {}
        self.unfolded = 0
        self._literals: dict[tuple[np.dtype, float], Tensor] = {}

    def literal(self, dtype: np.dtype, scalar: float) -> Tensor | None:
        """A Python scalar in a dtype, one constant for equal ones but in a tf.Graph, where each has
        a name; None if that is not easy."""
        found = self._literals.get((dtype, scalar))
        if found is None:
            found = literal_of(dtype, scalar)
            if (found is not None and scalar  # 0.0 is equal to -0.0
                    and not self.open and self._builder.home_graph() is None):
                self._literals[dtype, scalar] = found
                self.constants[id(found)] = found, ir.constant(found._value)
        return found

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors: if a tape may follow one, its result is no plain constant."""
        if op.reason is not None:
            return
        many = ys if op.multi else (ys,)
        if any(x._uid or self.is_derived(x) or self.follows(x) for x in xs):
            for index, y in enumerate(many):
                self.derived[id(y)] = EagerResult(y, index, op, xs, attrs)
            return
        for x in xs:
            if id(x) not in self.folded:
                self.meet(x)
        for index, y in enumerate(many):
            if y._value.size <= _SMALL and y._value.dtype.kind in "fcV":
                self.folded[id(y)] = EagerResult(y, index, op, xs, attrs)

    def follows(self, x: Tensor) -> bool:
        """Whether an unwatched tensor is no constant either."""
        return self.open and x._value.dtype.kind in "fc"

    def forget_folded(self) -> None:
        """The trace ends: nobody can ask for gradients of what was folded."""
        self.folded.clear()

    def forget_results(self) -> None:
        """The graph is whole; weak caches of libraries must not find its results."""
        self.derived.clear()
        self.symbols.clear()
        self.constants = {key: held for key, held in self.constants.items()
                          if held[1].const is not None}

    def is_derived(self, x: Tensor) -> bool:
        """Whether a tensor is derived, here or in a trace around, or was and is a node by now."""
        held, outer = self.constants.get(id(x)), self._builder.outer
        return id(x) in self.derived or (held is not None and held[1].const is None) or (
            outer is not None and outer.eager.is_derived(x))

    def value_of(self, x: Tensor) -> ir.Value | None:
        """The Value of a tensor that is derived; None for all others."""
        made = self.derived.pop(id(x), None) if self.derived else None
        if made is not None:
            return self._rederive(made)
        held = self.constants.get(id(x))
        return None if held is None or held[1].const is not None else held[1]

    def _rederive(self, made: EagerResult) -> ir.Value:
        """What was computed from a tensor from outside, as nodes over that tensor."""
        outside = state.trace
        state.trace = cast(Any, self._builder)  # the builder is a trace
        try:
            result = self._builder.run(made.op, tuple([self.symbolic(x) for x in made.xs]),
                                       made.attrs)
        finally:
            state.trace = outside
        value = (result[made.position] if made.op.multi else result)._ir
        self.constants[id(made.tensor)] = (made.tensor, value)
        return value

    def constant(self, x: Tensor) -> ir.Value:
        """The constant of the graph that a tensor is."""
        held = self.constants.get(id(x))
        if held is None:
            value = ir.constant(x._value)
            held = self.constants[id(x)] = (x, value)
            if value.dtype.kind in "fcV":
                self._builder.graph.captured.append(held)
                if not x._uid:
                    self._root.eager.met[id(x)] = x
        return held[1]

    def meet(self, x: Tensor) -> None:
        """Remember a tensor that may be watched later: what was made of it is a constant here."""
        if not x._uid and x._value.dtype.kind in "fcV":
            self._root.eager.met[id(x)] = x

    def symbolic(self, x: Tensor) -> Symbolic:
        """An eager tensor as a symbolic one of this trace."""
        held = self.symbols.get(id(x))
        if held is None:
            value = self._builder.value_of(x)
            held = self.symbols[id(x)] = self._builder.symbolic(value, x._uid)
        return held
