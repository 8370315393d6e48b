"""The op record, and what happens when an op is called.

`define(...)` takes all that an op is and returns its *call*: a plain function over operands, with
the record at `.op`. Operands are Tensors (eager, batched or symbolic) and give Tensors; or they are
all bare NumPy values and give bare NumPy values, which is how the first-order walk of the tape runs
the very same rules without wrapping anything. Public functions, which convert what users pass, are
made from calls by `families.py` or written beside the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library, unsignalled
from tapeflow.base.exports import OWNERS, abandoned, executing
from tapeflow.core.record.traits import NO_TRAITS, Traits
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite, proxy_for
from tapeflow.core.values.tensor import Tensor, wrap

ndarray = np.ndarray
_new = object.__new__
BARE: frozenset[type] = frozenset({ndarray, *(
    scalar for scalar in np._core.sctypeDict.values() if isinstance(scalar, type))})  # type: ignore[attr-defined]
OPS: dict[str, Op] = {}  # what users can call, directly or not: docs/ops.md, generated tests
NAMED: dict[str, Op] = {}  # those and the internal ones, by the names that files hold
_observers: list[Callable[[Op], None]] = []  # of `observe_ops`
LARGE = 1 << 15

# dtype families for `dtypes=`; "V" is bfloat16's kind letter in NumPy.
FLOAT = "fV"
INEXACT = "fVc"
REAL = "fViu"
NUMERIC = "fViuc"
INTEGER = "iu"
ANY = "fViucbO"

# What one element costs on NumPy, for `cost=`.
CHEAP = 0  # NumPy is as quick as memory, and these ops are called most
MODERATE = 1
EXPENSIVE = 2  # more than memory does
VERY_EXPENSIVE = 3  # so much that native code pays for a few elements already


class Nondiff(str):
    """Stands in place of a vjp: the reason why there is no gradient, which explanations print."""

    advice: str


# What to do instead, for `NONDIFF(reason, advice)`.
DIFFERENTIABLE = "Write the computation with differentiable ops, or give it a tf.custom_gradient."
STRAIGHT_THROUGH = ("For a straight-through estimate use tf.grad_pass_through or "
                    "x + tf.stop_gradient(f(x) - x).")
SHAPE_ONLY = ("No change of its values would change the target: pass "
              "unconnected_gradients='zero' if you want zeros.")


def NONDIFF(reason: str, advice: str = DIFFERENTIABLE) -> Nondiff:
    found = Nondiff(reason)
    found.advice = advice
    return found


class OpCall(Protocol):
    """What `define` returns: the op's call, which knows its record."""

    op: Op

    def __call__(self, *xs: Any, **attrs: Any) -> Any: ...


class Op:
    """All that one op is; see `define` for the fields."""

    __slots__ = ("name", "tf_name", "kernel", "shape", "rules", "joint", "reason", "jvp", "batch",
                 "saves", "saves_out", "multi", "allowed", "stateful", "slices", "kind", "check",
                 "call", "args", "strings", "traits", "matching", "lower", "large", "least",
                 "unsavable", "cost", "advice", "__weakref__")

    name: str
    tf_name: str
    kernel: Callable
    shape: Callable
    rules: tuple | None
    joint: Callable | None
    reason: str | None
    jvp: Callable | None
    batch: Callable | None
    saves: Any
    saves_out: bool
    multi: bool
    allowed: frozenset[str]
    stateful: bool
    slices: bool
    kind: str
    check: Any
    call: Any  # an OpCall
    args: tuple[str, ...]
    strings: Callable | None
    traits: Traits
    matching: Any
    lower: Any
    large: Callable | None
    least: int
    unsavable: str
    cost: int
    advice: str

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def recover(self, error: Exception, xs: tuple, attrs: dict) -> Any:
        """After a kernel failed: run it again without floating-point warnings, or explain."""
        if not from_library(error):
            raise error
        if isinstance(error, _WARNINGS):
            with np.errstate(all="ignore"):
                return self.kernel(*xs, **attrs)
        if isinstance(error, ValueError) and "broadcast" in str(error):
            shapes = " vs. ".join(_brackets(np.shape(x)) for x in xs)
            raise errors.invalid(self.tf_name, f"Incompatible shapes: {shapes}") from None
        if isinstance(error, MemoryError):
            raise errors.exhausted(self.tf_name, str(error)) from None
        if not isinstance(error, _KERNELS):
            raise error
        raise errors.invalid(self.tf_name, f"{type(error).__name__}: {error}") from error


