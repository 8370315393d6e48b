"""Transposes that undo one another go.

Convolutions leave a Transpose before and behind them. One pass in the order of the nodes pushes
each Transpose down through element-wise nodes, reductions, joins and paddings, until it meets its
inverse; what nobody reads then is dropped.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tapeflow.onnx.onnx_graph import OnnxGraph, OnnxNode

ELEMENTWISE = frozenset("""
Abs Add Cast Ceil Clip Cos Div Elu Equal Erf Exp Floor Greater GreaterOrEqual HardSigmoid HardSwish
Identity LeakyRelu Less LessOrEqual Log Max Min Mul Neg Not Pow Reciprocal Relu Round Selu Sigmoid
Sign Sin Softplus Softsign Sqrt Sub Tanh Where And Or Xor IsNaN
""".split())
REDUCTIONS = frozenset(["ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd",
                        "ReduceL2", "ReduceLogSumExp"])


def sink(graph: OnnxGraph) -> None:
    """Push Transposes down and drop those that undo one another, in all graphs."""
    _Sinking(graph, graph.constants).run()


class _Sinking:
    """The pass over one graph. `moved[name]` is (source, perm): name is Transpose(source, perm)."""

    def __init__(self, graph: OnnxGraph, constants: dict[str, np.ndarray]):
        self.graph, self.constants = graph, constants
        self.moved: dict[str, tuple[str, tuple]] = {}
        self.nodes: list[OnnxNode] = []
        self.instead: dict[str, str] = {}  # names that are other names

    def run(self) -> None:
        for node in self.graph.nodes:
            node.inputs = [self.instead.get(name, name) for name in node.inputs]
            for inner in node.subgraphs():
                _rename(inner, self.instead)
                _Sinking(inner, self.constants).run()
            if node.kind == "Transpose":
                self._transpose(node)
            elif not self._pushed(node):
                self.nodes.append(node)
        self.graph.nodes = self.nodes

    def _transpose(self, node: OnnxNode) -> None:
        source, perm = node.inputs[0], tuple(node.attrs["perm"])
        if source in self.moved:
            source, before = self.moved[source]
            perm = tuple([before[i] for i in perm])
        if perm == tuple(range(len(perm))):
            self.instead[node.outputs[0]] = source
            return
        self._put_back(source, perm, node.outputs[0])

    def _put_back(self, source: str, perm: tuple, name: str) -> None:
        self.nodes.append(OnnxNode("Transpose", [source], [name], {"perm": perm}))
        self.moved[name] = (source, perm)

    def _pushed(self, node: OnnxNode) -> bool:
        perms = {self.moved[name][1] for name in node.inputs if name in self.moved}
        if len(perms) != 1 or len(node.outputs) != 1:
            return False
        perm = perms.pop()
        rule: Callable | None = None
        if node.kind in ELEMENTWISE:
            rule = self._elementwise
        elif node.kind in REDUCTIONS:
            rule = self._reduction
        else:
            rule = {"Concat": self._concat, "Pad": self._pad, "Shape": self._shape}.get(node.kind)
        return rule is not None and rule(node, perm)

    def _elementwise(self, node: OnnxNode, perm: tuple) -> bool:
        rank = len(perm)
        inputs = []
        for name in node.inputs:
            if name in self.moved:
                inputs.append(self.moved[name][0])
            elif name == "" or (name in self.constants and self.constants[name].ndim <= rank):
                inputs.append(self._constant(name, perm))
            else:
                return False
        self._replace(node, inputs, dict(node.attrs), perm)
        return True

    def _constant(self, name: str, perm: tuple) -> str:
        """A constant, broadcast to the rank, in the order of the source."""
        if name == "" or self.constants[name].size == 1 and not self.constants[name].ndim:
            return name
        array, rank = self.constants[name], len(perm)
        whole = array.reshape((1,) * (rank - array.ndim) + array.shape)
        moved = np.ascontiguousarray(whole.transpose(inverse(perm)))
        lead = 0  # leading axes of size 1 say nothing
        while lead < rank and moved.shape[lead] == 1:
            lead += 1
        label = f"{name}.{''.join(map(str, perm))}"
        self.constants.setdefault(label, moved.reshape(moved.shape[lead:]))
        return label

    def _replace(self, node: OnnxNode, inputs: list[str], attrs: dict, perm: tuple) -> None:
        """The node on what was there before the Transpose, and the Transpose behind it."""
        name = f"{node.outputs[0]}.source"
        self.nodes.append(OnnxNode(node.kind, inputs, [name], attrs))
        if perm == tuple(range(len(perm))):
            self.instead[node.outputs[0]] = name
        else:
            self._put_back(name, perm, node.outputs[0])

    def _axes(self, node: OnnxNode, rank: int) -> list[int] | None:
        if len(node.inputs) < 2 or node.inputs[1] not in self.constants:
            return None
        return [int(i) % rank for i in self.constants[node.inputs[1]]]

    def _reduction(self, node: OnnxNode, perm: tuple) -> bool:
        axes = self._axes(node, len(perm))
        if axes is None:
            return False
        chosen = [perm[i] for i in axes]
        label = "axes." + "_".join(map(str, sorted(chosen)))
        self.constants.setdefault(label, np.array(sorted(chosen), np.int64))
        after = perm
        if not node.attrs.get("keepdims", 1):
            left = [i for i in perm if i not in chosen]
            after = tuple([sorted(left).index(i) for i in left])
        self._replace(node, [self.moved[node.inputs[0]][0], label], dict(node.attrs), after)
        return True

    def _concat(self, node: OnnxNode, perm: tuple) -> bool:
        if not all(name in self.moved for name in node.inputs):
            return False
        axis = node.attrs["axis"] % len(perm)
        self._replace(node, [self.moved[name][0] for name in node.inputs], {"axis": perm[axis]},
                      perm)
        return True

    def _pad(self, node: OnnxNode, perm: tuple) -> bool:
        if node.inputs[1] not in self.constants:
            return False
        back, rank = inverse(perm), len(perm)
        numbers = self.constants[node.inputs[1]].tolist()
        moved = [numbers[i] for i in back] + [numbers[rank + i] for i in back]
        label = "pads." + "_".join(map(str, moved))
        self.constants.setdefault(label, np.array(moved, np.int64))
        self._replace(node, [self.moved[node.inputs[0]][0], label, *node.inputs[2:]],
                      dict(node.attrs), perm)
        return True

    def _shape(self, node: OnnxNode, perm: tuple) -> bool:
        """The sizes of the source in another order, so that the Transpose is not kept for them."""
        start, end = node.attrs.get("start", 0), node.attrs.get("end", len(perm))
        chosen = perm[start:end]
        label = "order." + "_".join(map(str, chosen))
        self.constants.setdefault(label, np.array(chosen, np.int64))
        name = f"{node.outputs[0]}.source"
        self.nodes.append(OnnxNode("Shape", [self.moved[node.inputs[0]][0]], [name]))
        self.nodes.append(OnnxNode("Gather", [name, label], node.outputs, {"axis": 0}))
        return True


def inverse(perm: tuple) -> tuple:
    return tuple([perm.index(i) for i in range(len(perm))])


def _rename(graph: OnnxGraph, instead: dict[str, str]) -> None:
    """Names from outside that are other names now."""
    if not instead:
        return
    for node in graph.nodes:
        node.inputs = [instead.get(name, name) for name in node.inputs]
        for inner in node.subgraphs():
            _rename(inner, instead)
