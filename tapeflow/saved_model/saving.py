"""tf.saved_model.save: an object, its variables and its functions to a folder."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.process import atomic_files
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import Variable
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import Function, Method
from tapeflow.graph.functions.retracing import Count
from tapeflow.io.paths import text_of, translated
from tapeflow.saved_model import graph_serialization
from tapeflow.saved_model.names import DEFAULT, FILE, Asset
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.saved_model.schema import FORMAT, TapeflowObjects
from tapeflow.train.bundle import write_bundle
from tapeflow.train.object_graph import GRAPH_KEY, ObjectGraph


def _function(value: Any) -> Function | None:
    """The tf.function behind a function or a bound method."""
    if isinstance(value, Method):
        return value._function
    return value if isinstance(value, Function) else None


def _functions(value: Any) -> dict[str, Any]:
    """The tf.functions and concrete functions that an object has, by name."""
    found: dict[str, Any] = {}
    if not isinstance(value, Trackable) or isinstance(value, Variable):
        return found
    for name in dir(type(value)):
        held = getattr(type(value), name, None)
        if isinstance(held, Function):
            found[name] = getattr(value, name)
    for name, held in vars(value).items() if hasattr(value, "__dict__") else ():
        if isinstance(held, (Function, Method, ConcreteFunction)):
            found[name] = held
    return found


# -- signatures ------------------------------------------------------------------------------------
def _concrete(value: Any) -> ConcreteFunction | None:
    """The concrete function of what is given as a signature, None if it has no one."""
    if isinstance(value, ConcreteFunction):
        return value
    function = _function(value)
    if function is None or function._wanted is None:
        return None
    return function.get_concrete_function()


def _outputs(result: Any, key: str, name: str) -> dict[str, Any]:
    """The results of a signature by name."""
    if isinstance(result, dict):
        for one, value in result.items():
            if not isinstance(one, str) or not isinstance(value, (Tensor, Variable)):
                raise ValueError(
                    f"Got a non-Tensor value {value!r} for key {one!r} in the output of the "
                    f"function {name} used to generate the SavedModel signature {key!r}. Outputs "
                    "for functions used as signatures must be a single Tensor, a sequence of "
                    "Tensors, or a dictionary from string to Tensor.")
        return result
    listed = list(result) if isinstance(result, (list, tuple)) else [result]
    for value in listed:
        if not isinstance(value, (Tensor, Variable)):
            raise ValueError(
                f"Got non-flat/non-unique argument names or a non-Tensor value {value!r} in the "
                f"output of the function {name} used to generate the SavedModel signature {key!r}. "
                "Outputs for functions used as signatures must be a single Tensor, a sequence of "
                "Tensors, or a dictionary from string to Tensor.")
    return {f"output_{i}": value for i, value in enumerate(listed)}


def _signature(key: str, concrete: ConcreteFunction) -> Function:
    """A function of keyword tensors that returns a dict, traced once."""
    positional, keyword = concrete.structured_input_signature
    specs = [one for one in nest.flatten((positional, keyword)) if isinstance(one, TensorSpec)]
    names = []
    for i, spec in enumerate(specs):
        name = spec.name or f"arg_{i}"
        names.append(name if name not in names else f"{name}_{i}")

    def signature_wrapper(**given: Any) -> dict[str, Any]:
        tensors = [given[name] for name in names]
        return _outputs(concrete.call_flat(tensors, []), key, concrete.name)

    signature_wrapper.__name__ = f"signature_wrapper_{concrete.name}"
    wrapped = Function(signature_wrapper, autograph=False)
    wrapped._count = Count()
    wrapped.get_concrete_function(**{
        name: TensorSpec(spec.shape, spec.dtype, name) for name, spec in zip(names, specs)})
    return wrapped


def _refused(value: Any) -> ValueError:
    return ValueError("Expected a TensorFlow function for which to generate a signature, but got "
                      f"{value}. Only `tf.functions` with an input signature or concrete functions "
                      "can be used as a signature.")


def _signatures(obj: Any, given: Any) -> dict[str, Function]:
    if given is None:
        return _found_signature(obj)
    if not isinstance(given, dict):
        given = {DEFAULT: given}
    found = {}
    for key, value in given.items():
        concrete = _concrete(value)
        if concrete is None:
            raise _refused(value)
        found[key] = _signature(key, concrete)
    return found


def _found_signature(obj: Any) -> dict[str, Function]:
    """The one function of the object that can be a signature, if there is exactly one."""
    own = getattr(obj, "_default_save_signature", None)  # Keras has one
    candidates = [own] if own is not None else list(_functions(obj).values())
    possible = []
    for value in candidates:
        concrete = _concrete(value)
        if concrete is not None:
            try:
                possible.append(_signature(DEFAULT, concrete))
            except ValueError:
                continue
    return {DEFAULT: possible[0]} if len(possible) == 1 else {}


# -- writing ---------------------------------------------------------------------------------------
class _Saver:
    """Numbers objects and functions, and fills the message."""

    def __init__(self, obj: Any):
        self.graph = ObjectGraph(obj)
        self.message = TapeflowObjects(format=FORMAT)
        self.assets: dict[str, str] = {}
        self._functions: dict[int, int] = {}
        self._kept: list[Any] = []
        self._stores: dict[int, int] = {}
        self._variables: dict[int, int] = {}
        for i, node in enumerate(self.graph.nodes):
            for variable in _behind(node):
                self._variables.setdefault(id(variable), i)

    def variable_index(self, variable: Any) -> int:
        found = self._variables.get(id(variable))
        if found is None:
            raise KeyError(
                f"Tried to export a function which references an 'untracked' resource: "
                f"{variable!r}. TensorFlow objects (e.g. tf.Variable) captured by functions must "
                "be 'tracked' by assigning them to an attribute of a tracked object or assigned to "
                "an attribute of the main object directly.")
        return found

    def store_index(self, store: Any) -> int:
        """The index of a lookup table's entries, which are saved once."""
        if id(store) not in self._stores:
            self._stores[id(store)] = len(self.message.stores)
            self._kept.append(store)
            graph_serialization.write_store(self.message.stores.add(), store)
        return self._stores[id(store)]

    def function_index(self, value: Any, name: str) -> int:
        function = _function(value) or value
        if id(function) not in self._functions:
            index = self._functions[id(function)] = len(self.message.functions)
            self._kept.append(function)
            self._add_function(self.message.functions.add(), function, name)
            return index
        return self._functions[id(function)]

    def _add_function(self, message: Any, function: Any, name: str) -> None:
        message.name = name
        if isinstance(function, ConcreteFunction):
            parameters, traced = function.signature.parameters, [function]
        else:
            if hasattr(function, "trace_saved"):  # was loaded, perhaps never called
                function.trace_saved()
            elif function._wanted is not None and not function._traces.in_order:
                function.get_concrete_function()
            if function._options.input_signature is not None:
                _fill(message.input_signature, function._options.input_signature, name)
            parameters, traced = function._parameters, list(function._traces.in_order)
        for one in parameters.all:
            saved = message.parameters.add(name=one.name, kind=int(one.kind))
            if one.default is not one.empty:
                saved.has_default = True
                _fill(saved.default, one.default, name)
        for concrete in traced:
            self._add_concrete(message.concrete.add(), concrete)

    def _add_concrete(self, message: Any, concrete: ConcreteFunction) -> None:
        message.name = concrete.name
        try:
            graph_serialization.fill(message.args, concrete.signature.args, None)
            graph_serialization.write_graph(message.graph, concrete.function.graph, self)
            graph_serialization.fill(message.result, concrete._result, None)
            graph_serialization.fill(message.places, list(concrete._positions), None)
        except graph_serialization.Unsavable as problem:
            raise ValueError(f"tf.saved_model.save: the function {concrete.name!r} cannot be "
                             f"saved: {problem}.") from None

    def add_objects(self) -> None:
        for i, node in enumerate(self.graph.nodes):
            saved = self.message.objects.add()
            for name, child in self.graph.edges[i].items():
                saved.children[name] = child
            saved.order.extend(list(self.graph.edges[i]))
            self._describe(saved, node)
            for name, function in _functions(node).items():
                saved.functions[name] = self.function_index(function, name)

    def _describe(self, saved: Any, node: Any) -> None:
        variables = _behind(node)
        if variables:
            variable = variables[0]
            shape = None if variable.shape.rank is None else variable.shape.as_list()
            saved.kind, saved.trainable = "variable", variable.trainable
            graph_serialization.fill_spec(saved.variable, shape, variable.dtype.name,
                             variable.name.removesuffix(":0"))
        elif isinstance(node, Asset):
            saved.kind = "asset"
            saved.asset = self._asset_name(node._path)
        elif isinstance(node, Function):
            saved.kind = "function"
            saved.functions[""] = self.function_index(node, node._options.name)
        else:
            saved.kind = ("list" if isinstance(node, list) else "dict" if isinstance(node, dict)
                          else "tuple" if isinstance(node, tuple) else "object")

    def _asset_name(self, path: str) -> str:
        name, taken = os.path.basename(path), set(self.assets.values())
        if path not in self.assets:
            stem, end = os.path.splitext(name)
            count = 0
            while name in taken:
                count += 1
                name = f"{stem}_{count}{end}"
            self.assets[path] = name
        return self.assets[path]


