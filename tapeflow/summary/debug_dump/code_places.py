"""The user's frames that led to an op, and the text of their files, each written once."""

from __future__ import annotations

import os
import socket
import sys
import uuid
from types import FrameType
from typing import Any

from tapeflow.graph.tracing.user_position import FROM_CODE
from tapeflow.summary.debug_dump import debug_messages as messages

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
HOST = socket.gethostname()


def is_own(frame: FrameType) -> bool:
    """Whether a frame is tapeflow's, of which nothing is written."""
    return frame.f_code.co_filename.startswith(_PACKAGE)


def replayed_node() -> Any:
    """The node that is being called on its own, if the innermost user's frame is outside of it."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame):
        if frame.f_code.co_name == "replay_node":
            return frame.f_locals["node"]
        frame = frame.f_back
    return None


class CodePlaces:
    """What is known of the program's text. Not for several threads at once."""

    def __init__(self, writer: Any):
        self._writer = writer
        self._files: dict[str, int] = {}
        self._frames: dict[tuple[str, int, str], str] = {}

    def location(self) -> Any:
        """A CodeLocation of the frames that are active, outermost first."""
        found: list[str] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if not is_own(frame):
                code = frame.f_code
                found.append(self._frame(os.path.abspath(code.co_filename), frame.f_lineno,
                                         FROM_CODE.get(code, code.co_name)))
            frame = frame.f_back
        return messages.CodeLocation(host_name=HOST, stack_frame_ids=found[::-1])

    def _frame(self, path: str, line: int, function: str) -> str:
        key = (path, line, function)
        if key not in self._frames:
            name = str(uuid.uuid4())
            place = messages.FileLineCol(file_index=self._file(path), line=line, func=function)
            self._writer().WriteStackFrameWithId(
                messages.StackFrameWithId(id=name, file_line_col=place))
            self._frames[key] = name
        return self._frames[key]

    def _file(self, path: str) -> int:
        if path not in self._files:
            self._files[path] = len(self._files)
            self._writer().WriteSourceFile(messages.SourceFile(
                file_path=path, host_name=HOST, lines=_lines(path)))
        return self._files[path]


def _lines(path: str) -> list[str]:
    """The lines of a file of Python; none of what is no such file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read().split("\n") if path.endswith(".py") else []
    except (OSError, UnicodeDecodeError):
        return []
