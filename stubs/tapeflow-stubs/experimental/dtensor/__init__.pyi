# Written by tools/stubs.py (make stubs).
"""tf.experimental.dtensor"""

import numpy as np
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, MeshDimension, Reference, ShapeLike, TensorLike

MATCH: str
UNSHARDED: str

def barrier(
    mesh: tf.experimental.dtensor.Mesh, barrier_name: str | None = None,
    timeout_in_ms: IntLike | None = None,
) -> None:
    """Wait for all clients: there is one."""

def call_with_layout(
    fn: Callable, layout: tf.experimental.dtensor.Layout | None, *args: Any, **kwargs: Any,
) -> Any:
    """What a function gives, its tensors in a layout."""

def check_layout(tensor: TensorLike, layout: tf.experimental.dtensor.Layout) -> None:
    """Raise unless a DTensor has a layout."""

def client_id() -> int:
    """Which of the clients this process is: the first."""

def copy_to_mesh(
    tensor: TensorLike, layout: tf.experimental.dtensor.Layout,
    source_layout: tf.experimental.dtensor.Layout | None = None,
) -> tf.Tensor:
    """A tensor of this process as a DTensor."""

def create_distributed_mesh(
    mesh_dims: Any, mesh_name: str = '', local_devices: Any = None,
    device_type: str | None = None, use_xla_spmd: bool = False,
) -> tf.experimental.dtensor.Mesh:
    """A mesh over all clients of a job; there is one client, so that of `create_mesh`."""

def create_mesh(
    mesh_dims: Any = None, mesh_name: str = '', devices: Any = None,
    device_type: str | None = None, use_xla_spmd: bool = False,
) -> tf.experimental.dtensor.Mesh:
    """A mesh of the logical CPUs of this process, in the order in which they are named."""

def default_mesh(mesh: tf.experimental.dtensor.Mesh) -> AbstractContextManager[None]:
    """A context in which `get_default_mesh` gives a mesh, and tensors are copied to it."""

def device_name() -> str:
    """The device on which DTensors seem to be."""

