# Written by tools/stubs.py (make stubs).
"""tf.profiler"""

from tapeflow.profiler import experimental as experimental
