"""Errors from converted functions: their messages begin with the user's lines.

An error keeps its type, so that it is caught as before. Where the type cannot be made again with
another message, a StagingError that is also of that type takes its place, as in TensorFlow.
"""

from __future__ import annotations

import contextlib
import linecache
import threading
import types
from collections.abc import Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.graph.tracing.user_position import FROM_CODE

_PLAIN = frozenset({AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError,
                    StopIteration, TypeError, UnboundLocalError, ValueError,
                    errors.OperatorNotAllowedInGraphError, errors.InaccessibleTensorError})


class StagingError(Exception):
    """Python failed while a tf.function was traced."""


class _Key(KeyError):
    """A KeyError whose text may have several lines."""

    def __str__(self) -> str:
        return str(self.args[0])


_Key.__name__ = "KeyError"


def register(code: types.CodeType, name: str) -> None:
    """Remember that a code object, with all inside it, comes from a converted function."""
    FROM_CODE[code] = name
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            register(one, name if one.co_name.startswith(("__ag_", "<")) else one.co_name)


class _Active(threading.local):
    depth = 0


_active = _Active()


def active() -> bool:
    """Whether a converted function is being traced in this thread."""
    return _active.depth > 0


@contextlib.contextmanager
def user_code() -> Iterator[None]:
    """Errors inside get a message with the lines of the user's functions that led to them."""
    _active.depth += 1
    try:
        yield
    except unsignalled(Exception) as error:
        if isinstance(error, errors.InvalidArgumentError) and not error.asserted:
            error = errors.refusal(error).with_traceback(error.__traceback__)
        lines = [] if getattr(error, "_ag_reported", False) else _lines(error)
        made = _remade(error, "\n".join(lines)) if lines else None
        if made is None:
            raise error
        made._ag_reported = True  # type: ignore[attr-defined]
        if isinstance(made, errors.InvalidArgumentError):
            made.asserted = True
        raise made.with_traceback(error.__traceback__) from error.__cause__
    finally:
        _active.depth -= 1


def _lines(error: Exception) -> list[str]:
    lines: list[str] = []
    step = error.__traceback__
    last: Any = None
    while step is not None:
        code = step.tb_frame.f_code
        name = FROM_CODE.get(code)
        where = (code.co_filename, step.tb_lineno, name)
        if name is not None and where != last:
            # Blocks of one statement are functions inside the function: only the deepest counts.
            if last is not None and last[2] == name and code.co_name.startswith("__ag_"):
                del lines[-2:]
            shown = None if name == "<lambda>" else name
            lines.append(f'    File "{code.co_filename}", line {step.tb_lineno}, in {shown}  *')
            lines.append(f"        {linecache.getline(code.co_filename, step.tb_lineno).strip()}")
            last = where
        step = step.tb_next
    return lines


def _remade(error: Exception, lines: str) -> Exception | None:
    kind = type(error)
    words = str(error)
    text = (f"in user code:\n\n{lines}\n\n    {kind.__name__}: "
            + words.replace("\n", "\n    ") + "\n")
    if isinstance(error, errors.OpError):
        made: Exception = kind(error.node_def, error.op, text, error.experimental_payloads)
    elif kind.__init__ is Exception.__init__ or kind in _PLAIN:
        made = kind(text)
    elif kind is KeyError:
        made = _Key(text)
    else:
        try:
            both: Any = type("StagingError", (StagingError, kind), {
                "__init__": lambda self, message: Exception.__init__(self, message),
                "__str__": lambda self: Exception.__str__(self)})
            made = both(text)
        except unsignalled(TypeError):
            return None
    return made
