"""Where random words come from: generators, seeds, positions in streams."""
