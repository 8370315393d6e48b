"""Variables by name, as tf.compat.v1 has them: scopes, `get_variable`, templates, initial ops.

Eager, as TensorFlow's: `get_variable` makes a new variable at each call, unless a template keeps
it. Variables have their values when they are made, so the ops that initialise them do nothing. In a
tf.Graph names are kept by the graph, and variables are initialised by sessions.
Loaded when one of the names is asked for.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import tapeflow as tf
from tapeflow.base import dtypes
from tapeflow.base.exports import export, known_as, publish
from tapeflow.core.scopes import current_prefix, init_scope
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import Variable
from tapeflow.graph_mode.graph import current_graph, global_graph
from tapeflow.graph_mode.graph_variable import (
    global_variables,
    initializer_of,
    local_variables,
)


class ReuseMode(enum.Enum):
    """Whether `get_variable` takes a variable that is there."""

    AUTO_REUSE = 1


AUTO_REUSE = ReuseMode.AUTO_REUSE
publish(AUTO_REUSE, "compat.v1.AUTO_REUSE")


@export("compat.v1.GraphKeys")
class GraphKeys:
    """The names of the collections of a graph."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    TRAIN_OP = "train_op"


class _VariableCalls(type):
    """Calls make variables of TensorFlow 2, of which every one counts as an instance."""

    def __call__(cls, initial_value: Any = None, trainable: bool | None = None,
                 collections: Any = None, validate_shape: bool = True, caching_device: Any = None,
                 name: str | None = None, variable_def: Any = None, dtype: Any = None,
                 expected_shape: Any = None, import_scope: Any = None, constraint: Any = None,
                 use_resource: Any = None, synchronization: Any = None, aggregation: Any = None,
                 shape: Any = None, experimental_enable_variable_lifting: bool = True) -> Any:
        given = (("synchronization", synchronization), ("aggregation", aggregation),
                 ("collections", None if current_graph() is None else collections))
        more = {key: value for key, value in given if value is not None}
        return tf.Variable(
            initial_value, trainable=trainable, validate_shape=validate_shape,
            caching_device=caching_device, name=name, variable_def=variable_def, dtype=dtype,
            import_scope=import_scope, constraint=constraint, shape=shape, **more)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, tf.Variable)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, tf.Variable)


@export("compat.v1.Variable")
class VariableV1(metaclass=_VariableCalls):
    """tf.Variable with the arguments of TensorFlow 1."""


# -- scopes ----------------------------------------------------------------------------------------
@export("compat.v1.VariableScope")
class VariableScope:
    """The name that `get_variable` puts before its own, and what it uses where nothing is said."""

    def __init__(self, reuse: Any, name: str = "", initializer: Any = None,
                 regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
                 custom_getter: Any = None, name_scope: str = "", dtype: Any = dtypes.float32,
                 use_resource: Any = None, constraint: Any = None):
        self.reuse, self.name, self.initializer = reuse, name, initializer
        self.regularizer, self.caching_device = regularizer, caching_device
        self.partitioner, self.custom_getter = partitioner, custom_getter
        self.original_name_scope, self.dtype = name_scope, dtype
        self.use_resource, self.constraint = True, constraint

    def set_initializer(self, initializer: Any) -> None:
        """Set the initializer of variables that name none."""
        self.initializer = initializer

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Set the function that gets variables in this scope."""
        self.custom_getter = custom_getter

    def set_partitioner(self, partitioner: Any) -> None:
        """Accepted: variables are whole."""
        self.partitioner = partitioner

    def set_regularizer(self, regularizer: Any) -> None:
        """Set the regularizer of variables that name none."""
        self.regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Accepted: variables are read from memory."""
        self.caching_device = caching_device

    def reuse_variables(self) -> None:
        """Take variables that are there, from now on."""
        self.reuse = True


