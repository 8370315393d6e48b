"""Families of ops: what their members share, so that a record says only what is its own.

    unary      elementwise in one operand      deriv -> vjp and jvp, quick call, public function
    binary     elementwise in two, broadcast   partials -> vjp with the adjoint of broadcasting, jvp
    reduction  over `axis`, with `keepdims`    shape and batch rules
    move       linear rearrangement            jvp = the op itself
May be imported by `core.basics` and `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exception_origin import from_handler, unsignalled
from tapeflow.base.exports import publish
from tapeflow.base.shapes import broadcast_shapes
from tapeflow.core.record.lowering_forms import form
from tapeflow.core.record.op import (
    ANY,
    BARE,
    INEXACT,
    MODERATE,
    NUMERIC,
    Nondiff,
    Op,
    Spec,
    apply,
    define,
    mismatch,
    same_shape,
    shape_of,
    specialise,
    wrong_dtype,
)
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
_ONES: dict[type, dict] = {float: _FLOAT_ONES, int: {**_FLOAT_ONES, **_INT_ONES}}
_BOOL = np.dtype("bool")


# -- shape rules ---------------------------------------------------------------------------------
def same_as(index: int) -> Callable:
    """The result looks like operand `index`."""
    return lambda *specs, **attrs: specs[index]


def broadcast(dtype: Any = None) -> Callable:
    """Operands broadcast; the result has the first one's dtype, or `dtype`."""

    def rule(*specs: Spec, **attrs: Any) -> Spec:
        shape = specs[0].shape
        for spec in specs[1:]:
            shape = broadcast_shapes(shape, spec.shape)
        return Spec(shape, specs[0].dtype if dtype is None else np.dtype(dtype))

    return rule


def reduced(dtype: Any = None) -> Callable:
    """Axes given by `axis` (a tuple, None for all) are gone, or 1 with `keepdims`."""

    def rule(spec: Spec, axis: tuple | None = None, keepdims: bool = False, **attrs: Any) -> Spec:
        kind = spec.dtype if dtype is None else np.dtype(dtype)
        if spec.shape is None:
            return Spec(() if axis is None and not keepdims else None, kind)
        axes = range(len(spec.shape)) if axis is None else axis
        if keepdims:
            return Spec(tuple([1 if i in axes else n for i, n in enumerate(spec.shape)]), kind)
        return Spec(tuple([n for i, n in enumerate(spec.shape) if i not in axes]), kind)

    return rule


