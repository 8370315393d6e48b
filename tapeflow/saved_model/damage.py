"""What is wrong in a file is said by its own error."""

from __future__ import annotations

from typing import Any


class Damaged(ValueError):
    """The file says something that no saved model says."""


def pick(listed: Any, index: Any) -> Any:
    """The element at an index, which may be anything in a file."""
    if type(index) is not int or not 0 <= index < len(listed):
        raise Damaged(f"there is no number {index!r} among {len(listed)}")
    return listed[index]
