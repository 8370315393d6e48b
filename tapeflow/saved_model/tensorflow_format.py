"""TensorFlow's saved models: objects, functions, variables, tables and signatures.

Functions are FunctionDefs, which a trace of ours runs node by node with our ops
(`tensorflow_graphs/reading.py`); so they are differentiable, compiled, and usable in others.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exception_origin import from_library
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph.functions.signature_text import VariableSpec
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.graph_protos import NodeDef
from tapeflow.io.protobuf.tensor_protos import make_ndarray
from tapeflow.saved_model.files import Damaged, asset_path, pick, stored_bytes
from tapeflow.saved_model.names import Asset
from tapeflow.saved_model.restored_objects import (
    RestoredFunction,
    SignatureFunction,
    SignatureMap,
    UserObject,
    blank_variable,
    by_name,
    registration,
    tensors_among,
)
from tapeflow.saved_model.structured_values import structure
from tapeflow.tensorflow_graphs.node_attributes import shape_of
from tapeflow.tensorflow_graphs.reading import REFUSALS, Library, UnknownOps
from tapeflow.tensorflow_graphs.saved_gradients import Capture
from tapeflow.train.bundle import Bundle

_TUPLE = "trackable_tuple_wrapper"
_LISTS = ("trackable_list_wrapper", _TUPLE)
_LONGEST = 1 << 20  # places of a list
_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


class _Trace:
    """One concrete function: what it takes, what it captured, what it gives."""

    def __init__(self, name: str, message: Any, loader: Loader):
        self.name, self._loader = name, loader
        self._bound = list(message.bound_inputs)
        canonical = structure(message.canonicalized_input_signature)
        if type(canonical) is not tuple or len(canonical) != 2:
            raise Damaged(f"the function {name!r} takes neither arguments nor keywords")
        self.positional, self.keywords = canonical
        self.args: tuple = ()  # one for each parameter, when the function is known
        self._order: list[int] = []  # of the tensors among them as the FunctionDef takes them
        self._results = structure(message.output_signature)

    def fits(self, args: tuple) -> list[Tensor] | None:
        """The tensors among the arguments, in order, if this trace is for such arguments."""
        return tensors_among(self.args, args)

    def call(self, tensors: list[Tensor]) -> Any:
        """The results; what goes wrong on the way is the file's fault."""
        try:
            captured = [self._loader.captured(i) for i in self._bound]
            ordered = [tensors[i] for i in self._order] if self._order else tensors
            return self.packed(self._loader.library.run(self.name, [*ordered, *captured]))
        except REFUSALS as error:
            if not from_library(error):
                raise
            raise errors.InvalidArgumentError(
                None, None, f"the function {self.name!r} of the saved model is damaged: {error}"
            ) from error

    def bind(self, args: tuple) -> None:
        """Say which argument each parameter gets: keywords may stand in another order there."""
        self.args = args
        places, at = {}, 0
        for one in nest.flatten(args):
            if isinstance(one, TypeSpec):
                count = len(nest.flatten(one, expand_composites=True))
                places[id(one)] = range(at, at + count)
                at += count
        keywords = dict(sorted(self.keywords.items()))
        self._order = [i for one in nest.flatten((self.positional, keywords))
                       for i in places.get(id(one), ())]

    def packed(self, found: list) -> Any:
        """Flat results in the structure of the saved function's."""
        leaves, at = [], 0
        for spec in nest.flatten(self._results):
            if isinstance(spec, TypeSpec):
                parts = nest.flatten(spec, expand_composites=True)
                held = [self._fitting(*pair) for pair in zip(parts, found[at:at + len(parts)],
                                                             strict=True)]
                leaves.append(held[0] if isinstance(spec, TensorSpec) else nest.pack_sequence_as(
                    spec, held, expand_composites=True))
                at += len(parts)
            else:
                leaves.append(spec)
        return nest.pack_sequence_as(self._results, leaves)


    def _fitting(self, spec: Any, found: Any) -> Any:
        """A result of the dtype and rank that the file says; of sizes some ops say too much."""
        if spec.dtype in (dtypes.resource, dtypes.variant) or isinstance(found, Tensor) and (
                found.dtype == spec.dtype
                and (None in (ranks := (spec.shape.rank, found.shape.rank))
                     or ranks[0] == ranks[1])):
            return found
        raise Damaged(f"the function {self.name!r} gives {found!r} where the file says {spec}")


