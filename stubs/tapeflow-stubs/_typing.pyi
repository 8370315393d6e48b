# Written by tools/stubs.py (make stubs).
"""Names for type checkers: what functions take, and what they give that users cannot name.

This module exists for type checkers only; nothing can be imported from it when a program runs.
"""

import enum
import numpy as np
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, ParamSpec, Protocol, SupportsIndex, TypeAlias, TypeVar

import tapeflow as tf

class _SupportsArray(Protocol):
    def __array__(self) -> Any: ...

class _SupportsTensor(Protocol):
    def __tf_tensor__(self, dtype: Any = ..., name: Any = ...) -> Any: ...

IntLike: TypeAlias = int | np.integer | tf.Tensor | tf.Variable
FloatLike: TypeAlias = float | np.integer | np.floating | tf.Tensor | tf.Variable
DTypeLike: TypeAlias = tf.DType | np.dtype | type | str | int
DenseLike: TypeAlias = (
    tf.Tensor | tf.Variable | tf.IndexedSlices | tf.TensorShape | np.ndarray | np.generic | complex
    | str | bytes | Sequence[Any] | _SupportsArray | _SupportsTensor
)
NumberLike: TypeAlias = (  # what a tf.function turns into a tensor when it is returned
    tf.Tensor | tf.Variable | np.ndarray | np.generic | complex | str | bytes
)
TensorLike: TypeAlias = (
    DenseLike | tf.RaggedTensor | tf.SparseTensor | tf.experimental.ExtensionType
)
ShapeLike: TypeAlias = (
    tf.TensorShape | tf.experimental.DynamicRaggedShape | tf.Tensor | tf.Variable | np.ndarray
    | Sequence[Any] | SupportsIndex | None
)

CompositeT = TypeVar(
    "CompositeT", bound=tf.RaggedTensor | tf.SparseTensor | tf.experimental.ExtensionType
)
P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)
T = TypeVar("T")

class App:
    """Programs with flags."""
    flags: Any
    def run(self, main: Callable | None = None, argv: list[str] | None = None) -> None:
        """Parse the flags that are known, call `main` with the other arguments, and exit with …"""

class ApproxTopK(NamedTuple):
    values: tf.Tensor
    indices: tf.Tensor

class BirthWatch:
    """Follows what is not finite from its birth to where it does harm, and tells of it …"""
    def __init__(self) -> None: ...
    def found(
        self, op: Any, xs: tuple, y: TensorLike, slot: IntLike, count: IntLike,
    ) -> None: ...
    def read(self, variable: Any) -> tf.Tensor: ...
    def escaped(self, tensor: TensorLike) -> None: ...
    def assigned(self, variable: Any, tensor: TensorLike) -> None: ...
    def differentiated(self, targets: list, sources: list, gradients: list) -> None: ...
    def pushed(self, tangents: list) -> None: ...
    def arrived(self, what: str, value: TensorLike, birth: tf.insight.Birth) -> None:
        """Something that is not finite is where it does harm."""
    origins: Any
    def note(self, op: Any, xs: tuple, ys: Any, attrs: dict) -> None: ...
    def note1(self, op: Any, x: TensorLike, y: TensorLike) -> Any: ...
    def note2(self, op: Any, a: TensorLike, b: TensorLike, y: TensorLike) -> Any: ...
    def follows(self, uid: Any) -> Any:
        """Whether a gradient or tangent of this tensor may be asked for."""
    def abandoned(self) -> Any:
        """Whether nobody can end it any more."""
    def located(self, ys: Any, where: Any) -> Any:
        """A trace made these tensors for a line of the user's program: (code, line)."""

class BucketizedColumn(NamedTuple):
    """See `tf.feature_column.bucketized_column`."""
    source_column: tf.Tensor
    boundaries: tf.Tensor
    @property
    def name(self) -> str:
        """The name of the numbers, and what is done to them."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the numbers."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The number of each value's bucket."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """One place for each bucket of each number."""
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """One-hot buckets."""
    @property
    def num_buckets(self) -> int:
        """Those of all numbers of an example."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """Ids of buckets: those of the second number follow those of the first."""
    @property
    def parents(self) -> list:
        """The column of the numbers."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class CGState(NamedTuple):
    i: tf.Tensor
    x: tf.Tensor
    r: tf.Tensor
    p: tf.Tensor
    gamma: tf.Tensor

