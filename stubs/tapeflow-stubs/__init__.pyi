# Written by tools/stubs.py (make stubs).
"""tapeflow: TensorFlow's GradientTape without TensorFlow. `import tapeflow as tf`."""

import enum
import numpy as np
from builtins import bool as _bool, complex as _complex, tuple as _tuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, overload

import tapeflow as tf
from tapeflow import (
    __operators__ as __operators__,
    audio as audio,
    autodiff as autodiff,
    autograph as autograph,
    bitwise as bitwise,
    compat as compat,
    compiler as compiler,
    config as config,
    data as data,
    debugging as debugging,
    distribute as distribute,
    dtypes as dtypes,
    errors as errors,
    experimental as experimental,
    feature_column as feature_column,
    graph_util as graph_util,
    image as image,
    insight as insight,
    io as io,
    keras as keras,
    linalg as linalg,
    lookup as lookup,
    math as math,
    nest as nest,
    nn as nn,
    onnx as onnx,
    profiler as profiler,
    quantization as quantization,
    queue as queue,
    ragged as ragged,
    random as random,
    raw_ops as raw_ops,
    saved_model as saved_model,
    sets as sets,
    signal as signal,
    sparse as sparse,
    strings as strings,
    summary as summary,
    sysconfig as sysconfig,
    test as test,
    train as train,
    types as types,
    version as version,
    xla as xla,
)
from tapeflow._typing import (
    CompositeT,
    DenseLike,
    DTypeLike,
    FloatLike,
    Initializer,
    IntLike,
    Node,
    Op,
    P,
    Paused,
    R,
    Reference,
    ShapeLike,
    TensorLike,
    Trace,
    TypeSpec as _TypeSpec,
    Unique,
    UniqueWithCounts,
    Value,
)
from tapeflow.debugging import (
    Assert as Assert,
    assert_equal as assert_equal,
    assert_greater as assert_greater,
    assert_less as assert_less,
    assert_rank as assert_rank,
)
from tapeflow.dtypes import (
    as_dtype as as_dtype,
    cast as cast,
    complex as complex,
    saturate_cast as saturate_cast,
)
from tapeflow.gradients import (
    eigh as _eigh,
    gauss_newton_vp as _gauss_newton_vp,
    hessian_pattern as _hessian_pattern,
    hvp as _hvp,
    implicit_gradient as _implicit_gradient,
    jacobian_pattern as _jacobian_pattern,
    jvp as _jvp,
    per_example_gradients as _per_example_gradients,
    safe_masks as _safe_masks,
    safe_where as _safe_where,
    sparse_hessian as _sparse_hessian,
    sparse_jacobian as _sparse_jacobian,
    spectral_function as _spectral_function,
    svd as _svd,
    value_and_grad as _value_and_grad,
    vjp as _vjp,
)
from tapeflow.graph_util import import_graph_def as import_graph_def
from tapeflow.keras import (
    initializers as initializers,
    losses as losses,
    metrics as metrics,
    optimizers as optimizers,
)
from tapeflow.linalg import (
    einsum as einsum,
    eye as eye,
    matmul as matmul,
    norm as norm,
    tensordot as tensordot,
)
from tapeflow.math import (
    abs as abs,
    acos as acos,
    acosh as acosh,
    add as add,
    add_n as add_n,
    argmax as argmax,
    argmin as argmin,
    asin as asin,
    asinh as asinh,
    atan as atan,
    atan2 as atan2,
    atanh as atanh,
    cos as cos,
    cosh as cosh,
    cumsum as cumsum,
    divide as divide,
    equal as equal,
    exp as exp,
    floor as floor,
    greater as greater,
    greater_equal as greater_equal,
    less as less,
    less_equal as less_equal,
    logical_and as logical_and,
    logical_not as logical_not,
    logical_or as logical_or,
    maximum as maximum,
    minimum as minimum,
    multiply as multiply,
    negative as negative,
    not_equal as not_equal,
    pow as pow,
    reduce_all as reduce_all,
    reduce_any as reduce_any,
    reduce_logsumexp as reduce_logsumexp,
    reduce_max as reduce_max,
    reduce_mean as reduce_mean,
    reduce_min as reduce_min,
    reduce_prod as reduce_prod,
    reduce_sum as reduce_sum,
    round as round,
    scalar_mul as scalar_mul,
    sigmoid as sigmoid,
    sign as sign,
    sin as sin,
    sinh as sinh,
    sqrt as sqrt,
    square as square,
    subtract as subtract,
    tan as tan,
    tanh as tanh,
    truediv as truediv,
)
from tapeflow.nn import space_to_batch as space_to_batch
from tapeflow.strings import as_string as as_string

bfloat16: tf.DType
bool: tf.DType
complex128: tf.DType
complex64: tf.DType
double: tf.DType
float16: tf.DType
float32: tf.DType
def grad_pass_through(f: Callable[P, R]) -> Callable[P, R]: ...
int16: tf.DType
int32: tf.DType
int64: tf.DType
int8: tf.DType
newaxis: None
qint16: tf.DType
qint32: tf.DType
qint8: tf.DType
quint16: tf.DType
quint8: tf.DType
def recompute_grad(f: Callable[P, R]) -> Callable[P, R]: ...
resource: tf.DType
string: tf.DType
uint16: tf.DType
uint32: tf.DType
uint64: tf.DType
uint8: tf.DType
variant: tf.DType
__version__: str
tapeflow_version: str

class AggregationMethod:
    """How gradients are added; here always in one way."""
    ADD_N: int
    DEFAULT: int
    EXPERIMENTAL_TREE: int
    EXPERIMENTAL_ACCUMULATE_N: int

def argsort(
    values: TensorLike, axis: TensorLike = -1, direction: str = 'ASCENDING',
    stable: _bool = False, name: str | None = None,
) -> tf.Tensor:
    """The indices that sort along `axis`; equal elements keep their order."""

def batch_to_space(
    input: TensorLike, block_shape: ShapeLike, crops: Any, name: str | None = None,
) -> tf.Tensor:
    """Undoes space_to_batch: blocks from the batch axis back into space, then cropped."""

def bitcast(input: TensorLike, type: Any, name: str | None = None) -> tf.Tensor:
    """The same bits as another dtype; a last axis appears or goes where sizes differ."""

def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: TensorLike | None = None,
    name: str = 'boolean_mask',
) -> tf.Tensor:
    """What of `tensor` lies where `mask` is true; the masked axes become one."""

def broadcast_dynamic_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> tf.Tensor:
    """The shape that two shapes, given as integer vectors, broadcast to."""

def broadcast_static_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> tf.TensorShape:
    """The shape that two static shapes broadcast to."""

def broadcast_to(
    input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """Repeated along new axes and axes of size 1 until it has `shape`."""

def case(
    pred_fn_pairs: Any, default: Callable | None = None, exclusive: _bool = False,
    strict: _bool = False, name: str = 'case',
) -> Any:
    """The result of the first function whose predicate holds, else that of `default`."""

def checkpoint(function: Callable | None = None, *, budget: IntLike) -> Callable:
    """`function` with a gradient that keeps at most `budget` bytes: pieces of it run again."""

def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None,
) -> _tuple[list, tf.Tensor]:
    """All tensors scaled by one factor so that their global norm is at most `clip_norm`."""

def clip_by_norm(
    t: TensorLike, clip_norm: Any, axes: TensorLike | None = None, name: str | None = None,
) -> Any:
    """t scaled down so that its L2 norm (along `axes`, or of all of it) is at most …"""

@overload
def clip_by_value(
    t: DenseLike, clip_value_min: Any, clip_value_max: Any, name: str | None = None,
) -> tf.Tensor:
    """t with values below `clip_value_min` and above `clip_value_max` moved to these."""
@overload
def clip_by_value(
    t: CompositeT, clip_value_min: Any, clip_value_max: Any, name: str | None = None,
) -> CompositeT: ...

@overload
def concat(
    values: Sequence[CompositeT], axis: TensorLike, name: str = 'concat',
) -> CompositeT: ...
@overload
def concat(values: DenseLike, axis: TensorLike, name: str = 'concat') -> tf.Tensor:
    """Tensors joined along an existing axis."""

def cond(
    pred: TensorLike, true_fn: Callable | None = None, false_fn: Callable | None = None,
    name: str | None = None,
) -> Any:
    """What `true_fn()` returns if `pred` holds, else what `false_fn()` returns."""

def constant(
    value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike = None,
    name: str = 'Const',
) -> tf.Tensor:
    """A tensor of constant value; `shape` fills a scalar out or reshapes."""

class constant_initializer:
    """A given value: a number, or as many as the tensor has."""
    def __init__(self, value: TensorLike = 0, support_partition: _bool = False) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
    value: Any
    support_partition: Any

def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """Eager ops run in program order already, and so do those of a tf.function."""

