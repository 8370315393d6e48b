"""if, while and for of converted code.

A block is a function without arguments; `get()` gives the values of the names that it assigns and
`put(values)` sets them. `live` says which of the names anybody reads outside the statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.dtypes import int64 as tf_int64
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert as to_tensor
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, read
from tapeflow.graph.autograph.unbound_names import RESULT, RETURNED, Missing, Unsure, load, present
from tapeflow.graph.control_flow import cond, while_loop
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import current_trace
from tapeflow.ops.array import shape_ops
from tapeflow.ops.array.ranges import range_op
from tapeflow.ops.control.tensor_array import TensorArray
from tapeflow.ops.indexing import gathering
from tapeflow.ops.math import logical

_INT32 = np.dtype("int32")
_PYTHON = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def symbolic(x: Any) -> bool:
    """Whether a value decides only when the graph runs."""
    return state.trace is not None and isinstance(x, (Tensor, Variable))


def as_test(x: Any, where: str) -> Tensor:
    """A condition as a boolean scalar."""
    x = read(x) if isinstance(x, Variable) else x
    known = [] if x.ndim is None else [n for n in shape_of(x) if n is not None]
    if x.dtype.name != "bool" or int(np.prod(known)) > 1:
        raise ValueError(f"condition of {where} expected to be `tf.bool` scalar, got {x}; to use "
                         "as boolean Tensor, use `tf.cast`; to check for None, use `is not None`")
    return reshape(x, shape=()) if x.ndim != 0 else x


def tensor_like(x: Any) -> bool:
    """Whether a graph can carry a value: tensors, numbers and structures of them."""
    if isinstance(x, TensorArray):
        return True
    leaves = nest.flatten(x, expand_composites=True)
    return bool(leaves) and all(isinstance(leaf, (Tensor, Variable, *_PYTHON)) for leaf in leaves)


def _as_tensors(x: Any) -> Any:
    return nest.map_structure(lambda leaf: leaf if leaf is None or isinstance(leaf, TensorArray)
                              else to_tensor(leaf), x, expand_composites=True)


# -- if --------------------------------------------------------------------------------------------
def if_stmt(test: Any, then: Callable, otherwise: Callable, get: Callable, put: Callable,
            names: tuple, live: tuple) -> None:
    """An if statement whose branches assign `names`."""
    if not symbolic(test):
        (then if test else otherwise)()
        return
    before = get()

    def run(branch: Callable) -> Callable:
        def traced() -> tuple:
            put(before)
            branch()
            return get()
        return traced

    trace = current_trace()
    index = cast(as_test(test, "if statement"), dtype=_INT32)
    try:
        branches = cond.trace_branches(trace, (run(otherwise), run(then)))
    finally:
        put(before)
    no, yes, unsure = _ends(branches)
    if RETURNED in names:
        _fill_result(branches, (no, yes), names.index(RESULT))
    carried = [i for i in range(len(names)) if _carried(yes[i], no[i], live[i])]
    for i in carried:
        _check_branches(names[i], yes[i], no[i])
    leaves = [body.tensors([ends[i] for i in carried])
              for body, ends in zip(branches, (no, yes), strict=True)]
    results = cond.join(trace, index, branches, leaves)
    after = [yes[i] if yes[i] is no[i] or _same_python(yes[i], no[i])
             else Missing(name, _one_sided(name, yes[i], no[i])) for i, name in enumerate(names)]
    packed = nest.pack_sequence_as([yes[i] for i in carried], results, expand_composites=True)
    for i, value in zip(carried, packed, strict=True):
        after[i] = Unsure(names[i], *value) if i in unsure else value
    put(tuple(after))


def _ends(branches: list) -> tuple[list, list, set[int]]:
    """What the branches left, and of which names only (value, whether there is one).

    An array that only one has written gets zeros in the other.
    """
    ends = [list(body.returned) for body in branches]
    unsure: set[int] = set()
    for i in range(len(ends[0])):
        column = [one[i] for one in ends]
        if column[0] is not column[1] and any(type(x) is Unsure for x in column) and not any(
                type(x) is Missing for x in column):
            if all(_with_flag(x) for x in column):
                unsure.add(i)
            for body, values in zip(branches, ends, strict=True):
                with body.trace:
                    values[i] = _flagged(values[i]) if i in unsure else load(values[i])
        if not all(isinstance(x, TensorArray) and hasattr(x, "unallocated") for x in column):
            continue
        shaped = next((x for x in column if not x.unallocated), None)
        for body, values in zip(branches, ends, strict=True):
            if shaped is not None and values[i].unallocated:
                with body.trace:
                    values[i] = values[i].with_buffer(None)
                    values[i].allocate(shaped._element_shape)
    return ends[0], ends[1], unsure


def _with_flag(x: Any) -> bool:
    """Whether a graph can carry a value together with whether there is one."""
    value = x.value if type(x) is Unsure else x
    return type(value) is not Missing and tensor_like(value) and not any(
        isinstance(leaf, TensorArray) for leaf in nest.flatten(value, expand_composites=True))


def _flagged(x: Any) -> tuple:
    """A value, and whether there is one."""
    return (_as_tensors(x.value), x.ran) if type(x) is Unsure else (_as_tensors(x), wrap(np.True_))


def _fill_result(branches: list, ends: tuple, i: int) -> None:
    """A branch that returns nothing gets zeros for a result: a flag says that they do not count."""
    given = [one[i] for one in ends if present(one[i]) and tensor_like(one[i])]
    if len(given) != 1:
        return
    for body, values in zip(branches, ends, strict=True):
        if type(values[i]) is Missing:
            with body.trace:
                values[i] = nest.map_structure(_blank, given[0], expand_composites=True)


def _blank(x: Any) -> Tensor:
    x = to_tensor(x)
    sizes = [n or 0 for n in (shape_of(x) if x.ndim is not None else ())]
    return wrap(np.full(sizes, b"" if x.dtype.kind == "O" else 0, x.dtype.np))


def _carried(a: Any, b: Any, live: bool) -> bool:
    """Whether a name's value must come out of the branches as a tensor."""
    if not present(a) or not present(b) or a is b:
        return False
    return tensor_like(a) and tensor_like(b) and not _same_python(a, b)


