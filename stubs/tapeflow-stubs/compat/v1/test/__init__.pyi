# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.test"""

from typing import Any

import tapeflow as tf
from tapeflow.mock import (
    ANY as _ANY,
    AsyncMock as _AsyncMock,
    call as _call,
    create_autospec as _create_autospec,
    DEFAULT as _DEFAULT,
    FILTER_DIR as _FILTER_DIR,
    MagicMock as _MagicMock,
    Mock as _Mock,
    mock_open as _mock_open,
    NonCallableMagicMock as _NonCallableMagicMock,
    NonCallableMock as _NonCallableMock,
    patch as _patch,
    PropertyMock as _PropertyMock,
    seal as _seal,
    sentinel as _sentinel,
)

def get_temp_dir() -> str:
    """A folder for the files of this run's tests, which is removed at its end."""

class _Mock:
    def __call__(self, **kwargs: Any) -> Any:
        """Call self as a function."""
    Mock = staticmethod(_Mock)
    MagicMock = staticmethod(_MagicMock)
    patch = staticmethod(_patch)
    sentinel = staticmethod(_sentinel)
    DEFAULT = staticmethod(_DEFAULT)
    ANY = staticmethod(_ANY)
    call = staticmethod(_call)
    create_autospec = staticmethod(_create_autospec)
    AsyncMock = staticmethod(_AsyncMock)
    FILTER_DIR = staticmethod(_FILTER_DIR)
    NonCallableMock = staticmethod(_NonCallableMock)
    NonCallableMagicMock = staticmethod(_NonCallableMagicMock)
    mock_open = staticmethod(_mock_open)
    PropertyMock = staticmethod(_PropertyMock)
    seal = staticmethod(_seal)

mock: _Mock

class StubOutForTesting:
    """Sets attributes of modules, classes and objects, and sets them back."""
    def __init__(self) -> None: ...
    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute until `UnsetAll`."""
    def UnsetAll(self) -> None:
        """Undo every `Set`, the last one first."""
    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replace an attribute where it is held: in the object, or in the class that has it."""
    def SmartUnsetAll(self) -> None:
        """Undo every `SmartSet`, the last one first."""
    def CleanUp(self) -> None:
        """Undo everything."""
    def __enter__(self) -> tf.compat.v1.test.StubOutForTesting: ...
    def __exit__(self, *exception: Any) -> None: ...
    stubs: Any
    cache: Any
