"""One HTML file about a run: what gradients, memory, time and the compiler did."""
