"""What kernels and public functions share; no op is defined here."""
