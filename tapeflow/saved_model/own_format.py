"""Saved models in tapeflow's own format, which nothing writes any more."""

from __future__ import annotations

import inspect
import math
import os
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.functions.function import Function
from tapeflow.saved_model.files import Damaged, asset_path, pick, stored_bytes
from tapeflow.saved_model.names import Asset
from tapeflow.saved_model.own_graphs import attr_in, read_graph, read_store, shape_in
from tapeflow.saved_model.restored_objects import (
    RestoredFunction,
    SignatureFunction,
    SignatureMap,
    UserObject,
    tensors_among,
)
from tapeflow.train.bundle import Bundle
from tapeflow.train.restoring import Restore

_SPARE = 1 << 20  # bytes that variables may have beyond those in the files
_LONGEST = 1 << 20  # places of a list


class _Traced:
    """One saved trace: what it takes, its graph, and what it gives."""

    def __init__(self, message: Any, objects: Any):
        self.name = message.name
        self.args: tuple = attr_in(message.args, None)
        self._result = attr_in(message.result, None)
        self._positions: list = attr_in(message.places, None)
        self.graph = GraphFunction(read_graph(message.graph, objects))
        self._check(self.graph.graph)

    def _check(self, graph: Any) -> None:
        """See that the graph takes what the arguments are, and gives what the results are."""
        specs = [one for one in nest.flatten(self.args, expand_composites=True)
                 if isinstance(one, TensorSpec)]
        if type(self.args) is not tuple or len(specs) != len(graph.inputs) or not all(
                spec.dtype.np == value.dtype and spec.shape.is_compatible_with(value.shape)
                for spec, value in zip(specs, graph.inputs, strict=True)):
            raise Damaged(f"the function {self.name!r} takes other arguments than its graph")
        if self._result is None:
            pick(graph.outputs, 0)
        elif type(self._positions) is not list or (
                len(nest.flatten(self._result, expand_composites=True)) != len(
                    self._positions)):
            raise Damaged(f"the function {self.name!r} has other results than its graph")
        for position in self._positions or ():
            if position is not None:
                pick(graph.outputs, position)

    def fits(self, args: tuple) -> list[Tensor] | None:
        """The tensors among the arguments, in order, if this trace is for such arguments."""
        return tensors_among(self.args, args)

    def call(self, tensors: list[Tensor]) -> Any:
        results = self.graph.call(tensors, self.graph.variables_for())
        if self._result is None:
            return results[0]
        return nest.pack_sequence_as(
            self._result, [None if i is None else results[i] for i in self._positions],
            expand_composites=True)


def _parameter(message: Any) -> inspect.Parameter:
    default = attr_in(message.default, None) if message.has_default else inspect.Parameter.empty
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD,
             inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY,
             inspect.Parameter.VAR_KEYWORD)
    return inspect.Parameter(message.name, pick(kinds, message.kind), default=default)


def _function(message: Any, objects: Any) -> RestoredFunction:
    wanted = attr_in(message.input_signature, None) if message.HasField(
        "input_signature") else None
    return RestoredFunction(message.name, [_Traced(one, objects) for one in message.concrete],
                            [_parameter(one) for one in message.parameters], wanted)


class Loader:
    """Makes the objects of a saved model, then their functions, then fills the variables."""

    def __init__(self, folder: str, message: Any):
        self._folder, self._message = folder, message
        self._stored = stored_bytes(folder)
        self.objects = [self._make(one) for one in message.objects]
        self._stores = [read_store(one) for one in message.stores]
        self._functions = [_function(one, self) for one in message.functions]
        for saved, made in zip(message.objects, self.objects):
            self._connect(saved, made)

    def variable(self, index: int) -> Any:
        """The variable at an index."""
        found = pick(self.objects, index)
        if not isinstance(found, VariableBase):
            raise Damaged(f"object {index} is no variable")
        return found

    def store(self, index: int) -> Any:
        """The entries of a lookup table."""
        return pick(self._stores, index)

    def _make(self, saved: Any) -> Any:
        if saved.kind == "variable":
            return self._variable(saved)
        if saved.kind == "asset":
            return Asset(asset_path(self._folder, saved.asset))
        if saved.kind in ("list", "tuple"):
            return []
        return {} if saved.kind == "dict" else UserObject() if saved.kind == "object" else None

    def _variable(self, saved: Any) -> Variable:
        spec = saved.variable
        shape, dtype = shape_in(spec), dtypes.as_dtype(spec.dtype)
        least = math.prod([n or 0 for n in shape or ()]) * (
            1 if dtype is dtypes.string else dtype.size)
        if self._stored is not None and least > self._stored + _SPARE:
            raise Damaged(f"the variable {spec.name!r} of {least} bytes, of which "
                          f"{self._stored} are in the files")
        blank: Any = np.full(tuple([n or 0 for n in shape or ()]),
                             b"" if dtype is dtypes.string else 0, dtype.np)
        open_shape = shape is None or None in shape
        return VariableBase(convert(blank, dtype), trainable=saved.trainable, name=spec.name,
                            dtype=dtype, shape=TensorShape(shape) if open_shape else None)

    def _child(self, index: int) -> Any:
        saved = pick(self._message.objects, index)
        if saved.kind == "function":
            return pick(self._functions, saved.functions.get(""))
        if saved.kind == "tuple":
            return tuple(self._row(saved))
        return self.objects[index]

    def _row(self, saved: Any) -> list[Any]:
        """The members of a list; those that could not be saved are None."""
        child_at = {int(name): child for name, child in saved.children.items()}
        if child_at and not 0 <= min(child_at) <= max(child_at) < _LONGEST:
            raise Damaged("a list of other places than a list has")
        return [self._child(child_at[i]) if i in child_at else None
                for i in range(max(child_at, default=-1) + 1)]

    def _connect(self, saved: Any, made: Any) -> None:
        if saved.kind == "list":
            return made.extend(self._row(saved))
        if saved.kind == "tuple":
            return None
        children = {name: self._child(saved.children.get(name)) for name in saved.order}
        if saved.kind == "dict":
            made.update(children)
        elif saved.kind == "object":
            for name, one in children.items():
                if name.startswith("__") and not isinstance(one, Function):
                    raise Damaged(f"an object has no attribute {name!r}")
                setattr(made, name, one)
            for name, index in saved.functions.items():
                made.__dict__[name] = pick(self._functions, index)
        return None

    def root(self) -> Any:
        """The object that was saved, with its signatures."""
        root = self._child(0)
        found = {one.key: SignatureFunction(pick(self._functions, one.function))
                 for one in self._message.signatures}
        if isinstance(root, AutoTrackable):
            root.__dict__["signatures"] = SignatureMap(found)
            root.__dict__["tensorflow_version"] = "tapeflow"
        return root


def load_own(folder: str, saved: Any, with_values: bool) -> Any:
    """The root object, with its variables' values if asked for."""
    root = Loader(folder, saved).root()
    if with_values:
        restore = Restore(Bundle(os.path.join(folder, "variables", "variables")), root, {})
        restore.quiet = True
        if restore.missing():
            raise Damaged(f"{len(restore.missing())} of the values in {folder}/variables "
                          "belong to no object of the saved model")
    return root
