"""Where CPython and NumPy keep things in their objects, by the names of their C sources.

The call stub reads objects by these layouts. They are probed once; where objects lie otherwise, or
may change under us because there is no global lock, there is no native code (`supported`).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, ClassVar

import numpy as np

from tapeflow.core.values.tensor import wrap
from tapeflow.core.values.variable import Variable
from tapeflow.jit.runtime.fork_gate import once
from tapeflow.jit.runtime.struct_layout import (
    Fields,
    Struct,
    field_offset,
    i8,
    i32,
    i64,
    pointer,
    u32,
)


class PyObject(Struct):
    # From Python 3.14 on the upper half of the count has another meaning.
    _fields_: ClassVar[Fields] = (("ob_refcnt", u32), ("ob_refcnt_high", u32),
                                  ("ob_type", pointer))


class PyListObject(PyObject):
    _fields_ = (("ob_size", i64), ("ob_item", pointer))


class PyTupleObject(PyObject):
    _fields_ = (("ob_size", i64), *((("ob_hash", i64),) if sys.version_info >= (3, 14) else ()),
                ("ob_item", pointer * 1))


class CDataObject(PyObject):
    """An object of ctypes."""

    _fields_ = (("b_ptr", pointer),)


class PyArrayObject(PyObject):
    _fields_ = (("data", pointer), ("nd", i32), ("dimensions", pointer), ("strides", pointer),
                ("base", pointer), ("descr", pointer), ("flags", i32))


class PyScalarObject(PyObject):
    """A NumPy scalar: its value stands in the object itself."""

    _fields_ = (("obval", i8),)


class PyMethodDef(Struct):
    _fields_ = (("ml_name", ctypes.c_char_p), ("ml_meth", pointer), ("ml_flags", i32),
                ("ml_doc", ctypes.c_char_p))


# Flags of an array.
C_CONTIGUOUS, OWNS_DATA, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400

METH_O = 8  # flag of a method of one argument
PY_TP_ALLOC = 47  # the slot of a type that has its allocating function
PYARRAY_NEW_FROM_DESCR = 94  # in NumPy's table of functions


class ObjectLayout:
    """Offsets of attributes in objects of tapeflow; whether all objects lie as declared above."""

    def __init__(self) -> None:
        self.variable_snapshot = self.tensor_value = self.tensor_uid = 0
        self.supported = False
        if sys.implementation.name != "cpython" or ctypes.sizeof(pointer) != 8:
            return
        if not getattr(sys, "_is_gil_enabled", lambda: True)():
            return
        self.supported = self._find_attributes() and _objects_lie_as_declared()

    def _find_attributes(self) -> bool:
        value = np.zeros(2)
        tensor = wrap(value)
        self.tensor_value = _offset_of(tensor, value)
        tensor._uid = 1 << 40  # an object of its own
        self.tensor_uid = _offset_of(tensor, tensor._uid)
        variable = Variable(1.0)
        self.variable_snapshot = _offset_of(variable, variable._snapshot)
        return bool(self.tensor_value and self.tensor_uid and self.variable_snapshot)


def _offset_of(holder: Any, held: Any) -> int:
    """The offset in an object of the reference to another one; 0 if it is not found."""
    size = min(sys.getsizeof(holder), type(holder).__basicsize__)
    words = (ctypes.c_size_t * (size // 8)).from_address(id(holder))
    found = [8 * i for i, word in enumerate(words) if word == id(held)]
    return found[0] if len(found) == 1 else 0


def _objects_lie_as_declared() -> bool:
    """Sizes are compared first: a pointer is followed only where one should be."""
    array = np.arange(6, dtype=np.float32).reshape(2, 3)  # a view: the data is not its own
    seen = PyArrayObject.from_address(id(array))
    flags = C_CONTIGUOUS | OWNS_DATA | ALIGNED | WRITEABLE
    if not (seen.ob_type == id(np.ndarray) and seen.data == array.ctypes.data and seen.nd == 2
            and seen.descr == id(array.dtype) and seen.flags & flags == flags & ~OWNS_DATA
            and list((ctypes.c_size_t * 2).from_address(seen.dimensions)) == [2, 3]):
        return False
    items, packed = [array], (array,)
    list_, tuple_ = PyListObject.from_address(id(items)), PyTupleObject.from_address(id(packed))
    if not (list_.ob_size == 1 and pointer.from_address(list_.ob_item).value == id(array)
            and tuple_.ob_size == 1 and tuple_.ob_item[0] == id(array)):
        return False
    scalar, block = np.float32(1.5), (ctypes.c_size_t * 2)()
    value = ctypes.c_float.from_address(id(scalar) + field_offset(PyScalarObject, "obval")).value
    return value == 1.5 and CDataObject.from_address(id(block)).b_ptr == ctypes.addressof(block)


@once
def object_layout() -> ObjectLayout:
    return ObjectLayout()


def function_address(name: str) -> int:
    """The address of a function of Python's C API."""
    return ctypes.cast(getattr(ctypes.pythonapi, name), pointer).value or 0


def numpy_function(index: int) -> int:
    """The address of a function of NumPy's C API, by its index in NumPy's table."""
    contents = ctypes.PYFUNCTYPE(pointer, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi))
    table = contents(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    return (pointer * (index + 1)).from_address(table)[index] or 0


def allocator(kind: type) -> int:
    """The address of the function that makes objects of a type: f(type, 0)."""
    slot = ctypes.PYFUNCTYPE(pointer, ctypes.py_object, ctypes.c_int)(
        ("PyType_GetSlot", ctypes.pythonapi))
    return slot(kind, PY_TP_ALLOC)


def builtin_function(method: PyMethodDef, self: Any) -> Any:
    """A function of Python whose code is native. The method must outlive it."""
    new = ctypes.PYFUNCTYPE(ctypes.py_object, pointer, ctypes.py_object, pointer)(
        ("PyCFunction_NewEx", ctypes.pythonapi))
    return new(ctypes.addressof(method), self, None)
