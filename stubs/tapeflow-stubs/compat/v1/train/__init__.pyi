# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.train"""

from collections.abc import Iterator
from typing import Any

from tapeflow._typing import CheckpointReader
from tapeflow.train import (
    BytesList as BytesList,
    Checkpoint as Checkpoint,
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

def NewCheckpointReader(filepattern: Any) -> CheckpointReader:
    """A reader of a checkpoint's tensors."""

def summary_iterator(path: Any) -> Iterator[Any]:
    """The events of an event file."""
