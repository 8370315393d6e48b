"""The eager Tensor: an immutable NumPy value with an identity.

`_value` is an ndarray or, for most scalars, a NumPy scalar: NumPy computes with its scalars about
four times as fast as with 0-d arrays, and both have shape and dtype. `_uid` is 0 until a tape or an
accumulator has to tell this tensor from others. Operators and `__copy__` are attached beside the
records that they call; methods that need no op are here. Subclasses that are run by an interpreter
(a batch level, a graph) set `_interpreter`. May be imported by everything above `base`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import update_wrapper
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tapeflow.base import dtypes, errors, formatting
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.state import state

next_uid = itertools.count(1).__next__
_uid_lock = new_lock()


def turns(first: int, period: int) -> Callable[[], bool]:
    """Says True `first` times, then once in a period."""
    return itertools.chain(itertools.repeat(True, first),
                           itertools.cycle([*[False] * (period - 1), True])).__next__


ndarray = np.ndarray
float32 = np.float32
vdot = np.vdot
_tensor_shape = TensorShape._of

# A tape was made: from then on what leaves for Python is looked at, whether it is finite.
trains = False
LOOKED_AT = 1 << 13  # elements of an array
# Whether to look at an array that leaves: at the first ones, then at every 16th.
_its_turn = turns(128, 16)


class Operators:
    """The operators that `ops` attaches to tensors and variables, for type checkers."""

    __slots__ = ()

    if TYPE_CHECKING:
        def __getitem__(self, key: Any) -> Any: ...
        def __iter__(self) -> Iterator[Any]: ...
        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __matmul__(self, other: Any) -> Any: ...
        def __rmatmul__(self, other: Any) -> Any: ...
        def __and__(self, other: Any) -> Any: ...
        def __rand__(self, other: Any) -> Any: ...
        def __or__(self, other: Any) -> Any: ...
        def __ror__(self, other: Any) -> Any: ...
        def __xor__(self, other: Any) -> Any: ...
        def __rxor__(self, other: Any) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __invert__(self) -> Any: ...
        def __pos__(self) -> Any: ...


@export("__internal__.types.Tensor")
class AnyTensor:
    """What stands for a tensor: tensors, variables, and classes of libraries that act as one."""

    __slots__ = ()


class CompositeTensor:
    """A value made of several tensors, or of a tensor and an identity: slices, variables."""

    __slots__ = ()
    _counts_as_tensor = False  # for tf.is_tensor: slices, sparse and ragged tensors do

    if TYPE_CHECKING:
        dtype: Any


class NumpyMethod:
    """In place of a method that tensors have only with NumPy's behaviour: says how to get it."""

    __slots__ = ("name",)
    hint = ("If you are looking for numpy-related methods, call "
            "tf.experimental.numpy.experimental_enable_numpy_behavior() first.")

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        raise AttributeError(f"{owner.__name__} object has no attribute '{self.name}'. {self.hint}")


class VariableAttribute(NumpyMethod):
    """What optimizers ask of variables."""

    hint = "It is no variable: apply_gradients takes zip(gradients, variables), in this order."


@export("Tensor")
class TensorBase(Operators, AnyTensor):
    """Public `tf.Tensor`: what eager, batched and symbolic tensors are instances of."""

    _unique_id = VariableAttribute()

    __slots__ = ()
    __array_priority__ = 100

    # What libraries copy to classes of their own that act as tensors.
    OVERLOADABLE_OPERATORS: ClassVar[set[str]] = {
        "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__",
        "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__lt__", "__le__",
        "__gt__", "__ge__", "__ne__", "__eq__", "__and__", "__rand__", "__or__", "__ror__",
        "__xor__", "__rxor__", "__getitem__", "__pow__", "__rpow__", "__invert__", "__neg__",
        "__abs__", "__matmul__", "__rmatmul__"}

    T: Any = NumpyMethod()
    astype: Any = NumpyMethod()
    clip: Any = NumpyMethod()
    data: Any = NumpyMethod()
    ravel: Any = NumpyMethod()
    reshape: Any = NumpyMethod()
    size: Any = NumpyMethod()
    tolist: Any = NumpyMethod()
    transpose: Any = NumpyMethod()

    def __init__(self, *args: Any, **kwargs: Any):
        raise TypeError("tf.Tensor is not built directly: use tf.constant or tf.convert_to_tensor.")

    def __bool__(self) -> bool:  # as TensorFlow's: that of eager tensors is their own
        raise not_in_graphs("Using a symbolic `tf.Tensor` as a Python `bool`")

    __nonzero__ = __bool__  # by its name in Python 2: libraries copy both