def _check_branches(name: str, yes: Any, no: Any) -> None:
    try:
        nest.assert_same_structure(yes, no, expand_composites=True)
    except unsignalled(TypeError, ValueError) as error:
        raise TypeError(f"'{name}' must have the same nested structure in the main and else "
                        f"branches:\n\n{error}") from None
    for a, b in zip(nest.flatten(yes, expand_composites=True),
                    nest.flatten(no, expand_composites=True), strict=True):
        if a is None or b is None:
            continue
        a, b = to_tensor(a), to_tensor(b)
        if a.dtype != b.dtype:
            raise TypeError(f"'{name}' has dtype {a.dtype.name} in the main branch, but dtype "
                            f"{b.dtype.name} in the else branch")


def _same_python(a: Any, b: Any) -> bool:
    """Whether two values are one Python value, which needs no tensor."""
    if type(a) is Missing and type(b) is Missing:
        return True
    if any(isinstance(leaf, (Tensor, Variable, np.ndarray)) for x in (a, b)
           for leaf in nest.flatten(x, expand_composites=True)):
        return False
    try:
        return type(a) is type(b) and bool(a == b)
    except unsignalled(TypeError, ValueError):
        return False


def _one_sided(name: str, a: Any, b: Any) -> str:
    for value, where in ((a, "main"), (b, "else")):
        if name == RESULT and (value is None or type(value) is Missing):
            return f"the {where} branch must also have a return statement."
        if type(value) is Missing:
            return value.reason or f"'{name}' must also be initialized in the {where} branch"
        if value is None:
            return f"'{name}' is None at the end of the {where} branch."
    word = "The returned value" if name == RESULT else f"'{name}'"
    return (f"{word} is {a!r} at the end of the main branch and {b!r} at the end of the else "
            "branch: a tensor can choose only between tensors, numbers and structures of them.")


