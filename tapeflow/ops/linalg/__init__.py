"""Linear algebra: tf.linalg."""

from tapeflow.ops.linalg import diagonal as diagonal
from tapeflow.ops.linalg import functions as functions
from tapeflow.ops.linalg import norms as norms
from tapeflow.ops.linalg import solving as solving
from tapeflow.ops.linalg import spectral as spectral
from tapeflow.ops.linalg import tensordot as tensordot
