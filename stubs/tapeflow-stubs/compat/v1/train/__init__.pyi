# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.train"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow._typing import CheckpointReader, FieldDescriptor, FloatLike, IntLike, TensorLike
from tapeflow.io import write_graph as write_graph
from tapeflow.train import (
    BytesList as BytesList,
    CheckpointManager as CheckpointManager,
    CheckpointOptions as CheckpointOptions,
    checkpoints_iterator as checkpoints_iterator,
    ClusterDef as ClusterDef,
    ClusterSpec as ClusterSpec,
    Coordinator as Coordinator,
    Example as Example,
    ExponentialMovingAverage as ExponentialMovingAverage,
    Feature as Feature,
    FeatureList as FeatureList,
    FeatureLists as FeatureLists,
    Features as Features,
    FloatList as FloatList,
    get_checkpoint_state as get_checkpoint_state,
    Int64List as Int64List,
    JobDef as JobDef,
    latest_checkpoint as latest_checkpoint,
    list_variables as list_variables,
    load_checkpoint as load_checkpoint,
    load_variable as load_variable,
    SequenceExample as SequenceExample,
    ServerDef as ServerDef,
)

class AdagradOptimizer(tf.compat.v1.train.Optimizer):
    """a += g²; v -= learning_rate * g / √a"""
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: FloatLike = 0.1,
        use_locking: bool = False, name: str = 'Adagrad',
    ) -> None: ...

class AdamOptimizer(tf.compat.v1.train.Optimizer):
    """Adam, with the bias correction in the learning rate."""
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class Checkpoint(tf.train.Checkpoint):
    """A Checkpoint that can be told whose session has the values."""
    def __init__(self, **kwargs: Any) -> None: ...
    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Write the objects' values to exactly this prefix; returns it."""
    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Write to `file_prefix-N`, N counting up, and note it as the folder's latest."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: FloatLike = 0.0,
    name: str | None = None,
) -> Any:
    """Half a cosine from learning_rate to alpha * learning_rate."""

def cosine_decay_restarts(
    learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: FloatLike = 2.0,
    m_mul: FloatLike = 1.0, alpha: FloatLike = 0.0, name: str | None = None,
) -> Any:
    """Half cosines, each `t_mul` times as long and `m_mul` times as high as the one before."""

def create_global_step(graph: Any = None) -> Any:
    """A variable that counts steps."""

def exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:
    """learning_rate * decay_rate ** (step / decay_steps)"""

def export_meta_graph(
    filename: Any = None, meta_info_def: Any = None, graph_def: Any = None,
    saver_def: Any = None, collection_list: Any = None, graph: Any = None, **options: Any,
) -> Any:
    """The graph and its collections as a MetaGraphDef, also to a file."""

def get_global_step(graph: Any = None) -> Any:
    """The variable that counts steps, if there is one."""

def get_or_create_global_step(graph: Any = None) -> Any:
    """The variable that counts steps."""

def global_step(sess: Any, global_step_tensor: Any) -> int:
    """How many steps a session has run."""

class GradientDescentOptimizer(tf.compat.v1.train.Optimizer):
    """v -= learning_rate * g"""
    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = 'GradientDescent',
    ) -> None: ...

def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None,
    **kwargs: Any,
) -> tf.compat.v1.train.Saver | None:
    """Put a graph with its collections into the default graph; a Saver of its variables."""

def inverse_time_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:
    """learning_rate / (1 + decay_rate * step / decay_steps)"""

def linear_cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: FloatLike = 0.5,
    alpha: FloatLike = 0.0, beta: FloatLike = 0.001, name: str | None = None,
) -> Any:
    """A cosine that falls on a line from learning_rate to beta * learning_rate."""

class MomentumOptimizer(tf.compat.v1.train.Optimizer):
    """m = momentum * m + g; v -= learning_rate * m"""
    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = 'Momentum',
        use_nesterov: bool = False,
    ) -> None: ...

def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:
    """learning_rate * exp(-decay_rate * step / decay_steps)"""

def NewCheckpointReader(filepattern: Any) -> CheckpointReader:
    """A reader of a checkpoint's tensors."""

def noisy_linear_cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: FloatLike = 1.0,
    variance_decay: FloatLike = 0.55, num_periods: FloatLike = 0.5, alpha: FloatLike = 0.0,
    beta: FloatLike = 0.001, name: str | None = None,
) -> Any:
    """A linear cosine decay with noise on its line: the variance falls by a power of the …"""

