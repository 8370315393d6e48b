"""tf.image.resize in all methods, resize_with_pad, and the forms of TensorFlow 1.

Resizing is linear and works on each axis by itself: two records, `resample` and its transpose, and
one for nearest neighbours, which takes every dtype. Images are (…, height, width, channels).
May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, known_as, publish
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Unsupported
from tapeflow.core.record.op import Spec, shape_of
from tapeflow.core.record.primitive_ops import cast, concat, cut, reshape, static
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import int_vector, sizes_of, wrong_kind
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.image import interpolation as lines
from tapeflow.ops.image.cropping import pad_to_bounding_box
from tapeflow.ops.indexing.gathering import take
from tapeflow.ops.math import comparison, rounding

_F32 = np.dtype("float32")
FEW_TAPS = 4  # taps in each direction that are summed one after the other
MOST_PIXELS = 1 << 18  # of an image whose sparse matrix is worth keeping
PART = 1 << 16  # elements that a thread works on at a time: they stay in its cache


# -- kernels ---------------------------------------------------------------------------------------
@lru_cache(256)
def _bands(n: int, out: int, method: str, centres: str, antialias: bool, back: bool,
           width: int) -> lines.Bands:
    t = lines.taps(n, out, method, centres, antialias)
    return lines.bands_back(t, width) if back else lines.bands(t, width)


def _by_bands(x: np.ndarray, rows: lines.Bands, columns: lines.Bands) -> np.ndarray:
    """Both directions; the one that makes the image smaller, or less large, first."""
    b, h, w, c = x.shape
    if rows.out * w <= h * columns.out:
        y = lines.along_rows(x.reshape(b, h, w * c), rows)
        y = lines.along_columns(y.reshape(b * rows.out, w, c), columns)
    else:
        y = lines.along_columns(x.reshape(b * h, w, c), columns)
        y = lines.along_rows(y.reshape(b, h, columns.out * c), rows)
    return y.reshape(b, rows.out, columns.out, c)


def _tasks(b: int, h: int, size: int) -> list[tuple[slice, slice]]:
    """Parts of b images of h rows with `size` elements each: of rows, or whole images."""
    if size * h <= PART:
        many = max(1, PART // max(size * h, 1))
        return [(slice(i, min(i + many, b)), slice(0, h)) for i in range(0, b, many)]
    rows = max(4, PART // size)
    return [(slice(i, i + 1), slice(j, min(j + rows, h)))
            for i in range(b) for j in range(0, h, rows)]


def _run(tasks: list, size: int, function: Any) -> None:
    if size < lines.SHARED or len(tasks) < 2:
        for task in tasks:
            function(task)
    else:
        lines.kernel_threads.share(function, tasks)


class _Columns:
    """Takes columns of rows of pixels: with their channels, or one element at a time if few."""

    def __init__(self, indices: np.ndarray, c: int):
        self.wide = c > lines.NARROW
        self.c = c
        self.indices = indices if self.wide else (indices[:, None] * c + np.arange(c)).ravel()

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """(…, W·C) to (…, w·C)."""
        if not self.wide:
            return x.take(self.indices, -1, mode="clip")
        y = x.reshape(*x.shape[:-1], -1, self.c).take(self.indices, -2, mode="clip")
        return y.reshape(*x.shape[:-1], -1)


def _lerp(x: np.ndarray, size: tuple, centres: str) -> np.ndarray:
    """Bilinear: across, then down as TensorFlow does; down first where that leaves less to do."""
    b, h, w, c = x.shape
    up, down, fall = lines.lerp(h, size[0], centres)
    left, right, far = lines.lerp(w, size[1], centres)
    lefts, rights = _Columns(left, c), _Columns(right, c)
    across, fall = np.repeat(far, c).astype(x.dtype), fall.astype(x.dtype)[:, None]
    flat, out = x.reshape(b, h, w * c), np.empty((b, size[0], size[1] * c), x.dtype)

    def shrink(task: tuple[slice, slice]) -> None:
        images, rows = task
        some = flat[images]
        mixed = lines.towards(some.take(up[rows], 1, mode="clip"),
                              some.take(down[rows], 1, mode="clip"), fall[rows])
        lines.towards(lefts(mixed), rights(mixed), across, out[images, rows])

    def grow(task: tuple[slice, slice]) -> None:
        images, rows = task
        first, last = int(up[rows.start]), int(down[rows.stop - 1]) + 1
        some = flat[images, first:last]
        mixed = lines.towards(lefts(some), rights(some), across)
        lines.towards(mixed.take(up[rows] - first, 1, mode="clip"),
                      mixed.take(down[rows] - first, 1, mode="clip"), fall[rows],
                      out[images, rows])

    tasks = _tasks(b, size[0], max(size[1], w) * c)
    _run(tasks, out.size, shrink if size[0] < h else grow)
    return out.reshape(b, *size, c)


def _summed(terms: list, weights: list) -> np.ndarray:
    """weights[0] · terms[0]() + weights[1] · terms[1]() + …, in this order."""
    total = terms[0]()
    total *= weights[0]
    for term, weight in zip(terms[1:], weights[1:], strict=True):
        more = term()
        more *= weight
        total += more
    return total


def _ordered(x: np.ndarray, down: lines.Taps, across: lines.Taps, across_first: bool) -> np.ndarray:
    """A few taps in each direction, summed in TensorFlow's order."""
    b, h, w, c = x.shape
    size = (len(down.indices), len(across.indices))
    columns = [_Columns(across.indices[:, k], c) for k in range(across.indices.shape[1])]
    weights = [np.repeat(one, c).astype(x.dtype) for one in across.weights.T]
    falls = down.weights.astype(x.dtype)
    flat, out = x.reshape(b, h, w * c), np.empty((b, size[0], size[1] * c), x.dtype)

    def sideways(rows: np.ndarray) -> np.ndarray:
        return _summed([partial(column, rows) for column in columns], weights)

    def downwards(source: np.ndarray, rows: slice, first: int = 0) -> np.ndarray:
        return _summed([partial(source.__getitem__, (slice(None), one - first))
                        for one in down.indices[rows].T], [one[:, None] for one in falls[rows].T])

    def work(task: tuple[slice, slice]) -> None:
        images, rows = task
        if not across_first:
            out[images, rows] = sideways(downwards(flat[images], rows))
            return
        used = down.indices[rows]
        first, last = int(used.min()), int(used.max()) + 1
        out[images, rows] = downwards(sideways(flat[images, first:last]), rows, first)

    _run(_tasks(b, size[0], size[1] * c), out.size, work)
    return out.reshape(b, *size, c)