_WARNINGS = (RuntimeWarning, FloatingPointError)

# What kernels raise that is to be explained; what else there is comes from somewhere else.
_KERNELS = (ArithmeticError, LookupError, AttributeError, AssertionError, NotImplementedError,
            RuntimeWarning)


def _brackets(shape: tuple) -> str:
    return "[" + ",".join(str(n) for n in shape) + "]"


def define(name: str, *, kernel: Callable, shape: Callable, vjp: Any, jvp: Callable | None = None,
           batch: Callable | None = None, saves: str = "", args: tuple[str, ...] = ("x",),
           multi: bool = False, dtypes: str = ANY, stateful: bool = False, slices: bool = False,
           kind: str = "opaque", check: Any = None, tf_name: str | None = None,
           internal: bool = False, unsavable: str = "", private: bool = False,
           lower: Any = None, cost: int = MODERATE) -> OpCall:
    """Register an op and return its call.

    kernel   bare operands and keyword attributes -> bare result (a tuple of them if `multi`)
    shape    Specs of the operands and attributes -> Spec of the result (a tuple if `multi`)
    vjp      one rule per operand, `rule(g, y, *xs, **attrs)`, None where there is no gradient; or
             one callable that returns a tuple for all operands; or NONDIFF("reason")
    jvp      `jvp(ts, y, *xs, **attrs)`: tangent of the result, `ts` has None for no tangent;
             left out, it is made from the vjp
    batch    `batch(call, size, xs, batched, attrs)`: the op over a leading batch axis
    saves    what rules need beyond shapes: "in", "in0", "in1", "out", or several of them
    args     names of the operands; `("*values",)` for any number of them
    multi    the op returns a tuple
    dtypes   kind letters of the dtypes that operands may have
    stateful the op draws random numbers or has effects: never folded, shared or dropped
    slices   the rule takes IndexedSlices as they are
    kind     what a compiler sees in it: elementwise, reduce, move, contract, random, control or
             opaque
    check    sample inputs (`tapeflow.core.record.samples`), from which the op's tests are made
    internal belongs to graphs or to one module: known by its name, but not listed in `OPS`
    unsavable  why no file may name the op: it calls Python, it writes files
    private  made for one user function (a custom gradient): not registered
    lower    its form in native code (`lowering_forms.py`); None: the kernel is called
    cost     what one element costs on NumPy: CHEAP, MODERATE, EXPENSIVE or VERY_EXPENSIVE
    """
    op = _new(Op)
    op.name, op.kernel, op.shape, op.args = name, kernel, shape, args
    op.tf_name = tf_name or "".join(word.capitalize() for word in name.split("_"))
    op.reason = str(vjp) if isinstance(vjp, Nondiff) else None
    op.advice = vjp.advice if isinstance(vjp, Nondiff) else DIFFERENTIABLE
    op.rules = vjp if isinstance(vjp, tuple) else None
    op.joint = vjp if callable(vjp) and not isinstance(vjp, Nondiff) else None
    op.jvp, op.batch = jvp, batch
    words = saves.split()
    many = args[0].startswith("*") if args else False
    op.saves = ("in" in words) if many else tuple(
        "in" in words or f"in{i}" in words for i in range(len(args)))
    op.saves_out = "out" in words
    op.multi, op.stateful, op.slices, op.kind, op.check = multi, stateful, slices, kind, check
    op.allowed = frozenset(dtypes)
    op.lower = lower
    op.large = None  # another kernel for large operands (ops/_support/large_operands.py)
    op.least = LARGE  # how many elements are large
    op.strings = None  # the kernel on strings, for the few ops that have one
    op.traits = NO_TRAITS
    op.matching = False  # all operands must have one dtype
    op.unsavable, op.cost = unsavable, cost
    if not private:
        _register(op, internal)
    return specialise(op, _general_call(op))


