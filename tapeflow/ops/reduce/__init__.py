"""Sums, extremes and orders along axes and over segments."""
