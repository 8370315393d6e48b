"""Tracing: runs Python with symbolic tensors and builds a Graph of the ops that it calls.

A `Trace` is the interpreter of one trace: ops with a Symbolic operand (or with an effect) become
nodes. It also listens at the bottom of the stack, so that reading a variable gives what the graph
knows of it: the Value it began with, or the last one written. Constants fold by themselves: an op
on eager tensors only runs at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.dtypes import DType
from tapeflow.base.origins import from_handler
from tapeflow.base.shapes import TensorShape
from tapeflow.core import scopes
from tapeflow.core import state as states
from tapeflow.core.op import NONDIFF, OPS, Op, Spec, define, know
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, not_in_graphs, wrap
from tapeflow.graph import ir

_new = object.__new__


class _Range(NamedTuple):
    """A slice of an index as a structure: its bounds may be tensors."""

    start: Any
    stop: Any
    step: Any


def _indexed(x: Tensor, items: list) -> Tensor:
    return x[tuple([slice(*item) if isinstance(item, _Range) else item for item in items])]


class Symbolic(Tensor):
    """A tensor of a graph under construction: shape and dtype are known, the value is not."""

    __slots__ = ("_interpreter", "_ir")
    _ir: ir.Value

    @property
    def _value(self) -> Any:  # type: ignore[override]
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This error may "
            "indicate that you're trying to pass a Tensor to a NumPy call, which is not supported.")

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self._ir.shape)

    @property
    def dtype(self) -> DType:
        return tf_dtypes.of(self._ir.dtype)

    @property
    def ndim(self) -> int | None:  # type: ignore[override]
        return None if self._ir.shape is None else len(self._ir.shape)

    @property
    def name(self) -> str:
        value = self._ir
        if not value.name:
            value.name = self._interpreter.name_of(value)
        return value.name if ":" in value.name else f"{value.name}:{value.index}"

    @property
    def op(self) -> Any:
        return self._ir.node

    @property
    def graph(self) -> Any:
        return self._interpreter

    @property
    def device(self) -> str:
        return ""

    def set_shape(self, shape: Any) -> None:
        self._ir.shape = _tuple(self.shape.merge_with(shape))

    def _partial(self) -> Any:
        """What is known of the value, of an integer tensor."""
        from tapeflow.graph.partial import partial
        return partial(self._ir)

    def _dynamic_shape(self) -> Tensor:
        """The shape as a tensor, where parts of it are unknown."""
        return OPS["shape"].call(self, dtype=np.dtype("int32"))

    @property
    def numpy(self) -> Any:  # type: ignore[override]
        raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._value

    def __bool__(self) -> bool:
        raise not_in_graphs("Using a symbolic `tf.Tensor` as a Python `bool`")

    def __len__(self) -> int:
        shape = self._ir.shape
        if shape is None or not shape or shape[0] is None:
            raise TypeError(f"len is not well defined for a symbolic Tensor ({self.name}). Please "
                            "call `x.shape` rather than `len(x)` for shape information.")
        return shape[0]

    def __iter__(self) -> Any:
        raise errors.OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. You can attempt the following "
            "resolutions to the problem: iterate in a `for` statement of a function that AutoGraph "
            "converts (decorate it with @tf.function), or use tf.unstack.")

    def _scalar_refused(self) -> Any:
        raise TypeError(f"Cannot turn the symbolic tensor {self.name} into a Python number while a "
                        "tf.function is traced.")

    __int__ = __float__ = __complex__ = __index__ = _scalar_refused

    def __getitem__(self, key: Any) -> Tensor:
        node = self._ir.node
        if type(key) is int and node is not None and node.op is OPS["shape"]:
            sizes = node.inputs[0].shape  # of a shape that is known in part
            if sizes is not None and -len(sizes) <= key < len(sizes) and sizes[key] is not None:
                return wrap(self._ir.dtype.type(sizes[key]))
        try:
            return Tensor.__getitem__(self, key)
        except Exception as error:
            if self._ir.shape is not None or from_handler(error):
                raise
            from tapeflow.graph.later import later
            items = key if isinstance(key, (tuple, list)) else (key,)
            return later(_indexed, (self, [_Range(x.start, x.stop, x.step) if type(x) is slice
                                           else x for x in items]), {}, error)

    def __copy__(self) -> Tensor:
        return self

    def __str__(self) -> str:
        shape = "" if self._ir.shape is None else f" shape={self.shape},"
        return f'Tensor("{self.name}",{shape} dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self):
        raise TypeError("A symbolic tensor cannot be pickled or copied out of its tf.function.")


Symbolic.__name__ = Symbolic.__qualname__ = "SymbolicTensor"
Symbolic.__module__ = "tensorflow.python.framework.ops"


# Where nodes are not named after their op.
_NAMES = {"AddV2": "add", "Sub": "sub", "Mul": "mul", "RealDiv": "truediv", "Pow": "pow",
          "FloorDiv": "floordiv", "FloorMod": "mod", "BatchMatMulV2": "MatMul", "Pack": "stack",
          "StridedSlice": "strided_slice", "ConcatV2": "concat", "Transpose": "transpose"}


def _tuple(shape: TensorShape) -> tuple | None:
    return None if shape.rank is None else tuple(shape.as_list())


def _write_kernel(x: Any, variable: Any) -> Any:
    raise AssertionError("a write is done by the executor")


# Writes a Value into a variable; the executor knows it. Its result is what the variable holds then:
# the same number, but for gradients the variable's own, not that of what was assigned.
write = define("write_variable", kernel=_write_kernel, shape=lambda x, variable: (x,), multi=True,
               vjp=NONDIFF("assignments are not differentiated"), stateful=True,
               internal=True).op  # type: ignore[attr-defined]


# What a variable holds after an assignment in a branch or loop body. For gradients it is the
# variable's own value, like the one before: what was assigned plays no part.
assigned = define("assigned", kernel=lambda x, before: x, shape=lambda x, before: x,
                  vjp=(None, lambda g, y, x, before: g),
                  jvp=lambda ts, y, x, before: ts[1], args=("x", "before"),
                  batch=lambda call, size, xs, batched, attrs: call(*xs), kind="move",
                  internal=True)
know(assigned, same=True)


_SMALL = 1 << 16  # larger constants are not kept for the sake of tf.gradients


class Trace(states.Listener):
    """Builds one graph. `outer` is the trace in which this one nests (a branch, a loop body).

    `around` is the trace that is active when another function is traced: its tensors may be used.
    """

    level = 0

    def __init__(self, name: str = "graph", outer: Trace | None = None,
                 around: Trace | None = None):
        self.graph = ir.Graph(name)
        self.outer, self.around = outer, around
        self._constants: dict[int, tuple[Tensor, ir.Value]] = {}
        self._derived: dict[int, tuple] = {}  # eager results -> how they were made
        self._folded: dict[int, tuple] = {}  # the same of what is a constant, for tf.gradients
        self._symbolic_constants: dict[int, Symbolic] = {}
        self._captures: dict[int, tuple[Symbolic, ir.Value]] = {}
        self._current: dict[int, Symbolic] = {}  # variable -> its value at this point
        self.written_variables: dict[int, Any] = {}
        self.may_create = False
        self.created: list[Any] = []
        self.arguments: list[Any] | None = None  # values of the inputs, while variables are made
        self.rules: dict[Op, int] = {}  # custom gradients that are being traced, how often
        self.met: dict[int, Tensor] = {}  # tensors from outside that no tape has watched yet
        self.ops_made = 0
        self.where: tuple | None = None  # while nodes of another graph are replayed: their place

    # -- entering --------------------------------------------------------------------------------
    def __enter__(self) -> Trace:
        self._before = (state.trace, state.stack, state.recorder)
        # No call in between, where an exception of a signal's handler could come.
        state.trace, state.stack, state.recorder = self, (self,), self
        return self

    def __exit__(self, *exc: Any) -> None:
        state.trace, state.stack, state.recorder = self._before
        self._folded.clear()

    # -- values ----------------------------------------------------------------------------------
    def symbolic(self, value: ir.Value, uid: int = 0) -> Symbolic:
        tensor = _new(Symbolic)
        tensor._ir, tensor._interpreter, tensor._uid = value, self, uid
        return tensor

    def placeholder(self, shape: tuple | None, dtype: Any, name: str = "") -> Symbolic:
        """A new input; of inputs with one name the later ones are numbered."""
        same = sum(value.name.startswith(name) for value in self.graph.inputs) if name else 0
        value = ir.Value(shape, np.dtype(dtype), name=f"{name}_{same}" if same else name)
        self.graph.inputs.append(value)
        return self.symbolic(value)

    def value_of(self, x: Any) -> ir.Value:
        """The Value that stands for a tensor here: own, captured from outside, or constant."""
        if isinstance(x, Symbolic):
            if x._interpreter is self:
                return x._ir
            return self._capture(x)
        if type(x) is not Tensor:
            raise errors.InaccessibleTensorError(f"{x!r} cannot be used inside a tf.function here.")
        made = self._derived.get(id(x))
        if made is not None:
            return self._rederive(*made)
        if self.outer is not None and x._uid:
            # A tape may ask for the gradient of a tensor from outside: it goes in at the root.
            return self._capture(self.outer.constant(x))
        return self._constant(x)

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        if a._traced or b._traced:
            y._traced = True  # k < 1 has as little of a value as k
        self.note(op, (a, b), y, {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors: if a tape may follow one, its result is no plain constant."""
        if op.reason is None and any(x._uid or id(x) in self._derived for x in xs):
            for index, y in enumerate(ys if op.multi else (ys,)):
                self._derived[id(y)] = (y, index, op, xs, attrs)
        elif op.reason is None:
            for x in xs:
                if id(x) not in self._folded:
                    self.meet(x)
            for index, y in enumerate(ys if op.multi else (ys,)):
                if y._value.size <= _SMALL and y._value.dtype.kind in "fcV":
                    self._folded[id(y)] = (y, index, op, xs, attrs)

    def unfold(self, targets: list, sources: list) -> None:
        """Let what was computed at once, on the way from sources to targets, be nodes after all."""
        found = {id(x): True for x in sources if type(x) is Tensor}

        def depends(x: Any) -> bool:
            made = self._folded.get(id(x)) if type(x) is Tensor else None
            known = found.get(id(x), False)
            if made is not None and id(x) not in self._derived:
                if True in [depends(one) for one in made[3]]:  # ask all of them
                    self._constants.pop(id(x), None)
                    self._symbolic_constants.pop(id(x), None)
                    self._derived[id(x)] = made
                    known = found[id(x)] = True
            return known

        for y in targets:
            if depends(y):
                self.value_of(y)

    def _rederive(self, y: Tensor, index: int, op: Op, xs: tuple, attrs: dict) -> ir.Value:
        """What was computed from a tensor from outside, as nodes over that tensor."""
        del self._derived[id(y)]
        root = state.trace
        state.trace = self
        try:
            result = self.run(op, tuple([self.constant(x) for x in xs]), attrs)
        finally:
            state.trace = root
        value = (result[index] if op.multi else result)._ir
        self._constants[id(y)] = (y, value)
        return value

    def _constant(self, x: Tensor) -> ir.Value:
        held = self._constants.get(id(x))
        if held is None:
            held = self._constants[id(x)] = (x, ir.constant(x._value))
            if x._value.dtype.kind in "fcV":
                self.graph.captured.append(held)
                self.meet(x)
        return held[1]

    def meet(self, x: Tensor) -> None:
        """Remember a tensor that may be watched later: what was made of it is a constant here."""
        if not x._uid and x._value.dtype.kind in "fcV":
            _root(self).met[id(x)] = x

    def constant(self, x: Tensor) -> Symbolic:
        """An eager tensor as a symbolic one of this trace."""
        held = self._symbolic_constants.get(id(x))
        if held is None:
            held = self._symbolic_constants[id(x)] = self.symbolic(self.value_of(x), x._uid)
        return held

    def _capture(self, x: Symbolic) -> ir.Value:
        trace = self.outer or self.around
        while trace is not None and trace is not x._interpreter:
            trace = trace.outer or trace.around
        if trace is None:
            raise _out_of_scope(x, self)
        held = self._captures.get(id(x))
        if held is None:
            value = ir.Value(x._ir.shape, x._ir.dtype, name=x._ir.name)
            held = self._captures[id(x)] = (x, value)
        return held[1]

    def name_of(self, value: ir.Value) -> str:
        """TensorFlow's name of a node: that of its op, numbered from the second on."""
        node = value.node
        if node is None:
            return "Placeholder"
        word: str = _NAMES.get(node.op.tf_name, node.op.tf_name)
        before = 0
        for one in self.graph.nodes:
            if one is node:
                break
            before += _NAMES.get(one.op.tf_name, one.op.tf_name) == word
        return f"{word}_{before}" if before else word

    @property
    def captures(self) -> list[tuple[Symbolic, ir.Value]]:
        """Tensors of outer traces that this graph uses, with the Values that stand for them."""
        return list(self._captures.values())

    # -- running ops ---------------------------------------------------------------------------
    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        """Add a node; the listeners above (tapes, accumulators) hear of it."""
        if state.trace is not self and state.trace is not None:
            return state.trace.run(op, xs, attrs)
        if state.trace is None:
            raise _out_of_scope(next(x for x in (*xs, *attrs.values())
                                     if isinstance(x, Symbolic)), None)
        inputs = tuple([self.value_of(x) for x in xs])
        held = {key: self.value_of(attr) if isinstance(attr, Tensor) else attr
                for key, attr in attrs.items()}
        if op.strings is not None and inputs[0].dtype.kind == "O":
            op = on_strings(op)
        _check_dtypes(op, inputs)
        specs = op.shape(*[value.spec for value in inputs], **attrs)
        node = ir.Node(op, inputs, held, self.where or _position())
        many = specs if op.multi else (specs,)
        node.outputs = tuple([ir.Value(spec.shape, np.dtype(spec.dtype), node, i)
                              for i, spec in enumerate(many)])
        self.graph.nodes.append(node)
        if scopes.scoped_name(""):
            for value in node.outputs:
                value.name = scopes.scoped_name(self.name_of(value))
        self.ops_made += 1
        made = tuple([self.symbolic(value) for value in node.outputs])
        ys = made if op.multi else made[0]
        for listener in state.stack[1:]:
            listener.note(op, xs, ys, attrs)
        return ys

    # -- variables -------------------------------------------------------------------------------
    def read(self, variable: Any) -> Tensor:
        uid = variable._uid
        current = self._current.get(uid)
        if current is None:
            current = self._current[uid] = self._first_read(variable)
        return current

    def _first_read(self, variable: Any) -> Symbolic:
        if self.outer is not None:
            for listener in self._before[1][1:]:  # tapes around this branch or loop
                listener.read(variable)
            outer = self.outer.read(variable)
            assert isinstance(outer, Symbolic)
            return self.symbolic(self._capture(outer), variable._uid)
        owner = getattr(variable, "_owner", variable)
        snapshot = owner._snapshot._value
        static = owner._static_shape
        shape = snapshot.shape if static is None else _tuple(static)
        value = ir.Value(shape, snapshot.dtype, name=owner.name)
        self.graph.variables[variable._uid] = ir.VariableUse(owner, value)
        return self.symbolic(value, variable._uid)

    def bind_argument(self, variable: Any, position: int, shape: tuple | None, dtype: Any) -> None:
        """Let `variable`, a stand-in, be the variable passed as argument `position`."""
        value = ir.Value(shape, np.dtype(dtype), name=f"argument{position}")
        self.graph.variables[variable._uid] = ir.VariableUse(None, value, position)
        self._current[variable._uid] = self.symbolic(value, variable._uid)

    def assign(self, variable: Any, tensor: Any) -> None:
        """Write a variable at this point of the program."""
        self.read(variable)
        value = self.value_of(tensor)
        if self.outer is None:
            self.write(variable._uid, value)
        else:
            # In a branch or loop body the outer trace does the writing, with the value at its end.
            self.written_variables[variable._uid] = getattr(variable, "_owner", variable)
            held = assigned(tensor, self.read(variable))
            self._current[variable._uid] = self.symbolic(self.value_of(held), variable._uid)

    def write(self, uid: int, value: ir.Value) -> None:
        """Add the node that writes a variable of this graph."""
        node = ir.Node(write, (value,), {"variable": uid})
        node.outputs = (ir.Value(value.shape, value.dtype, node),)
        self.graph.nodes.append(node)
        self._current[uid] = self.symbolic(node.outputs[0], uid)

    def lift(self, variable: Any, initial: Callable[[], Tensor]) -> Tensor:
        """The initial value of a variable that is made while tracing, computed eagerly.

        Only the first trace of a tf.function may make variables; what the initial value was
        computed from must not depend on the function's arguments.
        """
        root = self
        while root.outer is not None:
            root = root.outer
        if not root.may_create:
            raise ValueError("tf.function only supports singleton tf.Variables created on the "
                             "first call. Make sure the tf.Variable is only created once or "
                             "created outside tf.function: keep it in an attribute and make it "
                             "only if that is None.")
        tensor = initial()
        if isinstance(tensor, Symbolic):
            tensor = self._evaluate(tensor)
        root.created.append(variable)
        return tensor

    def _evaluate(self, tensor: Symbolic) -> Tensor:
        """The value of a tensor now: it depends on no input, or on those of the first call."""
        from tapeflow.graph.execute import Program
        graph = ir.Graph("initial value")
        graph.nodes = [node for node in self.graph.nodes if node.op is not write]
        graph.outputs = [self.value_of(tensor)]
        needed = {id(value) for value in graph.outputs}
        for node in reversed(graph.nodes):
            if any(id(value) in needed for value in node.outputs):
                needed.update(id(value) for value in node.operands())
        graph.nodes = [node for node in graph.nodes
                       if any(id(value) in needed for value in node.outputs)]
        inputs = {id(value) for value in self.graph.inputs}
        inputs.update(id(value) for _, value in self.captures)
        given: list[Any] = []
        if needed & inputs and self.arguments is not None and not self.captures:
            graph.inputs, given = self.graph.inputs, self.arguments
        elif needed & inputs:
            raise errors.InaccessibleTensorError(
                "The initial value of a tf.Variable made inside a tf.function depends on the "
                "function's arguments or on a conditional. Make the variable outside, or compute "
                "its initial value under tf.init_scope().")
        graph.variables = {uid: use for uid, use in self.graph.variables.items()
                           if id(use.initial) in needed}
        variables = [use.variable for use in graph.variables.values()]
        return wrap(Program(graph).run(given, variables)[0])

    # -- what waits for sizes --------------------------------------------------------------------
    def later(self, function: Callable, args: tuple, kwargs: dict, error: Exception) -> Any:
        """A node in place of a call that failed because a size is not known."""
        from tapeflow.graph.later import later
        return later(function, args, kwargs, error)

    # -- derivatives -----------------------------------------------------------------------------
    def defers(self, op: Op, g: Any, y: Any, xs: Any) -> bool:
        """Whether a rule must wait for sizes (see `graph.deferred`)."""
        from tapeflow.graph import deferred
        return op.kind != "control" and not op.facts.open and deferred.defers(op, g, y, xs)

    def defer(self, op: Op, index: int, g: Any, y: Any, xs: Any, attrs: dict) -> Any:
        """A node in place of a rule."""
        from tapeflow.graph import deferred
        return deferred.defer(op, index, g, y, xs, attrs)

    def defer_tangent(self, op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
        """A node in place of an op's tangents."""
        from tapeflow.graph import deferred
        return deferred.defer_tangent(op, ts, ys, xs, attrs)

    def custom(self, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
        """Outputs whose gradient is the user's `rule`."""
        from tapeflow.graph.custom import custom
        return custom(self, op, inputs, outputs, rule)

    # -- control flow ----------------------------------------------------------------------------
    def choose(self, index: Tensor, branches: tuple) -> Any:
        """One of several branches, as a node (see `graph.branches`)."""
        from tapeflow.graph.branches import choose
        return choose(self, index, branches)

    @staticmethod
    def array_type() -> type:
        """The class of TensorArrays that are made inside a trace."""
        from tapeflow.graph.tensor_array import GraphTensorArray
        return GraphTensorArray

    def each(self, function: Callable, elems: Any, tensors: list, strict: bool) -> Any:
        """A vectorised map: a node until its length is known."""
        from tapeflow.graph.each import each
        return each(self, function, elems, tensors, strict)

    def repeat(self, condition: Callable, body: Callable, loop_vars: Any, limit: int | None = None,
               shape_invariants: Any = None) -> Any:
        """A while loop, as a node."""
        from tapeflow.graph.loops import repeat
        return repeat(self, condition, body, loop_vars, limit, shape_invariants)


def _position() -> tuple | None:
    """Code and line of the user's program that is being run."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        if not frame.f_globals.get("__name__", "").startswith("tapeflow"):
            return (frame.f_code, frame.f_lineno)
        frame = frame.f_back
    return None


def _root(trace: Trace) -> Trace:
    while trace.outer is not None:
        trace = trace.outer
    return trace


def _out_of_scope(x: Symbolic, user: Trace | None) -> Exception:
    """A symbolic tensor where it has no meaning: outside its function, or outside its branch."""
    home = x._interpreter
    if user is not None and _root(home) is _root(user):
        return errors.InaccessibleTensorError(
            f"{x!r} is out of scope and cannot be used here: it was made in a branch or loop body "
            f"({home.graph.name!r}) of this tf.function. Assign it to a variable before the branch "
            "or loop, or let the body return it.")
    return TypeError(
        f"{x!r} is out of scope and cannot be used here. It was made while the tf.function "
        f"{home.graph.name!r} was traced, and stands for no value now. Use return values to get "
        "tensors out of a tf.function, not lists, attributes or globals.")


def on_strings(op: Op) -> Op:
    """The op on strings as a record of its own."""
    if op.name not in _STRINGS:
        _STRINGS[op.name] = define(
            f"{op.name}_strings", kernel=op.strings, shape=op.shape, dtypes="O", args=op.args,
            vjp=NONDIFF("strings have no derivative"), tf_name=op.tf_name,
            private=True).op  # type: ignore[attr-defined]
    return _STRINGS[op.name]


_STRINGS: dict[str, Op] = {}


def _check_dtypes(op: Op, inputs: tuple[ir.Value, ...]) -> None:
    """What eager calls refuse when they run is refused here while tracing."""
    for position, value in enumerate(inputs):
        name = op.args[position] if position < len(op.args) else f"operand {position}"
        if value.dtype.kind not in op.allowed:
            raise TypeError(f"Value passed to parameter '{name}' of '{op.tf_name}' Op has DataType "
                            f"{tf_dtypes.of(value.dtype).name} not in list of allowed values.")
        if op.matching and value.dtype != inputs[0].dtype:
            raise TypeError(
                f"Input '{name}' of '{op.tf_name}' Op has type {tf_dtypes.of(value.dtype).name} "
                f"that does not match type {tf_dtypes.of(inputs[0].dtype).name} of argument "
                f"'{op.args[0]}'.")


def trace(function: Callable, specs: list[Spec], name: str = "graph",
          outer: Trace | None = None) -> tuple[Trace, list[Tensor], Any]:
    """Trace `function` on inputs of the given specs: (trace, inputs, what it returned)."""
    tracing = Trace(name, outer)
    with tracing:
        inputs: list[Tensor] = [tracing.placeholder(spec.shape, spec.dtype) for spec in specs]
        result = function(*inputs)
    return tracing, inputs, result

