"""Convolutions and pooling, in one to three spatial dimensions."""
