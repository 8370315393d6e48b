"""Ops on strings: tf.strings and tf.lookup. Loaded at the first use of a name."""
