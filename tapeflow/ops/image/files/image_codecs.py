"""Image files: decode_png, decode_jpeg, decode_gif, decode_bmp, decode_image, encode_png and kin.

PNG, GIF, BMP and, to machine code, the usual JPEG need nothing more; other JPEG files and WebP are
read and written by Pillow, the extra `tapeflow[image]`. May be imported by `ops.image`.
"""

from __future__ import annotations

import binascii
import io
import re
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, real, small, text, text_bytes, whole
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.machine_code.scalar_functions import address
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import (
    brackets,
    dtype_among,
    int_scalar,
    int_vector,
    wrong_kind,
)
from tapeflow.ops.image.colour import convert_image_dtype
from tapeflow.ops.image.files import gif, jpeg, png

_U8, _U16, _F32 = np.dtype("uint8"), np.dtype("uint16"), np.dtype("float32")
_BYTES = np.dtype("O")
_MOST_BMP = ((1 << 31) - 1) // 8  # pixels
_PNG_COST, _BMP_COST = 0.02, 0.002  # microseconds for a byte of pixels, without machine code
_READS, _WRITES = NONDIFF("it reads the bytes of a file"), NONDIFF("it writes a file")
JPEG = b"\xff\xd8\xff"
_END = b"\xff\xd9"  # the marker that most files end with
_AFTER_SCAN = re.compile(b"\xff[\x01-\xfe]")  # any marker behind the pixels


def _pillow(op: str) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise errors.UnimplementedError(None, None, (
            f"{op} needs Pillow, which is not installed; install tapeflow[image]. PNG, GIF and BMP "
            f"work without it. [Op:{op}]")) from None
    return Image


def _opened(data: bytes, op: str, kinds: tuple[str, ...], what: str) -> Any:
    image = _pillow(op)
    try:
        return image.open(io.BytesIO(data), formats=kinds)
    except unsignalled(Exception) as error:
        raise errors.invalid(op, f"Invalid {what} data or crop window, data size {len(data)}: "
                                 f"{error}") from None


def _boxed(data: bytes) -> np.ndarray:
    out = np.empty((), object)
    out[()] = data
    return out


# -- channels --------------------------------------------------------------------------------------
# libpng's weights of red, green and blue, in 1 / 32768.
_LUMA = (9797, 19234, 3737)


def _grey(pixels: np.ndarray) -> np.ndarray:
    wide = pixels[..., :3].astype(np.uint64)
    mixed: Any = sum(weight * wide[..., i] for i, weight in enumerate(_LUMA))
    mixed = (mixed + (16384 if pixels.dtype == _U16 else 0)) >> 15  # 8 bits are not rounded
    same = (wide[..., 0] == wide[..., 1]) & (wide[..., 0] == wide[..., 2])
    return np.where(same, wide[..., 0], mixed).astype(pixels.dtype)[..., None]


def _with_channels(pixels: np.ndarray, opacity: bool, channels: int) -> np.ndarray:
    """As many channels as were asked for: greys repeated or mixed, opacity dropped or full."""
    have = pixels.shape[-1]
    if channels in (0, have):
        return pixels
    colour = pixels[..., :-1] if opacity else pixels
    full = np.full((*pixels.shape[:-1], 1), np.iinfo(pixels.dtype).max, pixels.dtype)
    last = pixels[..., -1:] if opacity else full
    if channels in (1, 2) and colour.shape[-1] == 3:
        colour = _grey(colour)
    elif channels in (3, 4) and colour.shape[-1] == 1:
        colour = np.repeat(colour, 3, -1)
    return np.concatenate([colour, last], -1) if channels in (2, 4) else colour


# -- PNG -------------------------------------------------------------------------------------------
def _png_pixels(data: bytes, parts: png.Parts) -> tuple[np.ndarray, bool]:
    """By Pillow if it is there and rows have filters that it undoes faster; the file is whole."""
    head = parts.head
    if png.LOOPS.ready(_PNG_COST * parts.rows.size) is not None:
        return png.expanded(parts)
    if max(png.filters(parts)) > 2 and head.bits == 8 and head.colour != 3 and parts.clear is None:
        try:
            from PIL import Image
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                pixels = np.asarray(image)
        except unsignalled(Exception):  # no Pillow, or one that wants more of a file than it needs
            return png.expanded(parts)
        pixels = pixels[..., None] if pixels.ndim == 2 else pixels
        if pixels.shape[:2] == (head.height, head.width):
            return pixels, head.colour in (4, 6)
    return png.expanded(parts)


