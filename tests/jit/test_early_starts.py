"""Calls in portions: each begins after the last of its inputs, and ends where the call stood."""

import numpy as np

from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.record.traits import EarlyStart, set_traits
from tapeflow.graph import ir
from tapeflow.jit.tiering.early_starts import with_early_starts
from tapeflow.ops.math.trigonometric import sin

NONE = NONDIFF("a test")
F32 = np.dtype(np.float32)


def call(name, **options):
    return define(name, kernel=lambda *xs, **attrs: xs, vjp=NONE, args=("*xs",), multi=True,
                  shape=lambda *specs, **attrs: tuple(specs), stateful=True, private=True,
                  **options)


def graph_of(exchange, sizes):
    """sin of each of the inputs, in the opposite order, and a call with all of them."""
    graph = ir.Graph("step")
    graph.inputs = [ir.Value((n,), F32) for n in sizes]
    made = {}
    for value in reversed(graph.inputs):
        node = ir.Node(sin.op, (value,), {})
        node.outputs = (ir.Value(value.shape, F32, node),)
        graph.nodes.append(node)
        made[value] = node.outputs[0]
    whole = ir.Node(exchange.op, tuple([made[value] for value in graph.inputs]), {"group": 1})
    whole.outputs = tuple([ir.Value(value.shape, F32, whole, i)
                           for i, value in enumerate(graph.inputs)])
    graph.nodes.append(whole)
    graph.outputs = list(whole.outputs)
    return graph


def prepared(applies=True, portion=400):
    exchange, start, finish = call("exchange"), call("start"), call("finish")
    set_traits(exchange, early_start=EarlyStart(start, finish, lambda: applies, portion))
    return exchange


def names(graph):
    return [node.op.name for node in graph.nodes]


def test_portions_begin_when_their_inputs_are_there():
    graph = graph_of(prepared(), [100, 10, 200, 150])
    found = with_early_starts(graph)
    assert names(found) == ["sin", "start", "sin", "start", "sin", "sin", "start",
                            "finish", "finish", "finish"]
    starts = [node for node in found.nodes if node.op.name == "start"]
    finishes = [node for node in found.nodes if node.op.name == "finish"]
    assert [[value.shape[0] for value in node.inputs] for node in starts] == [[150], [200],
                                                                             [10, 100]]
    assert [node.inputs for node in finishes] == [node.outputs for node in starts]
    assert {value for node in finishes for value in node.outputs} == set(graph.outputs)
    assert all(node.attrs == {"group": 1} for node in starts)
    assert names(graph)[-1] == "exchange"  # the graph itself is as it was
    ir_order = {value: i for i, node in enumerate(found.nodes) for value in node.outputs}
    for i, node in enumerate(found.nodes):
        assert all(ir_order.get(value, -1) < i for value in node.inputs)


def test_what_stays_as_it_is():
    for graph in (graph_of(prepared(applies=False), [100, 200]),
                  graph_of(prepared(portion=1 << 20), [100, 200]), graph_of(call("other"), [100])):
        assert with_early_starts(graph) is graph
