"""AutoGraph: makes data-dependent Python control flow part of the graph.

    conversion.py   which functions are converted; from a function to a converted function
    transform.py    the syntax tree: statements and expressions become calls of `runtime`
    jumps.py        break, continue and return, expressed by flags
    runtime.py      what the calls do: Python's own meaning, or a graph's if a tensor decides
"""

from tapeflow.graph.autograph.conversion import convert, do_not_convert, to_code, to_graph

__all__ = ["convert", "do_not_convert", "to_code", "to_graph"]
