"""What lowerings write with: arithmetic on lanes, and mathematical functions by name."""

from __future__ import annotations

from tapeflow.jit.codegen import vector_math
from tapeflow.jit.codegen.complex_arithmetic import ComplexArithmetic, is_complex
from tapeflow.jit.codegen.lane_arithmetic import (
    HALF,
    LLVM,
    ROUNDED_AS,
    SHORT,
    Val,
    itemsize,
    literal,
    name_of,
)

__all__ = ["HALF", "LLVM", "ROUNDED_AS", "SHORT", "Builder", "Val", "itemsize", "literal",
           "name_of"]


class Builder(ComplexArithmetic):
    """Instructions on values of `lanes` lanes, and calls of the functions of `vector_math`."""

    def function(self, name: str, *xs: Val) -> Val:
        """A mathematical function by name: "exp", "log", "sin", "tanh", "pow" …"""
        if is_complex(xs[0]):
            return super().function(name, *xs)
        return vector_math.call(self, name, xs)
