"""How the NumPy executor runs a graph whose variables other threads may change meanwhile.

What is written as `f(what the variable holds, …)`, an addition or a scatter, is computed under the
variable's update lock (`core/values/variable_locks.py`) from what it holds then. Where that takes
more than one node (a branch or a loop that changes variables) the whole run holds the locks, unless
the graph waits for code of the user's, which may need the same variable in another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.core.record.op import OPS
from tapeflow.core.values.variable_locks import update_lock_of, with_update_locks
from tapeflow.graph import ir
from tapeflow.graph.executor.buffer_plan import Plan
from tapeflow.graph.executor.source_writer import Writer
from tapeflow.graph.variable_ops import write


class Updates:
    """What the writes of a graph make of the value before.

    found  for each write of f(value before, …): the value before; f's node is right before it
    whole  whether some other write depends on the value before
    """

    def __init__(self, graph: ir.Graph, order: list[list[ir.Node]]):
        self.found: dict[ir.Node, ir.Value] = {}
        self.whole = False
        current = {uid: use.initial for uid, use in graph.variables.items()}
        last: list[ir.Node] = []
        for group in order:
            node = group[0]
            if node.op is write:
                uid, maker = node.attrs["variable"], node.inputs[0].node
                if maker is not None and any(x is current[uid] for x in maker.operands()):
                    if last == [maker] and maker.op.kind != "control" and not maker.op.multi:
                        self.found[node] = current[uid]
                    else:
                        self.whole = True
                current[uid] = node.outputs[0]
            last = group


def calls_users(graph: ir.Graph) -> bool:
    """Whether a run waits for code of the user's: Python functions, iterators."""
    return any(node.op.stateful and node.op.kind != "random" and node.op is not write
               and OPS.get(node.op.name) is not node.op
               or any(map(calls_users, _bodies(node.attrs.values()))) for node in graph.nodes)


def _bodies(attrs: Any) -> Iterator[ir.Graph]:
    for attr in attrs:
        if isinstance(attr, (tuple, list)):
            yield from _bodies(attr)
        elif isinstance(getattr(attr, "graph", None), ir.Graph):
            yield attr.graph


def written(graph: ir.Graph, variables: list) -> list:
    """Those among the variables of a run that the graph writes."""
    uids = {node.attrs["variable"] for node in graph.nodes if node.op is write}
    return [variable for uid, variable in zip(graph.variables, variables, strict=True)
            if uid in uids]


class SharingWriter(Writer):
    """Writes the source of a run beside other threads."""

    def __init__(self, graph: ir.Graph, plan: Plan):
        super().__init__(graph, plan)
        self.names["update_lock_of"] = update_lock_of
        updates = Updates(graph, self.order)
        self._whole = updates.whole and not calls_users(graph)
        self._found = {} if self._whole else updates.found

    def function(self) -> Callable:
        """The compiled run(arrays, variables, arena)."""
        run = super().function()
        if not self._whole:
            return run
        return lambda arrays, variables, arena: with_update_locks(
            written(self.graph, variables), lambda: run(arrays, variables, arena))

    def group(self, index: int, group: list[ir.Node], slots: dict[int, int]) -> None:
        node = group[0]
        if self._waits(index):
            return
        if node in self._found:
            self._update(index, node, self._found[node], slots)
        else:
            super().group(index, group, slots)
            if self._whole and node.op is write:
                self._hold(slots[node.attrs["variable"]])

    def forget(self, index: int) -> None:
        if not self._waits(index):
            super().forget(index)

    def _waits(self, index: int) -> bool:
        """Whether a node runs together with the write that follows."""
        return index + 1 < len(self.order) and self.order[index + 1][0] in self._found

    def _update(self, index: int, node: ir.Node, before: ir.Value, slots: dict[int, int]) -> None:
        maker = node.inputs[0].node
        assert maker is not None
        slot, label = slots[node.attrs["variable"]], self.name(before)
        # Numbers are drawn from the state that was found, not from the one at the beginning.
        now = label if maker.op.kind == "random" else "now"
        self.line(f"with update_lock_of(variables[{slot}]):")
        self.indent += 1
        self.line(f"before = variables[{slot}]._snapshot")
        self.line(f"{now} = before._value")
        self._label[before] = now
        super().group(index - 1, [maker], slots)
        self._label[before] = label
        if now != label:
            self.line(f"del {now}")
        super().forget(index - 1)
        super().group(index, [node], slots)
        self.line("del before")
        self.indent -= 1

    def start(self, slots: dict[int, int]) -> None:
        super().start(slots)
        if self._whole:
            for slot in slots.values():
                self._hold(slot)

    def _hold(self, slot: int) -> None:
        # Native code of another thread changes in place only what nobody else holds.
        self.line(f"held{slot} = variables[{slot}]._snapshot")
