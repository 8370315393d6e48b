"""The eager runtime as seen from outside: contexts, devices, switches, what is being recorded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import tapeflow
from tapeflow.base.settings import settings
from tapeflow.core.autodiff.record import Record
from tapeflow.core.scopes import current_prefix
from tapeflow.core.state import only, state
from tapeflow.graph.functions.signature import stand_in
from tapeflow.graph.ir import needed_for
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.ops.random.streams.seeds import require_seeds

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


class Context:
    """The eager runtime: nothing is queued and no kernel is cached."""

    log_device_placement = False

    def clear_kernel_cache(self) -> None:
        """Forget cached kernels: there are none."""

    def ensure_initialized(self) -> None:
        """Start the runtime: it needs no start."""

    def executing_eagerly(self) -> bool:
        return tapeflow.executing_eagerly()

    @property
    def device_spec(self) -> Any:
        """The device of ops that name none, by its parts."""
        return tapeflow.DeviceSpec.from_string(self.device_name) if self.device_name else (
            tapeflow.DeviceSpec())

    @property
    def device_name(self) -> str:
        return ""

    @property
    def scope_name(self) -> str:
        """The scope in which names stand here, with its slash."""
        return current_prefix()

    @property
    def config(self) -> None:
        return None

    def devices(self) -> list[str]:
        """The names of all devices."""
        return [one.name for one in tapeflow.config.list_logical_devices()]

    def list_logical_devices(self, device_type: str | None = None) -> list:
        return tapeflow.config.list_logical_devices(device_type)

    def list_physical_devices(self, device_type: str | None = None) -> list:
        return tapeflow.config.list_physical_devices(device_type)

    def num_gpus(self) -> int:
        return 0


_CONTEXT = Context()


def context() -> Context:
    """The runtime of this process."""
    return _CONTEXT


def async_wait() -> None:
    """Wait for ops that are still running: none are."""


def _reset_dtensor() -> None:
    """Forget the device that stands for meshes: there is none, tensors know their layouts."""


def _reset_context() -> None:
    """Forget the runtime's configuration: it has none."""


def ensure_initialized() -> None:
    """Start the runtime: it needs no start."""


def get_config() -> Any:
    """The configuration of a runtime that tapeflow does not have: an empty message."""
    return tapeflow.compat.v1.ConfigProto()


def get_device_name() -> str:
    """The device of ops that name none."""
    return _CONTEXT.device_name


def num_gpus() -> int:
    """How many GPUs there are."""
    return 0


def executing_eagerly() -> bool:
    """Whether ops run at once here."""
    return tapeflow.executing_eagerly()


def eager_mode() -> Any:
    """A context in which ops run at once, also where a function is being traced."""
    return tapeflow.init_scope()


def graph_mode() -> Any:
    """A context in which ops become nodes of a graph of its own."""
    return tapeflow.Graph().as_default()


# -- devices ---------------------------------------------------------------------------------------
def list_local_devices(session_config: Any = None) -> list[Any]:
    """The devices of this process, as TensorFlow 1 described them: the CPU."""
    return [SimpleNamespace(name=f"/device:CPU:{i}", device_type="CPU", memory_limit=268435456,
                            locality=None, incarnation=i, physical_device_desc="")
            for i, _ in enumerate(tapeflow.config.list_logical_devices("CPU"))]


def TF_ListPluggablePhysicalDevices() -> list[bytes]:
    """The devices of plugins: there are none."""
    return []


# -- switches --------------------------------------------------------------------------------------
def enabled() -> bool:
    """Whether TensorFlow 2's behaviour is on: always."""
    return True


def is_op_determinism_enabled() -> bool:
    """Whether `tf.config.experimental.enable_op_determinism` was called."""
    return settings.determinism


def enable_op_determinism() -> None:
    """`tf.config.experimental.enable_op_determinism`."""
    tapeflow.config.experimental.enable_op_determinism()


def disable_op_determinism() -> None:
    """Undo `tf.config.experimental.enable_op_determinism`."""
    require_seeds(False)
    settings.determinism = False


# -- what tapes see --------------------------------------------------------------------------------
def should_record_backprop(tensors: Any) -> bool:
    """Whether a tape follows one of the tensors.

    A tape around a tf.function that is traced follows what comes of trainable variables.
    """
    followed = [one._tracked for one in state.stack if isinstance(one, Record)]
    if any(tensor._uid in tracked for tensor in tensors for tracked in followed):
        return True
    trace: Any = state.trace
    around = trace
    while around is not None:
        outer, stack, _ = around._before
        if any(isinstance(one, Record) and one._accessed for one in stack):
            return any(_of_variables(trace, tensor) for tensor in tensors
                       if isinstance(tensor, Symbolic))
        around = outer
    return False


def _of_variables(trace: Any, tensor: Any) -> bool:
    """Whether a tensor of a trace is computed from a trainable variable."""
    needed = needed_for([trace.value_of(tensor)], trace.graph.nodes)
    for uid, use in trace.graph.variables.items():
        if use.initial in needed:
            variable = stand_in(uid) if use.variable is None else use.variable
            if variable.trainable:
                return True
    return any(_of_variables(trace.outer, held) for held, value in trace.captures
               if value in needed)


class VariableWatcher:
    """A context that notes which trainable variables are read in it."""

    def __enter__(self) -> VariableWatcher:
        self._tape = tapeflow.GradientTape(persistent=True)
        self._tape.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._tape.__exit__(*error)

    def watched_variables(self) -> tuple:
        """The variables, in the order of their first use."""
        return tuple(self._tape.watched_variables())


def could_possibly_record() -> bool:
    """Whether a tape listens."""
    return any(isinstance(one, Record) for one in state.stack)


def stop_recording() -> Any:
    """A context in which no tape records."""
    return only(tuple([one for one in state.stack if not isinstance(one, Record)]))


# -- gradients by the variables that a function reads ----------------------------------------------
def implicit_val_and_grad(f: Any) -> Any:
    """A function that gives the value of `f` and pairs of gradients and the variables it read."""
    def grad_fn(*args: Any, **kwargs: Any) -> tuple[Any, list]:
        with tapeflow.GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError("Cannot differentiate a function that returns None; did you forget to "
                             f"return a value from {f.__name__}?")
        variables = list(tape.watched_variables())
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being "
                             "computed.")
        return value, list(zip(tape.gradient(value, variables), variables, strict=True))

    return grad_fn


def implicit_grad(f: Any) -> Any:
    """A function that gives pairs of gradients of `f` and the variables it read."""
    both = implicit_val_and_grad(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]
