"""Matrix products: matmul, matvec. Sums of products in general are in `einsum`.

matmul is one record with two attributes: the operands are read as they lie or transposed, so no
rule ever makes a transposed copy. May be imported by `ops`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import broadcast_shapes
from tapeflow.core.deferrable import deferred
from tapeflow.core.record.families import batch_elementwise, conj, operand
from tapeflow.core.record.lowering_forms import Product
from tapeflow.core.record.op import (
    BARE,
    Op,
    Spec,
    apply,
    define,
    mismatch,
    shape_of,
    specialise,
    wrong_dtype,
)
from tapeflow.core.record.operators import operators
from tapeflow.core.record.primitive_ops import cast, dims, expand, reshape, sum_to
from tapeflow.core.record.samples import Case
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support import large_operands
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops._support.blocked_matmul import FEW, FEW_OF_MATRICES, product, products

_new = object.__new__
_F32 = np.dtype("float32")
SMALL = 1 << 12  # elements of a first operand whose products are left to BLAS unasked
NATIVE_FROM = 1 << 20  # multiplications of eager products from which native code is asked


# -- the kernel ------------------------------------------------------------------------------------
def matmul_kernel(a, b, transpose_a=False, transpose_b=False, out=None):
    """a·b over the last two axes; the others broadcast. Half precision accumulates in float32."""
    kind = a.dtype.char
    if a.ndim == 2 and b.ndim == 2 and kind in "fdFD":
        x, z = a.T if transpose_a else a, b.T if transpose_b else b
        if x.shape[1] == 1 == z.shape[0]:  # by dot, 0 times a matrix is 0, even of inf and NaN
            return np.multiply(x, z, out=out)
        try:
            # ndarray.dot costs half of what np.matmul does for small matrices.
            n = z.shape[1]
            work = x.size * n
            if work < FEW or (work < FEW_OF_MATRICES and n > 1 and len(x) > 1 and kind in "fd"):
                return x.dot(z, out)
            return product(x, z, out)
        except unsignalled(ValueError):
            raise matmul_error(a.shape, b.shape, transpose_a, transpose_b) from None
    if a.ndim < 2 or b.ndim < 2:
        raise matmul_error(a.shape, b.shape, transpose_a, transpose_b)
    if kind not in "fdFD" and a.dtype.kind in "fV":
        wide = matmul_kernel(a.astype(_F32), b.astype(_F32), transpose_a, transpose_b)
        return wide.astype(a.dtype)
    if a.dtype.kind == "i" and a.dtype.itemsize < 4:
        _check_narrow(a, b)
    return _stacked(a, b, transpose_a, transpose_b)


def _check_narrow(a, b):
    """TensorFlow multiplies no int8, and int16 in stacks only."""
    if a.dtype.itemsize == 1 or a.ndim == b.ndim == 2:
        raise errors.invalid("MatMul", (
            f"Value for attr 'T' of {a.dtype} is not in the list of allowed values: bfloat16, "
            "half, float, double, int32, int64, complex64, complex128"))


def _stacked(a, b, transpose_a, transpose_b):
    x = a.swapaxes(-1, -2) if transpose_a else a
    z = b.swapaxes(-1, -2) if transpose_b else b
    if x.shape[-1] != z.shape[-2]:
        raise matmul_error(a.shape, b.shape, transpose_a, transpose_b)
    if z.ndim == 2 and x.ndim > 2 and not transpose_a:
        # One large product instead of one for each matrix of the stack.
        rows = math.prod(x.shape[:-1])
        return products(x.reshape(rows, x.shape[-1]), z).reshape(*x.shape[:-1], z.shape[-1])
    try:
        return products(x, z)
    except unsignalled(ValueError):
        raise matmul_error(a.shape, b.shape, transpose_a, transpose_b) from None


def matmul_error(a: tuple, b: tuple, transpose_a: bool, transpose_b: bool) -> Exception:
    """What TensorFlow says of operands that do not fit."""
    first, second = brackets(a), brackets(b)
    if len(a) < 2 or len(b) < 2:
        if len(a) != len(b):
            return errors.invalid("MatMul", f"In[0] and In[1] has different ndims: {first} vs. "
                                            f"{second}")
        return errors.invalid("MatMul", f"In[0] and In[1] ndims must be == 2: {len(a)}")
    op = "MatMul" if len(a) == len(b) == 2 else "BatchMatMulV2"
    if a[-2 if transpose_a else -1] != b[-1 if transpose_b else -2]:
        return errors.invalid(op, f"Matrix size-incompatible: In[0]: {first}, In[1]: {second}")
    return errors.invalid(op, f"In[0] and In[1] must have compatible batch dimensions: {first} vs. "
                              f"{second}")


# -- the rules -------------------------------------------------------------------------------------
def _too_few_axes(a: tuple, b: tuple) -> Exception:
    least = "at least " * (max(len(a), len(b)) > 2)
    rank = len(a) if len(a) < 2 else len(b)
    return ValueError(f"Shape must be {least}rank 2 but is rank {rank} for MatMul with input "
                      f"shapes: {list(a)}, {list(b)}.")


def _matmul_shape(a: Spec, b: Spec, transpose_a: bool = False, transpose_b: bool = False) -> Spec:
    if a.shape is None or b.shape is None:
        return Spec(None, a.dtype)
    if len(a.shape) < 2 or len(b.shape) < 2:
        raise _too_few_axes(a.shape, b.shape)
    rows, inner = a.shape[-2:] if not transpose_a else a.shape[:-3:-1]
    other, columns = b.shape[-2:] if not transpose_b else b.shape[:-3:-1]
    if None not in (inner, other) and inner != other:
        raise ValueError(f"Dimensions must be equal, but are {inner} and {other} for MatMul with "
                         f"input shapes: {list(a.shape)}, {list(b.shape)}.")
    stack = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return Spec((*(stack or ()), rows, columns), a.dtype)


def conjugated(x: Any) -> Any:
    """The complex conjugate; a real operand as it is."""
    return conj(x) if x.dtype.kind == "c" else x


def fitted(r: Any, x: Any) -> Any:
    """Sum a gradient over the axes along which its operand was broadcast."""
    shape = shape_of(x)
    return r if shape_of(r) == shape and None not in shape else sum_to(r, shape=dims(x))


def _vjp_a(g, y, a, b, transpose_a=False, transpose_b=False):
    # y = a b: g bᴴ. y = aᵀ b: conj(b) gᵀ.
    b = conjugated(b)
    if transpose_a:
        return fitted(matmul_call(b, g, transpose_a=transpose_b, transpose_b=True), a)
    return fitted(matmul_call(g, b, transpose_b=not transpose_b), a)


def _vjp_b(g, y, a, b, transpose_a=False, transpose_b=False):
    # y = a b: aᴴ g. y = a bᵀ: gᵀ conj(a).
    a = conjugated(a)
    shape = shape_of(a)
    if len(shape) > 2 and len(shape_of(b)) == 2 and not transpose_a and shape[-1] is not None \
            and shape_of(g)[-1] is not None:
        # One large product that sums over the stack, instead of a stack that is summed later.
        rows = -1 if None in shape else math.prod(shape[:-1])
        a = reshape(a, shape=(rows, shape[-1]))
        g = reshape(g, shape=(rows, shape_of(g)[-1]))
    if transpose_b:
        return fitted(matmul_call(g, a, transpose_a=True, transpose_b=transpose_a), b)
    return fitted(matmul_call(a, g, transpose_a=not transpose_a), b)


def _jvp(ts, y, a, b, **attrs):
    first = None if ts[0] is None else matmul_call(ts[0], b, **attrs)
    second = None if ts[1] is None else matmul_call(a, ts[1], **attrs)
    return second if first is None else first if second is None else first + second


def _batch(call: Any, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """As of elementwise ops; the axis of the batch must not make a matrix of a vector."""
    a, b = [Spec(shape_of(x)[mark:], x.dtype.np) for x, mark in zip(xs, batched, strict=True)]
    _matmul_shape(a, b, **attrs)
    return batch_elementwise(call, size, xs, batched, attrs)


_op: Op = define(
    "matmul", kernel=matmul_kernel, shape=_matmul_shape, vjp=(_vjp_a, _vjp_b), jvp=_jvp,
    batch=_batch, args=("a", "b"), saves="in", dtypes="fVic", kind="contract",
    tf_name="MatMul",
    check=[Case((2, 3), (3, 4)), Case((2, 3), (4, 3), transpose_b=True),
           Case((3, 2), (3, 4), transpose_a=True),
           Case((3, 2), (4, 3), transpose_a=True, transpose_b=True),
           Case((2, 2, 3), (3, 2)), Case((2, 1, 2, 3), (3, 3, 2)), Case((3, 2), (2, 2, 2)),
           Case((2, 3, 2), (4, 3), transpose_a=True, transpose_b=True),
           Case((2, 2, 3), (4, 3), transpose_b=True), Case((2, 0), (0, 3)), Case((0, 2), (2, 3)),
           Case((2, 0, 3), (3, 2))],
    lower=Product(lambda transpose_a=False, transpose_b=False: (transpose_a, transpose_b))).op
set_traits(_op.call, out_kernel=matmul_kernel, transpose_flags=("transpose_a", "transpose_b"))


def _large(x, z, transpose_a=False, transpose_b=False):
    """The kernel of eager products: those of many multiplications are native in the end."""
    native = large_operands.native
    if native is None or not x.ndim == z.ndim == 2 or x.dtype != z.dtype or (
            x.dtype.char not in "fd" or state.trace is not None
            or x.size * z.shape[not transpose_b] < NATIVE_FROM
            or not (x.flags.c_contiguous and z.flags.c_contiguous)):
        return matmul_kernel(x, z, transpose_a, transpose_b)
    return native(_op, matmul_kernel, (x, z),
                  {"transpose_a": transpose_a, "transpose_b": transpose_b})


_op.large, _op.least = _large, SMALL


def _call():
    kernel, allowed, recover = _op.kernel, _op.allowed, _op.recover

    def matmul(a, b, transpose_a=False, transpose_b=False):
        if type(a) is Tensor and type(b) is Tensor:
            x, z = a._value, b._value
            dtype = x.dtype
            if dtype is not z.dtype and dtype != z.dtype:
                raise mismatch(_op, x, z)
            if dtype is not _F32 and dtype.kind not in allowed:
                raise wrong_dtype(_op, x)
            try:
                result = (kernel if x.size < SMALL else _large)(x, z, transpose_a, transpose_b)
            except unsignalled(Exception) as error:
                result = recover(error, (x, z), {"transpose_a": transpose_a,
                                                 "transpose_b": transpose_b})
            y = _new(Tensor)
            y._value = result
            y._uid = 0
            recorder = state.recorder
            if recorder is not None:
                if transpose_a or transpose_b:
                    recorder.note(_op, (a, b), y, {"transpose_a": transpose_a,
                                                   "transpose_b": transpose_b})
                else:
                    recorder.note2(_op, a, b, y)
            return y
        if type(a) in BARE and type(b) in BARE:
            return (kernel if a.size < SMALL else _large)(a, b, transpose_a, transpose_b)
        if transpose_a or transpose_b:
            return apply(_op, (a, b), {"transpose_a": transpose_a, "transpose_b": transpose_b})
        return apply(_op, (a, b), {})

    return matmul


matmul_call = specialise(_op, _call())
_op.matching = True
operators(matmul_call, "matmul")


# -- public functions ------------------------------------------------------------------------------
@export("matmul", "linalg.matmul")
def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False,
           adjoint_a: bool = False, adjoint_b: bool = False, a_is_sparse: bool = False,
           b_is_sparse: bool = False, output_type: Any = None, grad_a: bool = False,
           grad_b: bool = False, name: str | None = None) -> Tensor:
    """Matrix product over the last two axes; leading axes broadcast.

    >>> tf.matmul([[1., 2.]], [[3., 4.]], transpose_b=True)
    <tf.Tensor: shape=(1, 1), dtype=float32, numpy=array([[11.]], dtype=float32)>

    `a_is_sparse`, `b_is_sparse`, `grad_a` and `grad_b` are hints without effect on the result.
    """
    if type(a) is not Tensor or type(b) is not Tensor:
        a = operand(a)
        b = operand(b, hint=a.dtype)
    if not (transpose_a is transpose_b is adjoint_a is adjoint_b is False):
        try:
            _check_flags(a, b, (transpose_a, transpose_b), (adjoint_a, adjoint_b))
        except errors.UnknownSize as error:
            return deferred(matmul, (a, b, transpose_a, transpose_b, adjoint_a, adjoint_b), error)
        a, transpose_a = _adjoint(a, transpose_a, adjoint_a, "a")
        b, transpose_b = _adjoint(b, transpose_b, adjoint_b, "b")
    if output_type is not None:
        a, b = _to_output(a, b, tf_dtypes.as_dtype(output_type))
    if not (a_is_sparse is b_is_sparse is grad_a is grad_b is False):
        for hint, given in (("a_is_sparse", a_is_sparse), ("b_is_sparse", b_is_sparse),
                            ("grad_a", grad_a), ("grad_b", grad_b)):
            if given is not None:
                flag(hint, given)
    return matmul_call(a, b, True if transpose_a else False, True if transpose_b else False)


def _check_flags(a: Any, b: Any, transposed: tuple, adjoint: tuple) -> None:
    """Those that TensorFlow's op has as attributes must be True or False."""
    stacks = len(shape_of(a)) > 2 or len(shape_of(b)) > 2
    names, flags, others = (("transpose", transposed, adjoint) if not stacks else
                            ("adjoint", adjoint, transposed))
    for letter, given, other in zip("ab", flags, others):
        if given is not None and not other:
            flag(f"{names}_{letter}", given)


