"""Graph to plan: instructions, views, and which of them share a loop."""
