# Written by tools/stubs.py (make stubs).
"""tf.config.threading"""

from tapeflow._typing import IntLike

def get_inter_op_parallelism_threads() -> int:
    """How many ops may run side by side; 0: as the library chooses."""

def get_intra_op_parallelism_threads() -> int:
    """How many threads one op may use; 0: as the library chooses."""

def set_inter_op_parallelism_threads(num_threads: IntLike) -> None:
    """Accepted: eager ops run one after another."""

def set_intra_op_parallelism_threads(num_threads: IntLike) -> None:
    """How many threads one op may use; NumPy's own are set by its environment variables."""
