"""Symbolic tensors: what Python computes with while a function is traced."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import from_handler
from tapeflow.base.shapes import TensorShape
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, TensorBase, wrap
from tapeflow.graph import ir
from tapeflow.graph.tracing.partial_values import partial
from tapeflow.ops.array.shape_ops import shape_op


def shape_tuple(shape: TensorShape) -> tuple | None:
    """A shape as Values have it: None for an unknown rank, or for an unknown size."""
    return None if shape.rank is None else tuple(shape.as_list())


class _Range(NamedTuple):
    """A slice of an index as a structure: its bounds may be tensors."""

    start: Any
    stop: Any
    step: Any


def _indexed(x: Tensor, items: list) -> Tensor:
    return x[tuple([slice(*item) if isinstance(item, _Range) else item for item in items])]


class Symbolic(Tensor):
    """A tensor of a graph under construction: shape and dtype are known, the value is not."""

    __slots__ = ("_interpreter", "_ir")
    _ir: ir.Value

    @property
    def _value(self) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This error may "
            "indicate that you're trying to pass a Tensor to a NumPy call, which is not supported.")

    @property
    def shape(self) -> TensorShape:
        shape = self._ir.shape
        for size in shape or ():
            if type(size) is not int and size is not None:
                return TensorShape(shape)
        return TensorShape._of(shape)

    @property
    def dtype(self) -> DType:
        return tf_dtypes.of(self._ir.dtype)

    @property
    def ndim(self) -> int | None:  # type: ignore[override]
        return None if self._ir.shape is None else len(self._ir.shape)

    @property
    def name(self) -> str:
        value = self._ir
        if not value.name:
            value.name = self._interpreter.name_of(value)
        return value.name if ":" in value.name else f"{value.name}:{value.index}"

    @property
    def op(self) -> Any:
        return self._interpreter.operation_of(self._ir)

    @property
    def graph(self) -> Any:
        return self._interpreter

    @property
    def device(self) -> str:
        return ""

    def set_shape(self, shape: Any) -> None:
        self._ir.shape = shape_tuple(self.shape.merge_with(shape))

    def _partial(self) -> Any:
        """What is known of the value, of an integer tensor."""
        return partial(self._ir)

    def _dynamic_shape(self) -> Tensor:
        """The shape as a tensor, where parts of it are unknown."""
        return shape_op(self, dtype=np.dtype("int32"))

    @property
    def numpy(self) -> Any:
        raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._value

    __bool__ = TensorBase.__bool__

    def __len__(self) -> int:
        shape = self._ir.shape
        if shape is None or not shape or shape[0] is None:
            raise TypeError(f"len is not well defined for a symbolic Tensor ({self.name}). Please "
                            "call `x.shape` rather than `len(x)` for shape information.")
        return shape[0]

    def __iter__(self) -> Any:
        raise errors.OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. You can attempt the following "
            "resolutions to the problem: iterate in a `for` statement of a function that AutoGraph "
            "converts (decorate it with @tf.function), or use tf.unstack.")

    def _scalar_refused(self) -> Any:
        raise TypeError(f"Cannot turn the symbolic tensor {self.name} into a Python number while a "
                        "tf.function is traced.")

    __int__ = __float__ = __complex__ = __index__ = _scalar_refused

    def __getitem__(self, key: Any) -> Tensor:
        node = self._ir.node
        if type(key) is int and node is not None and node.op is shape_op.op:
            sizes = node.inputs[0].shape  # of a shape that is known in part
            if sizes is not None and -len(sizes) <= key < len(sizes) and sizes[key] is not None:
                return wrap(self._ir.dtype.type(sizes[key]))
        try:
            return Tensor.__getitem__(self, key)
        except Exception as error:
            if self._ir.shape is not None or from_handler(error) or state.trace is None:
                raise
            items = key if isinstance(key, (tuple, list)) else (key,)
            ranges = [_Range(x.start, x.stop, x.step) if type(x) is slice else x for x in items]
            return state.trace.defer_call(_indexed, (self, ranges), {}, error)

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value in a session, of a tensor of a tf.Graph."""
        return self._interpreter.evaluate(self, feed_dict, session)

    def __hash__(self) -> int:
        if self._interpreter.home_graph() is self._interpreter:  # keys of what sessions are fed
            return id(self)
        return Tensor.__hash__(self)

    def __copy__(self) -> Tensor:
        return self

    def __str__(self) -> str:
        shape = "" if self._ir.shape is None else f" shape={self.shape},"
        return f'Tensor("{self.name}",{shape} dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self):
        raise TypeError("A symbolic tensor cannot be pickled or copied out of its tf.function.")


Symbolic.__name__ = Symbolic.__qualname__ = "SymbolicTensor"
Symbolic.__module__ = "tensorflow.python.framework.ops"
