"""What is wrong with an outcome: an internal error, or another outcome than TensorFlow's."""

from __future__ import annotations

from tests.file_fuzz.model_files import FORMATS

# Classes of exceptions that files may raise: TensorFlow's own, protobuf's, the operating system's.
ALLOWED = {"InvalidArgumentError", "DataLossError", "OutOfRangeError", "UnimplementedError",
           "NotFoundError", "FailedPreconditionError", "ResourceExhaustedError", "DecodeError",
           "InternalError", "OSError", "FileNotFoundError"}


# The errors of ops, which must be the same; TensorFlow's Python code raises others here and there.
_OPS = ALLOWED - {"OSError", "FileNotFoundError"}


def verdict(name: str, ours: list[str], theirs: list[str] | None) -> str | None:
    """None if the outcome is one that TensorFlow has, else what is wrong with it."""
    kind = ours[0]
    if kind in ("crash", "attempt"):
        return kind
    if name == "saved_model" and ours[1] in ("NotImplementedError", "TimeoutError"):
        return None  # an op that we lack; a loop runs as often as the file says
    if theirs is None and name in FORMATS:
        return None  # Keras reads them, and raises what Python's zip and JSON files raise
    if theirs is None or theirs[0] == "crash":
        return None if kind == "value" or ours[1] in ALLOWED else "internal error"
    if kind == "error":
        if ours[1] not in ALLOWED and ours[1] != theirs[1]:
            return "internal error"
        if theirs[0] == "value":
            return "refused"
        return None if ours[1] == theirs[1] or theirs[1] not in _OPS else "another error"
    if theirs[0] == "error":
        return "accepted"
    return None if ours[1] == theirs[1] else "another value"
