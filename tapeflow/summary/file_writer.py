"""compat.v1.summary.FileWriter: events that a program of sessions makes and writes itself."""

from __future__ import annotations

import time
import warnings
from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.core.state import state
from tapeflow.io.paths import text_of
from tapeflow.io.protobuf import protos
from tapeflow.summary.writers import EventFile

_CLOSED = ("Attempting to use a closed FileWriter. The operation will be a noop unless the "
           "FileWriter is explicitly reopened.")


class _EventWriter:
    """The event file of a FileWriter; programs may put another object in its place."""

    def __init__(self, folder: str, *options: Any):
        self._folder, self._options = folder, options
        self._file: EventFile | None = EventFile(folder, *options)

    def get_logdir(self) -> str:
        return self._folder

    def add_event(self, event: Any) -> None:
        if self._file is not None:
            self._file.add(event)

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def reopen(self) -> None:
        if self._file is None:
            self._file = EventFile(self._folder, *self._options)


@export("compat.v1.summary.FileWriter")
class FileWriter:
    """Writes Summary and Event messages to an event file in a folder.

    >>> with tf.Graph().as_default(), tf.compat.v1.summary.FileWriter("/tmp/logs") as writer:
    ...     loss = tf.compat.v1.Summary.Value(tag="loss", simple_value=0.5)
    ...     writer.add_summary(tf.compat.v1.Summary(value=[loss]), global_step=1)
    """

    def __init__(self, logdir: Any, graph: Any = None, max_queue: int = 10,
                 flush_secs: float = 120, graph_def: Any = None, filename_suffix: Any = None,
                 session: Any = None):
        if state.trace is None:
            raise RuntimeError(
                "v1.summary.FileWriter is not compatible with eager execution. Use "
                "`tf.summary.create_file_writer`, or a `with v1.Graph().as_default():` context")
        suffix = "" if filename_suffix is None else text_of(filename_suffix)
        self.event_writer: Any = _EventWriter(
            text_of(logdir), int(max_queue), int(flush_secs * 1000), suffix)
        self._described: set[str] = set()  # tags whose metadata the file has
        self._runs: set[str] = set()  # tags of runs
        self._closed = False
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The folder of the event file."""
        return self.event_writer.get_logdir()

    def add_event(self, event: Any) -> None:
        """Write an Event, or its bytes."""
        if self._closed:
            warnings.warn(_CLOSED, stacklevel=2)
        else:
            self.event_writer.add_event(event)

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a Summary, or its bytes; what describes a tag is written once."""
        if isinstance(summary, bytes):
            summary = protos.Summary.FromString(summary)
        event = protos.Event()
        event.summary.CopyFrom(summary)
        for value in event.summary.value:
            if not value.HasField("metadata"):
                continue
            if value.tag in self._described:
                value.ClearField("metadata")
            else:
                self._described.add(value.tag)
        self._add(event, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Write a SessionLog."""
        event = protos.Event()
        event.session_log.CopyFrom(session_log)
        self._add(event, global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Write a tf.Graph, for TensorBoard's graph tab."""
        if graph_def is None:
            if not hasattr(graph, "as_graph_def"):
                raise TypeError("The passed graph must be an instance of `Graph` or the "
                                "deprecated `GraphDef`")
            graph_def = graph.as_graph_def(add_shapes=True)
        self._add(protos.Event(graph_def=graph_def.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Write a MetaGraphDef."""
        data = meta_graph_def.SerializeToString()
        self._add(protos.Event(meta_graph_def=data), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Write what a run of a session told of itself, under a tag of its own."""
        if tag in self._runs:
            raise ValueError("The provided tag was already used for this event type")
        self._runs.add(tag)
        event = protos.Event()
        event.tagged_run_metadata.tag = tag
        event.tagged_run_metadata.run_metadata = run_metadata.SerializeToString()
        self._add(event, global_step)

    def _add(self, event: Any, step: Any) -> None:
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def flush(self) -> None:
        """Write out what is queued."""
        if self._closed:
            warnings.warn(_CLOSED, stacklevel=2)
        else:
            self.event_writer.flush()

    def close(self) -> None:
        """Write out what is queued and close the file."""
        if not self._closed:
            self._closed = True
            self.event_writer.close()

    def reopen(self) -> None:
        """Go on in a new file, if this one is closed."""
        self._closed = False
        self.event_writer.reopen()


@export("compat.v1.summary.FileWriterCache")
class FileWriterCache:
    """One FileWriter for each folder."""

    _lock = new_lock()
    _cache: dict[str, FileWriter] = {}

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer of a folder, made at its first use."""
        folder = text_of(logdir)
        with FileWriterCache._lock:
            found = FileWriterCache._cache.get(folder)
            if found is None:
                found = FileWriterCache._cache[folder] = FileWriter(folder)
            return found

    @staticmethod
    def clear() -> None:
        """Close the writers and forget them."""
        with FileWriterCache._lock:
            for one in FileWriterCache._cache.values():
                one.close()
            FileWriterCache._cache.clear()
