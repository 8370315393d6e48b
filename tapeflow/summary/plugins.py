"""tf.summary.scalar, histogram, image, text, audio: tensors in the forms that TensorBoard shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.protobuf import protos
from tapeflow.summary.recording import summary_scope, write

_FLOAT64 = np.dtype("float64")
_STRING = np.dtype(object)
_FILE = NONDIFF("the bytes of a file have no derivative")


def _metadata(plugin: str, description: str | None, content: bytes = b"") -> Any:
    found = protos.SummaryMetadata(summary_description=description or "")
    found.plugin_data.plugin_name = plugin
    found.plugin_data.content = content
    return found


@export("summary.scalar")
def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write a scalar."""
    metadata = _metadata("scalars", description)
    with summary_scope(name, "scalar_summary") as (tag, _):
        def float_value() -> Tensor:
            tensor = convert(data)
            if tensor.shape.rank:
                raise ValueError(f"Expected scalar shape, saw shape: {tensor.shape}.")
            return cast(tensor, dtype=dtypes.float32.np)

        return write(tag, float_value, step, metadata)


# -- histograms ------------------------------------------------------------------------------------
def _buckets_kernel(data: Any, count: int) -> np.ndarray:
    """(left edge, right edge, how many) of each bucket."""
    values = np.asarray(data).ravel().astype(_FLOAT64)
    if not values.size or count <= 0:
        return np.zeros((max(count, 0), 3))
    low, high = values.min(), values.max()
    if low == high:
        result = np.full((count, 3), high)
        result[:, 2] = 0
        result[-1, 2] = values.size
        return result
    width = (high - low) / count
    with np.errstate(all="ignore"):
        buckets = np.floor((values - low) / width)
    buckets = np.where(np.isfinite(buckets), buckets, 0).astype(np.int64)
    counts = np.bincount(np.clip(buckets, 0, count - 1), minlength=count)
    edges = np.linspace(low, high, count + 1)
    edges[-1] = high
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


_buckets = define("histogram_buckets", kernel=_buckets_kernel, args=("data",), batch=loop,
                  shape=lambda x, count: Spec((max(count, 0), 3), _FLOAT64), internal=True,
                  vjp=NONDIFF("counts have no derivative"))


@export("summary.histogram")
def histogram(name: str, data: Any, step: Any = None, buckets: int | None = None,
              description: str | None = None) -> Any:
    """Write how the elements of a tensor are spread over `buckets` (30) intervals."""
    metadata = _metadata("histograms", description)
    count = 30 if buckets is None else int(buckets)
    with summary_scope(name, "histogram_summary") as (tag, _):
        return write(tag, lambda: _buckets(convert(data), count=count), step, metadata)


# -- images ----------------------------------------------------------------------------------------
def _as_bytes(pixels: np.ndarray) -> np.ndarray:
    """Pixels as uint8: real ones from [0, 1], whole ones by their highest bits."""
    if pixels.dtype == np.uint8:
        return pixels
    if pixels.dtype == np.uint16:
        return (pixels >> 8).astype(np.uint8)
    kind = dtypes.of(pixels.dtype)
    if kind.is_floating:
        wide: Any = pixels.astype(np.float64 if pixels.dtype == np.float64 else np.float32)
        scaled = wide * 255.5
        return np.nan_to_num(np.clip(scaled, 0, 255)).astype(np.uint8)
    if kind.is_integer:
        return np.clip(pixels.astype(np.int64) >> (8 * pixels.dtype.itemsize - 9), 0, 255).astype(
            np.uint8)
    raise TypeError(f"tf.summary.image: an image of dtype {kind.name} cannot be shown.")


def _images_kernel(images: np.ndarray, limit: int) -> np.ndarray:
    from tapeflow.ops.image.files import png
    _, height, width, _ = images.shape
    parts = [str(width).encode(), str(height).encode()]
    parts.extend([png.write(one, -1) for one in _as_bytes(images[:limit])])
    result = np.empty(len(parts), object)
    result[:] = parts
    return result


_images = define("summary_images", kernel=_images_kernel, args=("images",), batch=loop,
                 shape=lambda x, limit: Spec((None,), _STRING), vjp=_FILE, internal=True)


@export("summary.image")
def image(name: str, data: Any, step: Any = None, max_outputs: int = 3,
          description: str | None = None) -> Any:
    """Write images, a batch [count, height, width, channels] of which `max_outputs` are kept."""
    if int(max_outputs) < 0:
        raise errors.invalid("Assert", "tf.summary.image: `max_outputs` must be at least 0, got "
                                       f"{max_outputs}")
    metadata = _metadata("images", description)
    with summary_scope(name, "image_summary") as (tag, _):
        def files() -> Tensor:
            tensor = convert(data)
            if tensor.shape.rank != 4:
                raise ValueError(f"Tensor  must have rank 4.  Received rank {tensor.shape.rank}, "
                                 f"shape {tensor.shape}")
            return _images(tensor, limit=int(max_outputs))

        return write(tag, files, step, metadata)


# -- text and sound --------------------------------------------------------------------------------
@export("summary.text")
def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write text, a string tensor of any shape; TensorBoard reads Markdown."""
    metadata = _metadata("text", description)
    with summary_scope(name, "text_summary") as (tag, _):
        def words() -> Tensor:
            tensor = convert(data)
            if tensor.dtype is not dtypes.string:
                raise TypeError(f"tensor must be of type tf.string; got {tensor.dtype!r}")
            return tensor

        return write(tag, words, step, metadata)


def _sounds_kernel(sounds: np.ndarray, rate: Any, limit: int) -> np.ndarray:
    from tapeflow.ops.signal.wav import encode
    files = [encode.op.kernel(one, rate)[()] for one in sounds[:limit]]
    result = np.empty((len(files), 2), object)
    result[:, 0] = files
    result[:, 1] = b""
    return result


_sounds = define("summary_sounds", kernel=_sounds_kernel, args=("audio", "rate"), batch=loop,
                 shape=lambda x, rate, limit: Spec((None, 2), _STRING), vjp=_FILE, internal=True)


@export("summary.audio")
def audio(name: str, data: Any, sample_rate: Any, step: Any = None, max_outputs: int = 3,
          encoding: str | None = None, description: str | None = None) -> Any:
    """Write sounds, a batch [count, frames, channels] with values in [-1, 1], as WAV files."""
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}")
    content = protos.AudioPluginData(encoding=protos.AudioPluginData.WAV).SerializeToString()
    metadata = _metadata("audio", description, content)
    with summary_scope(name, "audio_summary") as (tag, _):
        def files() -> Tensor:
            tensor = convert(data, dtypes.float32)
            if tensor.shape.rank != 3:
                raise ValueError("tf.summary.audio: `data` must have rank 3, got shape "
                                 f"{tensor.shape}")
            return _sounds(tensor, convert(sample_rate, dtypes.int32), limit=int(max_outputs))

        return write(tag, files, step, metadata)
