"""Notes on nodes of syntax trees, by key."""

from __future__ import annotations

import enum
from typing import Any

_FIELD = "___notes"


class Basic(enum.Enum):
    """Notes that stay true wherever a node is put."""

    QN = "qualified name"
    SKIP_PROCESSING = "not to be converted"
    INDENT_BLOCK_REMAINDER = "what follows is indented"
    ORIGIN = "where the node comes from"
    DIRECTIVES = "directives of the user"
    EXTRA_LOOP_TEST = "another condition of a loop"


class Static(enum.Enum):
    """Notes that an analysis of a whole function makes."""

    IS_PARAM = "a parameter"
    SCOPE = "names that a statement uses"
    ARGS_SCOPE = "names that arguments use"
    COND_SCOPE = "names that a condition uses"
    BODY_SCOPE = "names that a body uses"
    ORELSE_SCOPE = "names that an else uses"
    ITERATE_SCOPE = "names that an iteration uses"


def keys(node: Any) -> set:
    """The keys of a node's notes."""
    return set(getattr(node, _FIELD, ()))


def getanno(node: Any, key: Any, default: Any = KeyError) -> Any:
    """A note of a node; if there is none, the default if one is given."""
    notes = getattr(node, _FIELD, {})
    if key not in notes and default is KeyError:
        raise KeyError(key)
    return notes.get(key, default)


def hasanno(node: Any, key: Any) -> bool:
    """Whether a node has a note."""
    return key in getattr(node, _FIELD, ())


def setanno(node: Any, key: Any, value: Any) -> None:
    """Put a note on a node."""
    if not hasattr(node, _FIELD):
        setattr(node, _FIELD, {})
    getattr(node, _FIELD)[key] = value


def delanno(node: Any, key: Any) -> None:
    """Take a note from a node."""
    del getattr(node, _FIELD)[key]


def copyanno(from_node: Any, to_node: Any, key: Any) -> None:
    """Copy a note, if there is one."""
    if hasanno(from_node, key):
        setanno(to_node, key, getanno(from_node, key))
