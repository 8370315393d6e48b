"""TensorFlow's ops, expressed with ours, by family."""
