"""Internal errors do not leave guarded functions."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tapeflow as tf
from tapeflow.base import internal_errors

OURS = {"__name__": "tapeflow.sample"}  # code that is compiled as if it were the library's


def ours(source: str):
    names = dict(OURS)
    exec(source, names)
    return internal_errors.guarded(names["f"])


@pytest.mark.parametrize(("line", "kind"), [
    ("return x.nothing", TypeError), ("return [][x]", ValueError), ("return {}[x]", ValueError),
    ("return 1 // x", ValueError), ("assert x", TypeError), ("return nothing", TypeError),
    ("return 10.0 ** 1000", ValueError)])
def test_accidents_become_errors_of_arguments(line, kind):
    with pytest.raises(kind) as caught:
        ours(f"def f(x):\n    {line}")(0)
    assert type(caught.value) is kind and caught.value.__cause__ is not None


def test_what_is_raised_on_purpose_passes():
    with pytest.raises(AttributeError, match="on purpose"):
        ours("def f():\n    raise AttributeError('on purpose')")()


def test_errors_of_the_users_code_pass_unchanged():
    def user(x):
        return x.nothing

    with pytest.raises(AttributeError, match="nothing"):
        ours("def f(function):\n    return function(3)")(user)
    with pytest.raises(KeyError):
        tf.map_fn(lambda x: {}["a"], tf.ones([2]))


def test_objects_are_made_under_guard():
    program = """
import tapeflow as tf
try:
    tf.lookup.StaticVocabularyTable(0.0, 1)
except TypeError as error:
    assert isinstance(error.__cause__, AttributeError)
else:
    raise SystemExit("taken")
"""  # of its own: another test may have loaded the class before its public name is asked for
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("call", [
    lambda: tf.ones([10**7, 10**7]), lambda: tf.zeros([10**7, 10**7]),
    lambda: tf.fill([10**7, 10**7], 1), lambda: tf.eye(10**7), lambda: tf.range(2**40),
    lambda: tf.random.normal([10**13]), lambda: tf.tile([1.0], [10**13]),
    lambda: tf.ones([10**6, 1]) + tf.ones([1, 10**7]),
    lambda: tf.function(lambda: tf.ones([10**7, 10**7]))(),
    lambda: tf.function(lambda n: tf.zeros([n, n]) + 1.0)(tf.constant(10**7))])
def test_no_memory_is_resource_exhausted(call):
    with pytest.raises(tf.errors.ResourceExhaustedError):
        call()


@pytest.mark.parametrize("compiled", [None, True])
def test_functions_without_memory(compiled):
    function = tf.function(lambda a, b: tf.sin(a + b), jit_compile=compiled, autograph=False)
    with pytest.raises(tf.errors.ResourceExhaustedError):
        function(tf.ones([10**6, 1]), tf.ones([1, 10**7]))


def test_what_recurses_without_end_is_an_error_of_arguments_unless_the_user_recurses():
    endless = ours("def f(x=0):\n    return f(x)\n")
    with pytest.raises(ValueError, match="recursion"):
        endless()

    def user():
        return ours("def f(x=0):\n    return repr([x])\n")() and user()

    with pytest.raises(RecursionError):
        user()
