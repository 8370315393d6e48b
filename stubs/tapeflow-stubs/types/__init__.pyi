# Written by tools/stubs.py (make stubs).
"""tf.types"""

from tapeflow.types import experimental as experimental
