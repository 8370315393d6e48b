"""tf.debugging.experimental.enable_dump_debug_info: what a program computes, for TensorBoard."""
