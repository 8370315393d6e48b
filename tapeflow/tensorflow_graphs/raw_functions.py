"""`tf.raw_ops`: every op of the table as a function with TensorFlow's keyword arguments."""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import PUBLIC, known_as, publish
from tapeflow.base.shapes import TensorShape
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.tensor import Tensor
from tapeflow.tensorflow_graphs.definition import Argument, Definition, definition, names
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.reading import results_of
from tapeflow.tensorflow_graphs.registry import implementation


def is_public(defined: Definition) -> bool:
    """Whether an op makes sense outside of a graph.

    It does not where an attribute names a function of the graph, where a random key, which
    stands for its seed here (`ops/randoms.py`), or the flow of an array would have to be a tensor,
    or where it takes a reference to a variable.
    """
    return not any("func" in one.type for one in defined.attributes) and not any(
        one.is_reference or one.name in ("key", "flow_in", "flow")
        for one in (*defined.inputs, *defined.outputs))


def raw_function(defined: Definition) -> Callable:
    """The public function of an op."""
    decided = defined.inferred()
    inputs = {one.public: one for one in defined.inputs}
    attributes = {one.public: one for one in defined.attributes if one.name not in decided}
    signature = _signature(defined, attributes)
    outputs = namedtuple(defined.name, [one.name for one in defined.outputs]) if len(
        defined.outputs) > 1 else None

    def function(**given: Any) -> Any:
        bound = signature.bind(**given)
        bound.apply_defaults()
        values = bound.arguments
        types: dict[str, Any] = {one.name: one.default for one in defined.attributes
                                 if one.type == "type" and one.name in decided}
        tensors = [_input(one, values[public], types) for public, one in inputs.items()]
        settings = {one.name: _attribute(one.default if values[public] is None else values[public],
                                         one.type) for public, one in attributes.items()}

        def run() -> Any:
            return results_of(defined, implementation(defined.name)(  # type: ignore[misc]
                tensors, {**types, **settings}))

        graph = open_graph()
        if graph is not None and not defined.outputs:
            return graph.effect_of(lambda: graph.in_order(run))
        return _packed(defined, run(), outputs)

    known_as(function, f"raw_ops.{defined.name}")
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = _doc(defined)
    function.result_in_words = _result(defined)  # type: ignore[attr-defined]
    return function


def _signature(defined: Definition, attributes: dict[str, Any]) -> inspect.Signature:
    """Inputs, then attributes with defaults, as keywords; those without a default come first."""
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(one.public, kind) for one in defined.inputs]
    parameters += [inspect.Parameter(public, kind) for public, one in attributes.items()
                   if one.required]
    parameters += [inspect.Parameter(public, kind, default=one.default)
                   for public, one in attributes.items() if not one.required]
    return inspect.Signature([*parameters, inspect.Parameter("name", kind, default=None)])


def _doc(defined: Definition) -> str:
    takes = ", ".join([f"{one.public}: {one.type}" for one in defined.inputs])
    gives = ", ".join([f"{one.name}: {one.type}" for one in defined.outputs]) or "nothing"
    return f"TensorFlow's op {defined.name}: takes {takes or 'no tensor'}, gives {gives}."


def _result(defined: Definition) -> str:
    """What the function returns, for its docstring."""
    taken: dict[str, str] = {}
    for one in defined.inputs:
        taken.setdefault(one.type, one.public)
    settings = {one.name for one in defined.attributes}
    found = []
    for one in defined.outputs:
        dtype = (f" of the dtype of `{taken[one.type]}`" if one.type in taken else
                 f" of the dtype `{one.type}` that is given" if one.type in settings else
                 f" of dtype {one.type}")
        found.append(f"`{one.name}`{dtype}")
    if not found:
        return "None: it is run for its effect."
    if len(found) == 1:
        return f"A Tensor, {found[0]}."
    return f"A namedtuple of Tensors: {', '.join(found)}."


def _input(one: Argument, value: Any, types: dict[str, Any]) -> Any:
    if one.number:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for {one.public!r} argument, not {value!r}.")
        found = [_tensor(part, one.type, types) for part in value]
        types[one.number] = len(found)
        return found
    if one.is_list:
        found = [_tensor(part, "", {}) for part in value]
        types[one.type] = [part.dtype for part in found if isinstance(part, Tensor)]
        return found
    return _tensor(value, one.type, types)


def _tensor(value: Any, kind: str, types: dict[str, Any]) -> Any:
    """An input as a tensor of the type that the op says, or that an input before decided."""
    if kind in ("resource", "variant"):
        return value
    if kind in dtypes.__dict__ and kind not in types:
        return tf.convert_to_tensor(value, dtypes.as_dtype(kind))
    if isinstance(value, Tensor):
        types[kind] = value.dtype
        return value
    wanted = types.get(kind)
    if wanted is not None:
        try:
            return tf.convert_to_tensor(value, wanted)
        except (TypeError, ValueError):
            pass
    found = tf.convert_to_tensor(value)
    types[kind] = found.dtype
    return found


def _attribute(value: Any, kind: str) -> Any:
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "list(type)":
        return [dtypes.as_dtype(one) for one in value]
    if kind == "shape":
        return TensorShape(value)
    if kind == "list(shape)":
        return [TensorShape(one) for one in value]
    if kind == "string" and isinstance(value, bytes):
        return value.decode()
    return value


def _packed(defined: Definition, found: Any, outputs: Any) -> Any:
    if not defined.outputs:
        return None
    parts = [found.named(one.name, 0) if not (one.number or one.is_list)
             else found._values[i] for i, one in enumerate(defined.outputs)]
    return outputs(*parts) if outputs is not None else parts[0]


for _name in names():
    _defined = definition(_name)
    assert _defined is not None
    if is_public(_defined) and f"raw_ops.{_name}" not in dict.keys(PUBLIC):
        publish(raw_function(_defined), f"raw_ops.{_name}")
