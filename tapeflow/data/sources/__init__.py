"""Datasets that read no other dataset."""
