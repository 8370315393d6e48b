"""The form of every record (`core.lowering`) against its kernel, on the record's own samples.

Elements (Pointwise) are compiled, in one module; the other forms are carried out with NumPy as
their documentation says. What the compiler makes of them is tested elsewhere.
"""

import ctypes
import functools
import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import draws, specials

import tapeflow  # noqa: F401
from tapeflow.base import errors
from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.op import OPS
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.jit.codegen.builder import LLVM, Builder
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.runtime import llvm_backend, target

KINDS = {"f": ["float32", "float64"], "i": ["int8", "int32", "int64"], "u": ["uint8", "uint32"],
         "b": ["bool"], "c": ["complex64", "complex128"]}
LANES = 8
# What one of the two computes more coarsely than to a few ulp of the result.
LOOSE = {"softplus": 4e-7, "log_sigmoid": 4e-7, "sigmoid_cross_entropy": 2e-6, "elu": 1e-7,
         "selu": 2e-7, "gelu": 4e-7, "digamma": 4e-15, "igamma": 2e-14, "igammac": 2e-14,
         "betainc": 2e-14, "polygamma": 2e-14}


LOGITS = ("sparse_softmax_slope", "sparse_softmax_cross_entropy")  # integers are their labels


def dtypes_of(op):
    if op.name in LOGITS:
        return KINDS["f"]
    if op.allowed == {"c"}:
        return KINDS["c"]
    kinds = "fiubc" if getattr(op.lower, "complex", False) else "fiub"
    return [dtype for kind in kinds if kind in op.allowed for dtype in KINDS[kind]]


def samples(op, dtype):
    """(operands, attributes) of the record in one dtype, with its special points."""
    found = [(list(draw.xs), draw.attrs) for draw in draws(op, dtype=dtype)]
    if np.dtype(dtype).kind == "f":
        points = specials(op, dtype)
        if points:
            found.append((points, {}))
    return [(xs, attrs) for xs, attrs in found
            if all(x.dtype.name in LLVM for x in xs) and runs(op, xs, attrs)]


def runs(op, xs, attrs):
    """Whether the kernel takes operands of these dtypes."""
    try:
        return bool(result_of(op, xs, attrs))
    except errors.OpError:
        return False


def result_of(op, xs, attrs):
    with np.errstate(all="ignore"):
        result = op.kernel(*xs, **attrs)
    return [np.asarray(y) for y in result] if op.multi else [np.asarray(result)]


def close(y, wanted, op):
    assert y.dtype == wanted.dtype and y.shape == wanted.shape, (y.dtype, y.shape, wanted)
    if y.dtype.kind not in "fc":
        np.testing.assert_array_equal(y, wanted)
        return
    ulp = float(np.finfo(y.dtype).eps)
    if y.dtype.kind == "c":  # either part is as far off as the larger one
        ulp = ulp * max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    np.testing.assert_allclose(y, wanted, rtol=max(8 * ulp, LOOSE.get(op.name, 0)),
                               atol=max(ulp, LOOSE.get(op.name, 0)))


# -- elements ------------------------------------------------------------------------------------
POINTWISE = sorted(name for name, op in OPS.items() if isinstance(op.lower, forms.Pointwise))


class Element:
    """One op on operands of given dtypes as a function of arrays, in a module that others share."""

    def __init__(self, module, name, op, kinds, attrs, rank, lanes):
        self.name = name
        indices = [f"%p{len(kinds) + i}" for i in range(rank)] if op.lower.indexed else []
        labels = [f"%p{i}" for i in range(len(kinds))]
        params = [("i64", "%n"), *(("ptr", label) for label in (*labels, *indices, "%out"))]
        code = Code(module, name, params, attributes=module.target.attributes)
        b = Builder(code, lanes)

        def read(label, kind, index):
            return b.load(code.at(label, index, LLVM[kind] if kind != "bool" else "i8"), kind)

        with code.loop(0, "%n", lanes) as loop:
            xs = [read(label, kind, loop.index) for label, kind in zip(labels, kinds, strict=True)]
            where = {"index": [read(label, "int64", loop.index) for label in indices]}
            y = op.lower.write(b, *xs, **attrs, **(where if indices else {}))
            unit = LLVM[y.dtype] if y.dtype != "bool" else "i8"
            b.store(y, code.at("%out", loop.index, unit))
        self.dtype = y.dtype
        module.functions[name] = code.text()


