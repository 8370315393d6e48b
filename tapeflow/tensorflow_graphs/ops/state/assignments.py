"""Variables: a resource handle, or a reference, is the variable itself."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
IsVariableInitialized compat.v1.is_variable_initialized
ResourceGather gather batch_dims=batch_dims
ResourceGatherNd gather_nd
VariableShape shape out_type
""")


ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"  # TensorFlow's name of what has none


class _Passing:
    """A variable that a function makes anew in each call: what was assigned last."""

    def __init__(self, value: Any):
        self._value = value

    def read_value(self) -> Any:
        return self._value

    def assign(self, value: Any) -> None:
        self._value = value


@raw
def VarHandleOp(shared_name: str, dtype: Any, shape: Any) -> Any:
    """A variable that nothing was assigned to yet; one of each name in a graph is the reader's."""
    blank = tf.zeros([n or 0 for n in shape.as_list()] if shape.rank is not None else [], dtype)
    if shared_name == ANONYMOUS and tf.inside_function():
        return _Passing(blank)
    return tf.Variable(blank, name=shared_name or None, shape=shape, dtype=dtype)


@raw
def ReadVariableOp(resource: Any) -> Any:
    return resource.read_value()


@raw
def AssignVariableOp(resource: Any, value: Any) -> Any:
    resource.assign(value)
    return ()


@raw
def AssignAddVariableOp(resource: Any, value: Any) -> Any:
    resource.assign_add(value)
    return ()


@raw
def AssignSubVariableOp(resource: Any, value: Any) -> Any:
    resource.assign_sub(value)
    return ()


@raw
def VarIsInitializedOp(resource: Any) -> Any:
    return tf.constant(True)


@raw
def DisableCopyOnRead(resource: Any) -> Any:
    return ()


@raw
def DestroyResourceOp(resource: Any) -> Any:
    return ()


def _scatter(method: str, resource: Any, indices: Any, updates: Any) -> tuple:
    getattr(resource, method)(tf.IndexedSlices(updates, indices))
    return ()


@raw
def ResourceScatterAdd(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_add", resource, indices, updates)


@raw
def ResourceScatterSub(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_sub", resource, indices, updates)


@raw
def ResourceScatterMul(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_mul", resource, indices, updates)


@raw
def ResourceScatterDiv(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_div", resource, indices, updates)


@raw
def ResourceScatterMax(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_max", resource, indices, updates)


@raw
def ResourceScatterMin(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_min", resource, indices, updates)


@raw
def ResourceScatterUpdate(resource: Any, indices: Any, updates: Any) -> Any:
    return _scatter("scatter_update", resource, indices, updates)


@raw
def ResourceScatterNdAdd(ref: Any, indices: Any, updates: Any) -> Any:
    ref.scatter_nd_add(indices, updates)
    return ()


@raw
def ResourceScatterNdSub(ref: Any, indices: Any, updates: Any) -> Any:
    ref.scatter_nd_sub(indices, updates)
    return ()


@raw
def ResourceScatterNdUpdate(ref: Any, indices: Any, updates: Any) -> Any:
    ref.scatter_nd_update(indices, updates)
    return ()


@raw
def ResourceStridedSliceAssign(ref: Any, begin: Any, end: Any, strides: Any, value: Any,
                               begin_mask: int, end_mask: int, ellipsis_mask: int,
                               new_axis_mask: int, shrink_axis_mask: int) -> Any:
    from tapeflow.tensorflow_graphs.ops.arrays import TensorStridedSliceUpdate
    ref.assign(TensorStridedSliceUpdate(
        ref.read_value(), begin, end, strides, value, begin_mask, end_mask, ellipsis_mask,
        new_axis_mask, shrink_axis_mask))
    return ()


# -- variables of TensorFlow 1: a reference is the variable, and read where it is used -------------
@raw
def Variable(shape: Any, dtype: Any, shared_name: str) -> Any:
    return VarHandleOp(shared_name, dtype, shape)


@raw
def VariableV2(shape: Any, dtype: Any, shared_name: str) -> Any:
    return VarHandleOp(shared_name, dtype, shape)


@raw
def Assign(ref: Any, value: Any) -> Any:
    return ref.assign(value)


@raw
def AssignAdd(ref: Any, value: Any) -> Any:
    return ref.assign_add(value)


@raw
def AssignSub(ref: Any, value: Any) -> Any:
    return ref.assign_sub(value)


@raw
def ScatterUpdate(ref: Any, indices: Any, updates: Any) -> Any:
    return ref.scatter_update(tf.IndexedSlices(updates, indices))


@raw
def ScatterAdd(ref: Any, indices: Any, updates: Any) -> Any:
    return ref.scatter_add(tf.IndexedSlices(updates, indices))


@raw
def ScatterSub(ref: Any, indices: Any, updates: Any) -> Any:
    return ref.scatter_sub(tf.IndexedSlices(updates, indices))
