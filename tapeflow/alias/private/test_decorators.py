"""Decorators of tests in TensorFlow's `test_util`: which run where, and what they must leave."""

from __future__ import annotations

import collections
import contextlib
import functools
import gc
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tapeflow
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph_mode.testing_modes import unchanged


def _skipped(reason: str) -> Callable:
    """A decorator of test methods, or of classes of them, which are skipped."""
    def skip(self: Any, *args: Any, **kwargs: Any) -> None:
        self.skipTest(reason)

    def decorate(test: Any) -> Any:
        if isinstance(test, type):
            setattr(test, "setUp", skip)  # noqa: B010  # a class of the test's own
            return test
        return functools.wraps(test)(skip)

    return decorate


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Of TensorFlow 1 alone."""
    return _skipped(reason) if func is None else _skipped(reason)(func)


def run_gpu_only(func: Any = None) -> Any:
    """Of devices that are not there."""
    skip = _skipped("Test requires GPU")
    return skip if func is None else skip(func)


def skip_if(condition: Any) -> Callable:
    """A test that does nothing where a condition, or what a function gives, is true."""
    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> None:
            if not (condition() if callable(condition) else condition):
                test(self, *args, **kwargs)

        return run

    return decorate


@contextlib.contextmanager
def skip_if_error(test_obj: Any, error_type: Any, messages: Any = None) -> Iterator[None]:
    """A context whose errors of a kind, with one of some texts, skip the test."""
    wanted = messages or []
    wanted = [wanted] if isinstance(wanted, str) else wanted
    try:
        yield
    except error_type as error:
        if wanted and not any(text in str(error) for text in wanted):
            raise
        test_obj.skipTest(f"Skipping error: {type(error)}: {error}")


def also_run_as_tf_function(f: Callable) -> Callable:
    """A test that runs as it is, and inside a tf.function."""
    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> None:
        f(*args, **kwargs)
        if not tapeflow.config.functions_run_eagerly():
            tapeflow.function(f, autograph=False)(*args, **kwargs)

    return both


@contextlib.contextmanager
def run_functions_eagerly(run_eagerly: bool) -> Iterator[None]:
    """A context in which tf.functions run as Python, or do not."""
    before = tapeflow.config.functions_run_eagerly()
    tapeflow.config.run_functions_eagerly(run_eagerly)
    try:
        yield
    finally:
        tapeflow.config.run_functions_eagerly(before)


@contextlib.contextmanager
def on_device(use_gpu: bool = False) -> Iterator[None]:
    """A context for ops on the CPU, which is the only device."""
    with tapeflow.device("/cpu:0"):
        yield


def disable_xla(description: str) -> Callable:
    """A test that XLA is not to compile."""
    return unchanged


def false() -> bool:
    """Whether TensorFlow was built with, or has switched on, what is not here."""
    return False


def for_all_test_methods(decorator: Callable, *args: Any, **kwargs: Any) -> Callable:
    """The decorator of a class that decorates each of its tests."""
    def decorate(cls: type) -> type:
        for name, value in list(vars(cls).items()):
            if callable(value) and name.startswith("test") and name != "test_session":
                setattr(cls, name, decorator(*args, **kwargs)(value))
        return cls

    return decorate


def assert_no_new_tensors(test: Callable) -> Callable:
    """A test that must leave no tensors behind."""
    @functools.wraps(test)
    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        def alive() -> set[int]:
            gc.collect()
            return {id(one) for one in gc.get_objects() if isinstance(one, Tensor)}

        before = alive()
        test(self, *args, **kwargs)
        self.assertFalse(alive() - before, "Tensors are left behind.")

    return counted


def assert_no_new_pyobjects_executing_eagerly(warmup_iters: int = 2) -> Callable:
    """A test that must not leave more objects behind each time that it runs."""
    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def counted(self: Any, *args: Any, **kwargs: Any) -> None:
            def left() -> int:
                test(self, *args, **kwargs)
                gc.collect()
                return len(gc.get_objects())

            counts = [left() for _ in range(warmup_iters + 3)][warmup_iters:]
            self.assertLessEqual(counts[-1], counts[0], "Objects are left behind.")

        return counted

    return decorate


def assert_no_garbage_created(test: Callable) -> Callable:
    """A test that must leave nothing to the garbage collector alone."""
    @functools.wraps(test)
    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        gc.collect()
        was, flags = gc.isenabled(), gc.get_debug()
        gc.disable()
        try:
            test(self, *args, **kwargs)
            gc.set_debug(gc.DEBUG_SAVEALL)
            before = len(gc.garbage)
            gc.collect()
            self.assertEqual(before, len(gc.garbage))
        finally:
            gc.set_debug(flags)
            if was:
                gc.enable()

    return counted


def NHWCToNCHW(input_tensor: Any) -> Any:
    """A batch of images, or its sizes, with channels before rows and columns."""
    return _reordered(input_tensor, {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]})


def NCHWToNHWC(input_tensor: Any) -> Any:
    """A batch of images, or its sizes, with channels last."""
    return _reordered(input_tensor, {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]})


def _reordered(given: Any, orders: dict[int, list[int]]) -> Any:
    if isinstance(given, tapeflow.Tensor):
        return tapeflow.transpose(given, orders[given.shape.ndims])
    return [given[place] for place in orders[len(given)]]


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Any) -> dict[str, Any]:
    """The nodes of a graph that have the names and types that are expected."""
    found = {}
    for node in graph.as_graph_def().node:
        if node.name in expected_ops:
            if expected_ops[node.name] != node.op:
                raise ValueError(f"Expected op for node {node.name} is different. "
                                 f"{expected_ops[node.name]} vs {node.op}")
            found[node.name] = node
    if set(expected_ops) != set(found):
        raise ValueError(f"Not all expected ops are present. Expected {expected_ops.keys()}, "
                         f"found {found.keys()}")
    return found


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[dict[str, Any]]:
    """Every combination of options, in order, each with a name made of them."""
    found: list[dict[str, Any]] = []
    names = list(kwargs)
    options = [one if isinstance(one, (list, tuple)) else [one] for one in kwargs.values()]
    for values in itertools.product(*options):
        name = "".join(f"_{''.join(filter(str.isalnum, key))}"
                       f"_{''.join(filter(str.isalnum, str(value)))}"
                       for key, value in zip(names, values, strict=True))
        found.append(collections.OrderedDict([
            *zip(names, values, strict=True), ("testcase_name", f"_test{name}")]))
    return found


@contextlib.contextmanager
def random_seed(seed: int) -> Iterator[None]:
    """A context with seeds of its own."""
    random.seed(seed)
    np.random.seed(seed)
    tapeflow.random.set_seed(seed)
    yield


# The name is also that of a module, some of whose functions libraries call.
vars(random_seed).update(
    set_seed=tapeflow.random.set_seed, get_seed=tapeflow.compat.v1.get_seed,
    set_random_seed=tapeflow.compat.v1.set_random_seed)