class _Scopes(threading.local):
    """The scope that is open in each tf.Graph, and outside of them (None)."""

    def __init__(self) -> None:
        self._outside = VariableScope(False)
        self._open: weakref.WeakKeyDictionary[Any, VariableScope] = weakref.WeakKeyDictionary()
        self.store: dict[str, Any] | None = None  # of a template
        self.library_store: Any = None  # of a library, which keeps variables by itself
        self.capturing: list[tuple[Any, str]] = []  # objects that take variables, and their scopes

    @property
    def current(self) -> VariableScope:
        graph = _graph()
        if graph is None:
            return self._outside
        return self._open.setdefault(graph, VariableScope(False))

    @current.setter
    def current(self, scope: VariableScope) -> None:
        graph = _graph()
        if graph is None:
            self._outside = scope
        else:
            self._open[graph] = scope


def _graph() -> Any:
    """The tf.Graph that is built, also in bodies of its loops and branches; None outside."""
    return None if state.trace is None else state.trace.home_graph()


_scopes = _Scopes()


@export("compat.v1.get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The scope in which `get_variable` makes variables."""
    return _scopes.current


def _opened() -> Any:
    """What counts the scopes: the tf.Graph, or that of programs that make none."""
    return current_graph() or global_graph()


def _unique(name: str) -> str:
    """The name, with a number if there is such a scope in the current one."""
    start = f"{_scopes.current.name}/" if _scopes.current.name else ""
    found, count = name, 0
    counts = _opened().counts
    while counts.get(start + found):
        count += 1
        found = f"{name}_{count}"
    return found


@contextlib.contextmanager
def _counted(name: str, again: bool) -> Iterator[None]:
    """The scopes inside are counted from zero; `again`: a scope that is there is opened anew."""
    opened = _opened()
    opened.counts[name] = opened.counts.get(name, 0) + 1
    before = dict(opened.counts)
    try:
        yield
    finally:
        opened.counts = before if again else {
            key: n for key, n in opened.counts.items() if not key.startswith(f"{name}/")}


@export("compat.v1.variable_scope")
class variable_scope:
    """A scope of variables, and one of names; it may be opened again.

    >>> with tf.Graph().as_default(), tf.compat.v1.variable_scope("layer"):
    ...     print(tf.compat.v1.get_variable("w", [2]).name)
    layer/w:0
    """

    def __init__(self, name_or_scope: Any, default_name: str | None = None, values: Any = None,
                 initializer: Any = None, regularizer: Any = None, caching_device: Any = None,
                 partitioner: Any = None, custom_getter: Any = None, reuse: Any = None,
                 dtype: Any = None, use_resource: Any = None, constraint: Any = None,
                 auxiliary_name_scope: bool = True):
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError("The auxiliary_name_scope must be `True` or `False`, while get "
                            f"{auxiliary_name_scope}")
        self._open = functools.partial(
            _scope, name_or_scope, default_name, initializer, regularizer, caching_device,
            partitioner, custom_getter, reuse, dtype, constraint, auxiliary_name_scope)
        self._opened: list[Any] = []

    def __enter__(self) -> VariableScope:
        self._opened.append(self._open())
        return self._opened[-1].__enter__()

    def __exit__(self, *exc: Any) -> Any:
        return self._opened.pop().__exit__(*exc)


@contextlib.contextmanager
def _scope(name_or_scope: Any, default_name: str | None, initializer: Any, regularizer: Any,
           caching_device: Any, partitioner: Any, custom_getter: Any, reuse: Any, dtype: Any,
           constraint: Any, auxiliary_name_scope: bool) -> Iterator[VariableScope]:
    outer = _scopes.current
    if isinstance(name_or_scope, VariableScope):
        name, base = name_or_scope.name, name_or_scope
        short = name.rpartition("/")[2]
    else:
        short = _unique(str(default_name)) if name_or_scope is None else name_or_scope
        name, base = (f"{outer.name}/{short}" if outer.name else short), outer
    inner = VariableScope(
        base.reuse or reuse if reuse is not AUTO_REUSE else reuse, name,
        base.initializer if initializer is None else initializer,
        base.regularizer if regularizer is None else regularizer,
        caching_device, partitioner, base.custom_getter if custom_getter is None else custom_getter,
        "", base.dtype if dtype is None else dtype,
        constraint=base.constraint if constraint is None else constraint)
    scope = tf.name_scope(short) if auxiliary_name_scope and short else (
        contextlib.nullcontext(current_prefix()))
    again = isinstance(name_or_scope, VariableScope)
    with scope as prefix, _counted(name, again):
        inner.original_name_scope = base.original_name_scope if again else prefix
        _scopes.current = inner
        try:
            yield inner
        finally:
            _scopes.current = outer


def _initialised(initializer: Any, shape: Any, dtype: Any) -> Any:
    """The value that a variable begins with."""
    if initializer is None:
        if not dtype.is_floating:
            return tf.zeros(shape, dtype)
        return tf.compat.v1.glorot_uniform_initializer()(shape, dtype)
    if isinstance(initializer, type):
        initializer = initializer()
    if isinstance(initializer, Tensor):  # whose dtype is the variable's, whatever was asked for
        return initializer
    if not callable(initializer):
        return tf.convert_to_tensor(initializer, dtype)
    return initializer() if shape is None else initializer(shape, dtype=dtype)


def _reused(graph: Any, name: str) -> Variable:
    if name not in graph.named:
        raise ValueError(f"Variable {name} does not exist, or was not created with "
                         "tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in VarScope?")
    return graph.named[name]


def _chosen(own: Any, of_scope: Any) -> Any:
    return of_scope if own is None else own


def _check_constant(initializer: Any, shape: Any, dtype: Any) -> None:
    """Refuse a dtype or a shape beside a value that has its own."""
    found = tf.convert_to_tensor(initializer).dtype
    if dtype is not None and found != dtypes.as_dtype(dtype):
        raise ValueError(f"Initializer type '{found}' and explicit dtype '{dtype}' don't match.")
    if shape is not None:
        raise ValueError("If initializer is a constant, do not specify shape.")


def _in_loop_or_branch() -> bool:
    """Whether a loop or branch of a tf.Graph is made: its variables are the graph's."""
    trace: Any = state.trace
    return trace is not None and current_graph() is None and trace.root is trace.home_graph()


def _of_the_graph(function: Callable) -> Callable:
    """Called from a loop or branch of a tf.Graph, a function makes its variables outside of it."""
    @functools.wraps(function)
    def outside(*args: Any, **kwargs: Any) -> Any:
        with init_scope() if _in_loop_or_branch() else contextlib.nullcontext():
            return function(*args, **kwargs)

    return outside


@export("compat.v1.get_variable")
@_of_the_graph
def get_variable(name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
                 regularizer: Any = None, trainable: bool | None = None, collections: Any = None,
                 caching_device: Any = None, partitioner: Any = None, validate_shape: bool = True,
                 use_resource: Any = None, custom_getter: Any = None, constraint: Any = None,
                 synchronization: Any = None, aggregation: Any = None) -> Any:
    """The variable of a name in the current scope: a new one, but for what a template keeps."""
    scope = _scopes.current
    if initializer is not None and not callable(initializer):
        _check_constant(initializer, shape, dtype)
    full = f"{scope.name}/{name}" if scope.name else name
    kept = _scopes.store
    if kept is not None and full in kept:
        return kept[full]
    sure: dict[str, Any] = {key: value for key, value in (
        ("synchronization", synchronization), ("aggregation", aggregation)) if value is not None}
    if _scopes.library_store is not None:
        with tf.name_scope(""):  # the whole name is the variable's
            return _scopes.library_store.get_variable(
                full, shape=shape, dtype=_chosen(dtype, scope.dtype),
                initializer=_chosen(initializer, scope.initializer),
                regularizer=_chosen(regularizer, scope.regularizer), reuse=scope.reuse,
                trainable=trainable, collections=collections, caching_device=caching_device,
                partitioner=_chosen(partitioner, scope.partitioner), validate_shape=validate_shape,
                use_resource=use_resource,
                custom_getter=_chosen(custom_getter, scope.custom_getter),
                constraint=_chosen(constraint, scope.constraint), **sure)
    graph = current_graph()
    if kept is None and graph is not None:
        if scope.reuse and (full in graph.named or scope.reuse is not AUTO_REUSE):
            return _reused(graph, full)
        if full in graph.named:
            raise ValueError(f"Variable {full} already exists, disallowed. Did you mean to set "
                             "reuse=True or reuse=tf.AUTO_REUSE in VarScope?")
        kept = graph.named
    wanted = scope.dtype if dtype is None else dtype
    initializer = scope.initializer if initializer is None else initializer
    if initializer is None and shape is None:
        raise ValueError(f"The shape of a new variable ({full}) must be fully defined.")
    shape = None if shape is None else tf.TensorShape(shape)
    if graph is not None and collections is not None:
        sure["collections"] = collections
    regularizer = _chosen(regularizer, scope.regularizer)

    def make(*args: Any, **given: Any) -> Variable:
        with tf.name_scope(f"{scope.name}/" if scope.name else ""):
            made = tf.Variable(
                functools.partial(_initialised, initializer, shape, dtypes.as_dtype(wanted)),
                trainable=True if trainable is None else trainable, name=name,
                constraint=constraint,
                dtype=None if initializer is None or isinstance(
                    initializer, Tensor) else wanted, **sure)
        return _regularised(made, full, regularizer)

    getter = scope.custom_getter if custom_getter is None else custom_getter
    variable = make() if getter is None else getter(
        make, name=full, shape=shape, dtype=wanted, initializer=initializer,
        regularizer=regularizer, trainable=trainable, constraint=constraint)
    if kept is not None:
        kept[full] = variable
    return variable


def _regularised(variable: Any, name: str, regularizer: Callable | None) -> Any:
    """The variable; what a regularizer makes of it is put into the graph."""
    if regularizer is None or current_graph() is None:
        return variable
    with tf.name_scope(f"{name}/Regularizer/"):
        loss = regularizer(variable)
    if loss is not None:
        tf.compat.v1.add_to_collection(tf.compat.v1.GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


@contextlib.contextmanager
def with_variable_store(store: Any) -> Iterator[None]:
    """Let `get_variable` ask an object of a library's, which has a method of that name."""
    before, _scopes.library_store = _scopes.library_store, store
    try:
        yield
    finally:
        _scopes.library_store = before


class _GraphVariables:
    """The variables that `get_variable` keeps for a tf.Graph, by their whole names."""

    def __init__(self, graph: Any):
        self._vars = graph.named


def _get_default_variable_store() -> Any:
    """The object that `get_variable` asks, or what it keeps itself; None outside of graphs."""
    graph = current_graph()
    if _scopes.library_store is not None or graph is None:
        return _scopes.library_store
    return _GraphVariables(graph)


@export("compat.v1.no_regularizer")
def no_regularizer(_: Any) -> None:
    """The regularizer of variables that a scope's own must not reach.

    >>> print(tf.compat.v1.no_regularizer(tf.constant(1.0)))
    None
    """


# -- templates -------------------------------------------------------------------------------------
@contextlib.contextmanager
def capture_dependencies(template: Any) -> Iterator[None]:
    """Variables whose names begin with an object's scope become its children, by the rest of it.

    Those of an object inside it are that object's, which is a child itself.
    """
    prefix = f"{template.variable_scope.name}/"
    place = len(_scopes.capturing)

    def note(following: Callable, **given: Any) -> Any:
        made = following(**given)
        name = made.name.partition(":")[0]
        if name.startswith(prefix):
            inner = next(((held, scope) for held, scope in _scopes.capturing[place + 1:]
                          if name.startswith(scope)), None)
            child, name = (made, name) if inner is None else (inner[0], inner[1][:-1])
            template._track_trackable(child, name[len(prefix):], overwrite=True)
        return made

    _scopes.capturing.append((template, prefix))
    try:
        with tf.variable_creator_scope(note):
            yield
    finally:
        del _scopes.capturing[place:]


class Template(Trackable):
    """A function whose variables are made at its first call and are the same at all later ones."""

    def __init__(self, name: str, function: Callable, scope_now: bool, unique_name: str | None,
                 custom_getter: Any):
        self._name, self._function = name, function
        self._variables: dict[str, Any] = {}
        self._made: list[Any] = []
        self._own_scope = functools.partial(variable_scope, unique_name, name,
                                            custom_getter=custom_getter)
        self._scope: VariableScope | None = None  # where it is first called, or made
        if scope_now:
            with self._own_scope() as self._scope:
                pass
        self._called = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        before, _scopes.store = _scopes.store, self._variables
        noting: Any = contextlib.nullcontext() if self._called else (
            tf.variable_creator_scope(self._note))
        try:
            opened = self._own_scope() if self._scope is None else variable_scope(self._scope)
            with opened as self._scope, noting, capture_dependencies(self):
                found = self._function(*args, **kwargs)
        finally:
            _scopes.store = before
        self._called = True
        return found

    def _note(self, next_creator: Callable, **given: Any) -> Any:
        self._made.append(next_creator(**given))
        return self._made[-1]

    @property
    def name(self) -> str:
        return self._name

    @property
    def func(self) -> Callable:
        return self._function

    @property
    def variable_scope(self) -> VariableScope | None:
        return self._scope

    @property
    def variables(self) -> tuple:
        """Its variables, in the order of their making."""
        return tuple(self._made)

    @property
    def trainable_variables(self) -> tuple:
        return tuple([one for one in self._made if one.trainable])

    @property
    def non_trainable_variables(self) -> tuple:
        return tuple([one for one in self._made if not one.trainable])

    global_variables = weights = variables
    trainable_weights = trainable_variables


@export("compat.v1.make_template")
def make_template(name_: str, func_: Callable, create_scope_now_: bool = False,
                  unique_name_: str | None = None, custom_getter_: Any = None,
                  **kwargs: Any) -> Template:
    """`func_` with its variables kept from call to call."""
    if unique_name_ is not None and tf.executing_eagerly():
        raise ValueError("unique_name_ cannot be used when eager execution is enabled.")
    return Template(name_, functools.partial(func_, **kwargs) if kwargs else func_,
                    create_scope_now_, unique_name_, custom_getter_)


# -- values ----------------------------------------------------------------------------------------
def _update(method: str) -> Callable:
    def assign(ref: Any, value: Any, validate_shape: Any = None, use_locking: Any = None,
               name: str | None = None) -> Any:
        return getattr(ref, method)(value)

    known_as(assign, f"compat.v1.{method}")
    assign.__doc__ = f"`ref.{method}(value)`."
    return assign


for _name in ("assign", "assign_add", "assign_sub"):
    publish(_update(_name), f"compat.v1.{_name}")


def _scatter(name: str) -> Callable:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = False,
                name: str | None = None) -> Any:
        return method(ref, indices, updates)

    def method(ref: Any, indices: Any, updates: Any) -> Any:
        if kind.startswith("nd_"):
            return getattr(ref, f"scatter_{kind}")(indices, updates)
        return getattr(ref, f"scatter_{kind}")(tf.IndexedSlices(
            tf.convert_to_tensor(updates, ref.dtype), tf.convert_to_tensor(indices)))

    kind = name
    known_as(scatter, f"compat.v1.scatter_{name}")
    scatter.__doc__ = f"`ref.scatter_{name}` of rows at indices."
    return scatter


for _name in ("add", "sub", "mul", "div", "max", "min", "update", "nd_add", "nd_sub", "nd_update"):
    publish(_scatter(_name), f"compat.v1.scatter_{_name}")


@export("compat.v1.is_variable_initialized")
def is_variable_initialized(variable: Any) -> Tensor:
    """Whether a variable has a value: it has one as soon as it is made, but in a tf.Graph."""
    return variable.is_initialized()


def _initialising(find: Callable[..., list], *names: str) -> None:
    """Publish functions that give the op which initialises variables; None outside a tf.Graph."""
    for name in names:
        def initialise(*args: Any, **kwargs: Any) -> Any:
            """The op that initialises variables, in a tf.Graph; else they have their values."""
            return None if current_graph() is None else initializer_of(find(*args))

        publish(known_as(initialise, f"compat.v1.{name}"), f"compat.v1.{name}")


_initialising(lambda: global_variables(), "global_variables_initializer",
              "initialize_all_variables", "initializers.global_variables")
_initialising(lambda: local_variables(), "local_variables_initializer",
              "initializers.local_variables")
_initialising(lambda var_list, name="init": var_list, "variables_initializer",
              "initialize_variables", "initializers.variables")
_initialising(lambda name="init": [], "tables_initializer", "initialize_all_tables",
              "initializers.tables_initializer")
