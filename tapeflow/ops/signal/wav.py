"""WAV files: tf.audio.decode_wav and encode_wav, 16-bit PCM.

May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.batching import loop
from tapeflow.core.families import operand
from tapeflow.core.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.samples import Case
from tapeflow.core.tensor import Tensor
from tapeflow.ops.arguments import brackets

_F32, _I32, _BYTES = np.dtype("float32"), np.dtype("int32"), np.dtype("O")


class DecodeWav(NamedTuple):
    """Samples in [-1, 1) as [samples, channels], and the rate."""

    audio: Any
    sample_rate: Any


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The chunks of a RIFF file by name."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise errors.invalid("DecodeWav", "Header mismatch: Expected RIFF but found "
                                          f"{data[:4]!r}")
    found, at = {}, 12
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4:at + 8], "little")
        found[data[at:at + 4]] = data[at + 8:at + 8 + size]
        at += 8 + size + size % 2
    return found


def _decode_kernel(contents, channels, samples):
    found = _chunks(contents[()])
    format_, payload = found.get(b"fmt "), found.get(b"data")
    if format_ is None or len(format_) < 16 or payload is None:
        raise errors.invalid("DecodeWav", "Data too short when trying to read the file's chunks")
    kind, count, rate = np.frombuffer(format_, "<u2,<u2,<u4", 1)[0].item()
    bits = int.from_bytes(format_[14:16], "little")
    if kind != 1 and not (kind == 0xFFFE and len(format_) >= 26 and format_[24] == 1):
        raise errors.invalid("DecodeWav", "Bad audio format for WAV: Expected 1 (PCM), but got "
                                          f"{kind}")
    if bits != 16:
        raise errors.invalid("DecodeWav", f"Bad bits per sample for WAV: Only 16-bit is supported, "
                                          f"but got {bits}")
    whole = np.frombuffer(payload[:len(payload) // (2 * count) * 2 * count], "<i2")
    audio = whole.reshape(-1, count).astype(_F32) / np.float32(32768)
    wide, long = channels if channels > 0 else count, samples if samples >= 0 else len(audio)
    out = np.zeros((long, wide), _F32)
    part = audio[:long, :wide]
    out[:len(part), :part.shape[1]] = part
    if 1 <= count < wide:  # missing channels repeat the last one
        out[:len(part), count:] = part[:, -1:]
    return out, np.int32(rate)


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
def decode_wav(contents: Any, desired_channels: int = -1, desired_samples: int = -1,
               name: str | None = None) -> DecodeWav:
    """Samples in [-1, 1) and the sample rate of a 16-bit WAV file's bytes."""
    data = operand(contents, dtypes.string)
    if shape_of(data) != ():
        raise errors.invalid("DecodeWav", f"contents must be scalar, got shape "
                                          f"{brackets(shape_of(data))}")
    return DecodeWav(*decode(data, channels=int(desired_channels), samples=int(desired_samples)))


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
    return encode(x, rate)
