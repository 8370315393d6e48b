"""Base classes of session hooks, for libraries that derive from them; nothing here calls hooks."""

from __future__ import annotations

from typing import Any, NamedTuple

from tapeflow.base.exports import export


@export("compat.v1.train.SessionRunHook")
class SessionRunHook:
    """What a monitored session of TensorFlow 1 would call: before and after each run."""

    def begin(self) -> None:
        """Called once before the session is made."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made."""

    def before_run(self, run_context: Any) -> Any:
        """Called before each run; may return SessionRunArgs to add to it."""

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Called after each run."""

    def end(self, session: Any) -> None:
        """Called when the session ends."""


@export("compat.v1.train.SessionRunArgs")
class SessionRunArgs(NamedTuple):
    """What a hook adds to a run."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


@export("compat.v1.train.SessionRunValues")
class SessionRunValues(NamedTuple):
    """What a run gave."""

    results: Any
    options: Any
    run_metadata: Any


@export("compat.v1.train.SessionRunContext")
class SessionRunContext:
    """A run that a hook is told of, and may ask to be the last."""

    def __init__(self, original_args: Any, session: Any):
        self._original_args, self._session, self._stop = original_args, session, False

    @property
    def original_args(self) -> Any:
        """The arguments of the run."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that runs."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook asked for the end."""
        return self._stop

    def request_stop(self) -> None:
        """Ask that no run follows."""
        self._stop = True
