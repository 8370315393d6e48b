"""Saved models in TensorFlow's format, written."""
