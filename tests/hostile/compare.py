"""What tapeflow made of calls, held against what TensorFlow made of them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
OUTCOMES = HERE / "outcomes.tsv"  # calls and what TensorFlow made of them
ACCEPTED = HERE / "accepted.tsv"  # calls that tapeflow accepts all the same

INTERNAL = frozenset(("AttributeError", "IndexError", "KeyError", "AssertionError", "NameError",
                      "UnboundLocalError", "RecursionError", "MemoryError", "OverflowError",
                      "ZeroDivisionError", "FloatingPointError", "error", "AxisError",
                      "SystemError",
                      "LinAlgError", "UFuncTypeError", "BufferError", "StopIteration",
                      "RuntimeWarning", "LookupError",
                      "_UFuncNoLoopError", "_UFuncBinaryResolutionError", "UnicodeEncodeError",
                      "_UFuncOutputCastingError", "UnicodeDecodeError", "_ArrayMemoryError"))
ALIKE = ({"ValueError", "InvalidArgumentError", "TypeError"},)
# What depends on memory, time or TensorFlow's own faults says nothing about arguments.
VOID = ("hang", "crash", "void", "raises ResourceExhaustedError", "raises SystemError",
        "raises InternalError", "raises NotFoundError", "raises UnimplementedError")
# What TensorFlow's kernels lack, and results that only its graphs cannot return.
LACKING = ("To be compatible with tf.function", "No OpKernel was registered")


def kind_of(outcome: str, message: str) -> str:
    """An outcome of TensorFlow's as it is recorded."""
    return "void" if any(words in message for words in LACKING) else outcome


def doubtful(ours: str) -> bool:
    """Whether an outcome of ours may be an internal error, a crash or a hang."""
    return verdict(ours, "value") in ("internal", "crash", "hang")


def verdict(ours: str, theirs: str) -> str:
    """same, internal, crash, accepted, refused, near, other or void."""
    if ours in ("crash", "hang") and theirs not in ("hang", "crash"):
        return "crash" if ours == "crash" else "hang"
    kind, _, name = ours.partition(" ")
    wanted, _, expected = theirs.partition(" ")
    if kind == "raises" and name in INTERNAL and name != expected:
        return "internal"
    if theirs in VOID or ours == "raises ResourceExhaustedError":
        return "void"
    if kind == wanted == "value":
        return "same" if ours == theirs else "value"
    if kind == "value":
        return "void" if expected in INTERNAL else "accepted"
    if wanted == "value":
        return "refused"
    if name == expected:
        return "same"
    if expected in INTERNAL:
        return "void"
    return "near" if any(name in group and expected in group for group in ALIKE) else "other"


def read(path: Path) -> dict[str, str]:
    """Lines of a call, a tabulator and what belongs to it."""
    return dict(line.split("\t") for line in path.read_text().splitlines() if line)


def write(path: Path, pairs: dict[str, str]) -> None:
    path.write_text("".join(f"{text}\t{what}\n" for text, what in pairs.items()))
