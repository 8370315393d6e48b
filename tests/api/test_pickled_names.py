"""Public functions are pickled by their public names, in whatever module they are made."""

import inspect
import pickle
import types

import pytest

import tapeflow as tf
from tapeflow.base.exports import PUBLIC, load_all

# Spaces that programs take functions from; a function of another library is that library's.
LEFT_OUT = ("__internal__", "__operators__", "keras")


def functions() -> dict[str, types.FunctionType]:
    load_all()
    return {name: found(name) for name, value in PUBLIC.items()
            if isinstance(value, types.FunctionType) and not name.startswith(LEFT_OUT)}


def found(name: str) -> types.FunctionType:
    """The function as programs find it; tests before this one may have wrapped it."""
    value: types.ModuleType | types.FunctionType = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", ["image.resize", "strings.join", "nn.softmax", "range", "slice",
                                  "io.read_file", "autograph.to_code", "data.experimental.Counter"])
def test_a_function_is_found_by_its_name(name):
    function = found(name)
    assert pickle.loads(pickle.dumps(function)) is function


def test_every_public_function_is_found_by_its_name():
    public = functions()
    assert len(public) > 2000
    lost = []
    for name, function in public.items():
        try:
            # Of two names one may stand for a wrapped function, the other for what is inside.
            same = inspect.unwrap(pickle.loads(pickle.dumps(function))) is inspect.unwrap(function)
        except (pickle.PicklingError, AttributeError):
            same = False
        if not same:
            lost.append(name)
    assert not lost
