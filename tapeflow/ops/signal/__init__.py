"""Signals: tf.signal and tf.audio. Loaded when one of their names is asked for."""

from tapeflow.ops.signal import cosine as cosine
from tapeflow.ops.signal import fourier as fourier
from tapeflow.ops.signal import framing as framing
from tapeflow.ops.signal import mel as mel
from tapeflow.ops.signal import spectra as spectra
from tapeflow.ops.signal import wav as wav
from tapeflow.ops.signal import windows as windows
