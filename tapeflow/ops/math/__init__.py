"""Functions of each element, and of two elements side by side."""
