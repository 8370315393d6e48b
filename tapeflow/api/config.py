"""tf.config: devices, threads and switches, as far as they mean something on a CPU.

There is one physical device. Nothing is initialised late here, so settings may change at any time.
Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tapeflow.base.exports import export, publish
from tapeflow.base.settings import settings
from tapeflow.graph.functions.function import functions_run_eagerly
from tapeflow.ops.random.streams import seeds

publish(settings, "config.settings")  # tapeflow's own: docs/configuration.md


# -- devices ---------------------------------------------------------------------------------------
@export("config.PhysicalDevice")
class PhysicalDevice(NamedTuple):
    """A device of this machine."""

    name: str
    device_type: str


@export("config.LogicalDevice")
class LogicalDevice(NamedTuple):
    """A device as ops see it."""

    name: str
    device_type: str


@export("config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration")
class LogicalDeviceConfiguration(NamedTuple):
    """How to make a logical device of a physical one."""

    memory_limit: Any = None
    experimental_priority: Any = None
    experimental_device_ordinal: Any = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")


class _Settings:
    """What programs set, for the whole process."""

    visible = [_CPU]
    logical: list | None = None
    soft_placement = True
    log_placement = False
    inter_op_threads = 0
    intra_op_threads = 0
    jit = ""
    tensor_float_32 = True
    device_policy = "silent"
    deterministic = False
    optimizer: dict[str, Any] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


_settings = _Settings()


def _of_type(devices: list, device_type: str | None) -> list:
    return [one for one in devices if device_type is None or one.device_type == device_type]


def _known(device: Any, where: str) -> PhysicalDevice:
    if device != _CPU or not isinstance(device, PhysicalDevice):
        raise ValueError(f"tf.config.{where}: unrecognized device {device!r}; there is only "
                         f"{_CPU}.")
    return device


@export("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine that can be used: its CPU."""
    return _of_type([_CPU], device_type)


