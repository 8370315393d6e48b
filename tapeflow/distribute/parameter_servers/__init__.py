"""Parameter servers and workers of a cluster that is one process."""
