"""Mathematical functions on values of one or many lanes, float32 and float64, as LLVM functions.

    call(builder, "sin", (x,))

Each is written once for a module, as a private function that all uses call: what has to be compiled
grows with the number of different functions, not of uses. Errors are below 2 ulp (sigmoid 2.4,
erfc of float32 4.5; `tests/jit/accuracy.py` measures them); signed zeros, infinities, NaN and
subnormal numbers are as in C. Polynomials are minimax, found by Remez' exchange in 40 digits, or
Chebyshev series (`chebyshev.py`, `tables.py`) in functions that are computed in float64. No
function of the C library is used, so the code needs no symbols. Two registers' worth of lanes are
a third quicker than one: the code of a function is then busy on both.
May be imported by `jit`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tapeflow.core.record.lowering_forms import Unsupported
from tapeflow.jit.codegen.lane_arithmetic import Arithmetic, Val
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.vector_math import (
    bessel,
    circular,
    erf_gamma,
    exp_log,
    incomplete,
    incomplete_slope,
    integrals,
    inverse,
    remainder,
    zetas,
)
from tapeflow.jit.codegen.vector_math.maths import FORMATS, FUNCTIONS, Function, Maths

__all__ = [
    "FUNCTIONS",
    "bessel",
    "call",
    "circular",
    "erf_gamma",
    "exp_log",
    "incomplete",
    "incomplete_slope",
    "integrals",
    "inverse",
    "remainder",
    "zetas",
]

# A function that is one of the results of another: both are computed by one call.
PAIRS = {"sin": ("sincos", 0), "cos": ("sincos", 1)}


def call(builder: Arithmetic, name: str, xs: Sequence[Val]) -> Val:
    """The value of a function; `xs` are of one dtype."""
    name, part = PAIRS.get(name, (name, None))
    one, dtype = FUNCTIONS.get(name), xs[0].dtype
    if one is None or dtype not in FORMATS:
        raise Unsupported(f"{name} of {dtype}")
    if one.wide and builder.lanes > 2 * builder.code.module.target.lanes(8):
        return _in_halves(builder, name, xs)
    kind = builder.type(dtype)
    returns = _returned(one, kind)
    module = builder.code.module
    full = f"{name}.{builder.suffix(dtype)}"
    if full not in module.functions:
        module.take(_written(module.target, name, dtype, builder.lanes, len(xs)))
    result = builder.code.pure(
        f"call {returns} @{full}({', '.join(f'{kind} {x.text}' for x in xs)})")
    if part is not None:
        result = builder.code.pure(f"extractvalue {returns} {result}, {part}")
    return Val(result, dtype)


def _in_halves(builder: Arithmetic, name: str, xs: Sequence[Val]) -> Val:
    """A function of one result on the first half of the lanes, then on the second."""
    code, lanes, dtype = builder.code, builder.lanes, xs[0].dtype
    half = Arithmetic(code, lanes // 2)

    def part(x: Val, first: int) -> Val:
        mask = ", ".join(f"i32 {first + i}" for i in range(half.lanes))
        kind = builder.type(dtype)
        return Val(code.pure(f"shufflevector {kind} {x.text}, {kind} poison, "
                             f"<{half.lanes} x i32> <{mask}>"), dtype)

    low, high = (call(half, name, [part(x, first) for x in xs]).text for first in (0, lanes // 2))
    kind = half.type(dtype)
    mask = ", ".join(f"i32 {i}" for i in range(lanes))
    return Val(code.pure(f"shufflevector {kind} {low}, {kind} {high}, <{lanes} x i32> <{mask}>"),
               dtype)


@functools.lru_cache(2048)
def _written(target: Any, name: str, dtype: str, lanes: int, count: int) -> Module:
    """A module of a function and those that it calls: it takes long to write, and comes often."""
    module = Module(target)
    one, builder = FUNCTIONS[name], Arithmetic(Code(module, "", []), lanes)
    returns = _returned(one, builder.type(dtype))
    module.once(f"{name}.{builder.suffix(dtype)}",
                lambda: _write(builder, one, dtype, count, returns))
    return module


def _returned(one: Function, kind: str) -> str:
    """The type of what a function gives."""
    return kind if one.results == 1 else f"{{{', '.join([kind] * one.results)}}}"


def _write(builder: Arithmetic, one: Function, dtype: str, count: int, returns: str) -> Code:
    module, kind = builder.code.module, builder.type(dtype)
    params = [(kind, f"%x{i}") for i in range(count)]
    code = Code(module, f"{one.name}.{builder.suffix(dtype)}", params, returns,
                module.target.attributes, "private")
    m = Maths(code, builder.lanes)
    result = one.write(m, *(m.num(label, dtype) for _, label in params))
    if one.results == 1:
        code.do(f"ret {kind} {result.text}")
        return code
    whole = "poison"
    for i, x in enumerate(result):
        whole = code.let(f"insertvalue {returns} {whole}, {kind} {x.text}, {i}")
    code.do(f"ret {returns} {whole}")
    return code
