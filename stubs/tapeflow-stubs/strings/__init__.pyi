# Written by tools/stubs.py (make stubs).
"""tf.strings"""

from typing import Any, overload

import tapeflow as tf
from tapeflow._typing import CompositeT, DenseLike, DTypeLike, IntLike, TensorLike

@overload
def as_string(
    input: DenseLike, precision: IntLike = -1, scientific: bool = False, shortest: bool = False,
    width: IntLike = -1, fill: str = '', name: str | None = None,
) -> tf.Tensor:
    """Each element as text, by the rules of C's printf."""
@overload
def as_string(
    input: CompositeT, precision: IntLike = -1, scientific: bool = False,
    shortest: bool = False, width: IntLike = -1, fill: str = '', name: str | None = None,
) -> CompositeT: ...

def bytes_split(input: TensorLike, name: str | None = None) -> tf.RaggedTensor:
    """The bytes of each string."""

def format(
    template: str, inputs: TensorLike, placeholder: str = '{}', summarize: IntLike = 3,
    name: str | None = None,
) -> tf.Tensor:
    """`template` with each `placeholder` replaced by the text of a tensor."""

def join(inputs: TensorLike, separator: str = '', name: str | None = None) -> tf.Tensor:
    """Tensors of strings joined element by element; scalars go with every element."""

def length(input: TensorLike, unit: str = 'BYTE', name: str | None = None) -> tf.Tensor:
    """How many bytes or characters (unit='UTF8_CHAR') each string has."""

def lower(input: TensorLike, encoding: str = '', name: str | None = None) -> tf.Tensor:
    """Upper-case letters made lower case: of ASCII, or of all Unicode with encoding='utf-8'."""

def ngrams(
    data: TensorLike, ngram_width: Any, separator: str = ' ', pad_values: Any = None,
    padding_width: IntLike | None = None, preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """Runs of strings along the last axis, joined."""

def reduce_join(
    inputs: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    separator: str = '', name: str | None = None,
) -> tf.Tensor:
    """Strings joined along axes, all by default, in the order of `axis`."""

@overload
def regex_full_match(input: DenseLike, pattern: Any, name: str | None = None) -> tf.Tensor:
    """Whether each string as a whole matches an RE2 pattern."""
@overload
def regex_full_match(
    input: CompositeT, pattern: Any, name: str | None = None,
) -> CompositeT: ...

@overload
def regex_replace(
    input: DenseLike, pattern: Any, rewrite: Any, replace_global: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """What matches an RE2 pattern replaced; `\\1` in the rewrite is the first group."""
@overload
def regex_replace(
    input: CompositeT, pattern: Any, rewrite: Any, replace_global: bool = True,
    name: str | None = None,
) -> CompositeT: ...

def split(
    input: TensorLike, sep: Any = None, maxsplit: IntLike = -1, name: str | None = None,
) -> tf.RaggedTensor:
    """The parts of each string between separators, or between white space."""

def strip(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """Without white space at both ends."""

@overload
def substr(
    input: DenseLike, pos: Any, len: Any, unit: str = 'BYTE', name: str | None = None,
) -> tf.Tensor:
    """`len` bytes or characters of each string from `pos`, which may count from its end."""
@overload
def substr(
    input: CompositeT, pos: Any, len: Any, unit: str = 'BYTE', name: str | None = None,
) -> CompositeT: ...

def to_hash_bucket(
    input: TensorLike, num_buckets: Any, name: str | None = None,
) -> tf.Tensor:
    """An integer below `num_buckets` for each string; TensorFlow's older hash."""

def to_hash_bucket_fast(
    input: TensorLike, num_buckets: Any, name: str | None = None,
) -> tf.Tensor:
    """An integer below `num_buckets` for each string, by its FarmHash fingerprint."""

def to_hash_bucket_strong(
    input: TensorLike, num_buckets: Any, key: Any, name: str | None = None,
) -> tf.Tensor:
    """An integer below `num_buckets` for each string, by SipHash with a key of two integers."""

def to_number(
    input: TensorLike, out_type: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """The number that each string spells."""

def unicode_decode(
    input: TensorLike, input_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The code points of the characters of each string."""

def unicode_decode_with_offsets(
    input: TensorLike, input_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple:
    """The code points of the characters of each string, and the bytes at which they begin."""

def unicode_encode(
    input: TensorLike, output_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, name: str | None = None,
) -> Any:
    """Strings of characters given by their code points along the last axis."""

@overload
def unicode_script(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """The script of each character, as ICU numbers them: 25 is Latin, 8 Cyrillic."""
@overload
def unicode_script(input: CompositeT, name: str | None = None) -> CompositeT: ...

def unicode_split(
    input: TensorLike, input_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, name: str | None = None,
) -> Any:
    """The characters of each string, as strings of UTF-8."""

def unicode_split_with_offsets(
    input: TensorLike, input_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, name: str | None = None,
) -> tuple:
    """The characters of each string, and the bytes at which they begin."""

@overload
def unicode_transcode(
    input: DenseLike, input_encoding: str, output_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Strings in another encoding."""
@overload
def unicode_transcode(
    input: CompositeT, input_encoding: str, output_encoding: str, errors: str = 'replace',
    replacement_char: IntLike = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> CompositeT: ...

def unsorted_segment_join(
    inputs: TensorLike, segment_ids: TensorLike, num_segments: Any, separator: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """The strings with one segment id joined, for each id below `num_segments`."""

def upper(input: TensorLike, encoding: str = '', name: str | None = None) -> tf.Tensor:
    """Lower-case letters made upper case: of ASCII, or of all Unicode with encoding='utf-8'."""
