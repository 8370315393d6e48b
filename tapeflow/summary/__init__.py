"""tf.summary: event files that TensorBoard shows. Loaded when it is first asked for."""
