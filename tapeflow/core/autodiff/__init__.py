"""Derivatives: tapes, forward accumulators, jacobians, batches, gradients of users' own."""