def _register(op: Op, internal: bool) -> None:
    if NAMED.setdefault(op.name, op) is not op:
        if not abandoned(OWNERS.get(f"op {op.name}")):
            raise ValueError(f"the op {op.name} is defined twice")
        NAMED[op.name] = op
    OWNERS[f"op {op.name}"] = executing()
    if not internal:
        OPS[op.name] = op
        for observer in _observers:
            observer(op)


def _general_call(op: Op) -> Callable:
    kernel, multi = op.kernel, op.multi

    def call(*xs, **attrs):
        for x in xs:
            if type(x) is not Tensor:
                if len(xs) == 1 and type(x) in BARE and state.trace is None and not op.stateful:
                    return (op.large or kernel)(x, **attrs)
                return apply(op, xs, attrs)
        if state.trace is not None:
            if _seen_by_trace(op, attrs):
                return apply(op, xs, attrs)
        elif op.stateful and drawing(op) is not None:
            return apply(op, xs, attrs)
        values = [x._value for x in xs]
        for value in values:
            if value.dtype.kind not in op.allowed:
                raise wrong_dtype(op, value)
        try:
            result = (op.large or kernel)(*values, **attrs)
        except unsignalled(Exception) as error:
            if fails_later(error):
                return apply_later(op, xs, attrs)
            result = op.recover(error, tuple(values), attrs)
        ys = tuple([wrap(r) for r in result]) if multi else wrap(result)
        if state.recorder is not None:
            state.recorder.note(op, xs, ys, attrs)
        return ys

    return call


def fails_later(error: Exception) -> bool:
    """Whether a call on constants that failed is to be a node of the graph under construction.

    A node fails when it runs, if it does: the branch that it is in may never be taken.
    """
    return (state.trace is not None and not isinstance(error, _WARNINGS)
            and from_library(error))


def apply_later(op: Op, xs: tuple, attrs: dict) -> Any:
    """A node that calls an op on constants; what is wrong with their shapes is refused now."""
    trace: Any = state.trace
    return trace.run(op, xs, attrs)


def observe_ops(observer: Callable[[Op], None]) -> None:
    """Call `observer(op)` for every op in `OPS`: for those there are now, and for each to come.

    A record to come is complete by then but for its call and what stands beside it: its traits.
    """
    for op in OPS.values():
        observer(op)
    _observers.append(observer)


def specialise(op: Op, call: Any) -> OpCall:
    """Give an op its call: the general one, or a quicker one with the same meaning."""
    op.call = call
    call.op = op
    call.__name__ = op.name
    return call


def drawing(op: Op) -> Any:
    """The vectorised map inside which a random op must draw for each element, or None."""
    if op.kind == "random":
        for one in reversed(state.stack):
            if getattr(one, "draws", False):
                return one
    return None


def apply(op: Op, xs: tuple, attrs: dict) -> Any:
    """Call an op whatever the operands are: bare, mixed with Python scalars, batched, symbolic.

    Of the interpreters of the operands the one of the highest level runs the op; random ops belong
    to the map around them, what a trace must see to the trace. Without one, bare operands go to the
    kernel, all others to the op's eager call.
    """
    trace = state.trace
    if trace is not None and not op.stateful:
        for x in xs:
            if type(x) is not trace.tensor_type:
                break
        else:
            if xs:
                return trace.run(op, xs, attrs)
    first_tensor, interpreter, mixed = None, None, False
    for x in xs:
        if isinstance(x, Tensor):
            if first_tensor is None:
                first_tensor = x
            own = x._interpreter
            if own is not interpreter and own is not None:
                interpreter = own if interpreter is None else _higher(interpreter, own)
        elif isinstance(x, Composite):
            return apply(op, _with_proxies(xs), attrs)
        else:
            mixed = True
    if op.stateful:
        interpreter = _higher(interpreter, drawing(op))
    if interpreter is None:
        if _seen_by_trace(op, attrs):
            interpreter = state.trace
        elif first_tensor is None and xs and trace is None:
            return (op.large or op.kernel)(*xs, **attrs)
    if mixed and first_tensor is not None:
        xs = tuple([x if isinstance(x, Tensor) else _adapt(x, first_tensor) for x in xs])
    if interpreter is not None:
        return interpreter.run(op, xs, attrs)
    return _eager(op, xs, attrs) if xs else _eager_constant(op, attrs)


def _higher(a: Any, b: Any) -> Any:
    """The interpreter of the higher level, the first of equal ones; either may be None."""
    return b if a is None or (b is not None and b.level > a.level) else a


