"""tf.compat.v1.nn; loaded when one of its names is asked for."""
