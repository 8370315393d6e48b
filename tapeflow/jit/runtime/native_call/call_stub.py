"""The call path: from Python objects to a table of pointers, in native code.

`run_on_objects()(objects, variables, frame)` finds the data of every array, scalar and variable by
itself, checks dtype, shape and layout, and runs the code: a call costs less than one NumPy op.
`tensor_function` makes a built-in function of Python of the same, which makes the results as well.
Both rely on the layout of CPython's and NumPy's objects (python_objects.py); their text, and the
structs that they read, are in call_stub_code.py.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tapeflow.core.values.tensor import Tensor
from tapeflow.jit.runtime.fork_gate import once
from tapeflow.jit.runtime.native_call import call_stub_code as code
from tapeflow.jit.runtime.native_call import python_objects
from tapeflow.jit.runtime.native_call.python_objects import (
    PyArrayObject,
    PyMethodDef,
    PyScalarObject,
    object_layout,
)
from tapeflow.jit.runtime.struct_layout import field_offset

_DATA, _OBVAL = field_offset(PyArrayObject, "data"), field_offset(PyScalarObject, "obval")
_word_at = ctypes.c_size_t.from_address
FRAME_WORDS = ctypes.sizeof(code.Frame) // 8  # of 64 bits, before the pointer table


@once
def run_on_objects() -> Any:
    """The native function (objects, variables, frame) -> status, which holds the global lock."""
    from tapeflow.jit.runtime import llvm_backend
    loaded = llvm_backend.load(code.run_on_objects())
    function = ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.py_object, ctypes.py_object,
                                 ctypes.c_void_p)(loaded.address("run_on_objects"))
    function._code = loaded  # type: ignore[attr-defined]  # keeps it alive
    return function


@once
def _call_on_tensors() -> Any:
    """Code apart from that of `run_on_objects`, which every program waits for."""
    from tapeflow.jit.runtime import llvm_backend
    return llvm_backend.load(code.call_on_tensors())


@once
def _object_makers() -> dict[str, int]:
    """How objects are made and counted: fields of a CallBlock."""
    found = object_layout()
    return {"tensor_type": id(Tensor), "new_tensor": python_objects.allocator(Tensor),
            "value_offset": found.tensor_value, "uid_offset": found.tensor_uid, "uid": id(0),
            "increment": python_objects.function_address("Py_IncRef"),
            "decrement": python_objects.function_address("Py_DecRef"),
            "new_list": python_objects.function_address("PyList_New"),
            "new_array": python_objects.numpy_function(python_objects.PYARRAY_NEW_FROM_DESCR),
            "ndarray_type": id(np.ndarray)}


def tensor_function(frame: Any, variables: list, outputs: list[tuple], single: bool, miss: Any,
                    left: Any) -> Any:
    """A function of a tuple of Tensors: it finds their data, makes the results, runs the code.

    It gives a list of Tensors, the only one if `single`, or `miss` if arguments or variables do not
    fit or the code set its status word. To Python it is a built-in function, so a call costs next
    to nothing. No Python code runs between the first pointer and the last result: one frame serves
    all threads. `outputs` has (shape, dtype, slot). `left` is a ctypes.c_longlong that each call
    makes less by one; at 0 every call is a miss.
    """
    head = code.CallBlock(
        frame=frame.address, variables=id(variables), output_count=len(outputs),
        is_single=single, miss=id(miss), calls_left=ctypes.addressof(left), **_object_makers())
    keep: list[Any] = [frame, variables, miss, left]
    block = _joined([head, *[_output_record(keep, *output) for output in outputs]])
    method = PyMethodDef(b"call", _call_on_tensors().address("call_on_tensors"),
                         python_objects.METH_O, None)
    block.keep = [*keep, method]  # its code is there for good
    return python_objects.builtin_function(method, block)


def _output_record(keep: list, shape: tuple, dtype: Any, slot: int) -> ctypes.Structure:
    """How an output is made. keep: gets what the record has the address of."""
    keep.append(dtype)
    if shape:
        return code.ArrayOutput(code.ARRAY, slot, id(dtype), len(shape), _sizes(shape, keep))
    if dtype.kind == "b":
        return code.BoolOutput(code.BOOL, slot, id(np.True_), id(np.False_))
    return code.ScalarOutput(code.SCALAR, slot, id(dtype.type),
                             python_objects.allocator(dtype.type))


def _sizes(shape: tuple, keep: list) -> int:
    """The address of the sizes of a shape, in memory that lives as long as `keep`."""
    sizes = (ctypes.c_longlong * max(len(shape), 1))(*shape)
    keep.append(sizes)
    return ctypes.addressof(sizes)


def _joined(structs: list[ctypes.Structure]) -> Any:
    """Structs one after another in one block of memory."""
    data = b"".join(map(bytes, structs))
    return (ctypes.c_size_t * (len(data) // 8)).from_buffer_copy(data)


class BindingTable:
    """What objects and variables must be like, and where pointers go."""

    def __init__(self, objects: list[tuple[tuple, Any, int]],
                 variables: list[tuple[tuple, Any, int, bool]], arguments: int = 0):
        """objects: (shape, dtype, slot); variables: the same, and whether they are written."""
        self._keep: list[Any] = []
        found = object_layout()
        head = code.BindingTable(
            object_count=len(objects), variable_count=len(variables), argument_count=arguments,
            ndarray_type=id(np.ndarray), tensor_type=id(Tensor),
            snapshot_offset=found.variable_snapshot, value_offset=found.tensor_value)
        self._memory = _joined([head, *[self._record(*one, False) for one in objects],
                                *[self._record(*one) for one in variables]])
        self.address = ctypes.addressof(self._memory)

    def _record(self, shape: tuple, dtype: Any, slot: int, written: bool) -> ctypes.Structure:
        dtype = np.dtype(dtype)
        self._keep.append(dtype)
        return code.BindingRecord(
            scalar_type=None if shape else id(dtype.type), descr=id(dtype), rank=len(shape),
            sizes=_sizes(shape, self._keep), slot=slot, is_written=written)


def unshare(variable: Any) -> None:
    """Let nobody but a variable hold its value, so that native code may change it."""
    variable._change(_copied)


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.array(value, order="C")
    return value.dtype.type(value)


def data_address(value: Any) -> int:
    """Where the stub finds the elements of an array or the value of a scalar."""
    if isinstance(value, np.ndarray):
        return _word_at(id(value) + _DATA).value  # a tenth of what `value.ctypes` takes
    return id(value) + _OBVAL


def bindable(x: Any, shape: tuple, dtype: Any) -> np.ndarray:
    """An array that the stub takes, with the values of one that it does not."""
    return np.require(np.asarray(x, dtype), requirements=["C", "A"]).reshape(shape)
