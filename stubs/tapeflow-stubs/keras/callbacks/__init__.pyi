# Written by tools/stubs.py (make stubs).
"""tf.keras.callbacks"""

from typing import Any

import tapeflow as tf

class BackupAndRestore(tf.keras.callbacks.Callback):
    """Callback to back up and restore the training state."""
    def __init__(
        self, backup_dir: Any, save_freq: Any = 'epoch', double_checkpoint: Any = False,
        delete_checkpoint: Any = True,
    ) -> None: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    save_freq: Any
    double_checkpoint: Any
    delete_checkpoint: Any
    backup_dir: Any

class Callback:
    """Base class used to build new callbacks."""
    def __init__(self) -> None: ...
    def set_params(self, params: Any) -> Any: ...
    def set_model(self, model: Any) -> Any: ...
    @property
    def model(self) -> Any: ...
    def on_batch_begin(self, batch: Any, logs: Any = None) -> Any:
        """A backwards compatibility alias for `on_train_batch_begin`."""
    def on_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """A backwards compatibility alias for `on_train_batch_end`."""
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any:
        """Called at the start of an epoch."""
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any:
        """Called at the end of an epoch."""
    def on_train_batch_begin(self, batch: Any, logs: Any = None) -> Any:
        """Called at the beginning of a training batch in `fit` methods."""
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """Called at the end of a training batch in `fit` methods."""
    def on_test_batch_begin(self, batch: Any, logs: Any = None) -> Any:
        """Called at the beginning of a batch in `evaluate` methods."""
    def on_test_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """Called at the end of a batch in `evaluate` methods."""
    def on_predict_batch_begin(self, batch: Any, logs: Any = None) -> Any:
        """Called at the beginning of a batch in `predict` methods."""
    def on_predict_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """Called at the end of a batch in `predict` methods."""
    def on_train_begin(self, logs: Any = None) -> Any:
        """Called at the beginning of training."""
    def on_train_end(self, logs: Any = None) -> Any:
        """Called at the end of training."""
    def on_test_begin(self, logs: Any = None) -> Any:
        """Called at the beginning of evaluation or validation."""
    def on_test_end(self, logs: Any = None) -> Any:
        """Called at the end of evaluation or validation."""
    def on_predict_begin(self, logs: Any = None) -> Any:
        """Called at the beginning of prediction."""
    def on_predict_end(self, logs: Any = None) -> Any:
        """Called at the end of prediction."""
    params: Any

class CallbackList(tf.keras.callbacks.Callback):
    """Container abstracting a list of callbacks."""
    def __init__(
        self, callbacks: Any = None, add_history: Any = False, add_progbar: Any = False,
        model: Any = None, **params: Any,
    ) -> None:
        """Container for `Callback` instances."""
    def set_params(self, params: Any) -> Any: ...
    def set_model(self, model: Any) -> Any: ...
    def on_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_test_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_predict_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_test_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_predict_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    def on_test_begin(self, logs: Any = None) -> Any: ...
    def on_test_end(self, logs: Any = None) -> Any: ...
    def on_predict_begin(self, logs: Any = None) -> Any: ...
    def on_predict_end(self, logs: Any = None) -> Any: ...
    callbacks: Any
    params: Any

class CSVLogger(tf.keras.callbacks.Callback):
    """Callback that streams epoch results to a CSV file."""
    def __init__(self, filename: Any, separator: Any = ',', append: Any = False) -> None: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    sep: Any
    filename: Any
    append: Any
    writer: Any
    keys: Any
    append_header: Any
    csv_file: Any

class EarlyStopping(tf.keras.callbacks.Callback):
    """Stop training when a monitored metric has stopped improving."""
    def __init__(
        self, monitor: Any = 'val_loss', min_delta: Any = 0, patience: Any = 0, verbose: Any = 0,
        mode: Any = 'auto', baseline: Any = None, restore_best_weights: Any = False,
        start_from_epoch: Any = 0,
    ) -> None: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    def get_monitor_value(self, logs: Any) -> Any: ...
    patience: Any
    verbose: Any
    baseline: Any
    wait: Any
    stopped_epoch: Any
    restore_best_weights: Any
    best_weights: Any
    start_from_epoch: Any
    best: Any
    best_epoch: Any
    monitor: Any
    mode: Any
    min_delta: Any
    monitor_op: Any

class History(tf.keras.callbacks.Callback):
    """Callback that records events into a `History` object."""
    def __init__(self) -> None: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    history: Any
    epoch: Any

class LambdaCallback(tf.keras.callbacks.Callback):
    """Callback for creating simple, custom callbacks on-the-fly."""
    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_train_begin: Any = None,
        on_train_end: Any = None, on_train_batch_begin: Any = None, on_train_batch_end: Any = None,
        **kwargs: Any,
    ) -> None: ...
    on_epoch_begin: Any
    on_epoch_end: Any
    on_train_begin: Any
    on_train_end: Any
    on_train_batch_begin: Any
    on_train_batch_end: Any

class LearningRateScheduler(tf.keras.callbacks.Callback):
    """Learning rate scheduler."""
    def __init__(self, schedule: Any, verbose: Any = 0) -> None: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    schedule: Any
    verbose: Any

