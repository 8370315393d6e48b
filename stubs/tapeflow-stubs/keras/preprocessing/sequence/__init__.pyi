# Written by tools/stubs.py (make stubs).
"""tf.keras.preprocessing.sequence"""

from typing import Any

import tapeflow as tf
from tapeflow.keras.utils import pad_sequences as pad_sequences

def make_sampling_table(size: Any, sampling_factor: Any = 1e-05) -> Any:
    """Generates a word rank-based probabilistic sampling table."""

def skipgrams(
    sequence: Any, vocabulary_size: Any, window_size: Any = 4, negative_samples: Any = 1.0,
    shuffle: Any = True, categorical: Any = False, sampling_table: Any = None, seed: Any = None,
) -> Any:
    """Generates skipgram word pairs."""

class TimeseriesGenerator(tf.keras.utils.PyDataset):
    """Utility class for generating batches of temporal data."""
    def __init__(
        self, data: Any, targets: Any, length: Any, sampling_rate: Any = 1, stride: Any = 1,
        start_index: Any = 0, end_index: Any = None, shuffle: Any = False, reverse: Any = False,
        batch_size: Any = 128, **kwargs: Any,
    ) -> None: ...
    def __len__(self) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def get_config(self) -> Any:
        """Returns the TimeseriesGenerator configuration as Python dictionary."""
    def to_json(self, **kwargs: Any) -> Any:
        """Returns a JSON string containing the generator's configuration."""
    data: Any
    targets: Any
    length: Any
    sampling_rate: Any
    stride: Any
    start_index: Any
    end_index: Any
    shuffle: Any
    reverse: Any
    batch_size: Any
