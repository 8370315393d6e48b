# Written by tools/stubs.py (make stubs).
"""tf.autograph.experimental"""

import enum
from collections.abc import Callable
from typing import Any, overload

from tapeflow._typing import P, R

@overload
def do_not_convert(func: Callable[P, R]) -> Callable[P, R]: ...
@overload
def do_not_convert() -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: AutoGraph leaves the function as it is."""

class Feature(enum.Enum):
    """Parts of AutoGraph that a function may ask for; all are there."""
    @classmethod
    def all(cls) -> tuple:
        """All of them."""
    @classmethod
    def all_but(cls, exclude: Any) -> tuple:
        """All but some."""
    ALL = 'ALL'
    AUTO_CONTROL_DEPS = 'AUTO_CONTROL_DEPS'
    ASSERT_STATEMENTS = 'ASSERT_STATEMENTS'
    BUILTIN_FUNCTIONS = 'BUILTIN_FUNCTIONS'
    EQUALITY_OPERATORS = 'EQUALITY_OPERATORS'
    LISTS = 'LISTS'
    NAME_SCOPES = 'NAME_SCOPES'

def set_loop_options(*args: Any, **kwargs: Any) -> Any:
    """Options of the loop around it, such as shape invariants, when the function is …"""