# -- batch rules: the op over a leading batch axis -------------------------------------------------
def batch_elementwise(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """Align ranks so that the batch axis stays in front of what broadcasts."""
    from tapeflow.core.record.primitive_ops import expand, reshape
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


def batch_reduction(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    rank = len(shape_of(xs[0])) - 1
    axis = attrs.get("axis")
    shifted = tuple(range(1, rank + 1)) if axis is None else tuple(a + 1 for a in axis)
    return call(*xs, **{**attrs, "axis": shifted})


# -- unary -----------------------------------------------------------------------------------------
def unary(name: str, kernel: Callable, *, deriv: Callable | None = None, vjp: Any = None,
          jvp: Callable | None = None, saves: str = "in", names: tuple[str, ...] = (),
          dtypes: str = INEXACT, shape: Callable = same_as(0), arg: str = "x", check: Any = None,
          doc: str = "", kind: str = "elementwise", slices: bool = False,
          tf_name: str | None = None, lower: Any = None, cost: int = MODERATE) -> Callable:
    """Define an elementwise op of one operand and publish it.

    `deriv(y, x)` is dy/dx: from it come vjp (g times its conjugate) and jvp. Where that is not
    enough give `vjp(g, y, x)`; its jvp is then the same rule, unless `jvp(ts, y, x)` is given.
    `lower`: see `core.lowering.form`.
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
                lower=form(lower)).op  # type: ignore[attr-defined]
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
            d = d.conj() if not isinstance(d, Tensor) else _conj(d)
        return g * d

    return rule, lambda ts, y, x: ts[0] * deriv(y, x)


def _conj(x: Tensor) -> Tensor:
    from tapeflow.core.record.primitive_ops import conj
    return conj(x)


def _conjugated(rule: Callable, t: Any, y: Any, *xs: Any) -> Any:
    """A tangent by a vjp rule `g * conj(d)`: conj(rule(conj(t)))."""
    if t.dtype.kind != "c":
        return rule(t, y, *xs)
    return _conj(rule(_conj(t), y, *xs))


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
    code = function.__code__  # type: ignore[attr-defined]
    names = parameters + code.co_varnames[len(parameters):]
    function.__code__ = code.replace(co_varnames=names, co_name=short)  # type: ignore
    function.__name__ = function.__qualname__ = short
    function.__module__ = "tapeflow"


# -- binary ----------------------------------------------------------------------------------------
def binary(name: str, kernel: Callable, *, vjp: Any, jvp: Callable | None = None,
           saves: str = "", names: tuple[str, ...] = (), dtypes: str = NUMERIC,
           result: Any = None, args: tuple[str, str] = ("x", "y"), check: Any = None,
           doc: str = "", tf_name: str | None = None, lower: Any = None,
           cost: int = MODERATE) -> Callable:
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
                lower=form(lower)).op  # type: ignore[attr-defined]
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
        if r.shape == x.shape:
            return r
        return undo_broadcast(r, x.shape) if type(r) is ndarray else sum_like(r, x)

    return whole


def undo_broadcast(x: Any, shape: tuple) -> Any:
    """Sum the axes that broadcasting from `shape` added or stretched; a kernel."""
    dtype = x.dtype
    if not shape and dtype is _F32:
        return _add_reduce(x, None)
    extra = x.ndim - len(shape)
    axes = tuple(range(extra))
    if 1 in shape:
        axes += tuple([i + extra for i, n in enumerate(shape) if n == 1 != x.shape[i + extra]])
    if not axes:
        return x.reshape(shape)
    if dtype.itemsize == 2 and dtype.kind in "fV":  # half precision accumulates in float32
        return _add_reduce(x.astype(_F32), axes).astype(dtype).reshape(shape)
    total = _add_reduce(x, axes, dtype)
    return total if total.shape == shape else total.reshape(shape)


def sum_like(r: Any, x: Any) -> Any:
    """A gradient summed over what broadcasting added to operand `x`."""
    from tapeflow.core.record.primitive_ops import dims, sum_to
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
            from tapeflow.core.record.primitive_ops import broadcast_to, dims
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
                return _on_strings(op, x, z)
            try:
                if op.large is not None and (type(x) is ndarray and x.size >= op.least
                                             or type(z) is ndarray and z.size >= op.least):
                    result = op.large(x, z)
                else:
                    result = kernel(x, z)
            except unsignalled(Exception) as error:
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


def _on_strings(op: Op, x: Any, z: Any) -> Tensor:
    if op.strings is None or x.dtype.kind != "O":
        raise wrong_dtype(op, x)
    try:
        return wrap(op.strings(x, z))
    except unsignalled(ValueError) as error:
        return wrap(op.recover(error, (x, z), {}))


def matching(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands of one dtype: the first Tensor or variable among them decides it, else a."""
    if type(a) is Tensor:
        literal = _literal(a, b)
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


# -- operators -------------------------------------------------------------------------------------
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
    kernel, allowed, recover, call = op.kernel, op.allowed, op.recover, op.call
    quick = _F32 if "f" in allowed else None

    def method(a, b):
        kind = type(b)
        if kind is not Tensor:
            if kind is Variable:
                recorder = state.recorder
                b = b._snapshot if recorder is None else recorder.read(b)
            else:
                other = _other(a, b, symbol, hinted, lenient=otherwise is not None)
                if other is NotImplemented:
                    return _by_other(a, b, symbol, hinted)
                b = other
        if type(a) is not Tensor or type(b) is not Tensor:
            return call(a, b)
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
    return _on_strings(op, x, z)


def _literal(a: Tensor, b: Any) -> Tensor | None:
    """A Python number in the dtype of an eager Tensor, made quickly; None if that is not easy."""
    ones = _ONES.get(type(b))
    if ones is None:
        return None
    dtype = a._value.dtype
    one = _F32_ONE if dtype is _F32 else ones.get(dtype)
    if one is None:
        return None
    try:
        return wrap(one * b)
    except unsignalled(OverflowError, RuntimeWarning, FloatingPointError):
        return None  # slowly: the number is beyond the dtype


def _other(a: Tensor, b: Any, symbol: str, hinted: bool, raising: bool = False,
           lenient: bool = False) -> Any:
    """The other operand of an operator, in the Tensor's dtype; NotImplemented if b may know.

    `lenient`: beside a bool Tensor it may keep its own dtype.
    """
    if type(a) is Tensor:
        literal = _literal(a, b)
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


# -- linear moves ----------------------------------------------------------------------------------
def move(name: str, kernel: Callable, *, shape: Callable, vjp: Any, batch: Callable,
         args: tuple[str, ...] = ("x",), dtypes: str = ANY, check: Any = None,
         slices: bool = False, tf_name: str | None = None, kind: str = "move",
         lower: Any = None, cost: int = MODERATE) -> Callable:
    """Define an op that is linear in its first operand: its jvp is the op on the tangent.

    `vjp(g, y, x, **attrs)` for the first operand; others (indices, …) have no gradient.
    """
    rules = (vjp, *(None,) * (len(args) - 1))

    def jvp(ts, y, x, *others, **attrs):
        return None if ts[0] is None else call(ts[0], *others, **attrs)

    call = define(name, kernel=kernel, shape=shape, vjp=rules, jvp=jvp, batch=batch, args=args,
                  saves=" ".join(f"in{i}" for i in range(1, len(args))), dtypes=dtypes,
                  check=check, slices=slices, kind=kind, tf_name=tf_name, lower=lower, cost=cost)
    if len(args) == 1:
        call = specialise(call.op, _move_call(call.op))  # type: ignore[attr-defined]
    return call


def _move_call(op: Op) -> Callable:
    """The quick call of an op of one operand and attributes."""
    kernel, allowed, recover = op.kernel, op.allowed, op.recover

    def call(x, **attrs):
        if type(x) is Tensor and (state.trace is None or not any(
                isinstance(attr, Tensor) for attr in attrs.values())):
            value = x._value
            if value.dtype.kind not in allowed:
                raise wrong_dtype(op, value)
            try:
                result = (op.large or kernel)(value, **attrs)
            except unsignalled(Exception) as error:
                result = recover(error, (value,), attrs)
            y = _new(Tensor)
            y._value = result
            y._uid = 0
            if state.recorder is not None:
                state.recorder.note(op, (x,), y, attrs)
            return y
        if type(x) in BARE and state.trace is None:
            return (op.large or kernel)(x, **attrs)
        return apply(op, (x,), attrs)

    return call


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
    """The integers in an `axis` argument, which may be a number, a sequence or a tensor."""
    if isinstance(axis, float):
        raise TypeError(f"{op_name}: cannot convert axis {axis} to a tensor of dtype int32")
    if isinstance(axis, (np.generic, np.ndarray)):  # cast, as TensorFlow does by default
        axis = operand(axis, tf_dtypes.int64 if axis.dtype == np.int64 else tf_dtypes.int32)
    tensor = isinstance(axis, Tensor)
    values = np.atleast_1d(operand(axis)._value)
    kinds = ("int32", "int64") if tensor else ("int32", "int64", "uint32", "uint64", "bool")
    if (values.size or tensor) and values.dtype.name not in kinds:
        given = tf_dtypes.of(values.dtype).name
        raise errors.invalid(op_name, f"Value for attr 'Tidx' of {given} is not in the list of "
                                      "allowed values: int32, int64")
    return [int(a) for a in values.ravel()]
