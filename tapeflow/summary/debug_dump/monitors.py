"""Who looks at a dump while it is read: alerts of NaNs and infinities, which TensorBoard lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.summary.debug_dump import debug_messages as messages


class BaseMonitor:
    """Hears of everything that a `DebugDataReader` reads."""

    def __init__(self, debug_events_reader: Any):
        self._debug_data_reader = debug_events_reader
        debug_events_reader._add_monitor(self)

    def on_execution(self, execution_index: int, execution: Any) -> None:
        """An op or tf.function was executed."""

    def on_graph_execution_trace(self, graph_execution_trace_index: int,
                                 graph_execution_trace: Any) -> None:
        """An op in a graph has a result."""


class InfNanAlert:
    """A result with NaNs or infinities: how many, as far as the dump counts them."""

    def __init__(self, wall_time: float, op_type: str, output_slot: int, size: Any = None,
                 num_neg_inf: Any = None, num_pos_inf: Any = None, num_nan: Any = None,
                 execution_index: int | None = None,
                 graph_execution_trace_index: int | None = None):
        self.wall_time, self.op_type, self.output_slot = wall_time, op_type, output_slot
        self.size, self.num_neg_inf, self.num_pos_inf = size, num_neg_inf, num_pos_inf
        self.num_nan, self.execution_index = num_nan, execution_index
        self.graph_execution_trace_index = graph_execution_trace_index


class InfNanMonitor(BaseMonitor):
    """Notes the first `limit` results that are not finite; 0: all."""

    def __init__(self, debug_events_reader: Any, limit: int = 0):
        super().__init__(debug_events_reader)
        self._limit = limit
        self._alerts: list[InfNanAlert] = []

    def alerts(self) -> list[InfNanAlert]:
        return self._alerts

    def on_execution(self, execution_index: int, execution: Any) -> None:
        if execution.tensor_debug_mode == messages.FULL_TENSOR:
            values: Any = self._debug_data_reader.execution_to_tensor_values(execution)
        else:
            values = execution.debug_tensor_values or ()
        for slot, value in enumerate(values):
            self._check(execution, slot, value, execution_index=execution_index)

    def on_graph_execution_trace(self, graph_execution_trace_index: int,
                                 graph_execution_trace: Any) -> None:
        trace = graph_execution_trace
        if trace.tensor_debug_mode == messages.FULL_TENSOR:
            value = self._debug_data_reader.graph_execution_trace_to_tensor_value(trace)
        else:
            value = trace.debug_tensor_value
        self._check(trace, trace.output_slot, value,
                    graph_execution_trace_index=graph_execution_trace_index)

    def _check(self, event: Any, slot: int, value: Any, **index: int) -> None:
        if value is None or (0 < self._limit <= len(self._alerts)):
            return
        found = _counts(event.tensor_debug_mode, value)
        if found is not None:
            self._alerts.append(InfNanAlert(event.wall_time, event.op_type, slot, *found, **index))


def _counts(mode: int, value: Any) -> tuple | None:
    """(elements, -inf, +inf, NaN) if some are not finite; () if they are not counted."""
    if mode == messages.CURT_HEALTH:
        return () if value[1] else None
    if mode == messages.CONCISE_HEALTH:
        found = tuple(value[1:5])
    elif mode == messages.FULL_HEALTH:
        found = tuple(value[4:8])
    elif mode == messages.FULL_TENSOR and np.issubdtype(value.dtype, np.floating):
        found = (value.size, int((value == -np.inf).sum()), int((value == np.inf).sum()),
                 int(np.isnan(value).sum()))
    else:
        return None
    return found if any(found[1:]) else None
