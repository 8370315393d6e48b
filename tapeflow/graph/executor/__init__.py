"""Running a graph on NumPy: its program, buffers and variables."""
