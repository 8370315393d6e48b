# Written by tools/stubs.py (make stubs).
"""tf.keras.datasets.imdb"""

from typing import Any

def get_word_index(path: Any = 'imdb_word_index.json') -> Any:
    """Retrieves a dict mapping words to their index in the IMDB dataset."""

def load_data(
    path: Any = 'imdb.npz', num_words: Any = None, skip_top: Any = 0, maxlen: Any = None,
    seed: Any = 113, start_char: Any = 1, oov_char: Any = 2, index_from: Any = 3, **kwargs: Any,
) -> Any:
    """Loads the [IMDB dataset](https://ai.stanford.edu/~amaas/data/sentiment/)."""
