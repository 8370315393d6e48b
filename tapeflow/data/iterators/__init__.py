"""Iterations of datasets: for users, in graphs, in threads (README.md)."""
