"""Loops and branches whose operands have sizes that were not known when their bodies were traced.

A graph with unknown sizes is replayed for the sizes that a call brings. There the bodies of control
nodes are replayed too, on inputs of the sizes that the operands have by now: rules that waited for
sizes run, and what the node returns has known sizes.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.passes import computed, fold, known_array
from tapeflow.graph.tracing.subgraph import static_shape
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace
from tapeflow.ops.array import creation

ATTEMPTS = 6  # at finding sizes that an iteration does not change

Shape = tuple | None


def for_sizes(function: GraphFunction, shapes: list[Shape],
              known: dict[int, Any] | None = None) -> GraphFunction:
    """The same body for inputs of these shapes; `known`: values of some inputs."""
    trace = Trace(function.graph.name)
    trace.graph.asked = function.graph.asked
    with trace:
        inputs: list[Any] = [trace.placeholder(shape, value.dtype, value.name) for shape, value
                             in zip(shapes, function.graph.inputs, strict=True)]
        for i, constant in (known or {}).items():
            inputs[i] = wrap(constant)
        outputs = function._replay_nodes(trace, inputs, None)
        trace.graph.outputs = [trace.value_of(x) for x in outputs]
    fold(trace.graph)
    trace.graph.prune()
    return GraphFunction(trace.graph, inner=True)


def sized_branches(index: Any, *captured: Any, branches: tuple) -> tuple[tuple, dict]:
    """The operands and attributes of a branch node, as its operands are by now."""
    shapes = [static_shape(x) for x in captured]
    chosen = _constant(index)
    if chosen is not None:  # a rank or a size that is known by now
        branches = (branches[chosen if 0 <= chosen < len(branches) else -1],) * 2
    return (index, *captured), {"branches": tuple([
        _sized_branch(one, shapes) if _says_more(shapes, one) else one for one in branches])}


def _constant_of(value: ir.Value, steps: int = 8) -> Any:
    """The array that a value is, if it depends on constants and known shapes alone; or None."""
    node = value.node
    if value.const is not None or node is None or not steps:
        return value.const
    outline = node.op.traits.shape_only
    arrays = []
    for one in node.inputs:
        array = known_array(one, outline)
        arrays.append(_constant_of(one, steps - 1) if array is None else array)
    found = computed(node, arrays)
    return None if found is None else found[value.index].const


def _constant(index: Any) -> int | None:
    """The number of the branch that is taken, if it is known before a run."""
    if isinstance(index, Symbolic):
        if index._interpreter.home_graph() is not None:
            return None  # a session may be fed another value
        value = _constant_of(index._ir)
    else:  # one of a vectorised map has a value for each element
        value = index._value if type(index) is Tensor else None
    return None if value is None else int(value)


def _sized_branch(branch: GraphFunction, shapes: list[Shape]) -> GraphFunction:
    """The branch for these shapes; as it is if it refuses them: a run may take another."""
    try:
        return for_sizes(branch, shapes)
    except (errors.InvalidArgumentError, ValueError) as error:
        if not from_library(error):
            raise
        return branch


def sized_loop(*operands: Any, **attrs: Any) -> tuple[tuple, dict]:
    """The operands and attributes of a loop node, as its operands are by now."""
    spec = LoopSpec(**attrs)
    whole = [static_shape(x) for x in operands]
    shapes = [*whole[:spec.n_carry],
              *[None if shape is None else shape[1:]
                for shape in whole[spec.n_carry:spec.n_iterated]], *whole[spec.n_iterated:]]
    known = {i: constant for i, x in enumerate(operands[:spec.n_iterated])
             if i >= spec.n_carry and (constant := _each_iteration(x)) is not None}
    if not known and not _says_more(shapes, spec.body):
        return operands, attrs
    found = _steady(spec, list(operands), shapes, known)
    if found is None or not known and not _says_more(shapes, spec.body):
        return operands, attrs
    body, begin = found
    condition = spec.condition
    if condition is not None:
        condition = for_sizes(condition, shapes[:spec.n_carry] + shapes[spec.n_iterated:])
    return tuple(begin), {**attrs, "body": body, "condition": condition}


def _each_iteration(x: Any) -> Any:
    """What another loop collected in every iteration, if that was one constant: a shape, say."""
    node = x._ir.node if isinstance(x, Symbolic) else None
    if node is None or "n_carry" not in node.attrs or x._ir.index < node.attrs["n_carry"]:
        return None
    return node.attrs["body"].graph.outputs[x._ir.index].const


def _steady(spec: LoopSpec, operands: list, shapes: list[Shape],
            known: dict[int, Any]) -> tuple[Any, list] | None:
    """A body whose carries leave an iteration with the sizes with which they came, and the operands
    to begin with; `shapes` become those. None if there is none."""
    for _ in range(ATTEMPTS):
        try:
            body = for_sizes(spec.body, shapes, known)
        except (errors.InvalidArgumentError, ValueError) as error:
            if not from_library(error):
                raise
            return None  # sizes to begin with need not be those of any iteration; if so, it tells
        after = [value.shape for value in body.graph.outputs[:spec.n_carry]]
        changing = [i for i in range(spec.n_carry) if after[i] != shapes[i]]
        if not changing:
            return body, operands
        for i in changing:
            if _empty_rows(shapes[i]) and _known(after[i]):
                # The buffer of a TensorArray, made before anybody knew how large elements are.
                operands[i] = creation.zeros(after[i], operands[i].dtype)
                shapes[i] = after[i]
            else:
                shapes[i] = _common(shapes[i], after[i])
    return None


def _says_more(shapes: list[Shape], function: GraphFunction) -> bool:
    """Whether a size is known that the function does not know."""
    return any(shape is not None and (
        value.shape is None or any(m is not None and n is None for m, n in zip(
            shape, value.shape, strict=False)))
        for shape, value in zip(shapes, function.graph.inputs, strict=True))


def _known(shape: Shape) -> bool:
    return shape is not None and None not in shape


def _empty_rows(shape: Shape) -> bool:
    return shape is not None and 0 in shape[1:]


def _common(a: Shape, b: Shape) -> Shape:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple([m if m == n else None for m, n in zip(a, b, strict=True)])
