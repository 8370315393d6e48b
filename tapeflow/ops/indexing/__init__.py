"""Elements by index: `x[…]`, slices, gather, scatter."""
