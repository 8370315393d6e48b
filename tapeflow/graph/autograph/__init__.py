"""AutoGraph: makes data-dependent Python control flow part of the graph. The README has a map."""

from tapeflow.graph.autograph import runtime
from tapeflow.graph.autograph.conversion import (
    convert,
    do_not_convert,
    set_runtime,
    to_code,
    to_graph,
)
from tapeflow.graph.autograph.statements import set_loop_options

set_runtime(runtime)

__all__ = ["convert", "do_not_convert", "set_loop_options", "to_code", "to_graph"]