class Optimizer:
    """What all optimizers share: gradients, slots, and the order of updates."""
    GATE_NONE: int
    GATE_OP: int
    GATE_GRAPH: int
    def __init__(self, use_locking: bool, name: str) -> None: ...
    def get_name(self) -> str: ...
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: IntLike = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        name: str | None = None, grad_loss: Any = None,
    ) -> Any:
        """Compute gradients, and apply them."""
    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: IntLike = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list:
        """Pairs of gradients and variables."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Any:
        """Change the variables, then count the step."""
    def get_slot(self, var: Any, name: str) -> Any:
        """The variable that is kept for another one, if there is one."""
    def get_slot_names(self) -> list[str]: ...
    def variables(self) -> list:
        """All that the optimizer keeps, by name."""

def piecewise_constant(
    x: TensorLike, boundaries: list, values: list, name: str | None = None,
) -> Any:
    """The value between the boundaries that `x` has reached."""

def polynomial_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any,
    end_learning_rate: FloatLike = 0.0001, power: FloatLike = 1.0, cycle: bool = False,
    name: str | None = None,
) -> Any:
    """From learning_rate to end_learning_rate, by a power of the part that is left."""

class RMSPropOptimizer(tf.compat.v1.train.Optimizer):
    """A running mean of g² scales the step."""
    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: FloatLike = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = 'RMSProp',
    ) -> None: ...

class Saver:
    """Saves and restores variables."""
    def __init__(
        self, var_list: Any = None, reshape: bool = False, sharded: bool = False,
        max_to_keep: IntLike | None = 5, keep_checkpoint_every_n_hours: FloatLike = 10000.0,
        name: str | None = None, restore_sequentially: bool = False, saver_def: Any = None,
        builder: Any = None, defer_build: bool = False, allow_empty: bool = False,
        write_version: Any = None, pad_step_number: bool = False, save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None: ...
    def build(self) -> None:
        """Decide which variables are saved."""
    def save(
        self, sess: Any, save_path: Any, global_step: Any = None,
        latest_filename: str | None = None, meta_graph_suffix: str = 'meta',
        write_meta_graph: bool = True, write_state: bool = True, strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str:
        """Write a checkpoint; its prefix."""
    def restore(self, sess: Any, save_path: Any) -> None:
        """Give the variables the values of a checkpoint; all, or none if one does not fit."""
    @property
    def last_checkpoints(self) -> list[str]: ...
    def set_last_checkpoints(self, last_checkpoints: Any) -> None:
        """Count these as its own, oldest first."""
    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Any) -> None:
        """Count these as its own: paths with times, oldest first."""
    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Count those of these that exist as its own."""
    def as_saver_def(self) -> Any: ...
    def to_proto(self) -> Any: ...
    def export_meta_graph(self, filename: Any = None, **options: Any) -> Any:
        """The graph and its collections as a MetaGraphDef, also to a file."""
    saver_def: Any

class SaverDef:
    """The message tensorflow.SaverDef."""
    filename_tensor_name: Any
    save_tensor_name: Any
    restore_op_name: Any
    max_to_keep: Any
    sharded: Any
    keep_checkpoint_every_n_hours: Any
    version: Any
    DESCRIPTOR: Any
    LEGACY: int
    V1: int
    V2: int
    def __init__(self, **values: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def SetInParent(self) -> None: ...
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
    def Clear(self) -> None:
        """Take all values away."""
    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
    def __eq__(self, other: object) -> bool: ...
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def SerializePartialToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
    def ByteSize(self) -> int:
        """The length of the message as bytes."""
    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""

class SessionRunArgs(NamedTuple):
    """What a hook adds to a run."""
    fetches: Any
    feed_dict: Any = None
    options: Any = None

class SessionRunContext:
    """A run that a hook is told of, and may ask to be the last."""
    def __init__(self, original_args: Any, session: Any) -> None: ...
    @property
    def original_args(self) -> Any:
        """The arguments of the run."""
    @property
    def session(self) -> Any:
        """The session that runs."""
    @property
    def stop_requested(self) -> bool:
        """Whether a hook asked for the end."""
    def request_stop(self) -> None:
        """Ask that no run follows."""

class SessionRunHook:
    """What a monitored session of TensorFlow 1 would call: before and after each run."""
    def begin(self) -> None:
        """Called once before the session is made."""
    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made."""
    def before_run(self, run_context: Any) -> Any:
        """Called before each run; may return SessionRunArgs to add to it."""
    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Called after each run."""
    def end(self, session: Any) -> None:
        """Called when the session ends."""

class SessionRunValues(NamedTuple):
    """What a run gave."""
    results: Any
    options: Any
    run_metadata: Any

def summary_iterator(path: Any) -> Iterator[Any]:
    """The events of an event file."""

piecewise_constant_decay = piecewise_constant