def _png_kernel(contents, channels, dtype):
    data = contents[()]
    try:
        parts = png.split(data)
        pixels, opacity = _png_pixels(data, parts)
    except png.BadPng as error:
        raise errors.invalid("DecodePng", f"Invalid PNG data, size {len(data)}: {error}") from None
    pixels = _with_channels(pixels, opacity, channels or png.own_channels(parts))
    if pixels.dtype == dtype:
        return np.ascontiguousarray(pixels)
    return (pixels >> 8).astype(_U8) if dtype == _U8 else pixels.astype(_U16) * _U16.type(257)


def _image_spec(channels: int, dtype: np.dtype, rank: int = 3) -> Spec:
    return Spec((*(None,) * (rank - 1), channels or None), dtype)


def _example() -> np.ndarray:
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    return _boxed(png.write(pixels * np.uint8(9), -1))


read_png = define("decode_png", kernel=_png_kernel, args=("contents",), vjp=_READS, batch=loop,
                  shape=lambda contents, channels, dtype: _image_spec(channels, dtype),
                  dtypes="O", check=[Case(_example(), channels=0, dtype=_U8),
                                     Case(_example(), channels=1, dtype=_U16)])
write_png = define("encode_png", kernel=lambda image, compression: _encode_png(image, compression),
                   args=("image",), shape=lambda image, compression: Spec(
                       None if image.shape is None else image.shape[:-3], _BYTES),
                   vjp=_WRITES, batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
                   dtypes="u",
                   check=[Case(ints(255, (3, 4, 3), dtype="uint8"), compression=-1),
                          Case(ints(999, (2, 3, 2, 1), dtype="uint16"), compression=3)])


def _encode_png(image: np.ndarray, compression: int) -> np.ndarray:
    if image.dtype not in (_U8, _U16):
        raise errors.invalid("EncodePng", "Value for attr 'T' is not in the list of allowed values:"
                                          " uint8, uint16")
    if image.ndim < 3 or not 1 <= image.shape[-1] <= 4 or not image[..., 0].size:
        raise errors.invalid("EncodePng", "image must have a channels last dimension of 1, 2, 3, or"
                                          f" 4 and at least one pixel, got {brackets(image.shape)}")
    if not -1 <= compression <= 9:
        raise errors.invalid("EncodePng", "compression should be in [-1,9], got "
                                          f"{compression}")
    out = np.empty(image.shape[:-3], object)
    for at in np.ndindex(*out.shape):
        out[at] = png.write(image[at], compression)
    return out