class ModelCheckpoint(tf.keras.callbacks.Callback):
    """Callback to save the Keras model or model weights at some frequency."""
    def __init__(
        self, filepath: Any, monitor: Any = 'val_loss', verbose: Any = 0,
        save_best_only: Any = False, save_weights_only: Any = False, mode: Any = 'auto',
        save_freq: Any = 'epoch', initial_value_threshold: Any = None,
    ) -> None: ...
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    verbose: Any
    filepath: Any
    save_best_only: Any
    save_weights_only: Any
    save_freq: Any
    best: Any
    monitor: Any
    mode: Any
    min_delta: Any
    monitor_op: Any

class OrbaxCheckpoint(tf.keras.callbacks.Callback):
    """Callback to save and load model state using Orbax with a similar API to"""
    def __init__(
        self, directory: Any, monitor: Any = 'val_loss', verbose: Any = 0,
        save_best_only: Any = False, mode: Any = 'auto', save_freq: Any = 'epoch',
        initial_value_threshold: Any = None, max_to_keep: Any = 1, save_on_background: Any = True,
        save_weights_only: Any = False,
    ) -> None: ...
    def set_model(self, model: Any) -> Any: ...
    def is_multihost_enabled(self) -> Any:
        """Return True if multi-host checkpointing is enabled and initialized."""
    def is_primary_host(self) -> Any:
        """Return True if this process is the primary host in multi-host setup."""
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    def wait_until_finished(self) -> Any:
        """Wait for any in-progress checkpoint operations to complete."""
    directory: Any
    verbose: Any
    save_best_only: Any
    save_freq: Any
    max_to_keep: Any
    save_on_background: Any
    save_weights_only: Any
    checkpointer: Any
    best: Any
    monitor: Any
    mode: Any
    min_delta: Any
    monitor_op: Any

class ProgbarLogger(tf.keras.callbacks.Callback):
    """Callback that prints metrics to stdout."""
    def __init__(self) -> None: ...
    def set_params(self, params: Any) -> Any: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_test_begin(self, logs: Any = None) -> Any: ...
    def on_predict_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_test_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_predict_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_test_end(self, logs: Any = None) -> Any: ...
    def on_predict_end(self, logs: Any = None) -> Any: ...
    seen: Any
    progbar: Any
    target: Any
    verbose: Any
    epochs: Any

class ReduceLROnPlateau(tf.keras.callbacks.Callback):
    """Reduce learning rate when a metric has stopped improving."""
    def __init__(
        self, monitor: Any = 'val_loss', factor: Any = 0.1, patience: Any = 10, verbose: Any = 0,
        mode: Any = 'auto', min_delta: Any = 0.0001, cooldown: Any = 0, min_lr: Any = 0.0,
        **kwargs: Any,
    ) -> None: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def in_cooldown(self) -> Any: ...
    factor: Any
    min_lr: Any
    patience: Any
    verbose: Any
    cooldown: Any
    cooldown_counter: Any
    wait: Any
    best: Any
    monitor: Any
    mode: Any
    min_delta: Any
    monitor_op: Any

class RemoteMonitor(tf.keras.callbacks.Callback):
    """Callback used to stream events to a server."""
    def __init__(
        self, root: Any = 'http://localhost:9000', path: Any = '/publish/epoch/end/',
        field: Any = 'data', headers: Any = None, send_as_json: Any = False,
    ) -> None: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    root: Any
    path: Any
    field: Any
    headers: Any
    send_as_json: Any

class SwapEMAWeights(tf.keras.callbacks.Callback):
    """Swaps model weights and EMA weights before and after evaluation."""
    def __init__(self, swap_on_epoch: Any = False) -> None: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_test_begin(self, logs: Any = None) -> Any: ...
    def on_test_end(self, logs: Any = None) -> Any: ...
    def on_predict_begin(self, logs: Any = None) -> Any: ...
    def on_predict_end(self, logs: Any = None) -> Any: ...
    swap_on_epoch: Any

class TensorBoard(tf.keras.callbacks.Callback):
    """Enable visualizations for TensorBoard."""
    def __init__(
        self, log_dir: Any = 'logs', histogram_freq: Any = 0, write_graph: Any = True,
        write_images: Any = False, write_steps_per_second: Any = False, update_freq: Any = 'epoch',
        profile_batch: Any = 0, embeddings_freq: Any = 0, embeddings_metadata: Any = None,
    ) -> None: ...
    def set_model(self, model: Any) -> Any:
        """Sets Keras model and writes graph if specified."""
    @property
    def summary(self) -> Any: ...
    def on_train_begin(self, logs: Any = None) -> Any: ...
    def on_train_end(self, logs: Any = None) -> Any: ...
    def on_test_begin(self, logs: Any = None) -> Any: ...
    def on_test_end(self, logs: Any = None) -> Any: ...
    def on_train_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_train_batch_end(self, batch: Any, logs: Any = None) -> Any: ...
    def on_test_batch_begin(self, batch: Any, logs: Any = None) -> Any: ...
    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> Any: ...
    def on_epoch_end(self, epoch: Any, logs: Any = None) -> Any:
        """Runs metrics and histogram summaries at epoch end."""
    log_dir: Any
    histogram_freq: Any
    write_graph: Any
    write_images: Any
    write_steps_per_second: Any
    update_freq: Any
    embeddings_freq: Any
    embeddings_metadata: Any

class TerminateOnNaN(tf.keras.callbacks.Callback):
    """Callback that terminates training when a NaN loss is encountered."""
    def __init__(self, raise_error: Any = False) -> None: ...
    def on_batch_end(self, batch: Any, logs: Any = None) -> Any:
        """Check for NaN/Inf loss at the end of each batch."""
    raise_error: Any
