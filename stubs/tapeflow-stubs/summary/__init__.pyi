# Written by tools/stubs.py (make stubs).
"""tf.summary"""

from contextlib import AbstractContextManager
from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike, TensorLike
from tapeflow.summary import experimental as experimental

def audio(
    name: str, data: TensorLike, sample_rate: Any, step: Any = None, max_outputs: IntLike = 3,
    encoding: str | None = None, description: str | None = None,
) -> Any:
    """Write sounds, a batch [count, frames, channels] with values in [-1, 1], as WAV files."""

def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None,
    name: str | None = None, experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> tf.summary.SummaryWriter:
    """A writer of an event file in the folder `logdir`."""

def create_noop_writer() -> tf.summary.SummaryWriter:
    """A writer that writes nothing."""

def flush(
    writer: tf.summary.SummaryWriter | None = None, name: str | None = None,
) -> None:
    """Write out what a writer, or the default one, has queued."""

def graph(graph_data: Any) -> Any:
    """Write a graph: `f.get_concrete_function(…).graph`, or a GraphDef."""

def histogram(
    name: str, data: TensorLike, step: Any = None, buckets: IntLike | None = None,
    description: str | None = None,
) -> Any:
    """Write how the elements of a tensor are spread over `buckets` (30) intervals."""

def image(
    name: str, data: TensorLike, step: Any = None, max_outputs: IntLike = 3,
    description: str | None = None,
) -> Any:
    """Write images, a batch [count, height, width, channels] of which `max_outputs` are …"""

def record_if(condition: TensorLike) -> AbstractContextManager[None]:
    """Write summaries inside only if `condition`, a bool, a tensor or a function of one, …"""

def scalar(
    name: str, data: TensorLike, step: Any = None, description: str | None = None,
) -> Any:
    """Write a scalar."""

def should_record_summaries() -> Any:
    """Whether a summary would be written now: a boolean tensor."""

class SummaryWriter:
    """Where summaries go; made by `tf.summary.create_file_writer`."""
    def set_as_default(self, step: Any = None) -> None:
        """Make this the writer of the thread from now on."""
    def as_default(self, step: Any = None) -> Any:
        """`with writer.as_default():` makes this the writer of the thread for a while."""
    def init(self) -> Any:
        """Writers are ready when they are made; in a tf.Graph, an operation that does nothing."""
    def flush(self) -> Any:
        """Write out what is queued; in a tf.Graph, the operation that does so."""
    def close(self) -> Any:
        """Write out what is queued and close; in a tf.Graph, the operation that does so."""

def text(
    name: str, data: TensorLike, step: Any = None, description: str | None = None,
) -> Any:
    """Write text, a string tensor of any shape; TensorBoard reads Markdown."""

def trace_export(
    name: str, step: Any = None, profiler_outdir: str | None = None,
) -> None:
    """Write the graphs that were kept since `trace_on` as one summary, and stop keeping …"""

def trace_off() -> None:
    """Stop keeping graphs and forget those kept."""

def trace_on(
    graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None,
) -> None:
    """Keep the graphs of the functions that are traced from now on, for `trace_export`."""

def write(
    tag: str, tensor: TensorLike, step: Any = None, metadata: Any = None,
    name: str | None = None,
) -> Any:
    """Write a tensor, or what a function returns, to the default writer; whether it was …"""
