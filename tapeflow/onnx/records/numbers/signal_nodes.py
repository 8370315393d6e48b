"""Complex numbers as pairs, Fourier transforms, frames.

A complex Term is a float tensor with one axis more at the end: the real part, the imaginary part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import WRITTEN, written, written_complex
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.numbers.elementwise_nodes import atan2
from tapeflow.onnx.records.product_nodes import matmul
from tapeflow.onnx.records.shape_nodes import counting, fitted

MOST_BY_PRODUCT = 2048  # sizes of transforms whose matrix a file may hold


def real_dtype(dtype: Any) -> np.dtype:
    return np.dtype(f"f{np.dtype(dtype).itemsize // 2}")


def pair(w: GraphWriter, dtype: Any, real: Term, imaginary: Term) -> Term:
    """A complex Term of its parts."""
    return w.op("Concat", w.unsqueeze(real, -1), w.unsqueeze(imaginary, -1), dtype=dtype, axis=-1)


def part(w: GraphWriter, z: Term, which: int) -> Term:
    """The real (0) or imaginary (1) part."""
    return w.op("Gather", z, w.constant(np.int64(which)), dtype=real_dtype(z.dtype), axis=-1,
                shape=z.shape)


@written_complex("complex")
def _complex(w: GraphWriter, node: Any, real: Term, imaginary: Term) -> Term:
    if real.shape is None or real.shape != imaginary.shape:
        real = w.op("Expand", real, w.shape_of(imaginary))
        imaginary = w.op("Expand", imaginary, w.op("Shape", real, dtype=INT64))
    return pair(w, node.outputs[0].dtype, real, imaginary)


@written_complex("real")
def _real(w: GraphWriter, node: Any, z: Term) -> Term:
    """By "Gather" """
    return part(w, z, 0)


@written_complex("imag")
def _imag(w: GraphWriter, node: Any, z: Term) -> Term:
    """By "Gather" """
    return part(w, z, 1)


@written_complex("conj")
def _conj(w: GraphWriter, node: Any, z: Term) -> Term:
    return pair(w, z.dtype, part(w, z, 0), w.op("Neg", part(w, z, 1)))


@written_complex("complex_abs")
def _complex_abs(w: GraphWriter, node: Any, z: Term) -> Term:
    return w.op("ReduceL2", z, w.ints(-1), dtype=node.outputs[0].dtype, keepdims=0)


@written_complex("angle")
def _angle(w: GraphWriter, node: Any, z: Term) -> Term:
    """By "Atan" """
    return atan2(w, part(w, z, 1), part(w, z, 0))


@written_complex("cast")
def _cast(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Cast" of the parts"""
    dtype = node.outputs[0].dtype
    if dtype.kind != "c":
        return w.cast(part(w, x, 0), dtype)
    if x.dtype.kind == "c":
        return pair(w, dtype, *[w.cast(part(w, x, i), real_dtype(dtype)) for i in (0, 1)])
    real = w.cast(x, real_dtype(dtype))
    return pair(w, dtype, real, real * 0.0)


