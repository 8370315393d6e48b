# Written by tools/stubs.py (make stubs).
"""tf.summary.experimental"""

from contextlib import AbstractContextManager
from typing import Any

from tapeflow._typing import TensorLike

def get_step() -> Any:
    """The step that summaries get when none is given."""

def set_step(step: Any) -> None:
    """Set the step that summaries get when none is given; a variable is read at each."""

def summary_scope(
    name: str, default_name: str = 'summary', values: TensorLike | None = None,
) -> AbstractContextManager[tuple[str, str]]:
    """The tag of a summary, with the scopes that it stands in, and a scope of its name."""

def write_raw_pb(tensor: TensorLike, step: Any = None, name: str | None = None) -> Any:
    """Write serialized Summary messages to the default writer."""