def _with_proxies(xs: tuple) -> tuple:
    return tuple([proxy_for(x) if isinstance(x, Composite) else x for x in xs])


def _seen_by_trace(op: Op, attrs: dict) -> bool:
    """Whether a trace is under way that must see the op, though no operand is the trace's own.

    A loop or branch on constants is a node if a tape listens: without one it has no derivative.
    """
    return state.trace is not None and (
        op.stateful or op.kind == "control" and len(state.stack) > 1
        or any(isinstance(value, Tensor) for value in attrs.values()))


def _eager(op: Op, xs: tuple, attrs: dict) -> Any:
    xs = tuple([x if isinstance(x, Tensor) else wrap(x) for x in xs])
    return op.call(*xs, **attrs)


def _eager_constant(op: Op, attrs: dict) -> Any:
    """An op without operands."""
    try:
        result = op.kernel(**attrs)
    except unsignalled(Exception) as error:
        result = op.recover(error, (), attrs)
    ys = tuple([wrap(r) for r in result]) if op.multi else wrap(result)
    if state.recorder is not None:
        state.recorder.note(op, (), ys, attrs)
    return ys


def _adapt(x: Any, tensor: Tensor) -> Tensor:
    """A Python scalar or bare value among Tensors, as a rule writes it: `maximum(g, 0.0)`."""
    if type(x) in BARE:
        return wrap(x)
    return wrap(np.asarray(x, tensor.dtype.np)[()])


# The names that TensorFlow's runtime uses.
_SPELT = {"float32": "float", "float64": "double", "float16": "half"}


def wrong_dtype(op: Op, value: Any) -> Exception:
    given = tf_dtypes.of(value.dtype).name
    given = _SPELT.get(given, given)
    names = {"f": "half, float, double", "V": "bfloat16", "i": "int8, int16, int32, int64",
             "u": "uint8, uint16, uint32, uint64", "c": "complex64, complex128", "b": "bool",
             "O": "string"}
    allowed = ", ".join(names[kind] for kind in "fViucbO" if kind in op.allowed)
    return errors.invalid(op.tf_name, f"Value for attr 'T' of {given} is not in the list of "
                                      f"allowed values: {allowed}")


def mismatch(op: Op, a: Any, b: Any) -> Exception:
    """Two operands of different dtypes: TensorFlow never promotes."""
    first, second = tf_dtypes.of(a.dtype).name, tf_dtypes.of(b.dtype).name
    return errors.invalid(op.tf_name, (
        f"cannot compute {op.tf_name} as input #1(zero-based) was expected to be a "
        f"{_SPELT.get(first, first)} tensor but is a {_SPELT.get(second, second)} tensor"))


class Outline:
    """What stays of a tensor that a rule does not need: its shape and dtype."""

    __slots__ = ("shape", "dtype")

    def __init__(self, shape: tuple, dtype: Any):
        self.shape = shape
        self.dtype = dtype

    @property
    def _value(self) -> Outline:
        return self

    @property
    def ndim(self) -> int:
        return len(self.shape)


class Spec:
    """Static shape (a tuple with None for unknown sizes, or None for unknown rank) and dtype.

    `dtype` is a NumPy dtype. Shape rules take and return Specs.
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple | None, dtype: Any):
        self.shape = shape
        self.dtype = dtype

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Spec) and self.shape == other.shape
                and self.dtype == other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"Spec({self.shape}, {self.dtype})"


def shape_of(x: Any) -> tuple:
    """Static shape as a tuple: of a Tensor, a bare value or an Outline; None for unknown sizes."""
    if type(x) is Tensor:
        return x._value.shape
    shape = x.shape
    if type(shape) is tuple:
        return shape
    if shape._dims is None:
        raise errors.UnknownSize("as_list() is not defined on an unknown TensorShape.")
    return shape._dims


def same_shape(a: Any, b: Any) -> bool:
    """Whether two operands are known to have one shape."""
    if a.ndim is None or a.ndim != b.ndim:
        return False
    shape = shape_of(a)
    return shape == shape_of(b) and None not in shape


def value_of(x: Any) -> Any:
    """The bare value of an eager operand."""
    return x._value if isinstance(x, Tensor) else x
