"""What can be exported, as a traced function with names for its inputs and outputs.

Functions, concrete functions, modules that are called, Keras models, loaded saved models.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tapeflow.base import nest
from tapeflow.base.specs import TensorSpec
from tapeflow.graph import ir
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import function as tf_function
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.ops.sparse.sparse_tensor import SparseTensorSpec
from tapeflow.saved_model.restored_objects import SignatureFunction

DEFAULT = "serving_default"


@dataclass
class Exportable:
    """A traced function.

    batch   the first axes of all inputs and outputs are one batch
    reset   variables of stateful layers, which begin as after `reset_state`: with zeros
    """

    concrete: ConcreteFunction
    inputs: list[str]
    outputs: list[str]
    batch: bool = False
    reset: tuple = ()

    @property
    def graph(self) -> ir.Graph:
        return self.concrete._trace.graph


def find(target: Any, input_signature: Any = None, signature: str | None = None) -> Exportable:
    """The traced function of what a user wants to export."""
    if input_signature is not None and not isinstance(input_signature, (list, tuple)):
        raise TypeError("input_signature must be a list with a tf.TensorSpec for each argument, "
                        f"got {input_signature!r}")
    if signature is not None:
        return _named(_signature(target, signature))
    if _is_keras(target):
        found = _of_keras(target, input_signature)
        found.reset = tuple(_states(target))
        return found
    if isinstance(target, (ConcreteFunction, SignatureFunction)):
        if input_signature is not None:
            raise ValueError("a concrete function has its signature: input_signature must be None")
        return _named(target)
    if not callable(target) and not callable(getattr(target, "__call__", None)):  # noqa: B004
        if getattr(target, "signatures", None):
            return _named(_signature(target, DEFAULT))
        raise TypeError(f"cannot export {target!r}: it is no function, module with a __call__, "
                        "Keras model or loaded saved model")
    return _named(_traced(target, input_signature))


def _signature(target: Any, name: str) -> ConcreteFunction:
    found = getattr(target, "signatures", None)
    if not found:
        raise ValueError(f"{target!r} has no signatures")
    if name not in found:
        raise ValueError(f"there is no signature {name!r}; there are {', '.join(sorted(found))}")
    return found[name]


def _traced(target: Any, input_signature: Any) -> ConcreteFunction:
    """A callable traced for its own signature, or for the one that is given."""
    for way in (target, getattr(target, "__call__", None)):  # noqa: B004
        if hasattr(way, "get_concrete_function"):
            if input_signature is not None:
                return way.get_concrete_function(*input_signature)  # type: ignore[union-attr]
            if getattr(way, "input_signature", None) is not None:
                return way.get_concrete_function()  # type: ignore[union-attr]
            found = list(getattr(way, "concrete_functions", None) or ())
            if len(found) == 1:
                return found[0]
            break
    if input_signature is None:
        if getattr(target, "signatures", None):
            return _signature(target, DEFAULT)
        raise ValueError("export needs input_signature: a list of tf.TensorSpec, one for each "
                         "argument, e.g. [tf.TensorSpec([None, 28, 28, 1], tf.float32)]")
    return tf_function(target if callable(target) else target.__call__).get_concrete_function(
        *input_signature)


def _named(concrete: Any) -> Exportable:
    """Inputs by the names of the arguments; outputs by the keys of a dict, or by their number."""
    graph = concrete._trace.graph
    if len(graph.inputs) != len(concrete._arguments):
        raise ExportError("the function reads tensors of another function that is being traced")
    for use in graph.variables.values():
        if use.variable is None:
            raise ExportError("a variable is an argument: an ONNX graph takes tensors")
    inputs = [value.name or f"input_{i}" for i, value in enumerate(graph.inputs)]
    for name, value in zip(inputs, graph.inputs):
        if value.shape is None:
            raise ExportError(f"the input {name!r} has no known rank, which an ONNX file says; "
                              "give it in input_signature")
    count = len(graph.outputs)
    if not count:
        raise ExportError("the function returns no tensor")
    outputs = [f"output_{i}" for i in range(count)]
    structure = concrete.structured_outputs
    if isinstance(structure, dict) and len(structure) == count and all(
            isinstance(key, str) and not nest.is_nested(one) for key, one in structure.items()):
        outputs = sorted(structure)
    return Exportable(concrete, inputs, outputs)


# -- Keras -----------------------------------------------------------------------------------------
def _is_keras(target: Any) -> bool:
    keras = sys.modules.get("keras")
    return keras is not None and isinstance(target, (keras.Model, keras.layers.Layer))


def _states(model: Any) -> Iterator[Any]:
    """The variables in which stateful layers keep what they go on from."""
    for layer in model._flatten_layers():
        if getattr(layer, "stateful", False):
            for one in nest.flatten(getattr(layer, "states", None) or ()):
                yield getattr(one, "value", one)


def _of_keras(model: Any, input_signature: Any) -> Exportable:
    """A model called for inference; sizes and names are those of its inputs."""
    if input_signature is not None:
        concrete = tf_function(lambda *xs: model(*xs, training=False)).get_concrete_function(
            *input_signature)
        return _named(concrete)
    structure = getattr(model, "_inputs_struct", None)
    if structure is None:
        functional = getattr(model, "_functional", None)  # of a Sequential
        structure = getattr(functional, "_inputs_struct", None)
    if structure is None:
        return _of_subclass(model)
    if isinstance(structure, (list, tuple)) and len(structure) == 1:
        structure = structure[0]
    specs = nest.map_structure(_spec, structure)
    concrete = tf_function(lambda xs: model(xs, training=False)).get_concrete_function(specs)
    made = _named(concrete)
    made.batch = True
    names = [one.name for one in nest.flatten(structure)]
    if len(names) == len(set(names)) == len(made.inputs):
        made.inputs = names
    labels = getattr(model, "output_names", None)
    if labels and len(labels) == len(set(labels)) == len(made.outputs):
        made.outputs = list(labels)
    return made


def _spec(one: Any) -> TensorSpec | SparseTensorSpec:
    """What a symbolic input of Keras stands for."""
    if getattr(one, "sparse", False):
        return SparseTensorSpec(one.shape, one.dtype)
    return TensorSpec(one.shape, one.dtype, one.name)


def _of_subclass(model: Any) -> Exportable:
    """A model of the user's class, by the shapes that it was built with, of any batch."""
    from keras.src.export.export_utils import get_input_signature
    try:
        specs = get_input_signature(model)
    except (TypeError, ValueError):
        specs = None
    if not specs:
        raise ValueError(f"{type(model).__name__} does not know its inputs: give input_signature, "
                         "a list of tf.TensorSpec")
    given = nest.map_structure(lambda one: TensorSpec(one.shape, one.dtype, one.name), list(specs))
    made = _named(tf_function(lambda *xs: model(*xs, training=False)).get_concrete_function(*given))
    made.batch = True
    return made
