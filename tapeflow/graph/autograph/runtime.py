"""What converted code calls: Python's own meaning, or a graph's where a symbolic tensor decides."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import PUBLIC
from tapeflow.core.basics import cast
from tapeflow.core.convert import convert as to_tensor
from tapeflow.core.op import OPS
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable, read
from tapeflow.graph import branches
from tapeflow.graph.autograph import conversion
from tapeflow.graph.tracing import Symbolic
from tapeflow.ops.tensor_array import TensorArray

_INT32 = np.dtype("int32")


class Missing:
    """Stands for a name that has no value on the way taken."""

    __slots__ = ("name", "reason")

    def __init__(self, name: str, reason: str = ""):
        self.name, self.reason = name, reason


def load(value: Any) -> Any:
    """A name is read: it must have a value."""
    if type(value) is Missing:
        message = value.reason or f"local variable '{value.name}' is used before it is assigned."
        raise (ValueError if value.reason else UnboundLocalError)(message)
    return value


def returned(value: Any) -> Any:
    """The value of a function whose returns were gathered."""
    if type(value) is Missing:
        if value.reason:
            raise ValueError(value.reason)
        return None
    return value


def _symbolic(x: Any) -> bool:
    return isinstance(x, Symbolic) or (isinstance(x, Variable) and state.trace is not None)


def _test(x: Any) -> Tensor:
    """A symbolic condition as a boolean tensor."""
    x = read(x) if isinstance(x, Variable) else x
    return x if x.dtype.name == "bool" else cast(x, dtype=np.dtype("bool"))


# -- if --------------------------------------------------------------------------------------------
def if_stmt(test: Any, then: Callable, otherwise: Callable, get: Callable, put: Callable,
            names: tuple) -> None:
    """An if statement whose branches assign `names`."""
    if not _symbolic(test):
        (then if test else otherwise)()
        return
    before = get()

    def run(branch: Callable) -> Callable:
        def traced() -> tuple:
            put(before)
            branch()
            return get()
        return traced

    trace = state.trace
    index = cast(_test(test), dtype=_INT32)
    try:
        bodies = branches.trace_branches(trace, (run(otherwise), run(then)))
    finally:
        put(before)
    no, yes = _with_buffers(bodies)
    carried = [i for i in range(len(names)) if _carried(yes[i], no[i])]
    leaves = [body.tensors([ends[i] for i in carried])
              for body, ends in zip(bodies, (no, yes), strict=True)]
    _check_branches(names, carried, yes, no)
    results = branches.join(trace, index, bodies, leaves)
    after = [yes[i] if yes[i] is no[i] or _same_python(yes[i], no[i])
             else Missing(name, _one_sided(name, yes[i], no[i])) for i, name in enumerate(names)]
    packed = nest.pack_sequence_as([yes[i] for i in carried], results, expand_composites=True)
    for i, value in zip(carried, packed, strict=True):
        after[i] = value
    put(tuple(after))


def _with_buffers(bodies: list) -> list[list]:
    """What the branches returned; an array that only one has written gets zeros in the other."""
    ends = [list(body.returned) for body in bodies]
    for i in range(len(ends[0])):
        column = [one[i] for one in ends]
        if not all(isinstance(x, TensorArray) and hasattr(x, "unallocated") for x in column):
            continue
        shaped = next((x for x in column if not x.unallocated), None)
        for body, values in zip(bodies, ends, strict=True):
            if shaped is not None and values[i].unallocated:
                with body.trace:
                    values[i] = values[i].with_buffer(None)
                    values[i].allocate(shaped._element_shape)
    return ends


def _check_branches(names: tuple, carried: list[int], yes: list, no: list) -> None:
    for i in carried:
        try:
            nest.assert_same_structure(yes[i], no[i], expand_composites=True)
        except (TypeError, ValueError) as error:
            raise TypeError(f"'{names[i]}' must have the same nested structure in the main and "
                            f"else branches: {error}") from None
        for a, b in zip(nest.flatten(yes[i], expand_composites=True),
                        nest.flatten(no[i], expand_composites=True), strict=True):
            if a is None or b is None:
                continue
            a, b = to_tensor(a), to_tensor(b)
            if a.dtype != b.dtype:
                raise TypeError(f"'{names[i]}' has dtype {a.dtype.name} in the main branch, but "
                                f"dtype {b.dtype.name} in the else branch.")


def _carried(a: Any, b: Any) -> bool:
    """Whether a name's value must come out of the branches as a tensor."""
    if type(a) is Missing or type(b) is Missing:
        return False
    if a is b:
        return False
    return _tensor_like(a) and _tensor_like(b)


