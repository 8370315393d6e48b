"""Ragged tensors: the class, what ops do with it, tf.ragged. Loaded at the first use of a name."""

from tapeflow.ops.ragged import crossing as crossing
from tapeflow.ops.ragged import elementwise as elementwise
from tapeflow.ops.ragged import functions as functions
from tapeflow.ops.ragged import mapping as mapping
from tapeflow.ops.ragged import moving as moving
from tapeflow.ops.ragged import ragged_tensor as ragged_tensor
from tapeflow.ops.ragged import reducing as reducing
from tapeflow.ops.ragged import shape as shape
