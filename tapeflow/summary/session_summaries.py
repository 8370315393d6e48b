"""compat.v1.summary.scalar, histogram, image, …: ops whose result is the bytes of a Summary.

A program of sessions runs them with its step and hands the bytes to a FileWriter. Outside a
tf.Graph, under a writer of tf.summary with a step, the summary is written there instead.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.scopes import name_scope, open_graph
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.tensor_protos import packed
from tapeflow.summary import plugins
from tapeflow.summary.writers import current

_STRING = np.dtype(object)
_LARGEST = float(np.finfo(np.float64).max)
_BAD = (255, 0, 0, 255)  # the colour of a pixel that is not finite
_FLAT = 1e-6  # a picture whose values stay below is black


def _bytes(values: list) -> np.ndarray:
    """A Summary of these values as a scalar tensor's array."""
    result = np.empty((), object)
    result[()] = protos.Summary(value=values).SerializeToString()
    return result


def _summary(name: str, kernel: Callable, *args: str, tag: str = "tag") -> Callable:
    """An op that makes a Summary, of the values that `kernel(*arrays, **attrs)` gives: in a graph
    a node, even of constants, after those of its tag and metadata."""
    call = define(f"session_{name}_summary",
                  kernel=lambda *xs, **attrs: _bytes(kernel(*xs, **attrs)),
                  shape=lambda *xs, **attrs: Spec((), _STRING), args=args, batch=loop,
                  vjp=NONDIFF("the bytes of a summary have no derivative"), internal=True,
                  tf_name=f"{name.capitalize()}Summary{'V2' * (name in ('audio', 'tensor'))}")

    def make(*xs: Tensor, **attrs: Any) -> Tensor:
        graph = open_graph()
        if graph is None:
            return call(*xs, **attrs)
        for key, word in (("tag", tag), ("metadata", "serialized_summary_metadata")):
            if key in attrs:
                graph.note_constant(convert(attrs[key]), word)
        return graph.run(call.op, xs, attrs)

    return make


def _clean(name: str) -> str:
    """A name of which a tag can be made."""
    return re.sub(r"[^-/\w.]", "_", name).lstrip("/")


@contextlib.contextmanager
def _tagged(name: str, family: str | None = None) -> Iterator[tuple[str, str]]:
    """The tag of a summary, and the scope whose name its node has."""
    family = _clean(family or "")
    with name_scope(f"{family}/{_clean(name)}" if family else _clean(name)) as scope:
        tag = scope.rstrip("/")
        yield f"{family}/{tag}" if family else tag, scope


def _collected(summary: Tensor, collections: Any) -> Tensor:
    graph = open_graph()
    if graph is not None:
        graph.add_to_collections(collections or ["summaries"], summary)
    return summary


def _written(write: Callable, name: str, *args: Any, **named: Any) -> Tensor | None:
    """Write by the function of tf.summary, if there are a writer and a step; what is given back."""
    if open_graph() is not None or current.writer is None or current.step is None:
        return None
    write(name, *args, **named)
    return wrap(np.array(b"", object))


# -- numbers ---------------------------------------------------------------------------------------
def _scalar_values(x: np.ndarray, tag: str) -> list:
    if x.ndim:
        raise errors.invalid("ScalarSummary", "tags and values are not the same shape: [] != "
                                              f"{list(x.shape)} (tag '{tag}')")
    return [protos.Summary.Value(tag=tag, simple_value=float(x))]


_scalar = _summary("scalar", _scalar_values, "values", tag="tags")


@export("compat.v1.summary.scalar")
def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """The bytes of a Summary with a scalar."""
    done = _written(plugins.scalar, name, tensor)
    if done is not None:
        return done
    with _tagged(name, family) as (tag, name):
        return _collected(_scalar(convert(tensor), tag=tag), collections)


@functools.cache
def _limits() -> np.ndarray:
    """Upper ends of a histogram's buckets: 0, from 1e-12 on each a tenth more, and negatives."""
    powers, end = [], 1e-12
    while end < 1e20:
        powers.append(end)
        end *= 1.1
    powers.append(_LARGEST)
    return np.array([*[-x for x in reversed(powers)], 0.0, *powers])


