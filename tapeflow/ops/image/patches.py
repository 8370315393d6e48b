"""Windows of images: tf.image.extract_patches and extract_glimpse.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, text
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import NONDIFF, NUMERIC, Spec, define, shape_of
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, brackets, int_vector
from tapeflow.ops.conv.geometry import extent, layout, static_sizes

_OP = "ExtractImagePatches"


# -- patches: operands are (…, H, W, C) ------------------------------------------------------------
def _layout(shape: tuple, sizes: tuple, strides: tuple, rates: tuple, padding: str) -> tuple:
    return layout(_OP, shape, sizes, strides, rates, padding)


def _patches_kernel(x, sizes, strides, rates, padding):
    *lead, h, w, c = x.shape
    (rows, columns), pads = _layout((h, w), sizes, strides, rates, padding)
    x = x.reshape(prod(lead), h, w, c)
    if any(n for pair in pads for n in pair):
        x = np.pad(x, ((0, 0), *pads, (0, 0)))
    b, down, right, deep = x.strides
    shape = (len(x), rows, columns, *sizes, c)
    steps = (b, down * strides[0], right * strides[1], down * rates[0], right * rates[1], deep)
    if 0 in shape:
        return np.zeros((*lead, rows, columns, sizes[0] * sizes[1] * c), x.dtype)
    view = np.lib.stride_tricks.as_strided(x, shape, steps, writeable=False)
    return view.reshape(*lead, rows, columns, sizes[0] * sizes[1] * c)


def _patches_shape(x: Spec, sizes: tuple, strides: tuple, rates: tuple, padding: str) -> Spec:
    if x.shape is None:
        return Spec(None, x.dtype)
    *lead, h, w, c = x.shape
    out = static_sizes(_OP, (h, w), sizes, strides, rates, padding)
    return Spec((*lead, *out, None if c is None else c * sizes[0] * sizes[1]), x.dtype)


def _add_patches_kernel(g, image, sizes, strides, rates, padding):
    """Adds every patch back to where it was taken from."""
    h, w = [int(n) for n in image]
    *lead, rows, columns, depth = g.shape
    c = depth // (sizes[0] * sizes[1])
    _, ((top, bottom), (left, right)) = _layout((h, w), sizes, strides, rates, padding)
    half = g.dtype.itemsize == 2 and g.dtype.kind in "fV"
    high = max(h + top + bottom, (rows - 1) * strides[0] + extent(sizes[0], rates[0]))
    wide = max(w + left + right, (columns - 1) * strides[1] + extent(sizes[1], rates[1]))
    out = np.zeros((prod(lead), high, wide, c), np.float32 if half else g.dtype)
    parts = g.reshape(prod(lead), rows, columns, *sizes, c)
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            first, second = i * rates[0], j * rates[1]
            out[:, first:first + rows * strides[0]:strides[0],
                second:second + columns * strides[1]:strides[1]][:, :rows, :columns] += \
                parts[:, :, :, i, j]
    out = out[:, top:top + h, left:left + w]
    return np.ascontiguousarray(out).astype(g.dtype, copy=False).reshape(*lead, h, w, c)


def _add_patches_shape(g: Spec, image: Any, sizes: tuple, **attrs: Any) -> Spec:
    if g.shape is None:
        return Spec(None, g.dtype)
    depth = g.shape[-1]
    known = (None, None) if isinstance(image, Tensor) else tuple(image)
    return Spec((*g.shape[:-3], *known, None if depth is None else
                 depth // (sizes[0] * sizes[1])), g.dtype)


def _same_batch(call, size, xs, batched, attrs):
    return call(*xs, **attrs)


def _image_size(x: Any) -> Any:
    from tapeflow.ops.image.resizing import image_size
    return image_size(x)


def _attrs(sizes: tuple, strides: tuple, rates: tuple, padding: str, **more: Any) -> dict:
    return dict(sizes=sizes, strides=strides, rates=rates, padding=padding, **more)


patches = move("extract_patches", _patches_kernel, args=("images",), shape=_patches_shape,
               vjp=lambda g, y, x, **attrs: add_patches(g, image=_image_size(x), **attrs),
               batch=_same_batch, dtypes=NUMERIC + "b", tf_name=_OP,
               check=[Case((1, 5, 6, 2), **_attrs((2, 3), (1, 2), (1, 1), "VALID")),
                      Case((2, 5, 4, 1), **_attrs((3, 2), (2, 2), (1, 2), "SAME")),
                      Case((2, 4, 4, 3), **_attrs((1, 1), (3, 3), (1, 1), "VALID"))])
add_patches = move(
    "extract_patches_back", _add_patches_kernel, args=("grads",), shape=_add_patches_shape,
    vjp=lambda u, y, g, image, **attrs: patches(u, **attrs), batch=_same_batch,
    dtypes=NUMERIC, tf_name=_OP,
    check=[Case((1, 4, 2, 12), **_attrs((2, 3), (1, 2), (1, 1), "VALID", image=(5, 6))),
           Case((2, 3, 2, 6), **_attrs((3, 2), (2, 2), (1, 2), "SAME", image=(5, 4)))])


def _four(value: Any, name: str) -> tuple[int, int]:
    given = [int(n) for n in value] if isinstance(value, (list, tuple)) else None
    if given is None:
        raise TypeError(f"Expected list for '{name}' argument to 'extract_image_patches' Op, not "
                        f"{value}.")
    if len(given) != 4:
        raise errors.invalid(_OP, f"{name} field must specify 4 dimensions, got {len(given)}")
    if given[0] != 1 or given[3] != 1:
        raise errors.UnimplementedError(None, None, (
            f"Only support {name} across space, not batch or depth. [Op:{_OP}]"))
    if min(given) < 1:
        raise errors.OutOfRangeError(None, None, f"{name} must be positive, got {given} "
                                                 f"[Op:{_OP}]")
    return given[1], given[2]


@export("image.extract_patches")
def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: str,
                    name: str | None = None) -> Tensor:
    """Windows of `sizes` every `strides` pixels, each laid out along the last axis."""
    x = operand(images)
    if x.ndim != 4:
        raise errors.invalid(_OP, f"input must be 4-dimensional, got {x.shape}")
    if padding not in ("SAME", "VALID"):
        raise errors.invalid(_OP, f"Value for attr 'padding' of \"{padding}\" is not in the list "
                                  'of allowed values: "SAME", "VALID"')
    return patches(x, **_attrs(_four(sizes, "ksizes"), _four(strides, "strides"),
                               _four(rates, "rates"), padding))


@export("compat.v1.image.extract_image_patches", "compat.v1.extract_image_patches")
def extract_image_patches(images: Any, ksizes: Any = None, strides: Any = None,
                          rates: Any = None, padding: Any = None, name: str | None = None,
                          sizes: Any = None) -> Tensor:
    """As `extract_patches`, with TensorFlow 1's names."""
    return extract_patches(images, ksizes if sizes is None else sizes, strides, rates, padding)