class Tensor(TensorBase):
    """A multi-dimensional array of one dtype, as `tf.constant(...)` and every op return it."""

    __slots__ = ("_value", "_uid", "__dict__", "__weakref__")
    _interpreter: Any = None
    _global: Any = None  # of a tensor over a mesh of devices: its value as a plain Tensor
    _symbol: Any = None  # of a constant of a tf.Graph: the graph's tensor
    _traced = False  # made by tf.constant, ones or zeros in a trace: symbolic to Python there
    __array_priority__ = 100

    _value: Any
    _uid: int
    _origin: Any  # of a slice of a variable: (variable, key), for its `assign`
    _dynamic_shape: Any  # of a symbolic tensor
    _promotes: ClassVar[bool]  # after experimental_enable_numpy_behavior

    # -- shape and type ------------------------------------------------------------------------
    @property
    def shape(self) -> TensorShape:
        return _tensor_shape(self._value.shape)

    @property
    def dtype(self) -> DType:
        return dtypes.of(self._value.dtype)

    @property
    def ndim(self) -> int:
        return self._value.ndim

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with supplied shape "
                             f"{TensorShape(shape)}")

    @property
    def device(self) -> str:
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    @property
    def backing_device(self) -> str:
        return self.device

    def cpu(self) -> Tensor:
        return self

    @property
    def name(self) -> str:
        return self._in_graph("name").name

    @property
    def op(self):
        return self._in_graph("op").op

    @property
    def graph(self):
        return self._in_graph("graph").graph

    def _in_graph(self, asked: str) -> Any:
        """A constant as a tensor of its tf.Graph, or of the function that is being traced."""
        if self._symbol is not None:
            return self._symbol
        trace: Any = state.trace
        if trace is None:
            raise AttributeError(f"Tensor.{asked} is undefined when eager execution is enabled.")
        return trace.symbolic(trace.value_of(self))

    def consumers(self) -> list:
        trace: Any = self._interpreter or state.trace  # of a constant
        if self._symbol is not None:
            trace = self._symbol.graph
        if trace is None:
            raise NotImplementedError("Tensor.consumers is undefined when eager execution is "
                                      "enabled.")
        return trace.consumers_of(trace.value_of(self))

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        if self._symbol is not None:
            return self._symbol.eval(feed_dict, session)
        if state.trace is not None:  # a constant of a graph
            return state.trace.evaluate(self, feed_dict, session)
        raise NotImplementedError("eval is not supported when eager execution is enabled, is "
                                  ".numpy() what you're looking for?")

    # -- to NumPy and Python ---------------------------------------------------------------------
    def numpy(self) -> Any:
        """The value as a NumPy array (a copy) or, for scalars, a NumPy scalar."""
        if self._uid and state.recorder is not None:
            escaped(self)
        value = self._value
        if type(value) is float32:  # a loss, mostly
            if trains and not isfinite(value):
                not_finite_fetched(self)
            return value
        if type(value) is not ndarray:
            if trains and not finite_scalar(value):
                not_finite_fetched(self)
            return value
        if trains and _its_turn() and not looks_finite(value):
            not_finite_fetched(self)
        return value.copy() if value.ndim else value[()]

    def _numpy(self) -> Any:
        return self._value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if state.recorder is not None and self._uid:
            escaped(self)
            array_taken(self)
        value = np.asarray(self._value)
        if trains and (not value.ndim or _its_turn()) and not looks_finite(value):
            not_finite_fetched(self)
        if dtype is not None and value.dtype != dtype:
            return value.astype(dtype)
        if copy:
            return value.copy()
        view = value.view()
        view.flags.writeable = False
        return view

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None):
        escaped(self)
        value = np.asarray(self._value)
        if max_version is not None and max_version >= (1, 0) and not copy:
            value = value.view()
            value.flags.writeable = False  # tensors do not change; older consumers cannot be told
        given: dict[str, Any] = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
        return value.__dlpack__(**{name: one for name, one in given.items() if one is not None})

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __bool__(self) -> bool:
        value = self._value
        if self._traced and state.trace is not None:
            raise not_in_graphs("Using a symbolic `tf.Tensor` as a Python `bool`")
        escaped(self)
        if not value.size:  # NumPy would not say
            return False
        return bool(value[()] if value.dtype.kind == "O" else value)

    __nonzero__ = __bool__

    def __int__(self) -> int:
        escaped(self)
        return int(self._one())

    def __float__(self) -> float:
        escaped(self)
        value = float(self._one())
        if trains and not isfinite(value):
            not_finite_fetched(self)
        return value

    def __complex__(self) -> complex:
        escaped(self)
        return complex(self._one())

    def __index__(self) -> int:
        value = self._value
        if value.ndim or value.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        escaped(self)
        return int(self._one())

    def _one(self) -> Any:
        value = self._value
        if self._traced and state.trace is not None:
            raise TypeError(f"Cannot turn the symbolic tensor {self!r} into a Python number while "
                            "a tf.function is traced.")
        if value.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return value[()]

    def __len__(self) -> int:
        if not self._value.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        if self._traced and state.trace is not None:
            raise TypeError("len is not well defined for a symbolic Tensor. Please call `x.shape` "
                            "rather than `len(x)` for shape information.")
        return self._value.shape[0]

    def __round__(self, ndigits: int | None = None):
        return round(float(self), ndigits) if ndigits is not None else round(float(self))

    def __format__(self, spec: str) -> str:
        value = self._value  # printing is no use of the value: listeners need not know
        if not value.ndim:
            value = value[()]
            if trains and not finite_scalar(value):
                not_finite_fetched(self)
            return format(value.item() if spec and hasattr(value, "item") else value, spec)
        if trains and not looks_finite(value):
            not_finite_fetched(self)
        return format(value, spec)

    # -- identity --------------------------------------------------------------------------------
    def __hash__(self) -> int:
        if self._symbol is not None and state.trace is not None:
            return id(self)
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def ref(self) -> Reference:
        """A hashable reference to this tensor."""
        return Reference(self)

    @property
    def _id(self) -> int:
        return uid_of(self)

    def __deepcopy__(self, memo: dict) -> Tensor:
        return self  # immutable

    def __reduce__(self):
        return _unpickle, (np.asarray(self._value), self.dtype.name)

    # -- text --------------------------------------------------------------------------------------
    def __str__(self) -> str:
        if self._symbol is not None:
            return str(self._symbol)
        if trains and not looks_finite(np.asarray(self._value)):
            not_finite_fetched(self)
        return formatting.tensor_str(self._value, self.dtype)

    def __repr__(self) -> str:
        if self._symbol is not None:
            return repr(self._symbol)
        if trains and not looks_finite(np.asarray(self._value)):
            not_finite_fetched(self)
        return formatting.tensor_repr(self._value, self.dtype)


