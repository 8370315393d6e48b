"""tf.summary.write and what decides whether, and at which step, something is written.

Inside a tf.function a write is an op with an effect: it happens at each call, with the writer that
was the default one when the function was traced.
"""

from __future__ import annotations

import contextlib
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.scopes import name_scope, scoped_name
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.io.protobuf import protos, wire
from tapeflow.io.protobuf.tensor_protos import packed_bytes
from tapeflow.summary.writers import _ResourceSummaryWriter, changed, current

_BOOL = np.dtype(bool)


# -- steps and conditions --------------------------------------------------------------------------
@export("summary.experimental.get_step")
def get_step() -> Any:
    """The step that summaries get when none is given."""
    return current.step


@export("summary.experimental.set_step")
def set_step(step: Any) -> None:
    """Set the step that summaries get when none is given; a variable is read at each."""
    current.step = step


@export("summary.should_record_summaries")
def should_record_summaries() -> Any:
    """Whether a summary would be written now: a boolean tensor."""
    writer = current.writer
    if not isinstance(writer, _ResourceSummaryWriter) or writer._file is None:
        return wrap(np.False_)
    wanted = current.recording
    if callable(wanted) and not isinstance(wanted, Tensor):
        wanted = wanted()
    return wrap(np.True_) if wanted is None else convert(wanted, dtypes.bool)


@export("summary.record_if")
@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Write summaries inside only if `condition`, a bool, a tensor or a function of one, holds."""
    with changed(recording=condition):
        yield


@export("summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name: str, default_name: str = "summary", values: Any = None
                  ) -> Iterator[tuple[str, str]]:
    """The tag of a summary, with the scopes that it stands in, and a scope of its name."""
    name = name or default_name
    tag = scoped_name(name)
    with name_scope(name.replace(" ", "_")) as scope:
        yield tag, scope


# -- writing ---------------------------------------------------------------------------------------
def _event(step: Any) -> Any:
    return protos.Event(wall_time=time.time(), step=int(step))


def _event_bytes(step: Any, tag: str, tensor: bytes, metadata: bytes | None) -> bytes:
    """An Event with one value, made quickly: its time, step, and summary."""
    value = wire.chunk(1, tag.encode()) + wire.chunk(8, tensor)
    if metadata is not None:
        value += wire.chunk(9, metadata)
    head = wire.tag(1, wire.FIXED64) + struct.pack("<d", time.time())
    if int(step):
        head += wire.tag(2, wire.VARINT) + wire.varint(int(step))
    return head + wire.chunk(5, wire.chunk(1, value))


def _write_kernel(tensor: Any, step: Any, wanted: Any, writer: Any, tag: str, metadata: Any) -> Any:
    if not wanted:
        return np.False_
    data = packed_bytes(np.asarray(tensor), dtypes.of(tensor.dtype))
    return np.bool_(writer.add(_event_bytes(step, tag, data, metadata)))


_write = define("write_summary", kernel=_write_kernel, args=("tensor", "step", "wanted"),
                shape=lambda *specs, **attrs: Spec((), _BOOL), stateful=True, batch=loop,
                vjp=NONDIFF("writing a summary has no derivative"), internal=True,
                tf_name="WriteSummary", unsavable="it writes files")


def step_tensor(step: Any) -> Tensor:
    """The step of a summary as an int64 tensor."""
    step = current.step if step is None else step
    if step is None:
        raise ValueError("No step set. Please specify one either through the `step` argument or "
                         "through tf.summary.experimental.set_step()")
    tensor = convert(step)
    return tensor if tensor.dtype is dtypes.int64 else cast(tensor, dtype=dtypes.int64.np)


@export("summary.write")
def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None,
          name: str | None = None) -> Any:
    """Write a tensor, or what a function returns, to the default writer; whether it was written."""
    wanted = should_record_summaries()
    writer = current.writer
    if not isinstance(writer, _ResourceSummaryWriter):
        return wrap(np.False_)
    symbolic = wanted._interpreter is not None
    if not symbolic and not bool(wanted._value):
        return wrap(np.False_)
    at_step = step_tensor(step)
    value = convert(tensor() if callable(tensor) and not isinstance(tensor, Tensor) else tensor)
    about = None if metadata is None else metadata.SerializeToString()
    return _write(value, at_step, wanted, writer=writer, tag=tag, metadata=about)


def _raw_kernel(data: Any, step: Any, wanted: Any, writer: Any) -> Any:
    if not wanted:
        return np.False_
    for one in np.asarray(data).ravel().tolist():
        event = _event(step)
        event.summary.ParseFromString(one)
        writer.add(event)
    return np.True_


_write_raw = define("write_raw_summary", kernel=_raw_kernel, args=("tensor", "step", "wanted"),
                    shape=lambda *specs, **attrs: Spec((), _BOOL), stateful=True, batch=loop,
                    vjp=NONDIFF("writing a summary has no derivative"), internal=True,
                    tf_name="WriteRawProtoSummary", unsavable="it writes files")


@export("summary.experimental.write_raw_pb")
def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Write serialized Summary messages to the default writer."""
    wanted = should_record_summaries()
    writer = current.writer
    if not isinstance(writer, _ResourceSummaryWriter) or (
            wanted._interpreter is None and not bool(wanted._value)):
        return wrap(np.False_)
    return _write_raw(convert(tensor, dtypes.string), step_tensor(step), wanted, writer=writer)


def written_event(fill: Callable[[Any], None], step: Any) -> bool:
    """Write an event that `fill` completes; eagerly only."""
    if state.trace is not None:
        raise RuntimeError("this summary can be written outside of a tf.function only.")
    writer = current.writer
    if not isinstance(writer, _ResourceSummaryWriter) or not bool(
            should_record_summaries()._value):
        return False
    event = _event(step_tensor(step)._value)
    fill(event)
    return writer.add(event)
