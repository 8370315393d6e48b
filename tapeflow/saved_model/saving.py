"""tf.saved_model.save: an object, its variables and its functions to a folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.process.atomic_folders import replacing_folder
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import Variable
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import Function
from tapeflow.graph.functions.retracing import Count
from tapeflow.io.paths import text_of, translated
from tapeflow.saved_model.names import DEFAULT, FILE
from tapeflow.saved_model.object_protos import FingerprintDef, SavedModel
from tapeflow.saved_model.writing.object_writer import ObjectWriter, function_behind, functions_of
from tapeflow.saved_model.writing.session_graph import SessionGraph
from tapeflow.train.bundle import write_bundle
from tapeflow.train.object_graph import GRAPH_KEY


# -- signatures ------------------------------------------------------------------------------------
def _concrete(value: Any) -> ConcreteFunction | None:
    """The concrete function of what is given as a signature, None if it has no one."""
    if isinstance(value, ConcreteFunction):
        return value
    if callable(getattr(value, "as_concrete_function", None)):  # of a graph made by hand
        return value.as_concrete_function()
    function = function_behind(value)
    if function is None or function._wanted is None:
        return None
    return function.get_concrete_function()


def _outputs(result: Any, key: str, name: str) -> dict[str, Any]:
    """The results of a signature by name."""
    if hasattr(result, "_asdict"):
        result = result._asdict()
    if not isinstance(result, dict):
        listed = list(result) if isinstance(result, (list, tuple)) else [result]
        result = {f"output_{i}": value for i, value in enumerate(listed)}
    for one, value in result.items():
        if not isinstance(one, str):
            raise ValueError(
                f"Got a dictionary with a non-string key {one!r} in the output of the function "
                f"{name} used to generate the SavedModel signature {key!r}.")
        if not isinstance(value, (Tensor, Variable, Composite)):
            raise ValueError(
                f"Got a non-Tensor value {value!r} for key {one!r} in the output of the function "
                f"{name} used to generate the SavedModel signature {key!r}. Outputs for functions "
                "used as signatures must be a single Tensor, a sequence of Tensors, or a "
                "dictionary from string to Tensor.")
    return result


def _named_inputs(concrete: ConcreteFunction) -> dict[str, TensorSpec]:
    """The tensors among the arguments, in order, by the names that a signature has for them: their
    own, or the argument's, with a number behind it if that is taken."""
    found: dict[str, TensorSpec] = {}
    signature = concrete.signature
    for label, _, value in signature.parameters.labels(signature.args):
        for spec in nest.flatten(value, expand_composites=True):
            if isinstance(spec, TensorSpec):
                base = name = spec.name or label
                count = 0
                while name in found:
                    count += 1
                    name = f"{base}_{count}"
                found[name] = TensorSpec(spec.shape, spec.dtype, name)
    return found


def _signature(key: str, concrete: ConcreteFunction) -> Function:
    """A function of keyword tensors that returns a dict, traced once."""
    named = _named_inputs(concrete)

    def signature_wrapper(**given: Any) -> dict[str, Any]:
        tensors = [given[name] for name in named]
        return _outputs(concrete.call_flat(tensors, []), key, concrete.name)

    signature_wrapper.__name__ = f"signature_wrapper_{concrete.name}"
    wrapped = Function(signature_wrapper, autograph=False)
    wrapped._count = Count()
    wrapped.get_concrete_function(**named)
    return wrapped


def _refused(value: Any) -> ValueError:
    return ValueError("Expected a TensorFlow function for which to generate a signature, but got "
                      f"{value}. Only `tf.functions` with an input signature or concrete functions "
                      "can be used as a signature.")


def _signatures(obj: Any, given: Any, objects: ObjectWriter) -> dict[str, Function]:
    if given is None:
        return _found_signature(obj, objects)
    if not isinstance(given, dict):
        given = {DEFAULT: given}
    found = {}
    for key, value in given.items():
        concrete = _concrete(value)
        if concrete is None:
            raise _refused(value)
        found[key] = _signature(key, concrete)
    return found


