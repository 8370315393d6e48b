# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.audio"""

from tapeflow.audio import decode_wav as decode_wav, encode_wav as encode_wav
