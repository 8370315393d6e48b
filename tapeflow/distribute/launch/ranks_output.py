"""What ranks print, without mixing it within a line.

A rank writes whole lines, each in one piece. Rank 0 alone may write parts of lines, as a progress
bar does. The lines of other ranks carry a mark, by which the launcher knows them: it shows them
when rank 0 is not in the middle of a line.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import Any

from tapeflow.distribute.mpi import job

MARK = b"\x1e"  # before a line of a rank other than 0, where the launcher reads
PATIENT = 1 << 20  # bytes of other ranks that wait for the end of rank 0's line


class WholeLines:
    """A text stream that passes on whole lines; of a line drawn again and again, the last state."""

    def __init__(self, stream: Any, mark: bytes):
        self._stream, self._mark = stream, mark
        self._rest = ""
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        with self._lock:
            *lines, self._rest = (self._rest + text).split("\n")
            if lines:
                self._put(lines)
        return len(text)

    def _put(self, lines: list[str]) -> None:
        encoding = self._stream.encoding or "utf-8"
        data = b"".join([self._mark + line.rpartition("\r")[2].lstrip("\b").encode(
            encoding, "replace") + b"\n" for line in lines])
        self._stream.flush()
        descriptor = self._stream.fileno()
        while data:
            data = data[os.write(descriptor, data):]

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Parts of lines wait for their ends."""

    def finish(self) -> None:
        """At the end of the process a part of a line is passed on as one."""
        with self._lock:
            if self._rest:
                self._put([self._rest])
                self._rest = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Interactive:
    """Rank 0's output below a launcher on a terminal: a terminal to the program."""

    def __init__(self, stream: Any):
        self._stream = stream

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def prepare(rank: int) -> None:
    """Let this rank print whole lines."""
    import atexit

    if rank == 0:
        if job.variable(job.INTERACTIVE):
            sys.stdout = Interactive(sys.stdout)
        elif isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)
        return
    mark = MARK if job.variable(job.HUB) else b""
    for name, own in (("stdout", mark), ("stderr", b"")):
        lines = WholeLines(getattr(sys, name), own)
        setattr(sys, name, lines)
        atexit.register(lines.finish)


class Merger:
    """In the launcher: rank 0's output as it comes, others' lines between its lines."""

    def __init__(self, descriptor: int = 1):
        self._descriptor = descriptor
        self._rest = b""  # a marked line that has not arrived whole
        self._held: list[bytes] = []
        self._inside = False  # rank 0 is in the middle of a line
        self._lock = threading.Lock()

    def take(self, data: bytes) -> None:
        """Output of the ranks, as the launcher reads it."""
        with self._lock:
            data = self._rest + data
            self._rest = b""
            while data:
                before, mark, data = data.partition(MARK)
                if before:
                    self._write(before)
                    self._inside = not before.endswith(b"\n")
                if mark:
                    line, end, data = data.partition(b"\n")
                    if not end:
                        self._rest = MARK + line
                        break
                    self._held.append(line + b"\n")
                self._release()

    def _release(self) -> None:
        if self._held and (not self._inside or sum(map(len, self._held)) > PATIENT):
            self._write((b"\n" if self._inside else b"") + b"".join(self._held))
            self._held, self._inside = [], False

    def line(self, text: str) -> None:
        """A line of the launcher's own, on standard error."""
        with self._lock:
            if self._inside:
                self._write(b"\n")
                self._inside = False
            os.write(2, text.encode())

    def end(self) -> None:
        """Nothing more comes."""
        with self._lock:
            if self._inside and self._held:
                self._write(b"\n")
            self._write(b"".join(self._held) + self._rest.lstrip(MARK))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data):]