class CapturedWrites:
    """What was written to a stream while a test captured it."""
    def __init__(self, file: Any) -> None: ...
    def contents(self) -> str:
        """The text so far."""

class CheckpointReader:
    """The tensors of a checkpoint by key."""
    def __init__(self, filename: str) -> None: ...
    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor."""
    def get_variable_to_dtype_map(self) -> dict[str, tf.DType]:
        """The dtype of each tensor."""
    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a tensor of this key."""
    def get_tensor(self, tensor_str: Any) -> Any:
        """A tensor's value, as NumPy has it."""
    def debug_string(self) -> bytes:
        """Key, dtype and shape of each tensor, one to a line."""

class CombinedNonMaxSuppression(NamedTuple):
    """What stays of each image's boxes, by falling scores."""
    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any

class ComputeAccidentalHits(NamedTuple):
    indices: tf.Tensor
    ids: tf.Tensor
    weights: tf.Tensor

class CrossedColumn(NamedTuple):
    """See `tf.feature_column.crossed_column`."""
    keys: tf.Tensor
    hash_bucket_size: tf.Tensor
    hash_key: tf.Tensor
    @property
    def name(self) -> str:
        """The names of all that is crossed."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Those of all that is crossed; a bare key is one of text."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The hash of each combination."""
    @property
    def num_buckets(self) -> int:
        """As many as the hash has."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
    @property
    def parents(self) -> list:
        """All that is crossed."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class DebugEventsWriter:
    """Writes the events of a debugger into a folder; those of one folder share their files."""
    def __init__(
        self, dump_root: str, tfdbg_run_id: str, circular_buffer_size: IntLike = 1000,
    ) -> None: ...
    @property
    def dump_root(self) -> str: ...
    def WriteSourceFile(self, source_file: Any) -> None: ...
    def WriteStackFrameWithId(self, stack_frame_with_id: Any) -> None: ...
    def WriteGraphOpCreation(self, graph_op_creation: Any) -> None: ...
    def WriteDebuggedGraph(self, debugged_graph: Any) -> None: ...
    def WriteExecution(self, execution: Any) -> None: ...
    def WriteGraphExecutionTrace(self, graph_execution_trace: Any) -> None: ...
    def RegisterDeviceAndGetId(self, device_name: str) -> int:
        """The number of a device; a device that is new is written down."""
    def FlushNonExecutionFiles(self) -> None:
        """Hand graphs, source files and stack frames to the operating system."""
    def FlushExecutionFiles(self) -> None:
        """Write what was executed since the last time, as far as the rings hold it."""
    def Close(self) -> None:
        """Write everything out and close the files."""

class DecodeWav(NamedTuple):
    """Samples in [-1, 1) as [samples, channels], and the rate."""
    audio: Any
    sample_rate: Any

