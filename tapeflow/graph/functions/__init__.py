"""tf.function: arguments, signatures, traces and concrete functions."""
