"""Public names that few programs use: devices as text, critical sections, compatibility, switches.

Loaded when one of them is used.
"""

from __future__ import annotations

import contextlib
import datetime
import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.attributes import dense
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.base.process.locks import new_rlock
from tapeflow.core import scopes
from tapeflow.core.autodiff.custom_gradient import custom_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.functions.function import function
from tapeflow.ops.array.joining import stack
from tapeflow.ops.array.shaping import identity

_graphs = LateModule("tapeflow.graph_mode.graph")

# -- devices and names -----------------------------------------------------------------------------
_PARTS = ("job", "replica", "task", "device_type", "device_index")


@export("DeviceSpec")
class DeviceSpec:
    """A device by its parts; any may be left open."""

    def __init__(self, job: str | None = None, replica: int | None = None, task: int | None = None,
                 device_type: str | None = None, device_index: int | None = None):
        self._job = None if job is None else str(job)
        self._replica = None if replica is None else int(replica)
        self._task = None if task is None else int(task)
        if isinstance(device_type, (Tensor, np.ndarray)):
            raise TypeError(f"DeviceSpec: a device's type is text, got {device_type!r}.")
        kind = None if device_type is None else str(device_type)
        self._device_type = kind.upper() if kind in ("cpu", "gpu") else kind
        self._device_index = None if device_index is None else int(device_index)

    @property
    def job(self) -> str | None:
        return self._job

    @property
    def replica(self) -> int | None:
        return self._replica

    @property
    def task(self) -> int | None:
        return self._task

    @property
    def device_type(self) -> str | None:
        return self._device_type

    @property
    def device_index(self) -> int | None:
        return self._device_index

    def to_string(self) -> str:
        """The text that `tf.device` takes."""
        parts = [f"/{word}:{value}" for word, value in (
            ("job", self._job), ("replica", self._replica), ("task", self._task))
            if value is not None]
        if self._device_type is not None:
            index = "*" if self._device_index is None else self._device_index
            parts.append(f"/device:{self._device_type}:{index}")
        return "".join(parts)

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The device that a text names."""
        return cls(**cls._parsed(spec))

    @staticmethod
    def _parsed(spec: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for part in filter(None, spec.split("/")):
            word, *rest = part.split(":")
            if word in ("job", "replica", "task") and len(rest) == 1:
                found[word] = rest[0] if word == "job" else int(rest[0])
            elif word == "device" and len(rest) == 2:
                found["device_type"] = rest[0]
                found["device_index"] = None if rest[1] == "*" else int(rest[1])
            elif word.lower() in ("cpu", "gpu", "tpu") and len(rest) == 1:
                found["device_type"] = word.upper()
                found["device_index"] = None if rest[0] == "*" else int(rest[0])
            else:
                raise ValueError(f"Unknown attribute '{word}' is encountered while parsing the "
                                 f"device spec: '{spec}'.")
        return found

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """The same as `from_string`."""
        return self.from_string(spec)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """This device with what another one says put over it."""
        own = {part: getattr(self, part) for part in _PARTS}
        return DeviceSpec(**{part: getattr(dev, part) if getattr(dev, part) is not None
                             else own[part] for part in _PARTS})

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """This device with some parts replaced."""
        return DeviceSpec(**{**{part: getattr(self, part) for part in _PARTS}, **kwargs})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"DeviceSpec({self.to_string()!r})"


@export("get_current_name_scope")
def get_current_name_scope() -> str:
    """The name scopes that are open, joined by slashes."""
    return scopes.scoped_name("").rstrip("/")


@export("variable_creator_scope")
@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable) -> Iterator[None]:
    """Context in which `variable_creator(next_creator, **kwargs)` makes the variables."""
    before = state.variable_creators
    inside = state.variable_creators = (*before, variable_creator)
    try:
        yield
    finally:
        if state.variable_creators != inside:
            raise RuntimeError("Exiting variable_creator_scope without proper nesting.")
        state.variable_creators = before


@export("CriticalSection")
class CriticalSection:
    """Functions that run one at a time, whichever thread calls them."""

    def __init__(self, name: str | None = None, shared_name: str | None = None,
                 critical_section_def: Any = None, import_scope: Any = None):
        if critical_section_def is not None:
            raise ValueError("Argument `critical_section_def` is not supported.")
        self._name = name or shared_name or "critical_section"
        self._lock = new_rlock()

    @property
    def name(self) -> str:
        return self._name

    def execute(self, fn: Callable, exclusive_resource_access: bool = True,
                name: str | None = None) -> Any:
        """What `fn()` gives, run alone."""
        if not callable(fn):
            raise TypeError(f"tf.CriticalSection.execute: `fn` must be callable, got {fn!r}.")
        with self._lock:
            return fn()


@export("AggregationMethod")
class AggregationMethod:
    """How gradients are added; here always in one way."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@export("guarantee_const")