class EmbeddingColumn(NamedTuple):
    """See `tf.feature_column.embedding_column`."""
    categorical_column: Any
    dimension: Any
    combiner: Any
    initializer: Any
    ckpt_to_load_from: Any
    tensor_name_in_ckpt: Any
    max_norm: Any
    trainable: Any
    use_safe_embedding_lookup: bool = True
    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """The size of an embedding."""
    def create_state(self, state_manager: Any) -> None:
        """Make the table of embeddings, with the values of a checkpoint if one is named."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the ids."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids."""
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A row for each example."""
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any,
    ) -> Any:
        """A row for each step of a sequence."""
    @property
    def parents(self) -> list:
        """The column of ids."""
    class TensorSequenceLengthPair(NamedTuple):
        dense_tensor: Any
        sequence_length: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class FieldDescriptor:
    """One field of a message class."""
    is_extension: bool
    is_required: bool
    has_options: bool
    extension_scope: Any
    def __init__(self, message: Any, field: Any) -> None: ...
    @property
    def type(self) -> int: ...
    @property
    def cpp_type(self) -> int: ...
    @property
    def is_repeated(self) -> bool: ...
    @property
    def label(self) -> int: ...
    @property
    def has_presence(self) -> bool: ...
    @property
    def default_value(self) -> Any: ...
    @property
    def json_name(self) -> str: ...
    @property
    def camelcase_name(self) -> str: ...
    @property
    def message_type(self) -> Any: ...
    enum_type: Any
    @property
    def containing_oneof(self) -> Any: ...
    full_name: Any
    file: Any
    containing_type: Any
    name: Any
    number: Any

class FileStatistics(NamedTuple):
    """Length, time of the last change and kind of a file."""
    length: int
    mtime_nsec: int
    is_directory: bool

class Flags:
    """absl's flags, with TensorFlow 1's names of arguments."""
    FLAGS: Any
    def __getattr__(self, name: str) -> Any: ...

class FractionalAvgPool(NamedTuple):
    """The averages, and where the regions' rows and columns begin."""
    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any

class FractionalMaxPool(NamedTuple):
    """The maxima, and where the regions' rows and columns begin."""
    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any

class HashedCategoricalColumn(NamedTuple):
    """See `tf.feature_column.categorical_column_with_hash_bucket`."""
    key: str
    hash_bucket_size: Any
    dtype: Any
    @property
    def num_buckets(self) -> int:
        """As many as the hash has."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of the values."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class IdentityCategoricalColumn(NamedTuple):
    """See `tf.feature_column.categorical_column_with_identity`."""
    key: str
    number_buckets: Any
    default_value: Any
    dtype: Any
    @property
    def num_buckets(self) -> int:
        """As many as were said."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of the values."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class IndicatorColumn(NamedTuple):
    """See `tf.feature_column.indicator_column`."""
    categorical_column: Any
    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """How often each id occurs, or the sum of its weights."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """One place for each id."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the ids."""
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A row for each example."""
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any,
    ) -> Any:
        """A row for each step of a sequence."""
    @property
    def parents(self) -> list:
        """The column of ids."""
    class TensorSequenceLengthPair(NamedTuple):
        dense_tensor: Any
        sequence_length: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class Initializer:
    """Makes a tensor of a shape and dtype; `partition_shape` asks for a part of it."""
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, **kwargs: Any,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""

class Kept(NamedTuple):
    """What the ops of one name on one line keep."""
    bytes: int
    op: str
    times: int
    file: str
    line: int

class Line(NamedTuple):
    """A line of the user's program."""
    path: str
    number: int
    @property
    def text(self) -> str: ...

class LogMatrixDeterminant(NamedTuple):
    """What tf.linalg.slogdet returns."""
    sign: Any
    log_abs_determinant: Any

class Lu(NamedTuple):
    """What tf.linalg.lu returns."""
    lu: Any
    p: Any

class MaxPoolWithArgmax(NamedTuple):
    """The maxima of the windows, and their flat indices."""
    output: Any
    argmax: Any

class MeshDimension(NamedTuple):
    """A dimension of a mesh."""
    name: str
    size: int

class Node:
    """One op call. `where`, code and line, is the position in the user's program."""
    def __init__(
        self, op: Op, inputs: tuple[Value, ...], attrs: dict[str, Any], where: tuple | None = None,
    ) -> None: ...
    def operands(self) -> Iterator[Value]:
        """All Values it reads: inputs, then those in attributes."""
    attrs: Any
    inputs: Any
    op: Any
    outputs: Any
    where: Any

