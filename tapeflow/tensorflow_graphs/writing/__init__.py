"""Our graphs as TensorFlow's."""
