"""Element types: `DType`, its instances, and the lookups that lead to them.

Imports NumPy and what imports nothing; any layer may import it. Each type exists once, so `is`
compares them. NumPy has no bfloat16, float8 or int4: these come from `ml_dtypes`, which is imported
when such a type is first used, not before (it would cost a tenth of the package's start). One trap:
NumPy says `np.dtype(bfloat16).kind == "V"`, while `bfloat16.kind` here is "f"; ask the DType.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled

_set = object.__setattr__
_FROM_ML_DTYPES = frozenset(
    ("bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz")
    + ("float8_e5m2fnuz", "float4_e2m1fn", "int4", "uint4", "int2", "uint2")
)
_QUANTIZED = frozenset(("qint8", "quint8", "qint16", "quint16", "qint32"))
_BY_ENUM: dict[int, DType] = {}
_BY_NAME: dict[str, DType] = {}


class DType:
    """The type of a tensor's elements, such as `tf.float32`.

    `np` is the NumPy dtype, `as_numpy_dtype` the NumPy scalar type, and `kind` NumPy's letter for
    the family: f, i, u, b, c, O (string), V (resource, variant).
    """

    __slots__ = (
        "__weakref__",
        "_hash",
        "as_datatype_enum",
        "as_numpy_dtype",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_integer",
        "is_numeric",
        "is_unsigned",
        "kind",
        "name",
        "np",
        "size",
    )

    name: str
    kind: str
    size: int
    as_datatype_enum: int
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_unsigned: builtins.bool
    is_complex: builtins.bool
    is_bool: builtins.bool
    is_numeric: builtins.bool
    np: np.dtype
    as_numpy_dtype: Any
    _hash: int

    def __new__(cls, type_enum: int) -> DType:
        try:
            return _BY_ENUM[int(type_enum)]
        except KeyError:
            raise TypeError(
                f"{type_enum} does not correspond to a valid tensorflow::DataType"
            ) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} is immutable: cannot set its attribute {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self!r} is immutable: cannot delete its attribute {name!r}")

    def __getattr__(self, name: str) -> Any:
        # Only reached while a slot is empty: the NumPy side of an ml_dtypes type, at first use.
        if name not in ("np", "as_numpy_dtype"):
            raise AttributeError(f"'DType' object has no attribute {name!r}")
        if self.is_quantized:
            raise TypeError(f"{self!r} is a name only: there are no tensors of quantized types.")
        if self.name not in _FROM_ML_DTYPES:
            # TensorFlow raises KeyError for as_numpy_dtype here, and TypeError in ops; so do we.
            kind = KeyError if name == "as_numpy_dtype" else TypeError
            raise kind(f"{self!r} has no NumPy equivalent")
        import ml_dtypes

        _link_numpy(self, np.dtype(getattr(ml_dtypes, self.name)))
        return getattr(self, name)

    @property
    def is_quantized(self) -> builtins.bool:
        return self.name in _QUANTIZED

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        return self.kind != "V"

    @property
    def base_dtype(self) -> DType:
        return self

    @property
    def real_dtype(self) -> DType:
        """The type of the real and imaginary parts; a type that is not complex is its own."""
        if self.kind != "c":
            return self
        return float32 if self is complex64 else float64

    @property
    def min(self) -> Any:
        """The smallest finite value: a Python int, or a NumPy scalar for floating types."""
        return self._info("minimum").min

    @property
    def max(self) -> Any:
        """The largest finite value: a Python int, or a NumPy scalar for floating types."""
        return self._info("maximum").max

    def _info(self, wanted: str) -> Any:
        if self.kind not in "fiu":
            raise TypeError(f"Cannot find {wanted} value of {self}.")
        limits: Any = np
        if self.name in _FROM_ML_DTYPES:
            import ml_dtypes

            limits = ml_dtypes
        return (limits.finfo if self.kind == "f" else limits.iinfo)(self.np)

    @property
    def limits(self) -> tuple[Any, Any]:
        """Range of values as images use it: (0, max) for integers, (0, 1) for floating types."""
        if self is float32 or self is float64:
            return 0, 1
        if self.kind == "b":
            return 0, True
        if self.kind in "iu" and self.is_numeric:
            return 0, self.max
        if self.kind == "V" and not self.is_quantized:
            raise KeyError(f"{self!r} has no NumPy equivalent, so no limits")
        raise ValueError(f"{self} does not have defined limits.")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        return self is as_dtype(other)

    def is_subtype_of(self, other: Any) -> builtins.bool:
        return self == other

    def most_specific_common_supertype(self, types: Any) -> DType | None:
        return self if all(self == other for other in types) else None

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or type(other) is DType:
            return False
        try:
            return self is as_dtype(other)
        except unsignalled(Exception):
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self.__eq__(other)

    def __hash__(self) -> int:
        return self._hash

    def __int__(self) -> int:
        return self.as_datatype_enum

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple:
        return as_dtype, (self.name,)


DType.__module__ = "tensorflow.python.framework.dtypes"  # libraries tell kinds of values by it


def _link_numpy(dtype: DType, numpy_dtype: np.dtype) -> None:
    _set(dtype, "np", numpy_dtype)
    _set(dtype, "as_numpy_dtype", object if dtype.kind == "O" else numpy_dtype.type)
    _OF[numpy_dtype] = dtype
    _AS[numpy_dtype.type] = dtype


def _make(name: str, enum: int, kind: str, size: int) -> DType:
    self = object.__new__(DType)
    _set(self, "name", name)
    _set(self, "kind", kind)
    _set(self, "size", size)
    _set(self, "as_datatype_enum", enum)
    _set(self, "_hash", enum)
    _set(self, "is_floating", kind == "f")
    _set(self, "is_integer", kind in "iu")
    _set(self, "is_unsigned", kind == "u")
    _set(self, "is_complex", kind == "c")
    _set(self, "is_bool", kind == "b")
    narrow = name in _FROM_ML_DTYPES and name != "bfloat16"
    _set(self, "is_numeric", kind in "fiuc" and not narrow)
    _BY_ENUM[enum] = _BY_NAME[name] = _AS[name] = _AS[enum] = self
    if kind != "V" and name not in _FROM_ML_DTYPES:
        _link_numpy(self, np.dtype(object if kind == "O" else name))
    return self


class _ByNumpyDtype(dict):
    """np.dtype -> DType; spellings not met before (byte orders, S7, ml_dtypes) resolve once."""

    def __missing__(self, key: Any) -> DType:
        if not isinstance(key, np.dtype):
            raise TypeError(f"Expected a NumPy dtype, got {key!r} of {type(key)}.")
        if key.kind in "SU":  # endless lengths: not worth remembering
            return string
        found = _BY_NAME.get(key.name) if key.fields is None and key.subdtype is None else None
        if found is None or found.kind == "V" or found.kind == "O":
            raise TypeError(f"NumPy dtype {key!r} has no TensorFlow equivalent.")
        self[key] = found
        return found


_OF = _ByNumpyDtype()
_AS: dict[Any, DType] = {}

# The numbers are those of TensorFlow's DataType enum: saved models and other programs hold them.
float32 = _make("float32", 1, "f", 4)
float64 = _make("float64", 2, "f", 8)
int32 = _make("int32", 3, "i", 4)
uint8 = _make("uint8", 4, "u", 1)
int16 = _make("int16", 5, "i", 2)
int8 = _make("int8", 6, "i", 1)
string = _make("string", 7, "O", 0)
complex64 = _make("complex64", 8, "c", 8)
int64 = _make("int64", 9, "i", 8)
bool = _make("bool", 10, "b", 1)
bfloat16 = _make("bfloat16", 14, "f", 2)
uint16 = _make("uint16", 17, "u", 2)
complex128 = _make("complex128", 18, "c", 16)
float16 = _make("float16", 19, "f", 2)
resource = _make("resource", 20, "V", 0)
variant = _make("variant", 21, "V", 0)
uint32 = _make("uint32", 22, "u", 4)
uint64 = _make("uint64", 23, "u", 8)
float8_e5m2 = _make("float8_e5m2", 24, "f", 1)
float8_e4m3fn = _make("float8_e4m3fn", 25, "f", 1)
float8_e4m3fnuz = _make("float8_e4m3fnuz", 26, "f", 1)
float8_e4m3b11fnuz = _make("float8_e4m3b11fnuz", 27, "f", 1)
float8_e5m2fnuz = _make("float8_e5m2fnuz", 28, "f", 1)
int4 = _make("int4", 29, "i", 1)
uint4 = _make("uint4", 30, "u", 1)
int2 = _make("int2", 31, "i", 1)
uint2 = _make("uint2", 32, "u", 1)
float4_e2m1fn = _make("float4_e2m1fn", 33, "f", 1)
# Programs name these in tables of dtypes; no tensor has one.
qint8 = _make("qint8", 11, "V", 1)
quint8 = _make("quint8", 12, "V", 1)
qint32 = _make("qint32", 13, "V", 4)
qint16 = _make("qint16", 15, "V", 2)
quint16 = _make("quint16", 16, "V", 2)
half = float16
double = float64

_AS.update(
    {
        "half": float16,
        "double": float64,
        "float": float32,
        builtins.float: float32,
        builtins.bool: bool,
        object: string,
        np.str_: string,
        np.bytes_: string,
    }
)
# NumPy reads these abstract classes as its default types, with a warning; TensorFlow refuses them.
_ABSTRACT = frozenset(
    (np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact)
    + (np.floating, np.complexfloating, np.flexible, np.character)
)

of: Callable[[np.dtype], DType] = _OF.__getitem__
"""The DType of a NumPy dtype (any byte order; O, S and U are string), the fastest way there.

A bound method of the table, because every op calls it. TypeError where there is no equivalent.
"""


def as_dtype(type_value: Any) -> DType:
    """The DType that `type_value` names: a DType, its name or enum number, or a NumPy type.

    Of Python's types only `float` (float32), `bool` and `object` (string) are accepted, as in
    TensorFlow: `int` could mean int32 or int64.

    >>> as_dtype("half"), as_dtype(np.int64), as_dtype(float)
    (tf.float16, tf.int64, tf.float32)
    """
    if type(type_value) is DType:
        return type_value
    try:
        return _AS[type_value]
    except unsignalled(KeyError, TypeError):
        pass
    try:
        return _OF[_numpy_dtype_of(type_value)]
    except unsignalled(TypeError):
        raise TypeError(
            f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType."
        ) from None


def _numpy_dtype_of(value: Any) -> Any:
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, type):
        if issubclass(value, np.generic) and value not in _ABSTRACT:
            return np.dtype(value)
        return None
    return getattr(value, "dtype", None)  # arrays and NumPy scalars
