"""Pictures of tapes: which nodes (`tape_nodes`), where they lie (`layered_layout`), as SVG."""
