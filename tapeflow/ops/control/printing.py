"""tf.print, tf.strings.format and tf.strings.as_string: tensors as text, in TensorFlow's form.

The text of one tensor is made by `base.formatting`; here it is put into what was printed around it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.attributes import attributes, dense, flag, small, text, whole
from tapeflow.base.exports import export_guarded as export
from tapeflow.base.formatting import print_text
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.op import ANY, NONDIFF, Spec, define
from tapeflow.core.record.samples import Case
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable

_STRING = np.dtype(object)
_LOGGERS = ("info", "warning", "warn", "error")
_FIRST_MARK = 0xF0000  # private characters, which no program prints


def _fill_in(pieces: tuple[str, ...], values: tuple, summarize: int, quote: bool = True,
             plain: tuple[int, ...] = ()) -> str:
    """The text between tensors and the tensors' own, in turn; `plain` ones are text already."""
    parts = [pieces[0]]
    for i, (value, piece) in enumerate(zip(values, pieces[1:], strict=True)):
        if i in plain:
            parts.append(value[()].decode("utf-8", "surrogateescape"))
        else:
            parts.append(print_text(value, dtypes.of(value.dtype), summarize,
                                    quote_scalars=quote))
        parts.append(piece)
    return "".join(parts)


# -- tf.strings.format -----------------------------------------------------------------------------
def _format_kernel(*values: Any, pieces: tuple[str, ...], summarize: int,
                   plain: tuple[int, ...] = ()) -> np.ndarray:
    result = np.empty((), _STRING)
    text = _fill_in(pieces, values, summarize, plain=plain)
    result[()] = text.encode("utf-8", "surrogateescape")
    return result


_string_format = define(
    "string_format", kernel=_format_kernel, args=("*inputs",), batch=loop,
    shape=lambda *specs, **attrs: Spec((), _STRING), vjp=NONDIFF("a text has no derivative"),
    check=[Case((2,), (), pieces=("x = ", ", y = ", ""), summarize=3, grad=False)])


@export("strings.format")
def string_format(template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3,
                  name: str | None = None) -> Tensor:
    """`template` with each `placeholder` replaced by the text of a tensor.

    >>> tf.strings.format("x = {}", tf.constant([1, 2]))
    <tf.Tensor: shape=(), dtype=string, numpy=b'x = [1 2]'>
    """
    if not hasattr(template, "count"):  # AttributeError is TensorFlow's type
        raise AttributeError(f"tf.strings.format: the template must be a string, got {template!r}")
    if not isinstance(template, str):
        raise ValueError(f"tf.strings.format: the template must be a string, got {template!r}.")
    pieces = tuple(template.split(placeholder))
    given = [inputs] if isinstance(inputs, (Tensor, Variable, Composite)) else list(inputs)
    if len(pieces) != len(given) + 1:
        raise ValueError(f"tf.strings.format: the template has {len(pieces) - 1} placeholders "
                         f"{placeholder!r}, but there are {len(given)} inputs.")
    summarize = 3 if summarize is None else whole("summarize", summarize)
    tensors = _Tensors(summarize)
    text = pieces[0]
    for x, piece in zip(given, pieces[1:], strict=True):
        if not hasattr(x, "nested_row_splits"):
            dense("inputs", x)
        text += repr(tensors.mark(x if isinstance(x, Composite) else operand(x))) + piece
    pieces, order = _pieces(text, len(tensors.values))
    return _string_format(*[tensors.values[i] for i in order], pieces=pieces, summarize=summarize,
                          plain=tensors.plain(order))


# -- tf.strings.as_string --------------------------------------------------------------------------
def _as_string_kernel(x: Any, form: str, number: str) -> np.ndarray:
    result = np.empty(x.shape, _STRING)
    kind = x.dtype.kind
    for i, one in enumerate(x.ravel().tolist()):
        if kind == "b":
            text = "true" if one else "false"
        elif kind == "c":
            text = form % f"({number % one.real},{number % one.imag})"
        elif kind == "O":
            text = form % one.decode("utf-8", "surrogateescape")
        else:
            text = number % one
        result.reshape(-1)[i] = text.encode("utf-8", "surrogateescape")
    return result


