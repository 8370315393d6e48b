"""Linear algebra: tf.linalg."""

from tapeflow.ops.linalg import diagonal as diagonal
from tapeflow.ops.linalg import solving as solving
