"""Variables: named, mutable state. A variable holds an immutable snapshot and swaps it.

The snapshot is a Tensor that carries the variable's own uid, so ops on a variable need no read op,
and a gradient recorded before an assignment uses the value of that time.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.base import dtypes, errors, formatting
from tapeflow.base.attributes import shown
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import from_handler, unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.scopes import scoped_name
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert, registered
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import (
    AnyTensor,
    CompositeTensor,
    Operators,
    Reference,
    Tensor,
    next_uid,
    wrap,
)
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable_locks import new_update_lock, update_lock_of

_variable_spec = LatePublic("VariableSpec")


@export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When replicas of a variable are brought together; one CPU has one replica."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How replicas of a variable are combined; one CPU has one replica."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


def _mode(kind: Any, what: str, value: Any, name: Any) -> Any:
    """A member of an enum, or the number of one; None stands for the first."""
    if type(value) is kind:
        return value
    try:
        return kind(0 if value is None else value)
    except Exception as error:
        if from_handler(error):
            raise
        raise ValueError(f"Invalid variable {what} mode: {shown(value)} for variable: "
                         f"{shown(name)}") from None


def read(variable: Variable) -> Tensor:
    """The value as an operand that stands for the variable itself; listeners hear of it."""
    recorder = state.recorder
    return variable._snapshot if recorder is None else recorder.read(variable)


class _Calls(type):
    """What creators return is not initialised again, whatever its class."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is VariableBase:
            kwargs.pop("per_worker_variable", None)  # of parameter servers
            if state.variable_creators:
                return _created(args, kwargs)
        return type.__call__(cls, *args, **kwargs)