_as_string = define(
    "as_string", kernel=_as_string_kernel, batch=batch_elementwise, kind="elementwise",
    shape=lambda x, form, number: Spec(x.shape, _STRING), dtypes=ANY,
    vjp=NONDIFF("a text has no derivative"), check=[Case((2, 3), form="%s", number="%f",
                                                         grad=False)])


@export("strings.as_string", "as_string")
@attributes(precision=small, scientific=flag, shortest=flag, width=small, fill=text)
def as_string(input: Any, precision: int = -1, scientific: bool = False, shortest: bool = False,
              width: int = -1, fill: str = "", name: str | None = None) -> Tensor:
    """Each element as text, by the rules of C's printf.

    >>> tf.strings.as_string(tf.constant([1.5, 2.0]), precision=2)
    <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'1.50', b'2.00'], dtype=object)>
    """
    x = operand(input)
    real = x.dtype.is_floating or x.dtype.is_complex
    problem = None
    if scientific and shortest:
        problem = "`scientific` and `shortest` exclude each other"
    elif not real and (scientific or shortest or precision >= 0):
        problem = f"`scientific`, `shortest` and `precision` are not for {x.dtype.name}"
    elif fill not in ("", " ", "+", "-", "0", "#"):
        problem = f"`fill` must be one of ' +-0#', got {fill!r}"
    if problem:
        raise errors.invalid("AsString", problem)
    form = "%" + fill + (str(width) if width >= 0 else "")
    letter = ("e" if scientific else "g" if shortest else "f") if real else "d"
    digits = f".{precision}" if precision >= 0 else ""
    element = f"%{digits}{letter}" if x.dtype.is_complex else f"{form}{digits}{letter}"
    return _as_string(x, form=form + "s", number=element)


# -- tf.print --------------------------------------------------------------------------------------
def _print_kernel(*values: Any, pieces: tuple[str, ...], summarize: int, quote: bool, stream: Any,
                  end: str, plain: tuple[int, ...] = ()) -> tuple:
    text = _fill_in(pieces, values, summarize, quote, plain) + end
    if callable(stream):
        stream(text.removesuffix("\n"))
    elif stream.startswith("file://"):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8",
                  errors="surrogateescape", newline="") as file:
            file.write(text)
    else:
        _write(sys.stdout if stream == "stdout" else sys.stderr, text)
    return ()


