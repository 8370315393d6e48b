"""`%load_ext tapeflow`: in notebooks, too, a cell that dies of a None gets the reason.

Tracebacks are shortened as `tapeflow run` shortens them.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.traceback_filter import shorten
from tapeflow.insight import notes


def load_ipython_extension(shell: Any) -> None:
    """Let the shell show errors with tapeflow's reasons."""
    shell.set_custom_exc((Exception,), show)


def unload_ipython_extension(shell: Any) -> None:
    """Let the shell show errors as it does by itself."""
    shell.set_custom_exc((), None)


def show(shell: Any, kind: type, error: Exception, traceback: Any, tb_offset: Any = None) -> None:
    """Show an error of a cell."""
    shorten(error)
    shell.showtraceback((kind, error, error.__traceback__ or traceback), tb_offset=tb_offset)
    note = notes.for_exception(error)
    if note:
        print(note)