def _flat(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x).reshape(prod(x.shape[:-3]), *x.shape[-3:])


def _check_sizes(image: tuple, size: Any) -> tuple:
    size = tuple([int(n) for n in size])
    if min(size) < 1:
        raise errors.invalid("ResizeBilinear", f"output dimensions must be positive: {size}")
    if min(image) < 1:
        raise errors.invalid("ResizeBilinear", "input image must be of non-zero size, got height "
                                               f"and width {image}")
    return size


def _resample_kernel(x, size, method, centres, antialias):
    h, w, c = x.shape[-3:]
    size = _check_sizes((h, w), size)
    if not x.size:
        return np.zeros((*x.shape[:-3], *size, c), x.dtype)
    if _sparsely(method, (h, w), size, c):
        matrix = lines.sparse((h, w), size, method, centres, False, x.dtype)
        y = lines.by_pixels(_flat(x).reshape(-1, h * w, c), matrix)
        return y.reshape(*x.shape[:-3], *size, c)
    if method == "bilinear" and c <= lines.NARROW:
        y = _lerp(_flat(x), size, centres)
        return y.reshape(*x.shape[:-3], *size, c)
    key = (method, centres, antialias, False)
    down, across = lines.taps(h, size[0], *key[:-1]), lines.taps(w, size[1], *key[:-1])
    few = max(down.indices.shape[1], across.indices.shape[1]) <= FEW_TAPS
    if few and c <= lines.NARROW and method in ("bicubic", "area"):
        y = _ordered(_flat(x), down, across, across_first=method == "area")
    else:
        y = _by_bands(_flat(x), _bands(h, size[0], *key, lines.PIXEL_BLOCK),
                      _bands(w, size[1], *key, _width(c)))
    _divide(y, (h, w), size, key[:-1])
    return y.reshape(*x.shape[:-3], *size, c)


def _divide(y: np.ndarray, image: tuple, size: tuple, key: tuple) -> None:
    """Sums over an area become means, at the end, as TensorFlow does it."""
    if key[0] == "area":
        height, width = [lines.taps(n, m, *key).area for n, m in zip(image, size)]
        y *= np.float32(1) / (height * width)


