"""Strings, their numbers and encodings; texts of tensors; bytes."""

from __future__ import annotations

import re
from typing import Any

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import cast, element, given, known
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
decode_base64 DecodeBase64
serialize_tensor SerializeTensor
string_strip StringStrip
unicode_script UnicodeScript
""")


# -- each string -----------------------------------------------------------------------------------
for _record, _op in (("string_lower", "StringLower"), ("string_upper", "StringUpper")):
    written(_record)(lambda w, node, x, op=_op: w.emit(
        op, [x], {"encoding": "utf-8" if node.attrs["text"] else ""}))


def _unit(node: Any) -> str:
    return "UTF8_CHAR" if node.attrs["characters"] else "BYTE"


@written("string_length")
def string_length(w: Any, node: Any, x: Any) -> Any:
    return w.StringLength(x, unit=_unit(node))


@written("substr")
def substr(w: Any, node: Any, x: Any, position: Any, length: Any) -> Any:
    kind = position.dtype if position.dtype == length.dtype and position.dtype.name in (
        "int32", "int64") else dtypes.int64
    return w.Substr(x, cast(w, position, kind), cast(w, length, kind), unit=_unit(node))


@written("regex_full_match")
def regex_full_match(w: Any, node: Any, x: Any) -> Any:
    pattern = node.attrs["pattern"]
    if known(pattern):
        return w.StaticRegexFullMatch(x, pattern=pattern)
    return w.RegexFullMatch(x, w.ref(pattern))


@written("regex_replace")
def regex_replace(w: Any, node: Any, x: Any) -> Any:
    pattern, rewrite = node.attrs["pattern"], node.attrs["rewrite"]
    everywhere = bool(node.attrs["everywhere"])
    if known(pattern) and known(rewrite):
        return w.StaticRegexReplace(x, pattern=pattern, rewrite=rewrite,
                                    replace_global=everywhere)
    return w.RegexReplace(x, given(w, pattern, dtypes.string), given(w, rewrite, dtypes.string),
                          replace_global=everywhere)


@written("string_to_hash_bucket")
def string_to_hash_bucket(w: Any, node: Any, x: Any) -> Any:
    return w.StringToHashBucket(x, num_buckets=node.attrs["buckets"])


@written("string_to_hash_bucket_fast")
def string_to_hash_bucket_fast(w: Any, node: Any, x: Any) -> Any:
    return w.StringToHashBucketFast(x, num_buckets=node.attrs["buckets"])


@written("string_to_hash_bucket_strong")
def string_to_hash_bucket_strong(w: Any, node: Any, x: Any) -> Any:
    return w.StringToHashBucketStrong(x, num_buckets=node.attrs["buckets"],
                                      key=list(node.attrs["key"]))


@written("string_to_number")
def string_to_number(w: Any, node: Any, x: Any) -> Any:
    return w.StringToNumber(x, out_type=dtypes.of(node.attrs["dtype"]))


@written("fingerprint")
def fingerprint(w: Any, node: Any, x: Any) -> Any:
    return w.Fingerprint(x, w.const(b"farmhash64", dtypes.string))


# -- joining and splitting -------------------------------------------------------------------------
@written("string_join")
def string_join(w: Any, node: Any, *xs: Any) -> Any:
    return w.StringJoin(xs, separator=node.attrs["separator"])


@written("reduce_join")
def reduce_join(w: Any, node: Any, x: Any) -> Any:
    return w.ReduceJoin(x, given(w, node.attrs["axis"]), keep_dims=bool(node.attrs["keepdims"]),
                        separator=node.attrs["separator"])


@written("unsorted_segment_join")
def unsorted_segment_join(w: Any, node: Any, x: Any, ids: Any) -> Any:
    ids = ids if ids.dtype.name in ("int32", "int64") else w.Cast(ids, DstT=dtypes.int64)
    return w.UnsortedSegmentJoin(x, ids, given(w, node.attrs["rows"]),
                                 separator=node.attrs["separator"])


def splits_of_rows(w: Any, ids: Any, rows: Any) -> Any:
    """Where rows begin and end, given the row of each value."""
    counts = w.UnsortedSegmentSum(w.OnesLike(ids), ids, rows)
    ends = w.Cumsum(counts, w.const(0, dtypes.int32))
    return w.ConcatV2([w.const([0], ids.dtype), ends], w.const(0, dtypes.int32))


def _rows(w: Any, indices: Any, values: Any, shape: Any) -> tuple:
    """The entries of a sparse matrix as (values, splits)."""
    ids = w.StridedSlice(indices, w.const([0, 0], dtypes.int32), w.const([0, 1], dtypes.int32),
                         w.const([1, 1], dtypes.int32), begin_mask=1, end_mask=1,
                         shrink_axis_mask=2)
    return values, splits_of_rows(w, ids, element(w, shape, 0))


@written("string_split")
def string_split(w: Any, node: Any, x: Any) -> Any:
    return _rows(w, *w.StringSplitV2(x, given(w, node.attrs["separator"], dtypes.string),
                                     maxsplit=node.attrs["most"]))


@written("bytes_split")
def bytes_split(w: Any, node: Any, x: Any) -> Any:
    return _rows(w, *w.StringSplit(x, w.const(b"", dtypes.string), skip_empty=False))


@written("string_ngrams")
def string_ngrams(w: Any, node: Any, data: Any, splits: Any) -> Any:
    attrs = node.attrs
    return w.StringNGrams(
        data, splits, separator=attrs["separator"], ngram_widths=list(attrs["widths"]),
        left_pad=attrs["left"], right_pad=attrs["right"], pad_width=attrs["pad"],
        preserve_short_sequences=bool(attrs["short"]))


# -- characters ------------------------------------------------------------------------------------
def _reading(node: Any) -> dict[str, Any]:
    reading = node.attrs["reading"]
    return {"input_encoding": reading.codec.upper(), "errors": reading.policy,
            "replacement_char": reading.replacement,
            "replace_control_characters": bool(reading.controls)}


@written("unicode_decode")
def unicode_decode(w: Any, node: Any, x: Any) -> Any:
    splits, codes, starts = w.UnicodeDecodeWithOffsets(x, **_reading(node))
    return codes, starts, splits


@written("unicode_split")
def unicode_split(w: Any, node: Any, x: Any) -> Any:
    splits, codes, starts = w.UnicodeDecodeWithOffsets(x, **_reading(node))
    one = w.const(1, dtypes.int64)
    places = w.Range(w.const(0, dtypes.int64),
                     w.AddV2(w.Size(codes, out_type=dtypes.int64), one), one)
    return w.UnicodeEncode(codes, places, output_encoding="UTF-8"), starts, splits


@written("unicode_encode")
def unicode_encode(w: Any, node: Any, codes: Any, splits: Any) -> Any:
    return w.UnicodeEncode(codes, splits, errors=node.attrs["policy"],
                           output_encoding=node.attrs["codec"].upper(),
                           replacement_char=node.attrs["replacement"])


@written("unicode_transcode")
def unicode_transcode(w: Any, node: Any, x: Any) -> Any:
    return w.UnicodeTranscode(x, output_encoding=node.attrs["codec"].upper(), **_reading(node))


# -- texts of tensors ------------------------------------------------------------------------------
_NUMBER = re.compile(r"%([ 0+\-]?)(\d*)(?:\.(\d+))?([sdifeguh])")


@written("as_string")
def as_string(w: Any, node: Any, x: Any) -> Any:
    form, number = (_NUMBER.fullmatch(node.attrs[key]) for key in ("form", "number"))
    if form is None or number is None:
        raise NotImplementedError(f"TensorFlow has no form like {node.attrs['number']!r}")
    fill, width, precision, letter = (form if x.dtype is dtypes.string else number).groups()
    return w.AsString(x, precision=int(precision or -1), scientific=letter == "e",
                      shortest=letter == "g", width=int(width or -1), fill=fill)


# -- bytes -----------------------------------------------------------------------------------------
@written("encode_base64")
def encode_base64(w: Any, node: Any, x: Any) -> Any:
    return w.EncodeBase64(x, pad=bool(node.attrs["pad"]))


@written("decode_raw")
def decode_raw(w: Any, node: Any, x: Any) -> Any:
    if node.attrs["length"] is not None:
        return w.DecodePaddedRaw(x, given(w, node.attrs["length"]),
                                 out_type=dtypes.of(node.attrs["out"]),
                                 little_endian=bool(node.attrs["little"]))
    return w.DecodeRaw(x, out_type=dtypes.of(node.attrs["out"]),
                       little_endian=bool(node.attrs["little"]))


@written("parse_tensor")
def parse_tensor(w: Any, node: Any, x: Any) -> Any:
    return w.ParseTensor(x, out_type=dtypes.of(node.attrs["dtype"]))


@written("read_file")
def read_file(w: Any, node: Any, name: Any) -> Any:
    return w.ReadFile(name)


@written("decode_compressed")
def decode_compressed(w: Any, node: Any, x: Any) -> Any:
    return w.DecodeCompressed(x, compression_type=node.attrs["compression"])
