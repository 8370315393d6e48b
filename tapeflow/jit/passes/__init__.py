"""Graph to graph: what the compiler rewrites before it lowers."""
