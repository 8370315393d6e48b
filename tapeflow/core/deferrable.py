"""Public functions whose call a trace may defer until sizes are known: `@deferrable`, below
`@export`.

A function that multiplies, compares or counts sizes fails where a trace does not know them. The
call of a deferrable one then becomes a node that runs when they are known
(`graph/tracing/deferred_calls.py`).
AutoGraph does that for every call in converted code; this is for those that other code makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tapeflow.base.attributes import looking_like
from tapeflow.base.errors import UnknownSize
from tapeflow.core.state import state

# What Python raises when None is taken for a size, and what a function that says so raises.
UNKNOWN_SIZE_ERRORS = (TypeError, AttributeError, UnknownSize)

# What asking a symbolic tensor for its value raises.
UNKNOWN_VALUE_ERRORS = (*UNKNOWN_SIZE_ERRORS, NotImplementedError)

F = TypeVar("F", bound=Callable)


def deferrable(function: F) -> F:
    """`function`, for tensors of sizes that are not known yet too."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except UNKNOWN_VALUE_ERRORS as error:
            if state.trace is None:
                raise
            return state.trace.defer_call(function, args, kwargs, error)

    return looking_like(function, call)


def deferred(function: Callable, args: tuple, error: Exception) -> Any:
    """The call of a function that failed with `error`, when more is known; raises it if eager."""
    if state.trace is None:
        raise error
    return state.trace.defer_call(function, args, {}, error)