def _adjoint(x: Any, transposed: bool, adjoint: bool, letter: str) -> tuple[Any, bool]:
    if adjoint and transposed:
        raise ValueError(f"Only one of `transpose_{letter}` and `adjoint_{letter}` can be True. "
                         f"Received `transpose_{letter}`={transposed}, "
                         f"`adjoint_{letter}`={adjoint}.")
    return (conjugated(x), True) if adjoint else (x, transposed)


def _to_output(a: Any, b: Any, wanted: Any) -> tuple[Any, Any]:
    """Operands in the dtype of the result: narrow integers may be summed in int32."""
    for x in (a, b):
        if x.dtype is not wanted and not (x.dtype.is_integer and wanted is tf_dtypes.int32):
            raise errors.NotFoundError(None, None, (
                f"Could not find device for node: BatchMatMulV3[Ta={a.dtype.name}, "
                f"Tb={b.dtype.name}, Tout={wanted.name}] [Op:BatchMatMulV3]"))
    return tuple(x if x.dtype is wanted else cast(x, dtype=wanted.np)
                 for x in (a, b))


@export("linalg.matvec")
@attributes(transpose_a=flag, a_is_sparse=flag, b_is_sparse=flag)
def matvec(a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False,
           a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None) -> Tensor:
    """Product of matrices `a` and vectors `b`: sums over the last axis of both."""
    a, b = operand(a), operand(b)
    column = expand(b, axis=len(shape_of(b)))
    y = matmul(a, column, transpose_a, adjoint_a=adjoint_a)
    shape = shape_of(y)
    return reshape(y, shape=shape[:-1] if None not in shape else _without_last(y))


def _without_last(y: Any) -> Any:
    """The dynamic shape of y but for its last axis."""
    from tapeflow.core.record.primitive_ops import cut
    return cut(dims(y), axis=0, start=0, size=len(shape_of(y)) - 1)


# -- tensordot -------------------------------------------------------------------------------------
