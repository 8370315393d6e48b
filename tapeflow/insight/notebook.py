"""`%load_ext tapeflow`: in notebooks, too, a cell that dies of a None gets the reason.

Tracebacks are shortened as `tapeflow run` shortens them. `%autoreload` renews what tf.function made
where other modules and cells have imported it, as it does with plain functions.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

from tapeflow.core.traceback_filter import shorten
from tapeflow.graph.functions.function import Function
from tapeflow.insight import notes


def load_ipython_extension(shell: Any) -> None:
    """Let the shell show errors with tapeflow's reasons."""
    shell.set_custom_exc((Exception,), show)
    with contextlib.suppress(ImportError, AttributeError):  # of IPython, whichever version that is
        rules = importlib.import_module("IPython.extensions.autoreload").UPDATE_RULES
        if _RULE not in rules:
            rules.append(_RULE)


def _are_functions(old: Any, new: Any) -> bool:
    return type(old) is Function and type(new) is Function


def _renew(old: Function, new: Function) -> None:
    """Let a function of a module that was reloaded be the new one, wherever it was imported."""
    old.__dict__.update(new.__dict__)


_RULE = (_are_functions, _renew)


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
