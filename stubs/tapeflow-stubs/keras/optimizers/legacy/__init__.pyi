# Written by tools/stubs.py (make stubs).
"""tf.keras.optimizers.legacy"""

from typing import Any

class Adagrad:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

Adam = Adagrad
Ftrl = Adagrad
Optimizer = Adagrad
RMSprop = Adagrad
SGD = Adagrad
