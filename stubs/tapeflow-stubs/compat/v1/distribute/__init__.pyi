# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.distribute"""

from tapeflow.compat.v1.distribute import experimental as experimental
