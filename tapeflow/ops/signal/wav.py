"""WAV files: tf.audio.decode_wav and encode_wav, 16-bit PCM.

May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, small
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets

_F32, _I32, _BYTES = np.dtype("float32"), np.dtype("int32"), np.dtype("O")
_LARGEST = (1 << 31) - 1  # bytes of a chunk


class DecodeWav(NamedTuple):
    """Samples in [-1, 1) as [samples, channels], and the rate."""

    audio: Any
    sample_rate: Any


class _Source:
    """Reads a file from its beginning; what is cut short is refused."""

    def __init__(self, data: bytes):
        self._data, self.at = data, 0

    def take(self, count: int) -> bytes:
        found = self._data[self.at:self.at + count]
        if len(found) < count:
            raise _invalid("Data too short when trying to read string")
        self.at += count
        return found

    def unsigned(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def expect(self, word: bytes) -> None:
        found = self.take(len(word))
        if found != word:
            raise _invalid(f"Header mismatch: Expected {word.decode()} but found {found!r}")

    def ended(self) -> bool:
        return self.at >= len(self._data)


def _invalid(message: str) -> Exception:
    return errors.invalid("DecodeWav", message)


def _header(source: _Source) -> tuple[int, int]:
    """Channels and sample rate, all that a header says having been seen to agree."""
    source.expect(b"RIFF")
    source.take(4)
    source.expect(b"WAVE")
    source.expect(b"fmt ")
    size = source.unsigned(4)
    if size not in (16, 18):
        raise _invalid(f"Bad format chunk size for WAV: Expected 16 or 18, but got {size}")
    kind, channels, rate = source.unsigned(2), source.unsigned(2), source.unsigned(4)
    each_second, each_sample, bits = source.unsigned(4), source.unsigned(2), source.unsigned(2)
    if kind != 1:
        raise _invalid(f"Bad audio format for WAV: Expected 1 (PCM), but got {kind}")
    if channels < 1:
        raise _invalid(f"Bad number of channels for WAV: Expected at least 1, but got {channels}")
    if bits != 16:
        raise _invalid(f"Bad bits per sample for WAV: Only 16-bit is supported, but got {bits}")
    if each_sample != 2 * channels:
        raise _invalid(f"Bad bytes per sample in WAV header: Expected {2 * channels} but got "
                       f"{each_sample}")
    if each_second != each_sample * rate:
        raise _invalid(f"Bad bytes per second in WAV header: Expected {each_sample * rate} but got "
                       f"{each_second} (sample_rate={rate}, bytes_per_sample={each_sample})")
    source.take(size - 16)
    return channels, rate


def _read(data: bytes) -> tuple[np.ndarray, int]:
    """Samples [samples, channels] and the rate."""
    source = _Source(data)
    channels, rate = _header(source)
    found = None
    while not source.ended():
        name, size = source.take(4), source.unsigned(4)
        if size > _LARGEST:
            raise _invalid(f"WAV data chunk {name!r} is too large: {size} bytes")
        if name != b"data":
            source.at += size  # past the end is the end
        elif found is not None:
            raise _invalid("More than one data chunk found in WAV")
        else:
            found = source.take(size // (2 * channels) * 2 * channels)
    if found is None:
        raise _invalid("No data chunk found in WAV")
    return np.frombuffer(found, "<i2").reshape(-1, channels), rate


def _decode_kernel(contents, channels, samples):
    read, rate = _read(contents[()])
    count = read.shape[1]
    audio = read.astype(_F32) / np.float32(32768)
    wide, long = channels if channels > 0 else count, samples if samples >= 0 else len(audio)
    out = np.zeros((long, wide), _F32)
    part = audio[:long, :wide]
    out[:len(part), :part.shape[1]] = part
    if 1 <= count < wide:  # missing channels repeat the last one
        out[:len(part), count:] = part[:, -1:]
    return out, np.array(rate, np.uint32).astype(_I32)[()]


def _encode_kernel(audio, rate):
    samples, channels = audio.shape
    scaled = audio.astype(_F32) * np.float32(32768)
    scaled = np.clip(np.copysign(np.floor(np.abs(scaled) + 0.5), scaled), -32768, 32767)
    payload = scaled.astype("<i2").tobytes()
    rate = int(rate)
    head = b"".join([
        b"RIFF", (36 + len(payload)).to_bytes(4, "little"), b"WAVEfmt ",
        (16).to_bytes(4, "little"), (1).to_bytes(2, "little"), channels.to_bytes(2, "little"),
        rate.to_bytes(4, "little"), (rate * channels * 2).to_bytes(4, "little"),
        (channels * 2).to_bytes(2, "little"), (16).to_bytes(2, "little"), b"data",
        len(payload).to_bytes(4, "little")])
    out = np.empty((), object)
    out[()] = head + payload
    return out


def _decoded_shape(contents: Spec, channels: int, samples: int) -> tuple:
    return (Spec((samples if samples >= 0 else None, channels if channels > 0 else None), _F32),
            Spec((), _I32))


def _example() -> Any:
    return _encode_kernel(np.array([[0.0, 0.5], [-0.5, 0.25]], _F32), 8000)


decode = define("decode_wav", kernel=_decode_kernel, shape=_decoded_shape, multi=True, batch=loop,
                vjp=NONDIFF("it reads the bytes of a file"), args=("contents",), dtypes="O",
                check=[Case(_example(), channels=-1, samples=-1),
                       Case(_example(), channels=1, samples=-1)])
encode = define("encode_wav", kernel=_encode_kernel, args=("audio", "sample_rate"), batch=loop,
                shape=lambda audio, rate: Spec((), _BYTES), vjp=NONDIFF("it writes a file"),
                dtypes="fi", check=[Case((3, 2), np.int32(8000), grad=False)])


@export("audio.decode_wav")
@attributes(desired_channels=small, desired_samples=small)
def decode_wav(contents: Any, desired_channels: int = -1, desired_samples: int = -1,
               name: str | None = None) -> DecodeWav:
    """Samples in [-1, 1) and the sample rate of a 16-bit WAV file's bytes."""
    data = operand(contents, dtypes.string)
    if shape_of(data) != ():
        raise errors.invalid("DecodeWav", f"contents must be scalar, got shape "
                                          f"{brackets(shape_of(data))}")
    for name, given in (("desired_channels", desired_channels), ("desired_samples",
                                                                 desired_samples)):
        if given < -1:
            raise errors.invalid("DecodeWav", f"{name} must be >= -1, got {given}")
    return DecodeWav(*decode(data, channels=desired_channels, samples=desired_samples))


@export("audio.encode_wav")
def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """The bytes of a 16-bit WAV file with this sound: [samples, channels] in [-1, 1]."""
    x, rate = operand(audio, dtypes.float32), operand(sample_rate, dtypes.int32)
    if len(shape_of(x)) != 2:
        raise errors.invalid("EncodeWav", f"audio must be 2-dimensional but got shape "
                                          f"{brackets(shape_of(x))}")
    if shape_of(rate) != ():
        raise errors.invalid("EncodeWav", f"sample_rate should be a scalar: "
                                          f"{brackets(shape_of(rate))}")
    if 0 in shape_of(x):
        raise errors.invalid("EncodeWav", "audio is null")
    if type(rate) is Tensor and rate._value <= 0:
        raise errors.invalid("EncodeWav", f"sample_rate must be in (0, 2^32), got: {rate._value}")
    return encode(x, rate)