def _fill(message: Any, value: Any, name: str) -> None:
    try:
        graph_serialization.fill(message, value, None)
    except graph_serialization.Unsavable as problem:
        raise ValueError(f"tf.saved_model.save: the function {name!r} cannot be saved: {problem}."
                         ) from None


def _behind(node: Any) -> list[Variable]:
    """The variables that a node stands for: its own, its components, or a library's inner one."""
    if isinstance(node, Variable):
        return [node, *getattr(node, "values", ())]
    inner = getattr(node, "_value", None)
    return [inner] if isinstance(inner, Variable) else []


@export("saved_model.save", "saved_model.experimental.save")
def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Write an object with its variables, functions and signatures to a folder.

    The format is tapeflow's own (docs/saved_model.md): TensorFlow cannot load the functions, but it
    reads the variables, which are an ordinary checkpoint.
    """
    if not isinstance(obj, Trackable):
        raise ValueError("Expected an object of type `Trackable`, such as `tf.Module` or a "
                         "subclass of the `Trackable` class, for export. Got "
                         f"{np.asarray(obj) if isinstance(obj, Tensor) else obj} with type "
                         f"{type(obj)}.")
    folder = text_of(export_dir)
    found = _signatures(obj, signatures)
    saver = _Saver(obj)
    saver.add_objects()
    for key, function in found.items():
        saver.message.signatures.add(key=key, function=saver.function_index(function, key))
    tensors, graph = saver.graph.serialised()
    graph_bytes = np.empty((), object)
    graph_bytes[()] = graph.SerializeToString()
    arrays = {name: tensor._value for name, tensor in tensors.items()}
    model = SavedModel(saved_model_schema_version=1)
    about = model.meta_graphs.add().meta_info_def
    about.tags.append("serve")
    about.tensorflow_version = "tapeflow"
    model.tapeflow_objects.CopyFrom(saver.message)
    with translated(folder):
        for name in ("variables", "assets"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        for path, name in saver.assets.items():
            with open(path, "rb") as source, atomic_files.replacing(
                    os.path.join(folder, "assets", name)) as file:
                shutil.copyfileobj(source, file)
    write_bundle(os.path.join(folder, "variables", "variables"),
                 {**arrays, GRAPH_KEY: graph_bytes})
    path = os.path.join(folder, FILE)
    with translated(path), atomic_files.replacing(path) as file:
        file.write(model.SerializeToString())
