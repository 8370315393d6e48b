"""Jumps in converted Python code: a helper gives and raises in a function what it does outside.

Python itself is the reference: the helpers see no tensors, only the caller does.
"""
# The helpers are written as jumps need it.
# ruff: noqa: RET503, RET504, E501

import contextlib
import copy
import importlib
import sys

import pytest

import tapeflow as tf


def bare_return_in_nested_ifs(flag, dims):
    if flag:
        if dims is None:
            return
        dims.append(1)


def return_in_try(d):
    try:
        return d['a']
    except KeyError:
        pass
    return 9.


def return_in_try_and_handler(d):
    try:
        if d:
            return d['a']
        x = 3.
    except KeyError:
        return 4.
    finally:
        pass
    return x


@contextlib.contextmanager
def ctx(log):
    log.append('in')
    try:
        yield 5.
    finally:
        log.append('out')


def return_in_with(log, flag):
    with ctx(log) as v:
        if flag:
            return v
        w = v * 2.
    return w


def return_and_continue_in_try_in_loop(x):
    for i in range(5):
        try:
            if i == 3:
                return i * 1.
            if i == 1:
                continue
        finally:
            x.append(i)
    return -1.


def returns_in_match(x):
    match x:
        case 1:
            return 10.
        case [a, b]:
            return a + b
        case {"k": v}:
            return v
        case _ if x is None:
            return 0.
    return 99.


def return_from_endless_loop(n):
    while True:
        if n > 3:
            return float(n)
        n += 1


def returns_in_elif_and_loop(a, b):
    if a:
        if b:
            return 1.
        if b is None:
            return 2.
    else:
        for i in range(3):
            if i == b:
                return 3. + i
    return 4.


def returns_in_nested_tries(d):
    try:
        return d['x']
    except KeyError:
        try:
            return d['y']
        except KeyError:
            return 7.
    finally:
        d['done'] = True


def return_in_else_of_try(x):
    if x is None:
        raise ValueError("none")
    if isinstance(x, str):
        return len(x) * 1.
    try:
        v = float(x)
    except TypeError:
        return -5.
    else:
        return v * 2


def return_and_break_before_else_of_loop(xs):
    for x in xs:
        with contextlib.suppress(KeyError):
            if x == 2:
                return 2.
            if x == 1:
                break
    else:
        return 50.
    return 60.


def inner_function_without_return(x):
    def inner(y):
        if y:
            return 1.
    r = inner(x)
    if r is None:
        return 0.
    return r


def if_in_finally(x):
    try:
        pass
    finally:
        if x:
            y = 1.
        else:
            y = 2.
    return y


def returns_in_tries_only(x):
    if x:
        try:
            return 1.
        except Exception:
            return 2.
    if not x:
        return 3.


def break_and_continue_before_else_of_try(xs):
    seen = []
    for x in xs:
        try:
            if x == 1:
                continue
            if x == 2:
                break
        except KeyError:
            seen.append("error")
        else:
            seen.append(x)
        finally:
            seen.append("finally")
    else:
        seen.append("else")
    return seen


def return_in_handler_of_a_return(d):
    try:
        return d["a"]
    except KeyError:
        d["a"] = 5.0
    return d["a"] * 2


def return_in_match_in_if(x, flag):
    if flag:
        match x:
            case 1:
                return 1.0
            case 2:
                y = 2.0
            case _:
                return None
        return y + 1
    return 9.0


def return_beside_a_raise(x):
    try:
        if x:
            raise KeyError("k")
        return 1.0
    except KeyError:
        if x == 2:
            raise
        return 2.0


CALLS = [
    (bare_return_in_nested_ifs, (True, [1])), (bare_return_in_nested_ifs, (True, None)),
    (bare_return_in_nested_ifs, (False, None)),
    (return_in_try, ({},)), (return_in_try, ({"a": 2.0},)),
    (return_in_try_and_handler, ({},)), (return_in_try_and_handler, ({"b": 1.0},)),
    (return_in_try_and_handler, ({"a": 8.0},)),
    (return_in_with, ([], True)), (return_in_with, ([], False)),
    (return_and_continue_in_try_in_loop, ([],)),
    *[(returns_in_match, (x,)) for x in (1, [1.0, 2.0], {"k": 6.0}, None, "z")],
    (return_from_endless_loop, (0,)),
    *[(returns_in_elif_and_loop, args) for args in (
        (True, True), (True, None), (True, False), (False, 2), (False, 9))],
    *[(returns_in_nested_tries, (d,)) for d in ({"x": 1.0}, {"y": 2.0}, {})],
    *[(return_in_else_of_try, (x,)) for x in ("abc", [], 4, None)],
    *[(return_and_break_before_else_of_loop, (xs,)) for xs in ([3, 2], [3, 1], [3])],
    (inner_function_without_return, (0,)), (inner_function_without_return, (1,)),
    (if_in_finally, (1,)), (if_in_finally, (0,)),
    (returns_in_tries_only, (1,)), (returns_in_tries_only, (0,)),
    *[(break_and_continue_before_else_of_try, (xs,)) for xs in ([0, 1, 2, 3], [1, 0], [])],
    (return_in_handler_of_a_return, ({},)), (return_in_handler_of_a_return, ({"a": 3.0},)),
    *[(return_in_match_in_if, (x, flag)) for x in (1, 2, 3) for flag in (True, False)],
    *[(return_beside_a_raise, (x,)) for x in (0, 1, 2)],
]


def outcome(function, args):
    args = copy.deepcopy(args)
    try:
        return function(*args), args
    except Exception as error:
        return type(error), args


@pytest.mark.parametrize(("helper", "args"), CALLS, ids=lambda x: getattr(x, "__name__", repr(x)))
def test_helpers_are_python(helper, args):
    found = []

    @tf.function
    def caller(x):
        found.append(outcome(helper, args))
        return x

    caller(tf.constant(1.0))
    assert found == [outcome(helper, args)]


def test_annotated_assignments():
    @tf.function
    def python_loop(x):
        out: tf.Tensor = x
        for _ in range(3):
            out: tf.Tensor = out + 1.0
        return out

    @tf.function
    def tensors(x):
        s: tf.Tensor = x
        for _ in tf.range(3):
            s: tf.Tensor = s + 1.0
        if s > 3.0:
            z: tf.Tensor = s * 2.0
        else:
            z = s
        return z

    @tf.function
    def places(x):
        d = {}
        d["k"]: float = 3.0
        if x > 0.0:
            d["k"]: float = x
        return d["k"]

    one = tf.constant(1.0)
    assert python_loop(one).numpy() == 4.0
    assert tensors(one).numpy() == 8.0
    assert places(one).numpy() == 1.0 and places(-one).numpy() == 3.0


def test_code_that_is_edited_and_loaded_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "edited_module.py"
    text = "import tapeflow as tf\n\n@tf.function\ndef f(x):\n    if x > 0:\n        x = x + {}\n    return x\n"
    file.write_text(text.format("1.0"))
    module = importlib.import_module("edited_module")
    assert module.f(tf.constant(1.0)).numpy() == 2.0
    file.write_text(text.format("10.00"))
    importlib.reload(module)
    assert module.f(tf.constant(1.0)).numpy() == 11.0
    sys.modules.pop("edited_module")
