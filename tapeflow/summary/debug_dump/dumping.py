"""tf.debugging.experimental.enable_dump_debug_info: a run in files that TensorBoard reads.

A `Dumper` hears every op of its thread. Those of tf.functions run node by node meanwhile, each with
the place that `told_graphs` has given it when the function was traced. Loaded when one of its
public names is used; a program that does not use them pays nothing.
"""

from __future__ import annotations

import atexit
import itertools
import re
import uuid
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.summary.debug_dump import debug_messages as messages
from tapeflow.summary.debug_dump.code_places import CodePlaces, replayed_node
from tapeflow.summary.debug_dump.event_writer import RING, DebugEventsWriter
from tapeflow.summary.debug_dump.tensor_summaries import dtype_of, is_told, summary
from tapeflow.summary.debug_dump.told_graphs import ToldGraph, ToldGraphs

_UNTOLD = frozenset(("Identity", "If", "While", "Cond", "StatefulPartitionedCall"))
_SUPPORTED = (messages.NO_TENSOR, messages.CURT_HEALTH, messages.CONCISE_HEALTH,
              messages.FULL_HEALTH, messages.SHAPE, messages.FULL_TENSOR)
_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_next_number = itertools.count(1).__next__


class Dumper(states.Listener, states.GraphListener):
    """Writes what its thread executes. `_running`: for each function or body, what has begun."""

    __slots__ = ("_code", "_functions", "_graphs", "_running", "dtypes", "folder", "mode",
                 "pattern", "run", "size")

    def __init__(self, folder: str, mode: int, size: int, pattern: str | None, wanted: Any):
        self.folder, self.mode, self.size = folder, mode, size
        self.pattern = re.compile(pattern) if pattern else None
        self.dtypes = wanted
        self.run = str(uuid.uuid4())[:8]
        self._code = CodePlaces(self.writer)
        self._graphs = ToldGraphs(self.writer, self._code)
        self._functions: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._running: list[set[ToldGraph]] = []

    def writer(self) -> DebugEventsWriter:
        return DebugEventsWriter(self.folder, self.run, self.size)

    def move(self, folder: str) -> None:
        """Write into another folder from now on; the files of the last one end."""
        if folder != self.folder:
            self.writer().Close()
            self.folder = folder
            self._code = CodePlaces(self.writer)
            self._graphs = ToldGraphs(self.writer, self._code)

    # -- eager ops -------------------------------------------------------------------------------
    def note(self, op: Any, xs: tuple, ys: Any, attrs: dict) -> None:
        results = [y for y in (ys if op.multi else (ys,)) if type(y) is Tensor]
        node = replayed_node()
        if node is None:
            if op.tf_name not in _UNTOLD:
                self._executed(op.tf_name, xs, results)
            return
        place = self._graphs.places.get(node)
        if place is not None and (op is node.op or op.tf_name == node.op.tf_name):
            told, name, numbers = place
            self._begun(told)
            for slot, (y, number) in enumerate(zip(results, numbers, strict=False)):
                self._traced(told, op.tf_name, name, slot, number, y._value)

    def read(self, variable: Any) -> Tensor:
        tensor = variable._snapshot
        if not self._running:
            self._executed("ReadVariableOp", (variable,), [tensor])
        return tensor

    def assigned(self, variable: Any, tensor: Tensor) -> None:
        if not self._running:
            self._executed("AssignVariableOp", (variable, tensor), [])

    def _executed(self, kind: str, inputs: Any, results: list, graph: str = "") -> None:
        writer = self.writer()
        event = messages.Execution(
            op_type=kind, num_outputs=len(results), graph_id=graph,
            input_tensor_ids=[uid_of(x) for x in inputs],
            output_tensor_ids=[uid_of(y) for y in results],
            output_tensor_device_ids=[writer.RegisterDeviceAndGetId(y.device) for y in results],
            tensor_debug_mode=self.mode, code_location=self._code.location())
        if self.mode != messages.NO_TENSOR:
            for y in results:
                dtype = dtype_of(y._value)
                if self._wanted(kind, dtype) and dtype.is_numpy_compatible:
                    event.tensor_protos.append(
                        summary(self.mode, y._value) if is_told(self.mode, dtype)
                        else messages.protos.TensorProto())
        writer.WriteExecution(event)

    def _wanted(self, kind: str, dtype: DType) -> bool:
        """Whether `op_regex` and `tensor_dtypes` ask for it."""
        if self.pattern is not None and not self.pattern.match(kind):
            return False
        if not self.dtypes:
            return True
        return bool(self.dtypes(dtype) if callable(self.dtypes) else dtype in self.dtypes)

    # -- graphs ----------------------------------------------------------------------------------
    def node_made(self, trace: Any, node: Any) -> None:
        original = replayed_node()
        if original is None:
            self._graphs.node(trace, node)
        else:
            self._graphs.repeated(node, original)

    def constant_made(self, trace: Any, tensor: Any) -> None:
        if replayed_node() is None and type(tensor) is Tensor and hasattr(trace, "eager"):
            self._graphs.constant(trace, tensor)

    def function_made(self, trace: Any, function: Any) -> None:
        self._graphs.ended(trace)

    def begins(self, function: Any, inputs: list, variables: list) -> None:
        if state.trace is not None:
            return
        self._running.append(set())
        told = self._graphs.of(function.graph)
        if told is None:
            return
        if told.outer is not None and len(self._running) > 1 and told.inner:
            self._begun(told.outer, self._running[-2])
        if told.turns is not None:
            values = (("Placeholder", told.turns.count), ("Placeholder", told.turns.limit),
                      ("Const", 1))
            for (name, number), (kind, value) in zip(told.counted, values, strict=False):
                self._traced(told, kind, name, 0, number, np.int32(value))
        if told.inner:
            for value, x in zip(function.graph.inputs, inputs, strict=True):
                if value in told.given:
                    name, number = told.given[value]
                    self._traced(told, "Placeholder", name, 0, number, x._value)
        for use, variable in zip(function.graph.variables.values(), variables, strict=True):
            if use.initial in told.given:
                name, number = told.given[use.initial]
                self._traced(told, "ReadVariableOp", name, 0, number, variable._snapshot._value)
        self._begun(told)

    def ends(self, function: Any, inputs: list, results: list) -> None:
        trace: Any = state.trace
        told = self._graphs.of(function.graph)
        if trace is not None:
            if not function.inner and told is not None:
                self._graphs.called(trace, [trace.value_of(x) for x in inputs],
                                    [trace.value_of(y) for y in results])
            return
        self._running.pop()
        if told is not None and told.turns is not None:
            self._turned(told, results)
        if not function.inner:
            name = self._functions.get(function)
            if name is None:
                name = self._functions[function] = (
                    f"__inference_{function.graph.name}_{_next_number()}")
            self._executed(name, inputs, results, "" if told is None else told.key)

    def _turned(self, told: ToldGraph, results: list) -> None:
        """The condition or the body of a loop has run."""
        assert told.turns is not None
        if told.next is not None:
            name, number = told.next
            self._traced(told, "AddV2", name, 0, number, np.int32(told.turns.count + 1))
            told.turns.next()
        elif not bool(results[0]._value):
            told.turns.next(goes_on=False)

    def _begun(self, told: ToldGraph, running: set[ToldGraph] | None = None) -> None:
        """Tell of the constants of a graph, once in a run of it."""
        begun = self._running[-1] if running is None else running
        if told not in begun:
            begun.add(told)
            for name, number, value in told.starts:
                self._traced(told, "Const", name, 0, number, value)

    def _traced(self, told: ToldGraph, kind: str, name: str, slot: int, number: int, value: Any
                ) -> None:
        dtype = dtype_of(value)
        if kind in _UNTOLD or not self._wanted(kind, dtype) or not is_told(self.mode, dtype):
            return
        self.writer().WriteGraphExecutionTrace(messages.GraphExecutionTrace(
            tfdbg_context_id=told.key, op_name=name, output_slot=slot,
            tensor_debug_mode=self.mode, tensor_proto=summary(self.mode, value, number),
            device_name=_DEVICE))