class NumericColumn(NamedTuple):
    """See `tf.feature_column.numeric_column`."""
    key: str
    shape: Any
    default_value: Any
    dtype: Any
    normalizer_fn: Any
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of a fixed shape."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The feature, normalised, as float32."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """The shape of an example's numbers."""
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class Op:
    """All that one op is; see `define` for the fields."""
    def recover(self, error: Exception, xs: tuple, attrs: dict) -> Any:
        """After a kernel failed: run it again without floating-point warnings, or explain."""
    advice: Any
    allowed: Any
    args: Any
    batch: Any
    call: Any
    check: Any
    cost: Any
    joint: Any
    jvp: Any
    kernel: Any
    kind: Any
    large: Any
    least: Any
    lower: Any
    matching: Any
    multi: Any
    name: Any
    reason: Any
    rules: Any
    saves: Any
    saves_out: Any
    shape: Any
    slices: Any
    stateful: Any
    strings: Any
    tf_name: Any
    traits: Any
    unsavable: Any

class Parameters:
    """The parameters of a Python function; `method` leaves out the first, which is bound."""
    def __init__(self, function: Callable, method: bool = False) -> None: ...
    @property
    def arg_names(self) -> list[str]:
        """Those given by position."""
    def bind(self, args: tuple, kwargs: dict) -> tuple:
        """One value for each parameter; `*args` as a tuple, `**kwargs` as a dict in order."""
    def call(self, function: Callable, values: tuple) -> Any:
        """Call the function with values that `bind` has ordered."""
    def split(self, values: tuple) -> tuple[list, dict]:
        """Positional and keyword arguments from one value for each parameter."""
    def labels(self, values: tuple) -> list[tuple[str, str, Any]]:
        """(name, kind, value) of each argument, those of `*args` and `**kwargs` one by one."""
    def failure(
        self, reason: str, args: Any, kwargs: Any, wanted: tuple = ...,
    ) -> TypeError:
        """The error for arguments that do not fit."""
    def text(self, wanted: tuple = ...) -> str:
        """The parameters as in a definition, with the specs of an input_signature if there are."""
    signature: Any
    all: Any
    names: Any
    count: Any

class Paused:
    """Takes a tape off the stack for a while and puts it back at its position."""
    def __init__(self, tape: tf.GradientTape) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exc: Any) -> None: ...
    position: Any
    tape: Any

class PerWorkerDataset:
    """A dataset on each worker: every one reads the whole of it."""
    def __init__(self, make: Callable[[], Any], coordinator: Any) -> None: ...
    def __iter__(self) -> tf.distribute.coordinator.PerWorkerValues: ...
    @property
    def element_spec(self) -> Any: ...

class Qr(NamedTuple):
    """What tf.linalg.qr returns."""
    q: Any
    r: Any

class QuickCall:
    """A call on a tuple of plain tensors of one signature."""
    def __init__(
        self, executor: Any, variables: list, run: Callable[[tuple], Any], pack: Callable | None,
        small: bool,
    ) -> None: ...
    def native_changed(self) -> None:
        """Native code took over, or was withdrawn."""
    native: Any
    run: Any
    small: Any

class Reference:
    """Hashable by the identity of what it refers to; `deref()` gives that back."""
    def __init__(self, wrapped: Any) -> None: ...
    def deref(self) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __lt__(self, other: object) -> bool:
        """Some order, so that a dict of references can be sorted by its keys."""
    def __hash__(self) -> int: ...

class ReuseMode(enum.Enum):
    """Whether `get_variable` takes a variable that is there."""
    AUTO_REUSE = 1

class Row(NamedTuple):
    """What a report says of one source; numbers are None where there is no gradient."""
    name: str
    shape: str
    dtype: str
    norm: float | None
    ratio: float | None
    zeros: float | None
    nans: float | None
    infinities: float | None
    verdict: str
    where: str
    text: str
    def cells(self) -> tuple[str, ...]:
        """The row as texts, under HEADS."""

class SampleDistortedBoundingBoxV2(NamedTuple):
    """Where the part begins, how large it is, and its box in units of the image."""
    begin: Any
    size: Any
    bboxes: Any

class Saving(NamedTuple):
    """What `tf.recompute_grad` around a range of lines saves, and what the walk needs for …"""
    bytes: int
    file: str
    first: int
    last: int
    recomputed: int

