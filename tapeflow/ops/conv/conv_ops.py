"""The convolution and its gradients in input and filters: three bilinear records.

Each is the derivative of the others, so that derivatives of any order are made of the same three
kernels. Operands are channels last: x (N, *sizes, C), filters (*window, C / groups, O). May be
imported by the modules of `ops.conv`.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.base import errors
from tapeflow.core.record.lowering_forms import Window
from tapeflow.core.record.op import Spec, define, mismatch, shape_of
from tapeflow.core.record.primitive_ops import cut, reshape, static, transpose
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support import large_operands
from tapeflow.ops._support.arguments import joined, sizes_of
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.conv import kernels
from tapeflow.ops.conv.geometry import static_sizes


def middle(x: Any, before: int, after: int) -> Any:
    """The sizes of some axes in the middle as an attribute: ints, or a vector of a trace."""
    shape = shape_of(x)
    some = shape[before:len(shape) - after]
    if None not in some:
        return some
    return cut(x._dynamic_shape(), axis=0, start=before, size=len(some))


def _known(n: Any) -> int | None:
    return None if isinstance(n, Tensor) else n


# -- static shapes ---------------------------------------------------------------------------------
def _shape(spec: Spec, rank: int) -> tuple:
    return (None,) * rank if spec.shape is None else spec.shape


def _conv_shape(x: Spec, filters: Spec, strides: tuple, padding: Any, dilations: tuple,
                groups: Any) -> Spec:
    rank = len(strides) + 2
    a, w = _shape(x, rank), _shape(filters, rank)
    if len(a) != rank or len(w) != rank:
        raise ValueError(f"Shape must be rank {rank} for a convolution of {rank - 2} dimensions, "
                         f"with input shapes: {list(a)}, {list(w)}.")
    many = _known(groups)
    if None not in (a[-1], w[-2], many) and a[-1] != w[-2] * many:
        raise ValueError(f"Depth of input ({a[-1]}) is not a multiple of input depth of filter "
                         f"({w[-2]}) for a convolution with input shapes: {list(a)}, {list(w)}.")
    out = static_sizes(f"Conv{rank - 2}D", a[1:-1], w[:-2], strides, dilations, padding)
    return Spec((a[0], *out, w[-1]), x.dtype)


def _input_shape(filters: Spec, g: Spec, sizes: Any, strides: tuple, padding: Any,
                 dilations: tuple, groups: Any) -> Spec:
    rank = len(strides) + 2
    depth, many = _shape(filters, rank)[-2], _known(groups)
    channels = None if depth is None or many is None else depth * many
    inner = static(sizes) or (None,) * (rank - 2)
    return Spec((_shape(g, rank)[0], *inner, channels), g.dtype)


def _filter_shape(x: Spec, g: Spec, sizes: Any, strides: tuple, padding: Any, dilations: tuple,
                  groups: Any) -> Spec:
    rank = len(strides) + 2
    depth, many = _shape(x, rank)[-1], _known(groups)
    channels = None if depth is None or many is None else depth // many
    return Spec((*(static(sizes) or (None,) * (rank - 2)), channels, _shape(g, rank)[-1]), x.dtype)


# -- batches: along N, or as groups of channels ----------------------------------------------------
def _into_batch(x: Any) -> Any:
    """(B, N, …) to (B·N, …)."""
    b, n, *rest = sizes_of(x)
    known = isinstance(n, int)
    return reshape(x, shape=joined([b * n if known else -1, *rest]))


def _from_batch(y: Any, size: int) -> Any:
    n, *rest = sizes_of(y)
    return reshape(y, shape=joined([size, n // size if isinstance(n, int) else -1, *rest]))


def _into_axis(x: Any, axis: int, groups: int) -> Any:
    """The batch axis into axis `axis` (negative), inside of `groups`: (…, groups·B·C, …)."""
    sizes = sizes_of(x)
    rank = len(sizes)
    axis += rank
    size, depth = sizes[0], sizes[axis] // groups
    split = reshape(x, shape=joined([*sizes[:axis], groups, depth, *sizes[axis + 1:]]))
    order = (*range(1, axis + 1), 0, *range(axis + 1, rank + 1))
    moved = transpose(split, perm=order)
    return reshape(moved, shape=joined([*sizes[1:axis], groups * size * depth, *sizes[axis + 1:]]))


def _from_axis(y: Any, axis: int, groups: int, size: int) -> Any:
    """Undoes `_into_axis`."""
    sizes = sizes_of(y)
    axis += len(sizes)
    depth = sizes[axis] // (groups * size)
    split = reshape(y, shape=joined([*sizes[:axis], groups, size, depth, *sizes[axis + 1:]]))
    moved = transpose(split, perm=(axis + 1, *range(axis + 1), *range(axis + 2, len(sizes) + 2)))
    return reshape(moved, shape=joined([size, *sizes[:axis], groups * depth, *sizes[axis + 1:]]))


def _batch(axes: tuple, results: tuple) -> Any:
    """A batch rule. `axes`: which axis of each operand takes the batch if it alone has one,
    None for its own N; `results`: which axis of the result does. Two batched operands make groups.
    """
    def rule(call, size, xs, batched, attrs):
        groups = attrs["groups"]
        if batched[0] and batched[1]:
            y = call(*[_into_axis(x, -1, 1) for x in xs], **{**attrs, "groups": groups * size})
            return _from_axis(y, -1, 1, size)
        position = 0 if batched[0] else 1
        axis, goal, operands = axes[position], results[position], list(xs)
        if axis is None:
            operands[position] = _into_batch(xs[position])
            return _from_batch(call(*operands, **attrs), size)
        operands[position] = _into_axis(xs[position], axis, 1 if axis == -2 else groups)
        return _from_axis(call(*operands, **attrs), goal, 1 if goal == -2 else groups, size)

    return rule


# -- native code -----------------------------------------------------------------------------------
def _window(role: str, x: tuple, filters: tuple, g: tuple | None, strides: tuple, padding: Any,
            dilations: tuple, groups: int) -> dict | None:
    """The fields of `jit.windows.Window`; None where the kernel has an error to tell."""
    try:
        shape = kernels.Shape("Conv2D", x, filters, strides, padding, dilations, groups)
        if g is not None:
            shape.expect(g)
    except errors.OpError:
        return None
    return {"role": role, "batch": x[0], "sizes": x[1:-1], "channels": x[-1], "out": shape.out,
            "outer": filters[-1], "window": shape.window, "strides": strides,
            "dilations": dilations, "pads": shape.pads, "groups": groups}


def _forward_window(shapes: list, **attrs: Any) -> dict | None:
    return _window("forward", shapes[0], shapes[1], None, **attrs)


def _input_window(shapes: list, sizes: Any, groups: int, **attrs: Any) -> dict | None:
    filters, g = shapes
    inner: Any = static(sizes)
    x = (g[0], *inner, filters[-2] * groups)
    return _window("input", x, filters, g, groups=groups, **attrs)


def _filter_window(shapes: list, sizes: Any, groups: int, **attrs: Any) -> dict | None:
    x, g = shapes
    inner: Any = static(sizes)
    filters = (*inner, x[-1] // groups, g[-1])
    return _window("filter", x, filters, g, groups=groups, **attrs)


# -- the records -----------------------------------------------------------------------------------
# Computes an op of many multiplications by its kernel or by native code; set by the layers above.
native: Any = large_operands.native_window
NATIVE_FROM = 1 << 18
NATIVE_DTYPES = "fdeE"  # float32, float64, float16, bfloat16


def _bilinear(kernel: Any, batched: tuple, work: Any, describe: Any) -> Any:
    """A kernel with its operands checked, in parallel, half precision in single."""
    def checked(a, b, **attrs):
        if a.dtype != b.dtype:
            raise mismatch(convolve.op, a, b)
        if native is not None and a.dtype.char in NATIVE_DTYPES and (
                work(a, b, attrs)[0] >= NATIVE_FROM):
            return native(describe, wide, (a, b), attrs)
        return wide(a, b, **attrs)

    wide = float32_kernel(kernels.shared(kernel, batched, work))
    return checked


# How many multiplications there are (about every element of one operand with every filter), and
# the size of the filters.
def _work(x, w, attrs):
    per = max(w.shape[-2], 1) * attrs["groups"] * prod(attrs["strides"])
    return x.size * w.size // per, w.size


def _work_back(w, g, attrs):
    return g.size * w.size // max(w.shape[-1], 1), w.size


def _work_filters(x, g, attrs):
    inner = prod(attrs["sizes"]) * x.shape[-1] // attrs["groups"]
    return g.size * inner, inner * g.shape[-1]


def _jvp(ts, y, a, b, call, attrs):
    first = None if ts[0] is None else call(ts[0], b, **attrs)
    second = None if ts[1] is None else call(a, ts[1], **attrs)
    return second if first is None else first if second is None else first + second


def _attrs(strides=(1,), padding="VALID", dilations=None, groups=1, **more):
    return dict(strides=strides, padding=padding, groups=groups,
                dilations=dilations or (1,) * len(strides), **more)


convolve = define(
    "convolve", kernel=_bilinear(kernels.convolve, (True, False), _work, _forward_window),
    args=("input", "filters"), shape=_conv_shape,
    vjp=(lambda g, y, x, w, **attrs: input_gradient(w, g, sizes=middle(x, 1, 1), **attrs),
         lambda g, y, x, w, **attrs: filter_gradient(x, g, sizes=middle(w, 0, 2), **attrs)),
    jvp=lambda ts, y, x, w, **attrs: _jvp(ts, y, x, w, convolve, attrs),
    batch=_batch((None, -1), (None, -1)), saves="in", dtypes="fVi", kind="contract",
    tf_name="Conv2D", lower=Window(_forward_window),
    check=[Case((2, 5, 2), (3, 2, 3), **_attrs()),
           Case((1, 4, 5, 2), (2, 3, 2, 3), **_attrs((2, 1), "SAME")),
           Case((1, 5, 4, 4), (2, 2, 2, 4), **_attrs((1, 2), ((1, 2), (0, 1)), (2, 1), 2)),
           Case((2, 3, 3, 6), (1, 1, 6, 2), **_attrs((1, 1))),
           Case((1, 4, 4, 3), (3, 2, 1, 6), **_attrs((2, 2), "SAME", groups=3)),
           Case((1, 3, 4, 3, 2), (2, 2, 2, 2, 1), **_attrs((1, 2, 1), "SAME"))])

input_gradient = define(
    "convolve_input_gradient", args=("filters", "g"), shape=_input_shape,
    kernel=_bilinear(kernels.input_gradient, (False, True), _work_back, _input_window),
    vjp=(lambda u, y, w, g, sizes, **attrs: filter_gradient(u, g, sizes=middle(w, 0, 2), **attrs),
         lambda u, y, w, g, sizes, **attrs: convolve(u, w, **attrs)),
    jvp=lambda ts, y, w, g, **attrs: _jvp(ts, y, w, g, input_gradient, attrs),
    batch=_batch((-2, None), (-1, None)), saves="in", dtypes="fVi", kind="contract",
    tf_name="Conv2DBackpropInput", lower=Window(_input_window),
    check=[Case((3, 2, 3), (2, 3, 3), **_attrs(sizes=(5,))),
           Case((2, 3, 6, 3), (1, 2, 5, 3), **_attrs((2, 1), "SAME", sizes=(4, 5))),
           Case((2, 2, 2, 4), (1, 6, 2, 4), **_attrs((1, 2), ((1, 2), (0, 1)), (2, 1), 2,
                                                     sizes=(5, 4))),
           Case((1, 1, 6, 2), (2, 3, 3, 2), **_attrs((1, 1), sizes=(3, 3))),
           Case((4, 2, 5, 2), (1, 3, 2, 2), **_attrs((3, 2), "SAME", (2, 1), sizes=(7, 4))),
           Case((3, 2, 6, 2), (1, 3, 2, 2), **_attrs((2, 3), "VALID", (4, 1), sizes=(13, 6))),
           Case((2, 2, 3, 2), (1, 2, 2, 2), **_attrs((2, 3), sizes=(5, 6))),
           Case((3, 3, 6, 2), (1, 3, 3, 2), **_attrs((1, 1), "SAME", sizes=(3, 3))),
           Case((3, 2, 1, 6), (1, 2, 2, 6), **_attrs((2, 2), "SAME", groups=3, sizes=(4, 4))),
           Case((2, 2, 2, 2, 1), (1, 3, 2, 3, 1), **_attrs((1, 2, 1), "SAME", sizes=(3, 4, 3)))])

filter_gradient = define(
    "convolve_filter_gradient", args=("input", "g"), shape=_filter_shape,
    kernel=_bilinear(kernels.filter_gradient, (True, True), _work_filters, _filter_window),
    vjp=(lambda u, y, x, g, sizes, **attrs: input_gradient(u, g, sizes=middle(x, 1, 1), **attrs),
         lambda u, y, x, g, sizes, **attrs: convolve(x, u, **attrs)),
    jvp=lambda ts, y, x, g, **attrs: _jvp(ts, y, x, g, filter_gradient, attrs),
    batch=_batch((-1, -1), (-2, -1)), saves="in", dtypes="fVi", kind="contract",
    tf_name="Conv2DBackpropFilter", lower=Window(_filter_window),
    check=[Case((2, 5, 2), (2, 3, 3), **_attrs(sizes=(3,))),
           Case((1, 4, 5, 2), (1, 2, 5, 3), **_attrs((2, 1), "SAME", sizes=(2, 3))),
           Case((1, 5, 4, 4), (1, 6, 2, 4), **_attrs((1, 2), ((1, 2), (0, 1)), (2, 1), 2,
                                                     sizes=(2, 2))),
           Case((2, 3, 3, 6), (2, 3, 3, 2), **_attrs((1, 1), sizes=(1, 1))),
           Case((1, 4, 4, 3), (1, 2, 2, 6), **_attrs((2, 2), "SAME", groups=3, sizes=(3, 2))),
           Case((1, 3, 4, 3, 2), (1, 3, 2, 3, 1), **_attrs((1, 2, 1), "SAME", sizes=(2, 2, 2)))])
