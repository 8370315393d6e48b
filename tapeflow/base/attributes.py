"""Attributes of ops: arguments that are fixed Python values, checked as TensorFlow checks them.

    @export("math.cumprod")
    @attributes(exclusive=flag, reverse=flag)
    def cumprod(x, axis=0, exclusive=False, reverse=False, name=None): ...

None stands for the default. Any layer may import it. The check costs a fraction of
a microsecond: functions that are called in hot loops check in their own bodies.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from inspect import signature
from numbers import Real
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled


def flag(name: str, value: Any) -> bool:
    """True or False: nothing else is taken for one, not even 1."""
    if value is True or value is False:
        return value
    raise wrong("bool", name, value)


def text(name: str, value: Any) -> str:
    """A Python string or bytes."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    raise wrong("string", name, value)


def text_bytes(value: Any) -> bytes:
    """The bytes of what `text` gave, or of any other object's text; bytes that are no UTF-8 too."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")


def whole(name: str, value: Any) -> int:
    """Whatever `int` makes a number of, except text: 1.5 is 1; within the range of an int64."""
    found = value
    if type(value) is not int:
        if isinstance(value, (str, bytes)) or getattr(value, "ndim", False):
            raise wrong("int", name, value)
        try:
            found = int(value)
        except unsignalled(TypeError, ValueError, OverflowError):
            raise wrong("int", name, value) from None
    if -1 << 63 <= found < 1 << 63:
        return found
    raise ValueError(f"Value out of range: {name} is {found}, beyond an int64.")


def small(name: str, value: Any) -> int:
    """As `whole`, within the range of an int32."""
    found = whole(name, value)
    if -1 << 31 <= found < 1 << 31:
        return found
    raise errors.InvalidArgumentError(
        None, None, f"Attr {name} has value {found} out of range for an int32")


def real(name: str, value: Any) -> float:
    """A Python or NumPy number that is not complex."""
    if isinstance(value, (int, float)):
        return value
    if getattr(getattr(value, "dtype", None), "kind", "?") in "fiu" and value.shape == () \
            and isinstance(value, Real):
        return float(value)
    raise wrong("float", name, value)


def listed(name: str, value: Any) -> Any:
    """A list or tuple."""
    if isinstance(value, (list, tuple)):
        return value
    raise TypeError(f"Expected list for '{name}' argument, not {shown(value)}.")


def dense(name: str, value: Any) -> Any:
    """Anything but a ragged or sparse tensor, where TensorFlow's function takes none."""
    if hasattr(value, "_refusal") and not getattr(value, "_becomes_tensor", False) and (
            not hasattr(value, "__tf_tensor__")):
        raise value._refusal()
    return value


def truth(name: str, value: Any) -> bool:
    """Whatever is true or false; an array of several elements is neither."""
    return bool(value)


def compared(name: str, value: Any) -> Any:
    """What can be compared with False, as TensorFlow does with options that have no effect."""
    bool(value == False)  # noqa: E712
    return value


def positive(name: str, value: Any) -> Any:
    """A number of 1 or more."""
    if value < 1 or value != value:
        raise TypeError(f"'{name}' must be a positive integer.")
    return value


def some(name: str, value: Any) -> Any:
    """As `positive`; None does not stand for the default."""
    return positive(name, value)


def strict(name: str, value: Any) -> bool:
    """True or False; None does not stand for the default."""
    return flag(name, value)


strict.given = some.given = True  # type: ignore[attr-defined]


def wrong(kind: str, name: str, value: Any) -> TypeError:
    """The error for an attribute of another kind."""
    return TypeError(f"Expected {kind} for argument '{name}' not {shown(value)}.")


def shown(value: Any) -> str:
    """A value's repr, also when it has none to give."""
    try:
        return repr(value)
    except unsignalled(Exception):
        return f"<{type(value).__name__}>"


def looking_like(function: Callable, wrapper: Any) -> Any:
    """`wrapper` with the name, words and signature of `function`."""
    update_wrapper(wrapper, function)
    with suppress(TypeError, ValueError):  # `inspect.getfullargspec` does not look for it inside
        vars(wrapper)["__signature__"] = signature(function)
    return wrapper


def attributes(**kinds: Callable[[str, Any], Any]) -> Callable:
    """Check and convert the named arguments of a function before it is called."""

    def decorate(function: Any) -> Any:
        code = function.__code__
        parameters = code.co_varnames[:code.co_argcount]
        defaults = dict(zip(reversed(parameters), reversed(function.__defaults__ or ())))
        defaults |= function.__kwdefaults__ or {}
        positions = [(parameters.index(name), name) for name in kinds if name in parameters]
        first = min((position for position, _ in positions), default=len(parameters))

        def converted(name: str, value: Any) -> Any:
            if value is None and name in defaults and not hasattr(kinds[name], "given"):
                return defaults[name]
            return kinds[name](name, value)

        def checked(*args: Any, **named: Any) -> Any:
            for name in named:
                if name in kinds:
                    named[name] = converted(name, named[name])
            if len(args) > first:
                given = list(args)
                for position, name in positions:
                    if position < len(given):
                        given[position] = converted(name, given[position])
                args = tuple(given)
            return function(*args, **named)

        return looking_like(function, checked)

    return decorate
