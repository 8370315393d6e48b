"""Tensors of records; see README.md."""
