"""tf.compat.v1.distributions; loaded when one of its names is asked for."""

from tapeflow.api.v1.distributions import continuous, discrete, distribution  # noqa: F401
