"""Operands for the tests of an op record, drawn from its `check` field.

`draws(op)` gives one `Draw` for each Case, or for Samples one for each of a few shapes. Everything
is seeded by the op's name: a failure repeats. Arrays are read-only, so a kernel or rule that writes
to its input fails. Imported by the record checks only.
"""

from __future__ import annotations

import itertools
import math
import zlib

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.core.record.samples import Case, Samples, ints, symmetric, uniform

BFLOAT16 = tf_dtypes.bfloat16.np
DTYPES = {
    "f": [np.dtype("float16"), np.dtype("float32"), np.dtype("float64")],
    "V": [BFLOAT16],
    "i": [np.dtype(f"int{n}") for n in (8, 16, 32, 64)],
    "u": [np.dtype(f"uint{n}") for n in (8, 16, 32, 64)],
    "c": [np.dtype("complex64"), np.dtype("complex128")],
    "b": [np.dtype("bool")],
    "O": [np.dtype("O")],
}
BASE = {"f": "float64", "c": "complex128", "i": "int32", "u": "uint8", "b": "bool", "O": "O"}
SHAPES = {
    0: [()],
    1: [((2, 3),), ((),), ((4,),)],
    2: [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)), ((), ())],
    3: [((2, 3),) * 3, ((2, 3), (), (3,)), ((),) * 3],
}


class Draw:
    """One call of an op: bare operands, attributes, and how its derivatives may be checked."""

    def __init__(self, op, label, operands, attrs, tol=None, grad=True, real=False):
        self.op, self.label, self.attrs = op, label, attrs
        self.xs = [value for value, _ in operands]
        self.requests = [request for _, request in operands]
        self.tol, self.grad, self.real = tol, grad, real

    def __repr__(self):
        shapes = ", ".join(f"{x.dtype}{list(x.shape)}" for x in self.xs)
        attrs = "".join(f", {key}={value!r}" for key, value in self.attrs.items())
        return f"{self.op.name}({shapes}{attrs})"

    def tangent(self, rng, i):
        """A direction in which operand i may move: a symmetric one for a symmetric operand."""
        x = self.xs[i]
        t = noise(rng, x.shape, x.dtype)
        if isinstance(self.requests[i], symmetric):
            t = frozen((t + np.conj(np.swapaxes(t, -1, -2))) / 2)
        return t

    @property
    def active(self):
        """Positions of the operands that may have a gradient."""
        op = self.op
        if op.reason is not None or not self.grad:
            return []
        return [i for i, x in enumerate(self.xs) if x.dtype.kind in "fcV"
                and (op.joint is not None or op.rules[i] is not None)]


def generator(op, salt=0):
    return np.random.default_rng([zlib.crc32(op.name.encode()), salt])


def frozen(value):
    """As the value of a Tensor: a NumPy scalar, or an array that nobody may write to."""
    value = np.asarray(value)
    if not value.ndim and value.dtype != object:
        return value[()]
    value.flags.writeable = False
    return value


def noise(rng, shape, dtype):
    """Standard normal numbers."""
    x = rng.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return frozen(np.asarray(x).astype(dtype))


def base_dtype(op):
    """The dtype that an op is chiefly tested in."""
    return np.dtype(next(BASE[kind] for kind in "fciubO" if kind in op.allowed))


def draws(op, salt=0, dtype=None):
    """The calls that the record asks for, with operands of `dtype` where it leaves that open."""
    rng = generator(op, salt)
    dtype = base_dtype(op) if dtype is None else np.dtype(dtype)
    if isinstance(op.check, Samples):
        return [_from_samples(op, rng, shapes, dtype) for shapes in SHAPES[_count(op)]]
    return [_from_case(op, rng, case, dtype) for case in op.check]


def _count(op):
    return 3 if op.args and op.args[0].startswith("*") else len(op.args)