@export("raw_ops.ExtractImagePatches")
def _raw_patches(images: Any, ksizes: Any, strides: Any, rates: Any, padding: str,
                 name: str | None = None) -> Tensor:
    """`extract_patches` under the name of its op."""
    return extract_patches(images, ksizes, strides, rates, padding)


# -- glimpses --------------------------------------------------------------------------------------
_NOISES = ("uniform", "gaussian", "zero")


def _glimpse_kernel(x, offsets, size, centered, normalized, noise):
    b, h, w, c = x.shape
    high, wide = size
    out = np.zeros((b, high, wide, c), x.dtype)
    if noise != "zero":
        rng = np.random.default_rng()
        for k in range(c):
            low, top = x[..., k].min(initial=0), x[..., k].max(initial=1)
            out[..., k] = (rng.uniform(0, 1, (b, high, wide)) * (top - low) + low
                           if noise == "uniform" else rng.normal(x[..., k].mean(), x[..., k].std(),
                                                                 (b, high, wide)))
    for i in range(b):
        top, left = [_corner(float(offsets[i, a]), n, m, centered, normalized)
                     for a, (n, m) in enumerate(((h, high), (w, wide)))]
        rows, columns = [slice(max(0, -a), min(m, n - a)) for a, n, m in (
            (top, h, high), (left, w, wide))]
        if rows.start < rows.stop and columns.start < columns.stop:
            out[i, rows, columns] = x[i, top + rows.start:top + rows.stop,
                                      left + columns.start:left + columns.stop]
    return out


def _corner(offset: float, n: int, m: int, centered: bool, normalized: bool) -> int:
    """Where a glimpse of m pixels begins in an image of n."""
    f = np.float32
    at = f(offset)
    if normalized:
        at = at * f(n)
    if centered:
        at = (at / f(2) - f(m) / f(2) if normalized else at) + f(n) / f(2)
    return int(at)


glimpse = define("extract_glimpse", kernel=_glimpse_kernel, args=("input", "offsets"), batch=loop,
                 shape=lambda x, o, size, **attrs: Spec(
                     None if x.shape is None else (x.shape[0], *size, x.shape[-1]), x.dtype),
                 vjp=NONDIFF("tf.image.extract_glimpse has no gradient in TensorFlow"), dtypes="f",
                 tf_name="ExtractGlimpse",
                 check=[Case((2, 5, 4, 2), uniform(-0.5, 0.5, (2, 2)), size=(3, 2), centered=True,
                             normalized=True, noise="zero")])


@export("image.extract_glimpse")
@attributes(centered=flag, normalized=flag, noise=text)
def extract_glimpse(input: Any, size: Any, offsets: Any, centered: bool = True,
                    normalized: bool = True, noise: str = "uniform",
                    name: str | None = None) -> Tensor:
    """A window of each image; noise fills what lies outside.

    `offsets` are of the window's first pixel in pixels; in sizes of the image if `normalized`, from
    its middle if `centered`, and if both are set they are of the window's middle.
    """
    if noise not in _NOISES:
        raise errors.invalid("ExtractGlimpse", f"noise should be one of {_NOISES}, got {noise!r}")
    window = int_vector(size, "ExtractGlimpse", "size")
    images, centres = operand(input, dtypes.float32), operand(offsets, dtypes.float32)
    if len(shape_of(images)) != 4:
        raise errors.invalid("ExtractGlimpse", "input must be 4-dimensional (batch_size, height, "
                                               f"width, depth){brackets(shape_of(images))}")
    if not agree(shape_of(centres)[:1], shape_of(images)[:1]):
        raise errors.invalid("ExtractGlimpse", "first dimension should be batch"
                                               f"{brackets(shape_of(centres))}")
    if not agree(shape_of(centres)[1:], (2,)):
        raise errors.invalid("ExtractGlimpse", "second dimension should be of size 2 (y,x)"
                                               f"{brackets(shape_of(centres))}")
    return glimpse(images, centres, size=window,
                   centered=bool(centered), normalized=bool(normalized), noise=noise)
