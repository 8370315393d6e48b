"""DTensors: a global value with a layout, and the components that its devices would hold.

An op that meets one runs on the global values; its results are DTensors again, laid out by
`layout_rules.py`. Tapes know the global values by the DTensors' own identity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors, formatting
from tapeflow.core.record.op import Op, shape_of
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.distribute.dtensor.device_mesh import HOST, Layout
from tapeflow.distribute.dtensor.layout_rules import result_specs

_new = object.__new__


class _Placement:
    """Runs ops on tensors of a mesh or of one of its devices."""

    level = -1  # traces and batches come first: they take the global value

    def run(self, op: Op, xs: tuple, attrs: dict[str, Any]) -> Any:
        plain = tuple([bare(x) for x in xs])
        layouts = [x.layout if isinstance(x, DTensor) else None for x in xs]
        meshes = {one.mesh for one in layouts if one is not None}
        if len(meshes) > 1:
            raise errors.invalid(op.tf_name, "DTensors of different meshes meet: "
                                 + "; ".join(sorted(str(one) for one in meshes)))
        ys = op.call(*plain, **attrs)
        if not meshes:
            return ys
        mesh, results = meshes.pop(), ys if op.multi else (ys,)
        if not all(type(y) is Tensor for y in results):
            return ys
        specs = result_specs(op, [x._value for x in plain], layouts, attrs,
                             [shape_of(y) for y in results])
        made = tuple([laid_out(y, Layout(one, mesh)) for y, one in zip(results, specs,
                                                                      strict=True)])
        return made if op.multi else made[0]


_PLACEMENT = _Placement()


class _Placed(Tensor):
    """A tensor that is not of the one device."""

    __slots__ = ()
    _interpreter = _PLACEMENT

    @property
    def _global(self) -> Tensor:
        """The value as a plain tensor, which tapes take for the same one."""
        tensor = wrap(self._value)
        tensor._uid = self._uid
        return tensor


class DTensor(_Placed):
    """A tensor over a mesh of devices; `_value` is the global one."""

    __slots__ = ("layout",)
    layout: Layout

    @property
    def device(self) -> str:
        return f"{HOST}CUSTOM:0"

    def numpy(self) -> Any:
        """The value; only one that every device has can be had as an array."""
        self._refuse_parts()
        return super().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._refuse_parts()
        return super().__array__(dtype, copy)

    def _refuse_parts(self) -> None:
        if not self.layout.is_fully_replicated():
            raise errors.UnimplementedError(None, None, (
                "Trying to copy a non-single-device and non-replicated DTensor is not supported. "
                f"Input tensor is: {self!s}. Use tf.experimental.dtensor.relayout to a replicated "
                "layout first."))

    def _text(self) -> str:
        if self.layout.is_fully_replicated():
            return formatting.print_text(self._value, self.dtype)
        parts = [f'"CPU:{device.rpartition(":")[2]}": {formatting.print_text(part, self.dtype)}'
                 for device, part in components(self)]
        return "{" + ", ".join(parts) + "}"

    def __str__(self) -> str:
        return (f'tf.Tensor({self._text()}, layout="{self.layout.to_string()}", '
                f"shape={self.shape}, dtype={self.dtype.name})")

    def __repr__(self) -> str:
        return (f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, "
                f'value={self._text()}, layout="{self.layout.to_string()}">')


class Component(_Placed):
    """What one device holds of a DTensor."""

    __slots__ = ("_device",)
    _device: str

    @property
    def device(self) -> str:
        return self._device


for _class in (DTensor, Component):
    _class.__name__ = _class.__qualname__ = "EagerTensor"
    _class.__module__ = "tensorflow.python.framework.ops"


def bare(x: Any) -> Any:
    """The global value of an operand that has one, else the operand."""
    return x._global if isinstance(x, _Placed) else x


def laid_out(tensor: Tensor, layout: Layout) -> DTensor:
    """A tensor as a DTensor, which tapes take for the same one."""
    made = _new(DTensor)
    made._value, made._uid, made.layout = tensor._value, tensor._uid, layout
    return made


def components(tensor: DTensor) -> list[tuple[str, Any]]:
    """Each device, and the part of the value that it holds."""
    layout, value = tensor.layout, tensor._value
    sizes = layout.local_shape_from_global_shape(value.shape)
    found = []
    for device, at in zip(layout.mesh.local_devices(), layout.offset_to_shard(), strict=True):
        key = tuple([slice(i * n, (i + 1) * n) for i, n in zip(at, sizes, strict=True)])
        found.append((device, value[key] if key else value))
    return found


def component(value: Any, device: str) -> Component:
    """The tensor of one device."""
    made = _new(Component)
    made._value, made._uid, made._device = value, 0, device
    return made
