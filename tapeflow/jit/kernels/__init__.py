"""Code that is no fused loop: products, convolutions, scans, random words."""
