"""Traced graphs: see README.md here."""
