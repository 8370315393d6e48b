# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.summary"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike, TensorLike
from tapeflow.compat.v1 import (
    Event as Event,
    SessionLog as SessionLog,
    Summary as Summary,
    TaggedRunMetadata as TaggedRunMetadata,
)

def audio(
    name: str, tensor: TensorLike, sample_rate: Any, max_outputs: IntLike = 3,
    collections: Any = None, family: str | None = None,
) -> tf.Tensor:
    """The bytes of a Summary with sounds in [-1, 1], of which `max_outputs` are kept."""

class FileWriter:
    """Writes Summary and Event messages to an event file in a folder."""
    def __init__(
        self, logdir: Any, graph: Any = None, max_queue: IntLike = 10, flush_secs: FloatLike = 120,
        graph_def: Any = None, filename_suffix: Any = None, session: Any = None,
    ) -> None: ...
    def __enter__(self) -> tf.compat.v1.summary.FileWriter: ...
    def __exit__(self, *exc: Any) -> None: ...
    def get_logdir(self) -> str:
        """The folder of the event file."""
    def add_event(self, event: Any) -> None:
        """Write an Event, or its bytes."""
    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a Summary, or its bytes; what describes a tag is written once."""
    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Write a SessionLog."""
    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Write a tf.Graph, for TensorBoard's graph tab."""
    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Write a MetaGraphDef."""
    def add_run_metadata(
        self, run_metadata: Any, tag: str, global_step: Any = None,
    ) -> None:
        """Write what a run of a session told of itself, under a tag of its own."""
    def flush(self) -> None:
        """Write out what is queued."""
    def close(self) -> None:
        """Write out what is queued and close the file."""
    def reopen(self) -> None:
        """Go on in a new file, if this one is closed."""
    event_writer: Any

class FileWriterCache:
    """One FileWriter for each folder."""
    @staticmethod
    def get(logdir: Any) -> tf.compat.v1.summary.FileWriter:
        """The writer of a folder, made at its first use."""
    @staticmethod
    def clear() -> None:
        """Close the writers and forget them."""

def histogram(
    name: str, values: TensorLike, collections: Any = None, family: str | None = None,
) -> tf.Tensor:
    """The bytes of a Summary with a histogram, whose buckets get wider by a tenth each."""

def image(
    name: str, tensor: TensorLike, max_outputs: IntLike = 3, collections: Any = None,
    family: str | None = None,
) -> tf.Tensor:
    """The bytes of a Summary with pictures, of which `max_outputs` are kept."""

def merge(
    inputs: TensorLike, collections: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The bytes of one Summary with the values of several."""

def merge_all(
    key: Any = 'summaries', scope: str | None = None, name: str | None = None,
) -> Any:
    """The bytes of one Summary with all that are in a collection; None if there are none."""

def scalar(
    name: str, tensor: TensorLike, collections: Any = None, family: str | None = None,
) -> tf.Tensor:
    """The bytes of a Summary with a scalar."""

def tensor_summary(
    name: str, tensor: TensorLike, summary_description: str | None = None,
    collections: Any = None, summary_metadata: Any = None, family: str | None = None,
    display_name: str | None = None,
) -> tf.Tensor:
    """The bytes of a Summary with a tensor as it is."""

def text(name: str, tensor: TensorLike, collections: Any = None) -> tf.Tensor:
    """The bytes of a Summary with text, a tensor of strings."""
