# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.summary"""

from tapeflow.compat.v1 import (
    Event as Event,
    SessionLog as SessionLog,
    Summary as Summary,
    TaggedRunMetadata as TaggedRunMetadata,
)
