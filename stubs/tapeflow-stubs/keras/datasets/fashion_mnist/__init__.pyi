# Written by tools/stubs.py (make stubs).
"""tf.keras.datasets.fashion_mnist"""

from typing import Any

def load_data() -> Any:
    """Loads the Fashion-MNIST dataset."""
