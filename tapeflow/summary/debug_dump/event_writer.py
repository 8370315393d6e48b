"""The six files of a dump, and the writer that a program gets to flush them.

What is executed goes into rings that keep the latest events; they reach their files by
`FlushExecutionFiles` or `Close`. Everything else is written as it comes.
"""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from typing import Any

from tapeflow.base import errors
from tapeflow.base.late import LatePublic
from tapeflow.base.process.locks import new_lock
from tapeflow.io.paths import translated
from tapeflow.io.tfrecord import RecordWriter
from tapeflow.summary.debug_dump import debug_messages as messages

RING = 1000  # events that a ring keeps unless a program says otherwise
_version = LatePublic("version.VERSION")
_WRITTEN = ("metadata", "source_files", "stack_frames", "graphs")
_RINGS = ("execution", "graph_execution_traces")
_sets: dict[str, FileSet] = {}  # those that are open, by their folder


class FileSet:
    """The files of one folder; safe to use from several threads."""

    def __init__(self, folder: str, run: str, size: int):
        self._lock, self._size = new_lock(), size
        self._devices: dict[str, int] = {}
        with translated(folder):
            os.makedirs(folder, exist_ok=True)
        start = os.path.join(
            folder, f"tfdbg_events.{int(time.time()):010d}.{socket.gethostname()}.")
        self._files = {name: RecordWriter(start + name) for name in (*_WRITTEN, *_RINGS)}
        self._rings: dict[str, deque] = {
            name: deque(maxlen=size if size > 0 else None) for name in _RINGS}
        self.write("metadata", debug_metadata=messages.DebugMetadata(
            tensorflow_version=_version.get(), file_version="debug.Event:1",
            tfdbg_run_id=run))
        for one in self._files.values():
            one.flush()

    def write(self, name: str, **what: Any) -> None:
        """Add an event to one of the files."""
        data = messages.DebugEvent(wall_time=time.time(), **what).SerializeToString()
        with self._lock:
            if name in _RINGS and self._size > 0:
                self._rings[name].append(data)
            else:
                self._files[name].write(data)

    def device(self, name: str) -> int:
        """The number of a device, from 1 on."""
        with self._lock:
            known = self._devices.get(name)
            if known is None:
                self._devices[name] = len(self._devices) + 1
        if known is None:
            known = self._devices[name]
            self.write("graphs", debugged_device=messages.DebuggedDevice(
                device_name=name, device_id=known))
        return known

    def flush_written(self) -> None:
        with self._lock:
            for name in _WRITTEN:
                self._files[name].flush()

    def flush_executions(self) -> None:
        """Write what the rings hold, and empty them."""
        with self._lock:
            for name, ring in self._rings.items():
                for data in ring:
                    self._files[name].write(data)
                ring.clear()
                self._files[name].flush()

    def close(self) -> None:
        self.flush_executions()
        with self._lock:
            for one in self._files.values():
                one.close()


class DebugEventsWriter:
    """Writes the events of a debugger into a folder; those of one folder share their files."""

    def __init__(self, dump_root: str, tfdbg_run_id: str, circular_buffer_size: int = RING):
        if not dump_root:
            raise ValueError("Empty or None dump root")
        self._folder = dump_root
        if dump_root not in _sets:
            _sets[dump_root] = FileSet(dump_root, tfdbg_run_id, circular_buffer_size)

    @property
    def dump_root(self) -> str:
        return self._folder

    @property
    def _open(self) -> FileSet:
        if self._folder not in _sets:
            raise errors.FailedPreconditionError(
                None, None, "No DebugEventsWriter has been created at dump root: " + self._folder)
        return _sets[self._folder]

    def WriteSourceFile(self, source_file: Any) -> None:
        self._open.write("source_files", source_file=source_file)

    def WriteStackFrameWithId(self, stack_frame_with_id: Any) -> None:
        self._open.write("stack_frames", stack_frame_with_id=stack_frame_with_id)

    def WriteGraphOpCreation(self, graph_op_creation: Any) -> None:
        self._open.write("graphs", graph_op_creation=graph_op_creation)

    def WriteDebuggedGraph(self, debugged_graph: Any) -> None:
        self._open.write("graphs", debugged_graph=debugged_graph)

    def WriteExecution(self, execution: Any) -> None:
        self._open.write("execution", execution=execution)

    def WriteGraphExecutionTrace(self, graph_execution_trace: Any) -> None:
        self._open.write("graph_execution_traces", graph_execution_trace=graph_execution_trace)

    def RegisterDeviceAndGetId(self, device_name: str) -> int:
        """The number of a device; a device that is new is written down."""
        return self._open.device(device_name)

    def FlushNonExecutionFiles(self) -> None:
        """Hand graphs, source files and stack frames to the operating system."""
        self._open.flush_written()

    def FlushExecutionFiles(self) -> None:
        """Write what was executed since the last time, as far as the rings hold it."""
        self._open.flush_executions()

    def Close(self) -> None:
        """Write everything out and close the files."""
        self._open.close()
        del _sets[self._folder]
