"""tf.io: files, records, protocol buffers, examples. Loaded when first asked for."""