def lend(public: type, concrete: type) -> None:
    """Show the methods of the class that does the work on the public class too.

    Done when `ops` has attached all operators.
    """
    for name, value in vars(concrete).items():
        if name in TensorBase.OVERLOADABLE_OPERATORS:
            setattr(public, name, lent(name, value, concrete))
        elif (callable(value) or isinstance(value, property)) and name not in vars(public):
            setattr(public, name, value)


# borrowed(name, operands): an operator in a class that copied it from tf.Tensor. Set by
# `api/internal/op_dispatch.py`.
borrowed: Callable[[str, tuple], Any] | None = None


def lent(name: str, method: Callable, owner: type) -> Callable:
    """An operator of a class of tensors, for them and for classes of libraries that copy it."""

    def operator(self: Any, *others: Any) -> Any:
        if borrowed is None or isinstance(self, owner):
            return method(self, *others)
        return borrowed(name, (self, *others))

    return update_wrapper(operator, method)


# The names that programs print with `type(x)` and that libraries look for.
AnyTensor.__name__ = AnyTensor.__qualname__ = "Tensor"
AnyTensor.__module__ = "tensorflow.python.types.core"
CompositeTensor.__module__ = "tensorflow.python.framework.composite_tensor"
TensorBase.__name__ = TensorBase.__qualname__ = "Tensor"
TensorBase.__module__ = "tensorflow.python.framework.tensor"
Tensor.__name__ = Tensor.__qualname__ = "EagerTensor"
Tensor.__module__ = "tensorflow.python.framework.ops"
TensorSpec.value_type = TensorBase


