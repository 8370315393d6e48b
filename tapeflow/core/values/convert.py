"""From what users pass to Tensors, by TensorFlow's rules. Public: constant, convert_to_tensor.

Python scalars have TensorFlow's default dtypes (float32, int32) unless one is asked for; NumPy
values keep theirs. A Tensor is never cast silently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.primitive_ops import broadcast_to, cast, reshape, stack
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite, CompositeProxy, proxy_for
from tapeflow.core.values.tensor import Tensor, of_trace, wrap

ndarray = np.ndarray
_FLOAT32 = np.dtype("float32")
_INT32 = np.dtype("int32")
_float32 = np.float32
# The dtypes that take Python's bools, and ranges; others refuse even empty ones.
_FROM_BOOL = frozenset("bool int32 int64 uint64 float16 float32 float64".split())
_FROM_RANGE = frozenset("int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 "
                        "float32 float64 complex64 complex128".split())
_NO_RANGE_OF = frozenset(("uint8", "complex64", "complex128"))  # for `convert`, not for constants
_OVERFLOW = 3.4028235677973366e38  # where float32 rounds to infinity
_CONVERTERS: list[tuple[int, type, Callable]] = []  # by priority, then age


def register_tensor_conversion_function(base_type: Any, conversion_func: Callable,
                                        priority: int = 100) -> None:
    """Teach convert_to_tensor a class: `conversion_func(value, dtype, name, as_ref)`."""
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    _CONVERTERS.extend((priority, one, conversion_func) for one in types)
    _CONVERTERS.sort(key=lambda entry: entry[0])
    for one in types:
        if issubclass(one, Composite):
            one._becomes_tensor = True


def convert(value: Any, dtype: DType | None = None, hint: DType | None = None) -> Tensor:
    """`value` as a Tensor; of `dtype` if given, of `hint` if that loses nothing."""
    kind = type(value)
    if kind is Tensor or isinstance(value, Tensor):
        if dtype is not None and value.dtype != dtype:
            raise ValueError(f"Tensor conversion requested dtype {dtype.name} for Tensor with "
                             f"dtype {value.dtype.name}: {value!r}")
        return value
    if kind is float:
        if dtype is None:
            if hint is not None and hint.kind in "fc":
                dtype = hint
            elif -_OVERFLOW < value < _OVERFLOW:
                return wrap(_float32(value))
            else:
                return _convert(value, None, None)
        if dtype.kind in "fc":
            try:
                return wrap(dtype.as_numpy_dtype(value))
            except unsignalled(RuntimeWarning, FloatingPointError):
                pass
    return _convert(value, dtype, hint)


def _convert(value: Any, dtype: DType | None, hint: DType | None) -> Tensor:
    if isinstance(value, Composite):
        if hasattr(type(value), "__tf_tensor__"):
            return _expect(value.__tf_tensor__(dtype, None), dtype)  # type: ignore[attr-defined]
        found = registered(value, dtype)
        return proxy_for(value) if found is None else found
    if hasattr(type(value), "__tf_tensor__"):
        return _expect(value.__tf_tensor__(dtype, None), dtype)
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        if dtype is not None and dtype.name not in ("int32", "int64"):
            raise TypeError(f"Cannot convert TensorShape {value} to dtype {dtype!r}. Allowed "
                            "dtypes are tf.int32 and tf.int64.")
        sizes: list = value.as_list()
        largest = max(sizes, default=0)
        wide = dtype is None and largest > 2147483647
        if largest > 9223372036854775807:
            raise ValueError(f"Cannot convert TensorShape {value} to a Tensor of int64.")
        return wrap(np.array(sizes, np.int64 if wide else np.int32 if dtype is None else dtype.np))
    found = registered(value, dtype)
    if found is not None:
        return found
    if isinstance(value, (np.ndarray, np.generic)):
        return wrap(from_numpy(value, dtype or _useful(hint, value)))
    if hasattr(value, "__array__") and not isinstance(value, (list, tuple)):
        array = np.asarray(value)
        return wrap(from_numpy(array, dtype or _useful(hint, array)))
    if type(value) is range and value[2**31:]:  # small itself, however long; its numbers are not
        raise ValueError(f"Can't convert {value} to a Tensor: it is too long.")
    try:
        if isinstance(value, (list, tuple)) and _holds_tensors(value):
            return _pack(value, dtype or hint, dtype is not None)
    except RecursionError:
        raise ValueError("A list that is nested so deeply cannot become a Tensor.") from None
    if dtype is None and hint is not None:
        try:
            return wrap(from_python(value, hint))
        except unsignalled(TypeError, ValueError):
            pass
    if type(value) is range and dtype is not None and dtype.name in _NO_RANGE_OF:
        raise errors.invalid("Range", f"Value for attr 'Tidx' of {dtype.name} is not in the list "
                                      "of allowed values")
    return wrap(from_python(value, dtype))


def registered(value: Any, dtype: DType | None) -> Tensor | None:
    """What a function that was registered for the value's class makes of it, if there is one."""
    made = made_by_registered(value, dtype)
    return None if made is None else _expect(convert(made), dtype)


