# Written by tools/stubs.py (make stubs).
"""tf.config"""

from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow._typing import Settings
from tapeflow.config import (
    experimental as experimental,
    optimizer as optimizer,
    threading as threading,
)

settings: Settings

def experimental_functions_run_eagerly() -> bool:
    """Whether tf.functions run as plain Python."""

def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """Run tf.functions as plain Python from now on (or trace them again)."""

def get_logical_device_configuration(
    device: Any,
) -> list[tf.config.LogicalDeviceConfiguration] | None:
    """What `set_logical_device_configuration` made of the device; None: one logical device."""

def get_soft_device_placement() -> bool:
    """Whether an op may run elsewhere than asked; here every op runs on the CPU."""

def get_visible_devices(
    device_type: str | None = None,
) -> list[tf.config.PhysicalDevice]:
    """The physical devices in use."""

def list_logical_devices(
    device_type: str | None = None,
) -> list[tf.config.LogicalDevice]:
    """The devices that ops can be placed on."""

def list_physical_devices(
    device_type: str | None = None,
) -> list[tf.config.PhysicalDevice]:
    """The devices of this machine that can be used: its CPU."""

class LogicalDevice(NamedTuple):
    """A device as ops see it."""
    name: str
    device_type: str

class LogicalDeviceConfiguration(NamedTuple):
    """How to make a logical device of a physical one."""
    memory_limit: Any = None
    experimental_priority: Any = None
    experimental_device_ordinal: Any = None

class PhysicalDevice(NamedTuple):
    """A device of this machine."""
    name: str
    device_type: str

def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Make several logical devices of the CPU."""

def set_soft_device_placement(enabled: bool) -> None:
    """Accepted: every op runs on the CPU."""

def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Use only these devices. The CPU can be named or hidden; ops run on it all the same."""

functions_run_eagerly = experimental_functions_run_eagerly
run_functions_eagerly = experimental_run_functions_eagerly
