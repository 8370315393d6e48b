"""Which executor serves: NumPy first, native code from a fixed call on."""