class RestoredResource:
    """A table of a saved model: made and filled by the functions that were saved with it."""

    handle: Any = None

    def restore(self, keys: Any, values: Any) -> None:
        """Take the entries of a checkpoint."""
        from tapeflow.tensorflow_graphs.ops.state.resources import Table as Entries
        if not isinstance(self.handle, Entries):
            raise Damaged("entries of an object that is no table")
        if values.shape[:1] != (keys.size,):
            raise Damaged(f"a table of {keys.size} keys and values of shape {values.shape}")
        self.handle.fill(keys, values)


class Loader:
    """Makes the objects of a MetaGraphDef, fills variables and tables, connects all.

    `given`: objects that a library made itself, by number, with what attaches children to each.
    """

    def __init__(self, folder: str, meta: Any,
                 given: dict[int, tuple[Any, Callable]] | None = None):
        self._folder, self._meta = folder, meta
        self._saved = meta.object_graph_def.nodes
        self.library = Library(meta.graph_def.library)
        self._stored = stored_bytes(folder)
        self._assets = [one.filename for one in meta.asset_file_def]
        self._nodes = meta.graph_def.node  # as bytes
        self._traces: dict[str, _Trace] = {}
        self._given = given or {}
        self._bind_gradients()
        self.objects = [self._made_or_given(i, one) for i, one in enumerate(self._saved)]
        for i, saved in enumerate(self._saved):
            if i not in self._given:
                self._connect(saved, self.objects[i])
        self._pack_tuples()

    def attach(self) -> None:
        """Attach their children to the objects that were given, all being made and filled."""
        for i, (made, attach) in self._given.items():
            if isinstance(self.objects[i], RestoredResource):
                continue  # its children are functions that made and filled the file's own table
            for one in self._saved[i].children:
                child = self._given.get(one.node_id, (pick(self.objects, one.node_id),))[0]
                attach(made, one.local_name, child)

    def _made_or_given(self, i: int, saved: Any) -> Any:
        """An object; functions use their own tables, also where a library has made one."""
        if i in self._given and saved.WhichOneof("kind") != "resource":
            return self._given[i][0]
        return self._make(saved)

    def _bind_gradients(self) -> None:
        """Tell the library what custom gradients captured."""
        held = self._meta.object_graph_def.concrete_functions
        for name in self.library.gradients.values():
            if name in held:
                trace = self._trace(name)
                self.library.bind_gradient(
                    name, [self._capture(i) for i in held[name].bound_inputs], trace.packed)

    def _capture(self, index: int) -> Any:
        """A tensor of a function, or what gives the object that is captured."""
        held = pick(self._saved, index)
        if held.WhichOneof("kind") == "captured_tensor":
            return Capture(held.captured_tensor.concrete_function, held.captured_tensor.name)
        return lambda: self.captured(index)

    # -- objects -----------------------------------------------------------------------------------
    def _make(self, saved: Any) -> Any:
        kind = saved.WhichOneof("kind")
        if kind == "variable":
            return self._variable(saved.variable)
        if kind == "asset":
            name = pick(self._assets, saved.asset.asset_file_def_index)
            return Asset(asset_path(self._folder, name))
        if kind == "function":
            return self._function(saved.function)
        if kind == "bare_concrete_function":
            return self._bare(saved.bare_concrete_function)
        if kind == "constant":
            return self._constant(saved.constant.operation)
        if kind == "resource":
            return RestoredResource()
        identifier = saved.user_object.identifier
        if identifier in _LISTS:
            return []
        noted = registration(saved.user_object)
        if noted is not None:
            return noted.from_proto(saved.user_object)
        return {} if identifier == "trackable_dict_wrapper" else (
            {} if identifier == "signature_map" else UserObject())

    def _variable(self, spec: Any) -> Any:
        return blank_variable(spec.name, shape_of(spec.shape), dtypes.as_dtype(spec.dtype),
                              spec.trainable, self._stored)

    def _constant(self, operation: str) -> Tensor:
        name = operation.encode()
        for data in self._nodes:
            if name in data:
                node = NodeDef.FromString(data)
                if node.name == operation and node.op == "Const":
                    return convert(make_ndarray(node.attr["value"].tensor))
        raise Damaged(f"a constant {operation!r} that is not in the graph")

    def _trace(self, name: str) -> _Trace:
        if name not in self._traces:
            held = self._meta.object_graph_def.concrete_functions
            if name not in held:
                raise Damaged(f"a function {name!r} that is not in the file")
            self._traces[name] = _Trace(name, held[name], self)
        return self._traces[name]

    def _function(self, saved: Any) -> RestoredFunction:
        traces = [self._trace(one) for one in saved.concrete_functions]
        parameters, wanted = _parameters(saved.function_spec)
        name = traces[0].name.removeprefix("__inference_").rpartition("_")[0] if traces else ""
        made = RestoredFunction(name, traces, parameters, wanted)
        for one in traces:
            one.bind(made._parameters.bind(one.positional, one.keywords))
        return made

    def _bare(self, saved: Any) -> Any:
        """A concrete function by itself: a signature takes its tensors by name."""
        trace = self._trace(saved.concrete_function_name)
        specs = [one for one in nest.flatten((trace.positional, trace.keywords),
                                             expand_composites=True)
                 if isinstance(one, (TensorSpec, VariableSpec))]
        names = list(saved.argument_keywords)
        if len(names) != len(specs):
            raise Damaged(f"the function {trace.name!r} takes {len(specs)} tensors, of which "
                          f"{len(names)} have names")
        return by_name(trace, dict(zip(names, specs)))

    # -- what functions captured -------------------------------------------------------------------
    def captured(self, index: int) -> Any:
        """What a node stands for inside a function."""
        found = pick(self.objects, index)
        if isinstance(found, RestoredResource):
            if found.handle is None:
                raise Damaged(f"the object {index} is a table that no function makes")
            return found.handle
        if isinstance(found, VariableBase):
            return getattr(found, "handle", found)  # the variable that a library wrapped
        return found.asset_path if isinstance(found, Asset) else found

    # -- connections -------------------------------------------------------------------------------
    def _connect(self, saved: Any, made: Any) -> None:
        children = {one.local_name: pick(self.objects, one.node_id) for one in saved.children}
        kind = registration(saved.user_object)
        if isinstance(made, list):
            made.extend(_row(children))
        elif isinstance(made, dict):
            made.update(children)
        elif kind is not None:
            for name, one in children.items():
                kind.setter(made, name, one)
        elif isinstance(made, UserObject):
            for name, one in children.items():
                if isinstance(one, (RestoredFunction, SignatureFunction)):
                    made.__dict__[name] = one
                elif name.startswith("__"):
                    raise Damaged(f"an object has no attribute {name!r}")
                else:
                    setattr(made, name, one)

    def _pack_tuples(self) -> None:
        """Put tuples in the places of the lists that stood for them while all was connected."""
        tuples = {i: tuple(one) for i, one in enumerate(self.objects) if isinstance(one, list)
                  and self._saved[i].user_object.identifier == _TUPLE}
        for i, packed in tuples.items():
            held, self.objects[i] = self.objects[i], packed
            for one in self.objects:
                _replace(one, held, packed)

    def _resources(self, function: str) -> Iterator[tuple[RestoredResource, Any]]:
        """The tables that have such a function, and it."""
        for saved, made in zip(self._saved, self.objects):
            if isinstance(made, RestoredResource):
                for one in saved.children:
                    if one.local_name == function:
                        yield made, pick(self.objects, one.node_id)

    def make_tables(self) -> None:
        for made, create in self._resources("_create_resource"):
            made.handle = _eagerly(create)[0]

    def fill_tables(self) -> None:
        """Let every table be filled, now that all are made: one may be filled from another."""
        for _, fill in self._resources("_initialize"):
            _eagerly(fill)
        for i, (one, _) in self._given.items():
            made = self.objects[i]
            if isinstance(made, RestoredResource) and hasattr(one, "_store"):  # a table
                one._store.insert(*[part._value for part in made.handle.entries.export()])

    # -- variables ---------------------------------------------------------------------------------
    def restore(self) -> None:
        """Fill variables, and tables that a program changes, from the checkpoint, whose objects are
        found by their paths."""
        prefix = os.path.join(self._folder, "variables", "variables")
        if not any(isinstance(one, VariableBase) or saved.saveable_objects
                   for one, saved in zip(self.objects, self._saved)):
            return
        with Bundle(prefix) as bundle:
            graph = protos.TrackableObjectGraph.FromString(bundle.read(_OBJECT_GRAPH).item())
            for index, keys in paired_keys(self._saved, graph).items():
                found: Any = self.objects[index]
                if keys and isinstance(found, VariableBase):
                    restore_variable(found, bundle.read(keys[0]))
                elif keys and isinstance(found, RestoredResource):
                    parts = keys if len(keys) == 2 else [keys[0] + "-keys", keys[0] + "-values"]
                    found.restore(*[bundle.read(one) for one in parts])

    def root(self) -> Any:
        """The object that was saved, with its signatures."""
        root = pick(self.objects, 0)
        if isinstance(root, AutoTrackable):
            signatures = root.__dict__.get("signatures", {})
            if not isinstance(signatures, SignatureMap):
                signatures = SignatureMap({key: one for key, one in dict(signatures).items()
                                           if isinstance(one, SignatureFunction)})
            root.__dict__["signatures"] = signatures
            about = self._meta.meta_info_def
            root.__dict__["tensorflow_version"] = about.tensorflow_version
            root.__dict__["tensorflow_git_version"] = about.tensorflow_git_version
        return root


