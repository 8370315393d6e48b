"""Plan to LLVM text: loops, addresses, control flow, mathematical functions."""
