"""The functions that users give to datasets (README.md)."""
