"""A call from Python straight into native code: the stub and what it knows of Python's objects."""