@functools.cache
def elements():
    """All elements of all records, compiled together: {(op, lanes, kinds, attributes): …}."""
    module, found, refused = Module(target.host()), {}, {}
    for name in POINTWISE:
        op = OPS[name]
        for dtype in dtypes_of(op):
            for xs, attrs in samples(op, dtype):
                kinds = tuple(x.dtype.name for x in xs)
                rank = len(np.broadcast_shapes(*[x.shape for x in xs]))
                for lanes in (1, LANES):
                    key = (name, lanes, kinds, repr(attrs), rank if op.lower.indexed else 0)
                    if key in found or key in refused:
                        continue
                    try:
                        found[key] = Element(module, f"f{len(found)}", op, kinds, attrs, rank,
                                             lanes)
                    except forms.Unsupported as error:
                        refused[key] = str(error)
    return llvm_backend.load(module.text()), found, refused


def run_element(op, xs, attrs, lanes):
    code, found, refused = elements()
    shape = np.broadcast_shapes(*[x.shape for x in xs])
    key = (op.name, lanes, tuple(x.dtype.name for x in xs), repr(attrs),
           len(shape) if op.lower.indexed else 0)
    if key in refused:
        return None
    element = found[key]
    size = int(np.prod(shape))
    count = -(-size // lanes) * lanes
    arrays = list(xs)
    if op.lower.indexed:
        arrays += [np.broadcast_to(i, shape).astype("int64") for i in np.indices(shape)]
    flat = []
    for x in arrays:
        whole = np.broadcast_to(x, shape).ravel()
        flat.append(np.concatenate([whole, np.ones(count - size, whole.dtype)]))
    out = np.empty(count, element.dtype)
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * (len(flat) + 1))(
        code.address(element.name))
    function(count, *[x.ctypes.data for x in flat], out.ctypes.data)
    return out[:size].reshape(shape)


@pytest.mark.parametrize("name", POINTWISE)
def test_elements(name):
    op, ran = OPS[name], 0
    for dtype in dtypes_of(op):
        for xs, attrs in samples(op, dtype):
            wanted = result_of(op, xs, attrs)[0]
            if wanted.dtype.name not in LLVM:
                continue
            for lanes in (1, LANES):
                y = run_element(op, xs, attrs, lanes)
                if y is None:
                    continue
                ran += 1
                close(y, wanted, op)
    assert ran or name in ("floordiv", "floormod", "truncatediv", "truncatemod")


# -- the other forms -----------------------------------------------------------------------------
def expanded(op, form, xs, attrs):
    ys = form.write(*[wrap(x) for x in xs], **attrs)
    if ys is None:
        run = RUN.get(type(form.otherwise))
        return None if run is None else run(op, form.otherwise, xs, attrs)
    assert isinstance(ys, tuple) == op.multi
    ys = ys if op.multi else (ys,)
    assert all(isinstance(y, Tensor) for y in ys)
    return [np.asarray(y._value) for y in ys]


def viewed(op, form, xs, attrs):
    found = form.view(xs[0].shape, **attrs)
    if found is None:
        return None
    offset, sizes, strides = found
    flat = np.ascontiguousarray(xs[0]).reshape(-1)
    places = np.full(sizes, offset)
    for axis, (n, step) in enumerate(zip(sizes, strides, strict=True)):
        places += (np.arange(n) * step).reshape((-1,) + (1,) * (len(sizes) - axis - 1))
    return [flat[places]]


def assembled(op, form, xs, attrs):
    found = form.parts([x.shape for x in xs], **attrs)
    if found is None:
        return None
    filling, parts = found
    y = np.empty_like(result_of(op, xs, attrs)[0])
    covered = np.zeros(y.shape, bool)
    if isinstance(filling, tuple):
        filling = xs[filling[1]]
    if filling is not None:
        y[...] = filling
        covered[...] = True
    for operand, begin, step, *axes in parts:
        x = xs[operand]
        for place in np.ndindex(x.shape):
            goal = list(begin)
            for axis, i in zip(axes[0] if axes else range(y.ndim), place, strict=True):
                if axis is not None:
                    goal[axis] += step[axis] * i
            y[tuple(goal)] = np.asarray(x)[place]
            covered[tuple(goal)] = True
    assert covered.all()
    return [y]


