"""`tapeflow.keras`, the real Keras on tapeflow: importing this module gives Keras's in its place.

    import tapeflow as tf
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""

import sys

from tapeflow.alias.keras_loader import load

sys.modules[__name__] = load()
