"""Image files to pixels and back."""