def _tensor_like(x: Any) -> bool:
    if isinstance(x, TensorArray):
        return True
    leaves = nest.flatten(x, expand_composites=True)
    return all(isinstance(leaf, (Tensor, Variable, bool, int, float, complex, np.ndarray,
                                 np.generic)) or leaf is None for leaf in leaves) and any(
        leaf is not None for leaf in leaves)


def _same_python(a: Any, b: Any) -> bool:
    if type(a) is Missing and type(b) is Missing:
        return True
    try:
        return type(a) is type(b) and not isinstance(a, Tensor) and bool(a == b)
    except (TypeError, ValueError):
        return False


def _one_sided(name: str, a: Any, b: Any) -> str:
    if type(a) is Missing or type(b) is Missing:
        where = "main" if type(a) is Missing else "else"
        other = "else" if where == "main" else "main"
        if name == "__ag_result":
            return ("A value must also be returned from the "
                    f"{where} branch. If a value is returned from one branch of a conditional a "
                    "value must be returned from all branches.")
        return (f"'{name}' must also be initialized in the {where} branch; the {other} branch "
                "has it.")
    return (f"'{name}' does not have a value that a tensor condition could choose: {a!r} in one "
            f"branch, {b!r} in the other.")


def if_exp(test: Any, then: Callable, otherwise: Callable) -> Any:
    """x if test else y."""
    if not _symbolic(test):
        return then() if test else otherwise()
    return state.trace.choose(cast(_test(test), dtype=_INT32), (otherwise, then))


# -- loops -----------------------------------------------------------------------------------------
def while_stmt(test: Callable, body: Callable, get: Callable, put: Callable, names: tuple) -> None:
    """A while loop whose body assigns `names`."""
    while True:
        go_on = test()
        if _symbolic(go_on):
            return _loop(test, body, get, put, names)
        if not go_on:
            return None
        body()


def _loop(test: Callable, body: Callable, get: Callable, put: Callable, names: tuple) -> None:
    before = get()
    carried = [i for i, value in enumerate(before)
               if type(value) is not Missing and _tensor_like(value)]
    start = [nest.map_structure(_as_tensor, before[i], expand_composites=True) for i in carried]
    fixed = list(before)
    ends: list[tuple] = []

    def enter(values: Any) -> None:
        now = list(fixed)
        for i, value in zip(carried, values, strict=True):
            now[i] = value
        put(tuple(now))

    def condition(*values: Any) -> Any:
        enter(values)
        return _test_result(test())

    def turn(*values: Any) -> Any:
        enter(values)
        body()
        after = get()
        ends.append(after)
        return [nest.map_structure(_as_tensor, after[i], expand_composites=True)
                for i in carried]

    try:
        results = state.trace.repeat(condition, turn, start, None, None)
    finally:
        put(before)
    after = list(before)
    for i, name in enumerate(names):
        if i not in carried and ends and ends[-1][i] is not before[i]:
            after[i] = Missing(name, f"'{name}' is assigned inside a loop over tensors and must be "
                                     "given a value before the loop to be used after it.")
    for i, value in zip(carried, results, strict=True):
        after[i] = value
    put(tuple(after))


def _as_tensor(x: Any) -> Any:
    if x is None or not isinstance(x, (bool, int, float, complex, np.ndarray, np.generic, Variable,
                                       Tensor)):
        return x
    return to_tensor(x)


def _test_result(x: Any) -> Tensor:
    return _test(x) if isinstance(x, (Symbolic, Variable)) else to_tensor(bool(x))


def for_stmt(items: Any, extra_test: Callable | None, body: Callable, get: Callable,
             put: Callable, names: tuple) -> None:
    """A for loop; over a symbolic tensor it becomes part of the graph."""
    if isinstance(items, Variable) and state.trace is not None:
        items = read(items)
    if isinstance(items, Symbolic):
        return _for_tensor(items, extra_test, body, get, put, names)
    if hasattr(items, "__tf_iterate__") and state.trace is not None:
        return items.__tf_iterate__(extra_test, body, get, put, names)
    for item in items:
        if extra_test is not None:
            go_on = extra_test()
            if _symbolic(go_on):
                if_stmt(go_on, functools.partial(body, item), lambda: None, get, put, names)
                continue
            if not go_on:
                break
        body(item)
    return None


