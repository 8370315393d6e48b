"""AutoGraph: makes data-dependent Python control flow part of the graph.

    source.py       the syntax tree of a function
    conversion.py   which functions are converted; from a function to a converted function
    transform.py    the syntax tree: statements and expressions become calls of `runtime`
    jumps.py        break, continue and return, expressed by flags
    runtime.py      what the calls do for expressions and calls
    statements.py   if, while and for: Python's own meaning, or a graph's if a tensor decides
    names.py        names that have no value, or only perhaps
    report.py       errors that show the user's lines
"""

from tapeflow.graph.autograph.conversion import convert, do_not_convert, to_code, to_graph
from tapeflow.graph.autograph.statements import set_loop_options

__all__ = ["convert", "do_not_convert", "set_loop_options", "to_code", "to_graph"]
