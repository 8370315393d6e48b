"""Convolutions, their gradients and pooling."""
