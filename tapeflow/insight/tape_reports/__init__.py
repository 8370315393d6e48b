"""What a tape tells in numbers: a verdict on each gradient, and the bytes that it keeps."""
