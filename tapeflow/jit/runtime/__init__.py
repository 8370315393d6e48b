"""Text to machine code, and calling it: targets, stubs, threads, caches."""
