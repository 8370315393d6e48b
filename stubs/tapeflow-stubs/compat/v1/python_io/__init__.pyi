# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.python_io"""

from tapeflow.compat.v1.io import tf_record_iterator as tf_record_iterator
