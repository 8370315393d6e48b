"""`horovod.tensorflow.keras` and `horovod.keras`: with Keras's optimizer and callbacks."""

from __future__ import annotations

from typing import Any

from tapeflow.horovod.keras_2_programs import tolerate
from tapeflow.horovod.keras_optimizer import DistributedOptimizer
from tapeflow.horovod.tensorflow import *  # noqa: F403
from tapeflow.horovod.tensorflow import Average, Compression
from tapeflow.horovod.tensorflow.keras import callbacks, elastic

__all__ = ["Average", "Compression", "DistributedOptimizer", "callbacks", "elastic", "load_model"]

tolerate()


def load_model(filepath: Any, custom_optimizers: Any = None, custom_objects: Any = None,
               compression: Any = Compression.none, legacy_opts: bool = False) -> Any:
    """A saved model, its optimizer one that applies the gradients of all ranks."""
    import tapeflow as tf

    model = tf.keras.models.load_model(filepath, custom_objects={
        **{one.__name__: one for one in custom_optimizers or ()}, **(custom_objects or {})})
    before = model.optimizer
    made = DistributedOptimizer(before, compression=compression)
    made.build(model.trainable_variables)
    for new, old in zip(made.variables, before.variables):
        new.assign(old)
    model.optimizer = made
    return model
