"""Graphs from files are not believed: each is replayed into a new graph.

The replay calls every op anew, so shapes and dtypes are inferred, never read, and attributes that
an op does not take are refused. Where a body (of a branch, a loop, a custom gradient) expects more
of an operand than is known of it, the operand gets a check that runs with the graph.
"""

from __future__ import annotations

import keyword
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.graph.control_flow import cond, custom_gradient_node, vectorized_map, while_loop
from tapeflow.graph.executor.graph_function import GraphFunction, fetch_value, replay_node
from tapeflow.graph.tracing.rereading import read_again, read_later
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write
from tapeflow.ops.array import shaping
from tapeflow.saved_model.files import Damaged, pick

_CONTROL = {id(op): name for name, op in (
    ("cond", cond.BRANCH), ("cond", cond.BRANCH_EFFECT), ("while", while_loop.LOOP),
    ("while", while_loop.LOOP_EFFECT), ("each", vectorized_map.MAP),
    ("custom", custom_gradient_node.CUSTOM))}


def plain_name(name: str) -> str:
    """A name of an attribute: it becomes a keyword in code that is written of the graph."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Damaged(f"{name!r} is no name of an attribute")
    return name


def fits(wanted: tuple | None, given: tuple | None) -> bool:
    """Whether no size that both shapes know differs."""
    if wanted is None or given is None:
        return True
    return len(wanted) == len(given) and all(
        m is None or n is None or m == n for m, n in zip(wanted, given, strict=True))


def _says_more(wanted: tuple | None, given: tuple | None) -> bool:
    if wanted is None:
        return False
    return given is None or any(m is not None and n is None
                                for m, n in zip(wanted, given, strict=True))


def replayed(graph: ir.Graph) -> ir.Graph:
    """The same graph, with shapes and dtypes as its ops infer them."""
    trace = Trace(graph.name)
    with trace:
        env: dict[ir.Value, Any] = {}
        for value in graph.inputs:
            env[value] = trace.placeholder(value.shape, value.dtype, value.name)
        for use in graph.variables.values():
            env[use.initial] = trace.read(use.variable)
        for node in graph.nodes:
            if node.op is write:
                _replay_write(trace, node, graph, env)
            elif node.op is read_again:
                _replay_read(trace, node, graph, env)
            else:
                _check_bodies(node, env)
                replay_node(node, env, None)
        made = [trace.value_of(fetch_value(env, value)) for value in graph.outputs]
    for value, new in zip(graph.outputs, made, strict=True):
        if value.dtype != new.dtype or not fits(value.shape, new.shape):
            raise Damaged(f"{graph.name!r} returns {new!r}, not {value!r}")
    trace.graph.outputs = made
    return trace.graph


def _replay_write(trace: Trace, node: ir.Node, graph: ir.Graph, env: dict[ir.Value, Any]) -> None:
    uid: Any = node.attrs.get("variable")
    use = graph.variables.get(uid)
    if use is None or len(node.inputs) != 1 or len(node.outputs) != 1 or len(node.attrs) != 1:
        raise Damaged("an assignment to no variable")
    value = trace.value_of(fetch_value(env, node.inputs[0]))
    held = trace.graph.variables[use.variable._uid].initial
    if value.dtype != held.dtype or not fits(held.shape, value.shape):
        raise Damaged(f"{value!r} is assigned to a variable {held!r}")
    trace.variables.write(uid, value)
    env[node.outputs[0]] = trace.variables.current[uid]


def _replay_read(trace: Trace, node: ir.Node, graph: ir.Graph, env: dict[ir.Value, Any]) -> None:
    uid: Any = node.attrs.get("variable")
    use = graph.variables.get(uid)
    if use is None or len(node.outputs) != 1:
        raise Damaged("a read of no variable")
    env[node.outputs[0]] = read_later(trace, use.variable)


# -- bodies ----------------------------------------------------------------------------------------
def _check_bodies(node: ir.Node, env: dict[ir.Value, Any]) -> None:
    """See that the bodies of a control op fit its operands."""
    kind = _CONTROL.get(id(node.op))
    attrs, operands = node.attrs, list(node.inputs)
    if kind is None:
        if any(isinstance(one, GraphFunction) for one in attrs.values()):
            raise Damaged(f"the op {node.op.name!r} takes no graph")
    elif kind == "cond":
        _scalar(node, env, pick(operands, 0))
        for body in _functions(attrs.get("branches")):
            _fit(node, env, operands[1:], body)
    elif kind == "while":
        carry, rows = _count(attrs, "n_carry", operands), _count(attrs, "n_seq", operands)
        body, = _functions((attrs.get("body"),))
        fixed = operands[carry + rows:]
        _fit(node, env, operands, body, sliced=range(carry, carry + rows))
        for new, old in zip(body.graph.outputs[:carry], body.graph.inputs[:carry], strict=True):
            if new.dtype != old.dtype or not fits(old.shape, new.shape):
                raise Damaged(f"a loop's body makes {new!r} of {old!r}")
        if attrs.get("condition") is not None:
            condition, = _functions((attrs["condition"],))
            _fit(node, env, [*operands[:carry], *fixed], condition)
            if [(value.dtype.kind, value.shape or ()) for value in condition.graph.outputs] != [
                    ("b", ())]:
                raise Damaged("a loop's condition is no condition")
    elif kind == "each":
        body, = _functions((attrs.get("body"),))
        _fit(node, env, operands, body, sliced=range(_count(attrs, "n_elems", operands)))
    else:
        backward, = _functions((attrs.get("backward"),))
        n_out, n_in = _count(attrs, "n_out", operands), _count(attrs, "n_in", operands)
        _fit(node, env, [*operands[:n_out], *operands[n_out + n_in:]], backward)
        given = attrs.get("given")
        if type(given) is not tuple or len(given) != n_in or (
                sum(map(bool, given)) != len(backward.graph.outputs)):
            raise Damaged("a custom gradient of other operands")


def _scalar(node: ir.Node, env: dict[ir.Value, Any], value: ir.Value) -> None:
    x = fetch_value(env, value)
    if x.shape.rank not in (None, 0) or x.dtype.np.kind not in "iub":
        raise Damaged(f"the op {node.op.name!r} takes a scalar, not {value!r}")
    if x.shape.rank is None:
        env[value] = shaping.ensure_shape(x, ())


def _functions(given: Any) -> tuple[GraphFunction, ...]:
    if type(given) is not tuple or not given or not all(
            type(one) is GraphFunction for one in given):
        raise Damaged("a control op without a body")
    return given


def _count(attrs: dict, name: str, operands: list) -> int:
    count = attrs.get(name)
    if type(count) is not int or not 0 <= count <= len(operands):
        raise Damaged(f"{name} is {count!r}, of {len(operands)} operands")
    return count


def _fit(node: ir.Node, env: dict[ir.Value, Any], operands: list, body: GraphFunction,
         sliced: range = range(0)) -> None:
    inputs = body.graph.inputs
    if len(inputs) != len(operands) or body.graph.variables:
        raise Damaged(f"a body of the op {node.op.name!r} takes other operands")
    for i, (value, wanted) in enumerate(zip(operands, inputs, strict=True)):
        x = fetch_value(env, value)
        shape: Any = None if x.shape.rank is None else tuple(x.shape.as_list())
        need = wanted.shape
        if i in sliced and need is not None:
            need = (None, *need)
        if np.dtype(x.dtype.np) != wanted.dtype or not fits(need, shape):
            raise Damaged(f"a body of the op {node.op.name!r} takes {wanted!r}, not {x.dtype} "
                          f"{shape}")
        if _says_more(need, shape):
            env[value] = shaping.ensure_shape(x, need)
