"""How notebooks show tensors, variables, tapes and concrete functions: `_repr_html_`.

IPython asks for it when a value ends a cell; `repr` and `print` do not. `_wiring.py` puts
the functions into the classes.
"""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

MOST_ROWS, MOST_COLUMNS = 8, 8


def tensor_html(tensor: Any) -> str:
    """Shape and dtype above the values: a table for vectors and matrices, text for the rest."""
    head = f"<b>tf.Tensor</b> shape {_shape(tensor)}, {tensor.dtype.name}"
    return f"<div>{head}{_values(tensor)}</div>"


def variable_html(variable: Any) -> str:
    frozen = "" if variable.trainable else ", not trainable"
    head = f"<b>tf.Variable</b> {escape(variable.name)}, shape {_shape(variable)}, " \
           f"{variable.dtype.name}{frozen}"
    return f"<div>{head}{_values(variable)}</div>"


def tape_html(tape: Any) -> str:
    record = tape._record
    if record is None:
        state = "used or not begun; persistent=True keeps what was recorded"
    else:
        count = sum(entry is not None for entry in record._entries)
        state = f"{count} {'entry' if count == 1 else 'entries'} recorded"
    kind = ", persistent" if tape._persistent else ""
    return f"<div><b>tf.GradientTape</b>{kind}: {state}</div>"


def concrete_function_html(function: Any) -> str:
    """The signature, and how many nodes its graph has."""
    count = len(function._trace.graph.nodes)
    return (f"<div><b>ConcreteFunction</b> {escape(function.name)}: {count} "
            f"{'node' if count == 1 else 'nodes'}<pre>{escape(str(function))}</pre></div>")


def _shape(value: Any) -> str:
    return escape(str(value.shape))


def _values(value: Any) -> str:
    try:
        array = value.numpy()
    except Exception:  # symbolic, or not initialised: there are none
        return ""
    array = np.asarray(array)
    if array.ndim not in (1, 2) or array.size == 0:
        return f"<pre>{escape(np.array2string(array, threshold=60, edgeitems=2))}</pre>"
    rows = array[None] if array.ndim == 1 else array
    shown = [_row(row) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        shown.append("<tr><td>…</td></tr>")
    return f"<table>{''.join(shown)}</table>"


def _row(row: np.ndarray) -> str:
    cells = [_cell(x) for x in row[:MOST_COLUMNS]]
    if len(row) > MOST_COLUMNS:
        cells.append("…")
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _cell(x: Any) -> str:
    if isinstance(x, (bytes, str)):
        text = x.decode(errors="replace") if isinstance(x, bytes) else x
        return escape(text if len(text) <= 40 else text[:39] + "…")
    return f"{x:.4g}" if np.issubdtype(type(x), np.floating) else escape(str(x))
