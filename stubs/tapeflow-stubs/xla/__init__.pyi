# Written by tools/stubs.py (make stubs).
"""tf.xla"""

from tapeflow.xla import experimental as experimental