def _dumper() -> Dumper | None:
    found = state.graph_listener
    return found if isinstance(found, Dumper) else None


def _checked_mode(name: str) -> int:
    names = list(messages.MODES)
    if name not in names:
        raise ValueError(f"Invalid value in tensor_debug_mode ('{name}'). Valid options are: "
                         f"{names}")
    mode = messages.MODES[name]
    if mode not in _SUPPORTED:
        raise NotImplementedError(f"tfdbg dumping: support for tensor debug mode {name} is not "
                                  "implemented yet")
    return mode


def _checked_dtypes(wanted: Any) -> Any:
    if isinstance(wanted, (list, tuple)):
        return [dtypes.as_dtype(one) for one in wanted]
    if wanted is not None and not callable(wanted):
        raise ValueError("If specified, tensor_dtypes is expected to be a list, a tuple, or a "
                         "callable that takes a DType argument and returns a boolean, but "
                         f"received {wanted}")
    return wanted


def _check_same(known: Dumper, mode: int, size: int) -> None:
    """A second call may change the folder alone."""
    if known.size != size:
        raise ValueError(
            "There is already a dumping callback configured with a different circular-buffer size "
            f"({known.size}). Therefore the newly request circular-buffer size ({size}) will not "
            "be honored.")
    if known.mode != mode:
        names = list(messages.MODES)
        raise ValueError(
            f"There is already a dumping callback configured for dump root {known.folder} with a "
            f"different tensor-debug mode ({names[known.mode]}). Therefore the newly request "
            f"tensor-debug mode ({names[mode]}) size will not be honored.")


@export("debugging.experimental.enable_dump_debug_info")
def enable_dump_debug_info(dump_root: str, tensor_debug_mode: str = "NO_TENSOR",
                           circular_buffer_size: int = RING, op_regex: str | None = None,
                           tensor_dtypes: list | tuple | Callable[[DType], bool] | None = None
                           ) -> DebugEventsWriter:
    """From now on, write what this thread executes into a folder, for TensorBoard's debugger.

    Written are eager ops and calls of tf.functions, the ops of functions traced from now on, each
    with the user's lines that led to it, and of their results what `tensor_debug_mode` says. Ops
    run one by one meanwhile, those of tf.functions too: much slower than without.
    """
    mode, wanted = _checked_mode(tensor_debug_mode), _checked_dtypes(tensor_dtypes)
    if not dump_root:
        raise ValueError("Empty or None dump root")
    known = _dumper()
    if known is None:
        known = Dumper(dump_root, mode, circular_buffer_size, op_regex, wanted)
        writer = known.writer()
        states.set_stack((known, *state.stack))
        state.graph_listener = known
        atexit.register(disable_dump_debug_info)
        return writer
    _check_same(known, mode, circular_buffer_size)
    known.move(dump_root)
    return known.writer()


@export("debugging.experimental.disable_dump_debug_info")
def disable_dump_debug_info() -> None:
    """End what `enable_dump_debug_info` began, and write everything out."""
    known = _dumper()
    if known is not None:
        state.graph_listener = None
        states.remove(known)
        known.writer().Close()
