"""Reading the files of a dump, also while they grow: on from where the last reading ended."""

from __future__ import annotations

import glob
import os
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

from tapeflow.base import errors
from tapeflow.io.paths import text_of
from tapeflow.io.tfrecord import record_at
from tapeflow.summary.debug_dump import debug_messages as messages


class DebugEventWithOffset(NamedTuple):
    """An event, and where in its file it begins."""

    debug_event: Any
    offset: int


class _EventFile:
    """A file of events, of which `end` bytes were read in order."""

    def __init__(self, path: str):
        self._file = open(path, "rb")
        self._lock = threading.Lock()
        self.end = 0

    def event(self, offset: int) -> tuple[Any, int]:
        """The event at an offset, and where the next one begins; IndexError at the end."""
        with self._lock:
            self._file.seek(offset)
            record = record_at(self._file, offset)
        if record is None:
            raise IndexError("Out of range")
        return messages.DebugEvent.FromString(record), offset + len(record) + 16

    def more(self) -> Iterator[DebugEventWithOffset]:
        """What was written since the last time; an event that is not whole yet waits."""
        while True:
            start = self.end
            try:
                event, self.end = self.event(start)
            except (IndexError, errors.DataLossError):
                return
            yield DebugEventWithOffset(event, start)

    def close(self) -> None:
        self._file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


class DebugEventsReader:
    """The files of one dump; those of several hosts differ in what their graphs computed alone."""

    def __init__(self, dump_root: str):
        folder = text_of(dump_root)
        if not os.path.isdir(folder):
            raise ValueError(f"Specified dump_root is not a directory: {dump_root}")
        found = sorted(glob.glob(os.path.join(glob.escape(folder), "*.metadata")))
        if not found:
            raise ValueError(f"Cannot find any tfdbg metadata file in directory: {dump_root}")
        events = sorted([(_first_event(path), path) for path in found],
                        key=lambda pair: pair[0].wall_time)
        _check_one_run(folder, [event.debug_metadata.tfdbg_run_id for event, _ in events])
        self._first = events[0][0]
        starts = [path.removesuffix("metadata") for _, path in events]
        self._files: dict[str, _EventFile] = {}
        self._start = starts[0]
        self._traces = [start + "graph_execution_traces" for start in starts]

    # -- about the run -----------------------------------------------------------------------------
    def starting_wall_time(self) -> float:
        return self._first.wall_time

    def tfdbg_run_id(self) -> str:
        return self._first.debug_metadata.tfdbg_run_id

    def tensorflow_version(self) -> str:
        return self._first.debug_metadata.tensorflow_version

    def tfdbg_file_version(self) -> str:
        return self._first.debug_metadata.file_version

    # -- events ------------------------------------------------------------------------------------
    def _file(self, path: str) -> _EventFile:
        if path not in self._files:
            self._files[path] = _EventFile(path)
        return self._files[path]

    def source_files_iterator(self) -> Iterator[DebugEventWithOffset]:
        return self._file(self._start + "source_files").more()

    def stack_frames_iterator(self) -> Iterator[DebugEventWithOffset]:
        return self._file(self._start + "stack_frames").more()

    def graphs_iterator(self) -> Iterator[DebugEventWithOffset]:
        return self._file(self._start + "graphs").more()

    def execution_iterator(self) -> Iterator[DebugEventWithOffset]:
        return self._file(self._start + "execution").more()

    def graph_execution_traces_iterators(self) -> list[Iterator[DebugEventWithOffset]]:
        return [self._file(path).more() for path in self._traces]

    def read_source_files_event(self, offset: int) -> Any:
        return self._file(self._start + "source_files").event(offset)[0]

    def read_graphs_event(self, offset: int) -> Any:
        return self._file(self._start + "graphs").event(offset)[0]

    def read_execution_event(self, offset: int) -> Any:
        return self._file(self._start + "execution").event(offset)[0]

    def read_graph_execution_traces_event(self, locator: tuple[int, int]) -> Any:
        """The event at (number of a host's file, offset)."""
        return self._file(self._traces[locator[0]]).event(locator[1])[0]

    def close(self) -> None:
        for one in self._files.values():
            one.close()
        self._files.clear()

    def __enter__(self) -> DebugEventsReader:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()


def _first_event(path: str) -> Any:
    file = _EventFile(path)
    try:
        return file.event(0)[0]
    except (IndexError, errors.DataLossError) as error:
        raise errors.DataLossError(
            None, None, f"Error reading tfdbg metadata from paths {[path]}") from error
    finally:
        file.close()


def _check_one_run(folder: str, runs: list[str]) -> None:
    if len(set(runs)) > 1:
        raise ValueError(f"Unexpected: Found multiple ({len(set(runs))}) tfdbg2 runs in directory "
                         f"{folder}")
