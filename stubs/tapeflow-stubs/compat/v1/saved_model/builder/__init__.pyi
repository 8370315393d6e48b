# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model.builder"""

from tapeflow.compat.v1.saved_model import Builder as _Builder

SavedModelBuilder = _Builder