def _from_samples(op, rng, shapes, dtype):
    check = op.check
    ranges = [(check.low, check.high)] * len(shapes)
    if check.second is not None:
        ranges[1:] = [check.second] * (len(shapes) - 1)
    operands = [(between(rng, low, high, shape, dtype), shape)
                for (low, high), shape in zip(ranges, shapes)]
    return Draw(op, f"shapes {shapes}", operands, {}, tol=check.tol)


def _from_case(op, rng, case, dtype):
    assert isinstance(case, Case), f"{op.name}: check holds {case!r}, not a Case"
    operands = [(_operand(rng, request, dtype), request) for request in case.operands]
    return Draw(op, repr(case.attrs), operands, case.attrs, case.tol, case.grad, case.real)


def between(rng, low, high, shape, dtype):
    """Numbers between low and high as far as the dtype has any."""
    if dtype.kind == "O":
        return frozen(np.array([b"%d" % i for i in range(math.prod(shape))], object).reshape(shape))
    if dtype.kind == "b":
        return frozen(rng.integers(0, 2, shape).astype(bool))
    if dtype.kind in "iu":
        first, last = math.ceil(low), math.floor(high)
        if dtype.kind == "u":
            first, last = max(first, 0), max(last, 1)
        if last < first:
            first = last = round((low + high) / 2)
        return frozen(rng.integers(first, last + 1, shape).astype(dtype))
    x = rng.uniform(low, high, shape)
    if dtype.kind == "c":
        x = x + 1j * rng.uniform(-0.5, 0.5, shape) * min(1.0, high - low)
    return frozen(np.asarray(x).astype(dtype))


def _operand(rng, request, dtype):
    if isinstance(request, ints):
        return frozen(rng.integers(request.low, request.high, request.shape).astype(request.dtype))
    if isinstance(request, uniform):
        return between(rng, request.low, request.high, request.shape, dtype)
    if isinstance(request, symmetric):
        return _symmetric(rng, request.shape, dtype)
    if isinstance(request, tuple) and all(isinstance(n, int) for n in request):
        if dtype.kind in "fVc":
            return noise(rng, request, dtype)
        return between(rng, 0 if dtype.kind == "u" else -4, 4, request, dtype)
    return _literal(request, dtype)


def _symmetric(rng, shape, dtype):
    """A symmetric (Hermitian) positive definite matrix, well conditioned."""
    wide = np.dtype("complex128" if dtype.kind == "c" else "float64")
    a = noise(rng, shape, wide)
    square = a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(shape[-1])
    return frozen(square.astype(dtype))


def _literal(request, dtype):
    """Literal floats take the dtype under test (complex ones its precision), else keep theirs."""
    value = np.asarray(request)
    if value.dtype == np.dtype("int64") and not isinstance(request, (np.ndarray, np.generic)):
        value = value.astype(np.int32)
    if value.dtype.kind == "f" and dtype.kind in "fVc" or value.dtype.kind == dtype.kind == "c":
        value = value.astype(dtype)
    if value.dtype.kind in "US":
        value = np.char.encode(value.astype("U")).astype(object)
    return frozen(value.copy())


def specials(op, dtype):
    """Operand tuples of special points: every pair of them for two operands."""
    check = op.check
    if not isinstance(check, Samples) or not len(check.special):
        return []
    points = list(check.special)
    if isinstance(points[0], (tuple, list)):
        columns = zip(*points, strict=True)
    else:
        ordinary = [(check.low + check.high) / 2] if _count(op) > 1 else []
        columns = zip(*itertools.product(points + ordinary, repeat=_count(op)), strict=True)
    return [frozen(np.array(column, dtype)) for column in columns]


def emptied(draw):
    """The same call with every size that the first operand starts with made 0, or None.

    Indices are left alone: they would point into nothing.
    """
    if any(isinstance(request, ints) for request in draw.requests):
        return None
    first = next((x.shape[0] for x in draw.xs if x.ndim), None)
    if not first:
        return None
    xs = [frozen(x[:0].copy()) if x.ndim and x.shape[0] == first else x for x in draw.xs]
    return Draw(draw.op, draw.label, list(zip(xs, draw.requests)), draw.attrs, draw.tol,
                draw.grad, draw.real)
