"""Strings, their numbers and encodings."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
AsString strings.as_string precision scientific shortest width fill
DecodeBase64 io.decode_base64
DecodeCompressed io.decode_compressed compression_type
DecodeRaw io.decode_raw out_type little_endian
EncodeBase64 io.encode_base64 pad
ParseTensor io.parse_tensor out_type
ReadFile io.read_file
ReduceJoin strings.reduce_join keep_dims separator
RegexFullMatch strings.regex_full_match
SerializeTensor io.serialize_tensor
StaticRegexFullMatch strings.regex_full_match pattern
StaticRegexReplace strings.regex_replace pattern rewrite replace_global
StringJoin strings.join separator
StringLength strings.length unit
StringLower strings.lower encoding
StringStrip strings.strip
StringToHashBucket strings.to_hash_bucket num_buckets
StringToHashBucketFast strings.to_hash_bucket_fast num_buckets
StringToHashBucketStrong strings.to_hash_bucket_strong num_buckets key
StringToNumber strings.to_number out_type
StringUpper strings.upper encoding
Substr strings.substr unit
UnicodeScript strings.unicode_script
UnicodeTranscode strings.unicode_transcode input_encoding output_encoding errors replacement_char
  replace_control_characters
UnsortedSegmentJoin strings.unsorted_segment_join separator
""")


@raw
def RegexReplace(input: Any, pattern: Any, rewrite: Any, replace_global: bool) -> Any:
    return tf.strings.regex_replace(input, tf.get_static_value(pattern),
                                    tf.get_static_value(rewrite), replace_global)


@raw
def StringFormat(inputs: Any, template: str, placeholder: str, summarize: int) -> Any:
    return tf.strings.format(template, inputs, placeholder, summarize)


@raw
def StringSplit(input: Any, delimiter: Any, skip_empty: bool) -> Any:
    """As StringSplitV2; without a delimiter into bytes."""
    mark = tf.get_static_value(delimiter)
    if not mark:
        words = tf.strings.bytes_split(input)
    else:
        words = tf.strings.split(input, mark)
        if skip_empty:
            words = tf.ragged.boolean_mask(words, tf.not_equal(words, ""))
    sparse = words.to_sparse()
    return sparse.indices, sparse.values, sparse.dense_shape


@raw
def StringSplitV2(input: Any, sep: Any, maxsplit: int) -> Any:
    """Words of each string: their places, themselves, and the shape of the table."""
    words = tf.strings.split(input, tf.get_static_value(sep) or None, maxsplit)
    sparse = words.to_sparse()
    return sparse.indices, sparse.values, sparse.dense_shape


@raw
def StringNGrams(data: Any, data_splits: Any, separator: str, ngram_widths: list, left_pad: str,
                 right_pad: str, pad_width: int, preserve_short_sequences: bool) -> Any:
    rows = tf.RaggedTensor.from_row_splits(data, data_splits)
    padding = (left_pad, right_pad) if left_pad or right_pad or pad_width else None
    found = tf.strings.ngrams(rows, tuple(ngram_widths), separator, padding,
                              pad_width if pad_width > 0 else None, preserve_short_sequences)
    return found.values, tf.cast(found.row_splits, data_splits.dtype)


@raw
def UnicodeDecode(input: Any, input_encoding: str, errors: str, replacement_char: int,
                  replace_control_characters: bool, Tsplits: Any) -> Any:
    found = tf.strings.unicode_decode(tf.reshape(input, [-1]), input_encoding, errors,
                                      replacement_char, replace_control_characters)
    return tf.cast(found.row_splits, Tsplits), found.flat_values


@raw
def UnicodeDecodeWithOffsets(input: Any, input_encoding: str, errors: str, replacement_char: int,
                             replace_control_characters: bool, Tsplits: Any) -> Any:
    found, starts = tf.strings.unicode_decode_with_offsets(
        tf.reshape(input, [-1]), input_encoding, errors, replacement_char,
        replace_control_characters)
    return (tf.cast(found.row_splits, Tsplits), found.flat_values,
            tf.cast(starts.flat_values, tf.int64))


@raw
def UnicodeEncode(input_values: Any, input_splits: Any, output_encoding: str, errors: str,
                  replacement_char: int) -> Any:
    rows = tf.RaggedTensor.from_row_splits(input_values, input_splits)
    return tf.strings.unicode_encode(rows, output_encoding, errors, replacement_char)


@raw
def Fingerprint(data: Any, method: Any) -> Any:
    return tf.fingerprint(data, tf.get_static_value(method).decode())


@raw
def DecodePaddedRaw(input_bytes: Any, fixed_length: Any, out_type: Any,
                    little_endian: bool) -> Any:
    return tf.io.decode_raw(input_bytes, out_type, little_endian,
                            int(tf.get_static_value(fixed_length)))