@written_complex("add")
def _add(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return pair(w, x.dtype, *[w.op("Add", part(w, x, i), part(w, y, i)) for i in (0, 1)])


@written_complex("subtract")
def _subtract(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return pair(w, x.dtype, *[w.op("Sub", part(w, x, i), part(w, y, i)) for i in (0, 1)])


@written_complex("negative")
def _negative(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Neg", x)


@written_complex("multiply")
def _multiply(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """By "Mul" of the parts"""
    a, b, c, d = part(w, x, 0), part(w, x, 1), part(w, y, 0), part(w, y, 1)
    return pair(w, x.dtype, a * c - b * d, a * d + b * c)


@written_complex("divide")
def _divide(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """By "Mul" and "Div" of the parts"""
    a, b, c, d = part(w, x, 0), part(w, x, 1), part(w, y, 0), part(w, y, 1)
    size = c * c + d * d
    return pair(w, x.dtype, (a * c + b * d) / size, (b * c - a * d) / size)


@written_complex("square")
def _square(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Mul" of the parts"""
    return _multiply(w, node, x, x)


@written_complex("exp")
def _exp(w: GraphWriter, node: Any, x: Term) -> Term:
    size, angle = w.op("Exp", part(w, x, 0)), part(w, x, 1)
    return pair(w, x.dtype, size * w.op("Cos", angle), size * w.op("Sin", angle))


@written_complex("log")
def _log(w: GraphWriter, node: Any, x: Term) -> Term:
    size = w.op("ReduceL2", x, w.ints(-1), dtype=real_dtype(x.dtype), keepdims=0)
    return pair(w, x.dtype, w.op("Log", size), atan2(w, part(w, x, 1), part(w, x, 0)))


@written_complex("sqrt")
def _sqrt(w: GraphWriter, node: Any, x: Term) -> Term:
    """The root whose real part is not negative."""
    size = w.op("ReduceL2", x, w.ints(-1), dtype=real_dtype(x.dtype), keepdims=0)
    a, b = part(w, x, 0), part(w, x, 1)
    zero = w.scalar(0, a.dtype)
    real, imaginary = [w.op("Sqrt", w.op("Max", one * 0.5, zero)) for one in (size + a, size - a)]
    return pair(w, x.dtype, real, w.where(b < 0, -imaginary, imaginary))


@written_complex("roll", "reverse", "stack")
def _moved(w: GraphWriter, node: Any, *xs: Term) -> Term:
    """As real numbers are moved: pairs stay together. By the operators of these."""
    axes = node.attrs["axis"]
    if any(one < 0 for one in (axes if isinstance(axes, tuple) else (axes,))):
        raise ExportError("complex numbers moved along axes that are counted from the end")
    views = [Term(w, x.name, real_dtype(x.dtype), None if x.shape is None else (*x.shape, 2))
             for x in xs]
    found = WRITTEN[node.op.name](w, node, *views)
    return Term(w, found.name, xs[0].dtype)


@written_complex("shape")
def _shape(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Shape" without the last axis"""
    return w.cast(w.shape_of(x), node.outputs[0].dtype)


@written_complex("expand_dims")
def _expand_dims(w: GraphWriter, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"]
    return w.op("Unsqueeze", x, w.ints(axis if axis >= 0 else axis + x.rank + 1))


@written_complex("concat")
def _concat(w: GraphWriter, node: Any, *xs: Term) -> Term:
    return w.op("Concat", *xs, axis=node.attrs["axis"] % xs[0].rank)


@written_complex("reduce_sum")
def _reduce_sum(w: GraphWriter, node: Any, x: Term) -> Term:
    return _reduced(w, "ReduceSum", node, x)


@written_complex("reduce_mean")
def _reduce_mean(w: GraphWriter, node: Any, x: Term) -> Term:
    return _reduced(w, "ReduceMean", node, x)


def _reduced(w: GraphWriter, kind: str, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"]
    along = range(x.rank) if axis is None else [one % x.rank for one in axis]
    return w.op(kind, x, w.ints(*along), keepdims=int(node.attrs["keepdims"]))


@written_complex("matmul")
def _matmul(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """By "MatMul" of the parts"""
    a, b = [matmul(w, node, part(w, x, i), part(w, y, 0)) for i in (0, 1)]
    c, d = [matmul(w, node, part(w, x, i), part(w, y, 1)) for i in (0, 1)]
    return pair(w, x.dtype, a - d, b + c)


@written_complex("identity", "stop_gradient", "read_variable")
def _identity(w: GraphWriter, node: Any, x: Term) -> Term:
    return x


@written_complex("reshape")
def _reshape(w: GraphWriter, node: Any, x: Term) -> Term:
    sizes = w.concat([w.vector(node.attrs["shape"]), w.ints(2)])
    return w.op("Reshape", x, sizes)


@written_complex("transpose")
def _transpose(w: GraphWriter, node: Any, x: Term) -> Term:
    perm = tuple(node.attrs["perm"])
    return w.op("Transpose", x, perm=(*perm, len(perm)))


@written_complex("fit_sizes")
def _fit_sizes(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Slice" and "Pad" """
    return fitted(w, x, node.attrs["axes"], w.vector(node.attrs["sizes"]), x.rank)


# -- Fourier transforms ----------------------------------------------------------------------------
def _dft(w: GraphWriter, x: Term, axis: int, dtype: Any, inverse: bool = False,
         onesided: bool = False) -> Term:
    """Along an axis of what is complex, counted from the end of its own axes."""
    n = (x.shape or (None,) * x.rank)[axis]
    if n is not None and n & (n - 1) and n <= MOST_BY_PRODUCT:
        return _by_product(w, x, axis, n, dtype, inverse, onesided)
    more: dict[str, Any] = {"inverse": int(inverse), "onesided": int(onesided)}
    rank = x.rank + 1
    if w.opset >= 20:
        return w.op("DFT", x, None, w.constant(np.int64(axis - 1 + rank)), dtype=dtype, **more)
    return w.op("DFT", x, dtype=dtype, axis=axis - 1 + rank, **more)


def _by_product(w: GraphWriter, x: Term, axis: int, n: int, dtype: Any, inverse: bool,
                onesided: bool) -> Term:
    """A product with the matrix of waves: runtimes lose digits at sizes that are no power of 2."""
    rank, kind = x.rank, real_dtype(dtype)
    turns = np.outer(np.arange(n), np.arange(n // 2 + 1 if onesided else n)) % n
    angle = turns * (2 * np.pi / n) * (1 if inverse else -1)
    cosine, sine = [w.constant((wave(angle) / (n if inverse else 1)).astype(kind))
                    for wave in (np.cos, np.sin)]
    order = [*[i for i in range(rank) if i != axis + rank], axis + rank]
    back = [order.index(i) for i in range(rank)]

    def moved(which: int) -> Term:
        one = w.op("Gather", x, w.constant(np.int64(which)), dtype=kind, axis=-1, shape=x.shape)
        return w.transpose(one, order)

    real = moved(0)
    parts = [w.op("MatMul", real, cosine), w.op("MatMul", real, sine)]
    if x.dtype.kind == "c":
        other = moved(1)
        parts = [parts[0] - w.op("MatMul", other, sine), parts[1] + w.op("MatMul", other, cosine)]
    return pair(w, dtype, *[w.transpose(one, back) for one in parts])


def _plain(node: Any) -> None:
    if node.attrs.get("norm", "backward") != "backward" or node.attrs.get("weighted"):
        raise ExportError("a Fourier transform that is normalised in another way")


@written_complex("fft")
def _fft(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "DFT" """
    _plain(node)
    shape = x.shape
    for axis in node.attrs["axes"]:
        x = _dft(w, x, axis, x.dtype, node.attrs["inverse"])
        x.shape = shape
    return x


@written_complex("rfft")
def _rfft(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "DFT" of one side"""
    _plain(node)
    axes, shape = node.attrs["axes"], x.shape
    dtype = node.outputs[0].dtype
    z = w.unsqueeze(x, -1)
    z.shape = shape
    z = _dft(w, z, axes[-1], dtype, onesided=True)
    z.shape = node.outputs[0].shape
    for axis in axes[:-1]:
        z = _dft(w, z, axis, dtype)
        z.shape = node.outputs[0].shape
    return z


@written_complex("irfft")
def _irfft(w: GraphWriter, node: Any, z: Term) -> Term:
    """By "DFT" backwards of both sides: the other one is the mirrored conjugate."""
    _plain(node)
    n, axes = node.attrs["n"], node.attrs["axes"]
    if axes[-1] != -1:
        raise ExportError("an inverse transform that is not along the last axis")
    dtype, rank, shape = z.dtype, z.rank, z.shape
    for axis in axes[:-1]:
        z = _dft(w, z, axis, dtype, inverse=True)
        z.shape = shape
    count = w.vector(n)
    last = count - count / 2 - 1
    other = w.slice(z, last, [0], [rank - 1], [-1])  # from the last but one down to 1
    mirrored = w.op("Mul", other, w.constant(np.array([1, -1], real_dtype(dtype))), dtype=dtype)
    both = w.op("Concat", z, mirrored, axis=rank - 1)
    both.shape = None if shape is None else (*shape[:-1], n if isinstance(n, int) else None)
    return part(w, _dft(w, both, -1, dtype, inverse=True), 0)


@written("dct")
def _dct(w: GraphWriter, node: Any, x: Term) -> Term:
    """A product with the matrix that the record makes of an identity."""
    n = (x.shape or (None,))[-1]
    if n is None:
        raise ExportError("a transform of an unknown size")
    matrix = node.op.kernel(np.eye(n, dtype=np.float64), **node.attrs)
    return w.op("MatMul", x, w.constant(np.asarray(matrix).astype(x.dtype)))


@written("frame")
def _frame(w: GraphWriter, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"] + x.rank
    length, step = [w.squeeze(w.vector(node.attrs[key]), 0) for key in ("length", "step")]
    size = w.squeeze(w.size_of(x, axis), 0)
    count = w.op("Max", (size - length) / step + 1, w.scalar(0, INT64))
    at = w.unsqueeze(counting(w, count) * step, 1) + w.unsqueeze(counting(w, length), 0)
    return w.op("Gather", x, at, axis=axis)


@written("overlap_and_add")
def _overlap_and_add(w: GraphWriter, node: Any, x: Term) -> Term:
    """Pieces of a step's length, each with those of the frames before it, by "Pad" and "Add"."""
    step, rank, at = node.attrs["step"], x.rank, node.attrs["axis"] + x.rank
    length = (x.shape or ())[at]
    if not isinstance(step, int) or length is None:
        raise ExportError("frames of unknown lengths or steps")
    x = w.transpose(x, [*range(at - 1), *range(at + 1, rank), at - 1, at])
    pieces = -(-length // step)
    zero = w.scalar(0, x.dtype)

    def padded(one: Term, axis: int, before: int, after: int, axes: int) -> Term:
        pads = np.zeros((2, axes), np.int64)
        pads[:, axis] = before, after
        return w.op("Pad", one, w.ints(*pads.ravel().tolist()), zero)

    whole = padded(x, rank - 1, 0, pieces * step - length, rank)
    lead = [w.size_of(x, i) for i in range(rank - 1)]
    parts = w.reshape(whole, w.concat([*lead, w.ints(pieces, step)]))
    total = None
    for i in range(pieces):
        one = w.squeeze(w.slice(parts, [i], [i + 1], [rank - 1]), rank - 1)
        moved = padded(one, rank - 2, i, pieces - 1 - i, rank)
        total = moved if total is None else total + moved
    assert total is not None
    flat = w.reshape(total, w.concat([*lead[:-1], w.ints(-1)]))
    found = fitted(w, flat, (-1,), w.vector(node.attrs["total"]), rank - 1)
    return w.transpose(found, [*range(at - 1), rank - 2, *range(at - 1, rank - 2)])
