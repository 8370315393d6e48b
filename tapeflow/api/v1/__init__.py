"""tf.compat.v1, as far as programs of TensorFlow 2 call it."""
