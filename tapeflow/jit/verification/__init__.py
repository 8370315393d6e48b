"""Native results compared with NumPy's on the program's own values."""