def gathered(op, form, xs, attrs):
    found = form.axes([x.shape for x in xs], **attrs)
    if found is None:
        return None
    axis, batch = found
    x, indices = np.asarray(xs[0]), np.asarray(xs[1])
    y = np.empty((*x.shape[:axis], *indices.shape[batch:], *x.shape[axis + 1:]), x.dtype)
    inner = indices.ndim - batch
    for place in np.ndindex(y.shape):
        which = indices[place[:batch] + place[axis:axis + inner]]
        if form.outside == "zero" and not 0 <= which < x.shape[axis]:
            y[place] = 0
        else:
            y[place] = x[place[:axis] + (int(which),) + place[axis + inner:]]
    return [y]


UFUNCS = {"sum": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum,
          "prod": np.multiply}


def scattered(op, form, xs, attrs):
    roles = form.roles([x.shape for x in xs], **attrs)
    if roles is None:
        return None
    updates, indices = xs[roles["updates"]], np.asarray(xs[roles["indices"]])
    y = np.empty_like(result_of(op, xs, attrs)[0])
    assert len(y) == roles["rows"]
    start = roles["start"]
    y[...] = xs[start[1]].reshape(y.shape) if isinstance(start, tuple) else start
    values = updates.reshape(-1, *y.shape[1:])
    for row, value in zip(indices.ravel(), values, strict=True):
        if not 0 <= row < len(y):
            assert roles["outside"] == "skip" or (roles["outside"] == "negative" and row < 0)
            continue
        y[row] = value if roles["combine"] == "put" else UFUNCS[roles["combine"]](y[row], value)
    return [y]


REDUCERS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum,
            "any": np.logical_or, "all": np.logical_and}


def reduced(op, form, xs, attrs):
    if form.mean and xs[0].dtype.kind != "f":
        return None
    axis = attrs.get(form.axis)
    start = {"max": np.iinfo("i1").min, "min": 0} if xs[0].dtype.kind in "iu" else {
        "max": -np.inf, "min": np.inf}
    initial = {"initial": start[form.combine]} if form.combine in start and not xs[0].size else {}
    y = np.asarray(REDUCERS[form.combine].reduce(
        xs[0], axis=axis, keepdims=attrs.get(form.keepdims, False), **initial))
    if form.mean:
        y = y / (xs[0].size / max(y.size, 1))
    return [y.astype(xs[0].dtype)]


def scanned(op, form, xs, attrs):
    axis = attrs.get("axis", 0)
    x = np.flip(xs[0], axis) if attrs.get("reverse") else xs[0]
    y = {"sum": np.add, "prod": np.multiply}[form.combine].accumulate(x, axis, dtype=x.dtype)
    if attrs.get("exclusive"):
        first = np.full_like(np.take(y, [0], axis), form.combine == "prod")
        y = np.concatenate([first, np.take(y, range(x.shape[axis] - 1), axis)], axis)
    return [np.flip(y, axis) if attrs.get("reverse") else y]


def multiplied(op, form, xs, attrs):
    transposed = form.transposed(**attrs)
    a, b = (np.swapaxes(x, -1, -2) if swap else x
            for x, swap in zip(xs, transposed, strict=True))
    return [a @ b]


RUN = {forms.Expand: expanded, forms.View: viewed, forms.Assemble: assembled,
       forms.Gather: gathered, forms.Scatter: scattered, forms.Reduce: reduced,
       forms.Product: multiplied, forms.Scan: scanned,
       forms.Reshape: lambda op, form, xs, attrs: [
           np.asarray(xs[0]).reshape(result_of(op, xs, attrs)[0].shape)]}


@pytest.mark.parametrize("name", sorted(
    name for name, op in OPS.items() if type(op.lower) in RUN))
def test_form(name):
    op, ran = OPS[name], 0
    for dtype in dtypes_of(op):
        for xs, attrs in samples(op, dtype):
            try:
                ys = RUN[type(op.lower)](op, op.lower, xs, attrs)
            except forms.Unsupported:
                continue
            if ys is None:
                continue
            ran += 1
            for y, wanted in zip(ys, result_of(op, xs, attrs), strict=True):
                close(y, wanted, op)
    if not ran:
        pytest.skip("its samples have attributes without a form")