def if_exp(test: Any, then: Callable, otherwise: Callable) -> Any:
    """x if test else y."""
    if not symbolic(test):
        return then() if test else otherwise()
    index = cast(as_test(test, "if expression"), dtype=_INT32)
    return current_trace().cond(index, (otherwise, then))


# -- loops -----------------------------------------------------------------------------------------
def set_loop_options(parallel_iterations: Any = None, swap_memory: Any = None,
                     maximum_iterations: Any = None, shape_invariants: Any = None) -> None:
    """Options of the loop in whose body this is the call of: AutoGraph takes it from there.

    Of effect are `maximum_iterations` and `shape_invariants`, a list of (name, TensorShape).
    """


def while_stmt(test: Callable, body: Callable, get: Callable, put: Callable, names: tuple,
               live: tuple, options: Callable | None = None) -> None:
    """A while loop whose body assigns `names`."""
    while True:
        go_on = test()
        if symbolic(go_on):
            return Loop(test, body, get, put, names, live, options).run("while loop")
        if not go_on:
            return None
        body()


class Loop:
    """A loop that becomes a node of the graph.

    A name to which only a loop before this one has given a value is carried with a flag that says
    whether it has one.
    """

    def __init__(self, test: Callable, body: Callable, get: Callable, put: Callable,
                 names: tuple, live: tuple, options: Callable | None):
        self.test, self.body, self.get, self.put = test, body, get, put
        self.names, self.live = names, live
        self.options: dict = options() if options is not None else {}
        self.before: tuple = ()  # what the names have
        self.carried: list[int] = []  # which of them the graph carries
        self.entered: list[tuple[int, Unsure]] = []  # what is uncertain, as the loop sees it
        self.anew: set[int] = set()  # what the body gives without regard to what was there

    def run(self, where: str) -> None:
        self.before = before = tuple([
            load(x) if type(x) is Unsure and not _with_flag(x) else x for x in self.get()])
        self.carried = carried = [i for i, value in enumerate(before) if type(value) is Unsure or (
            present(value) and value is not None and tensor_like(value))]
        start = [_flagged(before[i]) if type(before[i]) is Unsure else _as_tensors(before[i])
                 for i in carried]
        ends: list[tuple] = []

        def condition(*values: Any) -> Any:
            self._enter(values)
            go_on = self.test()
            return as_test(go_on, where) if symbolic(go_on) else to_tensor(bool(go_on))

        def iteration(*values: Any) -> Any:
            self._enter(values)
            self.body()
            ends.append(self.get())
            after = self._carried_on(values, ends[-1])
            self._check_structures(values, after)
            return [_as_tensors(x) for x in after]

        late: list[int] = []
        made: list[Any] = []

        def first_made(iteration_body: Any) -> list[Tensor]:
            """Tensors of names that get their first value in the body and are read behind it."""
            late[:] = [i for i, value in enumerate(ends[-1]) if self.live[i]
                       and (i not in carried or i in self.anew)
                       and not _same(value, before[i]) and value is not None and (
                           _with_flag(value) if type(value) is Unsure
                           else present(value) and tensor_like(value))]
            if not late:
                return []
            made[:] = [_flagged(x) if type(x) is Unsure else _as_tensors(x)
                       for x in [ends[-1][i] for i in late]]
            return [*iteration_body.tensors(made), wrap(np.True_)]

        try:
            results, extra = while_loop.loop(
                current_trace(), condition, iteration, start,
                self.options.get("maximum_iterations"), self._invariants(start),
                self._checker(start), first_made)
        finally:
            self.put(before)
        after = self._after(results, ends[-1])
        if late:
            packed = nest.pack_sequence_as(made, extra[:-1], expand_composites=True)
            for i, value in zip(late, packed, strict=True):
                ran = extra[-1]
                if type(ends[-1][i]) is Unsure:  # an inner loop gave it
                    value, ran = value
                flagged = self.names[i] == RESULT and RETURNED in self.names
                after[i] = value if flagged else Unsure(self.names[i], value, ran)
        self.put(tuple(after))

    def _enter(self, values: Any) -> None:
        """Give the names what is carried."""
        now = list(self.before)
        for i, value in zip(self.carried, values, strict=True):
            if type(now[i]) is Unsure:
                value = Unsure(self.names[i], *value)
                self.entered.append((i, value))
            now[i] = value
        self.put(tuple(now))

    def _carried_on(self, values: Any, end: tuple) -> list:
        """What is carried into the next iteration, of what the names have at the end of one.

        A value of another kind than a former loop's, of which nobody has asked, is a new one.
        """
        found = []
        for i, value in zip(self.carried, values, strict=True):
            x = end[i]
            if type(self.before[i]) is Unsure:
                x = _flagged(x) if _with_flag(x) else x
                if not _alike(x, value) and not any(
                        one.asked for k, one in self.entered if k == i):
                    self.anew.add(i)
                    x = value
            found.append(x)
        return found

    def _after(self, results: Any, end: tuple) -> list:
        after = list(self.before)
        for i, value in zip(self.carried, results, strict=True):
            after[i] = Unsure(self.names[i], *value) if type(after[i]) is Unsure else value
        for i, name in enumerate(self.names):
            if i in self.anew or (i not in self.carried and not _same(end[i], self.before[i])):
                after[i] = Missing(name, f"'{name}' is assigned inside a loop over tensors, and "
                                         "its value there is nothing that a graph can carry out.")
        return after

    def _check_structures(self, values: Any, after: list) -> None:
        for i, value, x in zip(self.carried, values, after, strict=True):
            if x is None:
                raise ValueError(f"'{self.names[i]}' is None at the end of the iteration.")
            if not present(x):
                raise ValueError(f"'{self.names[i]}' has no value at the end of the iteration.")
            try:
                nest.assert_same_structure(value, x, expand_composites=True)
            except unsignalled(TypeError, ValueError) as error:
                raise TypeError(f"'{self.names[i]}' does not have the same nested structure after "
                                f"one iteration.\n\n{error}") from None

    def _checker(self, start: list) -> Callable:
        """Compares the loop variables before and after an iteration, by name."""
        names = [self.names[i] for i, value in zip(self.carried, start, strict=True)
                 for _ in nest.flatten(value, expand_composites=True)]

        def check(specs: list, after: list) -> None:
            for name, spec, x in zip(names, specs, after, strict=True):
                if x.dtype.np != spec.dtype:
                    raise TypeError(f"'{name}' has dtype {np.dtype(spec.dtype).name} before the "
                                    f"loop, but dtype {x.dtype.name} after one iteration")
                wanted, shape = TensorShape(spec.shape), x.shape
                if not shape.is_subtype_of(wanted):
                    raise ValueError(
                        f"'{name}' has shape {wanted} before the loop, but shape {shape} after "
                        "one iteration. Use tf.autograph.experimental.set_loop_options to set "
                        "shape invariants.")

        return check

    def _invariants(self, start: list) -> Any:
        given = self.options.get("shape_invariants")
        if not given:
            return None
        shapes = []
        for i, value in zip(self.carried, start, strict=True):
            shape = next((s for x, s in given if x is self.before[i]), None)
            leaves = nest.flatten(value, expand_composites=True)
            shapes += [shape] if shape is not None else [leaf.shape for leaf in leaves]
        return shapes


