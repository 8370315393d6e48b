# Written by tools/stubs.py (make stubs).
"""tf.compat.v1"""

import numpy as np
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow import enable_v2_behavior as enable_v2_behavior
from tapeflow._typing import (
    App,
    DTypeLike,
    FieldDescriptor,
    Flags,
    FloatLike,
    IntLike,
    Node,
    ReuseMode,
    ShapeLike,
    Template,
    TensorLike,
    Trace,
    V1Initializer,
    Value,
    WrappedFunction,
)
from tapeflow.compat.v1 import (
    audio as audio,
    data as data,
    distribute as distribute,
    distributions as distributions,
    gfile as gfile,
    graph_util as graph_util,
    image as image,
    initializers as initializers,
    io as io,
    logging as logging,
    losses as losses,
    metrics as metrics,
    mixed_precision as mixed_precision,
    nn as nn,
    python_io as python_io,
    ragged as ragged,
    random as random,
    saved_model as saved_model,
    signal as signal,
    spectral as spectral,
    summary as summary,
    test as test,
    train as train,
)
from tapeflow.graph_util import import_graph_def as import_graph_def
from tapeflow.io import (
    FixedLenFeature as FixedLenFeature,
    FixedLenSequenceFeature as FixedLenSequenceFeature,
    parse_single_example as parse_single_example,
    SparseFeature as SparseFeature,
    VarLenFeature as VarLenFeature,
)

app: App
AUTO_REUSE: ReuseMode
flags: Flags

def add_to_collection(name: str | None, value: TensorLike) -> None:
    """Put a value into a collection of the default graph."""

def add_to_collections(names: Any, value: TensorLike) -> None:
    """Put a value into several collections."""

def all_variables(scope: str | None = None) -> list:
    """The variables of the default graph."""

