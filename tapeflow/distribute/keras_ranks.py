"""What Keras does not know of ranks: who writes files, and when gradients are clipped.

Each rank has the same model, and all would write the same files at the same time: rank 0 alone
writes. A backup is written beside the last one and put in its place when it is whole, so that a
rank that dies while it writes leaves one from which a job can go on.

Keras clips the gradients of each replica before they are summed up. Over ranks they are summed up
first: the step is that of one process with the whole batch.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from typing import Any

from tapeflow.distribute.mpi import exchange
from tapeflow.distribute.strategy_scope import get_replica_context


def teach_keras() -> None:
    """Let Keras, if it is loaded, mind the ranks of a strategy."""
    _teach_optimizers()
    callbacks = sys.modules.get("keras.src.callbacks.backup_and_restore")
    if callbacks is not None and not hasattr(callbacks, "_tapeflow_ranks"):
        callbacks._tapeflow_ranks = True  # type: ignore[attr-defined]
        cls = callbacks.BackupAndRestore
        cls._save_model = _with_whole_slots(_by_rank_0(_whole(cls._save_model)))
        cls._load_model = _recovered(cls._load_model)
        cls.on_train_end = _by_rank_0(cls.on_train_end)
    checkpoints = sys.modules.get("keras.src.callbacks.model_checkpoint")
    if checkpoints is not None and not hasattr(checkpoints, "_tapeflow_ranks"):
        checkpoints._tapeflow_ranks = True  # type: ignore[attr-defined]
        cls = checkpoints.ModelCheckpoint
        cls._save_model = _with_whole_slots(_by_rank_0(cls._save_model))


def _teach_optimizers() -> None:
    module = sys.modules.get("keras.src.backend.tensorflow.optimizer")
    if module is None or hasattr(module, "_tapeflow_ranks"):
        return
    module._tapeflow_ranks = True  # type: ignore[attr-defined]
    cls = module.TFOptimizer
    reduce = cls._all_reduce_sum_gradients

    def clip(self: Any, grads: list) -> list:
        context = get_replica_context()
        clips = self.clipnorm or self.global_clipnorm or self.clipvalue
        if not clips or context is None or context.strategy._group is None:
            return super(cls, self)._clip_gradients(grads)
        there = [i for i, g in enumerate(grads) if g is not None]
        grads = list(grads)
        for i, g in zip(there, context.all_reduce("SUM", [grads[i] for i in there])):
            grads[i] = g
        self._reduced_gradients = True
        return super(cls, self)._clip_gradients(grads)

    def reduced_once(self: Any, grads_and_vars: Any) -> Any:
        if self.__dict__.pop("_reduced_gradients", False):
            return list(grads_and_vars)
        return reduce(self, grads_and_vars)

    cls._clip_gradients, cls._all_reduce_sum_gradients = clip, reduced_once


def _group(callback: Any) -> Any:
    strategy = getattr(callback.model, "distribute_strategy", None)
    return getattr(strategy, "_group", None)


def _by_rank_0(method: Any) -> Any:
    """The method on rank 0 alone; the others wait until it is done."""
    @functools.wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        group = _group(self)
        result = method(self, *args, **kwargs) if group is None or group.rank == 0 else None
        if group is not None:
            exchange.barrier(group, f"{type(self).__name__}.{method.__name__}")
        return result

    return called


def _with_whole_slots(save: Any) -> Any:
    """Save with the slots of a sharded optimizer that all ranks have brought together."""
    @functools.wraps(save)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        group = _group(self)
        shards = getattr(getattr(self.model, "optimizer", None), "_shards", None)
        if group is None or shards is None:
            return save(self, *args, **kwargs)
        with shards.collected(group.rank == 0):
            return save(self, *args, **kwargs)

    return called


def _whole(save: Any) -> Any:
    """Save into another folder, and exchange the folders."""
    @functools.wraps(save)
    def called(self: Any, *args: Any, **kwargs: Any) -> None:
        if _group(self) is None:
            save(self, *args, **kwargs)
            return
        folder, names = self.backup_dir, ("_weights_path", "_training_metadata_path")
        before = {name: getattr(self, name) for name in names}
        new, old = f"{folder}.new", f"{folder}.old"
        shutil.rmtree(new, ignore_errors=True)
        try:
            self.backup_dir = new
            for name in names:
                setattr(self, name, os.path.join(new, os.path.basename(before[name])))
            save(self, *args, **kwargs)
        finally:
            self.backup_dir = folder
            for name in names:
                setattr(self, name, before[name])
        shutil.rmtree(old, ignore_errors=True)
        if os.path.exists(folder):
            os.replace(folder, old)
        os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)

    return called


def _recovered(load: Any) -> Any:
    """Load what the folder holds; if a rank died while folders were exchanged, the old one."""
    @functools.wraps(load)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        group = _group(self)
        if group is not None:
            old = f"{self.backup_dir}.old"
            if group.rank == 0 and os.path.exists(old) and not os.path.exists(self.backup_dir):
                os.replace(old, self.backup_dir)
            exchange.barrier(group, "BackupAndRestore: restoring")
        return load(self, *args, **kwargs)

    return called
