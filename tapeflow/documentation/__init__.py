"""Docstrings of public functions, composed when they are read. Loaded by the first one read."""