class SequenceCategoricalColumn(NamedTuple):
    """Ids of each step of a sequence; see `tf.feature_column.sequence_categorical_column_…`."""
    categorical_column: Any
    @property
    def name(self) -> str:
        """The name of the ids."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the column of ids makes."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids with a third axis, so that those of different steps are not combined."""
    @property
    def parents(self) -> list:
        """The column of ids."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the other column."""
    @property
    def num_buckets(self) -> int:
        """Those of the other column."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class SequenceNumericColumn(NamedTuple):
    """See `tf.feature_column.sequence_numeric_column`."""
    key: str
    shape: Any
    default_value: Any
    dtype: Any
    normalizer_fn: Any
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The sparse feature, normalised."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """The shape of a step's numbers."""
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any,
    ) -> Any:
        """The steps, padded to the longest sequence."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    class TensorSequenceLengthPair(NamedTuple):
        dense_tensor: Any
        sequence_length: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class Settings:
    """What a program can set of tapeflow itself, beside TensorFlow's own switches."""
    jit: str
    checks: int
    cache_folder: Any
    num_threads: int
    determinism: bool
    run_functions_eagerly: bool
    verify_passes: bool
    collective_overlap: str
    collective_warning: float
    collective_timeout: float
    @staticmethod
    def watch(name: str, changed: Callable[[], None]) -> None:
        """Call `changed` whenever a setting is set: for those who act at once."""
    def folder_for_objects(self) -> str | None:
        """Where compiled code is to be kept; empty: nowhere; None: nobody has said where."""
    def threads_asked_for(self) -> int:
        """Threads that one op is to use; 0: nobody has said how many."""
    def using(self, **changes: Any) -> AbstractContextManager[Settings]:
        """The same settings with changes, which are undone at the end of the block."""
    def __init__(
        self, jit: str = 'auto', checks: IntLike = 1000, cache_folder: str | None = None,
        num_threads: IntLike = 0, determinism: bool = False, run_functions_eagerly: bool = False,
        verify_passes: bool = False, collective_overlap: str = 'auto',
        collective_warning: FloatLike = 30.0, collective_timeout: FloatLike = 1800.0,
    ) -> None: ...
    def __eq__(self, other: object) -> tf.Settings: ...  # type: ignore[override]

