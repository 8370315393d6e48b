# Written by tools/stubs.py (make stubs).
"""tf.compat.v1"""

from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow._typing import DTypeLike, FieldDescriptor, ShapeLike, TensorLike
from tapeflow.compat.v1 import (
    audio as audio,
    data as data,
    gfile as gfile,
    image as image,
    io as io,
    python_io as python_io,
    signal as signal,
    spectral as spectral,
    summary as summary,
    train as train,
)
from tapeflow.io import (
    FixedLenFeature as FixedLenFeature,
    FixedLenSequenceFeature as FixedLenSequenceFeature,
    parse_single_example as parse_single_example,
    SparseFeature as SparseFeature,
    VarLenFeature as VarLenFeature,
)

class AttrValue:
    """The message tensorflow.AttrValue."""
    s: Any
    i: Any
    f: Any
    b: Any
    type: Any
    shape: Any
    tensor: Any
    list: Any
    func: Any
    placeholder: Any
    DESCRIPTOR: Any
    class ListValue:
        """The message tensorflow.AttrValue.ListValue."""
        s: Any
        i: Any
        f: Any
        b: Any
        type: Any
        shape: Any
        tensor: Any
        func: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

def clip_by_average_norm(
    t: TensorLike, clip_norm: Any, name: str | None = None,
) -> tf.Tensor:
    """t scaled down so that its L2 norm per element is at most `clip_norm`."""

class Dimension:
    """A size that may be unknown. TensorFlow 2 has ints and None in its place."""
    def __init__(self, value: TensorLike) -> None: ...
    @property
    def value(self) -> int | None:
        """The size, or None."""
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __hash__(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...

class Event:
    """The message tensorflow.Event."""
    wall_time: Any
    step: Any
    file_version: Any
    graph_def: Any
    summary: Any
    session_log: Any
    tagged_run_metadata: Any
    meta_graph_def: Any
    source_metadata: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

def executing_eagerly_outside_functions() -> bool:
    """Whether ops run at once where no function is traced: always."""

def extract_image_patches(
    images: TensorLike, ksizes: Any = None, strides: Any = None, rates: Any = None,
    padding: Any = None, name: str | None = None, sizes: Any = None,
) -> tf.Tensor:
    """As `extract_patches`, with TensorFlow 1's names."""

class GraphDef:
    """The message tensorflow.GraphDef."""
    node: Any
    versions: Any
    version: Any
    library: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class HistogramProto:
    """The message tensorflow.HistogramProto."""
    min: Any
    max: Any
    num: Any
    sum: Any
    sum_squares: Any
    bucket_limit: Any
    bucket: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class NameAttrList:
    """The message tensorflow.NameAttrList."""
    name: Any
    attr: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class NodeDef:
    """The message tensorflow.NodeDef."""
    name: Any
    op: Any
    input: Any
    device: Any
    attr: Any
    experimental_debug_info: Any
    experimental_type: Any
    DESCRIPTOR: Any
    class ExperimentalDebugInfo:
        """The message tensorflow.NodeDef.ExperimentalDebugInfo."""
        original_node_names: Any
        original_func_names: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

def placeholder(
    dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None,
) -> tf.Tensor:
    """A tensor of a graph that has no value yet."""

def reset_default_graph() -> None:
    """Forget the global graph: there is none."""

class SessionLog:
    """The message tensorflow.SessionLog."""
    status: Any
    checkpoint_path: Any
    msg: Any
    DESCRIPTOR: Any
    STATUS_UNSPECIFIED: int
    START: int
    STOP: int
    CHECKPOINT: int
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

def sparse_placeholder(
    dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None,
) -> Any:
    """A SparseTensor of a graph that has no value yet."""

class SparseTensorValue(NamedTuple):
    indices: Any
    values: Any
    dense_shape: Any

class Summary:
    """The message tensorflow.Summary."""
    value: Any
    DESCRIPTOR: Any
    class Image:
        """The message tensorflow.Summary.Image."""
        height: Any
        width: Any
        colorspace: Any
        encoded_image_string: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    class Audio:
        """The message tensorflow.Summary.Audio."""
        sample_rate: Any
        num_channels: Any
        length_frames: Any
        encoded_audio_string: Any
        content_type: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    class Value:
        """The message tensorflow.Summary.Value."""
        node_name: Any
        tag: Any
        metadata: Any
        simple_value: Any
        obsolete_old_style_histogram: Any
        image: Any
        histo: Any
        audio: Any
        tensor: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class SummaryMetadata:
    """The message tensorflow.SummaryMetadata."""
    plugin_data: Any
    display_name: Any
    summary_description: Any
    data_class: Any
    DESCRIPTOR: Any
    class PluginData:
        """The message tensorflow.SummaryMetadata.PluginData."""
        plugin_name: Any
        content: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class TaggedRunMetadata:
    """The message tensorflow.TaggedRunMetadata."""
    tag: Any
    run_metadata: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class TensorProto:
    """The message tensorflow.TensorProto."""
    dtype: Any
    tensor_shape: Any
    version_number: Any
    tensor_content: Any
    half_val: Any
    float_val: Any
    double_val: Any
    int_val: Any
    string_val: Any
    scomplex_val: Any
    int64_val: Any
    bool_val: Any
    dcomplex_val: Any
    uint32_val: Any
    uint64_val: Any
    float8_val: Any
    DESCRIPTOR: Any
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class TensorShapeProto:
    """The message tensorflow.TensorShapeProto."""
    dim: Any
    unknown_rank: Any
    DESCRIPTOR: Any
    class Dim:
        """The message tensorflow.TensorShapeProto.Dim."""
        size: Any
        name: Any
        DESCRIPTOR: Any
        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def SetInParent(self) -> None: ...
        def HasField(self, field_name: str) -> bool:
            """Whether a field that can be absent is set."""
        def WhichOneof(self, oneof_group: str) -> str | None:
            """The name of the field of a oneof that is set, or None."""
        def ClearField(self, field_name: str) -> None:
            """Take a field's value away."""
        def Clear(self) -> None:
            """Take all values away."""
        def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
            """(descriptor, value) of the fields that are set, by number."""
        def IsInitialized(self) -> bool:
            """Whether all required fields are set; proto3 has none."""
        def CopyFrom(self, other_msg: Any) -> None:
            """Become equal to another message of this class."""
        def MergeFrom(self, other_msg: Any) -> None:
            """Take over what another message has set; repeated fields are joined."""
        def __eq__(self, other: object) -> bool: ...
        def SerializeToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def SerializePartialToString(self, deterministic: bool = False) -> bytes:
            """The message as bytes."""
        def ByteSize(self) -> int:
            """The length of the message as bytes."""
        def ParseFromString(self, serialized: Any) -> int:
            """Become what the bytes say; returns how many there were."""
        def MergeFromString(self, serialized: Any) -> int:
            """Take over what the bytes say."""
        @classmethod
        def FromString(cls, s: Any) -> Any:
            """A message of bytes."""
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""
