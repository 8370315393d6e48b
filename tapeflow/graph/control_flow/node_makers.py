"""The control flow of a trace: what it calls to make nodes that hold graphs.

The functions of this module are those of `tracing.trace.ControlFlow`.
"""

from tapeflow.graph.control_flow.cond import cond
from tapeflow.graph.control_flow.custom_gradient_node import custom_gradient
from tapeflow.graph.control_flow.traced_tensor_array import GraphTensorArray
from tapeflow.graph.control_flow.vectorized_map import vectorized_map
from tapeflow.graph.control_flow.while_loop import while_loop


def tensor_array_type() -> type:
    """The class of TensorArrays that are made inside a trace."""
    return GraphTensorArray


__all__ = ["cond", "custom_gradient", "tensor_array_type", "vectorized_map", "while_loop"]
