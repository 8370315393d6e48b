"""Traced functions for TensorFlow's saved models: their graphs, and what surrounds them.

A trace becomes a FunctionDef. What it captured is bound to objects of the file by number:
variables, tables, assets. The arguments of a FunctionDef are in the order in which TensorFlow
flattens those of the Python function: positional ones, then keywords by name.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from typing import Any

from tapeflow.base import dtypes, nest
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.graph import ir
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.signature_text import VariableSpec, specs_of
from tapeflow.saved_model.structured_values import fill_structure
from tapeflow.tensorflow_graphs.writing.graph_writer import (
    Argument,
    CustomGradient,
    FunctionLibrary,
    Unwritable,
    stores_of,
    write_function,
)

FullArgSpec = namedtuple("FullArgSpec", [
    "args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations"])
_KINDS = inspect.Parameter


class SavedTraces:
    """The concrete functions of a file; `objects` numbers what they captured."""

    def __init__(self, message: Any, objects: Any):
        self._message, self._objects = message, objects
        self.library = FunctionLibrary()
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []

    def name_of(self, concrete: ConcreteFunction) -> str:
        """The name of a trace in the file, into which it is put."""
        if id(concrete) not in self._names:
            self._kept.append(concrete)
            try:
                self._names[id(concrete)] = self._add(concrete)
            except (Unwritable, NotImplementedError) as problem:
                raise ValueError(f"tf.saved_model.save: the function {concrete.name!r} cannot be "
                                 f"saved: {problem}") from None
        return self._names[id(concrete)]

    def _add(self, concrete: ConcreteFunction) -> str:
        graph = concrete.function.graph
        positional, keywords, order = canonical(concrete)
        bound = [self._objects.variable_index(use.variable)
                 for use in graph.variables.values() if use.argument is None]
        bound += [self._objects.table_index(store, graph) for store in stores_of(graph)]
        assets = self._objects.asset_values(graph)
        bound += [index for _, index in assets]
        known = len(self.library.gradients)
        function = write_function(graph, self.library, order=order,
                                  constants=[value for value, _ in assets])
        held = self._message.concrete_functions[function.signature.name]
        held.bound_inputs.extend(bound)
        _fill(held.canonicalized_input_signature, (tuple(positional), keywords))
        _fill(held.output_signature, results(concrete))
        for gradient in self.library.gradients[known:]:
            self._add_gradient(gradient)
        return function.signature.name

    def _add_gradient(self, gradient: CustomGradient) -> None:
        """A custom gradient, bound to tensors of the function around it."""
        held = self._message.concrete_functions[gradient.name]
        for name in gradient.captured:
            node = self._objects.captured_index(name, gradient.around.signature.name)
            held.bound_inputs.append(node)
        _fill(held.canonicalized_input_signature, (tuple(
            [TensorSpec(one.shape, one.dtype, f"upstream_{i}")
             for i, one in enumerate(gradient.arguments)]), {}))
        _fill(held.output_signature, [
            None if one is None else TensorSpec(one.shape, one.dtype)
            for one in gradient.results])


def _fill(message: Any, value: Any) -> None:
    try:
        fill_structure(message, value)
    except ValueError as error:
        raise Unwritable(str(error)) from None


def canonical(concrete: ConcreteFunction) -> tuple[list, dict, list[Argument]]:
    """Positional and keyword arguments, and what each tensor or variable among them is: an input of
    the graph, or one of the variables that are arguments."""
    parameters = concrete.signature.parameters
    args = specs_of(concrete.signature.args)
    positional, keywords = parameters.split(args)
    labels = parameters.labels(args)
    named = _labelled(labels, positional, keywords)
    places: dict[str, list[Argument]] = {}
    inputs = variables = 0
    for name, _, value in labels:
        places[name] = []
        for one in nest.flatten(value, expand_composites=True):
            if isinstance(one, TensorSpec):
                places[name].append(Argument(input=inputs))
                inputs += 1
            elif isinstance(one, VariableSpec):
                places[name].append(Argument(variable=variables))
                variables += 1
    order = [one for name in named for one in places[name]]
    return positional, dict(sorted(keywords.items())), order


def _labelled(labels: list, positional: list, keywords: dict) -> list[str]:
    """The names of arguments in TensorFlow's order."""
    first = [name for name, _, _ in labels if name not in keywords]
    return [*first[:len(positional)], *sorted(keywords)]


def results(concrete: ConcreteFunction) -> Any:
    """The structure of a trace's results, with a spec for each tensor."""
    outputs, positions = concrete.function.graph.outputs, iter(concrete._positions)

    def spec(i: int | None) -> Any:
        return None if i is None else _spec(outputs[i], f"output_{i}")

    if concrete._result is None:
        return spec(next(positions))
    leaves = []
    for leaf in nest.flatten(concrete._result):
        if isinstance(leaf, CompositeSpec):
            leaves.append(leaf)
            for _ in nest.flatten(leaf, expand_composites=True):
                next(positions)
        else:
            leaves.append(spec(next(positions)))
    return nest.pack_sequence_as(concrete._result, leaves)


def _spec(value: ir.Value, name: str) -> TensorSpec:
    return TensorSpec(value.shape, dtypes.of(value.dtype), name)


def fill_function_spec(message: Any, parameters: Any, input_signature: Any) -> None:
    """Say how a Python function takes its arguments."""
    listed = parameters.all
    plain = [one for one in listed if one.kind in (_KINDS.POSITIONAL_ONLY,
                                                   _KINDS.POSITIONAL_OR_KEYWORD)]
    named = [one for one in listed if one.kind is _KINDS.KEYWORD_ONLY]
    many = [one.name for one in listed if one.kind is _KINDS.VAR_POSITIONAL]
    rest = [one.name for one in listed if one.kind is _KINDS.VAR_KEYWORD]
    if parameters.signature is None:
        many, rest = ["args"], ["kwargs"]
    defaults = [one.default for one in plain if one.default is not one.empty]
    _fill(message.fullargspec, FullArgSpec(
        [one.name for one in plain], many[0] if many else None, rest[0] if rest else None,
        tuple(defaults) if defaults else None, [one.name for one in named],
        {one.name: one.default for one in named if one.default is not one.empty} or None, {}))
    _fill(message.input_signature, None if input_signature is None else tuple(input_signature))
