"""Passes over a graph. Each is small, keeps the meaning, and changes nothing the second time.

They know ops only by their records: `op.stateful`, `op.traits`, `op.kind`. A pass is a rule for a
node. `optimise` copies a graph, which may be replayed later, and every new node meets all rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library, unsignalled
from tapeflow.base.settings import settings
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.traits import NO_TRAITS
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write

FOLD_BYTES = 1 << 16  # larger constants are not worth keeping


Rule = Callable[[ir.Node], list[ir.Value] | None]


def optimise(graph: ir.Graph) -> ir.Graph:
    """A simplified copy."""
    made = copy(graph, rules=rules)
    return _checked(made)


def simplify(graph: ir.Graph) -> None:
    """The same for a graph that nobody else has: it changes itself."""
    graph.prune()
    substitute(graph, *rules(graph))
    graph.prune()
    _checked(graph)


def _checked(graph: ir.Graph) -> ir.Graph:
    if settings.verify_passes:
        ir.check(graph)
    return graph


def copy(graph: ir.Graph, opened: set[int] | frozenset[int] = frozenset(),
         rules: Callable[[ir.Graph], Sequence[Rule]] | None = None) -> ir.Graph:
    """The same graph in new Nodes and Values; constants are shared.

    Captured tensors whose uids are in `opened` become inputs behind the others. With `rules` of the
    new graph its nodes are simplified as they are made, and those that nobody needs left out.
    """
    new, twin = ir.Graph(graph.name, graph.asked), _Twins()
    new.inputs = [twin.make(value) for value in graph.inputs]
    for tensor, value in graph.captured:
        if tensor._uid in opened:
            twin[value] = ir.Value(value.shape, value.dtype)
            new.inputs.append(twin[value])
        else:
            new.captured.append((tensor, value))
    for uid, use in graph.variables.items():
        new.variables[uid] = ir.VariableUse(use.variable, twin.make(use.initial), use.argument)
    find, met = twin.__getitem__, () if rules is None else rules(new)
    for node in graph.nodes if rules is None else graph.needed():
        attrs = node.attrs and {key: find(attr) if isinstance(attr, ir.Value) else attr
                                for key, attr in node.attrs.items()}
        made = ir.Node(node.op, tuple(map(find, node.inputs)), attrs, node.where)
        if node.op.multi:
            made.outputs = tuple([twin.make(value, made) for value in node.outputs])
        else:
            made.outputs = (twin.make(node.outputs[0], made),)
        found = _first(met, made)
        if found is None:
            new.nodes.append(made)
        else:
            twin.update(zip(node.outputs, found, strict=True))
    new.outputs = [find(value) for value in graph.outputs]
    if rules is not None:
        new.prune()
    return new


class _Twins(dict[ir.Value, ir.Value]):
    """Values of a graph and those of its copy; what has none, such as a constant, is its own."""

    def __missing__(self, value: ir.Value) -> ir.Value:
        return self.make(value) if value.const is None else value

    def make(self, value: ir.Value, node: ir.Node | None = None) -> ir.Value:
        made = self[value] = ir.Value(value.shape, value.dtype, node, value.index, value.const,
                                      value.name)
        return made


def substitute(graph: ir.Graph, *rules: Rule) -> None:
    """Walk the nodes in order; where a rule gives Values, they take the place of the results."""
    instead: dict[ir.Value, ir.Value] = {}

    def now(value: ir.Value) -> ir.Value:
        return instead.get(value, value)

    kept = []
    for node in graph.nodes:
        if instead and (node.attrs or not instead.keys().isdisjoint(node.inputs)):
            ir.replace_operands(node, now)
        found = _first(rules, node)
        if found is None:
            kept.append(node)
        else:
            instead.update(zip(node.outputs, found, strict=True))
    graph.nodes = kept
    graph.outputs = [now(value) for value in graph.outputs]


def _first(rules: Sequence[Rule], node: ir.Node) -> list[ir.Value] | None:
    """What the first rule gives that gives something; a rule may also change the node."""
    for rule in rules:
        found = rule(node)
        if found is not None:
            return found
    return None


# -- the passes ------------------------------------------------------------------------------------
def fold(graph: ir.Graph) -> None:
    """Compute what depends on constants only, or only on shapes that are known."""
    substitute(graph, _folded)


def _folded(node: ir.Node) -> list[ir.Value] | None:
    if node.attrs:
        for key, attr in node.attrs.items():
            if isinstance(attr, ir.Value) and attr.const is not None:
                node.attrs[key] = ir.attribute(attr.const)  # a size is a plain number
    outline = node.op.traits.shape_only
    if not outline:
        for value in node.inputs:
            if value.const is None:  # as of nearly every node
                return None
    return computed(node, [known_array(value, outline) for value in node.inputs])


def computed(node: ir.Node, arrays: list) -> list[ir.Value] | None:
    """The results of a node whose operands are known; None if one is not, or if a run has to."""
    if not arrays or any(one is None for one in arrays):
        return None
    if node.op.stateful or node.op.kind == "control" or any(
            isinstance(attr, ir.Value) for attr in node.attrs.values()):
        return None
    if not all(map(_small, node.outputs)):
        return None
    token = ignore_fp_errors()
    try:
        result = node.op.kernel(*arrays, **node.attrs)
    except Exception as error:  # it belongs to the run, not to the trace
        if not from_library(error):
            raise
        return None
    finally:
        restore_fp_errors(token)
    return [ir.constant(one) for one in (result if node.op.multi else (result,))]


def known_array(value: ir.Value, outline: bool) -> Any:
    """The array of a constant; with `outline` zeros of a known shape, without memory; or None."""
    if value.const is not None:
        return value.const
    if outline and value.shape is not None and None not in value.shape:
        return np.ndarray(value.shape, value.dtype, np.zeros(1, value.dtype), 0,
                          (0,) * len(value.shape))
    return None


def _small(value: ir.Value) -> bool:
    if value.shape is None or None in value.shape:
        return False
    return math.prod(value.shape) * value.dtype.itemsize <= FOLD_BYTES


def common(graph: ir.Graph) -> None:
    """Compute the same thing once."""
    substitute(graph, _seen_before())


def _seen_before() -> Rule:
    seen: dict[Any, ir.Node] = {}
    constants: dict[Any, ir.Value] = {}
    same: dict[ir.Value, ir.Value] = {}  # of equal constants the first

    def identity(value: ir.Value) -> ir.Value:
        const = value.const
        if const is None or const.nbytes > 256 or const.dtype.kind == "O":
            return value
        known = same.get(value)
        if known is None:
            known = same[value] = constants.setdefault(
                (const.dtype, const.shape, const.tobytes()), value)
        return known

    def rule(node: ir.Node) -> list[ir.Value] | None:
        op = node.op
        if op.stateful or op is write:
            return None
        for value in node.inputs:
            if value.const is not None:
                node.inputs = tuple(map(identity, node.inputs))
                break
        key: Any = (op, node.inputs)
        if node.attrs:
            attrs = _hashable({key: identity(attr) if isinstance(attr, ir.Value) else attr
                               for key, attr in node.attrs.items()})
            if attrs is None:
                return None
            # Attributes of other dtypes may be equal: 1.0 and True.
            key = (op, node.inputs, attrs, *[value.dtype for value in node.outputs])
        first = seen.setdefault(key, node)
        return None if first is node else list(first.outputs)

    return rule


def _hashable(attrs: dict) -> Any:
    try:
        key = tuple(sorted(attrs.items()))
        hash(key)
    except unsignalled(TypeError):
        return None
    return key


def algebra(graph: ir.Graph) -> None:
    """x * 1, x + 0, identities, chains of reshapes and of transposes, what operands do anyway."""
    substitute(graph, _simpler)


def _simpler(node: ir.Node) -> list[ir.Value] | None:
    traits = node.op.traits
    if traits is NO_TRAITS:
        return None
    if traits.is_identity and node.inputs:
        return [node.inputs[0]]
    if traits.transpose_flags:
        _flip(node)
    if traits.broadcasts_operands:
        for value in node.inputs:
            if value.node is not None and value.node.op.traits.is_broadcast:
                _narrow(node)
    if traits.unit is not None:
        found = _without_unit(node)
        if found is not None:
            return [found]
    if (traits.absorbs or traits.compose is not None) and node.inputs:
        return _chain(node)
    return None


def _flip(node: ir.Node) -> None:
    """A transposed operand becomes the operand itself and a flag."""
    inputs = list(node.inputs)
    for i, flag in enumerate(node.op.traits.transpose_flags):
        before = inputs[i].node
        swaps = None if before is None else before.op.traits.swaps_last_axes
        if before is not None and swaps is not None and swaps(before.attrs):
            inputs[i] = before.inputs[0]
            node.attrs = {**node.attrs, flag: not node.attrs.get(flag, False)}
    node.inputs = tuple(inputs)


def _narrow(node: ir.Node) -> None:
    """An operand that was repeated goes in as it was, if the op repeats it all the same."""
    for i, value in enumerate(node.inputs):
        before = value.node
        if before is None or not before.op.traits.is_broadcast:
            continue
        inputs = (*node.inputs[:i], before.inputs[0], *node.inputs[i + 1:])
        if all(_known(one.shape) for one in inputs) and np.broadcast_shapes(
                *[one.shape or () for one in inputs]) == node.outputs[0].shape:
            node.inputs = inputs


def _known(shape: tuple | None) -> bool:
    return shape is not None and None not in shape


def _without_unit(node: ir.Node) -> ir.Value | None:
    a, b = node.inputs
    if (a.const is None) is (b.const is None):
        return None
    result, at = node.outputs[0], int(a.const is None)
    value, other, unit = node.inputs[at], node.inputs[1 - at], (node.op.traits.unit or ())[at]
    if unit is not None and other.shape == result.shape and other.dtype == result.dtype and _known(
            other.shape) and other.dtype.kind != "c" and _is_filled(value.const, unit):
        return other
    return None


def _is_filled(const: Any, unit: Any) -> bool:
    """Whether a constant is all `unit`; most have one element."""
    if const.ndim == 0 and const.dtype.kind in "fiu":
        return const.item() == unit
    return bool(np.all(np.equal(const, unit)))


def _chain(node: ir.Node) -> list[ir.Value] | None:
    """The op on the result of the same op becomes one op, or none."""
    traits, source = node.op.traits, node.inputs[0]
    before = source.node
    if before is not None and before.op is node.op and source.const is None and not any(
            isinstance(attr, ir.Value) for attr in [*node.attrs.values(), *before.attrs.values()]):
        if traits.compose is not None:
            node.attrs = traits.compose(before.attrs, node.attrs)
        node.inputs = (before.inputs[0], *node.inputs[1:])
        source = node.inputs[0]
    result = node.outputs[0]
    if traits.absorbs and source.shape == result.shape and _known(source.shape):
        return [source]
    if traits.compose is not None and traits.compose(node.attrs, None):
        return [source]
    return None


def idle_writes(graph: ir.Graph) -> None:
    """A variable that is to hold what it holds is not written: v + 0."""
    substitute(graph, _idle(graph))


def _idle(graph: ir.Graph) -> Rule:
    current = {uid: use.initial for uid, use in graph.variables.items()}

    def rule(node: ir.Node) -> list[ir.Value] | None:
        if node.op is not write:
            return None
        uid = node.attrs["variable"]
        if node.inputs[0] is current[uid]:
            return [node.inputs[0]]
        current[uid] = node.outputs[0]
        return None

    return rule


def rules(graph: ir.Graph) -> tuple[Rule, ...]:
    """All of these: a node meets them in turn, when its operands are simple already."""
    return _folded, _simpler, _idle(graph), _seen_before()
