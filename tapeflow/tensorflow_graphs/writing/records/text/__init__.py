"""How records are written as TensorFlow's ops, by family."""