def _alike(a: Any, b: Any) -> bool:
    """Whether values are the same structure of tensors, of the same dtypes and shapes."""
    try:
        nest.assert_same_structure(a, b, expand_composites=True)
    except unsignalled(TypeError, ValueError):
        return False
    return all(x.dtype == y.dtype and x.shape.is_subtype_of(y.shape) for x, y in zip(
        nest.flatten(a, expand_composites=True), nest.flatten(b, expand_composites=True),
        strict=True))


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is Missing and type(b) is Missing)


def for_stmt(items: Any, extra_test: Callable | None, body: Callable, get: Callable,
             put: Callable, names: tuple, live: tuple, options: Callable | None = None) -> None:
    """A for loop; over a tensor it becomes part of the graph."""
    if symbolic(items):
        tensor = read(items) if isinstance(items, Variable) else items
        return _for_tensor(tensor, extra_test, body, get, put, names, live, options)
    if state.trace is not None and isinstance(items, Composite) and hasattr(items, "nrows"):
        rows: Any = items  # of a ragged tensor
        return _for_range(wrap(np.int64(0)), rows.nrows(tf_int64), wrap(np.int64(1)),
                          extra_test, lambda i: body(rows[i]), get, put, names, live, options)
    if hasattr(items, "__tf_iterate__") and state.trace is not None:
        return items.__tf_iterate__(extra_test, body, get, put, names, live, options)
    for item in items:
        if extra_test is not None:
            go_on = extra_test()
            if symbolic(go_on):
                if_stmt(go_on, lambda item=item: body(item),
                        lambda: None, get, put, names, live)
                continue
            if not go_on:
                break
        body(item)
    return None


