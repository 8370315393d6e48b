"""What a dump tells, as objects: executions, graphs and their ops, and values in graphs."""

from __future__ import annotations

from typing import Any


def _tuple(values: Any) -> tuple | None:
    return tuple(values) if values else None


class BaseDigest:
    """Something that was written at a time; `locator` finds it in its file again."""

    _shown: tuple[str, ...] = ("wall_time",)

    def __init__(self, wall_time: float, locator: Any):
        self.wall_time, self.locator = wall_time, locator

    def to_json(self) -> dict[str, Any]:
        """What TensorBoard shows of it."""
        return {name: getattr(self, name) for name in self._shown}


class ExecutionDigest(BaseDigest):
    """An op or tf.function that was executed, in short."""

    _shown: tuple[str, ...] = ("wall_time", "op_type", "output_tensor_device_ids")

    def __init__(self, wall_time: float, locator: Any, op_type: str,
                 output_tensor_device_ids: Any = None):
        super().__init__(wall_time, locator)
        self.op_type = op_type
        self.output_tensor_device_ids = _tuple(output_tensor_device_ids)


class Execution(ExecutionDigest):
    """An op or tf.function that was executed: where, on which tensors, what is known of them."""

    _shown: tuple[str, ...] = (
        *ExecutionDigest._shown, "host_name", "stack_frame_ids", "tensor_debug_mode", "graph_id",
        "input_tensor_ids", "output_tensor_ids", "debug_tensor_values")

    def __init__(self, execution_digest: ExecutionDigest, host_name: str, stack_frame_ids: Any,
                 tensor_debug_mode: int, graph_id: str | None = None, input_tensor_ids: Any = None,
                 output_tensor_ids: Any = None, debug_tensor_values: Any = None):
        super().__init__(execution_digest.wall_time, execution_digest.locator,
                         execution_digest.op_type, execution_digest.output_tensor_device_ids)
        self.host_name, self.stack_frame_ids = host_name, tuple(stack_frame_ids)
        self.tensor_debug_mode, self.graph_id = tensor_debug_mode, graph_id
        self.input_tensor_ids = _tuple(input_tensor_ids)
        self.output_tensor_ids = _tuple(output_tensor_ids)
        self.debug_tensor_values = _tuple(debug_tensor_values)

    @property
    def num_outputs(self) -> int:
        return len(self.output_tensor_ids or ())


class GraphOpCreationDigest(BaseDigest):
    """An op of a graph: its name, what it takes, and where the program made it."""

    _shown: tuple[str, ...] = (
        "wall_time", "graph_id", "op_type", "op_name", "output_tensor_ids", "host_name",
        "stack_frame_ids", "input_names", "device_name")

    def __init__(self, wall_time: float, locator: Any, graph_id: str, op_type: str, op_name: str,
                 output_tensor_ids: Any, host_name: str, stack_frame_ids: Any,
                 input_names: Any = None, device_name: str | None = None):
        super().__init__(wall_time, locator)
        self.graph_id, self.op_type, self.op_name = graph_id, op_type, op_name
        self.output_tensor_ids = _tuple(output_tensor_ids)
        self.host_name, self.stack_frame_ids = host_name, stack_frame_ids
        self.input_names, self.device_name = _tuple(input_names), device_name

    @property
    def num_outputs(self) -> int:
        return len(self.output_tensor_ids or ())


class GraphExecutionTraceDigest(BaseDigest):
    """A result of an op in a graph that was run, in short."""

    _shown: tuple[str, ...] = ("wall_time", "op_type", "op_name", "output_slot", "graph_id")

    def __init__(self, wall_time: float, locator: Any, op_type: str, op_name: str,
                 output_slot: int, graph_id: str):
        super().__init__(wall_time, locator)
        self.op_type, self.op_name = op_type, op_name
        self.output_slot, self.graph_id = output_slot, graph_id


class GraphExecutionTrace(GraphExecutionTraceDigest):
    """A result of an op in a graph that was run; `graph_ids`: outermost graph first."""

    _shown: tuple[str, ...] = (
        *GraphExecutionTraceDigest._shown, "graph_ids", "tensor_debug_mode", "debug_tensor_value",
        "device_name")

    def __init__(self, graph_execution_trace_digest: GraphExecutionTraceDigest, graph_ids: Any,
                 tensor_debug_mode: int, debug_tensor_value: Any = None,
                 device_name: str | None = None):
        short = graph_execution_trace_digest
        super().__init__(short.wall_time, short.locator, short.op_type, short.op_name,
                         short.output_slot, short.graph_id)
        self.graph_ids, self.tensor_debug_mode = tuple(graph_ids), tensor_debug_mode
        self.debug_tensor_value, self.device_name = _tuple(debug_tensor_value), device_name


class DebuggedDevice:
    """A device and its number."""

    def __init__(self, device_name: str, device_id: int):
        self.device_name, self.device_id = device_name, device_id

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


class DebuggedGraph:
    """A graph: its ops by their names, who takes their results, and the graphs inside it."""

    def __init__(self, name: str | None, graph_id: str, outer_graph_id: str | None = None):
        self.name, self.graph_id, self.outer_graph_id = name, graph_id, outer_graph_id
        self.inner_graph_ids: list[str] = []
        self._op_by_name: dict[str, GraphOpCreationDigest] = {}
        self._op_consumers: dict[str, list[tuple[int, str, int]]] = {}

    def add_inner_graph_id(self, inner_graph_id: str) -> None:
        self.inner_graph_ids.append(inner_graph_id)

    def add_op(self, graph_op_creation_digest: GraphOpCreationDigest) -> None:
        op = graph_op_creation_digest
        if op.op_name in self._op_by_name:
            raise ValueError(f"Duplicate op name: {op.op_name} (op type: {op.op_type})")
        self._op_by_name[op.op_name] = op

    def add_op_consumer(self, src_op_name: str, src_slot: int, dst_op_name: str,
                        dst_slot: int) -> None:
        self._op_consumers.setdefault(src_op_name, []).append((src_slot, dst_op_name, dst_slot))

    def get_tensor_id(self, op_name: str, output_slot: int) -> int:
        return (self._op_by_name[op_name].output_tensor_ids or ())[output_slot]

    def get_op_creation_digest(self, op_name: str) -> GraphOpCreationDigest:
        return self._op_by_name[op_name]

    def get_op_consumers(self, src_op_name: str) -> list[tuple[int, str, int]]:
        """(slot of this op, name of the op that takes it, which of that one's inputs)."""
        return self._op_consumers.get(src_op_name, [])

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name)
                for name in ("name", "graph_id", "outer_graph_id", "inner_graph_ids")}
