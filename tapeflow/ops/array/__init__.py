"""Making, rearranging, indexing and joining tensors."""