@export("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that ops can be placed on."""
    count = len(_settings.logical or [_CPU]) if _CPU in _settings.visible else 0
    return _of_type([LogicalDevice(f"/device:CPU:{i}", "CPU") for i in range(count)], device_type)


@export("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The physical devices in use."""
    return _of_type(list(_settings.visible), device_type)


@export("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Use only these devices. The CPU can be named or hidden; ops run on it all the same."""
    wanted = [devices] if isinstance(devices, PhysicalDevice) else list(devices)
    for one in wanted:
        _known(one, "set_visible_devices")
        if device_type is not None and one.device_type != device_type:
            raise ValueError(f"tf.config.set_visible_devices: {one} is no {device_type}.")
    kept = [one for one in _settings.visible
            if device_type is not None and one.device_type != device_type]
    _settings.visible = kept + wanted


@export("config.get_logical_device_configuration",
        "config.experimental.get_virtual_device_configuration")
def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """What `set_logical_device_configuration` made of the device; None: one logical device."""
    _known(device, "get_logical_device_configuration")
    return _settings.logical


@export("config.set_logical_device_configuration",
        "config.experimental.set_virtual_device_configuration")
def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Make several logical devices of the CPU."""
    _known(device, "set_logical_device_configuration")
    for one in logical_devices or ():
        if one.memory_limit is not None:
            raise ValueError("tf.config.set_logical_device_configuration: a CPU takes no "
                             "memory_limit.")
        if one.experimental_priority is not None or one.experimental_device_ordinal is not None:
            raise ValueError("tf.config.set_logical_device_configuration: a CPU takes no "
                             "experimental_priority and no experimental_device_ordinal.")
    _settings.logical = None if logical_devices is None else list(logical_devices)


@export("config.experimental.get_device_details")
def get_device_details(device: Any) -> dict:
    """Details of a device; of a CPU there are none."""
    if not isinstance(device, PhysicalDevice):
        raise ValueError("tf.config.experimental.get_device_details: `device` must be a "
                         f"PhysicalDevice, got {device!r}.")
    return {}


@export("config.experimental.set_memory_growth")
def set_memory_growth(device: Any, enable: bool) -> None:
    """Only for GPUs: a ValueError for every device that there is."""
    _known(device, "experimental.set_memory_growth")
    raise ValueError("tf.config.experimental.set_memory_growth: memory growth is set on GPUs, and "
                     f"{device.name} is none.")


@export("config.experimental.get_memory_growth")
def get_memory_growth(device: Any) -> bool:
    """Only for GPUs: a KeyError for every device that there is."""
    _known(device, "experimental.get_memory_growth")
    raise KeyError(f"tf.config.experimental.get_memory_growth: not set on {device.name}.")


def _no_statistics(device: Any) -> ValueError:
    return ValueError(f"tf.config.experimental: no memory statistics of device {device!r}: a CPU "
                      "keeps none.")


@export("config.experimental.get_memory_info")
def get_memory_info(device: str) -> dict:
    """Only for GPUs: a ValueError for every device that there is."""
    raise _no_statistics(device)


@export("config.experimental.get_memory_usage")
def get_memory_usage(device: str) -> int:
    """Only for GPUs: a ValueError for every device that there is."""
    raise _no_statistics(device)


@export("config.experimental.reset_memory_stats")
def reset_memory_stats(device: str) -> None:
    """Only for GPUs: a ValueError for every device that there is."""
    raise _no_statistics(device)


# -- placement and threads -------------------------------------------------------------------------
@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether an op may run elsewhere than asked; here every op runs on the CPU."""
    return _settings.soft_placement


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Accepted: every op runs on the CPU."""
    _settings.soft_placement = bool(enabled)


@export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """What `set_log_device_placement` got."""
    return _settings.log_placement


@export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Accepted: there is one place only, so nothing is worth logging."""
    _settings.log_placement = bool(enabled)


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """How many ops may run side by side; 0: as the library chooses."""
    return _settings.inter_op_threads


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Accepted: eager ops run one after another."""
    _settings.inter_op_threads = int(num_threads)


@export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """How many threads one op may use; 0: as the library chooses."""
    return _settings.intra_op_threads


@export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads one op may use; NumPy's own are set by its environment variables."""
    from tapeflow.jit.runtime import thread_pool
    _settings.intra_op_threads = int(num_threads)
    thread_pool.set_count(int(num_threads))


# -- the optimizer of graphs -----------------------------------------------------------------------
@export("config.optimizer.get_jit")
def get_jit() -> str:
    """"autoclustering" or ""."""
    return _settings.jit


@export("config.optimizer.set_jit")
def set_jit(enabled: bool | str) -> None:
    """Accepted; a tf.function is compiled by its own `jit_compile`."""
    if enabled in (True, "autoclustering"):
        _settings.jit = "autoclustering"
    elif not enabled:
        _settings.jit = ""


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict:
    """The options set so far."""
    return dict(_settings.optimizer)


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict) -> None:
    """Accepted: options of TensorFlow's graph optimizer, which tapeflow does not have."""
    if not isinstance(options, dict):
        raise TypeError("tf.config.optimizer.set_experimental_options: `options` must be a dict, "
                        f"got {options!r}.")
    known = {name: value for name, value in options.items() if name in _OPTIMIZERS}
    _settings.optimizer = {**known, **{name: value for name, value in _settings.optimizer.items()
                                       if name not in known}}


_OPTIMIZERS = frozenset("""
    layout_optimizer constant_folding shape_optimization remapping arithmetic_optimization
    dependency_optimization loop_optimization function_optimization debug_stripper
    disable_model_pruning scoped_allocator_optimization pin_to_host_optimization
    implementation_selector auto_mixed_precision auto_mixed_precision_onednn_bfloat16
    auto_mixed_precision_mkl disable_meta_optimizer min_graph_nodes use_plugin_optimizers
    disable_common_subgraph_elimination""".split())


# -- execution -------------------------------------------------------------------------------------
publish(functions_run_eagerly, "config.experimental_functions_run_eagerly")


@export("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """From now on one executor serves a tf.function from its first call, which compiles it, and a
    random op without a seed is a RuntimeError.

    Seeded programs give the same bits in every run without this too. With it a call gives the same
    bits whichever number it has, and threads that call a function at the same time do not matter.
    """
    seeds.require_seeds()
    settings.determinism = True


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` got; a CPU has no such format."""
    return _settings.tensor_float_32


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Accepted: a CPU has no such format."""
    _settings.tensor_float_32 = bool(enabled)


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """Whether eager ops have run when they return: always."""
    return True


@export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """How tensors of another device are handled; there is no other device."""
    return _settings.device_policy


@export("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Accepted: there is no other device."""
    if device_policy not in (None, "silent", "warn", "explicit", "silent_for_int32"):
        raise ValueError(f"tf.config.experimental.set_device_policy: unknown policy "
                         f"{device_policy!r}.")
    _settings.device_policy = device_policy or "silent"