# -- JPEG ------------------------------------------------------------------------------------------
def _jpeg_image(data: bytes, channels: int, ratio: int, partial: bool, op: str) -> np.ndarray:
    if not partial and not data.endswith(_END) and not _AFTER_SCAN.search(
            data, data.rfind(b"\xff\xda") + 2):
        raise errors.invalid(op, f"Invalid JPEG data or crop window, data size {len(data)}: it is "
                                 "cut short")
    image = _opened(data, op, ("JPEG",), "JPEG")
    size = image.size
    if ratio > 1:
        image.draft(image.mode, tuple([max(1, n // ratio) for n in size]))
    if channels == 1 and image.mode == "RGB":
        image.draft("L", image.size)
    from PIL import ImageFile
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    try:
        ImageFile.LOAD_TRUNCATED_IMAGES = partial
        mode = {0: "L" if image.mode == "L" else "RGB", 1: "L", 3: "RGB"}[channels]
        return np.atleast_3d(np.asarray(image if image.mode == mode else image.convert(mode)))
    except unsignalled(OSError, SyntaxError) as error:
        raise errors.invalid(op, f"Invalid JPEG data or crop window, data size {len(data)}: "
                                 f"{error}") from None
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _jpeg_kernel(contents, channels, ratio, partial, window=None, fast=True):
    data = contents[()]
    if data[:3] != JPEG:
        raise errors.invalid("DecodeJpeg", f"Unknown image file format. One of JPEG, PNG, GIF, BMP "
                                           f"required. (data size {len(data)})")
    if ratio > 1 or (pixels := jpeg.pixels(data, channels, fast)) is None:
        pixels = _jpeg_image(data, channels, ratio, partial, "DecodeJpeg")
    if window is None:
        return pixels
    top, left, height, width = window
    if min(window) < 0 or top + height > pixels.shape[0] or left + width > pixels.shape[1]:
        raise errors.invalid("DecodeAndCropJpeg", f"Invalid JPEG data or crop window, data size "
                                                  f"{len(data)}, window {brackets(window)}")
    return np.ascontiguousarray(pixels[top:top + height, left:left + width])


_DENSITY = {"in": 1, "cm": 2}


def _encode_jpeg(image, quality, format, progressive, optimize, chroma, unit, x_density, y_density,
                 xmp):
    pillow = _pillow("EncodeJpeg")
    if image.ndim != 3 or image.shape[-1] not in (1, 3):
        raise errors.invalid("EncodeJpeg", "image must be 3-dimensional with 1 or 3 channels, got "
                                           f"{brackets(image.shape)}")
    quality = int(quality)
    if not 0 <= quality <= 100:
        raise errors.invalid("EncodeJpeg", f"quality must be in [0,100], got {quality}")
    if format == "grayscale" and image.shape[-1] != 1 or format == "rgb" and image.shape[-1] != 3:
        raise errors.invalid("EncodeJpeg", f"format '{format}' does not suit an image of shape "
                                           f"{brackets(image.shape)}")
    made = pillow.fromarray(image[..., 0] if image.shape[-1] == 1 else image)
    file = io.BytesIO()
    more: dict[str, Any] = {"xmp": xmp} if xmp else {}
    if image.shape[-1] == 3:
        more["subsampling"] = 2 if chroma else 0
    made.save(file, "JPEG", quality=quality, optimize=optimize, progressive=progressive,
              dpi=(x_density, y_density), **more)
    data = file.getvalue()
    # Pillow knows inches only; the unit is byte 13 of the JFIF header.
    return _boxed(data[:13] + bytes([_DENSITY[unit]]) + data[14:])


def _shape_kernel(contents, dtype):
    """Height, width and channels from the frame's header."""
    data, at = contents[()], 2
    if data[:3] != JPEG:
        raise errors.invalid("ExtractJpegShape", f"Invalid JPEG data, size {len(data)}")
    while at + 9 < len(data):
        marker, size = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = (int.from_bytes(data[at + i:at + i + 2], "big") for i in (5, 7))
            return np.array([height, width, data[at + 9]], dtype)
        at += 2 + size
    raise errors.invalid("ExtractJpegShape", f"Invalid JPEG data, size {len(data)}")


_TINY_JPEG = JPEG + b"\xc0\x00\x0b\x08\x00\x02\x00\x03\x01\x01\x11\x00"
read_jpeg_shape = define(
    "extract_jpeg_shape", kernel=_shape_kernel, args=("contents",), dtypes="O", vjp=_READS,
    batch=loop, shape=lambda contents, dtype: Spec((3,), dtype),
    check=[Case(_boxed(JPEG[:2] + b"\xff\xc0\x00\x0b\x08\x00\x02\x00\x03\x01\x01\x11\x00"),
                dtype=np.dtype("int32"))])


# -- GIF, BMP, WebP --------------------------------------------------------------------------------
def _gif_frames(data: bytes, animations: bool) -> np.ndarray:
    try:
        return gif.canvas(data, animations)
    except gif.BadGif as error:
        raise errors.invalid("DecodeGif", f"Invalid GIF data (size {len(data)}), {error}") from None


def _bmp_pixels(data: bytes, channels: int) -> np.ndarray:
    """As TensorFlow reads them: bits per pixel are channels, a palette is left alone."""
    if data[:2] != b"BM":
        raise errors.invalid("DecodeBmp", "Unknown image file format. One of JPEG, JPEG XL, PNG, "
                                          "GIF, BMP, WebP required.")
    if len(data) < 32:
        raise errors.invalid("DecodeBmp", f"Incomplete bmp content, requires at least 32 bytes to "
                                          f"find the header size, got {len(data)}")
    start, width, height = (int.from_bytes(data[at:at + 4], "little", signed=True)
                            for at in (10, 18, 22))
    deep = int(int.from_bytes(data[28:30], "little", signed=True) / 8)
    if channels and channels != deep and {channels, deep} != {3, 4}:
        raise errors.invalid("DecodeBmp", f"channels attribute {channels} does not match bits per "
                                          f"pixel from file {deep}")
    if deep not in (1, 3, 4):
        raise errors.invalid("DecodeBmp", f"Number of channels inherent in the image must be 1, 3 "
                                          f"or 4, was {deep}")
    if width <= 0 or not height or start < 0 or width * abs(height) >= _MOST_BMP:
        raise errors.invalid("DecodeBmp", f"Width must be positive, height nonzero and all pixels "
                                          f"fewer than {_MOST_BMP}: {width} x {height}, header "
                                          f"size {start}")
    size = (width * deep + 3) // 4 * 4
    if len(data) != start + size * abs(height):
        raise errors.invalid("DecodeBmp", f"Input size should match (header_size + row_size * "
                                          f"abs_height) but they differ by "
                                          f"{len(data) - start - size * abs(height)}")
    rows = np.frombuffer(data, np.uint8, size * abs(height), start).reshape(abs(height), size)
    loops = png.LOOPS.ready(_BMP_COST * rows.size)
    if loops is not None:
        made = np.empty((abs(height), width, deep), np.uint8)
        loops.reorder(address(rows), size, abs(height), width, deep, height > 0, address(made))
        return np.ascontiguousarray(_with_channels(made, deep == 4, channels))
    pixels = rows[:, :width * deep].reshape(abs(height), width, deep)
    pixels = pixels[::-1] if height > 0 else pixels
    order = [0] if deep == 1 else [2, 1, 0, 3][:deep]
    return np.ascontiguousarray(_with_channels(pixels[..., order], deep == 4, channels))


def _decode_kernel(contents, kind, channels, animations):
    """Any file: pixels as uint8, or uint16 of PNG files that have 16 bits."""
    data = contents[()]
    kind = _kind(data) if kind == "image" else kind
    if kind == "gif":
        if channels not in (0, 3):
            raise errors.invalid("DecodeImage", f"channels must be 0, 3 for GIF, got {channels}")
        frames = _gif_frames(data, animations)
        return frames if animations else frames[0]
    if kind == "bmp":
        return _bmp_pixels(data, channels)
    if kind == "webp":
        image = _opened(data, "DecodeWebP", ("WEBP",), "WebP")
        if channels and channels != len(image.getbands()):
            raise errors.invalid("DecodeWebP", f"channels must be {len(image.getbands())} as in the"
                                               f" file, got {channels}")
        pixels = np.asarray(image)
        return pixels[None] if animations else pixels
    if kind == "jpeg":
        if channels == 4:
            raise errors.invalid("DecodeImage", "channels must be 0, 1, or 3 for JPEG, got 4")
        return _jpeg_kernel(contents, channels, 1, False)
    return _png_kernel(contents, channels, _U8)


def _kind(data: bytes) -> str:
    starts = ((JPEG, "jpeg"), (b"\x89PNG", "png"), (b"GIF8", "gif"), (b"BM", "bmp"))
    for start, kind in starts:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    raise errors.invalid("DecodeImage", "Unknown image file format. One of JPEG, PNG, GIF, BMP "
                                        "required.")


def _decoded_shape(contents: Spec, kind: str, channels: int, animations: bool) -> Spec:
    if kind == "image" and animations:
        return Spec(None, _U8)
    several = kind in ("gif", "webp")
    return _image_spec(3 if kind == "gif" else channels, _U8, 4 if several else 3)


def _bmp_example() -> np.ndarray:
    head = b"BM" + (54 + 8).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = b"".join([(40).to_bytes(4, "little"), (2).to_bytes(4, "little"),
                     (1).to_bytes(4, "little"), (1).to_bytes(2, "little"),
                     (24).to_bytes(2, "little"), bytes(24)])
    return _boxed(head + info + bytes(range(8)))


read_image = define("decode_image", kernel=_decode_kernel, args=("contents",), dtypes="O",
                    shape=_decoded_shape, vjp=_READS, batch=loop,
                    check=[Case(_example(), kind="image", channels=0, animations=False),
                           Case(_bmp_example(), kind="bmp", channels=0, animations=True)])


def _read_jpeg_shape(contents: Spec, channels: int, **attrs: Any) -> Spec:
    return _image_spec(channels, _U8)


# A file of 2 by 3 grey pixels.
_SMALL_JPEG = b"".join((
    b"/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwz",
    b"Oko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAA",
    b"AAAABf/EAB0QAAAFBQAAAAAAAAAAAAAAAAACAwQFFSQyU9H/2gAIAQEAAD8AajY5jT0bJtjqLwf/2Q==",
))


def _small_jpeg() -> np.ndarray:
    return _boxed(binascii.a2b_base64(_SMALL_JPEG))


read_jpeg = define("decode_jpeg", kernel=_jpeg_kernel, args=("contents",), dtypes="O",
                   shape=_read_jpeg_shape, vjp=_READS, batch=loop,
                   check=[Case(_small_jpeg(), channels=0, ratio=1, partial=False),
                          Case(_small_jpeg(), channels=3, ratio=2, partial=True)])
write_jpeg = define("encode_jpeg", kernel=_encode_jpeg, args=("image", "quality"), dtypes="ui",
                    shape=lambda image, quality, **attrs: Spec((), _BYTES), vjp=_WRITES, batch=loop,
                    check=[Case(ints(255, (4, 5, depth), dtype="uint8"), np.int32(90), format="",
                                progressive=False, optimize=True, chroma=True, unit="in",
                                x_density=300, y_density=300, xmp=b"") for depth in (1, 3)])


# -- public ----------------------------------------------------------------------------------------
def _contents(contents: Any, op: str) -> Any:
    data = operand(contents, dtypes.string) if not isinstance(contents, Tensor) else contents
    if data.dtype != dtypes.string:
        raise errors.invalid(op, f"cannot compute {op} as input #0(zero-based) was expected to be a"
                                 f" string tensor but is a {data.dtype.name} tensor")
    if shape_of(data) not in ((), None):
        raise errors.invalid(op, f"contents must be scalar, got shape {brackets(shape_of(data))}")
    return data


def _allowed(channels: Any, op: str, allowed: tuple) -> int:
    count = 0 if channels is None else whole("channels", channels)
    if count not in allowed:
        raise errors.invalid(op, f"channels must be one of {allowed}, got {count}")
    return count


def _other_kind(data: Tensor, channels: int, op: str) -> Tensor:
    """TensorFlow's decoders of PNG and JPEG read each other's files, and GIFs of one frame."""
    found = _kind(data._value[()])
    if found == "bmp":
        raise errors.invalid(op, f"Trying to decode BMP format using a wrong op. Use `decode_bmp` "
                                 f"or `decode_image` instead. Op used: {op}")
    y = read_image(data, kind="image", channels=channels, animations=found in ("gif", "webp"))
    if found == "gif":
        if shape_of(y)[0] != 1:
            raise errors.invalid(op, f"Got {shape_of(y)[0]} frames, but animated gifs can only be "
                                     "decoded by tf.io.decode_gif or tf.io.decode_image")
        return y[0]
    return y


@export("io.decode_png", "image.decode_png")
def decode_png(contents: Any, channels: int = 0, dtype: Any = dtypes.uint8,
               name: str | None = None) -> Tensor:
    """The pixels of a PNG file's bytes, as uint8 or uint16.

    >>> file = tf.io.encode_png(tf.constant([[[7], [9]]], tf.uint8))
    >>> tf.io.decode_png(file).numpy().ravel()
    array([7, 9], dtype=uint8)
    """
    wanted = dtypes.as_dtype(dtype)
    if wanted not in (dtypes.uint8, dtypes.uint16):
        raise errors.invalid("DecodePng", f"Value for attr 'dtype' of {wanted.name} is not in the "
                                          "list of allowed values: uint8, uint16")
    data = _contents(contents, "DecodePng")
    count = _allowed(channels, "DecodePng", (0, 1, 3, 4))
    if type(data) is Tensor and data._value[()][:8] != png.SIGNATURE:
        y = _other_kind(data, count, "DecodePng")
        return y if wanted == dtypes.uint8 else cast(y, dtype=_U16) * 256
    return read_png(data, channels=count, dtype=wanted.np)


@export("io.encode_png", "image.encode_png")
def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """The bytes of a PNG file of these pixels, uint8 or uint16 in 1 to 4 channels."""
    x = operand(image)
    if x.dtype not in (dtypes.uint8, dtypes.uint16):
        raise errors.invalid("EncodePng", f"Value for attr 'T' of {x.dtype.name} is not in the list"
                                          " of allowed values: uint8, uint16")
    return write_png(x, compression=int(compression))


def _check_ratio(ratio: int, op: str) -> None:
    if ratio not in (1, 2, 4, 8):
        raise errors.invalid(op, f"ratio must be 1, 2, 4, or 8, got {ratio}")


def _check_transform(dct_method: str, op: str) -> None:
    if dct_method not in ("", "INTEGER_FAST", "INTEGER_ACCURATE"):
        raise errors.invalid(op, "dct_method must be one of {'', 'INTEGER_FAST', "
                                 "'INTEGER_ACCURATE'}")


@export("io.decode_jpeg", "image.decode_jpeg")
@attributes(channels=small, ratio=small, fancy_upscaling=flag, try_recover_truncated=flag,
            acceptable_fraction=real, dct_method=text)
def decode_jpeg(contents: Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
                try_recover_truncated: bool = False, acceptable_fraction: float = 1,
                dct_method: str = "", name: str | None = None) -> Tensor:
    """The pixels of a JPEG file's bytes, as uint8; unusual files need Pillow."""
    data = _contents(contents, "DecodeJpeg")
    count = _allowed(channels, "DecodeJpeg", (0, 1, 3))
    _check_transform(dct_method, "DecodeJpeg")
    _check_ratio(ratio, "DecodeJpeg")
    if type(data) is Tensor and data._value[()][:3] != JPEG:
        return _other_kind(data, count, "DecodeJpeg")
    return read_jpeg(data, channels=count, ratio=int(ratio), partial=bool(try_recover_truncated),
                     fast=dct_method != "INTEGER_ACCURATE")


@export("io.decode_and_crop_jpeg", "image.decode_and_crop_jpeg")
@attributes(channels=small, ratio=small, fancy_upscaling=flag, try_recover_truncated=flag,
            acceptable_fraction=real, dct_method=text)
def decode_and_crop_jpeg(contents: Any, crop_window: Any, channels: int = 0, ratio: int = 1,
                         fancy_upscaling: bool = True, try_recover_truncated: bool = False,
                         acceptable_fraction: float = 1, dct_method: str = "",
                         name: str | None = None) -> Tensor:
    """The part (y, x, height, width) of a JPEG file's pixels."""
    data = _contents(contents, "DecodeAndCropJpeg")
    window = int_vector(crop_window, "DecodeAndCropJpeg", "crop_window")
    _check_transform(dct_method, "DecodeAndCropJpeg")
    _check_ratio(ratio, "DecodeAndCropJpeg")
    return read_jpeg(data, channels=_allowed(channels, "DecodeAndCropJpeg", (0, 1, 3)),
                     ratio=int(ratio), partial=bool(try_recover_truncated), window=window,
                     fast=dct_method != "INTEGER_ACCURATE")


@export("io.encode_jpeg", "image.encode_jpeg")
@attributes(format=text, quality=small, progressive=flag, optimize_size=flag,
            chroma_downsampling=flag, density_unit=text, x_density=small, y_density=small,
            xmp_metadata=text)
def encode_jpeg(image: Any, format: str = "", quality: int = 95, progressive: bool = False,
                optimize_size: bool = False, chroma_downsampling: bool = True,
                density_unit: str = "in", x_density: int = 300, y_density: int = 300,
                xmp_metadata: str = "", name: str | None = None) -> Tensor:
    """The bytes of a JPEG file of uint8 pixels in 1 or 3 channels; needs Pillow."""
    x = operand(image)
    if x.dtype != dtypes.uint8:
        raise errors.invalid("EncodeJpeg", "cannot compute EncodeJpeg as input #0(zero-based) was "
                                           f"expected to be a uint8 tensor but is a "
                                           f"{x.dtype.name} tensor")
    if format not in ("", "grayscale", "rgb") or density_unit not in _DENSITY:
        raise errors.invalid("EncodeJpeg", f"format {format!r} or density_unit {density_unit!r} is "
                                           "not in the list of allowed values")
    xmp = text_bytes(xmp_metadata) if isinstance(xmp_metadata, str) else xmp_metadata
    return write_jpeg(x, operand(quality, dtypes.int32), format=format, chroma=chroma_downsampling,
                      progressive=progressive, optimize=optimize_size, unit=density_unit,
                      x_density=x_density, y_density=y_density, xmp=xmp)


@export("io.extract_jpeg_shape", "image.extract_jpeg_shape")
def extract_jpeg_shape(contents: Any, output_type: Any = dtypes.int32,
                       name: str | None = None) -> Tensor:
    """Height, width and channels of a JPEG file, without its pixels."""
    return read_jpeg_shape(_contents(contents, "ExtractJpegShape"),
                           dtype=dtype_among(output_type, "ExtractJpegShape", "output_type").np)


@export("io.is_jpeg", "image.is_jpeg")
def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether bytes begin as a JPEG file does."""
    return begins_as_jpeg(operand(contents, dtypes.string))


def _begins_kernel(contents):
    flat = [bytes(one).startswith(JPEG) for one in contents.reshape(-1)]
    return np.array(flat, bool).reshape(contents.shape)[()]


begins_as_jpeg = define("is_jpeg", kernel=_begins_kernel, args=("contents",), dtypes="O",
                        shape=lambda contents: Spec(contents.shape, np.dtype("bool")),
                        vjp=_READS, batch=lambda call, size, xs, batched, attrs: call(xs[0]),
                        check=[Case(_boxed(_TINY_JPEG)), Case(_boxed(b"GIF89a"))])


@export("io.decode_gif", "image.decode_gif")
def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """All frames of a GIF file: [frames, height, width, 3]."""
    return read_image(_contents(contents, "DecodeGif"), kind="gif", channels=3, animations=True)


@export("io.decode_bmp", "image.decode_bmp")
def decode_bmp(contents: Any, channels: int = 0, name: str | None = None) -> Tensor:
    """The pixels of an uncompressed BMP file's bytes."""
    count = _allowed(channels, "DecodeBmp", (0, 1, 3, 4))
    return read_image(_contents(contents, "DecodeBmp"), kind="bmp", channels=count, animations=True)


@export("image.decode_webp", "io.decode_webp")
def decode_webp(contents: Any, channels: int = 0, dtype: Any = dtypes.uint8,
                name: str | None = None) -> Tensor:
    """The pixels of a WebP file's bytes; needs Pillow."""
    count = _allowed(channels, "DecodeWebP", (0, 3, 4))
    if dtypes.as_dtype(dtype) is not dtypes.uint8:
        raise wrong_kind("DecodeWebP", "dtype", dtypes.as_dtype(dtype), "uint8")
    return read_image(_contents(contents, "DecodeWebP"), kind="webp", channels=count,
                      animations=True)


@export("io.decode_image", "image.decode_image")
@attributes(channels=small, expand_animations=flag)
def decode_image(contents: Any, channels: int | None = None, dtype: Any = dtypes.uint8,
                 name: str | None = None, expand_animations: bool = True) -> Tensor:
    """The pixels of a JPEG, PNG, GIF or BMP file, in a dtype as convert_image_dtype scales it."""
    data, wanted = _contents(contents, "DecodeImage"), dtypes.as_dtype(dtype)
    count = _allowed(channels, "DecodeImage", (0, 1, 3, 4))
    deep = wanted not in (dtypes.uint8, dtypes.float32)
    if deep and type(data) is Tensor and data._value[()].startswith(png.SIGNATURE):
        y = read_png(data, channels=count, dtype=_U16)
        return y if wanted == dtypes.uint16 else convert_image_dtype(y, wanted)
    y = read_image(data, kind="image", channels=count, animations=bool(expand_animations))
    if deep:  # as TensorFlow scales: the greatest is 65280
        y = cast(y, dtype=_U16) * 256
        return y if wanted == dtypes.uint16 else convert_image_dtype(y, wanted)
    return convert_image_dtype(y, wanted)


@export("image.adjust_jpeg_quality")
@attributes(dct_method=text)
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, dct_method: str = "",
                        name: str | None = None) -> Tensor:
    """As an image looks after compression with a quality of 0 to 100; needs Pillow."""
    x = operand(image)
    channels = shape_of(x)[-1]
    pixels = convert_image_dtype(x, dtypes.uint8, saturate=True)
    quality = int_scalar(jpeg_quality, "EncodeJpegVariableQuality", "quality", True)
    data = encode_jpeg(pixels, quality=quality)
    decoded = decode_jpeg(data, channels=channels, dct_method=dct_method)
    return convert_image_dtype(decoded, x.dtype, saturate=True)
