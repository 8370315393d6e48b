"""tf.saved_model: objects with functions to files and back, in a format of tapeflow's own."""
