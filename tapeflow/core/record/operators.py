"""Python's operators on Tensor and Variable: `operators(call, "add")` attaches `a + b`.

The other operand may be a Python scalar, an array or an object that knows tensors: it is brought to
the Tensor's dtype by TensorFlow's rules, or gets its own say. Imported by `elementwise_ops` and
`ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_handler, unsignalled
from tapeflow.core.record.families import literal_of, on_strings, operand, traced_literal
from tapeflow.core.record.op import Op, apply, apply_later, fails_later, mismatch
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read

_new = object.__new__
ndarray = np.ndarray
_F32 = np.dtype("float32")


def operators(call: Callable, symbol: str, reflected: bool = True, hinted: bool = False,
              otherwise: Callable | None = None) -> None:
    """Attach a binary op to Tensor and Variable as `__symbol__` and `__rsymbol__`.

    hinted     the other operand takes the Tensor's dtype only if it loses nothing, as in `+`
    otherwise  `otherwise(a, b)` for Tensors that the op refuses; it may end in `refuse(op, a, b)`
    """
    op = call.op  # type: ignore[attr-defined]
    forward = _operator(op, symbol, hinted, otherwise)
    for method, prefix in ((forward, ""), (_reflected(op, symbol, otherwise), "r")):
        if prefix and not reflected:
            continue
        name = f"__{prefix}{symbol}__"
        method.__name__ = name
        setattr(Tensor, name, method)
        setattr(Variable, name, on_variable(method))


def on_variable(method: Callable) -> Callable:
    """A binary method of Tensor for Variable: on the variable's value."""

    def on_value(self, other):
        recorder = state.recorder
        return method(self._snapshot if recorder is None else recorder.read(self), other)

    on_value.__name__ = method.__name__
    return on_value


def _operator(op: Op, symbol: str, hinted: bool, otherwise: Callable | None) -> Callable:
    kernel, allowed, recover = op.kernel, op.allowed, op.recover
    quick = _F32 if "f" in allowed else None

    def method(a, b):
        kind = type(b)
        if kind is not Tensor and kind is not type(a):  # of one kind: both of a trace, say
            if kind is Variable:
                recorder = state.recorder
                b = b._snapshot if recorder is None else recorder.read(b)
            else:
                other = _other(a, b, symbol, hinted, lenient=otherwise is not None)
                if other is NotImplemented:
                    return _by_other(a, b, symbol, hinted)
                b = other
        if type(a) is not Tensor or type(b) is not Tensor:
            return apply(op, (a, b), {})
        x, z = a._value, b._value
        dtype = x.dtype
        if (dtype is not z.dtype and dtype != z.dtype) or (
                dtype is not quick and dtype.kind not in allowed):
            return refuse(op, a, b) if otherwise is None else otherwise(a, b)
        try:
            if op.large is not None and type(x) is ndarray and x.size >= op.least:
                result = op.large(x, z)
            else:
                result = kernel(x, z)
        except unsignalled(Exception) as error:
            if fails_later(error):
                return apply_later(op, (a, b), {})
            result = recover(error, (x, z), {})
        y = _new(Tensor)
        y._value = result
        y._uid = 0
        recorder = state.recorder
        if recorder is not None:
            recorder.note2(op, a, b, y)
        return y

    return method


def _reflected(op: Op, symbol: str, otherwise: Callable | None) -> Callable:
    call = op.call

    def method(a, b):
        b = _other(a, b, symbol, False, raising=True)
        if otherwise is None:
            return call(b, a)
        try:
            return call(b, a)
        except errors.InvalidArgumentError:
            return otherwise(b, a)

    return method


def refuse(op: Op, a: Any, b: Any) -> Any:
    """Operands of different dtypes, or of one that the op does not take: an error, or strings."""
    x, z = a._value, b._value
    if x.dtype != z.dtype:
        raise mismatch(op, x, z)
    return on_strings(op, x, z)


def _other(a: Tensor, b: Any, symbol: str, hinted: bool, raising: bool = False,
           lenient: bool = False) -> Any:
    """The other operand of an operator, in the Tensor's dtype; NotImplemented if b may know.

    `lenient`: beside a bool Tensor it may keep its own dtype.
    """
    literal = literal_of(a._value.dtype, b) if type(a) is Tensor else traced_literal(a, b)
    if literal is not None:
        return literal
    if isinstance(b, Tensor):
        return convert(b, a.dtype) if raising else b
    if raising and hasattr(b, "dense_shape") and hasattr(b, "_refusal"):
        raise b._refusal()
    try:
        if hinted or isinstance(b, Variable):
            return operand(b, hint=a.dtype)
        return convert(b, None if hasattr(type(b), "__tf_tensor__") else a.dtype)
    except unsignalled(TypeError, ValueError):
        if lenient and a.dtype.is_bool:
            return operand(b)
        plain = isinstance(b, (int, float, complex, np.generic, np.ndarray, type(None)))
        if raising or plain or not hasattr(type(b), f"__r{symbol}__"):
            raise
        return NotImplemented


def _by_other(a: Tensor, b: Any, symbol: str, hinted: bool) -> Any:
    """What the other operand, which is no tensor, makes of the operator; else why it is none."""
    try:
        found = getattr(b, f"__r{symbol}__")(a)
    except (TypeError, ValueError) as error:
        if from_handler(error):
            raise
        found = NotImplemented
    return _other(a, b, symbol, hinted, raising=True) if found is NotImplemented else found


def unary_operator(call: Callable, name: str) -> None:
    """Attach a unary op to Tensor and Variable as method `name`."""
    def method(self):
        return call(read(self) if isinstance(self, Variable) else self)

    method.__name__ = name
    setattr(Tensor, name, method)
    setattr(Variable, name, method)
