"""Factorisations and systems of small matrices, one matrix of a stack after the other."""
