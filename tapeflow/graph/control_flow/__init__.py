"""Nodes that hold graphs: branches, loops, maps, custom gradients."""
