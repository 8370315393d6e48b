# Written by tools/stubs.py (make stubs).
"""tf.graph_util"""

from typing import Any

def import_graph_def(
    graph_def: Any, input_map: Any = None, return_elements: Any = None, name: str | None = None,
    op_dict: Any = None, producer_op_list: Any = None,
) -> Any:
    """Put the nodes of a GraphDef into the graph; the tensors and operations that are …"""
