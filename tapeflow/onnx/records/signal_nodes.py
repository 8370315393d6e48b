"""Complex numbers as pairs, Fourier transforms, frames.

A complex Term is a float tensor with one axis more at the end: the real part, the imaginary part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written, written_complex
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.elementwise_nodes import atan2
from tapeflow.onnx.records.product_nodes import matmul
from tapeflow.onnx.records.shape_nodes import counting, fitted


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
    more: dict[str, Any] = {"inverse": int(inverse), "onesided": int(onesided)}
    rank = x.rank + 1
    if w.opset >= 20:
        return w.op("DFT", x, None, w.constant(np.int64(axis - 1 + rank)), dtype=dtype, **more)
    return w.op("DFT", x, dtype=dtype, axis=axis - 1 + rank, **more)


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
    if len(axes) != 1 or axes[0] != -1 or not isinstance(n, int):
        raise ExportError("an inverse transform along several axes, or of an unknown size")
    dtype, rank = z.dtype, z.rank
    other = w.slice(z, [n - n // 2 - 1], [0], [rank - 1], [-1])  # from the last but one down to 1
    mirrored = w.op("Mul", other, w.constant(np.array([1, -1], real_dtype(dtype))), dtype=dtype)
    both = w.op("Concat", z, mirrored, axis=rank - 1)
    both.shape = z.shape
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
