"""Strings taken apart: split, bytes_split, ngrams. Rows of different lengths are ragged."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, small, strict, text, text_bytes
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.ops.ragged.partition import partition
from tapeflow.ops.ragged.ragged_conversion import from_tensor
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, dispatcher, is_ragged, make
from tapeflow.ops.ragged.row_partition_ops import splits_kernel
from tapeflow.ops.strings.text import (
    NO_GRADIENT,
    STRING,
    WORDS,
    inferred_strings,
    reduce_join_op,
    string_operand,
    strings,
)
from tapeflow.ops.strings.unicode import by_rows

_INT64 = np.dtype("int64")


def _flattened(rows: list) -> tuple:
    """Lists of strings as (values, splits)."""
    flat = [one for row in rows for one in row]
    return (strings(flat, (len(flat),)),
            splits_kernel(np.array([len(row) for row in rows], _INT64)))


def _shape(x: Spec, **attrs: Any) -> tuple:
    n = None if x.shape is None else x.shape[0]
    return Spec((None,), STRING), Spec((None if n is None else n + 1,), _INT64)


def _split_kernel(x, separator, most):
    if most == 0:
        return _flattened([[one] for one in x.tolist()])
    rows = [one.split(separator or None, most) for one in x.tolist()]
    if most > 0 and not separator:
        # After so many words TensorFlow gives what is left of the string, even if that is nothing.
        rows = [[*row, b""] if len(row) == most else row for row in rows]
    return _flattened(rows)


_split = define("string_split", kernel=_split_kernel, shape=_shape, dtypes="O", vjp=NO_GRADIENT,
                batch=loop, multi=True, tf_name="StringSplitV2",
                check=[Case(WORDS, separator=b"", most=-1), Case(WORDS, separator=b"o", most=1)])
_bytes_split = define("bytes_split", kernel=lambda x: _flattened(
    [[bytes([byte]) for byte in one] for one in x.tolist()]), shape=_shape, dtypes="O",
    vjp=NO_GRADIENT, batch=loop, multi=True, tf_name="StringSplitV2", check=[Case(WORDS)])


def _operand(input: Any) -> Any:
    return input if isinstance(input, RaggedTensor) else string_operand(input)


def _separator(sep: Any) -> bytes:
    if isinstance(sep, bytes) or sep is None:
        return sep or b""
    found = string_operand(sep)
    if shape_of(found):
        raise errors.invalid("StringSplitV2", f"sep must be a scalar, got shape: {found.shape}")
    return bytes(found._value[()])


@export("strings.split")
@attributes(maxsplit=small)
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The parts of each string between separators, or between white space.

    >>> tf.strings.split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    separator, most = _separator(sep), int(maxsplit)
    return by_rows(lambda x: _split(x, separator=separator, most=most), _operand(input), 1)[0]


@export("strings.bytes_split")
def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each string."""
    given = input if isinstance(input, RaggedTensor) else inferred_strings(input)
    return by_rows(_bytes_split, given, 1)[0]


# -- n-grams ---------------------------------------------------------------------------------------
def _grams(row: list, width: int, pad: int, left: bytes, right: bytes, separator: bytes) -> list:
    padded = [left] * pad + row + [right] * pad
    return [separator.join(padded[i:i + width]) for i in range(len(padded) - width + 1)]


def _ngrams_kernel(x, splits, widths, separator, left, right, pad, short):
    """`pad` is how many fillers stand at each end at most; -1: as many as the width allows."""
    bounds, values = splits.tolist(), x.tolist()
    rows = []
    for a, b in zip(bounds, bounds[1:]):
        row, found = values[a:b], []
        for width in widths:
            most = width - 1 if pad < 0 else min(pad, width - 1)
            found += _grams(row, width, most, left, right, separator)
        if short and not found and row:
            most = max(pad, 0)
            found = [separator.join([left] * most + row + [right] * most)]
        rows.append(found)
    return _flattened(rows)


_ngrams = define("string_ngrams", kernel=_ngrams_kernel, dtypes="Oiu", args=("data", "splits"),
                 shape=lambda x, splits, **attrs: (Spec((None,), STRING), Spec(splits.shape,
                                                                               _INT64)),
                 vjp=NO_GRADIENT, batch=loop, multi=True, tf_name="StringNGrams",
                 check=[Case(WORDS, np.array([0, 1, 3], np.int64), widths=(1, 2), separator=b" ",
                             left=b"<", right=b">", pad=-1, short=False)])


