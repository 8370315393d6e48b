"""Functions that implement one interface for several kinds of device: the CPU's is taken.

A library marks functions with the attribute `api_implements`, calls the general one while it traces
another function, and then adds to that function's graph the one whose `api_preferred_device` is the
CPU. TensorFlow's runtime then runs that one; here its results take the place of the general one's.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import nest
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import Function
from tapeflow.graph.tracing.symbolic import Symbolic

_CALLS = "_calls_of_interfaces"  # of a trace: interface -> what its general function gave


class Implementation(Function):
    """A function that implements an interface, for a kind of device or in general."""

    def __init__(self, *args: Any, attributes: dict[str, Any], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._interface = attributes["api_implements"]
        self._on_cpu = str(attributes.get("api_preferred_device", "")).upper() == "CPU"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = super().__call__(*args, **kwargs)
        if state.trace is not None and not self._on_cpu:
            vars(state.trace).setdefault(_CALLS, {})[self._interface] = found
        return found

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments; added to a graph, it serves its interface there."""
        found = super().get_concrete_function(*args, **kwargs)
        if self._on_cpu:
            found.serve = lambda: self._serve(args, kwargs)
        return found

    def _serve(self, args: tuple, kwargs: dict) -> None:
        trace: Any = state.trace
        before = None if trace is None else vars(trace).get(_CALLS, {}).pop(self._interface, None)
        if before is None:
            return
        after = self(*args, **kwargs)
        for old, new in zip(nest.flatten(before), nest.flatten(after), strict=True):
            if isinstance(old, Symbolic):
                old._ir = trace.value_of(new)
            elif type(old) is Tensor:  # a constant
                trace.eager.constants[id(old)] = (old, trace.value_of(new))