def _write(stream: Any, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:  # bytes that are no text, in a stream that refuses them
        stream.write(text.encode("utf-8", "replace").decode())
    stream.flush()


print_values = define(
    "print_values", kernel=_print_kernel, shape=lambda *specs, **attrs: (), multi=True,
    args=("*values",), vjp=NONDIFF("tf.print has no result"), stateful=True, tf_name="PrintV2",
    batch=loop, check=[Case((2,), pieces=("x = ", ""), summarize=3, quote=True, stream="stdout",
                            end="\n", grad=False)])


@export("print")
def tf_print(*inputs: Any, output_stream: Any = None, summarize: int | None = 3, sep: str = " ",
             end: str = "\n", name: str | None = None, **unknown: Any) -> None:
    """Print `inputs`, which may be tensors, structures of them and anything else, to stderr.

    `output_stream` is sys.stderr, sys.stdout, "file://path" (appended to) or a function such as
    logging.info. Of each axis the first and last `summarize` items are shown; -1 shows all.
    """
    if unknown:
        raise ValueError(f"tf.print: unknown keyword arguments {sorted(unknown)}.")
    stream = _stream(sys.stderr if output_stream is None else output_stream)
    whole = len(inputs) == 1 and _is_string_scalar(inputs[0])
    most = 3 if summarize is None else int(_checked_count(summarize))
    tensors = _Tensors(most)
    texts = [_template(one, tensors) for one in inputs]
    if not isinstance(sep, str):  # AttributeError is TensorFlow's type
        raise AttributeError(f"tf.print: `sep` must be a string, got {sep!r}.")
    pieces, order = _pieces(sep.join(texts), len(tensors.values))
    if not isinstance(end, str):
        raise TypeError(f"tf.print: `end` must be a string, got {end!r}.")
    print_values(*[tensors.values[i] for i in order], pieces=pieces, quote=not whole,
                 stream=stream, summarize=most, end=end, plain=tensors.plain(order))


def _checked_count(summarize: Any) -> Any:
    if isinstance(summarize, (str, bytes)):
        raise TypeError(f"tf.print: `summarize` must be an integer, got {summarize!r}.")
    return summarize


def _stream(given: Any) -> Any:
    if isinstance(given, str):
        if given.startswith("file://"):
            return given
    elif given is sys.stdout or given is sys.__stdout__:
        return "stdout"
    elif given is sys.stderr or given is sys.__stderr__:
        return "stderr"
    elif callable(given) and getattr(given, "__name__", "") in _LOGGERS:
        return given
    raise ValueError("tf.print: `output_stream` must be sys.stdout, sys.stderr, 'file://path' or a "
                     f"logging function, got {given!r}.")


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (Tensor, Variable, IndexedSlices, Composite))


def _is_string_scalar(x: Any) -> bool:
    return isinstance(x, (Tensor, Variable)) and not x.ndim and x.dtype is dtypes.string


class _Mark:
    """Stands for the tensor of an index in a structure; its text is as wide as '{}' in quotes."""

    def __init__(self, index: int):
        self.index = index

    def __repr__(self) -> str:
        return f"{chr(_FIRST_MARK)}{{}}{chr(_FIRST_MARK + 1 + self.index)}"


class _Marks:
    """Stands for a composite: text and marks in turn."""

    def __init__(self, parts: list):
        self.parts = parts

    def __repr__(self) -> str:
        return "".join([part if isinstance(part, str) else repr(part) for part in self.parts])


class _Tensors:
    """The tensors of what is printed, by index, and which of them are text already."""

    def __init__(self, summarize: int):
        self.summarize = summarize
        self.values: list[Tensor] = []
        self.texts: set[int] = set()

    def mark(self, x: Any) -> Any:
        if not isinstance(x, Composite):
            self.values.append(operand(x))
            return _Mark(len(self.values) - 1)
        parts: list[Any] = []
        for part in x._print_parts(self.summarize):
            if isinstance(part, list):  # one tensor that is text
                self.texts.add(len(self.values))
                part = part[0]
            parts.append(part if isinstance(part, str) else self.mark(part))
        return _Marks(parts)

    def plain(self, order: list[int]) -> tuple[int, ...]:
        return tuple([position for position, index in enumerate(order) if index in self.texts])


def _template(one: Any, tensors: _Tensors) -> str:
    """The text of one argument with marks for its tensors, which are added to `tensors`."""
    if isinstance(one, str):
        return one
    marked = nest.map_structure(lambda leaf: tensors.mark(leaf) if _is_tensor(leaf) else leaf, one)
    if isinstance(marked, (_Mark, _Marks, int, float, type(None))):
        return repr(marked)
    import pprint
    return pprint.pformat(marked)


def _pieces(template: str, count: int) -> tuple[tuple[str, ...], list[int]]:
    """The text around the marks, and the tensors' indices in the order in which they stand."""
    if not count:
        return (template,), []
    import re
    first = chr(_FIRST_MARK)
    last = chr(_FIRST_MARK + count)
    found = re.split(f"{first}{{}}([{chr(_FIRST_MARK + 1)}-{last}])", template)
    order = [ord(mark) - _FIRST_MARK - 1 for mark in found[1::2]]
    return tuple(found[::2]), order
