"""Records that look through windows: convolutions and pooling."""
