# Written by tools/stubs.py (make stubs).
"""tf.keras.distribution"""

from collections.abc import MutableMapping
from typing import Any

class DataParallel:
    """Distribution for data parallelism."""
    def __init__(
        self, device_mesh: Any = None, devices: Any = None, auto_shard_dataset: Any = True,
    ) -> None: ...
    @property
    def num_model_replicas(self) -> Any: ...
    def get_data_layout(self, data_shape: Any) -> Any: ...
    def get_variable_layout(self, variable: Any) -> Any: ...
    def get_tensor_layout(self, path: Any) -> Any: ...
    @property
    def num_processes(self) -> Any:
        """Total number of processes in the cluster."""
    @property
    def data_shard_id(self) -> Any:
        """ID of the data shard for the current process."""
    def scope(self) -> Any:
        """Context manager to make the `Distribution` current."""
    @property
    def device_mesh(self) -> Any: ...
    @property
    def batch_dim_name(self) -> Any: ...
    @property
    def auto_shard_dataset(self) -> Any: ...
    @auto_shard_dataset.setter
    def auto_shard_dataset(self, value: Any) -> None: ...
    def distribute_dataset(self, dataset: Any) -> Any:
        """Create a distributed dataset from the original global dataset."""
    def distribute_tf_dataset(self, dataset: Any) -> Any: ...

class DeviceMesh:
    """A cluster of computation devices for distributed computation."""
    def __init__(self, shape: Any, axis_names: Any, devices: Any = None) -> None: ...
    @property
    def shape(self) -> Any: ...
    @property
    def axis_names(self) -> Any: ...
    @property
    def devices(self) -> Any: ...
    @property
    def backend_mesh(self) -> Any: ...

def distribute_tensor(tensor: Any, layout: Any) -> Any:
    """Change the layout of a Tensor value in the jit function execution."""

def distribution() -> Any:
    """Retrieve the current distribution from global context."""

def get_device_count(device_type: Any = None) -> Any:
    """Returns the number of available devices based on the device type."""

def initialize(
    job_addresses: Any = None, num_processes: Any = None, process_id: Any = None,
) -> Any:
    """Initialize the distribution system for multi-host/process setting."""

class LayoutMap(MutableMapping):
    """A dict-like object that maps string to `TensorLayout` instances."""
    def __init__(self, device_mesh: Any) -> None: ...
    def __getitem__(self, key: Any) -> Any:
        """Retrieves the corresponding layout by the string key."""
    def __setitem__(self, key: Any, layout: Any) -> Any:
        """Insert TensorLayout to the LayoutMap."""
    def __delitem__(self, key: Any) -> Any: ...
    def __len__(self) -> Any: ...
    def __iter__(self) -> Any: ...
    @property
    def device_mesh(self) -> Any: ...

def list_devices(device_type: Any = None) -> Any:
    """Return all the available devices based on the device type."""

class ModelParallel:
    """Distribution that shards model variables."""
    def __init__(
        self, *, layout_map: Any = None, batch_dim_name: Any = None, auto_shard_dataset: Any = True,
        **kwargs: Any,
    ) -> None: ...
    @property
    def num_model_replicas(self) -> Any: ...
    def get_data_layout(self, data_shape: Any) -> Any: ...
    def get_variable_layout(self, variable: Any) -> Any: ...
    def get_tensor_layout(self, path: Any) -> Any: ...
    @property
    def num_processes(self) -> Any:
        """Total number of processes in the cluster."""
    @property
    def data_shard_id(self) -> Any:
        """ID of the data shard for the current process."""
    def scope(self) -> Any:
        """Context manager to make the `Distribution` current."""
    @property
    def device_mesh(self) -> Any: ...
    @property
    def batch_dim_name(self) -> Any: ...
    @property
    def auto_shard_dataset(self) -> Any: ...
    @auto_shard_dataset.setter
    def auto_shard_dataset(self, value: Any) -> None: ...
    def distribute_dataset(self, dataset: Any) -> Any:
        """Create a distributed dataset from the original global dataset."""
    def distribute_tf_dataset(self, dataset: Any) -> Any: ...

def set_distribution(value: Any) -> Any:
    """Set the distribution as the global distribution setting."""

class TensorLayout:
    """A layout to apply to a tensor."""
    def __init__(self, axes: Any, device_mesh: Any = None) -> None: ...
    @property
    def axes(self) -> Any: ...
    @property
    def device_mesh(self) -> Any: ...
    @device_mesh.setter
    def device_mesh(self, value: Any) -> None: ...
    @property
    def backend_layout(self) -> Any: ...
