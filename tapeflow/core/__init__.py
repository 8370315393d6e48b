"""The op record, tensors, variables, tapes: see README.md here."""