def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """The input; TensorFlow's runtime may take it for a constant."""
    return identity(dense("input", input))


@export("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """`tf.stack` along the first axis, in functions only."""
    if state.trace is None:
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    return stack([operand(one) for one in values])


# -- compatibility ---------------------------------------------------------------------------------
_horizon: list[datetime.date] = [datetime.date(2026, 12, 31)]


@export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs made now must still be read by TensorFlow of that day."""
    return _horizon[-1] > datetime.date(year, month, day)


@export("compat.forward_compatibility_horizon")
@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Context in which `forward_compatible` takes that day for the horizon, if it is later."""
    _horizon.append(max(_horizon[0], datetime.date(year, month, day)))
    try:
        yield
    finally:
        _horizon.pop()


@export("compat.dimension_value")
def dimension_value(dimension: Any) -> int | None:
    """A size of a shape as an int or None."""
    return getattr(dimension, "value", dimension)


@export("compat.dimension_at_index")
def dimension_at_index(shape: Any, index: int) -> Any:
    """A size of a shape; None if the rank is unknown."""
    return None if shape.rank is None else shape[index]


# -- switches --------------------------------------------------------------------------------------
class _Autograph:
    verbosity = 0


@export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accepted: how much AutoGraph tells of what it converts; it tells nothing."""
    _Autograph.verbosity = int(level)


@export("autograph.trace")
def trace(*args: Any) -> None:
    """Print the arguments while a function is traced."""
    print(*args)


@export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Parts of AutoGraph that a function may ask for; all are there."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple:
        """All of them."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple:
        """All but some."""
        without = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple([one for one in cls if one not in without])


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool) -> None:
    """Accepted: ops always run at once."""


@export("config.experimental.enable_mlir_bridge")
def enable_mlir_bridge() -> None:
    """Accepted: there is no MLIR here."""


@export("config.experimental.disable_mlir_bridge")
def disable_mlir_bridge() -> None:
    """Accepted: there is no MLIR here."""


@export("experimental.async_scope")
@contextlib.contextmanager
def async_scope() -> Iterator[None]:
    """Accepted: ops run at once, so their errors come at once."""
    yield


@export("experimental.async_clear_error")
def async_clear_error() -> None:
    """Accepted: no error is pending."""


@export("experimental.function_executor_type")
@contextlib.contextmanager
def function_executor_type(executor_type: str | None) -> Iterator[None]:
    """Accepted: functions have one executor."""
    yield


@export("xla.experimental.jit_scope")
@contextlib.contextmanager
def jit_scope(compile_ops: Any = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """Accepted: a tf.function is compiled by its own `jit_compile`."""
    yield


@export("xla.experimental.compile")
def compile(computation: Callable, inputs: Any = None) -> Any:
    """Run a function as compiled code, on the inputs of a list.

    One result comes as a list of one, several as a list; nested ones keep their structure. As in
    TensorFlow no gradient goes through it, outside of tf.functions: take gradients inside.

    >>> tf.xla.experimental.compile(lambda x, y: x + y, [1.0, 2.0])
    [<tf.Tensor: shape=(), dtype=float32, numpy=3.0>]
    """
    if inputs is not None and not isinstance(inputs, Sequence):
        raise TypeError("inputs must be a list")
    given = [operand(one) for one in inputs or ()]
    graph = _graphs.current_graph()
    if graph is not None:
        kept: list[Any] = []
        done = graph.effect_of(lambda: kept.append(_results(computation, given)))
        return done if kept[0] is None else kept[0]
    found = _results(computation, given)
    if found is None:
        raise TypeError("To be compatible with tf.function, Python functions must return zero or "
                        "more Tensors or ExtensionTypes or None values; tf.xla.experimental."
                        "compile cannot give the operation of a function that returns None.")
    return found


def _results(computation: Callable, given: list[Tensor]) -> Any:
    found = function(computation, jit_compile=True)(*given)
    if found is None:
        return None
    flat = [operand(one) for one in nest.flatten(found, expand_composites=True)]
    if state.trace is None:  # rules of custom gradients are traced at once in functions
        flat = list(_without_gradient(*flat)) if len(flat) > 1 else [_without_gradient(*flat)]
    if not nest.is_nested(found):
        return flat
    if isinstance(found, (list, tuple)) and not any(map(nest.is_nested, found)):
        return flat
    return nest.pack_sequence_as(found, flat, expand_composites=True)


@custom_gradient
def _without_gradient(*results: Tensor) -> tuple:
    def refused(*upstream: Any) -> Any:
        raise RuntimeError("Gradient computation of graph in xla.compile() is prohibited because "
                           "it can cause performance degradation.Please move gradient computation "
                           "inside xla.compile().")

    return (results if len(results) > 1 else results[0]), refused
