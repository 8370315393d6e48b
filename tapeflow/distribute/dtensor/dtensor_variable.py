"""DVariable: a variable with a layout, which never changes."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.distribute.dtensor.device_mesh import Layout
from tapeflow.distribute.dtensor.sharded_tensor import DTensor, laid_out


@export("experimental.dtensor.DVariable")
class DVariable(Variable):
    """A variable whose value is a DTensor; its layout is that of the initial value, or `layout`."""

    __slots__ = ()
    layout: Layout

    def __init__(self, initial_value: Any, *args: Any, layout: Layout | None = None,
                 **kwargs: Any):
        if callable(initial_value) and not isinstance(initial_value, Tensor):
            initial_value = initial_value()
        if not isinstance(initial_value, DTensor):
            if layout is None:
                raise errors.InvalidArgumentError(
                    None, None, "Neither layout nor DTensor initial value are provided.")
            dtype = kwargs.get("dtype")
            initial_value = laid_out(convert(
                initial_value, None if dtype is None else dtypes.as_dtype(dtype)), layout)
        self.layout = initial_value.layout
        self.save_as_bf16 = False
        kwargs.pop("collections", None)  # of graphs, which have no DTensors
        super().__init__(initial_value, *args, **kwargs)

    def _swap(self, value: Any) -> None:
        super()._swap(value)
        self._snapshot = laid_out(self._snapshot, self.layout)

    def _replace(self, before: Tensor, value: Any) -> bool:
        done = super()._replace(before, value)
        if done:
            self._snapshot = laid_out(self._snapshot, self.layout)
        return done

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None,
               read_value: bool = True) -> Any:
        """Replace the value; a DTensor of another layout is refused."""
        given = getattr(value, "layout", None)
        if isinstance(given, Layout) and given.mesh != self.layout.mesh:
            raise errors.invalid("AssignVariableOp", (
                f"Attempted to overwrite an existing variable's layout {self.layout} with that "
                f"of another mesh: {given}."))
        return super().assign(value, use_locking, name, read_value)

    def __repr__(self) -> str:
        return (f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
                f"value={laid_out(self._snapshot, self.layout)._text()}, "
                f'layout="{self.layout.to_string()}">')

    __str__ = __repr__

