"""Frames of Python: which are the user's, and the lines that they stand at."""