def made_by_registered(value: Any, dtype: DType | None) -> Any:
    """The same as the function made it: a composite too."""
    for _, base, function in _CONVERTERS:
        if isinstance(value, base):
            made = function(value, dtype=dtype, name=None, as_ref=False)
            if made is not NotImplemented:
                return made
    return None


def _useful(hint: DType | None, value: Any) -> DType | None:
    """NumPy operands adopt the dtype of the Tensor they meet, unless their kinds cannot mix."""
    return hint if hint is not None and value.dtype.kind in "fiubcV" and hint.kind != "O" else None


def _expect(tensor: Tensor, dtype: DType | None) -> Tensor:
    if dtype is not None and tensor.dtype != dtype:
        raise ValueError(f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
                         f"{tensor.dtype.name}: {tensor!r}")
    return tensor


def from_numpy(value: Any, dtype: DType | None) -> Any:
    """A copy of a NumPy value as a tensor's value: tensors never see later changes."""
    if value.dtype.kind in "USOT":
        return _strings(np.asarray(value), dtype)
    if dtype is None or value.dtype.kind == "V":
        try:
            dtypes.of(value.dtype)
        except unsignalled(TypeError) as error:
            raise ValueError(f"Failed to convert a NumPy array to a Tensor ({error}).") from None
    if dtype is None:
        if not isinstance(value, ndarray):
            return value
        native = value.dtype if value.dtype.isnative else value.dtype.newbyteorder("=")
        return np.array(value, native, order="C")
    if dtype is dtypes.string:
        raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype string")
    if value.dtype.kind == "c" and dtype.kind not in "cb":
        value = value.real  # as TensorFlow, for arrays
    with np.errstate(all="ignore"):
        return np.array(value, dtype.np, order="C") if isinstance(value, ndarray) else \
            value.astype(dtype.np)


def from_python(value: Any, dtype: DType | None) -> Any:
    """A Python scalar, string or nested sequence of them."""
    if value is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type "
                         "(<class 'NoneType'>) to a Tensor.")
    leaf = _first_leaf(value)
    if leaf is None and not isinstance(value, (list, tuple, range)):
        if state.trace is not None:
            raise TypeError(f"Failed to convert elements of {value!r} to Tensor. Consider casting "
                            "elements to a supported type. See https://www.tensorflow.org/api_docs/"
                            "python/tf/dtypes for supported TF dtypes.")
        raise ValueError(f"Attempt to convert a value ({value!r}) with an unsupported type "
                         f"({type(value)}) to a Tensor.")
    if isinstance(leaf, (str, bytes)):
        return _strings(_array(value, object), dtype)
    array = _array(value, None)
    if array.dtype == object:
        return _odd(value, array, dtype)
    if array.dtype.kind in "US" or (isinstance(leaf, bool) and array.dtype.kind != "b") or (
            array.dtype.kind == "c" and isinstance(leaf, (int, float))):
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")
    if dtype is None:
        return _default(array, value)
    return _cast_python(array, value, dtype)


def _default(array: np.ndarray, value: Any) -> Any:
    kind = array.dtype.kind
    if kind == "f":
        if type(value) is range:  # an empty one
            return array.astype(_INT32)
        wide = _numpy_leaf(value)
        if wide is not None:
            return array.astype(wide.dtype)[()]
        with np.errstate(all="ignore"):
            result = array.astype(_FLOAT32)
            if np.isinf(result).any() and (np.isinf(result) & np.isfinite(array)).any():
                raise ValueError(f"Can't convert Python sequence with a value out of range for "
                                 f"float32 to a Tensor: {value!r}. Ask for tf.float64.")
        return result[()]
    if kind in "iu":
        wide = _numpy_leaf(value)
        if wide is not None and wide.dtype.kind in "iu":
            return array.astype(wide.dtype)[()]
        if array.size and (array.max() > 2147483647 or array.min() < -2147483648):
            if array.dtype.kind == "u" and array.max() > 9223372036854775807:
                raise ValueError(f"Can't convert Python integer {value!r} to a Tensor: it does "
                                 "not fit int64.")
            return array.astype(np.int64)[()]
        return array.astype(_INT32)[()]
    return array[()]


