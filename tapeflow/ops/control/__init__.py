"""Branches, loops, maps, arrays that loops write, calls of Python, assertions, printing."""
