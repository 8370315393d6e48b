"""Exceptions of `tf.errors`, their numeric codes, and `invalid`, which words one for an op.

Imports nothing; any layer may import it. An op refuses its arguments at run time with
`InvalidArgumentError`; wrong Python types and wrong static shapes are TypeError and ValueError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class InaccessibleTensorError(ValueError):
    """A symbolic tensor was used outside the function that made it."""


class UnknownSize(ValueError):
    """A function needs a size that is not known while tracing; AutoGraph runs it later."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for its value: `if t:`, `for x in t:`, `bool(t)`."""


class OpError(Exception):
    """An op failed; the base of every exception that carries a code.

    `args` stays empty, as in TensorFlow: the text is in `message` and in `str(error)`. A dict as
    an extra argument becomes `experimental_payloads`.
    """

    _code: int

    def __init__(
        self, node_def: Any, op: Any, message: str | None, error_code: int, *args: Any
    ) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code
        payloads = args[0] if args and isinstance(args[0], dict) else {}
        self._experimental_payloads = dict(payloads)

    @property
    def message(self) -> str | None:
        return self._message

    @property
    def op(self) -> Any:
        """The node of the graph that failed; None in eager mode."""
        return self._op

    @property
    def node_def(self) -> Any:
        return self._node_def

    @property
    def error_code(self) -> int:
        return self._error_code

    @property
    def experimental_payloads(self) -> dict:
        return self._experimental_payloads

    def __str__(self) -> str:
        return str(self._message)

    def __reduce__(self) -> tuple:
        code = (self._error_code,) if type(self) is OpError else ()
        payloads = (self._experimental_payloads,) if self._experimental_payloads else ()
        # A graph node belongs to this process: only the words travel.
        return type(self), (None, None, self._message, *code, *payloads)


def _init_with_code(self: OpError, node_def: Any, op: Any, message: str | None, *args: Any) -> None:
    """What the subclasses of OpError share; not a class, to keep TensorFlow's inheritance."""
    OpError.__init__(self, node_def, op, message, self._code, *args)


class CancelledError(OpError):
    """The operation was cancelled, for example because its session was closed."""

    _code = CANCELLED
    __init__ = _init_with_code


class UnknownError(OpError):
    """An error of which nothing more is known, such as an exception in a Python callback."""

    _code = UNKNOWN
    __init__ = _init_with_code


class InvalidArgumentError(OpError):
    """An op got a value or a shape that it cannot work with."""

    asserted = False  # whether an assertion did not hold
    _code = INVALID_ARGUMENT
    __init__ = _init_with_code


class DeadlineExceededError(OpError):
    """The time allowed for the operation ran out."""

    _code = DEADLINE_EXCEEDED
    __init__ = _init_with_code


class NotFoundError(OpError):
    """A file, checkpoint key or other named thing does not exist."""

    _code = NOT_FOUND
    __init__ = _init_with_code


class AlreadyExistsError(OpError):
    """A file or resource that was to be created is already there."""

    _code = ALREADY_EXISTS
    __init__ = _init_with_code


class PermissionDeniedError(OpError):
    """The caller may not do this, for example read that file."""

    _code = PERMISSION_DENIED
    __init__ = _init_with_code


class UnauthenticatedError(OpError):
    """The request carries no valid credentials."""

    _code = UNAUTHENTICATED
    __init__ = _init_with_code


class ResourceExhaustedError(OpError):
    """Memory, disk space or a quota ran out."""

    _code = RESOURCE_EXHAUSTED
    __init__ = _init_with_code


class FailedPreconditionError(OpError):
    """The system is not in the state the operation needs: a variable without a value, say."""

    _code = FAILED_PRECONDITION
    __init__ = _init_with_code


class AbortedError(OpError):
    """The operation gave up, typically because of a concurrent one."""

    _code = ABORTED
    __init__ = _init_with_code


class OutOfRangeError(OpError):
    """Reading went past the end, such as of a file or a dataset."""

    _code = OUT_OF_RANGE
    __init__ = _init_with_code


class UnimplementedError(OpError):
    """The op does not support these arguments."""

    _code = UNIMPLEMENTED
    __init__ = _init_with_code


class InternalError(OpError):
    """An invariant of the library itself broke."""

    _code = INTERNAL
    __init__ = _init_with_code


class UnavailableError(OpError):
    """A runtime or service cannot be reached now; trying again may help."""

    _code = UNAVAILABLE
    __init__ = _init_with_code


class DataLossError(OpError):
    """Data is lost or corrupt, for example a truncated record file."""

    _code = DATA_LOSS
    __init__ = _init_with_code


def exhausted(op_name: str, message: str) -> ResourceExhaustedError:
    """The error to raise when the memory for a result cannot be had."""
    return ResourceExhaustedError(None, None, f"OOM when allocating tensor: {message} "
                                              f"[Op:{op_name}]")


def refusal(error: InvalidArgumentError) -> Exception:
    """What an op refuses while a graph is built is no failed run: wrong values, or wrong dtypes."""
    text = str(error.message)
    dtypes = "Value for attr" in text or "was expected to be a" in text
    return TypeError(text) if dtypes else ValueError(text)


# Whether ops of this thread go into a tf.Graph; set by `graph_mode`, for programs that have one.
builds_graph: Callable[[], bool] | None = None


def failed_assertion(message: str) -> InvalidArgumentError:
    """The error of an assertion that does not hold."""
    error = InvalidArgumentError(None, None, message)
    error.asserted = True
    return error


def invalid(op_name: str, message: str) -> Exception:
    """The error to raise when the arguments of an op are wrong.

    `op_name` is the name TensorFlow's runtime shows, such as "Mul" or "GatherV2".

    >>> print(invalid("Mul", "Incompatible shapes: [2] vs. [3]"))
    Incompatible shapes: [2] vs. [3] [Op:Mul]
    """
    error = InvalidArgumentError(None, None, f"{message} [Op:{op_name}]")
    error.asserted = op_name == "Assert"
    if error.asserted or builds_graph is None or not builds_graph():
        return error
    return refusal(error)
