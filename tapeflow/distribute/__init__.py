"""tf.distribute in one process: strategies, replicas, their values. Loaded when asked for."""