@export("strings.ngrams")
@attributes(separator=text, preserve_short_sequences=strict)
def ngrams(data: Any, ngram_width: Any, separator: str = " ", pad_values: Any = None,
           padding_width: int | None = None, preserve_short_sequences: bool = False,
           name: str | None = None) -> Any:
    """Runs of strings along the last axis, joined.

    >>> tf.strings.ngrams(["a", "b", "c"], 2).numpy()
    array([b'a b', b'b c'], dtype=object)
    """
    widths = tuple(ngram_width) if isinstance(ngram_width, (list, tuple)) else (ngram_width,)
    if any(small("ngram_widths", width) < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Received: ngram_width="
                         f"{ngram_width}")
    if padding_width is not None and padding_width < 0:
        raise ValueError("padding_width must be greater than 0.")
    if padding_width is not None and pad_values is None:
        raise ValueError("pad_values must be provided if padding_width is set.")
    left, right, pad = b"", b"", 0
    if pad_values is not None:
        ends = (pad_values, pad_values) if isinstance(pad_values, (str, bytes)) else pad_values
        if len(ends) != 2 or not all(isinstance(one, (str, bytes)) for one in ends):
            raise TypeError("pad_values must be a string, tuple of strings, or None.")
        left, right = map(text_bytes, ends)
        pad = -1 if padding_width is None else int(padding_width)
    attrs = {"widths": tuple(int(width) for width in widths), "separator": text_bytes(separator),
             "left": left, "right": right, "pad": pad, "short": bool(preserve_short_sequences)}
    x = _operand(data)
    if is_ragged(x):
        return _ngrams_of(x, attrs)
    rank = len(shape_of(x))
    if not rank:
        raise errors.invalid("StringNGrams", "data must have at least one axis")
    if rank == 1:
        from tapeflow.core.record.primitive_ops import expand
        rows = from_tensor(expand(x, axis=0), None, None, 1, dtypes.int64)
        return _ngrams_of(rows, attrs).values
    return _ngrams_of(from_tensor(x, None, None, rank - 1, dtypes.int64), attrs).to_tensor("")


def _ngrams_of(rt: RaggedTensor, attrs: dict) -> RaggedTensor:
    if isinstance(rt.values, RaggedTensor):
        return rt.with_values(_ngrams_of(rt.values, attrs))
    values, splits = _ngrams(rt.values, rt.row_splits, **attrs)
    from tapeflow.ops.ragged.partition import as_kind
    return make(values, partition(as_kind(splits, rt.row_splits.dtype)))


# -- joining ragged strings ------------------------------------------------------------------------
def _rows_kernel(x, splits, separator):
    bounds, values = splits.tolist(), x.tolist()
    return strings([separator.join(values[a:b]) for a, b in zip(bounds, bounds[1:])],
                   (len(bounds) - 1,))


_join_rows = define("ragged_reduce_join", kernel=_rows_kernel, dtypes="Oiu",
                    args=("data", "splits"), vjp=NO_GRADIENT, batch=loop,
                    shape=lambda x, splits, separator: Spec(
                        None if splits.shape is None else (
                            None if splits.shape[0] is None else splits.shape[0] - 1,), STRING),
                    check=[Case(WORDS, np.array([0, 1, 3], np.int64), separator=b",")])


@dispatcher.on(reduce_join_op)
def _reduce_join(op: Any, rt: Any, axis: tuple, keepdims: bool, separator: bytes) -> Any:
    """One axis after another, from the last."""
    from tapeflow.ops.ragged.moving import expand_dims
    for one in sorted(axis, reverse=True):
        if not is_ragged(rt):
            rt = reduce_join_op(rt, axis=(one,), keepdims=keepdims, separator=separator)
            continue
        rt = _joined(rt, one, separator)
        if keepdims:
            rt = expand_dims(rt, one)
    return rt


def _joined(rt: Any, axis: int, separator: bytes) -> Any:
    if not is_ragged(rt):
        return reduce_join_op(rt, axis=(axis,), keepdims=False, separator=separator)
    if axis == 0:
        raise ValueError("tf.strings.reduce_join of a RaggedTensor: axis 0 is not defined")
    if axis > 1:
        return rt.with_values(_joined(rt.values, axis - 1, separator))
    if is_ragged(rt.values) or len(shape_of(rt.values)) > 1:
        raise ValueError("tf.strings.reduce_join of a RaggedTensor: only the last axes can be "
                         "joined")
    return _join_rows(rt.values, rt.row_splits, separator=separator)
