# Written by tools/stubs.py (make stubs).
"""tf.test"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tapeflow._typing import CapturedWrites, FloatLike, IntLike
from tapeflow.test import experimental as experimental

class Benchmark:
    """A class whose methods `benchmark…` measure something."""
    def report_benchmark(
        self, iters: IntLike | None = None, cpu_time: FloatLike | None = None,
        wall_time: FloatLike | None = None, throughput: FloatLike | None = None,
        extras: dict | None = None, name: str | None = None, metrics: list | None = None,
    ) -> None:
        """Log what was measured."""
    def run_op_benchmark(
        self, sess: Any, op_or_tensor: Any, feed_dict: dict | None = None, burn_iters: IntLike = 2,
        min_iters: IntLike = 10, store_trace: bool = False, store_memory_usage: bool = True,
        name: str | None = None, extras: dict | None = None, mbs: FloatLike = 0,
    ) -> dict[str, Any]:
        """The median wall time in seconds that a session takes, reported and returned."""
    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors as arrays."""

def compute_gradient(f: Callable, x: Any, delta: FloatLike | None = None) -> tuple:
    """Jacobians of `f` by its arguments, by the tape and by central differences."""

def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable:
    """A decorator of test methods, which are skipped where `pred` holds."""

def gpu_device_name() -> str:
    """The name of a GPU; there is none."""

def is_built_with_cuda() -> bool:
    """Whether this build can use CUDA: no."""

def is_built_with_gpu_support() -> bool:
    """Whether this build can use GPUs: no."""

def is_built_with_rocm() -> bool:
    """Whether this build can use ROCm: no."""

def is_built_with_xla() -> bool:
    """Whether this build has XLA: no."""

def is_cpu_target_available(target: str) -> bool:
    """Whether code can be made for a kind of CPU: this one."""

def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: Any = None,
) -> bool:
    """Whether there is a GPU: no."""

def main(argv: Any = None) -> None:
    """Run the tests of the program."""

class TestCase:
    """A test case whose assertions take tensors, arrays and structures of them."""
    def setUp(self) -> None: ...
    def evaluate(self, tensors: Any) -> Any:
        """Tensors as NumPy values, in their structure."""
    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False,
    ) -> Any:
        """A session of the graph that is the default one; where ops run at once, an …"""
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False,
    ) -> Any:
        """A session of its own."""
    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False,
    ) -> Any:
        """The same as `cached_session`; test runners, which take it for a test, skip it."""
    def assertRaisesIncompatibleShapesError(self, exception_type: Any = ...) -> Any:
        """Shapes that do not fit are refused."""
    def assertProtoEquals(
        self, expected_message_maybe_ascii: Any, message: Any, msg: str | None = None,
        relative_tolerance: FloatLike | None = None,
    ) -> None:
        """A message equals another, or one in the text format."""
    def get_temp_dir(self) -> str:
        """A folder that is removed after the test."""
    def captureWritesToStream(self, stream: Any) -> AbstractContextManager[CapturedWrites]:
        """`with …:` what is written to a stream's file, by Python or not, is kept to be read."""
    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Same shape and equal elements; NaN equals NaN."""
    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Some element differs."""
    def assertAllClose(
        self, a: Any, b: Any, rtol: FloatLike = 1e-06, atol: FloatLike = 1e-06,
        msg: str | None = None,
    ) -> None:
        """|a - b| <= atol + rtol |b|, in structures too."""
    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: FloatLike = 1e-06, atol: FloatLike = 1e-06,
        float_rtol: FloatLike = 1e-06, float_atol: FloatLike = 1e-06, half_rtol: FloatLike = 0.001,
        half_atol: FloatLike = 0.001, bfloat16_rtol: FloatLike = 0.01,
        bfloat16_atol: FloatLike = 0.01, msg: str | None = None,
    ) -> None:
        """`assertAllClose`, wider for narrower dtypes."""
    def assertNotAllClose(
        self, a: Any, b: Any, rtol: FloatLike = 1e-06, atol: FloatLike = 1e-06,
        msg: str | None = None,
    ) -> None:
        """Some element is not close."""
    def assertNear(
        self, f1: FloatLike, f2: FloatLike, err: FloatLike, msg: str | None = None,
    ) -> None:
        """|f1 - f2| <= err."""
    def assertArrayNear(
        self, farray1: Any, farray2: Any, err: FloatLike, msg: str | None = None,
    ) -> None:
        """`assertNear` for each element."""
    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: FloatLike, msg: str | None = None,
    ) -> None:
        """The norm of the difference is at most `err`."""
    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater."""
    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater or equal."""
    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less."""
    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is less or equal."""
    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Every element is in the range; NaN is not."""
    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is in the set."""
    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """The dtype is the expected one."""
    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Both have one shape, as far as tensors of a graph know theirs."""
    def assertDictEqual(self, d1: Any, d2: Any, msg: str | None = None) -> None:
        """Two dicts of tensors, arrays or other values are the same; floats may round apart."""
    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """There is nothing in it."""
    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """There is something in it."""
    def assertLen(
        self, container: Any, expected_len: IntLike, msg: str | None = None,
    ) -> None:
        """It has so many members."""
    def assertStartsWith(
        self, actual: str, expected_start: str, msg: str | None = None,
    ) -> None:
        """The text begins so."""
    def assertEndsWith(
        self, actual: str, expected_end: str, msg: str | None = None,
    ) -> None:
        """The text ends so."""
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: Any,
    ) -> AbstractContextManager[None]:
        """The exception's message matches, or the predicate holds of the exception."""
    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The same for the errors of ops."""
