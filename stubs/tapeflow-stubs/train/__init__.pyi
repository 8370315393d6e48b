# Written by tools/stubs.py (make stubs).
"""tf.train"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import tapeflow as tf
from tapeflow._typing import CheckpointReader, FieldDescriptor, FloatLike, IntLike
from tapeflow.train import experimental as experimental

class BytesList:
    """The message tensorflow.BytesList."""
    value: Any
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

class Checkpoint:
    """A group of objects that are saved and restored together, in TensorFlow's format."""
    def __init__(self, root: Any = None, **kwargs: Any) -> None: ...
    @property
    def save_counter(self) -> tf.Variable:
        """How often `save` was called; part of the checkpoint."""
    def write(self, file_prefix: Any, options: Any = None) -> Any:
        """Write the objects' values to exactly this prefix; returns it."""
    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Write to `file_prefix-N`, N counting up, and note it as the folder's latest."""
    def read(self, save_path: Any, options: Any = None) -> Any:
        """Take the values of a checkpoint that `write` made."""
    def restore(self, save_path: Any, options: Any = None) -> Any:
        """Take the values of a checkpoint that `save` made, now or as objects are made."""
    def sync(self) -> None:
        """Wait for files that are being written; `save` and `write` return when they are."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class CheckpointManager:
    """Saves a Checkpoint into a folder and keeps the last few."""
    def __init__(
        self, checkpoint: tf.train.Checkpoint, directory: Any, max_to_keep: IntLike | None,
        keep_checkpoint_every_n_hours: FloatLike | None = None, checkpoint_name: str = 'ckpt',
        step_counter: Any = None, checkpoint_interval: IntLike | None = None,
        init_fn: Callable | None = None, last_checkpoint_step: Any = None,
    ) -> None: ...
    @property
    def directory(self) -> str: ...
    @property
    def checkpoint_interval(self) -> int | None: ...
    @property
    def latest_checkpoint(self) -> str | None:
        """The prefix of the latest checkpoint in the folder, or None."""
    @property
    def checkpoints(self) -> list[str]:
        """The prefixes of the checkpoints that are kept, oldest first."""
    @property
    def checkpoint(self) -> tf.train.Checkpoint: ...
    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None,
    ) -> str | None:
        """Write a checkpoint and delete old ones; None if it is not due yet."""
    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint, or call `init_fn`; the prefix that was restored."""
    def sync(self) -> None:
        """Wait for files that are being written; `save` returns when they are."""

class CheckpointOptions:
    """How a checkpoint is written; on local files there is little to choose."""
    def __init__(
        self, experimental_io_device: Any = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Any = None, enable_async: bool = False,
        experimental_skip_slot_variables: bool = False, experimental_sharding_callback: Any = None,
    ) -> None: ...
    enable_async: Any
    experimental_enable_async_checkpoint: Any
    experimental_io_device: Any
    experimental_sharding_callback: Any
    experimental_skip_slot_variables: Any
    experimental_write_callbacks: Any

def checkpoints_iterator(
    checkpoint_dir: Any, min_interval_secs: FloatLike = 0, timeout: FloatLike | None = None,
    timeout_fn: Callable | None = None,
) -> Iterator[str]:
    """New checkpoints of a folder as they appear; ends `timeout` seconds after the last one."""

class CheckpointView:
    """The objects in a checkpoint, by node id."""
    def __init__(self, save_path: Any) -> None: ...
    def children(self, node_id: IntLike) -> dict[str, int]:
        """The node ids of what an object holds, by name."""
    def descendants(self) -> list[int]:
        """The node ids of all objects, breadth first."""
    def match(self, obj: Any) -> dict[int, Any]:
        """Objects of the program by the node ids of those in the checkpoint that they match."""
    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """What matches, the node ids that match nothing, and the objects that match nothing."""

class ClusterDef:
    """The message tensorflow.ClusterDef."""
    job: Any
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