def _width(c: int) -> int:
    """Columns of a block: few where all channels share one, more where each row is a product."""
    return lines.PIXEL_BLOCK if c <= lines.NARROW else 2 * lines.PIXEL_BLOCK


def _sparsely(method: str, image: tuple, size: tuple, c: int) -> bool:
    """Whether one sparse product is best: many channels and few taps."""
    return c > lines.NARROW and method in ("bilinear", "nearest") and (
        image[0] * image[1] + size[0] * size[1] < MOST_PIXELS)


def _back_kernel(g, size, method, centres, antialias):
    """The transpose: to images of `size` from images of g's size."""
    h, w, c = g.shape[-3:]
    size = _check_sizes((h, w), size)
    if not g.size:
        return np.zeros((*g.shape[:-3], *size, c), g.dtype)
    if _sparsely(method, size, (h, w), c):
        matrix = lines.sparse(size, (h, w), method, centres, True, g.dtype)
        y = lines.by_pixels(_flat(g).reshape(-1, h * w, c), matrix)
        return y.reshape(*g.shape[:-3], *size, c)
    key = (method, centres, antialias, True)
    y = _by_bands(_flat(g), _bands(size[0], h, *key, lines.PIXEL_BLOCK),
                  _bands(size[1], w, *key, _width(c)))
    _divide(y, size, (h, w), key[:-1])
    return y.reshape(*g.shape[:-3], *size, c)


def _nearest_kernel(x, size, centres):
    h, w, c = x.shape[-3:]
    size = _check_sizes((h, w), size)
    rows, columns = lines.nearest(h, size[0], centres), lines.nearest(w, size[1], centres)
    if not x.size:
        return np.zeros((*x.shape[:-3], *size, c), x.dtype)
    # One step for both directions: pixels by their flat index.
    indices = (rows[:, None] * w + columns).ravel()
    flat = _flat(x).reshape(-1, h * w, c)
    out = np.empty((len(flat), len(indices), c), x.dtype)
    lines.parted(out.size, len(flat), lambda part: np.take(
        flat[part], indices, 1, out=out[part], mode="clip"))
    return out.reshape(*x.shape[:-3], *size, c)


# -- records ---------------------------------------------------------------------------------------
def same_batch(call, size, xs, batched, attrs):
    """The batch rule of ops on the last axes: leading ones are free."""
    return call(*xs, **attrs)


def image_shape(x: Spec, size: Any) -> tuple | None:
    """A static image shape with other height and width."""
    known = static(size) or (None, None)
    return None if x.shape is None else (*x.shape[:-3], *known, x.shape[-1])


def image_size(x: Any) -> Any:
    """Height and width as an attribute."""
    shape = shape_of(x)
    if None not in shape[-3:-1]:
        return shape[-3:-1]
    return cut(x._dynamic_shape(), axis=0, start=len(shape) - 3, size=2)


_LINEAR = [("bilinear", "half", False), ("bilinear", "corners", False),
           ("bilinear", "legacy", False), ("bicubic", "half", False), ("bicubic", "corners", False),
           ("area", "legacy", False), ("lanczos3", "half", True), ("lanczos5", "half", False),
           ("gaussian", "half", False), ("mitchellcubic", "half", True), ("triangle", "half", True),
           ("keyscubic", "half", True)]


def _cases(first: tuple, second: tuple) -> list:
    return [Case((1 + i % 2, *(first if i % 2 else second), 1 + i % 3),
                 size=second if i % 2 else first, method=method, centres=centres,
                 antialias=antialias) for i, (method, centres, antialias) in enumerate(_LINEAR)]


