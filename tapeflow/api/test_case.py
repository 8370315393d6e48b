"""tf.test.TestCase and tf.test.main: unittest with assertions on tensors.

Loaded when one of its names is used.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import re
import tempfile
import unittest
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph_mode.graph import current_graph
from tapeflow.graph_mode.graph_switches import reset_default_graph
from tapeflow.graph_mode.testing_modes import (
    EagerSession,
    evaluated,
    forget_sessions,
    kept_session,
    session_for,
)
from tapeflow.io.protobuf import text_format
from tapeflow.io.protobuf.messages import Message
from tapeflow.ops.random.stateful import set_seed

SEED = 87654321


def _array(value: Any) -> Any:
    if current_graph() is not None:
        value = nest.map_structure(lambda one: evaluated(one) if isinstance(
            one, (Tensor, Variable)) else one, value)
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, DType):  # a dtype is equal to its name
        value = value.name
    try:
        return np.asarray(value)
    except ValueError:  # sequences of several lengths
        return np.asarray(value, object)


def _rows(value: Any) -> Any:
    """A ragged tensor, or what it is compared with, as nested lists."""
    return value.to_list() if hasattr(value, "to_list") else _array(value).tolist()


def _encoded(array: np.ndarray) -> np.ndarray:
    """Strings as bytes, as tensors hold them."""
    made = array.astype(object)
    made.flat[:] = [one.encode() if isinstance(one, str) else one for one in made.flat]
    return made


def _lengths(rows: Any) -> Any:
    return [_lengths(one) for one in rows] if isinstance(rows, list) else None


class CapturedWrites:
    """What was written to a stream while a test captured it."""

    def __init__(self, file: Any):
        self._file, self._text = file, ""

    def contents(self) -> str:
        """The text so far."""
        if not self._file.closed:
            self._file.seek(0)
            self._text = self._file.read().decode()
            self._file.seek(0, os.SEEK_END)
        return self._text


def _base() -> Any:
    """absl's TestCase, which TensorFlow's is; unittest's where absl is not installed."""
    try:
        return importlib.import_module("absl.testing.absltest").TestCase
    except ImportError:
        return unittest.TestCase


if TYPE_CHECKING:
    _TestCase = unittest.TestCase
else:
    _TestCase = _base()