def _for_tensor(items: Tensor, extra_test: Callable | None, body: Callable, get: Callable,
                put: Callable, names: tuple, live: tuple, options: Callable | None) -> None:
    if items.ndim == 0:
        raise ValueError("Cannot iterate over a scalar tensor.")
    limits = _limits(items)
    if limits is not None:
        return _for_range(*limits, extra_test, body, get, put, names, live, options)
    size = None if items.ndim is None else shape_of(items)[0]
    count = wrap(np.int32(size)) if size is not None else shape_ops.shape(items)[0]
    at: list[Any] = [wrap(np.int32(0))]

    def get_all() -> tuple:
        return (at[0], *get())

    def put_all(values: tuple) -> None:
        at[0] = values[0]
        put(values[1:])

    def test() -> Any:
        more = at[0] < count
        if extra_test is None:
            return more
        go_on = extra_test()
        go_on = go_on if symbolic(go_on) else to_tensor(bool(go_on))
        return logical.logical_and_public(more, go_on)

    def iteration() -> None:
        index = at[0]
        body(gather_rows(items, index))
        at[0] = index + 1

    Loop(test, iteration, get_all, put_all, ("loop index", *names), (False, *live), options).run(
        "for loop")
    return None


def _limits(items: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    """Start, limit and step of what tf.range made: the loop counts by itself."""
    node = items._ir.node if isinstance(items, Symbolic) else None
    if node is None or node.op is not range_op.op:
        return None
    start, limit, step = [items._interpreter.symbolic(value) if value.const is None
                          else wrap(value.const) for value in node.inputs]
    return start, limit, step


def _for_range(start: Tensor, limit: Tensor, step: Tensor, extra_test: Callable | None,
               body: Callable, get: Callable, put: Callable, names: tuple, live: tuple,
               options: Callable | None) -> None:
    at: list[Any] = [start]
    up = step > 0 if symbolic(step) and isinstance(step, Symbolic) else bool(step._value > 0)

    def more() -> Any:
        if isinstance(up, bool):
            return at[0] < limit if up else at[0] > limit
        return gathering.where(up, at[0] < limit, at[0] > limit)

    def test() -> Any:
        if extra_test is None:
            return more()
        go_on = extra_test()
        go_on = go_on if symbolic(go_on) else to_tensor(bool(go_on))
        return logical.logical_and_public(more(), go_on)

    def iteration() -> None:
        now = at[0]
        body(now)
        at[0] = now + step

    def put_all(values: tuple) -> None:
        at[0] = values[0]
        put(values[1:])

    Loop(test, iteration, lambda: (at[0], *get()), put_all, ("loop index", *names), (False, *live),
         options).run("for loop")
