"""Bytes and lines of text as tensors: Examples, CSV, sparse tensors."""
