"""Datasets that read other datasets."""
