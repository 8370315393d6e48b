"""Docstrings of public functions and classes, which are composed when somebody reads them.

A function's own docstring is a sentence or two. `help`, IPython's `?` and `print(f.__doc__)` show
more: arguments, result, gradient, an example. That is put together by `documentation` when it is
read; until then a docstring costs what its sentence costs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from tapeflow.base.late import LateMethod

HEAP = 1 << 9  # of a class that Python code made: another's words are not ours to change


class Docstring(str):
    """What `__doc__` of a public function is until it is read: its own words and its name.

    Every method of strings works on the whole text. Only what reads a string's memory directly
    (`re`, `"".join`) sees the function's own words, and that only once: who reads the whole text
    puts it into the function.
    """

    name: str
    function: Any

    def whole(self) -> str:
        from tapeflow.documentation.composition import compose
        text = compose(self.name, self.function, str.__str__(self))
        if self.function.__doc__ is self:
            self.function.__doc__ = text
        return text


def _on_the_whole(method: Callable) -> Callable:
    def read(self: Docstring, *args: Any, **named: Any) -> Any:
        return method(self.whole(), *args, **named)

    return read


_KEPT = ("__new__", "__init__", "__class__", "__getattribute__", "__init_subclass__", "__doc__",
         "__subclasshook__", "__setattr__", "__delattr__", "__dir__", "__sizeof__", "maketrans")
for _name, _method in vars(str).items():
    if _name not in _KEPT:
        setattr(Docstring, _name, _on_the_whole(_method))


def describe_when_read(value: Any, name: str) -> None:
    """Let the docstring of the public function `tf.name` be composed when it is read.

    Of a class those of its methods are, if they have words of their own.
    """
    methods = vars(value) if isinstance(value, type) else {}
    _describe(value, name)
    for method, function in list(methods.items()):
        if isinstance(function, LateMethod):
            function.then = function.then or partial(describe_when_read, value, name)
        elif method[0] != "_" and type(function.__doc__) is str:
            _describe(getattr(function, "__func__", function), f"{name}.{method}")


def _describe(function: Any, name: str) -> None:
    ours = type(function) is FunctionType or isinstance(function, type) and (
        function.__flags__ & HEAP)
    if not ours or type(function.__doc__) is Docstring:
        return
    words = function.__doc__ or ""
    if "\n\nArgs:\n" not in words:  # it has another public name, and was read
        doc = Docstring(words)
        doc.name, doc.function = name, function
        function.__doc__ = doc
