"""`horovod.tensorflow.keras.elastic`: the state of a Keras program, and its callbacks."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.horovod.elastic_state import State, TensorFlowKerasState, run

keras: Any = tf.keras

__all__ = ["CommitStateCallback", "KerasState", "UpdateBatchStateCallback",
           "UpdateEpochStateCallback", "run"]


class KerasState(TensorFlowKerasState):
    """The state of a Keras model and its optimizer."""


class CommitStateCallback(keras.callbacks.Callback):
    """Commits the state every so many batches, and at the end of an epoch."""

    def __init__(self, state: State, batches_per_commit: int = 1):
        super().__init__()
        self._state, self._every = state, batches_per_commit
        self._left = batches_per_commit

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._left -= 1
        if not self._left:
            self._state.commit()
            self._left = self._every

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._state.commit()


class UpdateBatchStateCallback(keras.callbacks.Callback):
    """Keeps `state.batch` at the number of batches of this epoch."""

    def __init__(self, state: Any):
        super().__init__()
        self._state = state

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._state.batch = batch

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._state.batch = 0


class UpdateEpochStateCallback(keras.callbacks.Callback):
    """Keeps `state.epoch` at the number of the epoch."""

    def __init__(self, state: Any):
        super().__init__()
        self._state = state

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._state.epoch = epoch + 1
