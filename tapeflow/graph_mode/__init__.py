"""Programs that build a graph and run parts of it: tf.Graph and tf.compat.v1.Session."""
