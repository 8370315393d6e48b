"""Eager tensors that a trace meets: constants of its graph, or computed again as nodes.

An op on eager tensors only runs at once, so constants fold by themselves. Two kinds of results are
no plain constants: those of a tensor that a tape may follow are *derived*, and become nodes over
that tensor where the graph uses them; the others are *folded*, and become nodes only if
`tf.gradients` asks for them.

Tensors are known by their ids, because their `==` compares values; every table keeps them alive.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

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
    open       in a loop or branch of a tf.Graph: tf.gradients may ask
    _unfolded  how many nodes, the graph's first, make what was folded before
    """

    def __init__(self, builder: GraphBuilder):
        self._builder, self._root = builder, builder.root
        self.open = builder.outer is not None and builder.home_graph() is not None
        self.constants: dict[int, tuple[Tensor, ir.Value]] = {}
        self.met: dict[int, Tensor] = {}
        self._derived: dict[int, EagerResult] = {}
        self._folded: dict[int, EagerResult] = {}
        self._symbolic: dict[int, Symbolic] = {}
        self._unfolded = 0

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors: if a tape may follow one, its result is no plain constant."""
        if op.reason is not None:
            return
        many = ys if op.multi else (ys,)
        if any(x._uid or id(x) in self._derived or self.follows(x) for x in xs):
            for index, y in enumerate(many):
                self._derived[id(y)] = EagerResult(y, index, op, xs, attrs)
            return
        for x in xs:
            if id(x) not in self._folded:
                self.meet(x)
        for index, y in enumerate(many):
            if y._value.size <= _SMALL and y._value.dtype.kind in "fcV":
                self._folded[id(y)] = EagerResult(y, index, op, xs, attrs)

    def follows(self, x: Tensor) -> bool:
        """Whether an unwatched tensor is no constant either."""
        return self.open and x._value.dtype.kind in "fc"

    def forget_folded(self) -> None:
        """The trace ends: nobody can ask for gradients of what was folded."""
        self._folded.clear()

    def unfold(self, targets: list, sources: list) -> None:
        """Let what was computed at once, on the way from sources to targets, be nodes after all."""
        found = {id(x): True for x in sources if type(x) is Tensor}

        def depends(x: Any) -> bool:
            made = self._folded.get(id(x)) if type(x) is Tensor else None
            known = found.get(id(x), False)
            if made is not None and id(x) not in self._derived:
                if True in [depends(one) for one in made.xs]:  # ask all of them
                    self.constants.pop(id(x), None)
                    self._symbolic.pop(id(x), None)
                    self._derived[id(x)] = made
                    known = found[id(x)] = True
            return known

        if found:
            held = {value: x for x, value in self.constants.values() if id(x) in self._folded}
            stale = {value: x for value, x in held.items() if depends(x)}
            self._renew(stale, [y for y in targets if depends(y)])

    def _renew(self, stale: dict[ir.Value, Tensor], targets: list[Tensor]) -> None:
        """Let nodes read, in place of constants, nodes that make them: those go before all."""
        nodes, first = self._builder.graph.nodes, self._unfolded
        readers, start = list(nodes), len(nodes)
        renewed = {value: self._builder.value_of(x) for value, x in stale.items()}
        for y in targets:
            self._builder.value_of(y)
        made = nodes[start:]
        nodes[:] = readers[:first] + made + readers[first:]
        self._unfolded += len(made)
        for node in readers[first:] if renewed else ():
            node.inputs = tuple([renewed.get(value, value) for value in node.inputs])
            for key, attr in node.attrs.items():
                if isinstance(attr, ir.Value):
                    node.attrs[key] = renewed.get(attr, attr)

    def value_of(self, x: Tensor) -> ir.Value | None:
        """The Value of a tensor that is derived; None for all others."""
        if not self._derived:
            return None
        made = self._derived.pop(id(x), None)
        return None if made is None else self._rederive(made)

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
        held = self._symbolic.get(id(x))
        if held is None:
            value = self._builder.value_of(x)
            held = self._symbolic[id(x)] = self._builder.symbolic(value, x._uid)
        return held