def _for_tensor(items: Symbolic, extra_test: Callable | None, body: Callable, get: Callable,
                put: Callable, names: tuple) -> None:
    shape = items._ir.shape
    if shape is not None and not shape:
        raise ValueError("Cannot iterate over a scalar tensor.")
    size = shape[0] if shape is not None else None
    count = wrap(np.int32(size)) if size is not None else PUBLIC["shape"](items)[0]
    at: list[Any] = [wrap(np.int32(0))]

    def get_all() -> tuple:
        return (at[0], *get())

    def put_all(values: tuple) -> None:
        at[0] = values[0]
        put(values[1:])

    def test() -> Any:
        more = at[0] < count
        return more if extra_test is None else and_(lambda: more, extra_test)

    def turn() -> None:
        index = at[0]
        body(OPS["gather_rows"].call(items, index))
        at[0] = index + 1

    _loop(test, turn, get_all, put_all, ("loop index", *names))


# -- logic -----------------------------------------------------------------------------------------
def and_(*parts: Callable) -> Any:
    """a and b: the second is not evaluated if the first decides."""
    value = parts[0]()
    for part in parts[1:]:
        if _symbolic(value):
            other = part
            value = PUBLIC["logical_and"](_test(value), _test_result(other()))
        elif value:
            value = part()
        else:
            return value
    return value


def or_(*parts: Callable) -> Any:
    """a or b."""
    value = parts[0]()
    for part in parts[1:]:
        if _symbolic(value):
            value = PUBLIC["logical_or"](_test(value), _test_result(part()))
        elif not value:
            value = part()
        else:
            return value
    return value


def not_(x: Any) -> Any:
    return PUBLIC["logical_not"](_test(x)) if _symbolic(x) else not x


def compare(operators: list[Callable], sides: list[Callable]) -> Any:
    """a < b < c: each side once, from left to right."""
    left = sides[0]()
    value: Any = True
    for operate, side in zip(operators, sides[1:], strict=True):
        right = side()
        now = operate(left, right)
        if value is True:
            value = now
        elif _symbolic(value) or _symbolic(now):
            value = PUBLIC["logical_and"](_test_result(value), _test_result(now))
        else:
            value = now
        if not _symbolic(value) and not value:
            return value
        left = right
    return value


def assert_stmt(test: Any, message: Callable) -> None:
    """assert, also on a symbolic tensor."""
    if _symbolic(test):
        PUBLIC["debugging.Assert"](_test(test), [message() or "Assertion error"])
    elif not test:
        text = message()
        raise AssertionError(*([] if text is None else [text]))


# -- calls -----------------------------------------------------------------------------------------
def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """function(*args, **kwargs); a user's function is converted first."""
    if isinstance(function, (type, types.BuiltinFunctionType)):
        replacement = _BUILTINS.get(function)
        if replacement is not None and not kwargs and any(_symbolic(x) for x in args):
            return replacement(*args)
        return function(*args, **kwargs)
    if inspect.isfunction(function) or inspect.ismethod(function) or isinstance(
            function, functools.partial):
        return conversion.convert(function)(*args, **kwargs)
    return function(*args, **kwargs)


def _len(x: Any) -> Any:
    shape = x._ir.shape if isinstance(x, Symbolic) else None
    if shape is not None and not shape:
        raise ValueError("len requires a non-scalar tensor, got one of shape ()")
    if shape is not None and shape[0] is not None:
        return shape[0]
    return PUBLIC["shape"](x)[0]


def _range(*limits: Any) -> Any:
    return PUBLIC["range"](*limits)


def _int(x: Any) -> Any:
    return cast(read(x) if isinstance(x, Variable) else x, dtype=_INT32)


def _float(x: Any) -> Any:
    return cast(read(x) if isinstance(x, Variable) else x, dtype=np.dtype("float32"))


_BUILTINS: dict[Any, Callable] = {
    builtins.len: _len, builtins.range: _range, builtins.int: _int, builtins.float: _float}