def _histogram_values(x: np.ndarray, tag: str) -> list:
    values = x.ravel().astype(np.float64)
    if not np.isfinite(values).all():
        kind = "Nan" if np.isnan(values).any() else "Infinity"
        raise errors.invalid("HistogramSummary", f"{kind} in summary histogram for: {tag}")
    limits = _limits()
    counts = np.bincount(np.searchsorted(limits, values, "right"), minlength=len(limits))
    # Of empty buckets in a row the last one stands for all.
    kept = np.append((counts[1:] > 0) | (counts[:-1] > 0), True)
    histo = protos.HistogramProto(
        min=values.min(initial=_LARGEST), max=values.max(initial=-_LARGEST), num=float(values.size),
        sum=values.sum(), sum_squares=np.square(values).sum(), bucket_limit=limits[kept].tolist(),
        bucket=counts[kept].astype(float).tolist())
    return [protos.Summary.Value(tag=tag, histo=histo)]


_histogram = _summary("histogram", _histogram_values, "values")


@export("compat.v1.summary.histogram")
def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """The bytes of a Summary with a histogram, whose buckets get wider by a tenth each."""
    done = _written(plugins.histogram, name, values)
    if done is not None:
        return done
    with _tagged(name, family) as (tag, name):
        return _collected(_histogram(convert(values), tag=tag), collections)


# -- pictures and sound ----------------------------------------------------------------------------
def _scaled(picture: np.ndarray) -> np.ndarray:
    """Real pixels as bytes: the largest is 255, or with negative ones 0 is 128."""
    if picture.dtype == np.uint8:
        return picture
    wide = picture.astype(np.float64 if picture.dtype == np.float64 else np.float32)
    finite = np.isfinite(wide).all(axis=-1)
    seen = wide[finite]
    least, most = seen.min(initial=np.inf), seen.max(initial=-np.inf)
    span, top, zero = (max(-least, abs(most)), 127, 128) if least < 0 else (most, 255, 0)
    scale = 0.0 if span < _FLAT else wide.dtype.type(top) / span
    result = np.empty(picture.shape, np.uint8)
    result[finite] = (seen * scale + zero).astype(np.uint8)
    result[~finite] = _BAD[:picture.shape[-1]]
    return result


def _tags(tag: str, kind: str, limit: int, count: int) -> list[str]:
    if limit == 1:
        return [f"{tag}/{kind}"][:count]
    return [f"{tag}/{kind}/{i}" for i in range(min(limit, count))]


def _image_values(x: np.ndarray, tag: str, limit: int) -> list:
    from tapeflow.ops.image.files import png
    if x.ndim != 4 or x.shape[3] not in (1, 3, 4):
        raise errors.invalid("ImageSummary", "Tensor must be 4-D with last dim 1, 3, or 4, not "
                                             f"{list(x.shape)}")
    _, height, width, depth = x.shape
    return [protos.Summary.Value(tag=one, image=protos.Summary.Image(
                height=height, width=width, colorspace=depth,
                encoded_image_string=png.write(_scaled(picture), -1)))
            for one, picture in zip(_tags(tag, "image", limit, len(x)), x, strict=False)]


_image = _summary("image", _image_values, "tensor")


def _count(max_outputs: Any, op: str) -> int:
    if max_outputs < 1:
        raise errors.invalid(op, f"Value for attr 'max_outputs' of {max_outputs} must be at least "
                                 "minimum 1")
    return int(max_outputs)


@export("compat.v1.summary.image")
def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None,
          family: str | None = None) -> Tensor:
    """The bytes of a Summary with pictures, of which `max_outputs` are kept."""
    done = _written(plugins.image, name, tensor, max_outputs=max_outputs)
    if done is not None:
        return done
    with _tagged(name, family) as (tag, name):
        return _collected(_image(convert(tensor), tag=tag,
                                 limit=_count(max_outputs, "ImageSummary")), collections)


