# Written by tools/stubs.py (make stubs).
"""tf.keras.datasets.california_housing"""

from typing import Any

def load_data(
    version: Any = 'large', path: Any = ..., test_split: Any = 0.2, seed: Any = 113,
) -> Any:
    """Loads the California Housing dataset."""
