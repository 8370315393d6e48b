# Written by tools/stubs.py (make stubs).
"""tf.config.experimental"""

from typing import Any

from tapeflow.config import (
    get_logical_device_configuration as _get_logical_device_configuration,
    get_visible_devices as get_visible_devices,
    list_logical_devices as list_logical_devices,
    list_physical_devices as list_physical_devices,
    LogicalDeviceConfiguration as _LogicalDeviceConfiguration,
    set_logical_device_configuration as _set_logical_device_configuration,
    set_visible_devices as set_visible_devices,
)

def disable_mlir_bridge() -> None:
    """Accepted: there is no MLIR here."""

def enable_mlir_bridge() -> None:
    """Accepted: there is no MLIR here."""

def enable_op_determinism() -> None:
    """From now on one executor serves a tf.function from its first call, which compiles …"""

def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Accepted: a CPU has no such format."""

def get_device_details(device: Any) -> dict:
    """Details of a device; of a CPU there are none."""

def get_device_policy() -> str:
    """How tensors of another device are handled; there is no other device."""

def get_memory_growth(device: Any) -> bool:
    """Only for GPUs: a KeyError for every device that there is."""

def get_memory_info(device: str) -> dict:
    """Only for GPUs: a ValueError for every device that there is."""

def get_memory_usage(device: str) -> int:
    """Only for GPUs: a ValueError for every device that there is."""

def get_synchronous_execution() -> bool:
    """Whether eager ops have run when they return: always."""

def reset_memory_stats(device: str) -> None:
    """Only for GPUs: a ValueError for every device that there is."""

def set_device_policy(device_policy: str | None) -> None:
    """Accepted: there is no other device."""

def set_memory_growth(device: Any, enable: bool) -> None:
    """Only for GPUs: a ValueError for every device that there is."""

def set_synchronous_execution(enable: bool) -> None:
    """Accepted: ops always run at once."""

def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` got; a CPU has no such format."""

get_virtual_device_configuration = _get_logical_device_configuration
set_virtual_device_configuration = _set_logical_device_configuration
VirtualDeviceConfiguration = _LogicalDeviceConfiguration
