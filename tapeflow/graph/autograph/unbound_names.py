"""Names that have no value on the way taken, or only if a loop has run.

Converted code reads names through `load`, so a missing value is an error only where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base.exception_origin import unsignalled
from tapeflow.ops.control import control_flow

# What a function returns, and whether it has returned, while its returns are gathered.
RESULT, RETURNED = "__ag_result", "__ag_returned"


class Missing:
    """Stands for a name that has no value."""

    __slots__ = ("name", "reason")

    def __init__(self, name: str, reason: str = ""):
        self.name, self.reason = name, reason


class Unsure:
    """A value that a loop gave its name; it is there only if the loop has run at all.

    asked: whether somebody has read the name.
    """

    __slots__ = ("asked", "name", "ran", "value")

    def __init__(self, name: str, value: Any, ran: Any):
        self.name, self.value, self.ran, self.asked = name, value, ran, False


def present(value: Any) -> bool:
    return type(value) is not Missing and type(value) is not Unsure


def load(value: Any) -> Any:
    """A name is read: it must have a value."""
    if type(value) is Missing:
        if value.reason:
            raise ValueError(value.reason)
        raise UnboundLocalError(f"local variable '{value.name}' is used before it is assigned.")
    if type(value) is Unsure:
        value.asked = True
        control_flow.Assert(value.ran, [
            f"loop must iterate at least once to initialize '{value.name}'"])
        return value.value
    return value


def returned(value: Any, done: Any = True) -> Any:
    """The value of a function whose returns were gathered.

    `done` tells whether one was reached, if the function does not end in a return statement.
    """
    if type(value) is Missing:
        if value.reason:
            raise ValueError(value.reason)
        return None
    if done is not True and done is not False:
        raise ValueError("A tensor decides whether a value is returned, and nothing is returned if "
                         "not: end the function with a return statement.")
    return value


def surely_returned(value: Any, done: Any) -> None:
    """A tensor must not decide whether a value is returned or None."""
    if done is not True and done is not False and present(value) and value is not None:
        raise ValueError("the else branch must also have a return statement.")


def peek(read: Callable, name: str) -> Any:
    """The value of an attribute or item that a block assigns, if it is there."""
    try:
        return read()
    except unsignalled(AttributeError, LookupError, NameError, TypeError):
        return Missing(name)
