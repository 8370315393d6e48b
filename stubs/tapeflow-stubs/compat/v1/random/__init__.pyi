# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.random"""

from tapeflow.compat.v1 import get_seed as get_seed, set_random_seed as set_random_seed
