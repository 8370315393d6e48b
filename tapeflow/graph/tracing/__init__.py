"""Python run on symbolic tensors, and the graph that comes of it."""
