"""Which line of the user's program is being run: `train.py:12`.

Frames of this library, of Keras and of Python's own machinery are passed over.
"""

from __future__ import annotations

import os
import sys
from types import FrameType

from tapeflow.base.frames.library_frames import is_library


def cell_of(path: str) -> str:
    """The cell of a notebook that a file stands for, "Cell In[3]"; "" if there is none."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    named = getattr(getattr(shell, "compile", None), "format_code_name", None)
    return " ".join((named(path) if named else None) or ())


def line_text(path: str, number: int) -> str:
    """A line as text: the file as seen from the working directory, if it is below that.

    Of a notebook: the cell, as its tracebacks call it.
    """
    cell = cell_of(path)
    if cell:
        return f"{cell}:{number}"
    near = os.path.relpath(path) if os.path.isabs(path) else path
    return f"{path if near.startswith(os.pardir) else near}:{number}"


def line_of_frame(frame: FrameType | None) -> str:
    """The user's line that a frame has been called from, or is itself."""
    while frame is not None:
        if not is_library(frame):
            return line_text(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return "an unknown line"


def user_line() -> str:
    """The user's line that has led here."""
    return line_of_frame(sys._getframe(1))
