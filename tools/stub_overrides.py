"""What stubs cannot learn from the live package: a few types, written by hand.

Functions are keyed by public name, members by `Class.member`. Each entry says what the source
leaves open because the answer depends on what is passed. In `WHOLE`, `{rest}` stands for the live
parameters after the first, so that no name of theirs is repeated here.
"""

from __future__ import annotations

# What a function gives back, where the source says Any.
RETURNS = {
    "Tensor.__iter__": "Iterator[tf.Tensor]",
    "Variable.__iter__": "Iterator[tf.Tensor]",
    "Variable.assign": "tf.Variable",
    "Variable.assign_add": "tf.Variable",
    "Variable.assign_sub": "tf.Variable",
    "Tensor.__round__": "tf.Tensor",
    "GradientTape.watched_variables": "tuple[tf.Variable, ...]",
    # Sizes are ints but for those that are unknown in a function: programs rarely ask.
    "TensorShape.__iter__": "Iterator[Any]",
    "TensorShape.as_list": "list[Any]",
    "TensorShape.ndims": "Any",
    "TensorShape.num_elements": "Any",
    "TensorShape.rank": "Any",
    "OpError.message": "str",
    "ragged.constant": "tf.RaggedTensor",
    "ragged.stack": "tf.RaggedTensor",
    "strings.bytes_split": "tf.RaggedTensor",
    "strings.split": "tf.RaggedTensor",
    "experimental.numpy.issubdtype": "bool",
    "data.experimental.Counter": "tf.data.Dataset",
    "distribute.get_strategy": "tf.distribute.Strategy",
}

# Functions whose first argument may be anything.
OPEN = frozenset("""
    convert_to_tensor debugging.assert_proper_iterable debugging.is_numeric_tensor get_static_value
    is_symbolic_tensor is_tensor GradientTape.watch Optional.from_value""".split())

# Members written by hand; None: left out.
MEMBERS: dict[str, str | None] = {
    "Tensor.__init__": None,  # raises
    "Tensor.__hash__": None,  # raises
    "Variable.__hash__": None,  # raises
    "GenericFunction.__init__": None,
    "GenericFunction.__getattr__": None,
    "GenericFunction.__call__": """
@overload
def __call__(self: tf.types.experimental.GenericFunction[P, NumberLike],
             *args: P.args, **kwargs: P.kwargs) -> tf.Tensor: ...
@overload
def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
""",
    "TensorShape.__getitem__": "def __getitem__(self, key: Any) -> Any: ...",
    "GenericFunction.__get__": """
@overload
def __get__(self, instance: None,
            owner: Any = None) -> tf.types.experimental.GenericFunction[P, R]: ...
@overload
def __get__(self: tf.types.experimental.GenericFunction[Concatenate[T, Q], R], instance: T,
            owner: Any = None) -> tf.types.experimental.GenericFunction[Q, R]: ...
""",
    "GenericFunction.python_function":
        "@property\ndef python_function(self) -> Callable[P, R]: ...",
    "Module.with_name_scope":
        "@classmethod\ndef with_name_scope(cls, method: Callable[P, R]) -> Callable[P, R]: ...",
}

# Members that the class does not define itself.
EXTRA = {
    "GenericFunction": ("__name__: str", "__wrapped__: Callable[P, R]"),
    "ExtensionType": ("Spec: Any",),
    # The objects that are saved are attributes.
    "Checkpoint": ("def __getattr__(self, name: str) -> Any: ...",
                   "def __setattr__(self, name: str, value: Any) -> None: ..."),
}

# NumPy takes shapes, but its types want a Sequence: np.zeros(x.shape).
BASES = {"GenericFunction": "Generic[P, R]", "TensorShape": "Sequence[Any]"}

_DECORATED = "tf.types.experimental.GenericFunction[P, R]"
_SAME = "def {name}(%s: Callable[P, R]{rest}) -> Callable[P, R]: ..."

WHOLE: dict[str, str] = {
    "function": f"""
@overload
def {{name}}(func: Callable[P, R]{{rest}}) -> {_DECORATED}: ...
@overload
def {{name}}(*{{rest}}) -> Callable[[Callable[P, R]], {_DECORATED}]:
    {{doc}}
""",
    "custom_gradient": """
@overload
def {name}(f: Callable[P, tuple[R, Callable[..., Any]]]) -> Callable[P, R]: ...
@overload
def {name}() -> Callable[[Callable[P, tuple[R, Callable[..., Any]]]], Callable[P, R]]:
    {doc}
""",
    "autograph.experimental.do_not_convert": """
@overload
def {name}(func: Callable[P, R]) -> Callable[P, R]: ...
@overload
def {name}() -> Callable[[Callable[P, R]], Callable[P, R]]:
    {doc}
""",
    "recompute_grad": _SAME % "f",
    "grad_pass_through": _SAME % "f",
}

# Functions beside the elementwise ones that give a composite for a composite, or a list of them.
KEEPING = frozenset("""
    cast clip_by_value expand_dims gather identity math.cumsum nn.softmax one_hot ones_like reverse
    squeeze stop_gradient tile zeros_like""".split())
KEEPING_LISTED = frozenset(("concat", "stack"))

TYPING = '''
"""Names for type checkers: what functions take, and what they give that users cannot name.

This module exists for type checkers only; nothing can be imported from it when a program runs.
"""

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
'''