def _cast_python(array: np.ndarray, value: Any, dtype: DType) -> Any:
    """Python scalars to an asked dtype: never float to int, never anything from strings."""
    kind, wanted = array.dtype.kind, dtype.kind
    if (kind == "b" or type(value) is range) and dtype.name not in (
            _FROM_BOOL if kind == "b" else _FROM_RANGE):
        shown = value if kind == "b" else 0
        raise TypeError(f"Cannot convert {shown} to EagerTensor of dtype {dtype.name}")
    losing = ((kind == "f" and wanted in "iub") or (kind == "c" and wanted != "c")
              or (kind in "iu" and wanted == "b") or wanted == "O")
    if losing and array.size and not (kind == "f" and _numpy_leaf(value) is not None):
        shown = value if not isinstance(value, (list, tuple)) else _first_leaf(value)
        raise TypeError(f"Cannot convert {shown} to EagerTensor of dtype {dtype.name}")
    with np.errstate(all="ignore"):
        return array.astype(dtype.np)[()]


def _odd(value: Any, array: np.ndarray, dtype: DType | None) -> Any:
    """What NumPy could only make an array of objects of."""
    leaves = array.ravel().tolist()
    if all(isinstance(one, int) for one in leaves):
        if dtype is not None and dtype.kind == "f":
            return array.astype(dtype.np)[()]
        raise ValueError(f"Can't convert Python sequence with out-of-range integer to Tensor: "
                         f"{value!r}")
    bad = next((one for one in leaves if not isinstance(one, (int, float, complex, str, bytes))),
               value)
    raise ValueError(f"Attempt to convert a value ({bad!r}) with an unsupported type "
                     f"({type(bad)}) to a Tensor.")


def _array(value: Any, dtype: Any) -> np.ndarray:
    try:
        return np.array(value, dtype)
    except unsignalled(ValueError) as error:
        if "inhomogeneous" in str(error) or "sequence" in str(error):
            raise ValueError("Can't convert non-rectangular Python sequence to Tensor.") from None
        raise
    except unsignalled(MemoryError):
        raise errors.exhausted("Const", f"an array of {type(value)}") from None


def _strings(array: np.ndarray, dtype: DType | None) -> Any:
    """Strings are kept as an object array of bytes."""
    if dtype is not None and dtype is not dtypes.string:
        leaf = array.ravel()[0] if array.size else ""
        raise TypeError(f"Cannot convert {leaf!r} to EagerTensor of dtype {dtype.name}"
                        if not isinstance(leaf, str) else
                        f"Cannot convert {leaf} to EagerTensor of dtype {dtype.name}")
    result = np.empty(array.shape, object)
    flat = result.reshape(-1)
    for i, one in enumerate(array.ravel().tolist()):
        if isinstance(one, str):
            try:
                one = one.encode()
            except UnicodeEncodeError as error:
                raise ValueError(f"Can't convert {one!r}: {error}") from None
        elif not isinstance(one, bytes):
            if array.dtype == object and not isinstance(one, (int, float, list)):
                raise ValueError(f"Attempt to convert a value ({one!r}) with an unsupported type "
                                 f"({type(one)}) to a Tensor.")
            raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {one!r}")
        flat[i] = one
    return result


def _first_leaf(value: Any) -> Any:
    while isinstance(value, (list, tuple, range)):
        if not len(value):
            return None
        value = value[0]
    return value if isinstance(value, (int, float, complex, str, bytes, np.generic, ndarray)) \
        else None


def _numpy_leaf(value: Any) -> Any:
    """The first leaf if it is a NumPy value: then its dtype decides."""
    leaf = _first_leaf(value)
    return leaf if isinstance(leaf, (np.generic, ndarray)) else None


def _holds_tensors(value: Sequence) -> bool:
    for one in value:
        if isinstance(one, Tensor) or hasattr(type(one), "__tf_tensor__"):
            return True
        if isinstance(one, (list, tuple)) and _holds_tensors(one):
            return True
    return False


def _pack(value: Sequence, dtype: DType | None, asked: bool = False) -> Tensor:
    """A sequence with Tensors in it is stacked; other members take the first Tensor's dtype.

    Tensors are cast only if the first one has another dtype than is asked for.
    """
    first = _first_tensor(value).dtype
    dtype = dtype or first
    asked = asked and dtype != first
    parts = [_pack(one, dtype, asked) if isinstance(one, (list, tuple)) and _holds_tensors(one)
             else convert(one, dtype if not isinstance(one, Tensor) else None) for one in value]
    for i, part in enumerate(parts):
        if part.dtype != dtype and asked and "string" in (part.dtype.name, dtype.name):
            raise errors.UnimplementedError(None, None, (
                f"Cast {part.dtype.name} to {dtype.name} is not supported [Op:Cast]"))
        if part.dtype != dtype and not asked:
            if state.trace is None and all(isinstance(one, Tensor) for one in value):
                raise errors.invalid("Pack", (
                    f"cannot compute Pack as input #{i}(zero-based) was expected to be a "
                    f"{dtype.name} tensor but is a {part.dtype.name} tensor"))
            raise TypeError(f"Cannot convert a list containing a tensor of dtype "
                            f"{part.dtype!r} to {dtype!r} (Tensor is: {part!r})")
    return stack(*[part if part.dtype == dtype else cast(part, dtype=dtype.np) for part in parts],
                 axis=0)


