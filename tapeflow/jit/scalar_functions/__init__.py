"""Machine code of scalar functions (README.md)."""
