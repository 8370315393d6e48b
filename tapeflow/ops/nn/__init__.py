"""Activations, losses, normalisation and what else tf.nn has beside convolutions."""