def _first_tensor(value: Sequence) -> Any:
    for one in value:
        if isinstance(one, Tensor) or hasattr(type(one), "__tf_tensor__"):
            return one
        if isinstance(one, (list, tuple)) and _holds_tensors(one):
            return _first_tensor(one)
    raise AssertionError("no tensor in the sequence")


@export("convert_to_tensor")
def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None,
                      name: str | None = None) -> Tensor:
    """`value` (array, number, list, variable …) as a Tensor; a Tensor is returned as it is."""
    tensor = convert(value, None if dtype is None else dtypes.as_dtype(dtype),
                     None if dtype_hint is None else dtypes.as_dtype(dtype_hint))
    if type(tensor) is CompositeProxy:
        raise tensor._composite._refusal()
    if tensor is not value and state.trace is not None:
        state.trace.note_constant(tensor, name or "Const")
    return tensor


@export("experimental.dlpack.to_dlpack")
def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule that shares the tensor's memory."""
    return convert(tf_tensor).__dlpack__()


@export("experimental.dlpack.from_dlpack")
def from_dlpack(dlcapsule: Any) -> Tensor:
    """A tensor over the memory of a DLPack capsule (or of anything with `__dlpack__`)."""
    source = dlcapsule if hasattr(dlcapsule, "__dlpack__") else _Capsule(dlcapsule)
    return wrap(np.from_dlpack(source))


class _Capsule:
    """Gives a bare capsule the protocol that NumPy asks for."""

    def __init__(self, capsule: Any):
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@export("constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor of constant value; `shape` fills a scalar out or reshapes."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    traced = state.trace is not None
    if traced and _symbolic(value):
        raise TypeError("tf.constant: Expected any non-tensor type, but got a tensor instead: a "
                        "symbolic one has no value to make a constant of. Use "
                        "tf.convert_to_tensor or tf.stack.")
    if isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__"):
        tensor = convert(value)
        if wanted is not None and tensor.dtype != wanted:
            raise TypeError(f"Expected tensor {tensor!r} with dtype {wanted!r}, but got dtype "
                            f"{tensor.dtype!r}.")
    elif wanted is not None and isinstance(value, np.bool_) and wanted.kind in "iufc":
        tensor = wrap(wanted.as_numpy_dtype(value))
    else:
        tensor = convert(value, wanted)
    if type(tensor) is CompositeProxy:
        raise tensor._composite._refusal()
    if traced and tensor is not value:
        of_trace(tensor, name)
    if shape is None:
        return tensor
    wanted_shape = tuple(int(n) for n in shape_tuple(shape))
    size = prod(wanted_shape)
    if tensor._value.shape == wanted_shape:
        return tensor
    if tensor._value.size == size:
        return reshape(tensor, shape=wanted_shape)
    if tensor._value.size == 1:
        return broadcast_to(reshape(tensor, shape=()), shape=wanted_shape)
    raise TypeError(f"Eager execution of tf.constant with unsupported shape. Tensor {tensor!r} "
                    f"(converted from {value!r}) has {tensor._value.size} elements, but got "
                    f"`shape` {wanted_shape} with {size} elements).")


def _symbolic(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_symbolic(one) for one in value)
    return isinstance(value, Tensor) and value._interpreter is not None


def shape_tuple(shape: Any) -> Any:
    """A shape argument as a tuple of ints; a symbolic one stays a Tensor."""
    if type(shape) is tuple or type(shape) is list:
        for n in shape:
            if type(n) is not int:
                break
        else:
            return tuple(shape)
    if isinstance(shape, Tensor):
        if shape._interpreter is not None:
            return shape
        return tuple(int(n) for n in np.atleast_1d(_integers(shape._value)))
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    if hasattr(shape, "as_list"):
        return tuple(shape.as_list())
    if isinstance(shape, (list, tuple)):
        if any(isinstance(n, Tensor) and n._interpreter is not None for n in shape):
            return convert(shape)
        return tuple(_dimension(n) for n in shape)
    return tuple(int(n) for n in np.atleast_1d(_integers(convert(shape)._value)))


def _integers(value: Any) -> Any:
    if value.dtype.kind not in "iu" and value.size:
        raise TypeError(f"A shape must hold integers, got dtype {value.dtype}")
    return value


def _dimension(n: Any) -> int | None:
    if n is None:
        return None
    try:
        return n.__index__()
    except unsignalled(AttributeError, TypeError):
        raise TypeError(f"Dimension value must be integer or None or have an __index__ method, "
                        f"got value {n!r} with type {type(n)!r}") from None