def convert_to_tensor(
    value: Any, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """`value` (array, number, list, variable …) as a Tensor; a Tensor is returned as it is."""

class CriticalSection:
    """Functions that run one at a time, whichever thread calls them."""
    def __init__(
        self, name: str | None = None, shared_name: str | None = None,
        critical_section_def: Any = None, import_scope: Any = None,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    def execute(
        self, fn: Callable, exclusive_resource_access: _bool = True, name: str | None = None,
    ) -> Any:
        """What `fn()` gives, run alone."""

@overload
def custom_gradient(f: Callable[P, _tuple[R, Callable[..., Any]]]) -> Callable[P, R]: ...
@overload
def custom_gradient() -> Callable[[Callable[P, _tuple[R, Callable[..., Any]]]], Callable[P, R]]:
    """Decorate `f`, which returns (result, grad_fn), to define its gradient yourself."""

class device:
    """Accepts a device name; on a CPU everything runs in one place."""
    def __init__(self, device_name: Any) -> None: ...
    def __enter__(self) -> tf.device: ...
    def __exit__(self, *exc: Any) -> None: ...

class DeviceSpec:
    """A device by its parts; any may be left open."""
    def __init__(
        self, job: str | None = None, replica: IntLike | None = None, task: IntLike | None = None,
        device_type: str | None = None, device_index: IntLike | None = None,
    ) -> None: ...
    @property
    def job(self) -> str | None: ...
    @property
    def replica(self) -> int | None: ...
    @property
    def task(self) -> int | None: ...
    @property
    def device_type(self) -> str | None: ...
    @property
    def device_index(self) -> int | None: ...
    def to_string(self) -> str:
        """The text that `tf.device` takes."""
    @classmethod
    def from_string(cls, spec: str) -> tf.DeviceSpec:
        """The device that a text names."""
    def parse_from_string(self, spec: str) -> tf.DeviceSpec:
        """The same as `from_string`."""
    def make_merged_spec(self, dev: tf.DeviceSpec) -> tf.DeviceSpec:
        """This device with what another one says put over it."""
    def replace(self, **kwargs: Any) -> tf.DeviceSpec:
        """This device with some parts replaced."""
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class DType:
    """The type of a tensor's elements, such as `tf.float32`."""
    def __getattr__(self, name: str) -> Any: ...
    @property
    def is_quantized(self) -> _bool: ...
    @property
    def is_numpy_compatible(self) -> _bool: ...
    @property
    def base_dtype(self) -> tf.DType: ...
    @property
    def real_dtype(self) -> tf.DType:
        """The type of the real and imaginary parts; a type that is not complex is its own."""
    @property
    def min(self) -> Any:
        """The smallest finite value: a Python int, or a NumPy scalar for floating types."""
    @property
    def max(self) -> Any:
        """The largest finite value: a Python int, or a NumPy scalar for floating types."""
    @property
    def limits(self) -> _tuple[Any, Any]:
        """Range of values as images use it: (0, max) for integers, (0, 1) for floating types."""
    def is_compatible_with(self, other: Any) -> _bool: ...
    def is_subtype_of(self, other: Any) -> _bool: ...
    def most_specific_common_supertype(self, types: Any) -> tf.DType | None: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def __int__(self) -> int: ...
    as_datatype_enum: Any
    as_numpy_dtype: Any
    is_bool: Any
    is_complex: Any
    is_floating: Any
    is_integer: Any
    is_numeric: Any
    is_unsigned: Any
    kind: Any
    name: Any
    np: Any
    size: Any

def dynamic_partition(
    data: TensorLike, partitions: Any, num_partitions: IntLike, name: str | None = None,
) -> list:
    """Slices of `data`, sorted into `num_partitions` tensors by the index given for each."""

def dynamic_stitch(
    indices: TensorLike, data: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The rows of several tensors in one, each at its index; of two at one index the …"""

def edit_distance(
    hypothesis: Any, truth: Any, normalize: _bool = True, name: str = 'edit_distance',
) -> tf.Tensor:
    """The Levenshtein distance of each row of the last axis, over the length of the truth."""

def enable_v2_behavior() -> None:
    """Let ops run at once again; all else is TensorFlow 2's behaviour always."""

def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> tf.Tensor:
    """`x` itself, after a check that its shape is compatible with `shape`."""

def executing_eagerly() -> _bool:
    """Whether ops run at once, not into a graph."""

@overload
def expand_dims(input: DenseLike, axis: TensorLike, name: str | None = None) -> tf.Tensor:
    """A new axis of size 1 at position `axis`, counted from the end if negative."""
@overload
def expand_dims(
    input: CompositeT, axis: TensorLike, name: str | None = None,
) -> CompositeT: ...

def fill(
    dims: Any, value: TensorLike, name: str | None = None, layout: Any = None,
) -> tf.Tensor:
    """A tensor of shape `dims` filled with the scalar `value`, which may have a gradient."""

def fingerprint(
    data: TensorLike, method: str = 'farmhash64', name: str | None = None,
) -> tf.Tensor:
    """The FarmHash fingerprint of each row of `data`, as 8 bytes."""

def foldl(
    fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: IntLike = 10,
    back_prop: _bool = True, swap_memory: _bool = False, name: str | None = None,
) -> Any:
    """The last value of `a = fn(a, element)` over the elements, first to last."""

def foldr(
    fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: IntLike = 10,
    back_prop: _bool = True, swap_memory: _bool = False, name: str | None = None,
) -> Any:
    """The last value of `a = fn(a, element)` over the elements, last to first."""

@overload
def function(
    func: Callable[P, R], input_signature: Any = None, autograph: _bool = True,
    jit_compile: _bool | None = None, reduce_retracing: _bool = False,
    experimental_implements: Any = None, experimental_autograph_options: Any = None,
    experimental_attributes: Any = None, experimental_relax_shapes: _bool | None = None,
    experimental_compile: _bool | None = None,
    experimental_follow_type_hints: _bool | None = None,
) -> tf.types.experimental.GenericFunction[P, R]: ...
@overload
def function(
    *, input_signature: Any = None, autograph: _bool = True, jit_compile: _bool | None = None,
    reduce_retracing: _bool = False, experimental_implements: Any = None,
    experimental_autograph_options: Any = None, experimental_attributes: Any = None,
    experimental_relax_shapes: _bool | None = None, experimental_compile: _bool | None = None,
    experimental_follow_type_hints: _bool | None = None,
) -> Callable[[Callable[P, R]], tf.types.experimental.GenericFunction[P, R]]:
    """Compile a function into a callable graph."""

@overload
def gather(
    params: DenseLike, indices: TensorLike, validate_indices: Any = None,
    axis: TensorLike | None = None, batch_dims: IntLike = 0, name: str | None = None,
) -> tf.Tensor:
    """Slices of `params` along `axis`, at `indices`; both share their first `batch_dims` …"""
@overload
def gather(
    params: CompositeT, indices: TensorLike, validate_indices: Any = None,
    axis: TensorLike | None = None, batch_dims: IntLike = 0, name: str | None = None,
) -> CompositeT: ...

def gather_nd(
    params: TensorLike, indices: TensorLike, batch_dims: IntLike = 0, name: str | None = None,
    bad_indices_policy: str = '',
) -> tf.Tensor:
    """Elements or slices of `params`, each given by a vector of coordinates."""

def get_current_name_scope() -> str:
    """The name scopes that are open, joined by slashes."""

def get_logger() -> Any:
    """The logger of this library, named as TensorFlow's is."""

def get_static_value(tensor: Any, partial: _bool = False) -> Any:
    """The value of `tensor` as NumPy has it, if it is known now; None otherwise."""

class _Gradients:
    def __call__(
        self, ys: Any, xs: Any, grad_ys: Any = None, name: str = 'gradients',
        gate_gradients: _bool = False, aggregation_method: Any = None, stop_gradients: Any = None,
        unconnected_gradients: Any = ...,
    ) -> list:
        """Derivatives of the sum of `ys` with respect to each of `xs`, inside a tf.function."""
    value_and_grad = staticmethod(_value_and_grad)
    vjp = staticmethod(_vjp)
    jvp = staticmethod(_jvp)
    hvp = staticmethod(_hvp)
    gauss_newton_vp = staticmethod(_gauss_newton_vp)
    per_example_gradients = staticmethod(_per_example_gradients)
    safe_where = staticmethod(_safe_where)
    safe_masks = staticmethod(_safe_masks)
    implicit_gradient = staticmethod(_implicit_gradient)
    jacobian_pattern = staticmethod(_jacobian_pattern)
    hessian_pattern = staticmethod(_hessian_pattern)
    sparse_jacobian = staticmethod(_sparse_jacobian)
    sparse_hessian = staticmethod(_sparse_hessian)
    spectral_function = staticmethod(_spectral_function)
    eigh = staticmethod(_eigh)
    svd = staticmethod(_svd)

gradients: _Gradients

class GradientTape:
    """Record operations, then differentiate them."""
    def __init__(
        self, persistent: _bool = False, watch_accessed_variables: _bool = True,
    ) -> None: ...
    def jacobian(
        self, target: Any, sources: Any, unconnected_gradients: Any = ...,
        parallel_iterations: IntLike | None = None, experimental_use_pfor: _bool = True,
    ) -> Any:
        """Derivatives of every element of `target`: shape target.shape + source.shape for each."""
    def batch_jacobian(
        self, target: TensorLike, source: TensorLike, unconnected_gradients: Any = ...,
        parallel_iterations: IntLike | None = None, experimental_use_pfor: _bool = True,
    ) -> tf.Tensor:
        """Per-example Jacobians, where example b of `target` depends on example b of `source`."""
    def __enter__(self) -> tf.GradientTape: ...
    def __exit__(self, *exc: Any) -> None: ...
    def watch(self, tensor: Any) -> None:
        """Make sure that `tensor` (or each in a structure) is traced by this tape."""
    def watched_variables(self) -> _tuple[tf.Variable, ...]:
        """The variables this tape watches, in order of their creation."""
    def reset(self) -> None:
        """Forget all that was recorded, explicit `watch` calls included."""
    def stop_recording(self) -> Paused:
        """Context in which this tape does not record."""
    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None,
        unconnected_gradients: Any = ...,
    ) -> Any:
        """Gradient of the sum of `target` with respect to each of `sources`, in their structure."""
    def explain(self, target: Any, sources: Any) -> Any:
        """Say in words, for each source, why there is no gradient and what to do (tapeflow's …"""
    def report(self, target: Any, sources: Any, output_gradients: Any = None) -> Any:
        """Norm, zeros, NaNs and a verdict in words for each gradient (tapeflow's own)."""
    def memory(self) -> Any:
        """The bytes that the tape keeps, by the user's line and op (tapeflow's own)."""
    def draw(self, target: Any = None, group: str | None = None) -> Any:
        """The tape as a picture, an SVG: ops, sizes, norms of gradients, cuts (tapeflow's own)."""

class Graph:
    """Nodes that a program puts into it, between `with graph.as_default():` and its end."""
    building_function: _bool
    keeps_rules: _bool
    def __init__(self) -> None: ...
    def as_default(self) -> AbstractContextManager[tf.Graph]:
        """Let ops put their nodes into this graph."""
    def home_graph(self) -> tf.Graph:
        """This is a tf.Graph."""
    def beside(self, variable: Any) -> AbstractContextManager[None]:
        """`with …:` functions that are called with this variable are traced for it alone."""
    def new_variable(self) -> Any:
        """A variable of this graph, still to be initialised."""
    def finalize(self) -> None:
        """Refuse further nodes."""
    def run(self, op: Op, xs: _tuple, attrs: dict) -> Any:
        """Add a node, also where no graph is the default one."""
    def add_node(self, op: Op, inputs: _tuple[Value, ...], attrs: dict, held: dict) -> Node:
        """A call of `op`, with its name and what it waits for."""
    def symbolic(self, value: Value, uid: IntLike = 0) -> tf.Tensor:
        """The tensor of a Value, always the same one."""
    def value_of(self, x: TensorLike) -> Value:
        """The Value that stands for a tensor here; also of a constant that waits for effects."""
    def note2(self, op: Op, a: TensorLike, b: TensorLike, y: TensorLike) -> None:
        """A binary op ran on eager tensors."""
    def note(self, op: Op, xs: _tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors."""
    def note_constant(self, tensor: TensorLike, name: str) -> None:
        """A constant of the program is an operation here."""
    def is_followed(self, x: TensorLike) -> _bool:
        """Whether an eager tensor waits for effects, or becomes nodes because a tape follows it."""
    def note1(self, op: Op, x: TensorLike, y: TensorLike) -> None:
        """A unary op ran on an eager tensor."""
    def is_opaque(self, x: TensorLike) -> _bool:
        """Whether the value of an eager result is not to be taken before effects happened."""
    def name_of(self, value: Value) -> str: ...
    def unique_name(self, name: str, mark_as_used: _bool = True) -> str:
        """The name in the open scopes, numbered where it is taken."""
    def new_scope(self, name: str) -> str:
        """The prefix that a new name scope gives."""
    def name_scope(self, name: str) -> Any:
        """The context in which names begin with this one."""
    def read(self, variable: Any) -> tf.Tensor:
        """What a variable holds when a session comes to this point."""
    def new_read(self, variable: Any) -> tf.Tensor:
        """A read at this point of the program."""
    def remember(self, variable: Any, made: TensorLike) -> tf.Tensor:
        """Let a read serve wherever nothing is waited for."""
    def assign(self, variable: Any, tensor: TensorLike) -> None:
        """Write a variable whenever the node runs."""
    def new_write(
        self, variable: Any, tensor: TensorLike, name: str = 'Assign',
    ) -> tf.Tensor:
        """The node that writes a variable; its result is what the variable holds then."""
    def lift(self, variable: Any, initial: Callable[[], tf.Tensor]) -> Any:
        """The initial value of a new variable: a tensor of the graph."""
    def control_dependencies(
        self, control_inputs: Iterable | None,
    ) -> AbstractContextManager[None]:
        """Nodes made inside wait for these; None: for nothing."""
    def add_imported(self, operations: list, library: Any, nodes: list) -> None:
        """Let operations of a GraphDef be found, in place of the nodes and inputs they became."""
    def nodes_of(self, one: Any) -> list[Node]:
        """The nodes that something to wait for stands for."""
    def group(self, inputs: Iterable, name: str | None = None) -> tf.Operation:
        """An operation that runs all of these."""
    def effect_of(self, make: Callable[[], Any]) -> tf.Operation:
        """The operation of a call that has an effect and no result."""
    def in_order(self, make: Callable[[], Any]) -> Any:
        """Nodes that count as one: its effects happen in program order, and with its results."""
    def cond(self, index: TensorLike, branches: _tuple) -> Any: ...
    def while_loop(
        self, condition: Callable, body: Callable, loop_vars: Any, limit: IntLike | None = None,
        shape_invariants: Any = None,
    ) -> Any: ...
    def placeholder(
        self, shape: _tuple | None, dtype: DTypeLike, name: str = '',
    ) -> tf.Tensor:
        """A tensor that a session must be fed."""
    def with_default(self, x: TensorLike, shape: _tuple | None, name: str) -> tf.Tensor:
        """A tensor that a session may be fed."""
    @staticmethod
    def is_asked() -> _bool:
        """Whether the program itself compares tensors: `==` asks then if they are one object."""
    def tensor_of(self, value: Value) -> tf.Tensor: ...
    def operation(self, node: Node) -> tf.Operation:
        """A node as users see it."""
    @property
    def version(self) -> int: ...
    def get_operations(self) -> list[tf.Operation]:
        """Placeholders, constants and nodes in program order, then those of GraphDefs."""
    def get_operation_by_name(self, name: str) -> tf.Operation: ...
    def get_tensor_by_name(self, name: str) -> tf.Tensor:
        """The tensor of a name such as "x:0"."""
    def as_graph_element(
        self, obj: Any, allow_tensor: _bool = True, allow_operation: _bool = True,
    ) -> Any:
        """The tensor or operation that `obj` is or names."""
    def is_writable(self) -> _bool:
        """Whether all nodes came from GraphDefs, and are written as they were."""
    def as_graph_def(
        self, from_version: IntLike | None = None, add_shapes: _bool = False,
        use_pybind11_proto: _bool = False,
    ) -> Any:
        """The graph as a GraphDef."""
    def evaluate(self, fetches: Any, feed_dict: Any, session: Any) -> Any:
        """What a session gives; the default session if none is named."""
    def session(self) -> Any:
        """The session that checkpoints use: the default one, or that of a library."""
    def add_to_collection(self, name: str | None, value: TensorLike) -> None: ...
    def add_to_collections(self, names: Any, value: TensorLike) -> None: ...
    def get_collection_ref(self, name: str | None) -> list:
        """The list itself."""
    def get_collection(self, name: str | None, scope: str | None = None) -> list:
        """A copy of the list; with `scope`, what has a name that begins so."""
    def get_all_collection_keys(self) -> list: ...
    def clear_collection(self, name: str | None) -> None: ...
    def device(self, device_name_or_function: Any) -> Any:
        """`tf.device`; a function of an op is accepted too."""
    def colocate_with(
        self, op: Any, ignore_existing: _bool = False,
    ) -> AbstractContextManager[None]:
        """Accepted: there is one device."""
    def container(self, container_name: str) -> AbstractContextManager[str]:
        """Accepted: resources of graphs have no containers here."""
    def get_name_scope(self) -> str:
        """The open scopes, as `a/b`."""
    @property
    def collections(self) -> list:
        """The names of collections that hold something."""
    def num_operations(self) -> int: ...
    level: int
    tensor_type: Any
    compiled: _bool
    controls: Any
    opens_constants: _bool
    repeatable: _bool
    constants_asked: _bool
    open_prefix: str
    def nested(self, name: str) -> Trace:
        """A trace inside this one."""
    def __enter__(self) -> Trace: ...
    def __exit__(self, *exc: Any) -> None: ...
    def literal(self, beside: Any, scalar: FloatLike) -> tf.Tensor | None:
        """A Python scalar as an operand beside a tensor, in its dtype."""
    def defer_call(
        self, function: Callable, args: _tuple, kwargs: dict, error: Exception,
    ) -> Any:
        """A node in place of a call that failed because a size is not known."""
    def defers(self, op: Op, g: Any, y: TensorLike, xs: Any) -> _bool:
        """Whether a rule must wait for sizes (see `deferred_gradients`)."""
    def defer(
        self, op: Op, index: IntLike, g: Any, y: TensorLike, xs: Any, attrs: dict,
    ) -> Any:
        """A node in place of a rule."""
    def defer_tangent(self, op: Op, ts: _tuple, ys: Any, xs: _tuple, attrs: dict) -> Any:
        """A node in place of an op's tangents."""
    def custom_gradient(self, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
        """Outputs whose gradient is the user's `rule`."""
    @staticmethod
    def tensor_array_type() -> type:
        """The class of TensorArrays that are made inside a trace."""
    def vectorized_map(
        self, function: Callable, elems: Any, tensors: list, strict: _bool,
    ) -> Any:
        """A vectorised map: a node until its length is known."""
    @property
    def outer_graph(self) -> Any: ...
    def capture_call_time_value(self, *args: Any, **named: Any) -> Any: ...
    takes_all: _bool
    @property
    def root(self) -> Any:
        """The outermost: that of the function, not of a branch or loop body."""
    def capture(self, x: TensorLike) -> Value: ...
    def operation_of(self, value: Value) -> Any:
        """The operation that makes a value."""
    def consumers_of(self, value: Value) -> list[Any]:
        """The operations that read a value."""
    @property
    def captures(self) -> list[_tuple[tf.Tensor, Value]]:
        """Tensors of outer traces that this graph uses, with the Values that stand for them."""
    def follows(self, uid: Any) -> Any:
        """Whether a gradient or tangent of this tensor may be asked for."""
    def abandoned(self) -> Any:
        """Whether nobody can end it any more."""
    def escaped(self, tensor: TensorLike) -> Any: ...
    def assigned(self, variable: Any, tensor: TensorLike) -> Any: ...
    def located(self, ys: Any, where: Any) -> Any:
        """A trace made these tensors for a line of the user's program: (code, line)."""
    def differentiated(self, targets: TensorLike, sources: Any, gradients: Any) -> Any:
        """A tape has made the gradients."""
    def pushed(self, tangents: Any) -> Any:
        """An accumulator was asked for these tangents."""
    names: Any
    known: Any
    made: Any
    named: Any
    counts: Any
    finalized: Any
    seed: Any
    initializers: Any
    imported: Any
    own_traces: Any
    libraries: Any
    eager: Any
    variables: Any
    may_create: Any
    rule_depth: Any
    rules_traced: Any
    graph: Any
    ops_made: Any
    where: Any
    outer: Any
    around: Any

def group(*inputs: Any, **kwargs: Any) -> Any:
    """Waits for all `inputs`; eagerly they have happened already. In a tf.Graph, an …"""

def guarantee_const(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The input; TensorFlow's runtime may take it for a constant."""

def hessians(
    ys: Any, xs: Any, gate_gradients: _bool = False, aggregation_method: Any = None,
    name: str = 'hessians',
) -> list:
    """Second derivatives of the sum of `ys` for each of `xs`: shape x.shape + x.shape."""

def histogram_fixed_width(
    values: TensorLike, value_range: Any, nbins: Any = 100, dtype: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """How many values fall into each of `nbins` bins of equal width over `value_range`."""

def histogram_fixed_width_bins(
    values: TensorLike, value_range: Any, nbins: Any = 100, dtype: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """The bin of equal width over `value_range` that each value falls into, as int32."""

@overload
def identity(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """A new tensor with the same value: a source of its own for gradients."""
@overload
def identity(input: CompositeT, name: str | None = None) -> CompositeT: ...

def identity_n(input: TensorLike, name: str | None = None) -> list[tf.Tensor]:
    """New tensors equal to those of a list."""

class IndexedSlices:
    """`values[i]` belongs to row `indices[i]` of a tensor of `dense_shape`; rows may repeat."""
    def __init__(
        self, values: TensorLike, indices: TensorLike, dense_shape: ShapeLike = None,
    ) -> None: ...
    @property
    def values(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def dense_shape(self) -> Any: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def device(self) -> str: ...
    @property
    def name(self) -> str: ...
    def get_shape(self) -> tf.TensorShape: ...
    def consumers(self) -> list: ...
    def __neg__(self) -> tf.IndexedSlices: ...

class IndexedSlicesSpec:
    """The type of IndexedSlices: dense shape and dtype, dtypes of the indices and of the …"""
    value_type: Any
    def __init__(
        self, shape: ShapeLike = None, dtype: DTypeLike = tf.float32, indices_dtype: Any = tf.int64,
        dense_shape_dtype: Any = None, indices_shape: Any = None,
    ) -> None: ...
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

def init_scope() -> AbstractContextManager[None]:
    """Leaves a trace and pauses every tape; in a tf.Graph, leaves what is traced inside it."""

def inside_function() -> _bool:
    """Whether a tf.function is being traced."""

def is_symbolic_tensor(tensor: Any) -> _bool:
    """Whether `tensor` is a tensor without a value: one of a tf.function under trace."""

def is_tensor(x: Any) -> _bool:
    """Whether `x` is a tensor or stands for one: a variable, IndexedSlices, an object …"""

def linspace(
    start: Any, stop: Any, num: Any, name: str | None = None, axis: IntLike = 0,
) -> tf.Tensor:
    """`num` evenly spaced points from `start` to `stop`, both included, along a new axis."""

def make_ndarray(tensor: TensorLike) -> np.ndarray:
    """The NumPy array that a TensorProto stands for."""

def make_tensor_proto(
    values: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike = None,
    verify_shape: _bool = False, allow_broadcast: _bool = False,
) -> Any:
    """A TensorProto of an array, a list or a scalar; one value fills a larger `shape`."""

def map_fn(
    fn: Callable, elems: Any, dtype: DTypeLike | None = None,
    parallel_iterations: IntLike | None = None, back_prop: _bool = True,
    swap_memory: _bool = False, infer_shape: _bool = True, name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """`fn` of each element along the first axis, the results stacked."""

def meshgrid(*args: Any, **kwargs: Any) -> list:
    """Coordinate grids from vectors; `indexing` is "xy" (the first two axes swapped) or …"""

class Module:
    """Base class for models: finds the variables and submodules kept in its attributes."""
    def __init__(self, name: str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def name_scope(self) -> tf.name_scope: ...
    @property
    def variables(self) -> _tuple:
        """Own variables by attribute name, then those of each submodule."""
    @property
    def trainable_variables(self) -> _tuple: ...
    @property
    def non_trainable_variables(self) -> _tuple: ...
    @property
    def submodules(self) -> _tuple: ...
    @classmethod
    def with_name_scope(cls, method: Callable[P, R]) -> Callable[P, R]: ...

class name_scope:
    """Prefix for the names of variables made inside."""
    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str: ...
    def __enter__(self) -> str: ...
    def __exit__(self, *exc: Any) -> None: ...

def no_op(name: str | None = None) -> Any:
    """Does nothing."""

def numerical_gradient(
    function: Callable | None = None, *, step: FloatLike | None = None,
) -> Any:
    """Give an opaque function of NumPy arrays a gradient, by central differences."""

def numpy_function(
    func: Callable | None = None, inp: Any = None, Tout: Any = None, stateful: _bool = True,
    name: str | None = None,
) -> Any:
    """Call `func`, a function of NumPy arrays, and give its results as tensors, without …"""

class numpy_on_tape:
    """NumPy's functions on tensors stay differentiable from now on: np.sin(t) is a tensor."""
    def __init__(self) -> None: ...
    def __enter__(self) -> tf.numpy_on_tape: ...
    def __exit__(self, *exc: Any) -> None: ...
    def off(self) -> None:
        """Switch it off again."""

@overload
def one_hot(
    indices: DenseLike, depth: Any, on_value: Any = None, off_value: Any = None,
    axis: IntLike | None = None, dtype: DTypeLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """`on_value` where the new axis equals the index, `off_value` elsewhere."""
@overload
def one_hot(
    indices: CompositeT, depth: Any, on_value: Any = None, off_value: Any = None,
    axis: IntLike | None = None, dtype: DTypeLike | None = None, name: str | None = None,
) -> CompositeT: ...

def ones(
    shape: ShapeLike, dtype: DTypeLike = tf.float32, name: str | None = None,
    layout: Any = None,
) -> tf.Tensor:
    """A tensor of ones (True for bool)."""

class ones_initializer:
    """Ones."""
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = tf.float32, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""

@overload
def ones_like(
    input: DenseLike, dtype: DTypeLike | None = None, name: str | None = None,
    layout: Any = None,
) -> tf.Tensor:
    """Ones in the shape of `input`, of its dtype unless another is given."""
@overload
def ones_like(
    input: CompositeT, dtype: DTypeLike | None = None, name: str | None = None,
    layout: Any = None,
) -> CompositeT: ...

class Operation:
    """One node of a graph, or an input: name, type, inputs, outputs; one object, however …"""
    def __init__(self, trace: Any, node: Node | None, value: Value | None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    def is_known(self) -> _bool:
        """Whether its results are known while the graph is made."""
    @property
    def graph(self) -> Any: ...
    @property
    def device(self) -> str: ...
    @property
    def inputs(self) -> _tuple: ...
    @property
    def outputs(self) -> list: ...
    @property
    def node_def(self) -> Any:
        """The NodeDef that it is in the GraphDef of its graph."""
    @property
    def control_inputs(self) -> list[tf.Operation]:
        """The operations that run before this one, though it takes nothing from them."""
    def run_nodes(self) -> list[Node]:
        """The nodes that run when it is run."""
    def values(self) -> _tuple:
        """The outputs."""
    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run it in a session."""
    def get_attr(self, name: str) -> Any:
        """An attribute of the node."""
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class OptionalSpec:
    """The description of an optional by that of its value."""
    value_type: Any
    def __init__(self, element_spec: Any) -> None: ...
    @classmethod
    def from_value(cls, value: TensorLike) -> Any:
        """The description of an object."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> _bool: ...
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __ne__(self, other: object) -> _bool: ...

def pad(
    tensor: TensorLike, paddings: TensorLike, mode: str = 'CONSTANT', constant_values: Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """`paddings[i] = [before, after]` elements more along axis i."""

def parallel_stack(values: TensorLike, name: str = 'parallel_stack') -> tf.Tensor:
    """`tf.stack` along the first axis, in functions only."""

def print(
    *inputs: Any, output_stream: Any = None, summarize: IntLike | None = 3, sep: str = ' ',
    end: str = '\n', name: str | None = None, **unknown: Any,
) -> None:
    """Print `inputs`, which may be tensors, structures of them and anything else, to stderr."""

def py_function(
    func: Callable | None = None, inp: Any = None, Tout: Any = None, name: str | None = None,
) -> Any:
    """Call `func`, a Python function of eager tensors, with gradients through what it does."""

class RaggedTensor:
    """A tensor with one or more dimensions whose slices have different lengths."""
    decides_equality: _bool
    def __init__(
        self, values: TensorLike | None = None, internal: _bool = False, row_partition: Any = None,
    ) -> None: ...
    @classmethod
    def from_value_rowids(
        cls, values: TensorLike, value_rowids: Any, nrows: Any = None, name: str | None = None,
        validate: _bool = True,
    ) -> tf.RaggedTensor:
        """Row `value_rowids[i]` holds `values[i]`; ids never decrease."""
    @classmethod
    def from_row_splits(
        cls, values: TensorLike, row_splits: Any, name: str | None = None, validate: _bool = True,
    ) -> tf.RaggedTensor:
        """Row i is `values[row_splits[i]:row_splits[i + 1]]`."""
    @classmethod
    def from_row_lengths(
        cls, values: TensorLike, row_lengths: Any, name: str | None = None, validate: _bool = True,
    ) -> tf.RaggedTensor:
        """The first `row_lengths[0]` values are row 0, and so on."""
    @classmethod
    def from_row_starts(
        cls, values: TensorLike, row_starts: Any, name: str | None = None, validate: _bool = True,
    ) -> tf.RaggedTensor:
        """Row i begins at `row_starts[i]` and ends where the next begins."""
    @classmethod
    def from_row_limits(
        cls, values: TensorLike, row_limits: Any, name: str | None = None, validate: _bool = True,
    ) -> tf.RaggedTensor:
        """Row i ends before `row_limits[i]`, where the next begins."""
    @classmethod
    def from_uniform_row_length(
        cls, values: TensorLike, uniform_row_length: Any, nrows: Any = None, validate: _bool = True,
        name: str | None = None,
    ) -> tf.RaggedTensor:
        """Rows of one length; `nrows` is needed only for length 0."""
    @classmethod
    def from_nested_value_rowids(
        cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None,
        name: str | None = None, validate: _bool = True,
    ) -> tf.RaggedTensor: ...
    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None,
        validate: _bool = True,
    ) -> tf.RaggedTensor: ...
    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None,
        validate: _bool = True,
    ) -> tf.RaggedTensor: ...
    @classmethod
    def from_tensor(
        cls, tensor: TensorLike, lengths: Any = None, padding: Any = None, ragged_rank: IntLike = 1,
        name: str | None = None, row_splits_dtype: DTypeLike = tf.int64,
    ) -> tf.RaggedTensor:
        """A dense tensor as a ragged one, without what `lengths` or `padding` leave out."""
    @classmethod
    def from_sparse(
        cls, st_input: Any, name: str | None = None, row_splits_dtype: DTypeLike = tf.int64,
    ) -> tf.RaggedTensor:
        """A matrix whose rows have no gaps, as a ragged tensor."""
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    def get_shape(self) -> tf.TensorShape: ...
    @property
    def ragged_rank(self) -> int: ...
    @property
    def values(self) -> Any: ...
    @property
    def flat_values(self) -> Any: ...
    @property
    def row_splits(self) -> tf.Tensor: ...
    @property
    def uniform_row_length(self) -> tf.Tensor | None: ...
    @property
    def nested_row_splits(self) -> _tuple: ...
    def value_rowids(self, name: str | None = None) -> tf.Tensor: ...
    def nested_value_rowids(self, name: str | None = None) -> _tuple: ...
    def nrows(
        self, out_type: DTypeLike | None = None, name: str | None = None,
    ) -> tf.Tensor: ...
    def row_starts(self, name: str | None = None) -> tf.Tensor: ...
    def row_limits(self, name: str | None = None) -> tf.Tensor: ...
    def row_lengths(self, axis: IntLike = 1, name: str | None = None) -> Any: ...
    def nested_row_lengths(self, name: str | None = None) -> _tuple: ...
    def bounding_shape(
        self, axis: TensorLike | None = None, name: str | None = None,
        out_type: DTypeLike | None = None,
    ) -> tf.Tensor: ...
    def with_values(self, new_values: Any) -> tf.RaggedTensor: ...
    def with_flat_values(self, new_values: Any) -> tf.RaggedTensor: ...
    def with_row_splits_dtype(self, dtype: DTypeLike) -> tf.RaggedTensor: ...
    def merge_dims(self, outer_axis: IntLike, inner_axis: IntLike) -> Any:
        """Axes `outer_axis` to `inner_axis` made one."""
    def to_tensor(
        self, default_value: Any = None, name: str | None = None, shape: ShapeLike = None,
    ) -> tf.Tensor:
        """The dense form: short rows are filled with `default_value` (zero)."""
    def to_sparse(self, name: str | None = None) -> Any: ...
    def numpy(self) -> np.ndarray:
        """An array of arrays; rows of one length make an array of higher rank."""
    def to_list(self) -> list: ...
    def __hash__(self) -> int: ...
    def ref(self) -> Reference: ...
    def __bool__(self) -> _bool: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Any: ...
    def consumers(self) -> list: ...
    def __add__(self, other: TensorLike) -> Any: ...
    def __radd__(self, other: TensorLike) -> Any: ...
    def __sub__(self, other: TensorLike) -> Any: ...
    def __rsub__(self, other: TensorLike) -> Any: ...
    def __mul__(self, other: TensorLike) -> Any: ...
    def __rmul__(self, other: TensorLike) -> Any: ...
    def __truediv__(self, other: TensorLike) -> Any: ...
    def __rtruediv__(self, other: TensorLike) -> Any: ...
    def __floordiv__(self, other: TensorLike) -> Any: ...
    def __rfloordiv__(self, other: TensorLike) -> Any: ...
    def __mod__(self, other: TensorLike) -> Any: ...
    def __rmod__(self, other: TensorLike) -> Any: ...
    def __pow__(self, other: TensorLike) -> Any: ...
    def __rpow__(self, other: TensorLike) -> Any: ...
    def __and__(self, other: TensorLike) -> Any: ...
    def __rand__(self, other: TensorLike) -> Any: ...
    def __or__(self, other: TensorLike) -> Any: ...
    def __ror__(self, other: TensorLike) -> Any: ...
    def __xor__(self, other: TensorLike) -> Any: ...
    def __rxor__(self, other: TensorLike) -> Any: ...
    def __lt__(self, other: TensorLike) -> Any: ...
    def __le__(self, other: TensorLike) -> Any: ...
    def __gt__(self, other: TensorLike) -> Any: ...
    def __ge__(self, other: TensorLike) -> Any: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Any: ...  # type: ignore[override]
    def __neg__(self) -> tf.RaggedTensor: ...
    def __abs__(self) -> tf.RaggedTensor: ...
    def __invert__(self) -> tf.RaggedTensor: ...

class RaggedTensorSpec:
    """The type of a RaggedTensor: shape, dtype, ragged rank and dtype of row splits."""
    value_type: Any
    def __init__(
        self, shape: ShapeLike = None, dtype: DTypeLike = tf.float32,
        ragged_rank: IntLike | None = None, row_splits_dtype: DTypeLike = tf.int64,
        flat_values_spec: Any = None,
    ) -> None: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def ragged_rank(self) -> int: ...
    @property
    def row_splits_dtype(self) -> tf.DType: ...
    @property
    def flat_values_spec(self) -> Any: ...
    @classmethod
    def from_value(cls, value: TensorLike) -> tf.RaggedTensorSpec: ...
    def is_compatible_with(self, spec_or_value: Any) -> _bool: ...
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class random_normal_initializer:
    """Normal numbers."""
    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = tf.float32, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
    mean: Any
    stddev: Any
    seed: Any

class random_uniform_initializer:
    """Uniform numbers."""
    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = tf.float32, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
    minval: Any
    maxval: Any
    seed: Any

def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: DTypeLike | None = None,
    name: str = 'range',
) -> tf.Tensor:
    """Numbers from `start` (0 if only a limit is given) up to `limit`, without it."""

def rank(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The number of axes of a tensor."""

def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y of floating or complex tensors, elementwise."""

def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable, priority: IntLike = 100,
) -> None:
    """Have tf.convert_to_tensor make tensors of `base_type` by"""

def repeat(
    input: TensorLike, repeats: Any, axis: IntLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """Each element repeated `repeats` times (or `repeats[i]` times) along an axis."""

def required_space_to_batch_paddings(
    input_shape: Any, block_shape: ShapeLike, base_paddings: Any = None,
    name: str | None = None,
) -> _tuple:
    """Paddings that make a shape divisible into blocks, and the crops that undo them."""

def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> tf.Tensor:
    """The same elements in another shape; one size may be -1 and follows from the others."""

@overload
def reverse(tensor: DenseLike, axis: TensorLike, name: str | None = None) -> tf.Tensor:
    """In reverse order along each of the listed axes."""
@overload
def reverse(
    tensor: CompositeT, axis: TensorLike, name: str | None = None,
) -> CompositeT: ...

def reverse_sequence(
    input: TensorLike, seq_lengths: Any, seq_axis: IntLike | None = None,
    batch_axis: IntLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The first `seq_lengths[b]` elements of each sequence b reversed, the rest as it is."""

def roll(
    input: TensorLike, shift: Any, axis: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Elements moved by `shift` along `axis`; what leaves at one end enters at the other."""

def scan(
    fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: IntLike = 10,
    back_prop: _bool = True, swap_memory: _bool = False, infer_shape: _bool = True,
    reverse: _bool = False, name: str | None = None,
) -> Any:
    """All values of `a = fn(a, element)` over the elements, stacked."""

def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: ShapeLike, bad_indices_policy: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """Zeros of `shape` with `updates` added at `indices`; updates of one index are summed."""

def searchsorted(
    sorted_sequence: Any, values: TensorLike, side: str = 'left',
    out_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """Where `values` would be inserted into the sorted last axis of `sorted_sequence`."""

def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: DTypeLike = tf.bool, name: str | None = None,
) -> tf.Tensor:
    """True for the first `lengths[i]` elements of row i, each row `maxlen` long."""

def shape(
    input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The shape of a tensor, as a vector of integers (int32 unless `out_type` says …"""

def shape_n(
    input: TensorLike, out_type: DTypeLike = tf.int32, name: str | None = None,
) -> list:
    """The shapes of several tensors."""

def size(
    input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The number of elements of a tensor."""

def slice(
    input_: Any, begin: TensorLike, size: Any, name: str | None = None,
) -> tf.Tensor:
    """The part that begins at `begin` and has `size`; a size of -1 means all that is left."""

def sort(
    values: TensorLike, axis: TensorLike = -1, direction: str = 'ASCENDING',
    name: str | None = None,
) -> tf.Tensor:
    """The elements in order along `axis`; gradients go back to where they came from."""

def space_to_batch_nd(
    input: TensorLike, block_shape: ShapeLike, paddings: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Spatial positions, after padding, dealt out in blocks to the batch axis."""

class SparseTensor:
    """A tensor of which only some values are stored: `values[i]` stands at `indices[i]`."""
    def __init__(
        self, indices: TensorLike, values: TensorLike, dense_shape: ShapeLike,
    ) -> None: ...
    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> tf.SparseTensor:
        """A SparseTensor of a SparseTensorValue, or itself."""
    @property
    def indices(self) -> tf.Tensor: ...
    @property
    def values(self) -> tf.Tensor: ...
    @property
    def dense_shape(self) -> tf.Tensor: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    def get_shape(self) -> tf.TensorShape: ...
    def set_shape(self, shape: ShapeLike) -> None: ...
    def with_values(self, new_values: Any) -> tf.SparseTensor:
        """The same coordinates with other values."""
    @property
    def op(self) -> Any: ...
    @property
    def graph(self) -> Any: ...
    def eval(self, feed_dict: Any = None, session: Any = None) -> Any: ...
    def consumers(self) -> list: ...
    def __mul__(self, other: TensorLike) -> Any: ...
    def __truediv__(self, other: TensorLike) -> Any: ...

class SparseTensorSpec:
    """The type of a SparseTensor: its dense shape and dtype."""
    value_type: Any
    def __init__(self, shape: ShapeLike = None, dtype: DTypeLike = tf.float32) -> None: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @classmethod
    def from_value(cls, value: TensorLike) -> tf.SparseTensorSpec: ...
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

def split(
    value: TensorLike, num_or_size_splits: Any, axis: TensorLike = 0,
    num: IntLike | None = None, name: str = 'split',
) -> list:
    """Parts of equal size (given how many) or of the sizes listed, one of which may be -1."""

@overload
def squeeze(
    input: DenseLike, axis: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """Without the axes of size 1, or without those listed, which must have size 1."""
@overload
def squeeze(
    input: CompositeT, axis: TensorLike | None = None, name: str | None = None,
) -> CompositeT: ...

@overload
def stack(
    values: Sequence[CompositeT], axis: IntLike = 0, name: str = 'stack',
) -> CompositeT: ...
@overload
def stack(values: DenseLike, axis: IntLike = 0, name: str = 'stack') -> tf.Tensor:
    """Tensors of one shape along a new axis."""

@overload
def stop_gradient(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """The input unchanged, and a wall for gradients."""
@overload
def stop_gradient(input: CompositeT, name: str | None = None) -> CompositeT: ...

def strided_slice(
    input_: Any, begin: TensorLike, end: Any, strides: Any = None, begin_mask: IntLike = 0,
    end_mask: IntLike = 0, ellipsis_mask: IntLike = 0, new_axis_mask: IntLike = 0,
    shrink_axis_mask: IntLike = 0, var: Any = None, name: str | None = None,
) -> tf.Tensor:
    """x[begin:end:strides], with bits of the masks to leave out a bound, insert `...` or …"""

def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable | None = None,
    name: str = 'switch_case',
) -> Any:
    """The result of `branch_fns[branch_index]`; an index out of range takes `default`, or …"""

class Tensor:
    """Public `tf.Tensor`: what eager, batched and symbolic tensors are instances of."""
    OVERLOADABLE_OPERATORS: Any
    T: Any
    astype: Any
    clip: Any
    data: Any
    ravel: Any
    reshape: Any
    size: Any
    tolist: Any
    transpose: Any
    def __bool__(self) -> _bool: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def ndim(self) -> int: ...
    def get_shape(self) -> tf.TensorShape: ...
    def set_shape(self, shape: ShapeLike) -> None: ...
    @property
    def device(self) -> str: ...
    @property
    def backing_device(self) -> str: ...
    def cpu(self) -> tf.Tensor: ...
    @property
    def name(self) -> str: ...
    @property
    def op(self) -> Any: ...
    @property
    def graph(self) -> Any: ...
    def consumers(self) -> list: ...
    def eval(self, feed_dict: Any = None, session: Any = None) -> Any: ...
    def numpy(self) -> Any:
        """The value as a NumPy array (a copy) or, for scalars, a NumPy scalar."""
    def __array__(
        self, dtype: DTypeLike | None = None, copy: _bool | None = None,
    ) -> np.ndarray: ...
    def __dlpack__(
        self, *, stream: Any = None, max_version: _tuple[int, int] | None = None,
        dl_device: _tuple[int, int] | None = None, copy: _bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> _tuple[int, int]: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> _complex: ...
    def __index__(self) -> int: ...
    def __len__(self) -> int: ...
    def __round__(self, other: int | None) -> tf.Tensor: ...
    def ref(self) -> Reference:
        """A hashable reference to this tensor."""
    def __add__(self, other: DenseLike) -> tf.Tensor: ...
    def __radd__(self, other: DenseLike) -> tf.Tensor: ...
    def __getitem__(self, key: Any) -> tf.Tensor:
        """x[key]: integers, slices, `...`, tf.newaxis, scalar integer tensors, or one boolean …"""
    def __iter__(self) -> Iterator[tf.Tensor]: ...
    @property
    def assign(self) -> Any:
        """`v[1:].assign(value)`: only what came from a variable by an index can be assigned to."""
    def __matmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmatmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __neg__(self) -> tf.Tensor: ...
    def __sub__(self, other: DenseLike) -> tf.Tensor: ...
    def __rsub__(self, other: DenseLike) -> tf.Tensor: ...
    def __mul__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __truediv__(self, other: DenseLike) -> tf.Tensor:
        """`/`: at once where dtypes are equal and floating, else by Python's rule for integers."""
    def __rtruediv__(self, other: DenseLike) -> tf.Tensor: ...
    def __lt__(self, other: DenseLike) -> tf.Tensor: ...
    def __le__(self, other: DenseLike) -> tf.Tensor: ...
    def __gt__(self, other: DenseLike) -> tf.Tensor: ...
    def __ge__(self, other: DenseLike) -> tf.Tensor: ...
    def __eq__(self, other: object) -> tf.Tensor:  # type: ignore[override]
        """`==`, elementwise; see equal."""
    def __ne__(self, other: object) -> tf.Tensor:  # type: ignore[override]
        """`!=`, elementwise; see not_equal."""
    def __pow__(self, other: DenseLike) -> tf.Tensor: ...
    def __rpow__(self, other: DenseLike) -> tf.Tensor: ...
    def __and__(self, other: DenseLike) -> tf.Tensor: ...
    def __rand__(self, other: DenseLike) -> tf.Tensor: ...
    def __or__(self, other: DenseLike) -> tf.Tensor: ...
    def __ror__(self, other: DenseLike) -> tf.Tensor: ...
    def __xor__(self, other: DenseLike) -> tf.Tensor: ...
    def __rxor__(self, other: DenseLike) -> tf.Tensor: ...
    def __invert__(self) -> tf.Tensor: ...
    def __abs__(self) -> tf.Tensor: ...
    def __floordiv__(self, other: DenseLike) -> tf.Tensor: ...
    def __rfloordiv__(self, other: DenseLike) -> tf.Tensor: ...
    def __mod__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmod__(self, other: DenseLike) -> tf.Tensor: ...

def tensor_scatter_nd_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, bad_indices_policy: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """`tensor` with `updates` added at `indices`."""

def tensor_scatter_nd_max(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, bad_indices_policy: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """`tensor` with the larger of its own values and `updates` at `indices`."""

def tensor_scatter_nd_min(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, bad_indices_policy: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """`tensor` with the smaller of its own values and `updates` at `indices`."""

def tensor_scatter_nd_sub(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, bad_indices_policy: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """`tensor` with `updates` subtracted at `indices`."""

def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """`tensor` with `updates` instead of what was at `indices`."""

class TensorArray:
    """Tensors of one dtype by index, written once and read once (unless …"""
    def __init__(
        self, dtype: DTypeLike, size: Any = None, dynamic_size: _bool | None = None,
        clear_after_read: _bool | None = None, tensor_array_name: str | None = None,
        handle: Any = None, flow: Any = None, infer_shape: _bool = True, element_shape: Any = None,
        colocate_with_first_write_call: _bool = True, name: str | None = None,
    ) -> None: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def dynamic_size(self) -> _bool: ...
    @property
    def element_shape(self) -> tf.TensorShape: ...
    @property
    def handle(self) -> None: ...
    @property
    def flow(self) -> tf.Tensor: ...
    def size(self, name: str | None = None) -> tf.Tensor:
        """The number of elements, written or not."""
    def identity(self) -> tf.TensorArray: ...
    def grad(self, source: str, flow: Any = None, name: str | None = None) -> Any: ...
    def read(self, index: Any, name: str | None = None) -> tf.Tensor:
        """The tensor at `index`; unless `clear_after_read=False` it can be read only once."""
    def write(
        self, index: Any, value: TensorLike, name: str | None = None,
    ) -> tf.TensorArray:
        """Put `value` at `index`, growing the array if its size is dynamic."""
    def stack(self, name: str | None = None) -> tf.Tensor:
        """All elements along a new first axis."""
    def gather(self, indices: TensorLike, name: str | None = None) -> tf.Tensor:
        """The elements at `indices` along a new first axis."""
    def concat(self, name: str | None = None) -> tf.Tensor:
        """All elements joined along their first axis."""
    def unstack(self, value: TensorLike, name: str | None = None) -> tf.TensorArray:
        """Replace all elements by the rows of `value`."""
    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None,
    ) -> tf.TensorArray:
        """Write the rows of `value` at `indices`."""
    def split(
        self, value: TensorLike, lengths: Any, name: str | None = None,
    ) -> tf.TensorArray:
        """Replace all elements by consecutive pieces of `value`, of the given `lengths`."""
    def close(self, name: str | None = None) -> None:
        """Drop all elements."""

class TensorShape(Sequence[Any]):
    """The shape of a tensor: known, partly known, or of unknown rank."""
    def __init__(self, dims: Any) -> None: ...
    @property
    def rank(self) -> Any: ...
    @property
    def ndims(self) -> Any: ...
    @property
    def dims(self) -> list[tf.compat.v1.Dimension] | None:
        """The dimensions as `Dimension` objects, TensorFlow 1's form; None if unknown."""
    def as_list(self) -> list[Any]: ...
    def is_fully_defined(self) -> _bool: ...
    def num_elements(self) -> Any:
        """The number of elements, or None if it is not known."""
    def concatenate(self, other: Any) -> tf.TensorShape: ...
    def __add__(self, other: TensorLike) -> tf.TensorShape: ...
    def __radd__(self, other: TensorLike) -> tf.TensorShape: ...
    def merge_with(self, other: Any) -> tf.TensorShape:
        """What is known of either shape; ValueError where they contradict each other."""
    def most_specific_compatible_shape(self, other: Any) -> tf.TensorShape:
        """The narrowest shape that both shapes satisfy."""
    def most_specific_common_supertype(
        self, others: Iterable[Any],
    ) -> tf.TensorShape | None: ...
    def is_compatible_with(self, other: Any) -> _bool: ...
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every tensor of this shape is one of shape `other`."""
    def assert_is_compatible_with(self, other: Any) -> None: ...
    def assert_is_fully_defined(self) -> None: ...
    def assert_has_rank(self, rank: Any) -> None: ...
    def assert_same_rank(self, other: Any) -> None: ...
    def with_rank(self, rank: IntLike | None) -> tf.TensorShape:
        """This shape, demanded (or, where nothing is known, made) to be of that rank."""
    def with_rank_at_least(self, rank: IntLike) -> tf.TensorShape: ...
    def with_rank_at_most(self, rank: IntLike) -> tf.TensorShape: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> _bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class TensorSpec:
    """Shape, dtype and optional name of a tensor; `None` is an unknown dimension or rank."""
    def __init__(
        self, shape: ShapeLike, dtype: DTypeLike = tf.float32, name: str | None = None,
    ) -> None: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def name(self) -> str | None: ...
    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> tf.TensorSpec:
        """The same shape and dtype, with `name` or else the name of `spec`."""
    @classmethod
    def from_tensor(cls, tensor: TensorLike, name: str | None = None) -> tf.TensorSpec: ...
    def is_compatible_with(self, spec_or_tensor: Any) -> _bool:
        """As TypeSpec's; the name plays no part, and a tensor may stand for its description."""
    def is_subtype_of(self, other: Any) -> _bool: ...
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    value_type: Any
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __ne__(self, other: object) -> _bool: ...

@overload
def tile(input: DenseLike, multiples: Any, name: str | None = None) -> tf.Tensor:
    """The whole tensor repeated `multiples[i]` times along axis i."""
@overload
def tile(input: CompositeT, multiples: Any, name: str | None = None) -> CompositeT: ...

def timestamp(name: str | None = None) -> tf.Tensor:
    """Seconds since 1970 when this runs; inside a tf.function, at each call."""

def transpose(
    a: TensorLike, perm: TensorLike | None = None, conjugate: _bool = False,
    name: str = 'transpose',
) -> tf.Tensor:
    """Axes in the order `perm`, reversed if none is given."""

@overload
def truncatediv(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y rounded towards zero, elementwise."""
@overload
def truncatediv(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def truncatemod(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The remainder of x / y, with the sign of x."""
@overload
def truncatemod(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

def tuple(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list:
    """The list of `tensors`, all computed before any is used; eagerly they are already."""

def type_spec_from_value(value: TensorLike) -> _TypeSpec:
    """The TypeSpec of a value that is a tensor or can become one."""

class TypeSpec:
    """Public `tf.TypeSpec`: what users derive from it describes composites of their own."""
    def __init__(self) -> None: ...
    value_type: Any
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class UnconnectedGradients(enum.Enum):
    """What `gradient` gives for a source that the target does not depend on."""
    NONE = 'none'
    ZERO = 'zero'

def unique(
    x: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> Unique:
    """The distinct values of a vector, and for each element the index of its value."""

def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> UniqueWithCounts:
    """As tf.unique, and how often each value occurs."""

def unravel_index(indices: TensorLike, dims: Any, name: str | None = None) -> tf.Tensor:
    """Positions in a flattened tensor as coordinates in the shape `dims`, one row an axis."""

def unstack(
    value: TensorLike, num: IntLike | None = None, axis: IntLike = 0, name: str = 'unstack',
) -> list:
    """The parts of a tensor along an axis, as a list."""

class Variable:
    """Public `tf.Variable`: calling it makes a variable."""
    def __init__(
        self, initial_value: Any = None, trainable: _bool | None = None,
        validate_shape: _bool = True, caching_device: Any = None, name: str | None = None,
        variable_def: Any = None, dtype: DTypeLike | None = None, import_scope: Any = None,
        constraint: Any = None, synchronization: tf.VariableSynchronization = ...,
        aggregation: tf.VariableAggregation = ..., shape: ShapeLike = None,
        experimental_enable_variable_lifting: _bool = True,
    ) -> None: ...
    @property
    def shape(self) -> tf.TensorShape: ...
    def get_shape(self) -> tf.TensorShape: ...
    @property
    def dtype(self) -> tf.DType: ...
    @property
    def ndim(self) -> int | None: ...
    @property
    def name(self) -> str: ...
    @property
    def trainable(self) -> _bool: ...
    @property
    def constraint(self) -> Any: ...
    @property
    def synchronization(self) -> tf.VariableSynchronization: ...
    @property
    def aggregation(self) -> tf.VariableAggregation: ...
    @property
    def device(self) -> str: ...
    @property
    def handle(self) -> tf.Variable: ...
    @property
    def initializer(self) -> None: ...
    @property
    def initial_value(self) -> Any: ...
    @property
    def op(self) -> Any: ...
    @property
    def graph(self) -> Any: ...
    def set_shape(self, shape: ShapeLike) -> None:
        """Say what the shape is; it must agree with what is known of it."""
    def is_initialized(self, name: str | None = None) -> tf.Tensor: ...
    def read_value(self) -> tf.Tensor: ...
    def initialized_value(self) -> tf.Tensor: ...
    def __tf_tensor__(
        self, dtype: tf.DType | None = None, name: str | None = None,
    ) -> tf.Tensor: ...
    def numpy(self) -> Any: ...
    def __array__(
        self, dtype: DTypeLike | None = None, copy: _bool | None = None,
    ) -> np.ndarray: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> _complex: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tf.Tensor]: ...
    def assign(
        self, value: TensorLike, use_locking: _bool = False, name: str | None = None,
        read_value: _bool = True,
    ) -> tf.Variable:
        """Replace the value; shape and dtype are checked before anything changes."""
    def assign_add(
        self, delta: Any, use_locking: _bool = False, name: str | None = None,
        read_value: _bool = True,
    ) -> tf.Variable:
        """Add `delta` (of this very shape) to the value."""
    def assign_sub(
        self, delta: Any, use_locking: _bool = False, name: str | None = None,
        read_value: _bool = True,
    ) -> tf.Variable:
        """Subtract `delta` (of this very shape) from the value."""
    def ref(self) -> Reference: ...
    def __iadd__(self, other: Any) -> Any: ...
    def __isub__(self, other: Any) -> Any: ...
    def __imul__(self, other: Any) -> Any: ...
    def __itruediv__(self, other: Any) -> Any: ...
    def __ipow__(self, other: Any) -> Any: ...
    def __add__(self, other: DenseLike) -> tf.Tensor: ...
    def __radd__(self, other: DenseLike) -> tf.Tensor: ...
    def value(self) -> tf.Tensor:
        """The value now, as a tensor that later assignments do not change."""
    def __getitem__(self, key: Any) -> tf.Tensor: ...
    def __matmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmatmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __neg__(self) -> tf.Tensor: ...
    def __sub__(self, other: DenseLike) -> tf.Tensor: ...
    def __rsub__(self, other: DenseLike) -> tf.Tensor: ...
    def __mul__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmul__(self, other: DenseLike) -> tf.Tensor: ...
    def __truediv__(self, other: DenseLike) -> tf.Tensor: ...
    def __rtruediv__(self, other: DenseLike) -> tf.Tensor: ...
    def __lt__(self, other: DenseLike) -> tf.Tensor: ...
    def __le__(self, other: DenseLike) -> tf.Tensor: ...
    def __gt__(self, other: DenseLike) -> tf.Tensor: ...
    def __ge__(self, other: DenseLike) -> tf.Tensor: ...
    def __eq__(self, other: object) -> tf.Tensor: ...  # type: ignore[override]
    def __ne__(self, other: object) -> tf.Tensor: ...  # type: ignore[override]
    def __pow__(self, other: DenseLike) -> tf.Tensor: ...
    def __rpow__(self, other: DenseLike) -> tf.Tensor: ...
    def __and__(self, other: DenseLike) -> tf.Tensor: ...
    def __rand__(self, other: DenseLike) -> tf.Tensor: ...
    def __or__(self, other: DenseLike) -> tf.Tensor: ...
    def __ror__(self, other: DenseLike) -> tf.Tensor: ...
    def __xor__(self, other: DenseLike) -> tf.Tensor: ...
    def __rxor__(self, other: DenseLike) -> tf.Tensor: ...
    def __invert__(self) -> tf.Tensor: ...
    def __abs__(self) -> tf.Tensor: ...
    def __floordiv__(self, other: DenseLike) -> tf.Tensor: ...
    def __rfloordiv__(self, other: DenseLike) -> tf.Tensor: ...
    def __mod__(self, other: DenseLike) -> tf.Tensor: ...
    def __rmod__(self, other: DenseLike) -> tf.Tensor: ...
    def scatter_update(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (update), given as tf.IndexedSlices."""
    def scatter_add(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (add), given as tf.IndexedSlices."""
    def scatter_sub(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (sub), given as tf.IndexedSlices."""
    def scatter_mul(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (mul), given as tf.IndexedSlices."""
    def scatter_div(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (div), given as tf.IndexedSlices."""
    def scatter_min(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (min), given as tf.IndexedSlices."""
    def scatter_max(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Change rows of this variable (max), given as tf.IndexedSlices."""
    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (update) at coordinates."""
    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (add) at coordinates."""
    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (sub) at coordinates."""
    def scatter_nd_min(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (min) at coordinates."""
    def scatter_nd_max(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None,
    ) -> Any:
        """Change elements or slices of this variable (max) at coordinates."""
    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Replace rows in each batch: both indices and values share their leading axes."""
    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Any:
        """Rows of this variable; the gradient is tf.IndexedSlices."""
    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Any:
        """Elements or slices of this variable, each given by coordinates."""

def variable_creator_scope(variable_creator: Callable) -> AbstractContextManager[None]:
    """Context in which `variable_creator(next_creator, **kwargs)` makes the variables."""

class VariableAggregation(enum.Enum):
    """How replicas of a variable are combined; one CPU has one replica."""
    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

class VariableSpec:
    """Shape, dtype and trainability of a variable that is an argument."""
    value_type: Any
    def __init__(
        self, shape: ShapeLike, dtype: DTypeLike = 'float32', trainable: _bool = True,
        alias_id: IntLike | None = None,
    ) -> None: ...
    @classmethod
    def from_value(cls, value: TensorLike) -> tf.VariableSpec: ...
    alias_id: Any
    dtype: Any
    shape: Any
    trainable: Any
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> _bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> _bool: ...
    def __ne__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...

class VariableSynchronization(enum.Enum):
    """When replicas of a variable are brought together; one CPU has one replica."""
    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3

def vectorized_map(
    fn: Callable, elems: Any, fallback_to_while_loop: _bool = True, warn: _bool = True,
) -> Any:
    """`fn` of each element along the first axis, run once for all of them by vectorised ops."""

def where(
    condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """`x` where the condition holds, `y` elsewhere; without them, the positions of what …"""

def while_loop(
    cond: Callable, body: Callable, loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: IntLike = 10, back_prop: _bool = True, swap_memory: _bool = False,
    maximum_iterations: Any = None, name: str | None = None,
) -> Any:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds; return the …"""

def zeros(
    shape: ShapeLike, dtype: DTypeLike = tf.float32, name: str | None = None,
    layout: Any = None,
) -> tf.Tensor:
    """A tensor of zeros (False for bool, empty strings for string)."""

class zeros_initializer:
    """Zeros."""
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = tf.float32, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""

@overload
def zeros_like(
    input: DenseLike, dtype: DTypeLike | None = None, name: str | None = None,
    layout: Any = None,
) -> tf.Tensor:
    """Zeros in the shape of `input`, of its dtype unless another is given."""
@overload
def zeros_like(
    input: CompositeT, dtype: DTypeLike | None = None, name: str | None = None,
    layout: Any = None,
) -> CompositeT: ...

float64 = double
half = float16
