"""AutoGraph's tools on syntax trees, for libraries that transform functions."""