@export("test.TestCase")
class TestCase(_TestCase):
    """A test case whose assertions take tensors, arrays and structures of them."""

    def setUp(self) -> None:
        super().setUp()
        random.seed(SEED)
        np.random.seed(SEED)
        reset_default_graph()
        set_seed(SEED)
        self.addCleanup(forget_sessions)

    def _eval_helper(self, tensors: Any) -> Any:  # of tests that have an `evaluate` of their own
        return EagerSession().run(tensors)

    def evaluate(self, tensors: Any) -> Any:
        """Tensors as NumPy values, in their structure."""
        if current_graph() is not None:
            return evaluated(tensors)
        return self._eval_helper(tensors() if callable(tensors) else tensors)

    def cached_session(self, graph: Any = None, config: Any = None, use_gpu: bool = True,
                       force_gpu: bool = False) -> Any:
        """A session of the graph that is the default one; where ops run at once, an EagerSession.

        A test has one for each graph: what its variables hold stays until the test ends.
        """
        return kept_session(graph)

    def session(self, graph: Any = None, config: Any = None, use_gpu: bool = True,
                force_gpu: bool = False) -> Any:
        """A session of its own."""
        return session_for(graph)

    def test_session(self, graph: Any = None, config: Any = None, use_gpu: bool = True,
                     force_gpu: bool = False) -> Any:
        """The same as `cached_session`; test runners, which take it for a test, skip it."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.cached_session(graph, config, use_gpu, force_gpu)

    def _GetNdArray(self, a: Any) -> Any:
        return _array(a)

    def assertRaisesIncompatibleShapesError(
            self, exception_type: Any = errors.InvalidArgumentError) -> Any:
        """Shapes that do not fit are refused."""
        return self.assertRaisesWithPredicateMatch(
            exception_type, r"Incompatible shapes|Dimensions must be equal|required broadcastable")

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any,
                          msg: str | None = None, relative_tolerance: float | None = None) -> None:
        """A message equals another, or one in the text format."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            if isinstance(message, Message):
                expected = text_format.parse(expected, type(message)())
            else:
                google: Any = importlib.import_module("google.protobuf.text_format")
                expected = google.Parse(expected, type(message)())
        self.assertEqual(expected, message, msg)

    def get_temp_dir(self) -> str:
        """A folder that is removed after the test."""
        folder = getattr(self, "_folder", None)
        if folder is None:
            holder = tempfile.TemporaryDirectory()
            self.addCleanup(holder.cleanup)
            folder = self._folder = holder.name
        return folder

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """`with …:` what is written to a stream's file, by Python or not, is kept to be read."""
        stream.flush()
        with tempfile.TemporaryFile() as file:
            before, target = os.dup(stream.fileno()), stream.fileno()
            os.dup2(file.fileno(), target)
            written = CapturedWrites(file)
            try:
                yield written
            finally:
                stream.flush()
                os.dup2(before, target)
                os.close(before)
                written.contents()

    # -- equal and close ---------------------------------------------------------------------------
    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Same shape and equal elements; NaN equals NaN."""
        if any(hasattr(one, "to_list") for one in (a, b)):  # ragged
            self.assertEqual(_rows(a), _rows(b), msg)
            return
        a, b = _array(a), _array(b)
        self._same_shape(a, b, msg)
        if a.dtype.kind != b.dtype.kind and {a.dtype.kind, b.dtype.kind} <= set("USO"):
            a, b = _encoded(a), _encoded(b)
        equal = (a == b) | ((a != a) & (b != b))
        if not np.all(equal):
            wrong = np.argwhere(~np.asarray(equal))[:10].tolist()
            self.fail(self._formatMessage(msg, f"Values differ at {wrong}:\n{a}\n{b}"))

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Some element differs."""
        try:
            self.assertAllEqual(a, b)
        except self.failureException:
            return
        self.fail(self._formatMessage(msg, "The two values are equal at all elements."))

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6,
                       msg: str | None = None) -> None:
        """|a - b| <= atol + rtol |b|, in structures too."""
        if any(hasattr(one, "to_list") for one in (a, b)):  # ragged
            a, b = _rows(a), _rows(b)
            self.assertEqual(_lengths(a), _lengths(b), msg)
            a, b = nest.flatten(a), nest.flatten(b)
        if isinstance(a, dict) or isinstance(b, dict):
            self.assertEqual(sorted(a), sorted(b), msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, msg or f"at key {key!r}")
            return
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            try:
                np.asarray(nest.map_structure(_array, a), dtype=float)
            except ValueError:
                self.assertEqual(len(a), len(b), msg)
                for one, other in zip(a, b, strict=True):
                    self.assertAllClose(one, other, rtol, atol, msg)
                return
        a, b = _array(a), _array(b)
        self._same_shape(a, b, msg)
        if not np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
            worst = np.max(np.abs(a - b)) if a.size else 0
            self.fail(self._formatMessage(msg, (
                f"Not close to rtol={rtol}, atol={atol}; the greatest difference is {worst}:\n"
                f"{a}\n{b}")))

    def assertAllCloseAccordingToType(self, a: Any, b: Any, rtol: float = 1e-6,
                                      atol: float = 1e-6, float_rtol: float = 1e-6,
                                      float_atol: float = 1e-6, half_rtol: float = 1e-3,
                                      half_atol: float = 1e-3, bfloat16_rtol: float = 1e-2,
                                      bfloat16_atol: float = 1e-2, msg: str | None = None) -> None:
        """`assertAllClose`, wider for narrower dtypes."""
        for size, kind, wide_r, wide_a in ((4, "f", float_rtol, float_atol),
                                           (2, "f", half_rtol, half_atol),
                                           (2, "V", bfloat16_rtol, bfloat16_atol)):
            for one in (_array(a), _array(b)):
                if one.dtype.itemsize <= size and one.dtype.kind == kind:
                    rtol, atol = max(rtol, wide_r), max(atol, wide_a)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6,
                          msg: str | None = None) -> None:
        """Some element is not close."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except self.failureException:
            return
        self.fail(self._formatMessage(msg, "The two values are close at all elements."))

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """|f1 - f2| <= err."""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, self._formatMessage(
            msg, f"{f1!r} != {f2!r} +/- {err!r}"))

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float,
                        msg: str | None = None) -> None:
        """`assertNear` for each element."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, other in zip(farray1, farray2, strict=True):
            self.assertNear(float(one), float(other), err, msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float,
                          msg: str | None = None) -> None:
        """The norm of the difference is at most `err`."""
        self.assertTrue(np.linalg.norm(_array(ndarray1) - _array(ndarray2)) < err, msg)

    # -- ranges and shapes -------------------------------------------------------------------------
    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater."""
        self.assertGreater(np.min(_array(a)), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater or equal."""
        self.assertGreaterEqual(np.min(_array(a)), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less."""
        self.assertLess(np.max(_array(a)), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is less or equal."""
        self.assertLessEqual(np.max(_array(a)), comparison_target)

    def assertAllInRange(self, target: Any, lower_bound: Any, upper_bound: Any,
                         open_lower_bound: bool = False, open_upper_bound: bool = False) -> None:
        """Every element is in the range; NaN is not."""
        values = _array(target)
        below = values <= lower_bound if open_lower_bound else values < lower_bound
        above = values >= upper_bound if open_upper_bound else values > upper_bound
        self.assertFalse(np.any(below | above | (values != values)),
                         f"Some elements are outside [{lower_bound}, {upper_bound}]:\n{values}")

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is in the set."""
        self.assertEqual(np.setdiff1d(_array(target), list(expected_set)).size, 0)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """The dtype is the expected one."""
        self.assertEqual(_array(target).dtype, np.dtype(getattr(expected_dtype, "as_numpy_dtype",
                                                                expected_dtype)))

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Both have one shape, as far as tensors of a graph know theirs."""
        sizes: list[Any] = []
        for name, one in (("input_a", input_a), ("input_b", input_b)):
            if not isinstance(one, (np.ndarray, np.generic, Tensor)):
                raise TypeError(f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor."
                                f"Instead received {type(one)}")
            sizes.append(list(one.shape.as_list() if isinstance(one, Tensor) else one.shape))
        self.assertAllEqual(sizes[0], sizes[1], msg=msg)

    def _same_shape(self, a: Any, b: Any, msg: str | None) -> None:
        if a.shape != b.shape:
            self.fail(self._formatMessage(msg, f"Shape mismatch: expected {a.shape}, got "
                                               f"{b.shape}."))

    def assertDictEqual(self, d1: Any, d2: Any, msg: str | None = None) -> None:
        """Two dicts of tensors, arrays or other values are the same; floats may round apart."""
        try:
            super().assertDictEqual(d1, d2, msg)
        except Exception:  # values that do not compare to one bool
            self.assertCountEqual(d1, d2, msg)
            for key, one in d1.items():
                floats = np.issubdtype(_array(one).dtype, np.floating)
                (self.assertAllClose if floats else self.assertAllEqual)(one, d2[key], msg=key)

    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """There is nothing in it."""
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """There is something in it."""
        self.assertNotEqual(len(container), 0, msg)

    def assertLen(self, container: Any, expected_len: int, msg: str | None = None) -> None:
        """It has so many members."""
        self.assertEqual(len(container), expected_len, msg)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """The text begins so."""
        self.assertTrue(actual.startswith(expected_start), msg or (
            f"{actual!r} does not start with {expected_start!r}"))

    def assertEndsWith(self, actual: str, expected_end: str, msg: str | None = None) -> None:
        """The text ends so."""
        self.assertTrue(actual.endswith(expected_end), msg or (
            f"{actual!r} does not end with {expected_end!r}"))

    # -- exceptions --------------------------------------------------------------------------------
    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any,
                                       expected_err_re_or_predicate: Any) -> Iterator[None]:
        """The exception's message matches, or the predicate holds of the exception."""
        try:
            yield
        except exception_type as error:
            wanted = expected_err_re_or_predicate
            good = wanted(error) if callable(wanted) else re.search(wanted, str(error))
            self.assertTrue(good, f"Exception of type {type(error)}: {error}")
            return
        self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The same for the errors of ops."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)


@export("test.main")
def main(argv: Any = None) -> None:
    """Run the tests of the program."""
    unittest.main(argv=argv)


@export("test.is_cpu_target_available")
def is_cpu_target_available(target: str) -> bool:
    """Whether code can be made for a kind of CPU: this one."""
    import platform
    names = {"x86": ("x86_64", "AMD64"), "arm": ("aarch64", "arm64")}
    return platform.machine() in names.get(target, (target,))
