"""Loops: rolled up, rewritten, divided among threads."""
