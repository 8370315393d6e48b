"""Sparse tensors: the class, tf.sparse, tf.sets, look-ups. Loaded at the first use of a name."""

from tapeflow.ops.sparse import decoding as decoding
from tapeflow.ops.sparse import elementwise as elementwise
from tapeflow.ops.sparse import embeddings as embeddings
from tapeflow.ops.sparse import functions as functions
from tapeflow.ops.sparse import reducing as reducing
from tapeflow.ops.sparse import sets as sets
from tapeflow.ops.sparse import sparse_tensor as sparse_tensor
