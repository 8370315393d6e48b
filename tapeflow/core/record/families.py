"""Families of elementwise ops: what members share, so that a record says only what is its own.

    unary    elementwise in one operand      deriv -> vjp and jvp, quick call, public function
    binary   elementwise in two, broadcast   partials -> vjp with the adjoint of broadcasting, jvp

The public functions convert what users pass: `operand`, `matching`, `axes_of`. Linear ops are a
family of their own (`linear.py`). May be imported by `elementwise_ops` and `ops`.

Five functions below and beside repeat the same lines instead of calling one another: the calls of
`unary` and `binary`, the public function of `unary`, the forward operator (`operators.py`) and the
call of `move` (`linear.py`). That is deliberate: each is the whole path of an eager op, where one
more Python call costs a tenth of the op. They differ in what they convert and note; a change in one
is a change in all five.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import known_as, publish
from tapeflow.base.shapes import broadcast_shapes
from tapeflow.core.record.lowering_forms import form
from tapeflow.core.record.op import (
    BARE,
    CHEAP,
    INEXACT,
    MODERATE,
    NUMERIC,
    Nondiff,
    Op,
    OpCall,
    Spec,
    apply,
    apply_later,
    define,
    fails_later,
    mismatch,
    same_shape,
    shape_of,
    specialise,
    wrong_dtype,
)
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    dims,
    expand,
    reshape,
    sum_to,
    undo_broadcast,
)
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, read

_new = object.__new__
ndarray = np.ndarray
_add_reduce = np.add.reduce
_F32 = np.dtype("float32")
# 1 * literal is a NumPy scalar of 1's dtype, made six times as fast as by calling the type.
_FLOAT_ONES = {np.dtype(name): np.dtype(name).type(1) for name in ("float16", "float32", "float64")}
_F32_ONE = _FLOAT_ONES[_F32]
_INT_ONES = {np.dtype(name): np.dtype(name).type(1) for name in ("int32", "int64")}
_EXACT = 2048  # integers up to here are exact in float16 too
_ONES: dict[type, dict] = {float: _FLOAT_ONES, int: {**_FLOAT_ONES, **_INT_ONES}}


# -- shape rules ---------------------------------------------------------------------------------
def same_as(index: int) -> Callable:
    """The result looks like operand `index`."""
    return lambda *specs, **attrs: specs[index]


def broadcast(dtype: Any = None) -> Callable:
    """Operands broadcast; the result has the first one's dtype, or `dtype`."""

    def rule(first: Spec, *others: Spec, **attrs: Any) -> Spec:
        shape = first.shape
        for spec in others:
            if spec.shape != shape:
                shape = broadcast_shapes(shape, spec.shape)
        if dtype is None:
            return first if shape is first.shape else Spec(shape, first.dtype)
        return Spec(shape, np.dtype(dtype))

    return rule


