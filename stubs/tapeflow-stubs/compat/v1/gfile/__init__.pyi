# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.gfile"""

from tapeflow.io.gfile import GFile as _GFile, GFile as GFile

FastGFile = _GFile
Open = _GFile