class DTensorCheckpoint:
    """Refused: dtensor.relayout lays batches out, and tf.train.Checkpoint saves DVariables."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class DTensorDataset:
    """Refused: dtensor.relayout lays batches out, and tf.train.Checkpoint saves DVariables."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class DVariable(tf.Variable):
    """A variable whose value is a DTensor; its layout is that of the initial value, or …"""
    def __init__(
        self, initial_value: Any, *args: Any, layout: tf.experimental.dtensor.Layout | None = None,
        **kwargs: Any,
    ) -> None: ...
    def assign(
        self, value: TensorLike, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replace the value; a DTensor of another layout is refused."""
    @property
    def shape(self) -> tf.TensorShape: ...
    def get_shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def ndim(self) -> int | None: ...
    @property
    def name(self) -> str: ...
    @property
    def trainable(self) -> bool: ...
    @property
    def constraint(self) -> Any: ...
    @property
    def synchronization(self) -> tf.VariableSynchronization: ...
    @property
    def aggregation(self) -> tf.VariableAggregation: ...
    @property
    def device(self) -> str: ...
    @property
    def handle(self) -> tf.Variable: ...
    @property
    def initializer(self) -> None: ...
    @property
    def initial_value(self) -> Any: ...
    @property
    def op(self) -> Any: ...
    @property
    def graph(self) -> Any: ...
    def set_shape(self, shape: ShapeLike) -> None:
        """Say what the shape is; it must agree with what is known of it."""
    def is_initialized(self, name: str | None = None) -> tf.Tensor: ...
    def read_value(self) -> tf.Tensor: ...
    def initialized_value(self) -> tf.Tensor: ...
    def __tf_tensor__(
        self, dtype: tf.DType | None = None, name: str | None = None,
    ) -> tf.Tensor: ...
    def numpy(self) -> Any: ...
    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None,
    ) -> np.ndarray: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Any: ...
    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add `delta` (of this very shape) to the value."""
    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract `delta` (of this very shape) from the value."""
    def ref(self) -> Reference: ...
    def __hash__(self) -> int: ...
    def __iadd__(self, other: Any) -> Any: ...
    def __isub__(self, other: Any) -> Any: ...
    def __imul__(self, other: Any) -> Any: ...
    def __itruediv__(self, other: Any) -> Any: ...
    def __ipow__(self, other: Any) -> Any: ...
    def __add__(self, other: TensorLike) -> tf.DVariable: ...
    def __radd__(self, other: TensorLike) -> tf.DVariable: ...
    def value(self) -> tf.Tensor:
        """The value now, as a tensor that later assignments do not change."""
    def __getitem__(self, key: Any) -> tf.Tensor: ...
    def __matmul__(self, other: TensorLike) -> tf.DVariable: ...
    def __rmatmul__(self, other: TensorLike) -> tf.DVariable: ...
    def __neg__(self) -> tf.DVariable: ...
    def __sub__(self, other: TensorLike) -> tf.DVariable: ...
    def __rsub__(self, other: TensorLike) -> tf.DVariable: ...
    def __mul__(self, other: TensorLike) -> tf.DVariable: ...
    def __rmul__(self, other: TensorLike) -> tf.DVariable: ...
    def __truediv__(self, other: TensorLike) -> tf.DVariable: ...
    def __rtruediv__(self, other: TensorLike) -> tf.DVariable: ...
    def __lt__(self, other: TensorLike) -> tf.DVariable: ...
    def __le__(self, other: TensorLike) -> tf.DVariable: ...
    def __gt__(self, other: TensorLike) -> tf.DVariable: ...
    def __ge__(self, other: TensorLike) -> tf.DVariable: ...
    def __eq__(self, other: object) -> tf.DVariable: ...  # type: ignore[override]
    def __ne__(self, other: object) -> tf.DVariable: ...  # type: ignore[override]
    def __pow__(self, other: TensorLike) -> tf.DVariable: ...
    def __rpow__(self, other: TensorLike) -> tf.DVariable: ...
    def __and__(self, other: TensorLike) -> tf.DVariable: ...
    def __rand__(self, other: TensorLike) -> tf.DVariable: ...
    def __or__(self, other: TensorLike) -> tf.DVariable: ...
    def __ror__(self, other: TensorLike) -> tf.DVariable: ...
    def __xor__(self, other: TensorLike) -> tf.DVariable: ...
    def __rxor__(self, other: TensorLike) -> tf.DVariable: ...
    def __invert__(self) -> tf.DVariable: ...
    def __abs__(self) -> tf.DVariable: ...
    def __floordiv__(self, other: TensorLike) -> tf.DVariable: ...
    def __rfloordiv__(self, other: TensorLike) -> tf.DVariable: ...
    def __mod__(self, other: TensorLike) -> tf.DVariable: ...
    def __rmod__(self, other: TensorLike) -> tf.DVariable: ...
    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (update), given as tf.IndexedSlices."""
    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (add), given as tf.IndexedSlices."""
    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (sub), given as tf.IndexedSlices."""
    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (mul), given as tf.IndexedSlices."""
    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (div), given as tf.IndexedSlices."""
    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (min), given as tf.IndexedSlices."""
    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (max), given as tf.IndexedSlices."""
    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (update) at coordinates."""
    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (add) at coordinates."""
    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (sub) at coordinates."""
    def scatter_nd_min(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (min) at coordinates."""
    def scatter_nd_max(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (max) at coordinates."""
    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None,
    ) -> Any:
        """Replace rows in each batch: both indices and values share their leading axes."""
    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Any:
        """Rows of this variable; the gradient is tf.IndexedSlices."""
    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Any:
        """Elements or slices of this variable, each given by coordinates."""
    layout: Any
    save_as_bf16: Any

def fetch_layout(tensor: TensorLike) -> tf.experimental.dtensor.Layout:
    """The layout of a DTensor or DVariable."""

def full_job_name(task_id: IntLike | None = None) -> str:
    """The job and task of a client."""

def get_default_mesh() -> tf.experimental.dtensor.Mesh | None:
    """The mesh of the innermost `default_mesh`; None outside."""

def heartbeat_enabled() -> bool:
    """Whether clients watch one another: never."""

def initialize_accelerator_system(
    device_type: str | None = None, enable_coordination_service: bool | None = True,
    num_logical_cpu_devices: IntLike | None = None,
    experimental_reset_context: bool | None = False,
    experimental_enable_megcore: bool | None = False,
) -> str:
    """Make the logical CPUs; the result is the type of device."""

def is_dtensor(tensor: TensorLike) -> bool:
    """Whether a value is a DTensor, or a variable that holds one."""

def job_name() -> str:
    """The name of the job."""

def jobs() -> list[str]:
    """The addresses of the clients: none where there is one."""

class Layout:
    """Which mesh dimension each axis of a tensor is divided along, or UNSHARDED."""
    def __init__(
        self, sharding_specs: list[str], mesh: tf.experimental.dtensor.Mesh,
    ) -> None: ...
    @property
    def sharding_specs(self) -> list[str]:
        """A mesh dimension, or UNSHARDED, for each axis."""
    @property
    def mesh(self) -> tf.experimental.dtensor.Mesh:
        """The mesh."""
    @property
    def rank(self) -> int:
        """The number of axes."""
    @property
    def shape(self) -> list[int]:
        """The sizes of the mesh."""
    def num_shards(self, idx: IntLike) -> int:
        """Into how many parts an axis is divided."""
    def is_fully_replicated(self) -> bool:
        """Whether every device has all of the tensor."""
    def is_batch_parallel(self) -> bool:
        """Whether the first axis alone is divided."""
    def is_single_device(self) -> bool:
        """Whether it belongs to one device without a mesh: never."""
    def delete(self, dims: list[int]) -> tf.experimental.dtensor.Layout:
        """The layout without some axes."""
    @classmethod
    def replicated(
        cls, mesh: tf.experimental.dtensor.Mesh, rank: IntLike,
    ) -> tf.experimental.dtensor.Layout:
        """Every device has all of the tensor."""
    @classmethod
    def batch_sharded(
        cls, mesh: tf.experimental.dtensor.Mesh, batch_dim: str, rank: IntLike, axis: IntLike = 0,
    ) -> tf.experimental.dtensor.Layout:
        """One axis, the first, is divided."""
    @classmethod
    def inner_sharded(
        cls, mesh: tf.experimental.dtensor.Mesh, inner_dim: str, rank: IntLike,
    ) -> tf.experimental.dtensor.Layout:
        """The last axis is divided."""
    def offset_to_shard(self) -> list[tuple]:
        """For each device which part of each axis it has."""
    def offset_tuple_to_global_index(self, offset_tuple: tuple) -> int:
        """The number of a part among all, counted row by row."""
    def global_shape_from_local_shape(self, local_shape: Any) -> tuple:
        """The shape of a tensor whose parts have this one."""
    def local_shape_from_global_shape(self, global_shape: Any) -> tuple:
        """The shape of the parts of a tensor of this one."""
    def check(self, shape: tuple, where: str) -> None:
        """Raise unless a tensor of this shape can be laid out so."""
    def to_string(self) -> str:
        """All of it as a text, for `from_string`."""
    @classmethod
    def from_string(cls, layout_str: str) -> tf.experimental.dtensor.Layout:
        """The layout of a text."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def local_devices(device_type: str, for_client_id: IntLike | None = None) -> list[str]:
    """The full names of the devices of a type."""

class Mesh:
    """Devices in a grid whose dimensions have names."""
    def __init__(
        self, dim_names: list[str], global_device_ids: Any, local_device_ids: Any,
        local_devices: Any, mesh_name: str = '', global_devices: Any = None,
        use_xla_spmd: bool = False,
    ) -> None: ...
    @property
    def dim_names(self) -> list[str]:
        """The names of the dimensions."""
    @property
    def name(self) -> str:
        """The name of the mesh."""
    @property
    def size(self) -> int:
        """The number of devices."""
    @property
    def strides(self) -> list[int]:
        """How far apart neighbours along each dimension are in the list of devices."""
    def shape(self) -> list[int]:
        """The sizes of the dimensions."""
    def dim_size(self, dim_name: str) -> int:
        """The size of a dimension."""
    def __getitem__(self, dim_name: str) -> MeshDimension:
        """A dimension by its name, with its size."""
    def use_xla_spmd(self) -> bool:
        """Whether XLA partitions programs: there is none."""
    def contains_dim(self, dim_name: str) -> bool:
        """Whether there is a dimension of this name."""
    def device_type(self) -> str:
        """What its devices are."""
    def is_remote(self) -> bool:
        """Whether devices are elsewhere: never."""
    def is_single_device(self) -> bool:
        """Whether it is a device without dimensions: never."""
    def local_devices(self) -> list[str]:
        """The full names of the devices."""
    def global_devices(self) -> list[str]:
        """The full names of devices of other processes: none."""
    def local_device_ids(self) -> list[int]:
        """The ids of the devices."""
    def global_device_ids(self) -> np.ndarray:
        """The ids of the devices, in the grid."""
    def min_global_device_id(self) -> int:
        """The smallest id."""
    def num_local_devices(self) -> int:
        """The number of devices of this process: all."""
    def local_device_locations(self) -> list[dict[str, int]]:
        """Where each device is: its position along each dimension."""
    def device_location(self, device_id: IntLike) -> dict[str, int]:
        """Where one device is."""
    def unravel_index(self) -> dict[int, dict[str, int]]:
        """Where each device is, by its place in the list."""
    def coords(self, device_idx: IntLike) -> Any:
        """The position of a device along each dimension, as a tensor."""
    def host_mesh(self) -> tf.experimental.dtensor.Mesh:
        """The mesh of the CPUs beside the devices: this one."""
    def to_string(self) -> str:
        """All of it as a text, for `from_string`."""
    @classmethod
    def from_string(cls, mesh_str: str) -> tf.experimental.dtensor.Mesh:
        """The mesh of a text."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def num_clients() -> int:
    """How many processes share the meshes: one."""

def num_global_devices(device_type: str) -> int:
    """How many devices of a type all clients have."""

def num_local_devices(device_type: str) -> int:
    """How many devices of a type this process has."""

def pack(tensors: Sequence[Any], layout: tf.experimental.dtensor.Layout) -> Any:
    """A DTensor of the components of its devices, in the order of the mesh."""

def preferred_device_type() -> str:
    """The type of device that meshes are made of."""

def relayout(
    tensor: TensorLike, layout: tf.experimental.dtensor.Layout, name: str | None = None,
) -> tf.Tensor:
    """The same values in another layout, on the same mesh."""

def relayout_like(
    tensor: TensorLike, layout_tensor: Any, name: str | None = None,
) -> tf.Tensor:
    """The same values in the layout of another DTensor."""

def run_on(mesh: tf.experimental.dtensor.Mesh) -> Any:
    """As `default_mesh`."""

def shutdown_accelerator_system() -> None:
    """Accepted: there is nothing to shut down."""

def unpack(tensor: TensorLike) -> Sequence[Any]:
    """The components of a DTensor, one for each device of its mesh."""

initialize_multi_client = initialize_accelerator_system
