"""What a graph costs, by its nodes and sizes alone.

The estimates decide when a graph is compiled and which executor serves it. They must come out the
same in every process, on a busy machine as on an idle one, or a seeded program would give other
bits in every run: so there is no clock here.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write

CALL = 0.7e-6  # seconds that a kernel on a small array takes on NumPy
ELEMENT = 0.7e-9  # seconds for each further element, most functions
MULTIPLY_ADD = 1 / 30e9  # seconds for each product in a matrix product
LAPACK = 8e-6  # seconds that a call of LAPACK takes on one small matrix
ELIMINATION = 0.3e-9  # seconds for each product in a factorisation or a substitution
ITERATIONS = 50  # of a loop that does not say how many it has
SOON = 0.5  # seconds on NumPy
FEW = 1000  # iterations
UNKNOWN = 64  # elements of a value whose size is not known

ENTRY = 3e-6  # seconds that it takes to get into native code and out of it by `Executable.run`
BREAK = 20e-6  # seconds that a kernel called between two pieces of native code costs more there

COMPILE = 15e-3  # seconds for the smallest graph
COMPILE_NODE = 1e-3  # seconds for each of the first nodes
FIRST_NODES = 150
COMPILE_FURTHER = 0.1e-3  # seconds for every node: most of a large graph is alike


def on_numpy(graph: ir.Graph) -> float:
    """About how many seconds a run on NumPy takes."""
    # Whoever decides asks again and again. A pass that changes a graph makes a new list of nodes.
    nodes, known = graph.nodes, graph.estimate
    if known is None or known[0] is not nodes or known[1] != len(nodes):
        known = graph.estimate = nodes, len(nodes), sum(of_node(node) for node in nodes)
    return known[2]


def to_compile(graph: ir.Graph) -> float:
    """About how many seconds the compiler takes; of an unrolled loop it compiles one iteration."""
    from tapeflow.jit.passes.loops.rolling import nodes_saved
    count = _count(graph) - nodes_saved(graph)
    return COMPILE + COMPILE_NODE * min(count, FIRST_NODES) + COMPILE_FURTHER * count


def pays(native: Any, graph: ir.Graph) -> bool:
    """Whether `native.run`, the general way into native code, is quicker than NumPy."""
    return ENTRY + BREAK * native.calls < on_numpy(graph)


def _count(graph: ir.Graph) -> int:
    return len(graph.nodes) + sum(_count(body.graph) for node in graph.nodes
                                  if node.op.kind == "control" for body in bodies(node))


def of_node(node: ir.Node) -> float:
    """About how many seconds a node takes on NumPy."""
    if node.op is write:
        return CALL  # the array itself becomes the variable's
    form = node.op.lower
    inside = [on_numpy(body.graph) for body in bodies(node)] if node.op.kind == "control" else ()
    if inside:
        times = _iterations(node) if isinstance(form, forms.Loop) else 1
        return CALL + times * (sum(inside) if times > 1 else max(inside))
    read = node.inputs
    if isinstance(form, forms.Gather):
        read = read[1:]  # of what it picks from it reads no more than it makes
    largest = 1
    for value in (*read, *node.outputs):
        if value.shape != ():
            largest = max(largest, size(value))
    if isinstance(form, forms.MatrixRoutine):
        columns = (node.inputs[-1].shape or (UNKNOWN,))[-1] or UNKNOWN
        return LAPACK + ELIMINATION * size(node.inputs[0]) * columns
    return CALL + ELEMENT * largest + MULTIPLY_ADD * _products(node)


def _products(node: ir.Node) -> float:
    """Multiplications of a matrix product or a convolution: all of them, roughly."""
    if not isinstance(node.op.lower, (forms.Product, forms.Window)) or len(node.inputs) < 2:
        return 0
    sizes = [size(value) for value in (*node.inputs[:2], node.outputs[0])]
    return prod(sizes) ** 0.5


def _iterations(node: ir.Node) -> int:
    attrs = node.attrs
    if attrs.get("condition") is None and attrs.get("n_seq"):
        shape = node.inputs[attrs["n_carry"]].shape
        if shape and shape[0] is not None:
            return max(shape[0], 1)
    return ITERATIONS


def is_short(graph: ir.Graph) -> bool:
    """Whether a run on NumPy ends soon for sure: its loops say how often they go round, at most."""
    return on_numpy(graph) < SOON and all(_bounded(node) for node in graph.nodes)


def _bounded(node: ir.Node) -> bool:
    limit = node.attrs.get("limit")
    known = node.attrs.get("condition") is None or isinstance(limit, int) and limit <= FEW
    return known and all(_bounded(inner) for body in bodies(node) for inner in body.graph.nodes)


def bodies(node: ir.Node) -> list[Any]:
    """The functions that a control node runs: bodies and conditions of loops, branches."""
    if node.op.kind != "control":
        return []
    found: list[Any] = []
    for attr in node.attrs.values():
        found += [one for one in (attr if isinstance(attr, tuple) else (attr,))
                  if hasattr(one, "graph")]
    return found


def all_bodies(graph: ir.Graph) -> Iterator[Any]:
    """The functions that control nodes run, those in bodies too."""
    for node in graph.nodes:
        for body in bodies(node):
            yield body
            yield from all_bodies(body.graph)


def size(value: ir.Value) -> int:
    """How many elements a value has; a guess if that is not known."""
    if value.shape is None:
        return UNKNOWN
    return prod([UNKNOWN if n is None else n for n in value.shape])