def _found_signature(obj: Any, objects: ObjectWriter) -> dict[str, Function]:
    """The one function of the object that can be a signature, if there is exactly one."""
    own = getattr(obj, "_default_save_signature", None)  # Keras has one
    if own is None:  # Keras 2 makes one
        own = objects.root_function("_default_save_signature")
    candidates = [own] if own is not None else list(functions_of(obj).values())
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
@export("saved_model.save", "saved_model.experimental.save")
def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Write an object with its variables, functions and signatures to a folder.

    The format is TensorFlow's, which loads it (docs/saved_model.md).
    """
    write_model(obj, export_dir, signatures, options)


def write_model(obj: Any, export_dir: Any, signatures: Any, options: Any) -> ObjectWriter:
    """As `save`; gives what was written."""
    if not isinstance(obj, Trackable):
        raise ValueError("Expected an object of type `Trackable`, such as `tf.Module` or a "
                         "subclass of the `Trackable` class, for export. Got "
                         f"{np.asarray(obj) if isinstance(obj, Tensor) else obj} with type "
                         f"{type(obj)}.")
    folder = text_of(export_dir)
    objects = ObjectWriter(obj)
    found = _signatures(obj, signatures, objects)
    objects.add_objects()
    called = objects.add_signatures(found)
    arrays, graph = objects.graph.arrays()
    graph_bytes = np.empty((), object)
    graph_bytes[()] = graph.SerializeToString()
    model = _model(objects, called, graph, options)
    data = model.SerializeToString()
    with translated(folder), replacing_folder(folder, FILE) as part:
        for name in ("variables", "assets"):
            os.mkdir(os.path.join(part, name))
        for path, name in objects.assets.items():
            shutil.copyfile(path, os.path.join(part, "assets", name))
        write_bundle(os.path.join(part, "variables", "variables"),
                     {**arrays, GRAPH_KEY: graph_bytes})
        for name, content in ((FILE, data), (_FINGERPRINT, _fingerprint(model, data, graph_bytes))):
            with open(os.path.join(part, name), "wb") as file:
                file.write(content)
    return objects


_FINGERPRINT = "fingerprint.pb"
_VALUE = "VARIABLE_VALUE"


def _model(objects: ObjectWriter, signatures: dict[str, tuple], graph: Any, options: Any) -> Any:
    """The file of a model whose objects are written."""
    model = SavedModel(saved_model_schema_version=1)
    meta = model.meta_graphs.add()
    about = meta.meta_info_def
    about.tags.extend(["serve", *sorted(getattr(options, "extra_tags", None) or ())])
    about.tensorflow_version = "2.21.0"  # whose format it is
    about.tensorflow_git_version = "tapeflow"
    for alias, function in (getattr(options, "function_aliases", None) or {}).items():
        traced = function_behind(function)
        for one in traced._traces.in_order if traced is not None else ():
            about.function_aliases[objects.traces.name_of(one)] = alias
    keys = {i: one.checkpoint_key for i, node in enumerate(graph.nodes)
            for one in node.attributes if one.name == _VALUE
            and objects.message.nodes[i].WhichOneof("kind") == "variable"}
    session = SessionGraph(meta, objects, keys, graph.SerializeToString())
    for key, (name, concrete) in signatures.items():
        session.add_signature(key, name, concrete)
    session.finish()
    meta.object_graph_def.CopyFrom(objects.message)
    return model


def _fingerprint(model: Any, data: bytes, graph: Any) -> bytes:
    """Numbers by which a file is known; they depend on what it holds alone."""
    def number(content: bytes) -> int:
        return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")

    meta = model.meta_graphs[0]
    message = FingerprintDef(
        saved_model_checksum=number(data),
        graph_def_program_hash=number(meta.graph_def.SerializeToString()),
        signature_def_hash=number(repr(sorted(meta.signature_def)).encode()),
        saved_object_graph_hash=number(meta.object_graph_def.SerializeToString()),
        checkpoint_hash=number(graph[()]), uuid=str(number(data)))
    message.version.producer = 3
    return message.SerializeToString()