class SharedEmbeddingColumn(NamedTuple):
    """See `tf.feature_column.shared_embeddings`."""
    categorical_column: Any
    shared_embedding_column_creator: Any
    combiner: Any
    max_norm: Any
    use_safe_embedding_lookup: bool = True
    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
    @property
    def variable_shape(self) -> tf.TensorShape:
        """The size of an embedding."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the ids."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids."""
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A row for each example."""
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any,
    ) -> Any:
        """A row for each step of a sequence."""
    @property
    def parents(self) -> list:
        """The column of ids."""
    class TensorSequenceLengthPair(NamedTuple):
        dense_tensor: Any
        sequence_length: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class Signature:
    """The arguments of one call, one for each parameter, with the key by which graphs are …"""
    def __init__(self, parameters: Parameters, args: tuple) -> None: ...
    def placeholders(self, trace: Trace, real: frozenset = ...) -> tuple:
        """The arguments with symbolic tensors and stand-in variables in their places."""
    def described(self) -> Signature:
        """This with descriptions in place of the arguments: a trace may live for long."""
    def merge(self, other: Signature) -> Signature | None:
        """The same signature with differing sizes unknown; None if more than sizes differ."""
    def covers(self, key: Any) -> bool:
        """Whether every call with that key could use a trace of this signature."""
    def labels(self) -> list[tuple[str, str, Any]]:
        """(name, kind, spec) of each argument."""
    def structured(self) -> tuple:
        """Specs with names: (positional ones as a tuple, keyword-only ones as a dict)."""
    args: Any
    key: Any
    parameters: Any
    tensors: Any
    variables: Any

class SparsePattern:
    """Where a Jacobian or Hessian may have entries, and how few products find them."""
    def __init__(self, matrix: TensorLike, symmetric: bool) -> None: ...
    @property
    def products(self) -> int:
        """How many products with vectors find all entries."""
    def seeds(self, dtype: DTypeLike) -> np.ndarray:
        """A vector for each colour: the sum of the unit vectors of its columns."""
    def assembled(self, compressed: np.ndarray, alone: np.ndarray) -> Any:
        """The matrix, of the products for the colours and of the rows that were found alone."""
    alone: Any
    by_rows: Any
    rest: Any
    colours: Any
    matrix: Any
    symmetric: Any

class StatelessSampleDistortedBoundingBox(NamedTuple):
    """The same, by a seed."""
    begin: Any
    size: Any
    bboxes: Any

class Stats(NamedTuple):
    """Numbers of an array: `zeros`, `nans` and `infinities` are shares of its elements."""
    norm: float
    size: int
    zeros: float
    nans: float
    infinities: float
    @property
    def rms(self) -> float: ...
    @property
    def finite(self) -> bool: ...

class Store:
    """The entries of one table: Python keys, NumPy values of one shape and dtype."""
    def __init__(
        self, dtype: DTypeLike, shape: tuple = ..., forbidden: tuple = ...,
    ) -> None: ...
    def find(self, keys: Any, default: Any) -> np.ndarray: ...
    def check(self, keys: list, op: str) -> None: ...
    def insert(self, keys: Any, values: TensorLike) -> None: ...
    def remove(self, keys: Any) -> None: ...
    entries: Any
    dtype: Any
    shape: Any
    forbidden: Any

class Template:
    """A function whose variables are made at its first call and are the same at all later …"""
    def __init__(
        self, name: str, function: Callable, scope_now: bool, unique_name: str | None,
        custom_getter: Any,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def name(self) -> str: ...
    @property
    def func(self) -> Callable: ...
    @property
    def variable_scope(self) -> tf.compat.v1.VariableScope | None: ...
    @property
    def variables(self) -> tuple:
        """Its variables, in the order of their making."""
    @property
    def trainable_variables(self) -> tuple: ...
    @property
    def non_trainable_variables(self) -> tuple: ...
    @property
    def global_variables(self) -> tuple:
        """Its variables, in the order of their making."""
    @property
    def weights(self) -> tuple:
        """Its variables, in the order of their making."""
    @property
    def trainable_weights(self) -> tuple: ...

class TopKV2(NamedTuple):
    values: Any
    indices: Any

class Trace:
    """Builds one graph of what Python calls between entering and leaving it."""
    level: int
    tensor_type: Any
    compiled: bool
    building_function: bool
    keeps_rules: bool
    controls: Any
    opens_constants: bool
    repeatable: bool
    constants_asked: bool
    open_prefix: str
    def __init__(
        self, name: str = 'graph', outer: Trace | None = None, around: Any = None,
    ) -> None: ...
    def nested(self, name: str) -> Trace:
        """A trace inside this one."""
    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """The name in its scopes, with a number if it was given out before."""
    def __enter__(self) -> Trace: ...
    def __exit__(self, *exc: Any) -> None: ...
    def as_default(self) -> AbstractContextManager[Trace]:
        """Nothing changes: a function's graph is the default one while the function is traced."""
    def get_operations(self) -> list[Any]:
        """Inputs, then nodes in program order, each after the constants that it takes."""
    def value_of(self, x: TensorLike) -> Value:
        """The Value that stands for a tensor here: own, captured from outside, or constant."""
    def literal(self, beside: Any, scalar: FloatLike) -> tf.Tensor | None:
        """A Python scalar as an operand beside a tensor, in its dtype."""
    def note2(self, op: Op, a: TensorLike, b: TensorLike, y: TensorLike) -> None:
        """A binary op ran on eager tensors."""
    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors."""
    def note_constant(self, tensor: TensorLike, name: str) -> None:
        """A constant was made: it may have a name of its own."""
    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        """Add a node; the listeners above (tapes, accumulators) hear of it."""
    def in_order(self, make: Callable[[], Any]) -> Any:
        """What `make` gives; its effects happen in program order, here as everywhere."""
    def read(self, variable: Any) -> tf.Tensor:
        """What a variable holds at this point."""
    def assign(self, variable: Any, tensor: TensorLike) -> None:
        """Write a variable at this point of the program."""
    def lift(self, variable: Any, initial: Callable[[], tf.Tensor]) -> tf.Tensor:
        """The initial value of a variable that is made while tracing, computed eagerly."""
    def defer_call(
        self, function: Callable, args: tuple, kwargs: dict, error: Exception,
    ) -> Any:
        """A node in place of a call that failed because a size is not known."""
    def defers(self, op: Op, g: Any, y: TensorLike, xs: Any) -> bool:
        """Whether a rule must wait for sizes (see `deferred_gradients`)."""
    def defer(
        self, op: Op, index: IntLike, g: Any, y: TensorLike, xs: Any, attrs: dict,
    ) -> Any:
        """A node in place of a rule."""
    def defer_tangent(self, op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
        """A node in place of an op's tangents."""
    def custom_gradient(self, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
        """Outputs whose gradient is the user's `rule`."""
    def cond(self, index: TensorLike, branches: tuple) -> Any:
        """One of several branches, as a node."""
    @staticmethod
    def tensor_array_type() -> type:
        """The class of TensorArrays that are made inside a trace."""
    def vectorized_map(
        self, function: Callable, elems: Any, tensors: list, strict: bool,
    ) -> Any:
        """A vectorised map: a node until its length is known."""
    def while_loop(
        self, condition: Callable, body: Callable, loop_vars: Any, limit: IntLike | None = None,
        shape_invariants: Any = None,
    ) -> Any:
        """A while loop, as a node."""
    def add_to_collection(self, name: str | None, value: TensorLike) -> None: ...
    def add_to_collections(self, names: Any, value: TensorLike) -> None: ...
    def get_collection_ref(self, name: str | None) -> list:
        """The list itself."""
    def get_collection(self, name: str | None, scope: str | None = None) -> list:
        """A copy of the list; with `scope`, what has a name that begins so."""
    def get_all_collection_keys(self) -> list: ...
    def clear_collection(self, name: str | None) -> None: ...
    @property
    def outer_graph(self) -> Any: ...
    def capture_call_time_value(self, *args: Any, **named: Any) -> Any: ...
    takes_all: bool
    @property
    def root(self) -> Any:
        """The outermost: that of the function, not of a branch or loop body."""
    def symbolic(self, value: Value, uid: IntLike = 0) -> tf.Tensor: ...
    def placeholder(
        self, shape: tuple | None, dtype: DTypeLike, name: str = '',
    ) -> tf.Tensor:
        """A new input; of inputs with one name the later ones are numbered."""
    def capture(self, x: TensorLike) -> Value: ...
    def name_of(self, value: Value) -> str:
        """TensorFlow's name of a node: that of its op, numbered from the second on."""
    def new_scope(self, name: str) -> str:
        """The prefix of names that a new name scope gives."""
    def tensor_of(self, value: Value) -> Any:
        """What users see of a value."""
    def home_graph(self) -> Any:
        """The tf.Graph inside which this is, if there is one."""
    def operation_of(self, value: Value) -> Any:
        """The operation that makes a value."""
    def consumers_of(self, value: Value) -> list[Any]:
        """The operations that read a value."""
    def evaluate(self, fetches: Any, feed_dict: Any, session: Any) -> Any:
        """The value of a tensor in a session, which only tensors of a tf.Graph have."""
    @property
    def captures(self) -> list[tuple[tf.Tensor, Value]]:
        """Tensors of outer traces that this graph uses, with the Values that stand for them."""
    def add_node(self, op: Op, inputs: tuple[Value, ...], attrs: dict, held: dict) -> Node:
        """A call of `op`; `held` are its attributes with Values in place of tensors."""
    def note1(self, op: Any, x: TensorLike, y: TensorLike) -> Any: ...
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

class TypeSpec:
    """The type of a value: a tensor, or an object made of tensors."""
    value_type: Any
    def __init__(self) -> None: ...
    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Unique(NamedTuple):
    y: tf.Tensor
    idx: tf.Tensor

class UniqueV2(NamedTuple):
    y: tf.Tensor
    idx: tf.Tensor

class UniqueWithCounts(NamedTuple):
    y: tf.Tensor
    idx: tf.Tensor
    count: tf.Tensor

class UniqueWithCountsV2(NamedTuple):
    y: tf.Tensor
    idx: tf.Tensor
    count: tf.Tensor

class V1Initializer:
    """Makes a tensor of a shape, of its own dtype unless it is called with another."""
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    dtype: Any

class Value:
    """One tensor of the graph."""
    def __init__(
        self, shape: tuple | None, dtype: DTypeLike, node: Node | None = None, index: IntLike = 0,
        const: Any = None, name: str = '',
    ) -> None: ...
    @property
    def spec(self) -> Any: ...
    const: Any
    dtype: Any
    index: Any
    name: Any
    node: Any
    shape: Any

class VocabularyFileCategoricalColumn(NamedTuple):
    """See `tf.feature_column.categorical_column_with_vocabulary_file`."""
    key: str
    vocabulary_file: Any
    vocabulary_size: Any
    num_oov_buckets: int
    dtype: Any
    default_value: int
    file_format: Any = None
    @property
    def num_buckets(self) -> int:
        """The words, and the buckets for others."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of the values."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class VocabularyListCategoricalColumn(NamedTuple):
    """See `tf.feature_column.categorical_column_with_vocabulary_list`."""
    key: str
    vocabulary_list: Any
    dtype: Any
    default_value: int
    num_oov_buckets: int
    @property
    def num_buckets(self) -> int:
        """The words, and the buckets for others."""
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of the values."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
    @property
    def name(self) -> str:
        """The key of the feature."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
    @property
    def parents(self) -> list:
        """The key of the feature."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class WeightedCategoricalColumn(NamedTuple):
    """See `tf.feature_column.weighted_categorical_column`."""
    categorical_column: Any
    weight_feature_key: Any
    dtype: Any
    @property
    def name(self) -> str:
        """The name of the ids, and of their weights."""
    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Two features of any length."""
    def transform_feature(
        self, transformation_cache: Any, state_manager: Any,
    ) -> tuple[Any, Any]:
        """The ids, and a sparse tensor of their weights."""
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids and their weights."""
    @property
    def parents(self) -> list:
        """The column of ids, and the key of the weights."""
    @property
    def num_buckets(self) -> int:
        """Those of the other column."""
    class IdWeightPair(NamedTuple):
        id_tensor: Any
        weight_tensor: Any
    def __lt__(self, other: TensorLike) -> bool: ...
    def __gt__(self, other: TensorLike) -> bool: ...
    def create_state(self, state_manager: Any) -> None:
        """Make the variables of the column; most have none."""
    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
        columns_by_name: dict[str, Any] | None = None,
    ) -> Any:
        """A column of what `get_config` gave."""

class WrappedFunction:
    """A graph with its variables; calls go from its placeholders to what its function …"""
    def __init__(self, graph: tf.Graph, arguments: Any, results: Any) -> None: ...
    @property
    def variables(self) -> list[tf.Variable]:
        """The variables of the graph, and those from outside that it reads."""
    @property
    def trainable_variables(self) -> list[tf.Variable]: ...
    @property
    def inputs(self) -> list[tf.Tensor]: ...
    @property
    def outputs(self) -> list[tf.Tensor]: ...
    def __call__(self, *args: Any) -> Any: ...
    def as_concrete_function(self) -> tf.types.experimental.ConcreteFunction:
        """The whole as a concrete function, its arguments with the names of the placeholders."""
    def prune(
        self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None,
    ) -> Any:
        """The function from some tensors of the graph to others; an operation gives None."""
    graph: Any
    structured_outputs: Any
