"""What is kept of compiled functions: images, and the files that hold them."""