def paired_keys(saved: Any, graph: Any) -> dict[int, list[str]]:
    """The checkpoint's keys for each object of a model, by walking both from the root."""
    found: dict[int, list[str]] = {}
    pending = [(0, 0)]
    while pending:
        mine, theirs = pending.pop()
        if mine in found:
            continue
        held = pick(graph.nodes, theirs)
        found[mine] = [one.checkpoint_key for one in held.attributes]
        places = {one.local_name: one.node_id for one in held.children}
        for one in pick(saved, mine).children:
            if one.local_name in places:
                pending.append((one.node_id, places[one.local_name]))
    return found


def restore_variable(variable: Any, value: Any) -> None:
    """Give a variable the value of a checkpoint."""
    if not TensorShape(value.shape).is_compatible_with(variable.shape):
        raise Damaged(f"the variable {variable.name!r} of shape {variable.shape} has a value of "
                      f"shape {value.shape}")
    graph = open_graph()
    if graph is None:
        variable.assign(wrap(value) if value.dtype is variable.dtype.np else value)
    else:
        give = variable._restore_from_tensors({"VARIABLE_VALUE": convert(value)})
        give(graph.session()) if callable(give) else graph.session().run(give)


def _row(children: dict[str, Any]) -> list:
    """The members of a list by their places; those that could not be saved are None."""
    placed = {int(name): one for name, one in children.items() if name.isdecimal()}
    if max(placed, default=0) >= _LONGEST:
        raise Damaged("a list of other places than a list has")
    return [placed.get(i) for i in range(max(placed, default=-1) + 1)]


