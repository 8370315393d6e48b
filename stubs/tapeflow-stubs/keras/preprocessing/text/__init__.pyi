# Written by tools/stubs.py (make stubs).
"""tf.keras.preprocessing.text"""

from typing import Any

def hashing_trick(
    text: Any, n: Any, hash_function: Any = None, filters: Any = ..., lower: Any = True,
    split: Any = ' ', analyzer: Any = None,
) -> Any:
    """DEPRECATED."""

def one_hot(
    input_text: Any, n: Any, filters: Any = ..., lower: Any = True, split: Any = ' ',
    analyzer: Any = None,
) -> Any:
    """DEPRECATED."""

def text_to_word_sequence(
    input_text: Any, filters: Any = ..., lower: Any = True, split: Any = ' ',
) -> Any:
    """DEPRECATED."""

class Tokenizer:
    """DEPRECATED."""
    def __init__(
        self, num_words: Any = None, filters: Any = ..., lower: Any = True, split: Any = ' ',
        char_level: Any = False, oov_token: Any = None, analyzer: Any = None, **kwargs: Any,
    ) -> None: ...
    def fit_on_texts(self, texts: Any) -> Any: ...
    def fit_on_sequences(self, sequences: Any) -> Any: ...
    def texts_to_sequences(self, texts: Any) -> Any: ...
    def texts_to_sequences_generator(self, texts: Any) -> Any: ...
    def sequences_to_texts(self, sequences: Any) -> Any: ...
    def sequences_to_texts_generator(self, sequences: Any) -> Any: ...
    def texts_to_matrix(self, texts: Any, mode: Any = 'binary') -> Any: ...
    def sequences_to_matrix(self, sequences: Any, mode: Any = 'binary') -> Any: ...
    def get_config(self) -> Any: ...
    def to_json(self, **kwargs: Any) -> Any: ...
    word_counts: Any
    word_docs: Any
    filters: Any
    split: Any
    lower: Any
    num_words: Any
    document_count: Any
    char_level: Any
    oov_token: Any
    index_docs: Any
    word_index: Any
    index_word: Any
    analyzer: Any

def tokenizer_from_json(json_string: Any) -> Any:
    """DEPRECATED."""
