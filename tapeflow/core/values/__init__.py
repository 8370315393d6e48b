"""What programs hold: tensors, variables, slices, composites, modules."""