class ClusterSpec:
    """Jobs by name, each with the addresses of its tasks."""
    def __init__(self, cluster: Any) -> None: ...
    def as_dict(self) -> dict[str, Any]:
        """Jobs by name; tasks numbered from 0 as lists, others as dictionaries."""
    def as_cluster_def(self) -> Any:
        """The cluster as a ClusterDef message."""
    @property
    def jobs(self) -> list[str]: ...
    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has."""
    def task_indices(self, job_name: str) -> list[int]:
        """The indices of a job's tasks."""
    def task_address(self, job_name: str, task_index: IntLike) -> str:
        """The address of one task."""
    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job's tasks; None for indices that have none."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Coordinator:
    """Asks threads to stop, waits for them, and passes on what one of them raised."""
    def __init__(self, clean_stop_exception_types: Any = None) -> None: ...
    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop; an exception is raised again by `join`."""
    def clear_stop(self) -> None:
        """Forget that a stop was asked for."""
    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
    def wait_for_stop(self, timeout: FloatLike | None = None) -> bool:
        """Wait until a stop is asked for; whether it was."""
    def stop_on_exception(self) -> AbstractContextManager[None]:
        """`with coordinator.stop_on_exception():` an exception asks all threads to stop."""
    def register_thread(self, thread: Any) -> None:
        """Let `join` wait for a thread."""
    def join(
        self, threads: Any = None, stop_grace_period_secs: FloatLike = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait for threads to end, and raise what one of them raised."""
    def raise_requested_exception(self) -> None:
        """Raise what was passed to `request_stop`, if anything."""
    joined: Any

class Example:
    """The message tensorflow.Example."""
    features: Any
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

class ExponentialMovingAverage:
    """Averages of variables in which older values count less and less."""
    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = ...,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    def apply(self, var_list: Any = None) -> None:
        """Move the averages of variables towards what they hold now."""
    def average(self, var: Any) -> Any:
        """The variable that holds the average of another, None if it has none."""
    def average_name(self, var: Any) -> str:
        """The name of the variable that holds the average of another."""
    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Names under which averages were saved, with the variables to restore them into."""

class Feature:
    """The message tensorflow.Feature."""
    bytes_list: Any
    float_list: Any
    int64_list: Any
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

class FeatureList:
    """The message tensorflow.FeatureList."""
    feature: Any
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

class FeatureLists:
    """The message tensorflow.FeatureLists."""
    feature_list: Any
    DESCRIPTOR: Any
    class FeatureListEntry:
        """The message tensorflow.FeatureLists.FeatureListEntry."""
        key: Any
        value: Any
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

class Features:
    """The message tensorflow.Features."""
    feature: Any
    DESCRIPTOR: Any
    class FeatureEntry:
        """The message tensorflow.Features.FeatureEntry."""
        key: Any
        value: Any
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

class FloatList:
    """The message tensorflow.FloatList."""
    value: Any
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

def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None,
) -> Any:
    """What the file `checkpoint` of a folder says; None if there is none or it is …"""

class Int64List:
    """The message tensorflow.Int64List."""
    value: Any
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

class JobDef:
    """The message tensorflow.JobDef."""
    name: Any
    tasks: Any
    DESCRIPTOR: Any
    class TasksEntry:
        """The message tensorflow.JobDef.TasksEntry."""
        key: Any
        value: Any
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

def latest_checkpoint(
    checkpoint_dir: Any, latest_filename: str | None = None,
) -> str | None:
    """The prefix of the checkpoint that was written last into a folder, or None."""

def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """(key, shape) of each tensor of a checkpoint."""

def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint's tensors, given its prefix or the folder it is in."""

def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """One tensor of a checkpoint."""

class SequenceExample:
    """The message tensorflow.SequenceExample."""
    context: Any
    feature_lists: Any
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

class ServerDef:
    """The message tensorflow.ServerDef."""
    cluster: Any
    job_name: Any
    replica: Any
    task_index: Any
    protocol: Any
    port: Any
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

class TrackableView:
    """The objects that can be reached from one, as checkpoints walk over them."""
    def __init__(self, root: Any) -> None: ...
    @property
    def root(self) -> Any: ...
    @classmethod
    def children(
        cls, obj: Any, save_type: str = 'checkpoint', **kwargs: Any,
    ) -> dict[str, Any]:
        """What an object holds, by name."""
    def descendants(self) -> list[Any]:
        """All objects that can be reached, breadth first, the root first."""
