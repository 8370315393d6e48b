"""tf.gradients by constants: what was computed at once, on the way to targets, as nodes."""

from __future__ import annotations

from typing import Any

from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.tracing.trace import Trace


def unfold(trace: Trace, targets: list, sources: list) -> None:
    """Let folded results that depend on sources be nodes, where nodes or targets take them."""
    eager = trace.eager
    found = {id(x): True for x in sources if type(x) is Tensor}

    def depends(x: Any) -> bool:
        made = eager.folded.get(id(x)) if type(x) is Tensor else None
        known = found.get(id(x), False)
        if made is not None and id(x) not in eager.derived:
            if True in [depends(one) for one in made.xs]:  # ask all of them
                eager.constants.pop(id(x), None)
                eager.derived[id(x)] = made
                known = found[id(x)] = True
        return known

    if found:
        held = {value: x for x, value in eager.constants.values() if id(x) in eager.folded}
        stale = {value: x for value, x in held.items() if depends(x)}
        _renew(trace, stale, [y for y in targets if depends(y)])


def _renew(trace: Trace, stale: dict[ir.Value, Tensor], targets: list[Tensor]) -> None:
    """Let nodes read, in place of constants, nodes that make them: those go before all."""
    nodes, first = trace.graph.nodes, trace.eager.unfolded
    readers, start = list(nodes), len(nodes)
    symbols = trace.eager.symbols
    taken = {value: symbols.pop(id(x)) for value, x in stale.items() if id(x) in symbols}
    renewed = {value: trace.value_of(x) for value, x in stale.items()}
    for value, symbol in taken.items():  # a loop or branch inside has it
        symbol._ir = renewed[value]
    for y in targets:
        trace.value_of(y)
    made = nodes[start:]
    nodes[:] = readers[:first] + made + readers[first:]
    trace.eager.unfolded += len(made)
    for node in readers[first:] if renewed else ():
        node.inputs = tuple([renewed.get(value, value) for value in node.inputs])
        for key, attr in node.attrs.items():
            if isinstance(attr, ir.Value):
                node.attrs[key] = renewed.get(attr, attr)
