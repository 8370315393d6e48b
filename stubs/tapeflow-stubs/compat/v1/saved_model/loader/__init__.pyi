# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model.loader"""

from tapeflow.compat.v1.saved_model import (
    load as load,
    maybe_saved_model_directory as maybe_saved_model_directory,
)