class Reference:
    """Hashable by the identity of what it refers to; `deref()` gives that back."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any):
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __lt__(self, other: object) -> bool:
        """Some order, so that a dict of references can be sorted by its keys."""
        if not isinstance(other, Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return id(self._wrapped) < id(other._wrapped)

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


_new = object.__new__


def wrap(value: Any) -> Tensor:
    """A Tensor around an ndarray or NumPy scalar that nobody else will change."""
    tensor = _new(Tensor)
    tensor._value = value
    tensor._uid = 0
    return tensor


def _unpickle(value: np.ndarray, name: str) -> Tensor:
    return wrap(value.astype(dtypes.as_dtype(name).np, copy=False))


def uid_of(tensor: Any) -> int:
    """This tensor's identity for tapes, given at the first need."""
    uid = tensor._uid
    if not uid:
        with _uid_lock:
            uid = tensor._uid
            if not uid:
                uid = tensor._uid = next_uid()
    return uid


def of_trace(tensor: Tensor, name: str | None = None) -> Tensor:
    """A new constant; in a trace it is symbolic to Python, as TensorFlow's are."""
    if state.trace is not None and type(tensor) is Tensor:
        tensor._traced = True
        state.trace.note_constant(tensor, name or "Const")
    return tensor


def not_in_graphs(what: str) -> Exception:
    """The error for what Python asks of a tensor whose value a trace does not know."""
    return errors.OperatorNotAllowedInGraphError(
        f"{what} is not allowed. You can attempt the following resolutions to the problem: If you "
        "are running in Graph mode, use Eager execution mode or decorate this function with "
        "@tf.function. If you are using AutoGraph, you can try decorating this function with "
        "@tf.function.")


# Not complex numbers, of which `isfinite` sees the real part.
_REAL = frozenset([np.float32, np.float64, np.int32, np.int64, np.bool_])


def finite_scalar(value: Any) -> bool:
    """Whether a scalar that leaves is finite."""
    kind = type(value)
    if kind in _REAL:
        return isfinite(value)
    dtype = getattr(value, "dtype", None)
    return (dtype is None or dtype.kind not in "fcV" or kind is ndarray
            or bool(abs(value) < inf))


def looks_finite(value: np.ndarray) -> bool:
    """Whether an array that leaves is finite, by one product; of a large one a part is looked at.
    """
    if value.dtype.kind != "f":
        return True
    if value.size > LOOKED_AT:
        value = value.reshape(-1)[::value.size // LOOKED_AT] if value.flags.c_contiguous else (
            value[(0,) * (value.ndim - 1)])
    return isfinite(vdot(value, value)) or bool(np.isfinite(value).all())


def not_finite_fetched(tensor: Tensor) -> None:
    """A NaN or infinity is read or printed; `tapeflow/_wiring.py` connects who is told."""


def array_taken(tensor: Tensor) -> None:
    """NumPy took a value while something listens; `_wiring.py` puts a warning here."""


def escaped(tensor: Tensor) -> None:
    """Tell the listeners that a value left for plain Python, where no tape can follow it."""
    if state.recorder is not None and tensor._uid:
        for member in state.stack:
            member.escaped(tensor)
