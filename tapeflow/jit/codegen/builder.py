"""What lowerings write with: arithmetic on lanes, and mathematical functions by name."""

from __future__ import annotations

from tapeflow.jit.codegen import vector_math
from tapeflow.jit.codegen.lane_arithmetic import (
    HALF,
    LLVM,
    SHORT,
    Arithmetic,
    Val,
    itemsize,
    literal,
    name_of,
)

__all__ = ["HALF", "LLVM", "SHORT", "Builder", "Val", "itemsize", "literal", "name_of"]


class Builder(Arithmetic):
    """Instructions on values of `lanes` lanes, and calls of the functions of `vector_math`."""

    def function(self, name: str, *xs: Val) -> Val:
        """A mathematical function by name: "exp", "log", "sin", "tanh", "pow" …"""
        return vector_math.call(self, name, xs)
