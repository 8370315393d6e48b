"""tf.experimental.dtensor: meshes of this process's CPUs, and tensors laid out over them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.record.families import operand
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.distribute.dtensor.device_mesh import HOST, Layout, Mesh
from tapeflow.distribute.dtensor.dtensor_variable import DVariable
from tapeflow.distribute.dtensor.sharded_tensor import (
    DTensor,
    bare,
    component,
    components,
    laid_out,
)

_logical_devices = LatePublic("config.list_logical_devices")
_set_logical_devices = LatePublic("config.set_logical_device_configuration")
_physical_devices = LatePublic("config.list_physical_devices")
_configuration = LatePublic("config.LogicalDeviceConfiguration")
_default: list[Mesh] = []


# -- meshes ----------------------------------------------------------------------------------------
@export("experimental.dtensor.create_mesh")
def create_mesh(mesh_dims: Any = None, mesh_name: str = "", devices: Any = None,
                device_type: str | None = None, use_xla_spmd: bool = False) -> Mesh:
    """A mesh of the logical CPUs of this process, in the order in which they are named."""
    if device_type is not None and device_type.upper() != "CPU":
        raise ValueError(f"tapeflow has CPUs only, no devices of type {device_type!r}")
    chosen = [one.name for one in _logical_devices("CPU")] if devices is None else list(devices)
    if mesh_dims is None:
        mesh_dims = [("x", len(chosen))]
    pairs = list(mesh_dims.items() if isinstance(mesh_dims, dict) else mesh_dims)
    sizes = [int(size) for _, size in pairs]
    count = int(np.prod(sizes))
    if count != len(chosen):
        raise ValueError(f"length of devices ({len(chosen)}) must be equal to total size of the "
                         f"mesh of shape {sizes}")
    ids = np.arange(count).reshape(sizes)
    return Mesh([name for name, _ in pairs], ids, list(ids.ravel()), chosen, mesh_name,
                use_xla_spmd=use_xla_spmd)


@export("experimental.dtensor.create_distributed_mesh")
def create_distributed_mesh(mesh_dims: Any, mesh_name: str = "", local_devices: Any = None,
                            device_type: str | None = None, use_xla_spmd: bool = False) -> Mesh:
    """A mesh over all clients of a job; there is one client, so that of `create_mesh`."""
    return create_mesh(mesh_dims, mesh_name, local_devices, device_type, use_xla_spmd)


@export("experimental.dtensor.default_mesh")
@contextlib.contextmanager
def default_mesh(mesh: Mesh) -> Iterator[None]:
    """A context in which `get_default_mesh` gives a mesh, and tensors are copied to it."""
    if not isinstance(mesh, Mesh):
        raise ValueError(f"Expect `mesh` to be `Mesh`, got {type(mesh)}")
    _default.append(mesh)
    try:
        yield
    finally:
        _default.pop()


@export("experimental.dtensor.run_on")
def run_on(mesh: Mesh) -> Any:
    """As `default_mesh`."""
    return default_mesh(mesh)


@export("experimental.dtensor.get_default_mesh")
def get_default_mesh() -> Mesh | None:
    """The mesh of the innermost `default_mesh`; None outside."""
    return _default[-1] if _default else None


# -- tensors ---------------------------------------------------------------------------------------
def _eager(where: str) -> None:
    if state.trace is not None:
        raise RuntimeError(f"`{where}` must be called eagerly.")


def _given(tensor: Any, layout: Any, where: str) -> Tensor:
    """The global value of an argument, which fits the layout."""
    if not isinstance(layout, Layout):
        raise TypeError(f"{where}: expected a Layout, got {type(layout).__name__}")
    plain = bare(operand(tensor))
    layout.check(tuple(plain.shape), where)
    return plain


@export("experimental.dtensor.copy_to_mesh")
def copy_to_mesh(tensor: Any, layout: Layout, source_layout: Layout | None = None) -> Tensor:
    """A tensor of this process as a DTensor."""
    return relayout(tensor, layout)


@export("experimental.dtensor.relayout")
def relayout(tensor: Any, layout: Layout, name: str | None = None) -> Tensor:
    """The same values in another layout, on the same mesh."""
    value = operand(tensor)
    if isinstance(value, Tensor) and value._interpreter is not None and not isinstance(
            value, DTensor):
        return value  # in a trace: layouts are those of the call
    if isinstance(value, DTensor) and isinstance(layout, Layout) and (
            value.layout.mesh != layout.mesh):
        raise errors.invalid("Relayout", "a DTensor stays on its mesh: "
                                         f"{value.layout.mesh}, not {layout.mesh}")
    return laid_out(_given(value, layout, "relayout"), layout)


@export("experimental.dtensor.relayout_like")
def relayout_like(tensor: Any, layout_tensor: Any, name: str | None = None) -> Tensor:
    """The same values in the layout of another DTensor."""
    return relayout(tensor, fetch_layout(layout_tensor))


@export("experimental.dtensor.call_with_layout")
def call_with_layout(fn: Callable, layout: Layout | None, *args: Any, **kwargs: Any) -> Any:
    """What a function gives, its tensors in a layout."""
    result = fn(*args, **kwargs)
    if layout is None:
        return result
    return nest.map_structure(
        lambda one: relayout(one, layout) if isinstance(one, Tensor) else one, result)


@export("experimental.dtensor.pack")
def pack(tensors: Sequence[Any], layout: Layout) -> Any:
    """A DTensor of the components of its devices, in the order of the mesh."""
    _eager("dtensor.pack")
    parts = [bare(operand(one)) for one in tensors]
    if len(parts) != layout.mesh.size:
        raise errors.invalid("DTensorPack", f"expected {layout.mesh.size} inputs to DTensorPack, "
                                            f"but got {len(parts)}")
    first = parts[0]
    for one in parts:
        if one.shape != first.shape or one.dtype != first.dtype:
            raise errors.invalid("DTensorPack", "components must be alike: "
                                 f"{one.dtype.name}{one.shape} and {first.dtype.name}{first.shape}")
    if layout.rank != first.shape.rank:
        raise errors.invalid("DTensorPack", f"a layout of rank {layout.rank} does not fit "
                                            f"components of shape {first.shape}")
    whole = np.empty(layout.global_shape_from_local_shape(tuple(first.shape)),
                     first._value.dtype)
    for part, at in zip(parts, layout.offset_to_shard(), strict=True):
        whole[tuple([slice(i * n, (i + 1) * n) for i, n in zip(at, tuple(first.shape),
                                                              strict=True)])] = part._value
    return laid_out(wrap(whole if whole.ndim else whole[()]), layout)


@export("experimental.dtensor.unpack")
def unpack(tensor: Any) -> Sequence[Any]:
    """The components of a DTensor, one for each device of its mesh."""
    _eager("dtensor.unpack")
    return [component(value, device) for device, value in components(_dtensor(
        tensor, "DTensorUnpack"))]


@export("experimental.dtensor.fetch_layout")
def fetch_layout(tensor: Any) -> Layout:
    """The layout of a DTensor or DVariable."""
    if isinstance(tensor, DVariable):
        return tensor.layout
    return _dtensor(tensor, "FetchLayout").layout


def _dtensor(tensor: Any, where: str) -> DTensor:
    value = operand(tensor) if isinstance(tensor, DVariable) else tensor
    if not isinstance(value, DTensor):
        raise errors.invalid(where, f"{where} expects a tensor placed on the layout device.")
    return value


@export("experimental.dtensor.is_dtensor")
def is_dtensor(tensor: Any) -> bool:
    """Whether a value is a DTensor, or a variable that holds one."""
    return isinstance(tensor, (DTensor, DVariable))


@export("experimental.dtensor.check_layout")
def check_layout(tensor: Any, layout: Layout) -> None:
    """Raise unless a DTensor has a layout."""
    found = fetch_layout(tensor)
    if found != layout:
        raise ValueError(f"Layout of tensor: {found}, did not match expected layout: {layout}")


# -- this process among the clients ----------------------------------------------------------------
@export("experimental.dtensor.initialize_accelerator_system",
        "experimental.dtensor.initialize_multi_client")
def initialize_accelerator_system(
        device_type: str | None = None, enable_coordination_service: bool | None = True,
        num_logical_cpu_devices: int | None = None,
        experimental_reset_context: bool | None = False,
        experimental_enable_megcore: bool | None = False) -> str:
    """Make the logical CPUs; the result is the type of device."""
    if device_type is not None and device_type.upper() != "CPU":
        raise ValueError(f"tapeflow has CPUs only, no devices of type {device_type!r}")
    if num_logical_cpu_devices is not None:
        _set_logical_devices(_physical_devices("CPU")[0],
                             [_configuration()] * num_logical_cpu_devices)
    return "CPU"


@export("experimental.dtensor.shutdown_accelerator_system")
def shutdown_accelerator_system() -> None:
    """Accepted: there is nothing to shut down."""


@export("experimental.dtensor.preferred_device_type")
def preferred_device_type() -> str:
    """The type of device that meshes are made of."""
    return "CPU"


@export("experimental.dtensor.local_devices")
def local_devices(device_type: str, for_client_id: int | None = None) -> list[str]:
    """The full names of the devices of a type."""
    if device_type.upper() not in ("CPU", "GPU", "TPU"):
        raise ValueError(f"Device type {device_type} is not CPU, GPU or TPU.")
    count = num_local_devices(device_type)
    return [f"{HOST}{device_type.upper()}:{i}" for i in range(count)]


@export("experimental.dtensor.num_local_devices")
def num_local_devices(device_type: str) -> int:
    """How many devices of a type this process has."""
    return len(_logical_devices("CPU")) if device_type.upper() == "CPU" else 0


@export("experimental.dtensor.num_global_devices")
def num_global_devices(device_type: str) -> int:
    """How many devices of a type all clients have."""
    return num_local_devices(device_type) * num_clients()


@export("experimental.dtensor.num_clients")
def num_clients() -> int:
    """How many processes share the meshes: one."""
    return 1


@export("experimental.dtensor.client_id")
def client_id() -> int:
    """Which of the clients this process is: the first."""
    return 0


@export("experimental.dtensor.job_name")
def job_name() -> str:
    """The name of the job."""
    return "localhost"


@export("experimental.dtensor.full_job_name")
def full_job_name(task_id: int | None = None) -> str:
    """The job and task of a client."""
    return "localhost/replica:0/task:0"


@export("experimental.dtensor.jobs")
def jobs() -> list[str]:
    """The addresses of the clients: none where there is one."""
    return []


@export("experimental.dtensor.heartbeat_enabled")
def heartbeat_enabled() -> bool:
    """Whether clients watch one another: never."""
    return False


@export("experimental.dtensor.device_name")
def device_name() -> str:
    """The device on which DTensors seem to be."""
    return f"{HOST}CUSTOM:0"


@export("experimental.dtensor.barrier")
def barrier(mesh: Mesh, barrier_name: str | None = None, timeout_in_ms: int | None = None) -> None:
    """Wait for all clients: there is one."""