# -- batch rules: the op over a leading batch axis -------------------------------------------------
def batch_elementwise(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """Align ranks so that the batch axis stays in front of what broadcasts."""
    rank = max(len(shape_of(x)) - mark for x, mark in zip(xs, batched, strict=True))
    aligned = []
    for x, mark in zip(xs, batched, strict=True):
        shape = shape_of(x)
        if mark and len(shape) - 1 < rank:
            missing = rank + 1 - len(shape)
            if None in shape:
                for _ in range(missing):
                    x = expand(x, axis=1)
            else:
                x = reshape(x, shape=(shape[0], *(1,) * missing, *shape[1:]))
        aligned.append(x)
    return call(*aligned, **attrs)


# -- unary -----------------------------------------------------------------------------------------
def unary(name: str, kernel: Callable, *, deriv: Callable | None = None, vjp: Any = None,
          jvp: Callable | None = None, saves: str = "in", names: tuple[str, ...] = (),
          dtypes: str = INEXACT, shape: Callable = same_as(0), arg: str = "x", check: Any = None,
          doc: str = "", kind: str = "elementwise", slices: bool = False,
          tf_name: str | None = None, lower: Any = None, cost: int = MODERATE) -> OpCall:
    """Define an elementwise op of one operand and publish it.

    `deriv(y, x)` is dy/dx: from it come vjp (g times its conjugate) and jvp. Where that is not
    enough give `vjp(g, y, x)`; its jvp is then the same rule, unless `jvp(ts, y, x)` is given.
    `lower`: see `lowering_forms.form`.
    """
    if deriv is not None:
        vjp, jvp = _from_deriv(deriv, "c" in dtypes)
    elif callable(vjp) and jvp is None and not isinstance(vjp, Nondiff):
        rule = vjp

        def jvp(ts, y, x):
            return _conjugated(rule, ts[0], y, x)
    op = define(name, kernel=kernel, shape=shape, saves=saves, jvp=jvp, dtypes=dtypes, kind=kind,
                vjp=vjp if isinstance(vjp, Nondiff) else (vjp,), batch=batch_elementwise,
                args=(arg,), check=check, slices=slices, tf_name=tf_name, cost=cost,
                lower=form(lower)).op
    call = specialise(op, _unary_call(op))
    if names:
        public = _unary_public(op)
        public.__doc__ = doc
        _present(public, names[0], (arg, "name"))
        publish(public, *names)
    return call


def _from_deriv(deriv: Callable, complex_too: bool) -> tuple[Callable, Callable]:
    def rule(g, y, x):
        d = deriv(y, x)
        if complex_too and g.dtype.kind == "c":
            d = d.conj() if not isinstance(d, Tensor) else conj(d)
        return g * d

    return rule, lambda ts, y, x: ts[0] * deriv(y, x)


def _conjugated(rule: Callable, t: Any, y: Any, *xs: Any) -> Any:
    """A tangent by a vjp rule `g * conj(d)`: conj(rule(conj(t)))."""
    if t.dtype.kind != "c":
        return rule(t, y, *xs)
    return conj(rule(conj(t), y, *xs))


def _unary_call(op: Op) -> Callable:
    kernel, allowed, recover = op.kernel, op.allowed, op.recover
    quick = _F32 if "f" in allowed else None

    def call(x):
        if type(x) is Tensor:
            value = x._value
            dtype = value.dtype
            if dtype is not quick and dtype.kind not in allowed:
                raise wrong_dtype(op, value)
            try:
                if op.large is not None and type(value) is ndarray and value.size >= op.least:
                    result = op.large(value)
                else:
                    result = kernel(value)
            except unsignalled(Exception) as error:
                result = recover(error, (value,), {})
            y = _new(Tensor)
            y._value = result
            y._uid = 0
            recorder = state.recorder
            if recorder is not None:
                recorder.note1(op, x, y)
            return y
        if type(x) in BARE:
            if op.large is not None and type(x) is ndarray and x.size >= op.least:
                return op.large(x)
            return kernel(x)
        return apply(op, (x,), {})

    return call


def _unary_public(op: Op) -> Callable:
    kernel, allowed, recover, call = op.kernel, op.allowed, op.recover, op.call
    quick = _F32 if "f" in allowed else None

    def public(x, name=None):
        if type(x) is not Tensor:
            return call(operand(x))
        value = x._value
        dtype = value.dtype
        if dtype is not quick and dtype.kind not in allowed:
            raise wrong_dtype(op, value)
        try:
            if op.large is not None and type(value) is ndarray and value.size >= op.least:
                result = op.large(value)
            else:
                result = kernel(value)
        except unsignalled(Exception) as error:
            result = recover(error, (value,), {})
        y = _new(Tensor)
        y._value = result
        y._uid = 0
        recorder = state.recorder
        if recorder is not None:
            recorder.note1(op, x, y)
        return y

    return public


def operand(x: Any, dtype: Any = None, hint: Any = None) -> Any:
    """What a user passed as an operand: a variable stands for itself, the rest is converted."""
    if isinstance(x, Variable):
        if dtype is not None and x.dtype != dtype:
            raise ValueError(f"Incompatible type conversion requested to type {dtype.name} for "
                             f"`tf.Variable of type {x.dtype.name}`.")
        return read(x)
    return convert(x, dtype, hint)


def _present(function: Callable, name: str, parameters: tuple[str, ...]) -> None:
    """Give a generated function its public name and the names of its parameters."""
    short = name.rpartition(".")[2]
    code = function.__code__
    names = parameters + code.co_varnames[len(parameters):]
    function.__code__ = code.replace(co_varnames=names, co_name=short)
    known_as(function, name)


# -- binary ----------------------------------------------------------------------------------------
def binary(name: str, kernel: Callable, *, vjp: Any, jvp: Callable | None = None,
           saves: str = "", names: tuple[str, ...] = (), dtypes: str = NUMERIC,
           result: Any = None, args: tuple[str, str] = ("x", "y"), check: Any = None,
           doc: str = "", tf_name: str | None = None, lower: Any = None,
           cost: int = MODERATE) -> OpCall:
    """Define an elementwise op of two operands that broadcast, and publish it.

    `vjp` is a pair of partials `rule(g, y, a, b)` as if shapes were equal (None: no gradient), or
    NONDIFF("reason"). `result` is the dtype of the result where it is not the operands'.
    """
    if isinstance(vjp, Nondiff):
        rules: Any = vjp
    else:
        rules = tuple(None if rule is None else _unbroadcast(rule, i)
                      for i, rule in enumerate(vjp))
        if jvp is None:
            jvp = _binary_jvp(vjp)
    op = define(name, kernel=kernel, shape=broadcast(result), saves=saves, vjp=rules, jvp=jvp,
                batch=batch_elementwise, args=args, dtypes=dtypes, kind="elementwise",
                check=check, tf_name=tf_name, cost=cost,
                lower=form(lower)).op
    op.matching = True
    call = specialise(op, _binary_call(op))
    set_traits(call, broadcasts_operands=True)
    if names:
        public = _binary_public(op)
        public.__doc__ = doc
        _present(public, names[0], (*args, "name"))
        publish(public, *names)
    return call


def _unbroadcast(rule: Callable, index: int) -> Callable:
    def whole(g, y, a, b):
        r = rule(g, y, a, b)
        x = b if index else a
        if type(r) is Tensor:
            return r if r._value.shape == shape_of(x) else sum_like(r, x)
        if type(r) is not ndarray:
            return sum_like(r, x)
        return r if r.shape == x.shape else undo_broadcast(r, x.shape)

    return whole


def sum_like(r: Any, x: Any) -> Any:
    """A gradient summed over what broadcasting added to operand `x`."""
    if shape_of(r) == shape_of(x) and None not in shape_of(x):
        return r
    return sum_to(r, shape=dims(x))


def _binary_jvp(vjp: tuple) -> Callable:
    def jvp(ts, y, a, b):
        total = None
        for t, rule in zip(ts, vjp, strict=True):
            if t is None or rule is None:
                continue
            part = _conjugated(rule, t, y, a, b)
            total = part if total is None else total + part
        if total is not None and not same_shape(total, y):
            total = broadcast_to(total, shape=dims(y))
        return total

    return jvp


def _binary_call(op: Op) -> Callable:
    kernel, allowed, recover = op.kernel, op.allowed, op.recover
    quick = _F32 if "f" in allowed else None

    def call(a, b):
        if type(a) is Tensor and type(b) is Tensor:
            x, z = a._value, b._value
            dtype = x.dtype
            if dtype is not z.dtype and dtype != z.dtype:
                raise mismatch(op, x, z)
            if dtype is not quick and dtype.kind not in allowed:
                return on_strings(op, x, z)
            try:
                if op.large is not None and (type(x) is ndarray and x.size >= op.least
                                             or type(z) is ndarray and z.size >= op.least):
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
        if type(a) in BARE and type(b) in BARE:
            if op.large is not None and (type(a) is ndarray and a.size >= op.least
                                         or type(b) is ndarray and b.size >= op.least):
                return op.large(a, b)
            return kernel(a, b)
        return apply(op, (a, b), {})

    return call


def on_strings(op: Op, x: Any, z: Any) -> Tensor:
    if op.strings is None or x.dtype.kind != "O":
        raise wrong_dtype(op, x)
    try:
        return wrap(op.strings(x, z))
    except unsignalled(ValueError) as error:
        return wrap(op.recover(error, (x, z), {}))


def matching(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands of one dtype: the first Tensor or variable among them decides it, else a."""
    if isinstance(a, Tensor):
        literal = literal_of(a._value.dtype, b) if type(a) is Tensor else traced_literal(a, b)
        if literal is not None:
            return a, literal
    if not isinstance(a, (Tensor, Variable)) and isinstance(b, (Tensor, Variable)):
        b = operand(b)
        return (operand(a) if hasattr(type(a), "__tf_tensor__") else convert(a, b.dtype)), b
    a = operand(a)
    if isinstance(b, (Tensor, Variable)) or hasattr(type(b), "__tf_tensor__"):
        return a, operand(b)
    return a, convert(b, a.dtype)


def _binary_public(op: Op) -> Callable:
    call = op.call

    def public(x, y, name=None):
        if type(x) is Tensor and type(y) is Tensor:
            return call(x, y)
        if state.trace is not None and isinstance(y, (Tensor, Variable)):
            return call(operand(x), operand(y))  # in a graph the first decides the dtype
        return call(*matching(x, y))

    return public


def literal_of(dtype: Any, b: Any) -> Tensor | None:
    """A Python scalar in a Tensor's dtype, made quickly; None if that is not easy."""
    ones = _ONES.get(type(b))
    if ones is None:
        return None
    one = _F32_ONE if dtype is _F32 else ones.get(dtype)
    if one is None:
        return None
    try:
        return wrap(one * b)
    except unsignalled(OverflowError, RuntimeWarning, FloatingPointError):
        return None  # slowly: the scalar is beyond the dtype


def traced_literal(a: Tensor, b: Any) -> Tensor | None:
    """The same beside a Tensor of the trace that is under way."""
    trace = state.trace
    if type(b) in _ONES and a._interpreter is trace and -_EXACT <= b <= _EXACT:
        return literal_of(a.dtype.np, b) if trace is None else trace.literal(a, b)
    return None


# -- reductions ------------------------------------------------------------------------------------
def axes_of(x: Any, axis: Any, op_name: str) -> tuple | None:
    """An `axis` argument as a sorted tuple of non-negative ints; None for all axes."""
    if axis is None:
        return None
    rank = len(shape_of(x))
    if type(axis) is int and -rank <= axis < rank:
        return (axis % rank,)
    result = []
    for a in _listed_axes(axis, op_name):
        if not -rank <= a < rank:
            raise errors.invalid(op_name, f"Invalid reduction dimension ({a} for input with {rank} "
                                          f"dimension(s)")
        result.append(a % rank)
    if len(set(result)) != len(result):
        twice = next(a for a in result if result.count(a) > 1)
        raise errors.invalid(op_name, f"Invalid reduction arguments: Axes contains duplicate "
                                      f"dimension: {twice}")
    return tuple(sorted(result))


def _listed_axes(axis: Any, op_name: str) -> list[int]:
    """The integers in an `axis` argument, which may be a scalar, a sequence or a tensor."""
    if isinstance(axis, float):
        raise TypeError(f"{op_name}: cannot convert axis {axis} to a tensor of dtype int32")
    if isinstance(axis, (np.generic, np.ndarray)):  # cast, as TensorFlow does by default
        axis = operand(axis, tf_dtypes.int64 if axis.dtype == np.int64 else tf_dtypes.int32)
    tensor = isinstance(axis, Tensor)
    values = np.atleast_1d(operand(axis)._value)
    if values.ndim > 1 and state.trace is not None:
        raise ValueError(f"Shape must be at most rank 1 but is rank {values.ndim} for {op_name}")
    kinds = ("int32", "int64") if tensor else ("int32", "int64", "uint32", "uint64", "bool")
    if (values.size or tensor) and values.dtype.name not in kinds:
        given = tf_dtypes.of(values.dtype).name
        raise errors.invalid(op_name, f"Value for attr 'Tidx' of {given} is not in the list of "
                                      "allowed values: int32, int64")
    return [int(a) for a in values.ravel()]


# -- the member that the families themselves need
conj = unary("conj", np.conj, vjp=lambda g, y, x: conj(g), saves="", dtypes=NUMERIC,
             jvp=lambda ts, y, x: conj(ts[0]), check=Samples(), lower="conj", cost=CHEAP)
