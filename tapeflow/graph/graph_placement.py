"""Methods of a tf.Graph about where its nodes run, and what libraries ask about its state.

There is one device: names of devices are checked, and choose nothing.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from tapeflow.core import scopes


class Placement:
    """Contexts of devices and containers, and the scope that is open."""

    def device(self, device_name_or_function: Any) -> Any:
        """`tf.device`; a function of an op is accepted too."""
        chosen = device_name_or_function
        return scopes.device(None if inspect.isfunction(chosen) else chosen)

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Accepted: there is one device."""
        yield

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Accepted: resources of graphs have no containers here."""
        yield container_name

    def get_name_scope(self) -> str:
        """The open scopes, as `a/b`."""
        return scopes.current_prefix().removesuffix("/")

    @property
    def collections(self) -> list:
        """The names of collections that hold something."""
        return self.get_all_collection_keys()  # type: ignore[attr-defined]

    def num_operations(self) -> int:
        return len(self.get_operations())  # type: ignore[attr-defined]
