# Written by tools/stubs.py (make stubs).
"""tf.keras.legacy"""

from tapeflow.keras.legacy import saving as saving