def _replace(holder: Any, old: Any, new: Any) -> None:
    """Put `new` where an object holds `old`."""
    if isinstance(holder, list):
        holder[:] = [new if one is old else one for one in holder]
    elif isinstance(holder, dict):
        holder.update({name: new for name, one in holder.items() if one is old})
    elif isinstance(holder, UserObject):
        for name in [name for name, one in vars(holder).items() if one is old]:
            setattr(holder, name, new)


def _eagerly(function: RestoredFunction) -> list:
    """Run a function without arguments node by node, outside of any trace."""
    trace = pick(function._saved, 0)
    captured = [trace._loader.captured(i) for i in trace._bound]
    return trace._loader.library.run(trace.name, captured)


def _parameters(spec: Any) -> tuple[list[inspect.Parameter], Any]:
    """The parameters of a saved Python function, and its input_signature."""
    given = structure(spec.fullargspec)
    if given is None:
        return [inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)], None
    names = list(given.args)[1 if spec.is_method else 0:]
    defaults = list(given.defaults or ())
    empty = inspect.Parameter.empty
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    padded = [empty] * (len(names) - len(defaults)) + defaults[-len(names):] if names else []
    found = [inspect.Parameter(name, kind, default=default)
             for name, default in zip(names, padded, strict=True)]
    if given.varargs:
        found.append(inspect.Parameter(given.varargs, inspect.Parameter.VAR_POSITIONAL))
    for name in given.kwonlyargs or ():
        found.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                                       default=(given.kwonlydefaults or {}).get(name, empty)))
    if given.varkw:
        found.append(inspect.Parameter(given.varkw, inspect.Parameter.VAR_KEYWORD))
    return found, structure(spec.input_signature)


def load_objects(folder: str, meta: Any, with_values: bool) -> Any:
    """The root object of a MetaGraphDef, with its variables' values if asked for."""
    loader = Loader(folder, meta)
    try:
        loader.library.check(meta.object_graph_def.concrete_functions)
    except UnknownOps as error:
        raise errors.UnimplementedError(None, None, f"{folder}: {error}") from None
    loader.make_tables()
    if with_values:
        loader.restore()
    loader.fill_tables()
    return loader.root()
