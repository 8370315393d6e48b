"""The text of tensors and variables: `str`, `repr`, `format` and `tf.print`.

Imports NumPy and dtypes; any layer may import it. Values come as arrays, NumPy scalars or (string
scalars) bytes, with their DType. Numbers inside `str` and `repr` are NumPy's text, so NumPy's print
options apply; `tf.print` has rules of its own, those of TensorFlow's C++ runtime.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.dtypes import DType

_DEFAULT_SUMMARIZE = 3


def tensor_str(value: Any, dtype: DType) -> str:
    """`str(tensor)`.

    >>> from tapeflow.base.dtypes import float32
    >>> tensor_str(np.float32(6), float32)
    'tf.Tensor(6.0, shape=(), dtype=float32)'
    """
    text = _on_its_own_lines(_text(value, dtype, str))
    return f"tf.Tensor({text}, shape={np.shape(value)}, dtype={dtype.name})"


def tensor_repr(value: Any, dtype: DType) -> str:
    """`repr(tensor)`; a scalar shows all digits of its value as a Python number.

    >>> from tapeflow.base.dtypes import float32
    >>> tensor_repr(np.float32(1 / 3), float32)
    '<tf.Tensor: shape=(), dtype=float32, numpy=0.3333333432674408>'
    """
    text = _on_its_own_lines(_text(value, dtype, repr))
    return f"<tf.Tensor: shape={np.shape(value)}, dtype={dtype.name}, numpy={text}>"


def variable_repr(name: str, shape: Any, dtype: DType, value: Any) -> str:
    """`repr(variable)`; `value` is None where there is none yet, as while tracing."""
    start = f"<tf.Variable {name!r} shape={shape} dtype={dtype.name}"
    if value is None:
        return start + ">"
    return f"{start}, numpy={_on_its_own_lines(_text(value, dtype, repr))}>"


def _text(value: Any, dtype: DType, form: Callable[[Any], str]) -> str:
    if dtype.kind == "V":
        return "<unprintable>"
    if isinstance(value, np.ndarray) and value.ndim:
        return form(value)
    # NumPy's repr of a scalar names its type, which stands in the text already.
    return repr(_python_value(value)) if form is repr else str(_scalar(value))


def _on_its_own_lines(text: str) -> str:
    return "\n" + text if "\n" in text else text


def _scalar(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value


def _python_value(value: Any) -> Any:
    scalar = _scalar(value)
    return scalar.item() if isinstance(scalar, np.generic) else scalar


# tf.print


def print_text(
    value: Any, dtype: DType, summarize: int | None = None, quote_scalars: bool = False
) -> str:
    """How `tf.print` shows one tensor: `summarize` items at both ends of each dimension, -1 all.

    A scalar string is bare if it is all that one `tf.print` prints; beside other values, and in
    `tf.strings.format`, it is quoted: `quote_scalars`. Bytes that are not UTF-8 come as surrogate
    escapes. Where TensorFlow's text says less than the value, the value is shown: complex numbers
    (TensorFlow: "?") and subnormal ones (0).

    >>> from tapeflow.base.dtypes import float32
    >>> print_text(np.arange(10, dtype="float32") / 3, float32)
    '[0 0.333333343 0.666666687 ... 2.33333325 2.66666675 3]'
    """
    if dtype.kind == "V":
        return "<unprintable>"
    array = np.asarray(value, dtype=object) if dtype.kind == "O" else np.asarray(value)
    wanted = _DEFAULT_SUMMARIZE if summarize is None else summarize
    ends = array.size if wanted < 0 else min(wanted, array.size)
    if dtype.kind == "O" and array.ndim == 0:
        return _quoted(array[()]) if quote_scalars else _decoded(array[()])
    if dtype.kind == "b" and ends == 0:
        return ""  # nothing at all, not even brackets: TensorFlow's way with empty bools
    if array.ndim == 0:
        return _element_text(dtype)(array[()]) if ends else "..."
    parts: list[str] = []
    _print_dimension(array, 0, ends, _element_text(dtype), parts)
    return "".join(parts)


def _print_dimension(
    array: np.ndarray, depth: int, ends: int, element: Callable[[Any], str], parts: list[str]
) -> None:
    inner = array.ndim == 1
    # Rows stand on lines of their own; each further dimension adds an empty line between.
    separator = " " if inner else "\n" * (array.ndim - 1) + " " * (depth + 1)
    count = len(array)
    shown = list(range(min(ends, count)))
    gap = count > 2 * ends
    last = range(max(ends, count - ends), count)
    parts.append("[")
    for i in [*shown, *([None] if gap else []), *last]:
        if i is None:
            parts.append(separator + "...")
            continue
        if i > 0:
            parts.append(separator)
        if inner:
            parts.append(element(array[i]))
        else:
            _print_dimension(array[i], depth + 1, ends, element, parts)
    parts.append("]")


def _element_text(dtype: DType) -> Callable[[Any], str]:
    if dtype.kind == "f":
        return _float64_text if dtype.size == 8 else _float32_text
    if dtype.kind == "c":
        return _complex128_text if dtype.size == 16 else _complex64_text
    if dtype.kind == "O":
        return _quoted
    return _integer_text


def _integer_text(value: Any) -> str:
    return str(int(value))


def _float32_text(value: Any) -> str:
    """Six digits where they name the float32 exactly, else nine. Narrower types print so too."""
    real = float(value)
    if real != real:
        return _nan_text(real)
    short = f"{real:.6g}"
    return short if np.float32(short) == np.float32(real) else f"{real:.9g}"


def _float64_text(value: Any) -> str:
    real = float(value)
    if real != real:
        return _nan_text(real)
    short = f"{real:.15g}"
    return short if float(short) == real else f"{real:.17g}"


def _nan_text(real: float) -> str:
    return "-nan" if math.copysign(1.0, real) < 0 else "nan"


def _complex64_text(value: Any) -> str:
    return _complex_text(value, _float32_text)


def _complex128_text(value: Any) -> str:
    return _complex_text(value, _float64_text)


def _complex_text(value: Any, part: Callable[[Any], str]) -> str:
    imaginary = part(value.imag)
    sign = "" if imaginary.startswith("-") else "+"
    return f"({part(value.real)}{sign}{imaginary}j)"


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
_ESCAPES |= {chr(c): f"\\{c:03o}" for c in (*range(32), 127) if chr(c) not in _ESCAPES}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)


def _decoded(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def _quoted(value: Any) -> str:
    return '"' + _decoded(value).translate(_ESCAPE_TABLE) + '"'
