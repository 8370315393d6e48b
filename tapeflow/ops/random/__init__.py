"""Random numbers with TensorFlow's bits. See README.md for the files of this package."""
