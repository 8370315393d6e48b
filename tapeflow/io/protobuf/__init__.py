"""Protocol buffers: the wire format, messages, their declarations and their text."""
