"""`tf.__internal__.test.combinations`: tests that run once for each combination of parameters.

Libraries' own tests are written with it. Needs absl, which those libraries bring along.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import re
from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export, publish

_SPACE = "__internal__.test.combinations"
Combinations = list[OrderedDict]


@export(f"{_SPACE}.combine")
def combine(**kwargs: Any) -> Combinations:
    """All combinations of lists of values, each a dict sorted by its keys."""
    names = sorted(kwargs)
    values = [kwargs[name] if isinstance(kwargs[name], list) else [kwargs[name]] for name in names]
    return [OrderedDict(zip(names, chosen, strict=True)) for chosen in itertools.product(*values)]


@export(f"{_SPACE}.times")
def times(*combined: Combinations) -> Combinations:
    """Each combination of one list with each of the others."""
    found: Combinations = []
    for parts in itertools.product(*combined):
        names = [name for part in parts for name in part]
        if len(set(names)) < len(names):
            raise ValueError(f"Keys need to not overlap: {names}")
        found.append(OrderedDict(item for part in parts for item in part.items()))
    return found


@export(f"{_SPACE}.NamedObject")
class NamedObject:
    """An object with a name for the names of tests."""

    def __init__(self, name: str, obj: Any):
        self._name, self._obj = name, obj

    def __getattr__(self, name: str) -> Any:
        return getattr(self._obj, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._obj(*args, **kwargs)

    def __iter__(self) -> Any:
        return iter(self._obj)

    def __repr__(self) -> str:
        return self._name


@export(f"{_SPACE}.ParameterModifier")
class ParameterModifier:
    """Changes what a test is given."""

    DO_NOT_PASS_TO_THE_TEST = object()

    def __init__(self, parameter_name: str | None = None):
        self._parameter_name = parameter_name

    def modified_arguments(self, kwargs: dict, requested_parameters: Any) -> dict:
        """Other values of arguments, or DO_NOT_PASS_TO_THE_TEST."""
        return {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and (
            self._parameter_name == other._parameter_name)

    def __hash__(self) -> int:
        return hash((type(self), self._parameter_name))


@export(f"{_SPACE}.OptionalParameter")
class OptionalParameter(ParameterModifier):
    """A parameter that a test need not have."""

    def modified_arguments(self, kwargs: dict, requested_parameters: Any) -> dict:
        if self._parameter_name in requested_parameters:
            return {}
        return {self._parameter_name: self.DO_NOT_PASS_TO_THE_TEST}


@export(f"{_SPACE}.TestCombination")
class TestCombination:
    """Decides about one parameter of combinations: whether and within what a test runs."""

    def should_execute_combination(self, kwargs: dict) -> tuple[bool, str | None]:
        """Whether the test runs, and why not."""
        return True, None

    def parameter_modifiers(self) -> list[ParameterModifier]:
        """What changes the arguments."""
        return []

    def context_managers(self, kwargs: dict) -> list:
        """Contexts in which the test runs."""
        return []


class _Mode(TestCombination):
    """`mode`: "eager", or "graph" for a tf.Graph."""

    def context_managers(self, kwargs: dict) -> list:
        mode = kwargs.pop("mode", None)
        if mode not in (None, "eager", "graph"):
            raise ValueError(f"Argument 'mode' must be either 'eager' or 'graph'. Got: {mode}.")
        return [tf.Graph().as_default()] if mode == "graph" else []

    def parameter_modifiers(self) -> list[ParameterModifier]:
        return [OptionalParameter("mode")]


class _Version(TestCombination):
    """`tf_api_version`: 1 or 2; ours is 2."""

    def should_execute_combination(self, kwargs: dict) -> tuple[bool, str | None]:
        asked = kwargs.pop("tf_api_version", None)
        return asked != 1, "Skipping a TF1.x test when TF2 is enabled."

    def parameter_modifiers(self) -> list[ParameterModifier]:
        return [OptionalParameter("tf_api_version")]


# -- making tests ----------------------------------------------------------------------------------
def generate_tests(combinations: Combinations, test_combinations: tuple = ()) -> Callable:
    """Decorator of a test, or of a class of tests: one for each combination."""
    from absl.testing import parameterized

    named = [OrderedDict([*chosen.items(), ("testcase_name", "_test" + _suffix(chosen))])
             for chosen in combinations]

    def decorate(test: Any) -> Any:
        if not isinstance(test, type):
            return parameterized.named_parameters(*named)(_within(test, test_combinations))
        ids: dict[str, str] = {}
        setattr(test, "_test_method_ids", ids)  # noqa: B010
        for name, method in list(vars(test).items()):
            if name.startswith("test") and isinstance(method, FunctionType):
                delattr(test, name)
                made: dict[str, Any] = {}
                parameterized._update_class_dict_for_param_test_case(
                    test.__name__, made, ids, name, parameterized._ParameterizedTestIter(
                        _within(method, test_combinations), named, parameterized._NAMED, name))
                for each, function in made.items():
                    setattr(test, each, function)
        return test

    return decorate


def _suffix(chosen: OrderedDict) -> str:
    def plain(text: Any, place: int) -> str:
        return "".join(filter(str.isalnum, re.sub("0[xX][0-9a-fA-F]+", str(place), str(text))))

    return "".join(f"_{plain(name, i)}_{plain(value, i)}"
                   for i, (name, value) in enumerate(chosen.items()))


def _within(test: Callable, deciding: tuple) -> Callable:
    """A test that runs in the contexts of its combination, with the arguments that it takes."""
    spec = inspect.getfullargspec(test)
    if spec.varargs or spec.varkw:  # of a decorator that passes all on
        spec = inspect.getfullargspec(inspect.unwrap(test))
    taken = spec.args

    def run(self: Any, **kwargs: Any) -> None:
        verdicts = [one.should_execute_combination(kwargs.copy()) for one in deciding]
        reasons = [f" - {reason}" for good, reason in verdicts if not good]
        if reasons:
            self.skipTest("\n".join(reasons))
        passed = dict(kwargs)
        for modifier in {one for each in deciding for one in each.parameter_modifiers()}:
            for name, value in modifier.modified_arguments(kwargs.copy(), taken).items():
                passed[name] = value
                if value is ParameterModifier.DO_NOT_PASS_TO_THE_TEST:
                    del passed[name]
        if {*passed, "self"} != set(taken):
            raise ValueError(f"The test takes the parameters {taken} and was given "
                             f"{sorted(passed)}.")
        with contextlib.ExitStack() as stack:
            for one in deciding:
                for context in one.context_managers(kwargs.copy()):
                    stack.enter_context(context)
            test(self, **passed)

    return run


def plain_combinations() -> tuple[TestCombination, ...]:
    """What decides about every test: its mode and its version."""
    return _Mode(), _Version()


publish(functools.partial(generate_tests, test_combinations=plain_combinations()),
        f"{_SPACE}.generate")
