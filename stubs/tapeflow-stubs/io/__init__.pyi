# Written by tools/stubs.py (make stubs).
"""tf.io"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, TensorLike
from tapeflow.image import (
    decode_and_crop_jpeg as decode_and_crop_jpeg,
    decode_bmp as decode_bmp,
    decode_gif as decode_gif,
    decode_image as decode_image,
    decode_jpeg as decode_jpeg,
    decode_png as decode_png,
    decode_webp as decode_webp,
    encode_jpeg as encode_jpeg,
    encode_png as encode_png,
    extract_jpeg_shape as extract_jpeg_shape,
    is_jpeg as is_jpeg,
)
from tapeflow.io import gfile as gfile

def decode_base64(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """Strings out of web-safe base64, padded or not."""

def decode_compressed(
    bytes: Any, compression_type: str = '', name: str | None = None,
) -> tf.Tensor:
    """Strings decompressed: "ZLIB", "GZIP" or "" for none."""

def decode_csv(
    records: Any, record_defaults: Any, field_delim: str = ',', use_quote_delim: bool = True,
    na_value: str = '', select_cols: Any = None, name: str | None = None,
) -> list[tf.Tensor]:
    """Lines of text as one tensor for each column, of the dtypes of `record_defaults`."""

def decode_json_example(json_examples: Any, name: str | None = None) -> tf.Tensor:
    """Examples written in JSON as serialized Example messages."""

def decode_proto(
    bytes: Any, message_type: str, field_names: Sequence[str], output_types: Sequence[Any],
    descriptor_source: Any = 'local://', message_format: str = 'binary', sanitize: bool = False,
    name: str | None = None,
) -> Any:
    """Fields of serialized messages as tensors: how many values each has, and the values."""

def decode_raw(
    input_bytes: Any, out_type: DTypeLike, little_endian: bool = True,
    fixed_length: IntLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The numbers that strings of bytes are; all strings must be of one length."""

def deserialize_many_sparse(
    serialized_sparse: Any, dtype: DTypeLike, rank: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """One SparseTensor of several serialized ones, which get a first axis for their index."""

def encode_base64(
    input: TensorLike, pad: bool = False, name: str | None = None,
) -> tf.Tensor:
    """Strings in web-safe base64."""

def encode_proto(
    sizes: Any, values: Sequence[Any], field_names: Sequence[str], message_type: str,
    descriptor_source: Any = 'local://', name: str | None = None,
) -> tf.Tensor:
    """Serialized messages of tensors, one for each field: the reverse of decode_proto."""

class FixedLenFeature(NamedTuple):
    """A feature with as many values as `shape` says."""
    shape: Any
    dtype: Any
    default_value: Any = None

class FixedLenSequenceFeature(NamedTuple):
    """A feature with any number of items of `shape`, padded to the longest of a batch."""
    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None

def matching_files(pattern: Any, name: str | None = None) -> tf.Tensor:
    """Paths that match one or several patterns, sorted."""

def parse_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None,
) -> dict[str, Any]:
    """The features of serialized Examples, a vector or one, as tensors by name."""

def parse_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None,
    example_names: Any = None, name: str | None = None,
) -> tuple[dict, dict, dict]:
    """Context, feature lists and their lengths of serialized SequenceExamples."""

def parse_single_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None,
) -> dict[str, Any]:
    """The features of one serialized Example as tensors by name."""

def parse_single_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None,
    example_name: Any = None, name: str | None = None,
) -> tuple[dict, dict]:
    """Context and feature lists of one serialized SequenceExample."""

def parse_tensor(
    serialized: Any, out_type: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """The tensor that the bytes of a TensorProto stand for."""

class RaggedFeature(NamedTuple):
    """A feature with any number of values, read as a RaggedTensor."""
    dtype: Any
    value_key: str | None = None
    partitions: Any = ...
    row_splits_dtype: Any = tf.int32
    validate: bool = False
    class RowSplits(NamedTuple):
        key: Any
    class RowLengths(NamedTuple):
        key: Any
    class RowStarts(NamedTuple):
        key: Any
    class RowLimits(NamedTuple):
        key: Any
    class ValueRowIds(NamedTuple):
        key: Any
    class UniformRowLength(NamedTuple):
        length: Any

def read_file(filename: Any, name: str | None = None) -> tf.Tensor:
    """The contents of a file as a string tensor."""

def serialize_many_sparse(
    sp_input: TensorLike, out_type: DTypeLike = tf.string, name: str | None = None,
) -> tf.Tensor:
    """The rows of a SparseTensor, each as three strings."""

def serialize_sparse(
    sp_input: TensorLike, out_type: DTypeLike = tf.string, name: str | None = None,
) -> tf.Tensor:
    """A SparseTensor as three strings: indices, values and shape."""

def serialize_tensor(tensor: TensorLike, name: str | None = None) -> tf.Tensor:
    """A tensor as the bytes of a TensorProto."""

class SparseFeature(NamedTuple):
    """Indices in one feature, or several, and values in another, read as a SparseTensor."""
    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False

class TFRecordOptions:
    """How records are compressed: "", "GZIP" or "ZLIB", and zlib's own settings."""
    compression_type_map: Any
    def __init__(
        self, compression_type: Any = None, flush_mode: Any = None,
        input_buffer_size: IntLike | None = None, output_buffer_size: IntLike | None = None,
        window_bits: IntLike | None = None, compression_level: IntLike | None = None,
        compression_method: IntLike | None = None, mem_level: IntLike | None = None,
        compression_strategy: IntLike | None = None,
    ) -> None: ...
    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The compression type of options, of a number or of a string, as a string."""
    compression_type: Any
    flush_mode: Any
    input_buffer_size: Any
    output_buffer_size: Any
    window_bits: Any
    compression_level: Any
    compression_method: Any
    mem_level: Any
    compression_strategy: Any

class TFRecordWriter:
    """Writes a TFRecord file; also a context manager."""
    def __enter__(self) -> tf.io.TFRecordWriter: ...
    def __exit__(self, *failure: Any) -> None: ...
    def __init__(self, path: Any, options: Any = None) -> None: ...
    def write(self, record: Any) -> None:
        """Append one record, bytes or a str."""
    def flush(self) -> None:
        """Hand what was written to the operating system."""
    def close(self) -> None:
        """Finish the file; a second call does nothing."""

class VarLenFeature(NamedTuple):
    """A feature with any number of values, read as a SparseTensor."""
    dtype: Any

def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a string tensor to a file; folders are made."""

def write_graph(
    graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True,
) -> str:
    """Write a GraphDef to a file of a folder, as text or as bytes; returns the path."""
