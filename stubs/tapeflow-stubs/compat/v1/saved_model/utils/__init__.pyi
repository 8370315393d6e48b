# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model.utils"""

from tapeflow.compat.v1.saved_model import build_tensor_info as build_tensor_info