def _resample_steps(x, size, method, centres, antialias):
    """A few taps in each direction: rows first, then columns, where that leaves less to do."""
    shape = shape_of(x)
    if isinstance(size, Tensor) or None in shape or not prod(shape) or x.dtype.size == 2:
        raise Unsupported("sizes that are not known, or half precision")
    *lead, h, w, c = shape
    size = _check_sizes((h, w), size)
    down, across = [lines.taps(n, m, method, centres, antialias)
                    for n, m in zip((h, w), size, strict=True)]
    if max(down.indices.shape[1], across.indices.shape[1]) > FEW_TAPS:
        raise Unsupported("many taps")
    # Many channels are a vector; few make one with those of other columns.
    each = 1 if c > lines.NARROW else c
    y = reshape(x, shape=(prod(lead), h, w * each, c // each))
    if size[0] <= h:
        y = _tapped(_tapped(y, down, 1, 1), across, 2, each)
    else:
        y = _tapped(_tapped(y, across, 2, each), down, 1, 1)
    if method == "area":
        y = y * float(np.float32(1) / (down.area * across.area))
    return reshape(y, shape=(*lead, *size, c))


def _tapped(x: Any, taps: lines.Taps, axis: int, c: int) -> Any:
    """The taps applied to rows (axis 1), or to columns of c channels (axis 2)."""
    indices = (taps.indices[:, None] * c + np.arange(c)[:, None]).reshape(-1, taps.indices.shape[1])
    weights = np.repeat(taps.weights, c, 0).astype(x.dtype.np)
    total = None
    for index, weight in zip(indices.T.astype(np.int32), weights.T, strict=True):
        part = take(x, wrap(index.copy()), axis=axis, batch_dims=0)
        part = part * wrap(weight.reshape((-1,) + (1,) * (3 - axis)).copy())
        total = part if total is None else total + part
    return total


resample = move(
    "resample_image", float32_kernel(_resample_kernel), args=("images",), dtypes="fV",
    kind="contract", shape=lambda x, size, **attrs: Spec(image_shape(x, size), x.dtype),
    batch=same_batch,
    vjp=lambda g, y, x, size, **attrs: resample_back(g, size=image_size(x), **attrs),
    tf_name="ResizeBilinear", check=[*_cases((3, 4), (5, 2)), *(Case(
        (2, 3, 9), size=size, method="bilinear", centres=centres, antialias=False)
        for size, centres in (((4, 4), "half"), ((4, 6), "half"), ((2, 12), "legacy")))],
    lower=Expand(_resample_steps))
resample_back = move(
    "resample_image_back", float32_kernel(_back_kernel), args=("grads",), dtypes="fV",
    kind="contract", shape=lambda g, size, **attrs: Spec(image_shape(g, size), g.dtype),
    batch=same_batch,
    vjp=lambda u, y, g, size, **attrs: resample(u, size=image_size(g), **attrs),
    tf_name="ResizeBilinearGrad", check=[*_cases((4, 3), (2, 5)), *(Case(
        (4, 6, 9), size=size, method="bilinear", centres=centres, antialias=False)
        for size, centres in (((4, 4), "half"), ((2, 3), "half"), ((4, 2), "legacy")))])
resize_nearest = move(
    "resize_nearest", _nearest_kernel, args=("images",),
    shape=lambda x, size, centres: Spec(image_shape(x, size), x.dtype), batch=same_batch,
    vjp=lambda g, y, x, size, centres: resample_back(
        g, size=image_size(x), method="nearest", centres=centres, antialias=False),
    dtypes="fViu", tf_name="ResizeNearestNeighbor",
    check=[Case((2, 3, 4, 2), size=(5, 3), centres="half"),
           Case((3, 4, 1), size=(2, 8), centres="legacy"),
           Case((1, 3, 3, 2), size=(5, 2), centres="corners")])


# -- public ----------------------------------------------------------------------------------------
@export("image.ResizeMethod")
class ResizeMethod:
    """The methods of tf.image.resize."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@export("compat.v1.image.ResizeMethod")
class ResizeMethodV1:
    """The methods of tf.compat.v1.image.resize."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_OLD = {0: "bilinear", 1: "nearest", 2: "bicubic", 3: "area"}
_ANTIALIASED = {"bilinear": "triangle", "bicubic": "keyscubic"}


def images_of(images: Any, name: str = "images") -> Any:
    """Images as an operand: of three axes, or four for a batch."""
    x = operand(images)
    if x.ndim not in (3, 4):
        raise ValueError(f"'{name}' must have either 3 or 4 dimensions.")
    return resizable(x)


_RESIZABLE = ("int8, uint8, int16, uint16, int32, int64, float16, bfloat16, float32, float64")


def resizable(x: Any) -> Any:
    """Images of a dtype that can be resized."""
    if x.dtype.name not in _RESIZABLE.split(", "):
        raise wrong_kind("Resize", "T", x.dtype, _RESIZABLE)
    return x


def _target(size: Any) -> Any:
    """`size` as two ints, or a vector of a trace."""
    try:
        given = size if isinstance(size, (list, tuple)) else operand(size, dtypes.int32)
        if isinstance(given, (list, tuple)) and any(isinstance(n, float) for n in given):
            raise TypeError
        wanted = int_vector(given, "ResizeBilinear", "size")
    except unsignalled(TypeError, ValueError, errors.InvalidArgumentError):
        rank = getattr(operand(size), "ndim", 1) if not isinstance(size, (list, tuple)) else 1
        raise ValueError("'size' must be a 1-D int32 Tensor" if rank == 1 else (
            "'size' must be a 1-D Tensor of 2 elements: new_height, new_width")) from None
    length = shape_of(wanted)[0] if isinstance(wanted, Tensor) else len(wanted)
    if length not in (2, None):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    return wanted


def _keeping_ratio(x: Any, size: Any) -> Any:
    """The largest size inside `size` that keeps the ratio of height to width."""
    now = sizes_of(x)[-3:-1]
    if not isinstance(size, Tensor) and all(isinstance(n, int) for n in now):
        f = np.float32
        factor = min(f(size[0]) / f(now[0]), f(size[1]) / f(now[1]))
        return tuple([int(np.rint(factor * f(n))) for n in now])
    minimum, rint = comparison.minimum, rounding.round
    floats = [cast(operand(n), dtype=_F32) for n in now]
    wanted = [cast(operand(size[i]), dtype=_F32) for i in range(2)]
    factor = minimum(wanted[0] / floats[0], wanted[1] / floats[1])
    both = [reshape(cast(rint(factor * n), dtype=np.dtype("int32")), shape=(1,)) for n in floats]
    return concat(*both, axis=0)


def _resized(x: Any, size: Any, method: str, centres: str, antialias: bool) -> Tensor:
    if method == "nearest":
        return resize_nearest(x, size=size, centres=centres)
    if x.dtype.kind not in "fViu":
        raise wrong_kind("ResizeBilinear", "T", x.dtype, "int8, uint8, int16, uint16, int32, int64,"
                         " half, float, double, bfloat16")
    x = x if x.dtype == dtypes.float32 else cast(x, dtype=_F32)
    return resample(x, size=size, method=method, centres=centres, antialias=antialias)


@export("image.resize")
@attributes(antialias=flag)
def resize(images: Any, size: Any, method: Any = ResizeMethod.BILINEAR,
           preserve_aspect_ratio: bool = False, antialias: bool = False,
           name: str | None = None) -> Tensor:
    """Images of another height and width; float32 unless the method is "nearest".

    >>> tf.image.resize(tf.reshape([0.0, 1.0], [1, 2, 1]), [1, 4]).numpy().ravel()
    array([0.  , 0.25, 0.75, 1.  ], dtype=float32)
    """
    x = images_of(images)
    wanted = _target(size)
    if preserve_aspect_ratio:
        wanted = _keeping_ratio(x, wanted)
    known = vars(ResizeMethod).values()
    if not isinstance(method, str) or method not in known or method.startswith("_"):
        raise ValueError(f"Resize method is not implemented: {method}")
    if antialias and method in _ANTIALIASED:
        return _resized(x, wanted, _ANTIALIASED[method], "half", True)
    return _resized(x, wanted, method, "legacy" if method == "area" else "half", bool(antialias))


@export("compat.v1.image.resize", "compat.v1.image.resize_images")
def resize_v1(images: Any, size: Any, method: Any = ResizeMethodV1.BILINEAR,
              align_corners: bool = False, preserve_aspect_ratio: bool = False,
              name: str | None = None) -> Tensor:
    """As TensorFlow 1 resized: pixels are points, at the corners of the image if asked."""
    x = images_of(images)
    wanted = _target(size)
    if preserve_aspect_ratio:
        wanted = _keeping_ratio(x, wanted)
    if not isinstance(wanted, Tensor) and tuple(shape_of(x)[-3:-1]) == tuple(wanted):
        return x
    kind = _OLD.get(method, method)
    if kind not in _OLD.values():
        raise ValueError(f"Resize method is not implemented: {method}")
    return _resized(x, wanted, kind, "corners" if align_corners else "legacy", False)


def _old_function(method: str) -> Any:
    @attributes(align_corners=flag, half_pixel_centers=flag)
    def function(images, size, align_corners=False, name=None, half_pixel_centers=False):
        if align_corners and half_pixel_centers:
            raise errors.invalid("Resize", "If half_pixel_centers is True, align_corners must be "
                                           "False.")
        centres = "half" if half_pixel_centers else "corners" if align_corners else "legacy"
        x = resizable(operand(images))
        if x.ndim != 4:
            raise errors.invalid("Resize", f"input must be 4-dimensional, got {x.shape}")
        return _resized(x, _target(size), method, centres, False)

    return function


@attributes(align_corners=flag)
def _area(images, size, align_corners=False, name=None):  # knows no centres of pixels
    return _old_function("area")(images, size, align_corners)


def _publish_old() -> None:
    for method, raw in (("bilinear", "ResizeBilinear"), ("bicubic", "ResizeBicubic"),
                        ("nearest", "ResizeNearestNeighbor"), ("area", "ResizeArea")):
        function = _area if method == "area" else _old_function(method)
        function.__doc__ = f"Images of another size by the method {method}, as TensorFlow 1 did it."
        name = "resize_nearest_neighbor" if method == "nearest" else f"resize_{method}"
        publish(known_as(function, f"compat.v1.image.{name}"), f"compat.v1.image.{name}",
                f"raw_ops.{raw}")


_publish_old()


# -- with a border ---------------------------------------------------------------------------------
def _with_pad(image: Any, target_height: Any, target_width: Any, resizer: Any) -> Tensor:
    x = operand(image)
    if x.ndim not in (3, 4):
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    for n, label in ((target_width, "target_width"), (target_height, "target_height")):
        if not (isinstance(n, Tensor) or n > 0):
            raise ValueError(f"{label} must be > 0.")
        if not (isinstance(n, Tensor) or hasattr(n, "__index__")):
            raise TypeError(f"Cannot convert {n} to EagerTensor of dtype int32")
    target = [n if isinstance(n, Tensor) else int(n) for n in (target_height, target_width)]
    sizes = sizes_of(x)[-3:-1]
    if all(isinstance(n, int) for n in (*target, *sizes)):
        inner, offset = _inside(sizes, target)
    else:
        inner, offset = _inside_later(sizes, target)
    return pad_to_bounding_box(resizer(x, inner), *offset, *target)


def _inside(sizes: list, target: list) -> tuple:
    """The size that fits into the target, and where it lies in it."""
    f = np.float32
    ratio = max(f(sizes[1]) / f(target[1]), f(sizes[0]) / f(target[0]))
    exact = [f(n) / ratio for n in sizes]
    offset = [max(0, int(np.floor((f(n) - m) / f(2)))) for n, m in zip(target, exact)]
    return [int(np.floor(n)) for n in exact], offset


def _inside_later(sizes: list, target: list) -> tuple:
    floor, maximum, whole = rounding.floor, comparison.maximum, np.dtype("int32")
    now = [cast(operand(n), dtype=_F32) for n in sizes]
    goal = [cast(operand(n), dtype=_F32) for n in target]
    ratio = maximum(now[1] / goal[1], now[0] / goal[0])
    exact = [n / ratio for n in now]
    inner = [reshape(cast(floor(n), dtype=whole), shape=(1,)) for n in exact]
    offset = [maximum(cast(floor((n - m) / 2.0), dtype=whole), 0) for n, m in zip(goal, exact)]
    return concat(*inner, axis=0), offset


@export("image.resize_with_pad")
@attributes(antialias=flag)
def resize_with_pad(image: Any, target_height: Any, target_width: Any,
                    method: Any = ResizeMethod.BILINEAR, antialias: bool = False) -> Tensor:
    """Resized without distortion to fit into the target, and centred on zeros."""
    return _with_pad(image, target_height, target_width,
                     lambda x, size: resize(x, size, method, antialias=antialias))


@export("compat.v1.image.resize_image_with_pad")
def resize_image_with_pad(image: Any, target_height: Any, target_width: Any,
                          method: Any = ResizeMethodV1.BILINEAR,
                          align_corners: bool = False) -> Tensor:
    """As `resize_with_pad`, with the methods of TensorFlow 1."""
    return _with_pad(image, target_height, target_width,
                     lambda x, size: resize_v1(x, size, method, align_corners=align_corners))
