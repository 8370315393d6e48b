"""Memory for one run of a compiled graph at a time, and NumPy kernels called on it."""

from __future__ import annotations

import ctypes
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.graph import ir
from tapeflow.graph.executor.numpy_executor import explain
from tapeflow.graph.ir import attribute
from tapeflow.jit.lowering.binding import FIRST_INPUT
from tapeflow.jit.runtime import llvm_backend, thread_pool
from tapeflow.jit.runtime.arena import ALIGN
from tapeflow.jit.runtime.image_cache.image import BoundCall, Image, Operand
from tapeflow.jit.runtime.native_call import call_stub


class Frame:
    """Arena, status word, pointer table.

    address  of the frame, for the call stub; `table`: of its pointer table, for the code
    status   not 0 if an index was out of range
    scalars  the memory of results without axes
    """

    def __init__(self, graph: ir.Graph, image: Image, bindings: call_stub.BindingTable,
                 code: llvm_backend.LoadedCode, entry: str | None):
        """entry: the function of the code that is the whole run, if one is."""
        self.graph, self.image = graph, image
        self._keep = bindings, code  # as long as somebody may call
        self._memory = np.empty(image.arena + ALIGN, np.uint8)
        shift = -self._memory.ctypes.data % ALIGN
        self.arena = self._memory[shift:shift + image.arena]
        self.status = np.zeros(8, np.int64)
        self.scalars = {i: np.zeros((), value.dtype) for i, value in enumerate(graph.outputs)
                        if not value.shape}
        words = self._words = (ctypes.c_size_t * (call_stub.FRAME_WORDS + image.slots))()
        self.address = ctypes.addressof(words)
        self.table = self.address + 8 * call_stub.FRAME_WORDS
        words[1] = bindings.address
        if entry is not None:
            words[0] = code.address(entry)
        self._fill(call_stub.FRAME_WORDS)

    def _fill(self, slots: int) -> None:
        """Write what stays the same into the pointer table."""
        words, image = self._words, self.image
        words[slots] = self.arena.ctypes.data
        words[slots + 1] = thread_pool.pool()
        words[slots + 2] = self.status.ctypes.data
        for i, scalar in self.scalars.items():
            words[slots + image.first_output + i] = scalar.ctypes.data
        first = slots + image.first_output + len(self.graph.outputs)
        for i, array in enumerate(image.constants):
            words[first + i] = array.ctypes.data

    def finds(self, snapshots: list) -> bool:
        """Whether what variables hold is still where it was when addresses were taken."""
        first = call_stub.FRAME_WORDS + FIRST_INPUT + len(self.graph.inputs)
        address = call_stub.data_address
        return self._words[first:first + len(snapshots)] == [
            address(snapshot._value) for snapshot in snapshots]

    def call(self, call: BoundCall, objects: list, variables: list) -> None:
        """Call a kernel on arrays that are views of the program's memory."""
        node = call.node
        operands = [self._array(call, x, objects, variables) for x in node.inputs]
        attrs = {key: attribute(self._array(call, attr, objects, variables))
                 if isinstance(attr, ir.Value) else attr for key, attr in node.attrs.items()}
        try:
            found = node.op.kernel(*operands, **attrs)
        except unsignalled(Exception) as error:
            found = explain(node.op, error, tuple(operands), attrs, node.where)
        for value, result in zip(node.outputs, found if node.op.multi else (found,), strict=True):
            target = self._array(call, value, objects, variables)
            if target.shape != result.shape:  # assigning would repeat rows
                raise errors.invalid(node.op.tf_name, f"a result of shape {result.shape} where "
                                                      f"{target.shape} is expected")
            target[...] = result

    def _array(self, call: BoundCall, value: ir.Value, objects: list,
               variables: list) -> np.ndarray:
        operand = call.operands[value]
        view = operand.view
        if view.buffer.const is not None:
            base = np.asarray(view.buffer.const)
        else:
            base = self._buffer(operand, objects, variables)
        if view.whole:
            return base.reshape(view.shape)
        size = base.dtype.itemsize
        flat = base.reshape(-1)[view.offset:]
        return np.lib.stride_tricks.as_strided(flat, view.shape, [s * size for s in view.strides])

    def _buffer(self, operand: Operand, objects: list, variables: list) -> np.ndarray:
        """The memory of an operand's buffer: in the arena, or that of an argument or a result."""
        inputs, slot = len(self.graph.inputs), operand.slot
        if slot == 0:
            buffer = operand.view.buffer
            size = prod(buffer.shape or ()) * buffer.dtype.itemsize
            memory = self.arena[operand.offset:operand.offset + size]
            return memory.view(buffer.dtype).reshape(buffer.shape)
        position = slot - FIRST_INPUT
        if position < inputs:
            return np.asarray(objects[position])
        if slot < self.image.first_output:
            return _in_place(variables[position - inputs]._snapshot._value)
        output = slot - self.image.first_output
        if output in self.scalars:
            return self.scalars[output]
        arrays = [i for i, value in enumerate(self.graph.outputs) if value.shape]
        return objects[inputs + arrays.index(output)]


def _in_place(value: Any) -> np.ndarray:
    """The memory of what a variable holds as an array: of a scalar, too, what is written stays."""
    if isinstance(value, np.ndarray):
        return value
    memory = (ctypes.c_char * value.dtype.itemsize).from_address(call_stub.data_address(value))
    return np.frombuffer(memory, value.dtype).reshape(())
