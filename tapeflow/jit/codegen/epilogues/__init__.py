"""Instructions that custom kernels do on elements in their hands."""
