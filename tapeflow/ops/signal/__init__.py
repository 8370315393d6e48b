"""Signals: tf.signal and tf.audio. Loaded when one of their names is asked for."""

from tapeflow.ops.signal import cosine as cosine
from tapeflow.ops.signal import fourier as fourier
from tapeflow.ops.signal import framing as framing
from tapeflow.ops.signal import mel as mel
from tapeflow.ops.signal import spectra as spectra
from tapeflow.ops.signal import wav as wav
from tapeflow.ops.signal import windows as windows

_TRANSFORMS = ("fft", "ifft", "rfft", "irfft", "dct", "idct")


def _publish_old_names() -> None:
    """tf.compat.v1 has all of it too, the transforms also as tf.compat.v1.spectral."""
    from tapeflow.base.exports import PUBLIC, publish
    for name, value in list(PUBLIC.items()):
        space, _, short = name.rpartition(".")
        if space in ("signal", "audio"):
            publish(value, f"compat.v1.{name}")
            if short.removesuffix("2d").removesuffix("3d") in _TRANSFORMS:
                publish(value, f"compat.v1.spectral.{short}")


_publish_old_names()
