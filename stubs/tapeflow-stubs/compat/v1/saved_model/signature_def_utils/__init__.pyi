# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model.signature_def_utils"""

from tapeflow.compat.v1.saved_model import (
    build_signature_def as build_signature_def,
    predict_signature_def as predict_signature_def,
)
