"""Making, rearranging, joining and splitting tensors."""