def _audio_values(x: np.ndarray, rate: Any, tag: str, limit: int) -> list:
    from tapeflow.ops.signal.wav import encode
    if x.ndim not in (2, 3):
        raise errors.invalid("AudioSummaryV2", f"Tensor must be 3-D or 2-D, got: {list(x.shape)}")
    if not rate > 0:
        raise errors.invalid("AudioSummaryV2", "sample_rate must be > 0")
    sounds = x.reshape(*x.shape[:2], -1)
    return [protos.Summary.Value(tag=one, audio=protos.Summary.Audio(
                sample_rate=float(rate), num_channels=sound.shape[1], length_frames=len(sound),
                encoded_audio_string=encode.op.kernel(sound, np.int32(rate))[()],
                content_type="audio/wav"))
            for one, sound in zip(_tags(tag, "audio", limit, len(x)), sounds, strict=False)]


_audio = _summary("audio", _audio_values, "tensor", "sample_rate")


@export("compat.v1.summary.audio")
def audio(name: str, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None,
          family: str | None = None) -> Tensor:
    """The bytes of a Summary with sounds in [-1, 1], of which `max_outputs` are kept."""
    rate = convert(sample_rate, dtypes.float32)
    with _tagged(name, family) as (tag, name):
        return _collected(_audio(convert(tensor, dtypes.float32), rate, tag=tag,
                                 limit=_count(max_outputs, "AudioSummaryV2")), collections)


# -- any tensor ------------------------------------------------------------------------------------
def _tensor_values(x: np.ndarray, tag: str, metadata: bytes) -> list:
    return [protos.Summary.Value(tag=tag, tensor=packed(x, dtypes.of(x.dtype)),
                                 metadata=protos.SummaryMetadata.FromString(metadata))]


_tensor = _summary("tensor", _tensor_values, "tensor")


@export("compat.v1.summary.tensor_summary")
def tensor_summary(name: str, tensor: Any, summary_description: str | None = None,
                   collections: Any = None, summary_metadata: Any = None,
                   family: str | None = None, display_name: str | None = None) -> Tensor:
    """The bytes of a Summary with a tensor as it is."""
    metadata = protos.SummaryMetadata()
    if summary_metadata is not None:
        metadata.ParseFromString(summary_metadata.SerializeToString())  # TensorBoard's own class
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with _tagged(name, family) as (tag, name):
        return _collected(_tensor(convert(tensor), tag=tag, metadata=metadata.SerializeToString()),
                          collections)


@export("compat.v1.summary.text")
def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """The bytes of a Summary with text, a tensor of strings."""
    if tensor.dtype != dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = protos.SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    with _tagged(name) as (tag, name):
        return _collected(_tensor(tensor, tag=tag, metadata=metadata.SerializeToString()),
                          collections)


# -- several ---------------------------------------------------------------------------------------
def _merged_values(*summaries: Any) -> list:
    found: dict[str, Any] = {}
    for one in summaries:
        for data in np.asarray(one, object).ravel().tolist():
            for value in protos.Summary.FromString(data).value:
                if value.tag in found:
                    raise errors.invalid("MergeSummary", f"Duplicate tag {value.tag} found in "
                                                         "summary inputs")
                found[value.tag] = value
    return list(found.values())


_merge = _summary("merge", _merged_values, "inputs")


@export("compat.v1.summary.merge")
def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """The bytes of one Summary with the values of several."""
    if open_graph() is None:
        raise RuntimeError("Merging tf.summary.* ops is not compatible with eager execution. Use "
                           "tf.summary.write with a writer of tf.summary.create_file_writer.")
    with name_scope(name or "Merge"):
        summary = _merge(*[convert(one, dtypes.string) for one in inputs])
    for key in collections or ():
        open_graph().add_to_collection(key, summary)
    return summary


@export("compat.v1.summary.merge_all")
def merge_all(key: Any = "summaries", scope: str | None = None, name: str | None = None) -> Any:
    """The bytes of one Summary with all that are in a collection; None if there are none."""
    graph = open_graph()
    if graph is None:
        return merge(())
    found = graph.get_collection(key, scope=scope)
    return merge(found, name=name) if found else None
