# Written by tools/stubs.py (make stubs).
"""tf.keras.datasets.reuters"""

from typing import Any

def get_label_names() -> Any:
    """Returns labels as a list of strings with indices matching training data."""

def get_word_index(path: Any = ...) -> Any:
    """Retrieves a dict mapping words to their index in the Reuters dataset."""

def load_data(
    path: Any = 'reuters.npz', num_words: Any = None, skip_top: Any = 0, maxlen: Any = None,
    test_split: Any = 0.2, seed: Any = 113, start_char: Any = 1, oov_char: Any = 2,
    index_from: Any = 3,
) -> Any:
    """Loads the Reuters newswire classification dataset."""
