# Written by tools/stubs.py (make stubs).
"""tf.errors"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike

ABORTED: int
ALREADY_EXISTS: int
CANCELLED: int
DATA_LOSS: int
DEADLINE_EXCEEDED: int
FAILED_PRECONDITION: int
INTERNAL: int
INVALID_ARGUMENT: int
NOT_FOUND: int
OK: int
OUT_OF_RANGE: int
PERMISSION_DENIED: int
RESOURCE_EXHAUSTED: int
UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int

class AbortedError(tf.errors.OpError):
    """The operation gave up, typically because of a concurrent one."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class AlreadyExistsError(tf.errors.OpError):
    """A file or resource that was to be created is already there."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class CancelledError(tf.errors.OpError):
    """The operation was cancelled, for example because its session was closed."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class DataLossError(tf.errors.OpError):
    """Data is lost or corrupt, for example a truncated record file."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class DeadlineExceededError(tf.errors.OpError):
    """The time allowed for the operation ran out."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class FailedPreconditionError(tf.errors.OpError):
    """The system is not in the state the operation needs: a variable without a value, say."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class InaccessibleTensorError(ValueError):
    """A symbolic tensor was used outside the function that made it."""

class InternalError(tf.errors.OpError):
    """An invariant of the library itself broke."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class InvalidArgumentError(tf.errors.OpError):
    """An op got a value or a shape that it cannot work with."""
    asserted: bool
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class NotFoundError(tf.errors.OpError):
    """A file, checkpoint key or other named thing does not exist."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for its value: `if t:`, `for x in t:`, `bool(t)`."""

class OpError(Exception):
    """An op failed; the base of every exception that carries a code."""
    def __init__(
        self, node_def: Any, op: Any, message: str | None, error_code: IntLike, *args: Any,
    ) -> None: ...
    @property
    def message(self) -> str: ...
    @property
    def op(self) -> Any:
        """The node of the graph that failed; None in eager mode."""
    @property
    def node_def(self) -> Any: ...
    @property
    def error_code(self) -> int: ...
    @property
    def experimental_payloads(self) -> dict: ...

class OutOfRangeError(tf.errors.OpError):
    """Reading went past the end, such as of a file or a dataset."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class PermissionDeniedError(tf.errors.OpError):
    """The caller may not do this, for example read that file."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class ResourceExhaustedError(tf.errors.OpError):
    """Memory, disk space or a quota ran out."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class UnauthenticatedError(tf.errors.OpError):
    """The request carries no valid credentials."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class UnavailableError(tf.errors.OpError):
    """A runtime or service cannot be reached now; trying again may help."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class UnimplementedError(tf.errors.OpError):
    """The op does not support these arguments."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class UnknownError(tf.errors.OpError):
    """An error of which nothing more is known, such as an exception in a Python callback."""
    def __init__(self, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
        """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""

class UnknownSize(ValueError):
    """A function needs a size that is not known while tracing; AutoGraph runs it later."""