@export("Variable")
class VariableBase(Operators, AnyTensor, CompositeTensor, Trackable, metaclass=_Calls):
    """Public `tf.Variable`: calling it makes a variable."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """A class that overrides `value` keeps its value elsewhere: operators ask it for that."""
        super().__init_subclass__(**options)
        if "value" in vars(cls):
            for name in Tensor.OVERLOADABLE_OPERATORS:
                if getattr(cls, name) is getattr(VariableBase, name, None):
                    setattr(cls, name, _of_value(name))
            if hasattr(cls, "__getattr__") and "handle" not in vars(cls):
                setattr(cls, "handle", property(lambda x: x.__getattr__("handle")))  # noqa: B010
            if "__tf_tensor__" not in vars(cls):
                setattr(cls, "__tf_tensor__", _as_registered)  # noqa: B010

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not VariableBase:
            return object.__new__(cls)
        maker = state.variable_maker
        return new_variable() if maker is None else maker(_by_name(args, kwargs))


def new_variable() -> Any:
    """A variable to be initialised; in a tf.Graph and functions inside it, one of the graph."""
    trace: Any = state.trace
    home = None if trace is None else trace.home_graph()
    return object.__new__(Variable) if home is None else home.new_variable()


def _created(args: tuple, kwargs: dict) -> Any:
    """A variable by the creators of `tf.variable_creator_scope`, the innermost first."""
    def make(**given: Any) -> Any:
        before, state.variable_creators = state.variable_creators, ()
        try:
            return VariableBase(**given)
        finally:
            state.variable_creators = before

    def asking(creator: Any, following: Any) -> Any:
        return lambda **given: creator(following, **given)

    create: Any = make
    for creator in state.variable_creators:
        create = asking(creator, create)
    found = dict(zip(_argument_names(), Variable.__init__.__defaults__ or (), strict=True))
    return create(**{**found, **_by_name(args, kwargs)})


def _argument_names() -> tuple:
    code = Variable.__init__.__code__
    return code.co_varnames[1:code.co_argcount]


def _by_name(args: tuple, kwargs: dict) -> dict:
    """All arguments of a new variable by their names."""
    return {**dict(zip(_argument_names(), args, strict=False)), **kwargs} if args else kwargs


class Variable(VariableBase):
    """State that `assign` changes and that a GradientTape watches by itself.

    >>> v = tf.Variable(3.0)
    >>> v.assign_add(1.0)
    <tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=4.0>
    """

    __slots__ = ("_aggregation", "_constraint", "_name", "_snapshot", "_static_shape",
                 "_synchronization", "_trainable", "_uid", "_update_lock", "__dict__",
                 "__weakref__")
    __array_priority__ = 100
    _snapshot: Tensor
    _update_lock: Any  # None until threads have met here: `variable_locks.py`
    _uid: int

    def __init__(self, initial_value: Any = None, trainable: bool | None = None,
                 validate_shape: bool = True, caching_device: Any = None, name: str | None = None,
                 variable_def: Any = None, dtype: Any = None, import_scope: Any = None,
                 constraint: Any = None,
                 synchronization: VariableSynchronization = VariableSynchronization.AUTO,
                 aggregation: VariableAggregation = VariableAggregation.NONE, shape: Any = None,
                 experimental_enable_variable_lifting: bool = True):
        if initial_value is None:
            raise ValueError("The `initial_value` arg to `tf.Variable` must be specified except "
                             "when you are not providing a `variable_def`. You provided neither.")
        if variable_def:
            raise ValueError("The variable_def and initial_value args to `tf.Variable` are "
                             f"mutually exclusive, but got both: variable_def={variable_def}, "
                             f"initial_value={initial_value}")
        if constraint is not None and not callable(constraint):
            raise ValueError(f"Argument `constraint` must be None or a callable. a callable. "
                             f"Got a {type(constraint)}:  {constraint}")
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        if state.trace is None:
            tensor = _initial(initial_value, wanted)
        else:
            tensor = state.trace.lift(self, lambda: _initial(initial_value, wanted))
        self._static_shape = None if shape is None else TensorShape(shape)
        if self._static_shape is not None and not self._static_shape.is_compatible_with(
                tensor.shape):
            raise ValueError(f"In this `tf.Variable` creation, the initial value's shape "
                             f"({tensor.shape}) is not compatible with the explicitly supplied "
                             f"`shape` argument ({self._static_shape}).")
        self._name = scoped_name("Variable" if name is None else name)
        if caching_device and not isinstance(caching_device, str):
            raise ValueError(f"Expecting a string device name. Got {type(caching_device)}"
                             f"({shown(caching_device)})")
        bool(experimental_enable_variable_lifting)
        synchronization = _mode(VariableSynchronization, "synchronization", synchronization, name)
        self._synchronization = synchronization
        self._aggregation = _mode(VariableAggregation, "aggregation", aggregation, name)
        on_read = synchronization is VariableSynchronization.ON_READ
        self._trainable = not on_read if trainable is None else bool(trainable)
        self._constraint = constraint
        self._uid, self._update_lock = next_uid(), new_update_lock()
        self._swap(tensor._value)
        if state.trace is None and state.recorder is not None:
            for listener in state.stack:
                listener.assigned(self, tensor)

    def _swap(self, value: Any) -> None:
        """Hold another value, whatever this one is."""
        snapshot = wrap(value)
        snapshot._uid = self._uid
        if self._update_lock is None:  # no call until it is stored
            self._snapshot = snapshot
        else:
            with self._update_lock:
                self._snapshot = snapshot

    def _replace(self, before: Tensor, value: Any) -> bool:
        """Hold another value in place of `before`; False if another thread must be heeded."""
        snapshot = wrap(value)
        snapshot._uid = self._uid
        if self._snapshot is before and self._update_lock is None:  # no call until it is stored
            self._snapshot = snapshot
            return True
        return False

    def _change(self, function: Callable[[Any], Any]) -> None:
        """Hold a function of the value; changes by other threads come before or after it."""
        before = self._snapshot
        if self._update_lock is None and self._replace(before, function(before._value)):
            return
        with update_lock_of(self):
            before = self._snapshot
            self._swap(function(before._value))

    def _assign_changed(self, function: Callable[[Any], Any], given: Tensor) -> Any:
        """Assign a function of the bare value and of a tensor, like `_change`; listeners hear of
        it, and of the tensor."""
        before = self._snapshot
        tensor = wrap(function(before._value))
        self._tell(tensor)
        if given._uid:
            self._tell(given)
        if not self._replace(before, tensor._value):
            self._change(function)
        return UnreadVariable(self)

    # -- what it is ------------------------------------------------------------------------------
    @property
    def shape(self) -> TensorShape:
        return self._snapshot.shape if self._static_shape is None else self._static_shape

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def _type_spec(self) -> Any:
        """A VariableSpec, for what takes objects apart by their specs."""
        return _variable_spec(self.shape, self.dtype, self.trainable)

    @property
    def dtype(self) -> DType:
        return self._snapshot.dtype

    @property
    def ndim(self) -> int | None:
        return self.shape.rank

    @property
    def name(self) -> str:
        return self._name + ":0"

    @property
    def _shared_name(self) -> str:
        return self._name

    @property
    def _unique_id(self) -> str:
        return f"{self._name}_{self._uid}"

    @property
    def trainable(self) -> bool:
        return self._trainable

    @property
    def constraint(self) -> Any:
        return self._constraint

    @property
    def synchronization(self) -> VariableSynchronization:
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        return self._aggregation

    @property
    def device(self) -> str:
        return vars(self).get("_placed_on") or self._snapshot.device

    @property
    def handle(self) -> Variable:
        return self

    @property
    def initializer(self) -> None:
        return None

    @property
    def initial_value(self) -> Any:
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    @property
    def op(self) -> Any:
        trace: Any = state.trace
        if trace is not None:  # that of the last assignment, or of the value it began with
            return trace.operation_of(trace.value_of(trace.read(self)))
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    def set_shape(self, shape: Any) -> None:
        """Say what the shape is; it must agree with what is known of it."""
        self._static_shape = self.shape.merge_with(shape)

    # -- reading ---------------------------------------------------------------------------------
    def is_initialized(self, name: str | None = None) -> Tensor:
        return wrap(np.True_)

    if TYPE_CHECKING:  # attached by `elementwise_ops`, whose `read_variable` it calls
        def value(self) -> Tensor: ...

    def read_value(self) -> Tensor:
        return self.value()

    def initialized_value(self) -> Tensor:
        raise NotImplementedError

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Tensor:
        return convert(self.value(), dtype)

    def numpy(self) -> Any:
        return read(self).numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return read(self).__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(read(self))

    def __int__(self) -> int:
        return int(read(self))

    def __float__(self) -> float:
        return float(read(self))

    def __complex__(self) -> complex:
        return complex(read(self))

    def __len__(self) -> int:
        return len(read(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __iter__(self):
        return iter(self.value())

    # -- assignment ------------------------------------------------------------------------------
    def assign(self, value: Any, use_locking: bool = False, name: str | None = None,
               read_value: bool = True) -> Any:
        """Replace the value; shape and dtype are checked before anything changes."""
        tensor = convert(value, self.dtype)
        if not self.shape.is_compatible_with(tensor.shape):
            raise ValueError(f"Cannot assign value to variable ' {self.name}': Shape mismatch."
                             f"The variable shape {self.shape}, and the assigned value shape "
                             f"{tensor.shape} are incompatible.")
        return self._set(tensor, tensor, read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        """Add `delta` (of this very shape) to the value."""
        return self._update("AssignAddVariableOp", delta, np.add, read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        """Subtract `delta` (of this very shape) from the value."""
        return self._update("AssignSubVariableOp", delta, np.subtract, read_value)

    def _tell(self, tensor: Tensor) -> None:
        """Listeners hear of an assignment: it counts as a read, and cuts gradients."""
        if state.recorder is not None:
            state.recorder.read(self)
            for listener in state.stack:
                listener.assigned(self, tensor)

    def _update(self, op_name: str, delta: Any, combine: Any, read_value: bool) -> Any:
        if isinstance(delta, IndexedSlices) and delta.dense_shape is not None:
            variable: Any = self  # its scatter methods are defined with the ops
            change = variable.scatter_add if combine is np.add else variable.scatter_sub
            return change(delta)
        if state.trace is not None:
            return self._traced_update(delta, combine, read_value)
        if type(delta) is not Tensor or delta._value.dtype is not self._snapshot._value.dtype:
            delta = convert(delta, self.dtype)
        before = self._snapshot
        now, change = before._value, delta._value
        if now.shape != change.shape:
            raise errors.invalid(op_name, (
                f"Cannot update variable with shape {_brackets(now.shape)} using a Tensor with "
                f"shape {_brackets(change.shape)}, shapes must be equal."))
        self._tell(delta)
        try:
            result = combine(now, change)
        except unsignalled(RuntimeWarning, FloatingPointError):
            result = _quietly(combine, change, now)
        if not self._replace(before, result):
            self._change(functools.partial(_quietly, combine, change))
        return UnreadVariable(self) if read_value else None

    def _traced_update(self, delta: Any, combine: Any, read_value: bool) -> Any:
        now, delta = read(self), convert(delta, self.dtype)
        if not now.shape.is_compatible_with(delta.shape):
            raise ValueError(f"Cannot update variable {self.name!r} of shape {now.shape} with a "
                             f"tensor of shape {delta.shape}: shapes must be equal.")
        return self._set(now + delta if combine is np.add else now - delta, delta, read_value)

    def _set(self, tensor: Tensor, told: Tensor, read_value: bool) -> Any:
        """Store a value that has been checked; inside a trace, at this point of the program."""
        self._tell(told)
        if state.trace is not None:
            state.trace.assign(self, tensor)
            return self if read_value else None
        self._swap(tensor._value)
        return UnreadVariable(self) if read_value else None

    # -- identity and text -------------------------------------------------------------------------
    def ref(self) -> Reference:
        return Reference(self)

    def __hash__(self) -> int:
        if state.trace is not None and state.trace.home_graph() is not None:
            return id(self)  # in a function of a tf.Graph
        raise TypeError("Variable is unhashable. Instead, use variable.ref() as the key. "
                        f"(Variable: {self!r})")

    def __deepcopy__(self, memo: dict) -> Variable:
        copy = Variable(wrap(self._snapshot._value), trainable=self._trainable, name=self._name,
                        constraint=self._constraint, synchronization=self._synchronization,
                        aggregation=self._aggregation, shape=self._static_shape)
        memo[id(self)] = copy
        return copy

    def __reduce__(self):
        return _unpickle, (np.asarray(self._snapshot._value), self.dtype.name, self._trainable,
                           self._name, self._static_shape)

    def __repr__(self) -> str:
        return formatting.variable_repr(self.name, self.shape, self.dtype, self._snapshot._value)

    __str__ = __repr__


def twin_of(variable: Variable, value: Any = None) -> Variable:
    """A variable with the name, uid and value of another, or a value of its own; they change apart.
    """
    twin = object.__new__(Variable)
    for name in Variable.__slots__:
        if not name.startswith("__"):
            setattr(twin, name, getattr(variable, name))
    twin._update_lock = new_update_lock()
    if value is not None:
        twin._swap(value)
    return twin


class UnreadVariable(Variable):
    """What an assignment returns: the same variable, for whoever reads it."""

    __slots__ = ("_owner",)

    def __init__(self, owner: Variable):
        self._owner = owner._owner if isinstance(owner, UnreadVariable) else owner

    def __repr__(self) -> str:
        return formatting.variable_repr("UnreadVariable", self.shape, self.dtype,
                                        self._snapshot._value)

    __str__ = __repr__

    @property
    def op(self) -> Any:
        return None if state.trace is None else self._owner.op

    def _swap(self, value: Any) -> None:
        self._owner._swap(value)

    def _replace(self, before: Tensor, value: Any) -> bool:
        return self._owner._replace(before, value)

    def _change(self, function: Callable[[Any], Any]) -> None:
        self._owner._change(function)


def _as_registered(self: Any, dtype: DType | None = None, name: str | None = None) -> Tensor:
    """What tf.register_tensor_conversion_function says of the class, else the value."""
    found = registered(self, dtype)
    return convert(self.value(), dtype) if found is None else found


def _of_value(operator: str) -> Callable:
    def of_value(self: Any, *others: Any) -> Any:
        return getattr(self.value(), operator)(*others)

    of_value.__name__ = operator
    return of_value


def _refuse(symbol: str, instead: str) -> Any:
    def refuse(self: Variable, other: Any) -> Any:
        raise RuntimeError(f"`variable {symbol} value` with `tf.Variable`s is not supported. Use "
                           f"`{instead}` to modify the variable or `out = variable "
                           f"{symbol[:-1]} value` if you need to get a new output Tensor.")

    return refuse


for _method, _symbol, _instead in (
        ("__iadd__", "+=", "variable.assign_add(value)"),
        ("__isub__", "-=", "variable.assign_sub(value)"),
        ("__imul__", "*=", "variable.assign(variable * value)"),
        ("__itruediv__", "/=", "variable.assign(variable / value)"),
        ("__ipow__", "**=", "variable.assign(variable ** value)")):
    setattr(Variable, _method, _refuse(_symbol, _instead))

VariableBase.__new__.__wrapped__ = Variable.__init__  # type: ignore[attr-defined]  # signature
VariableBase.__name__ = VariableBase.__qualname__ = "Variable"
VariableBase.__module__ = "tensorflow.python.ops.variables"
Variable.__name__ = Variable.__qualname__ = "ResourceVariable"
UnreadVariable.__name__ = UnreadVariable.__qualname__ = "_UnreadVariable"
Variable.__module__ = UnreadVariable.__module__ = "tensorflow.python.ops.resource_variable_ops"


def _delegate(name: str) -> property:
    return property(lambda self: getattr(self._owner, name))


for _slot in ("_aggregation", "_constraint", "_name", "_snapshot", "_static_shape",
              "_synchronization", "_trainable", "_uid", "_update_lock"):
    setattr(UnreadVariable, _slot, _delegate(_slot))


def _initial(given: Any, dtype: DType | None) -> Tensor:
    if callable(given) and not isinstance(given, (Tensor, VariableBase)):
        given = given()
    return convert(given, dtype)


def _quietly(combine: Callable, change: Any, now: Any) -> Any:
    with np.errstate(all="ignore"):
        return combine(now, change)


def _brackets(shape: tuple) -> str:
    return "[" + ",".join(str(n) for n in shape) + "]"


def _unpickle(value: np.ndarray, dtype: str, trainable: bool, name: str, shape: Any) -> Variable:
    return Variable(wrap(value.astype(dtypes.as_dtype(dtype).np, copy=False)), trainable=trainable,
                    name=name, shape=shape)
