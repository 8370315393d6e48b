"""Random words to numbers of a distribution."""
