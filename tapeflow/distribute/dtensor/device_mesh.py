"""Meshes of devices and layouts of tensors over them: names, sizes, texts. No tensors here."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exports import export, publish

UNSHARDED = "unsharded"
MATCH = "match"
HOST = "/job:localhost/replica:0/task:0/device:"
publish(UNSHARDED, "experimental.dtensor.UNSHARDED")
publish(MATCH, "experimental.dtensor.MATCH")


class MeshDimension(NamedTuple):
    """A dimension of a mesh."""

    name: str
    size: int


@export("experimental.dtensor.Mesh")
class Mesh:
    """Devices in a grid whose dimensions have names."""

    def __init__(self, dim_names: list[str], global_device_ids: Any, local_device_ids: Any,
                 local_devices: Any, mesh_name: str = "", global_devices: Any = None,
                 use_xla_spmd: bool = False):
        ids = np.asarray(global_device_ids)
        if ids.ndim != len(dim_names):
            raise ValueError("The rank of the device id array must be the number of dimension "
                             f"names: {ids.ndim} and {len(dim_names)}.")
        if len(set(dim_names)) != len(dim_names):
            raise ValueError(f"Duplicate mesh dimension names: {list(dim_names)}")
        if not dim_names:
            raise ValueError("A mesh needs at least one dimension.")
        if ids.size != len(local_devices):
            raise ValueError(f"length of devices ({len(local_devices)}) must be equal to total "
                             f"size of the mesh of shape {list(ids.shape)}")
        if use_xla_spmd:
            raise ValueError("tapeflow has no XLA to partition programs with: use_xla_spmd=False")
        self._names, self._ids, self._name = list(dim_names), ids, mesh_name
        self._devices = [full_name(device) for device in local_devices]

    # -- what it is --------------------------------------------------------------------------------
    @property
    def dim_names(self) -> list[str]:
        """The names of the dimensions."""
        return list(self._names)

    @property
    def name(self) -> str:
        """The name of the mesh."""
        return self._name

    @property
    def size(self) -> int:
        """The number of devices."""
        return int(self._ids.size)

    @property
    def strides(self) -> list[int]:
        """How far apart neighbours along each dimension are in the list of devices."""
        return [int(np.prod(self._ids.shape[i + 1:])) for i in range(self._ids.ndim)]

    def shape(self) -> list[int]:
        """The sizes of the dimensions."""
        return list(self._ids.shape)

    def dim_size(self, dim_name: str) -> int:
        """The size of a dimension."""
        if dim_name not in self._names:
            raise ValueError(f'"{dim_name}" not a dimension name in current mesh. Dimension '
                             f"names: {self._names}.")
        return int(self._ids.shape[self._names.index(dim_name)])

    def __getitem__(self, dim_name: str) -> MeshDimension:
        """A dimension by its name, with its size."""
        if dim_name not in self._names:
            raise KeyError(f'Dimension {dim_name} not defined in mesh: {self._names}')
        return MeshDimension(dim_name, self.dim_size(dim_name))

    def use_xla_spmd(self) -> bool:
        """Whether XLA partitions programs: there is none."""
        return False

    def contains_dim(self, dim_name: str) -> bool:
        """Whether there is a dimension of this name."""
        return dim_name in self._names

    def device_type(self) -> str:
        """What its devices are."""
        return "CPU"

    def is_remote(self) -> bool:
        """Whether devices are elsewhere: never."""
        return False

    def is_single_device(self) -> bool:
        """Whether it is a device without dimensions: never."""
        return False

    def local_devices(self) -> list[str]:
        """The full names of the devices."""
        return list(self._devices)

    def global_devices(self) -> list[str]:
        """The full names of devices of other processes: none."""
        return []

    def local_device_ids(self) -> list[int]:
        """The ids of the devices."""
        return [int(one) for one in self._ids.ravel()]

    def global_device_ids(self) -> np.ndarray:
        """The ids of the devices, in the grid."""
        return self._ids

    def min_global_device_id(self) -> int:
        """The smallest id."""
        return int(self._ids.min())

    def num_local_devices(self) -> int:
        """The number of devices of this process: all."""
        return len(self._devices)

    def local_device_locations(self) -> list[dict[str, int]]:
        """Where each device is: its position along each dimension."""
        return [dict(zip(self._names, map(int, at), strict=True))
                for at in np.ndindex(*self._ids.shape)]

    def device_location(self, device_id: int) -> dict[str, int]:
        """Where one device is."""
        return self.local_device_locations()[self.local_device_ids().index(device_id)]

    def unravel_index(self) -> dict[int, dict[str, int]]:
        """Where each device is, by its place in the list."""
        return dict(enumerate(self.local_device_locations()))

    def coords(self, device_idx: int) -> Any:
        """The position of a device along each dimension, as a tensor."""
        from tapeflow.core.values.convert import convert
        return convert([int(i) for i in np.unravel_index(device_idx, self._ids.shape)])

    def host_mesh(self) -> Mesh:
        """The mesh of the CPUs beside the devices: this one."""
        return self

    # -- text --------------------------------------------------------------------------------------
    def to_string(self) -> str:
        """All of it as a text, for `from_string`."""
        sizes = ",".join(f"{name}={n}" for name, n in zip(self._names, self._ids.shape,
                                                          strict=True))
        ids = ",".join(map(str, self.local_device_ids()))
        return f"{self._name}|{sizes}|{ids}|{ids}|{','.join(self._devices)}"

    @classmethod
    def from_string(cls, mesh_str: str) -> Mesh:
        """The mesh of a text."""
        parts = mesh_str.split("|")
        if len(parts) < 5:
            raise ValueError(f"Mesh.from_string: not the text of a mesh: {mesh_str!r}")
        name, sizes, ids, _, devices = parts[:5]
        pairs = [one.split("=") for one in sizes.split(",")]
        grid = np.array([int(one) for one in ids.split(",")]).reshape([int(n) for _, n in pairs])
        return cls([dim for dim, _ in pairs], grid, list(grid.ravel()), devices.split(","), name)

    def __repr__(self) -> str:
        return f"Mesh.from_string({self.to_string()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __reduce__(self) -> tuple:
        return Mesh.from_string, (self.to_string(),)


def full_name(device: Any) -> str:
    """A device with its job, as tensors name it."""
    text = device if isinstance(device, str) else device.to_string()
    kind, _, index = text.rpartition("device:")[2].lstrip("/").partition(":")
    if kind.upper() != "CPU":
        raise ValueError(f"tapeflow has CPUs only, no device {text!r}")
    return f"{HOST}CPU:{int(index or 0)}"


@export("experimental.dtensor.Layout")
class Layout:
    """Which mesh dimension each axis of a tensor is divided along, or UNSHARDED."""

    def __init__(self, sharding_specs: list[str], mesh: Mesh):
        if not isinstance(mesh, Mesh):
            raise ValueError(f"mesh is not a valid Mesh object: {mesh!r}")
        specs = list(sharding_specs)
        for spec in specs:
            if spec != UNSHARDED and not mesh.contains_dim(spec):
                raise ValueError(f"{spec}: A dimension sharding must either be a valid mesh "
                                 "dimension or UNSHARDED.")
            if spec != UNSHARDED and specs.count(spec) > 1:
                raise ValueError(f"Mesh dimension {spec} was repeated in sharding specification "
                                 f"{specs}. Mesh dimensions must be unique in a layout.")
        self._specs, self._mesh = specs, mesh

    @property
    def sharding_specs(self) -> list[str]:
        """A mesh dimension, or UNSHARDED, for each axis."""
        return list(self._specs)

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self._mesh

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self._specs)

    @property
    def shape(self) -> list[int]:
        """The sizes of the mesh."""
        return self._mesh.shape()

    def num_shards(self, idx: int) -> int:
        """Into how many parts an axis is divided."""
        spec = self._specs[idx]
        return 1 if spec == UNSHARDED else self._mesh.dim_size(spec)

    def is_fully_replicated(self) -> bool:
        """Whether every device has all of the tensor."""
        return all(self.num_shards(i) == 1 for i in range(self.rank))

    def is_batch_parallel(self) -> bool:
        """Whether the first axis alone is divided."""
        return bool(self._specs) and self._specs[0] != UNSHARDED and all(
            spec == UNSHARDED for spec in self._specs[1:])

    def is_single_device(self) -> bool:
        """Whether it belongs to one device without a mesh: never."""
        return False

    def delete(self, dims: list[int]) -> Layout:
        """The layout without some axes."""
        gone = {dim % self.rank for dim in dims}
        return Layout([one for i, one in enumerate(self._specs) if i not in gone], self._mesh)

    @classmethod
    def replicated(cls, mesh: Mesh, rank: int) -> Layout:
        """Every device has all of the tensor."""
        return cls([UNSHARDED] * rank, mesh)

    @classmethod
    def batch_sharded(cls, mesh: Mesh, batch_dim: str, rank: int, axis: int = 0) -> Layout:
        """One axis, the first, is divided."""
        specs = [UNSHARDED] * rank
        specs[axis] = batch_dim
        return cls(specs, mesh)

    @classmethod
    def inner_sharded(cls, mesh: Mesh, inner_dim: str, rank: int) -> Layout:
        """The last axis is divided."""
        return cls.batch_sharded(mesh, inner_dim, rank, axis=rank - 1)

    # -- parts -------------------------------------------------------------------------------------
    def offset_to_shard(self) -> list[tuple]:
        """For each device which part of each axis it has."""
        return [tuple(at.get(spec, 0) for spec in self._specs)
                for at in self._mesh.local_device_locations()]

    def offset_tuple_to_global_index(self, offset_tuple: tuple) -> int:
        """The number of a part among all, counted row by row."""
        sizes = tuple(self.num_shards(i) for i in range(self.rank))
        return int(np.ravel_multi_index(offset_tuple, sizes)) if sizes else 0

    def global_shape_from_local_shape(self, local_shape: Any) -> tuple:
        """The shape of a tensor whose parts have this one."""
        return tuple(n * self.num_shards(i) for i, n in enumerate(local_shape))

    def local_shape_from_global_shape(self, global_shape: Any) -> tuple:
        """The shape of the parts of a tensor of this one."""
        return tuple(n // self.num_shards(i) for i, n in enumerate(global_shape))

    def check(self, shape: tuple, where: str) -> None:
        """Raise unless a tensor of this shape can be laid out so."""
        if len(shape) != self.rank:
            raise ValueError(f"{where}: a layout of rank {self.rank} does not fit a tensor of "
                             f"shape {tuple(shape)}.")
        for axis, size in enumerate(shape):
            if size % self.num_shards(axis):
                raise ValueError(f"{where}: dimension {axis} of size {size} is not divisible by "
                                 f"the {self.num_shards(axis)} shards of "
                                 f"{self._specs[axis]!r}.")

    # -- text --------------------------------------------------------------------------------------
    def to_string(self) -> str:
        """All of it as a text, for `from_string`."""
        return f"sharding_specs:{','.join(self._specs)}, mesh:{self._mesh.to_string()}"

    @classmethod
    def from_string(cls, layout_str: str) -> Layout:
        """The layout of a text."""
        specs, found, mesh = layout_str.removeprefix("sharding_specs:").partition(", mesh:")
        if not found:
            raise ValueError(f"Layout.from_string: not the text of a layout: {layout_str!r}")
        return cls([one for one in specs.split(",") if one], Mesh.from_string(mesh))

    def __repr__(self) -> str:
        return f"Layout.from_string({self.to_string()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and (
            self._specs == other._specs and self._mesh == other._mesh)

    def __hash__(self) -> int:
        return hash((tuple(self._specs), self._mesh))

    def __reduce__(self) -> tuple:
        return Layout.from_string, (self.to_string(),)
