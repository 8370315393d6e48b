"""Event files and the writers of them: what is written where, and when it reaches the disk.

An event file is a record file (`io.records`) of Event messages, the first of which names the
version. Which writer is the default one, at which step, and whether anything is recorded at all
belongs to the thread.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.io.paths import text_of, translated
from tapeflow.io.protobuf import protos
from tapeflow.io.tfrecord import RecordWriter, read_records

_next_number = itertools.count().__next__
_open: weakref.WeakSet = weakref.WeakSet()


class EventFile:
    """A file of events; safe to use from several threads."""

    def __init__(self, logdir: str, max_queue: int, flush_millis: int, suffix: str):
        name = (f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}."
                f"{os.getpid()}.{_next_number()}{suffix}")
        with translated(logdir):
            os.makedirs(logdir, exist_ok=True)
        self._lock = new_lock()
        self._writer = RecordWriter(os.path.join(logdir, name))
        self._max_queue, self._flush_seconds = max_queue, flush_millis / 1000
        self._waiting, self._flushed = 0, time.time()
        first = protos.Event(wall_time=time.time(), file_version="brain.Event:2")
        first.source_metadata.writer = "tensorflow.core.util.events_writer"
        self.add(first)
        self.flush()
        _open.add(self)

    def add(self, event: Any) -> None:
        """Queue an event, a message or its bytes; full queues and old ones are written out."""
        data = event if isinstance(event, bytes) else event.SerializeToString()
        with self._lock:
            self._writer.write(data)
            self._waiting += 1
            if (self._waiting > self._max_queue
                    or time.time() - self._flushed >= self._flush_seconds):
                self._flush()

    def _flush(self) -> None:
        self._writer.flush()
        self._waiting, self._flushed = 0, time.time()

    def flush(self) -> None:
        """Write out what is queued."""
        with self._lock:
            self._flush()

    def close(self) -> None:
        """Write out what is queued and close the file."""
        with self._lock:
            self._writer.close()
        _open.discard(self)


@atexit.register
def _close_all() -> None:
    for one in list(_open):
        with contextlib.suppress(Exception):  # nobody is there to hear it
            one.close()


# -- what is the default in this thread ------------------------------------------------------------
class _Current(threading.local):
    writer: Any = None
    step: Any = None
    recording: Any = None  # None: whenever there is a writer


current = _Current()


@contextlib.contextmanager
def changed(**values: Any) -> Iterator[None]:
    """`with changed(step=3):` other defaults of this thread for a while."""
    before = {name: getattr(current, name) for name in values}
    for name, value in values.items():
        setattr(current, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(current, name, value)


# -- writers ---------------------------------------------------------------------------------------
@export("summary.SummaryWriter")
class SummaryWriter:
    """Where summaries go; made by `tf.summary.create_file_writer`."""

    def set_as_default(self, step: Any = None) -> None:
        """Make this the writer of the thread from now on."""
        raise NotImplementedError()

    def as_default(self, step: Any = None) -> Any:
        """`with writer.as_default():` makes this the writer of the thread for a while."""
        raise NotImplementedError()

    def init(self) -> Any:
        """Writers are ready when they are made; in a tf.Graph, an operation that does nothing."""
        graph = open_graph()
        return None if graph is None else graph.group([], "SummaryWriter")

    def flush(self) -> Any:
        """Write out what is queued; in a tf.Graph, the operation that does so."""
        raise NotImplementedError()

    def close(self) -> Any:
        """Write out what is queued and close; in a tf.Graph, the operation that does so."""
        raise NotImplementedError()


def _end_op(name: str, tf_name: str) -> Callable:
    """An op without results, in graphs and traced functions, that calls a method of a writer."""
    def kernel(writer: Any, wanted: str) -> tuple:
        getattr(writer, wanted)()
        return ()

    call = define(name, kernel=kernel, args=(), shape=lambda **attrs: (), multi=True, stateful=True,
                  vjp=NONDIFF("writing files has no derivative"), internal=True, tf_name=tf_name,
                  unsavable="it writes files")

    def make(writer: Any, wanted: str) -> Any:
        graph = open_graph()
        if graph is None:
            return call(writer=writer, wanted=wanted)
        return graph.effect_of(lambda: call(writer=writer, wanted=wanted))

    return make


_flush = _end_op("flush_summary_writer", "FlushSummaryWriter")
_close = _end_op("close_summary_writer", "CloseSummaryWriter")


class _ResourceSummaryWriter(SummaryWriter):
    """Writes an event file, which is made when it is first used."""

    def __init__(self, make: Callable[[], EventFile]):
        self._file: EventFile | None = make()
        self._closed = False

    def _check(self) -> None:
        if self._closed:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def set_as_default(self, step: Any = None) -> None:
        self.as_default(step).__enter__()

    @contextlib.contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        self._check()
        step = current.step if step is None else step
        with changed(writer=self, step=step):
            try:
                yield self
            finally:
                self._flush_now()

    def add(self, event: Any) -> bool:
        """Queue an event; False when the writer is closed."""
        if self._file is None:
            return False
        self._file.add(event)
        return True

    def flush(self) -> Any:
        return self._flush_now() if state.trace is None else _flush(self, "_flush_now")

    def close(self) -> Any:
        return self._close_now() if state.trace is None else _close(self, "_close_now")

    def _flush_now(self) -> None:
        if self._file is not None:
            self._file.flush()

    def _close_now(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            self._closed = True
            file.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            with contextlib.suppress(Exception):  # nobody is there to hear it
                self._close_now()


class _NoopSummaryWriter(SummaryWriter):
    """Writes nothing and changes nothing, not even which writer is the default."""

    def set_as_default(self, step: Any = None) -> None:
        """Nothing changes."""

    @contextlib.contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        yield self

    def flush(self) -> None:
        """Nothing is queued."""

    def close(self) -> None:
        """Nothing is open."""


for _class in (SummaryWriter, _ResourceSummaryWriter, _NoopSummaryWriter):
    _class.__module__ = "tensorflow.python.ops.summary_ops_v2"


@export("summary.create_file_writer")
def create_file_writer(logdir: Any, max_queue: Any = None, flush_millis: Any = None,
                       filename_suffix: Any = None, name: str | None = None,
                       experimental_trackable: bool = False,
                       experimental_mesh: Any = None) -> SummaryWriter:
    """A writer of an event file in the folder `logdir`.

    >>> with tf.summary.create_file_writer("/tmp/logs").as_default():
    ...     tf.summary.scalar("loss", 0.5, step=1)
    """
    from tapeflow.core.scopes import init_scope

    folder = text_of(logdir)
    suffix = ".v2" if filename_suffix is None else text_of(filename_suffix)
    queue = 10 if max_queue is None else int(max_queue)
    millis = 2 * 60 * 1000 if flush_millis is None else int(flush_millis)
    with init_scope():
        return _ResourceSummaryWriter(lambda: EventFile(folder, queue, millis, suffix))


@export("summary.create_noop_writer")
def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing."""
    return _NoopSummaryWriter()


@export("summary.flush")
def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Write out what a writer, or the default one, has queued."""
    wanted = current.writer if writer is None else writer
    if wanted is not None:
        wanted.flush()


@export("compat.v1.train.summary_iterator")
def summary_iterator(path: Any) -> Iterator[Any]:
    """The events of an event file."""
    for data in read_records(path):
        yield protos.Event.FromString(data)
