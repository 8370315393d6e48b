"""Decorators of tests in TensorFlow's `test_util`: which run where, and what they must leave."""

from __future__ import annotations

import contextlib
import functools
import gc
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
