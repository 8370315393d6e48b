"""The callbacks for `fit`: equal beginnings, metrics of all ranks, learning rates that grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow.horovod.process_sets import rank, size
from tapeflow.horovod.reductions import Average, grouped_allreduce
from tapeflow.horovod.state_sharing import broadcast_variables

keras: Any = tf.keras


class BroadcastGlobalVariablesCallback(keras.callbacks.Callback):
    """After the first batch, when all variables are there: gives them the values of one rank."""

    def __init__(self, root_rank: int, device: str = "", local_variables: Any = None):
        super().__init__()
        self._root, self._done = root_rank, False
        self._local = list(local_variables or ())

    def register_local_var(self, var: Any) -> None:
        """Leave a variable to each rank."""
        self._local.append(var)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self._done:
            shared = [one for one in [*self.model.variables, *self.model.optimizer.variables]
                      if not any(one is other for other in self._local)]
            unique = {id(one): one for one in shared}
            broadcast_variables(list(unique.values()), self._root)
            self._done = True


class MetricAverageCallback(keras.callbacks.Callback):
    """At the end of an epoch: metrics become their averages over ranks, for later callbacks."""

    def __init__(self, device: str = ""):
        super().__init__()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs:
            names = sorted(logs)
            means = grouped_allreduce([tf.constant(logs[name], tf.float64) for name in names],
                                      op=Average)
            logs.update({name: float(value) for name, value in zip(names, means)})


class LearningRateScheduleCallback(keras.callbacks.Callback):
    """The learning rate `initial_lr * multiplier(epoch)` from one epoch up to another.

    With `staircase` it changes with the epoch, otherwise with every batch; `momentum_correction`
    scales the momentum of a batch in which it changes.
    """

    def __init__(self, initial_lr: float, multiplier: Any, start_epoch: int = 0,
                 end_epoch: int | None = None, staircase: bool = True,
                 momentum_correction: bool = True, steps_per_epoch: int | None = None):
        super().__init__()
        if initial_lr is None:
            raise ValueError("Parameter `initial_lr` is required")
        self.initial_lr, self.start_epoch, self.end_epoch = initial_lr, start_epoch, end_epoch
        self.staircase = staircase or not callable(multiplier)
        self.multiplier: Callable = multiplier if callable(multiplier) else lambda _: multiplier
        self.momentum_correction, self.steps_per_epoch = momentum_correction, steps_per_epoch
        self.current_epoch = 0
        self._momentum: float | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        if not self.staircase and not self.steps_per_epoch:
            self.steps_per_epoch = self.params.get("steps")
            if not self.steps_per_epoch:
                raise ValueError("Could not autodetect the number of steps per epoch. Please "
                                 "specify the steps_per_epoch parameter to the "
                                 f"{type(self).__name__}().")

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.current_epoch = epoch

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        epoch = self.current_epoch
        if epoch < self.start_epoch or self.end_epoch is not None and epoch >= self.end_epoch:
            return
        if not self.staircase:
            self._adjust(epoch + batch / float(self.steps_per_epoch or 1))
        elif batch == 0:
            self._adjust(epoch)

    def _adjust(self, epoch: float) -> None:
        optimizer = self.model.optimizer
        before, now = float(optimizer.learning_rate), self.initial_lr * self.multiplier(epoch)
        optimizer.learning_rate = now
        momentum = getattr(optimizer, "momentum", None)
        if self.momentum_correction and isinstance(momentum, float) and momentum:
            self._momentum, optimizer.momentum = momentum, momentum * now / before

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._momentum is not None:
            self.model.optimizer.momentum, self._momentum = self._momentum, None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is not None:
            logs["lr"] = float(self.model.optimizer.learning_rate)


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """The learning rate from `initial_lr / size` to `initial_lr` in the first epochs."""

    def __init__(self, initial_lr: float, warmup_epochs: int = 5, momentum_correction: bool = True,
                 steps_per_epoch: int | None = None, verbose: int = 0):
        def multiplier(epoch: float) -> float:
            done = epoch + 1.0 / (self.steps_per_epoch or 1)  # at the end of this batch
            return (done * (size() - 1) / warmup_epochs + 1) / size()

        super().__init__(initial_lr, multiplier, 0, warmup_epochs, False, momentum_correction,
                         steps_per_epoch)
        self.verbose = verbose

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        super().on_epoch_end(epoch, logs)
        if epoch + 1 == self.end_epoch and self.verbose and rank() == 0:
            rate = float(self.model.optimizer.learning_rate)
            print(f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}.")


class BestModelCheckpoint(keras.callbacks.ModelCheckpoint):
    """Keeps the best model only."""

    def __init__(self, monitor: str = "val_loss", verbose: int = 0, mode: str = "auto",
                 save_freq: Any = "epoch", filepath: str = "best.keras"):
        super().__init__(filepath, monitor=monitor, verbose=verbose, mode=mode,
                         save_freq=save_freq, save_best_only=True)
