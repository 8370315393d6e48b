# Written by tools/stubs.py (make stubs).
"""tf.dtypes"""

from typing import Any, overload

import tapeflow as tf
from tapeflow import (
    bfloat16 as bfloat16,
    bool as bool,
    complex128 as complex128,
    complex64 as complex64,
    double as _double,
    double as double,
    DType as DType,
    float16 as _float16,
    float16 as float16,
    float32 as float32,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    qint16 as qint16,
    qint32 as qint32,
    qint8 as qint8,
    quint16 as quint16,
    quint8 as quint8,
    resource as resource,
    string as string,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    variant as variant,
)
from tapeflow._typing import CompositeT, DenseLike, DTypeLike, TensorLike
from tapeflow.dtypes import experimental as experimental

def as_dtype(type_value: DTypeLike) -> tf.DType:
    """The DType that `type_value` names: a DType, its name or enum number, or a NumPy type."""

@overload
def cast(x: DenseLike, dtype: DTypeLike, name: str | None = None) -> tf.Tensor:
    """x in another dtype; x itself if it has that dtype already."""
@overload
def cast(x: CompositeT, dtype: DTypeLike, name: str | None = None) -> CompositeT: ...

@overload
def complex(real: DenseLike, imag: Any, name: str | None = None) -> tf.Tensor:
    """The complex tensor with these parts, both float32 or both float64."""
@overload
def complex(real: CompositeT, imag: Any, name: str | None = None) -> CompositeT: ...

def saturate_cast(
    value: TensorLike, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """x in another dtype, values beyond its range moved to the nearest that it has."""

float64 = _double
half = _float16
