"""`DebugDataReader`: a dump's events put together, read on from where the last reading ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.io.protobuf.tensor_protos import make_ndarray
from tapeflow.summary.debug_dump import debug_messages as messages
from tapeflow.summary.debug_dump.event_reader import DebugEventsReader
from tapeflow.summary.debug_dump.run_data import (
    DebuggedDevice,
    DebuggedGraph,
    Execution,
    ExecutionDigest,
    GraphExecutionTrace,
    GraphExecutionTraceDigest,
    GraphOpCreationDigest,
)


def _value(message: Any) -> np.ndarray | None:
    """The value of a TensorProto; None of one that tells nothing."""
    return make_ndarray(message) if message.dtype else None


def _numbers(message: Any) -> list | None:
    value = _value(message)
    return None if value is None else value.tolist()


class DebugDataReader:
    """What a dump tells; `update` reads what was written since."""

    def __init__(self, dump_root: str):
        self._reader = DebugEventsReader(dump_root)
        self._execution_digests: list[ExecutionDigest] = []
        self._sources: dict[tuple[str, str], int] = {}  # host and file -> offset
        self._stack_frame_by_id: dict[str, tuple[str, str, int, str]] = {}
        self._device_by_id: dict[int, DebuggedDevice] = {}
        self._graph_by_id: dict[str, DebuggedGraph] = {}
        self._graph_op_digests: list[GraphOpCreationDigest] = []
        self._trace_digests: list[GraphExecutionTraceDigest] = []
        self._monitors: list[Any] = []

    def __enter__(self) -> DebugDataReader:
        return self

    def __exit__(self, *failure: Any) -> None:
        self._reader.close()

    def _add_monitor(self, monitor: Any) -> None:
        self._monitors.append(monitor)

    # -- reading on --------------------------------------------------------------------------------
    def update(self) -> None:
        """Read what was written since the last time."""
        for event, offset in self._reader.source_files_iterator():
            self._sources[event.source_file.host_name, event.source_file.file_path] = offset
        files = list(self._sources)
        for event, _ in self._reader.stack_frames_iterator():
            place = event.stack_frame_with_id.file_line_col
            if place.file_index < len(files):
                self._stack_frame_by_id[event.stack_frame_with_id.id] = (
                    *files[place.file_index], place.line, place.func)
        for event, offset in self._reader.graphs_iterator():
            self._add_to_graphs(event, offset)
        for number, events in enumerate(self._reader.graph_execution_traces_iterators()):
            for event, offset in events:
                self._add_trace(event, (number, offset))
        for event, offset in self._reader.execution_iterator():
            self._execution_digests.append(_execution_digest(event, offset))
            for monitor in self._monitors:
                monitor.on_execution(len(self._execution_digests) - 1, _execution(event, offset))

    def _add_to_graphs(self, event: Any, offset: int) -> None:
        kind = event.WhichOneof("what")
        if kind == "debugged_graph":
            told = event.debugged_graph
            graph = DebuggedGraph(told.graph_name or None, told.graph_id,
                                  told.outer_context_id or None)
            self._graph_by_id[graph.graph_id] = graph
            if graph.outer_graph_id:
                self._graph_by_id[graph.outer_graph_id].add_inner_graph_id(graph.graph_id)
        elif kind == "debugged_device":
            device = event.debugged_device
            self._device_by_id[device.device_id] = DebuggedDevice(
                device.device_name, device.device_id)
        elif kind == "graph_op_creation":
            self._add_op(event, offset)

    def _add_op(self, event: Any, offset: int) -> None:
        told = event.graph_op_creation
        op = GraphOpCreationDigest(
            event.wall_time, offset, told.graph_id, told.op_type, told.op_name,
            tuple(told.output_tensor_ids), told.code_location.host_name,
            tuple(told.code_location.stack_frame_ids), tuple(told.input_names))
        self._graph_op_digests.append(op)
        graph = self._graph_by_id[told.graph_id]
        graph.add_op(op)
        for position, tensor in enumerate(told.input_names):
            source, _, slot = tensor.rpartition(":")
            graph.add_op_consumer(source, int(slot), op.op_name, position)

    def _add_trace(self, event: Any, locator: tuple[int, int]) -> None:
        self._trace_digests.append(self._trace_digest(event, locator))
        for monitor in self._monitors:
            monitor.on_graph_execution_trace(
                len(self._trace_digests) - 1, self._trace(event, locator))

    # -- about the run -----------------------------------------------------------------------------
    def starting_wall_time(self) -> float:
        return self._reader.starting_wall_time()

    def tensorflow_version(self) -> str:
        return self._reader.tensorflow_version()

    def tfdbg_run_id(self) -> str:
        return self._reader.tfdbg_run_id()

    def source_file_list(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._sources)

    def source_lines(self, host_name: str, file_path: str) -> list[str]:
        event = self._reader.read_source_files_event(self._sources[host_name, file_path])
        return list(event.source_file.lines)

    def device_name_by_id(self, device_id: int) -> str:
        return self._device_by_id[device_id].device_name

    def device_name_map(self) -> dict[int, str]:
        return {number: one.device_name for number, one in self._device_by_id.items()}

    # -- graphs ------------------------------------------------------------------------------------
    def outermost_graphs(self) -> list[DebuggedGraph]:
        return [one for one in self._graph_by_id.values() if not one.outer_graph_id]

    def graph_by_id(self, graph_id: str) -> DebuggedGraph:
        return self._graph_by_id[graph_id]

    def graph_op_digests(self, op_type: str | None = None) -> list[GraphOpCreationDigest]:
        return [one for one in self._graph_op_digests if op_type in (None, one.op_type)]

    def symbolic_tensor_id(self, graph_id: str, op_name: str, output_slot: int) -> int:
        return self._graph_by_id[graph_id].get_tensor_id(op_name, output_slot)

    # -- what was executed -------------------------------------------------------------------------
    def executions(self, digest: bool = False, begin: int | None = None, end: int | None = None
                   ) -> list:
        """Executions from `begin` to before `end`; `digest`: in short."""
        found = self._execution_digests[begin:end or None]
        return found if digest else [self.read_execution(one) for one in found]

    def num_executions(self) -> int:
        return len(self._execution_digests)

    def read_execution(self, execution_digest: ExecutionDigest) -> Execution:
        at = execution_digest.locator
        return _execution(self._reader.read_execution_event(at), at)

    def execution_to_tensor_values(self, execution: ExecutionDigest) -> list:
        """The results of an execution, if the dump has them whole."""
        event = self._reader.read_execution_event(execution.locator)
        return [_value(one) for one in event.execution.tensor_protos]

    def graph_execution_traces(self, digest: bool = False, begin: int | None = None,
                               end: int | None = None) -> list:
        """Results in graphs from `begin` to before `end`; `digest`: in short."""
        found = self._trace_digests[begin:end or None]
        return found if digest else [self.read_graph_execution_trace(one) for one in found]

    def num_graph_execution_traces(self) -> int:
        return len(self._trace_digests)

    def read_graph_execution_trace(self, graph_execution_trace_digest: GraphExecutionTraceDigest
                                   ) -> GraphExecutionTrace:
        at = graph_execution_trace_digest.locator
        return self._trace(self._reader.read_graph_execution_traces_event(at), at)

    def graph_execution_trace_to_tensor_value(self, trace: GraphExecutionTraceDigest) -> Any:
        """A result in a graph, if the dump has it whole."""
        event = self._reader.read_graph_execution_traces_event(trace.locator)
        return _value(event.graph_execution_trace.tensor_proto)

    def graph_execution_trace_to_tensor_id(self, trace: GraphExecutionTraceDigest) -> int:
        return self.symbolic_tensor_id(trace.graph_id, trace.op_name, trace.output_slot)

    def _trace_digest(self, event: Any, locator: tuple[int, int]) -> GraphExecutionTraceDigest:
        told = event.graph_execution_trace
        op = self._graph_by_id[told.tfdbg_context_id].get_op_creation_digest(told.op_name)
        return GraphExecutionTraceDigest(event.wall_time, locator, op.op_type, told.op_name,
                                         told.output_slot, told.tfdbg_context_id)

    def _trace(self, event: Any, locator: tuple[int, int]) -> GraphExecutionTrace:
        told = event.graph_execution_trace
        graphs = [told.tfdbg_context_id]
        while outer := self._graph_by_id[graphs[0]].outer_graph_id:
            graphs.insert(0, outer)
        whole = told.tensor_debug_mode == messages.FULL_TENSOR
        return GraphExecutionTrace(
            self._trace_digest(event, locator), graphs, told.tensor_debug_mode,
            None if whole else _numbers(told.tensor_proto), told.device_name or None)

    # -- the program's text ------------------------------------------------------------------------
    def read_execution_stack_trace(self, execution: Execution) -> tuple[str, list]:
        """The host, and (file, line, function) of each frame, outermost first."""
        frames = [self._stack_frame_by_id[one] for one in execution.stack_frame_ids]
        return frames[0][0], [frame[1:] for frame in frames]

    def read_graph_op_creation_stack_trace(
            self, graph_op_creation_digest: GraphOpCreationDigest) -> tuple[str, list]:
        """The same of where an op of a graph was made."""
        op = graph_op_creation_digest
        return op.host_name, [self._stack_frame_by_id[one][1:] for one in op.stack_frame_ids]


def _execution_digest(event: Any, offset: int) -> ExecutionDigest:
    told = event.execution
    return ExecutionDigest(event.wall_time, offset, told.op_type, told.output_tensor_device_ids)


def _execution(event: Any, offset: int) -> Execution:
    told = event.execution
    plain = told.tensor_debug_mode in (messages.NO_TENSOR, messages.FULL_TENSOR)
    return Execution(
        _execution_digest(event, offset), told.code_location.host_name,
        told.code_location.stack_frame_ids, told.tensor_debug_mode, told.graph_id,
        told.input_tensor_ids, told.output_tensor_ids,
        None if plain else [_numbers(one) for one in told.tensor_protos])
