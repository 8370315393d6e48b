"""What frames and text of the user's program tell."""
