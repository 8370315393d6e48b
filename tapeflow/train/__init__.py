"""tf.train: checkpoints in TensorFlow's format, averages, clusters. Loaded when asked for."""
