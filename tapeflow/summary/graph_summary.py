"""tf.summary.graph, trace_on, trace_export: graphs of functions, for TensorBoard's graph tab."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from tapeflow.base.exports import export
from tapeflow.core.state import state
from tapeflow.core.values.tensor import wrap
from tapeflow.graph.functions import concrete_function
from tapeflow.io.protobuf import graph_protos, protos
from tapeflow.io.protobuf.run_protos import RunMetadata
from tapeflow.summary.recording import summary_scope, write, written_event


def graph_message(graph: Any) -> Any:
    """The GraphDef of a traced graph: names, types and inputs of its nodes."""
    message = graph_protos.GraphDef()
    message.versions.producer = 2474
    for operation in graph.get_operations():
        inputs = [one.name.removesuffix(":0") for one in operation.inputs]
        message.node.add(name=operation.name, op=operation.type, input=inputs,
                         device="/device:CPU:0")
    return message


@export("summary.graph")
def graph(graph_data: Any) -> Any:
    """Write a graph: `f.get_concrete_function(…).graph`, or a GraphDef."""
    if state.trace is not None:
        raise RuntimeError("`tf.summary.graph()` can be called only outside of a `tf.function`.")
    if isinstance(graph_data, graph_protos.GraphDef):
        message = graph_data
    elif hasattr(graph_data, "get_operations"):
        message = graph_message(graph_data)
    else:
        raise ValueError("Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. "
                         f"Received: {graph_data!r}")

    def fill(event: Any) -> None:
        event.graph_def = message.SerializeToString()

    return wrap(np.bool_(written_event(fill, 0)))


# -- graphs of what runs ---------------------------------------------------------------------------
class _Tracing:
    graphs: list[Any] | None = None  # None: not on

    def note(self, function: Any) -> None:
        if self.graphs is not None:
            self.graphs.append(function)


_tracing = _Tracing()


@export("summary.trace_on")
def trace_on(graph: bool = True, profiler: bool = False,
             profiler_outdir: str | None = None) -> None:
    """Keep the graphs of the functions that are traced from now on, for `trace_export`.

    There is no profiler of devices here; `profiler=True` is said to be ignored.
    """
    if state.trace is not None:
        logging.getLogger("tensorflow").warning("Cannot enable trace inside a tf.function.")
        return
    if _tracing.graphs is not None:
        logging.getLogger("tensorflow").warning("Trace already enabled")
        return
    if profiler:
        logging.getLogger("tensorflow").warning(
            "tf.summary.trace_on: profiles are not recorded; only graphs are.")
    if graph:
        _tracing.graphs = []
        concrete_function.listeners.append(_tracing.note)


@export("summary.trace_off")
def trace_off() -> None:
    """Stop keeping graphs and forget those kept."""
    _tracing.graphs = None
    if _tracing.note in concrete_function.listeners:
        concrete_function.listeners.remove(_tracing.note)


@export("summary.trace_export")
def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Write the graphs that were kept since `trace_on` as one summary, and stop keeping them."""
    if state.trace is not None:
        logging.getLogger("tensorflow").warning("Cannot export trace inside a tf.function.")
        return
    if _tracing.graphs is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    run = RunMetadata()
    for function in _tracing.graphs:
        message = graph_message(function.graph)
        kept = run.function_graphs.add()
        kept.pre_optimization_graph.CopyFrom(message)
        kept.post_optimization_graph.CopyFrom(message)
        kept.partition_graphs.append(message)
        run.partition_graphs.append(message)
    metadata = protos.SummaryMetadata()
    metadata.plugin_data.plugin_name = "graph_run_metadata_graph"
    metadata.plugin_data.content = b"1"
    data = np.empty((), object)
    data[()] = run.SerializeToString()
    with summary_scope(name, "graph_run_metadata_graph") as (tag, _):
        write(tag, wrap(data), step, metadata)
    trace_off()