def assign(
    ref: Any, value: TensorLike, validate_shape: Any = None, use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """`ref.assign(value)`."""

def assign_add(
    ref: Any, value: TensorLike, validate_shape: Any = None, use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """`ref.assign_add(value)`."""

def assign_sub(
    ref: Any, value: TensorLike, validate_shape: Any = None, use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """`ref.assign_sub(value)`."""

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

def batch_gather(
    params: TensorLike, indices: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The rows of each element of a batch, by that element's indices."""

def clip_by_average_norm(
    t: TensorLike, clip_norm: Any, name: str | None = None,
) -> tf.Tensor:
    """t scaled down so that its L2 norm per element is at most `clip_norm`."""

def colocate_with(
    op: Any, ignore_existing: bool = False,
) -> AbstractContextManager[None]:
    """Accepted: there is one device."""

def cond(
    pred: TensorLike, true_fn: Callable | None = None, false_fn: Callable | None = None,
    strict: bool = False, name: str | None = None, fn1: Callable | None = None,
    fn2: Callable | None = None,
) -> Any:
    """`tf.cond`; unless it is strict, a list of one result is the result."""

class ConfigProto:
    """The message tensorflow.ConfigProto."""
    device_count: Any
    intra_op_parallelism_threads: Any
    inter_op_parallelism_threads: Any
    use_per_session_threads: Any
    session_inter_op_thread_pool: Any
    placement_period: Any
    device_filters: Any
    gpu_options: Any
    pluggable_device_options: Any
    allow_soft_placement: Any
    log_device_placement: Any
    graph_options: Any
    operation_timeout_in_ms: Any
    cluster_def: Any
    isolate_session_state: Any
    share_cluster_devices_in_session: Any
    experimental: Any
    DESCRIPTOR: Any
    class Experimental:
        """The message tensorflow.ConfigProto.Experimental."""
        collective_group_leader: Any
        executor_type: Any
        recv_buf_max_chunk: Any
        use_numa_affinity: Any
        collective_deterministic_sequential_execution: Any
        collective_nccl: Any
        share_session_state_in_clusterspec_propagation: Any
        disable_thread_spinning: Any
        share_cluster_devices_in_session: Any
        optimize_for_static_graph: Any
        enable_mlir_bridge: Any
        mlir_bridge_rollout: Any
        enable_mlir_graph_optimization: Any
        disable_output_partition_graphs: Any
        xla_fusion_autotuner_thresh: Any
        use_tfrt: Any
        enable_multi_host: Any
        tfrt_use_ifrt: Any
        backend_server_port: Any
        target_tpu: Any
        target_gpu: Any
        stream_merge_threshold: Any
        disable_functional_ops_lowering: Any
        xla_prefer_single_graph_cluster: Any
        disable_optimize_for_static_graph: Any
        disable_eager_executor_streaming_enqueue: Any
        finalize_function_library_runtime: Any
        finalize_resource_manager: Any
        tf2xla_dump_dir: Any
        online_cost_analysis: Any
        DESCRIPTOR: Any
        MLIR_BRIDGE_ROLLOUT_UNSPECIFIED: int
        MLIR_BRIDGE_ROLLOUT_ENABLED: int
        MLIR_BRIDGE_ROLLOUT_DISABLED: int
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
    class DeviceCountEntry:
        """The message tensorflow.ConfigProto.DeviceCountEntry."""
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
    MLIR_BRIDGE_ROLLOUT_UNSPECIFIED: int
    MLIR_BRIDGE_ROLLOUT_ENABLED: int
    MLIR_BRIDGE_ROLLOUT_DISABLED: int
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

class constant_initializer:
    """A value, or values, in the shape that is asked for."""
    def __init__(
        self, value: TensorLike = 0, dtype: DTypeLike = tf.float32, verify_shape: bool = False,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
        verify_shape: bool | None = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    value: Any
    dtype: Any

def control_flow_v2_enabled() -> bool:
    """Whether branches and loops are TensorFlow 2's: always."""

def convert_to_tensor_or_indexed_slices(
    value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None,
) -> Any:
    """A tensor; slices stay slices."""

def convert_to_tensor_or_sparse_tensor(
    value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None,
) -> Any:
    """A tensor; a sparse one stays sparse."""

def device(device_name_or_function: Any) -> Any:
    """`tf.device`; a function of an op is accepted and chooses nothing: there is one device."""

class Dimension:
    """One dimension, as TensorFlow 1 showed it: `shape.dims[0].value`."""
    def __init__(self, value: TensorLike) -> None: ...
    @property
    def value(self) -> int | None: ...
    def is_compatible_with(self, other: Any) -> bool: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Any: ...  # type: ignore[override]
    def __lt__(self, other: TensorLike) -> Any: ...
    def __le__(self, other: TensorLike) -> Any: ...
    def __gt__(self, other: TensorLike) -> Any: ...
    def __ge__(self, other: TensorLike) -> Any: ...
    def __add__(self, other: TensorLike) -> Any: ...
    def __radd__(self, other: TensorLike) -> Any: ...
    def __sub__(self, other: TensorLike) -> Any: ...
    def __rsub__(self, other: TensorLike) -> Any: ...
    def __mul__(self, other: TensorLike) -> Any: ...
    def __rmul__(self, other: TensorLike) -> Any: ...
    def __floordiv__(self, other: TensorLike) -> Any: ...
    def __rfloordiv__(self, other: TensorLike) -> Any: ...
    def __mod__(self, other: TensorLike) -> Any: ...
    def __rmod__(self, other: TensorLike) -> Any: ...

def dimension_at_index(shape: ShapeLike, index: IntLike) -> Any:
    """One size of a shape, as a Dimension."""

def dimension_value(dimension: Any) -> int | None:
    """The size that a dimension is: sizes are ints and None, as they are in TensorFlow 2."""

def disable_control_flow_v2() -> None:
    """Refused: branches and loops of functions are TensorFlow 2's."""

def disable_eager_execution() -> None:
    """From now on ops go into a graph, for sessions to run."""

def disable_resource_variables() -> None:
    """Refused: all variables are resource variables."""

def disable_tensor_equality() -> None:
    """Refused: tensors are compared by value."""

def disable_v2_behavior() -> None:
    """Leave eager execution, as TensorFlow 1's programs expect."""

def disable_v2_tensorshape() -> None:
    """Refused: sizes of shapes are ints and None."""

def div(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The quotient as Python 2 had it: of integers rounded down."""

def enable_control_flow_v2() -> None:
    """Accepted: this is how tapeflow behaves."""

def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None,
) -> None:
    """Let ops run at once again."""

def enable_resource_variables() -> None:
    """Accepted: this is how tapeflow behaves."""

def enable_tensor_equality() -> None:
    """Accepted: this is how tapeflow behaves."""

def enable_v2_tensorshape() -> None:
    """Accepted: this is how tapeflow behaves."""

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
    """Whether ops run at once where no function is traced: not inside a tf.Graph."""

def extract_image_patches(
    images: TensorLike, ksizes: Any = None, strides: Any = None, rates: Any = None,
    padding: Any = None, name: str | None = None, sizes: Any = None,
) -> tf.Tensor:
    """As `extract_patches`, with TensorFlow 1's names."""

def get_collection(key: Any, scope: str | None = None) -> list:
    """The values of a collection."""

def get_collection_ref(key: Any) -> list:
    """The list of a collection itself."""

def get_default_graph() -> Any:
    """The graph into which ops go, or would go without eager execution."""

def get_default_session() -> Any:
    """The innermost session whose `with` is open."""

def get_seed(op_seed: IntLike | None) -> Any:
    """The two seeds of an op: the global one, or that of the graph it is traced into, and …"""

def get_variable(
    name: str, shape: ShapeLike = None, dtype: DTypeLike | None = None, initializer: Any = None,
    regularizer: Any = None, trainable: bool | None = None, collections: Any = None,
    caching_device: Any = None, partitioner: Any = None, validate_shape: bool = True,
    use_resource: Any = None, custom_getter: Any = None, constraint: Any = None,
    synchronization: Any = None, aggregation: Any = None,
) -> Any:
    """The variable of a name in the current scope: a new one, but for what a template keeps."""

def get_variable_scope() -> tf.compat.v1.VariableScope:
    """The scope in which `get_variable` makes variables."""

def global_variables_initializer(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

class glorot_normal_initializer(tf.compat.v1.variance_scaling_initializer):
    """Truncated normal, scaled by inputs and outputs."""
    def __init__(self, seed: IntLike | None = None, dtype: DTypeLike = tf.float32) -> None: ...
    def get_config(self) -> dict[str, Any]: ...

class glorot_uniform_initializer(tf.compat.v1.variance_scaling_initializer):
    """Uniform, scaled by inputs and outputs."""
    def __init__(self, seed: IntLike | None = None, dtype: DTypeLike = tf.float32) -> None: ...
    def get_config(self) -> dict[str, Any]: ...

class GPUOptions:
    """The message tensorflow.GPUOptions."""
    per_process_gpu_memory_fraction: Any
    allow_growth: Any
    allocator_type: Any
    deferred_deletion_bytes: Any
    visible_device_list: Any
    polling_active_delay_usecs: Any
    polling_inactive_delay_msecs: Any
    force_gpu_compatible: Any
    experimental: Any
    DESCRIPTOR: Any
    class Experimental:
        """The message tensorflow.GPUOptions.Experimental."""
        virtual_devices: Any
        num_virtual_devices_per_gpu: Any
        use_unified_memory: Any
        num_dev_to_dev_copy_streams: Any
        collective_ring_order: Any
        timestamped_allocator: Any
        kernel_tracker_max_interval: Any
        kernel_tracker_max_bytes: Any
        kernel_tracker_max_pending: Any
        internal_fragmentation_fraction: Any
        use_cuda_malloc_async: Any
        disallow_retry_on_allocation_failure: Any
        gpu_host_mem_limit_in_mb: Any
        gpu_host_mem_disallow_growth: Any
        gpu_system_memory_size_in_mb: Any
        populate_pjrt_gpu_client_creation_info: Any
        node_id: Any
        stream_merge_options: Any
        DESCRIPTOR: Any
        class VirtualDevices:
            """The message tensorflow.GPUOptions.Experimental.VirtualDevices."""
            memory_limit_mb: Any
            priority: Any
            device_ordinal: Any
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
        class StreamMergeOptions:
            """The message tensorflow.GPUOptions.Experimental.StreamMergeOptions."""
            merge_host_to_device_stream: Any
            merge_device_to_host_stream: Any
            merge_device_to_device_stream: Any
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

class GraphKeys:
    """The names of the collections of a graph."""
    GLOBAL_VARIABLES: str
    LOCAL_VARIABLES: str
    METRIC_VARIABLES: str
    MODEL_VARIABLES: str
    TRAINABLE_VARIABLES: str
    SUMMARIES: str
    QUEUE_RUNNERS: str
    TABLE_INITIALIZERS: str
    ASSET_FILEPATHS: str
    MOVING_AVERAGE_VARIABLES: str
    REGULARIZATION_LOSSES: str
    CONCATENATED_VARIABLES: str
    SAVERS: str
    WEIGHTS: str
    BIASES: str
    ACTIVATIONS: str
    UPDATE_OPS: str
    LOSSES: str
    INIT_OP: str
    LOCAL_INIT_OP: str
    READY_OP: str
    SUMMARY_OP: str
    GLOBAL_STEP: str
    COND_CONTEXT: str
    WHILE_CONTEXT: str
    TRAIN_OP: str

class GraphOptions:
    """The message tensorflow.GraphOptions."""
    enable_recv_scheduling: Any
    optimizer_options: Any
    build_cost_model: Any
    build_cost_model_after: Any
    infer_shapes: Any
    place_pruned_graph: Any
    enable_bfloat16_sendrecv: Any
    timeline_step: Any
    rewrite_options: Any
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

def initialize_all_tables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def initialize_all_variables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def initialize_variables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

class InteractiveSession:
    """A session that is the default one until it is closed."""
    def __init__(self, target: str = '', graph: Any = None, config: Any = None) -> None: ...
    def close(self) -> None:
        """No longer be the default session."""
    @property
    def graph(self) -> tf.Graph: ...
    @property
    def graph_def(self) -> Any: ...
    @property
    def sess_str(self) -> str: ...
    def list_devices(self) -> list:
        """The devices: this machine's processors, as one."""
    def as_default(self) -> AbstractContextManager[Any]:
        """Let `eval` and `run` of tensors and operations use this session."""
    def storage(self, variable: Any) -> tf.Variable:
        """The variable that holds a value in this session; one from outside holds its own."""
    def hold(self, variable: tf.Variable, value: TensorLike) -> None:
        """Give a variable a value, by no operation."""
    def value(self, variable: tf.Variable) -> np.ndarray:
        """What a variable holds."""
    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
    ) -> Any:
        """The values of tensors; None for an operation, which is run."""
    def replay(
        self, trace: Trace, needed: set[Node], env: dict[Value, Any],
        initialized: Callable[[int], Any],
    ) -> tuple[list[Any], set[int]]:
        """Call the ops of nodes anew; the variables that are read as they were, those written."""
    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False,
    ) -> Any:
        """A function of what is fed, in the order of `feed_list`."""
    initialized: Any

def is_variable_initialized(variable: Any) -> tf.Tensor:
    """Whether a variable has a value: it has one as soon as it is made, but in a tf.Graph."""

def local_variables(scope: str | None = None) -> list:
    """Those that are not shared between processes."""

def local_variables_initializer(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def make_template(
    name_: str, func_: Callable, create_scope_now_: bool = False,
    unique_name_: str | None = None, custom_getter_: Any = None, **kwargs: Any,
) -> Template:
    """`func_` with its variables kept from call to call."""

class MetaGraphDef:
    """The message tensorflow.MetaGraphDef."""
    meta_info_def: Any
    graph_def: Any
    saver_def: Any
    collection_def: Any
    signature_def: Any
    asset_file_def: Any
    object_graph_def: Any
    DESCRIPTOR: Any
    class MetaInfoDef:
        """The message tensorflow.MetaGraphDef.MetaInfoDef."""
        meta_graph_version: Any
        stripped_op_list: Any
        any_info: Any
        tags: Any
        tensorflow_version: Any
        tensorflow_git_version: Any
        stripped_default_attrs: Any
        function_aliases: Any
        DESCRIPTOR: Any
        class FunctionAliasesEntry:
            """The message tensorflow.MetaGraphDef.MetaInfoDef.FunctionAliasesEntry."""
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
    class CollectionDefEntry:
        """The message tensorflow.MetaGraphDef.CollectionDefEntry."""
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
    class SignatureDefEntry:
        """The message tensorflow.MetaGraphDef.SignatureDefEntry."""
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

def model_variables(scope: str | None = None) -> list:
    """Those in the collection of a model's variables."""

def moving_average_variables(scope: str | None = None) -> list:
    """Those that have moving averages."""

class name_scope(AbstractContextManager):
    """A scope of names; `default_name` where `name` is None."""
    def __init__(
        self, name: str | None, default_name: str | None = None, values: TensorLike | None = None,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *details: Any) -> Any: ...

class NameAttrList:
    """The message tensorflow.NameAttrList."""
    name: Any
    attr: Any
    DESCRIPTOR: Any
    class AttrEntry:
        """The message tensorflow.NameAttrList.AttrEntry."""
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

def no_regularizer(_: Any) -> None:
    """The regularizer of variables that a scope's own must not reach."""

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
    class AttrEntry:
        """The message tensorflow.NodeDef.AttrEntry."""
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

class ones_initializer:
    """Ones."""
    def __init__(self, dtype: DTypeLike = tf.float32) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    dtype: Any

class OptimizerOptions:
    """The message tensorflow.OptimizerOptions."""
    do_common_subexpression_elimination: Any
    do_constant_folding: Any
    max_folded_constant_in_bytes: Any
    do_function_inlining: Any
    opt_level: Any
    global_jit_level: Any
    cpu_global_jit: Any
    DESCRIPTOR: Any
    L1: int
    L0: int
    DEFAULT: int
    OFF: int
    ON_1: int
    ON_2: int
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

class orthogonal_initializer:
    """A matrix of orthogonal columns, or rows if there are fewer."""
    def __init__(
        self, gain: FloatLike = 1.0, seed: IntLike | None = None, dtype: DTypeLike = tf.float32,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    gain: Any
    seed: Any
    dtype: Any

def placeholder(
    dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None,
) -> tf.Tensor:
    """A tensor of a graph that has no value yet."""

def placeholder_with_default(
    input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """The input, in whose place a session may be fed another value."""

def Print(
    input_: Any, data: TensorLike, message: str | None = None, first_n: IntLike | None = None,
    summarize: IntLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The input; its evaluation prints the data."""

def py_func(
    func: Callable, inp: Any, Tout: Any, stateful: bool = True, name: str | None = None,
) -> Any:
    """`tf.numpy_function`; eager, the function sees tensors of NumPy's values as well."""

class random_normal_initializer:
    """Normal."""
    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: IntLike | None = None,
        dtype: DTypeLike = tf.float32,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    dtype: Any
    mean: Any
    stddev: Any
    seed: Any

class random_uniform_initializer:
    """Uniform between two bounds."""
    def __init__(
        self, minval: Any = 0.0, maxval: Any = None, seed: IntLike | None = None,
        dtype: DTypeLike = tf.float32,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    dtype: Any
    minval: Any
    maxval: Any
    seed: Any

def report_uninitialized_variables(
    var_list: Any = None, name: str = 'report',
) -> tf.Tensor:
    """The names of the variables that the session has no value for."""

def reset_default_graph() -> None:
    """Begin with an empty graph."""

def resource_variables_enabled() -> bool:
    """Whether variables are resource variables: always."""

class RunMetadata:
    """The message tensorflow.RunMetadata."""
    step_stats: Any
    cost_graph: Any
    partition_graphs: Any
    function_graphs: Any
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

class RunOptions:
    """The message tensorflow.RunOptions."""
    trace_level: Any
    timeout_in_ms: Any
    inter_op_thread_pool: Any
    output_partition_graphs: Any
    report_tensor_allocations_upon_oom: Any
    experimental: Any
    DESCRIPTOR: Any
    class Experimental:
        """The message tensorflow.RunOptions.Experimental."""
        collective_graph_key: Any
        use_run_handler_pool: Any
        run_handler_pool_options: Any
        DESCRIPTOR: Any
        class RunHandlerPoolOptions:
            """The message tensorflow.RunOptions.Experimental.RunHandlerPoolOptions."""
            priority: Any
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
    NO_TRACE: int
    SOFTWARE_TRACE: int
    HARDWARE_TRACE: int
    FULL_TRACE: int
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

def scatter_add(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_add` of rows at indices."""

def scatter_div(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_div` of rows at indices."""

def scatter_max(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_max` of rows at indices."""

def scatter_min(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_min` of rows at indices."""

def scatter_mul(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_mul` of rows at indices."""

def scatter_nd_add(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_nd_add` of rows at indices."""

def scatter_nd_sub(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_nd_sub` of rows at indices."""

def scatter_nd_update(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_nd_update` of rows at indices."""

def scatter_sub(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_sub` of rows at indices."""

def scatter_update(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> Any:
    """`ref.scatter_update` of rows at indices."""

class Session:
    """Runs parts of a graph."""
    def __enter__(self) -> tf.compat.v1.Session: ...
    def __exit__(self, *exc: Any) -> None: ...
    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Forget the variables of servers: there are none."""
    def __init__(self, target: str = '', graph: Any = None, config: Any = None) -> None: ...
    @property
    def graph(self) -> tf.Graph: ...
    @property
    def graph_def(self) -> Any: ...
    @property
    def sess_str(self) -> str: ...
    def close(self) -> None:
        """Give up the values of variables."""
    def list_devices(self) -> list:
        """The devices: this machine's processors, as one."""
    def as_default(self) -> AbstractContextManager[Any]:
        """Let `eval` and `run` of tensors and operations use this session."""
    def storage(self, variable: Any) -> tf.Variable:
        """The variable that holds a value in this session; one from outside holds its own."""
    def hold(self, variable: tf.Variable, value: TensorLike) -> None:
        """Give a variable a value, by no operation."""
    def value(self, variable: tf.Variable) -> np.ndarray:
        """What a variable holds."""
    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
    ) -> Any:
        """The values of tensors; None for an operation, which is run."""
    def replay(
        self, trace: Trace, needed: set[Node], env: dict[Value, Any],
        initialized: Callable[[int], Any],
    ) -> tuple[list[Any], set[int]]:
        """Call the ops of nodes anew; the variables that are read as they were, those written."""
    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False,
    ) -> Any:
        """A function of what is fed, in the order of `feed_list`."""
    initialized: Any

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

def set_random_seed(seed: IntLike) -> None:
    """`tf.random.set_seed`."""

def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: Any = tf.int32, name: str | None = None,
) -> Any:
    """The values of `x` that are not in `y`, and where they stand."""

def sparse_placeholder(
    dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None,
) -> Any:
    """A SparseTensor of a graph that has no value yet."""

def sparse_to_dense(
    sparse_indices: Any, output_shape: ShapeLike, sparse_values: Any, default_value: Any = 0,
    validate_indices: bool = True, name: str | None = None,
) -> tf.Tensor:
    """A tensor of one value that has others at some positions."""

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

def tables_initializer(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

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

def to_bfloat16(x: TensorLike, name: str = 'bfloat16') -> Any:
    """`tf.cast(x, tf.bfloat16)`."""

def to_complex128(x: TensorLike, name: str = 'complex128') -> Any:
    """`tf.cast(x, tf.complex128)`."""

def to_complex64(x: TensorLike, name: str = 'complex64') -> Any:
    """`tf.cast(x, tf.complex64)`."""

def to_double(x: TensorLike, name: str = 'double') -> Any:
    """`tf.cast(x, tf.float64)`."""

def to_float(x: TensorLike, name: str = 'float') -> Any:
    """`tf.cast(x, tf.float32)`."""

def to_int32(x: TensorLike, name: str = 'int32') -> Any:
    """`tf.cast(x, tf.int32)`."""

def to_int64(x: TensorLike, name: str = 'int64') -> Any:
    """`tf.cast(x, tf.int64)`."""

def trainable_variables(scope: str | None = None) -> list:
    """Those that are trained."""

class truncated_normal_initializer(tf.compat.v1.random_normal_initializer):
    """Normal, within two standard deviations."""

class uniform_unit_scaling_initializer:
    """Uniform, so that a product with all axes but the last keeps the scale of its input."""
    def __init__(
        self, factor: FloatLike = 1.0, seed: IntLike | None = None, dtype: DTypeLike = tf.float32,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    factor: Any
    seed: Any
    dtype: Any

class Variable:
    """tf.Variable with the arguments of TensorFlow 1."""

class variable_scope:
    """A scope of variables, and one of names; it may be opened again."""
    def __init__(
        self, name_or_scope: Any, default_name: str | None = None, values: TensorLike | None = None,
        initializer: Any = None, regularizer: Any = None, caching_device: Any = None,
        partitioner: Any = None, custom_getter: Any = None, reuse: Any = None,
        dtype: DTypeLike | None = None, use_resource: Any = None, constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None: ...
    def __enter__(self) -> tf.compat.v1.VariableScope: ...
    def __exit__(self, *exc: Any) -> Any: ...

def variables_initializer(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

class VariableScope:
    """The name that `get_variable` puts before its own, and what it uses where nothing is …"""
    def __init__(
        self, reuse: Any, name: str = '', initializer: Any = None, regularizer: Any = None,
        caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None,
        name_scope: str = '', dtype: DTypeLike = tf.float32, use_resource: Any = None,
        constraint: Any = None,
    ) -> None: ...
    def set_initializer(self, initializer: Any) -> None:
        """Set the initializer of variables that name none."""
    def set_custom_getter(self, custom_getter: Any) -> None:
        """Set the function that gets variables in this scope."""
    def set_partitioner(self, partitioner: Any) -> None:
        """Accepted: variables are whole."""
    def set_regularizer(self, regularizer: Any) -> None:
        """Set the regularizer of variables that name none."""
    def set_caching_device(self, caching_device: Any) -> None:
        """Accepted: variables are read from memory."""
    def reuse_variables(self) -> None:
        """Take variables that are there, from now on."""
    reuse: Any
    name: Any
    initializer: Any
    regularizer: Any
    caching_device: Any
    partitioner: Any
    custom_getter: Any
    original_name_scope: Any
    dtype: Any
    use_resource: Any
    constraint: Any

class variance_scaling_initializer:
    """Random numbers whose variance is scaled by the number of inputs or outputs."""
    def __init__(
        self, scale: FloatLike = 1.0, mode: str = 'fan_in', distribution: str = 'truncated_normal',
        seed: IntLike | None = None, dtype: DTypeLike = tf.float32,
    ) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    distribution: Any
    dtype: Any
    scale: Any
    mode: Any
    seed: Any

def where(
    condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """`tf.where` whose operands have one shape; a vector of conditions picks whole rows."""

def while_loop(
    cond: Callable, body: Callable, loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: IntLike = 10, back_prop: bool = True, swap_memory: bool = False,
    name: str | None = None, maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """`tf.while_loop`; a single value of the loop needs no list, and is returned without …"""

def wrap_function(
    fn: Callable, signature: Any, name: str | None = None,
) -> WrappedFunction:
    """Run `fn` once on placeholders, in a graph of its own, and make a function of that …"""

class zeros_initializer:
    """Zeros."""
    def __init__(self, dtype: DTypeLike = tf.float32) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    dtype: Any

global_variables = all_variables
