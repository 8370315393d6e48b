"""A fused loop as code: its schedule, its loops, the values and reductions in them."""
