# Written by tools/stubs.py (make stubs).
"""tf.debugging"""

from collections.abc import Iterable
from typing import Any, overload

import tapeflow as tf
from tapeflow._typing import CompositeT, DenseLike, DTypeLike, IntLike, TensorLike
from tapeflow.debugging import experimental as experimental

def Assert(
    condition: TensorLike, data: TensorLike, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError with `data` in its message unless `condition` holds."""

def assert_all_finite(
    x: TensorLike, message: str, name: str | None = None,
) -> tf.Tensor:
    """The same as `check_numerics`."""

def assert_equal(
    x: TensorLike, y: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x == y, elementwise."""

def assert_greater(
    x: TensorLike, y: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x > y, elementwise."""

def assert_greater_equal(
    x: TensorLike, y: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x >= y, elementwise."""

def assert_integer(
    x: TensorLike, message: str | None = None, name: str | None = None,
) -> Any:
    """TypeError unless `x` is of an integer dtype."""

def assert_less(
    x: TensorLike, y: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x < y, elementwise."""

def assert_less_equal(
    x: TensorLike, y: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x <= y, elementwise."""

def assert_near(
    x: TensorLike, y: TensorLike, rtol: Any = None, atol: Any = None,
    message: str | None = None, summarize: IntLike | None = None, name: str | None = None,
) -> Any:
    """InvalidArgumentError unless |x - y| < atol + rtol |y|, elementwise."""

def assert_negative(
    x: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x < 0, elementwise."""

def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x >= 0, elementwise."""

def assert_non_positive(
    x: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x <= 0, elementwise."""

def assert_none_equal(
    x: TensorLike, y: TensorLike, summarize: IntLike | None = None, message: str | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x != y, elementwise."""

def assert_positive(
    x: TensorLike, message: str | None = None, summarize: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """InvalidArgumentError unless x > 0, elementwise."""

def assert_proper_iterable(values: Any) -> None:
    """TypeError unless `values` is an iterable of values: no tensor, array or string."""

def assert_rank(
    x: TensorLike, rank: Any, message: str | None = None, name: str | None = None,
) -> Any:
    """ValueError unless `x` has the rank."""

def assert_rank_at_least(
    x: TensorLike, rank: Any, message: str | None = None, name: str | None = None,
) -> Any:
    """ValueError unless `x` has the rank or a higher one."""

def assert_rank_in(
    x: TensorLike, ranks: Iterable, message: str | None = None, name: str | None = None,
) -> Any:
    """ValueError unless `x` has one of the ranks."""

def assert_same_float_dtype(
    tensors: Iterable | None = None, dtype: DTypeLike | None = None,
) -> tf.DType:
    """The float dtype that all `tensors` (and `dtype`) have; ValueError if they differ."""

def assert_scalar(
    tensor: TensorLike, message: str | None = None, name: str | None = None,
) -> Any:
    """ValueError unless `tensor` is a scalar."""

def assert_shapes(
    shapes: Any, data: TensorLike | None = None, summarize: IntLike | None = None,
    message: str | None = None, name: str | None = None,
) -> Any:
    """ValueError unless the tensors have shapes that fit together."""

def assert_type(
    tensor: TensorLike, tf_type: Any, message: str | None = None, name: str | None = None,
) -> Any:
    """TypeError unless `tensor` has the dtype."""

@overload
def check_numerics(tensor: DenseLike, message: str, name: str | None = None) -> tf.Tensor:
    """`tensor` itself; InvalidArgumentError if it, or its gradient, holds a NaN or infinity."""
@overload
def check_numerics(
    tensor: CompositeT, message: str, name: str | None = None,
) -> CompositeT: ...

def disable_check_numerics() -> None:
    """End what `enable_check_numerics` began."""

def disable_traceback_filtering() -> None:
    """Show all frames in tracebacks from now on."""

def enable_check_numerics(
    stack_height_limit: IntLike | None = 30, path_length_limit: IntLike | None = 50,
) -> None:
    """From now on, in this thread, the first op that makes a NaN or infinity raises."""

def enable_traceback_filtering() -> None:
    """Leave tapeflow's own frames out of tracebacks, as is done at first."""

def get_log_device_placement() -> bool:
    """What `set_log_device_placement` got."""

def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a Tensor of numbers."""

def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks are shortened; True at first."""

def set_log_device_placement(enabled: bool) -> None:
    """Accepted: there is one place only, so nothing is worth logging."""
