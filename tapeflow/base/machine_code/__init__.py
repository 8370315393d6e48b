"""Loops over bytes that become machine code."""
