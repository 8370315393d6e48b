"""tf.saved_model.load: objects, variables and callable functions from a folder."""

from __future__ import annotations

import contextlib
import inspect
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.functions.function import Function
from tapeflow.graph.functions.retracing import Count
from tapeflow.graph.functions.signature_text import named
from tapeflow.io.paths import text_of
from tapeflow.io.protobuf.wire import DecodeError
from tapeflow.saved_model.checking import Damaged, pick
from tapeflow.saved_model.graph_serialization import attr_in, read_graph, read_store, shape_in
from tapeflow.saved_model.names import FILE, Asset
from tapeflow.saved_model.schema import FORMAT, SavedModel
from tapeflow.train.bundle import Bundle
from tapeflow.train.restoring import Restore

_SPARE = 1 << 20  # bytes that variables may have beyond those in the files
_LONGEST = 1 << 20  # places of a list


# -- functions -------------------------------------------------------------------------------------
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
        try:
            nest.assert_same_structure(self.args, args)
        except (TypeError, ValueError):
            return None
        tensors = []
        for wanted, given in zip(nest.flatten(self.args), nest.flatten(args)):
            if isinstance(wanted, TensorSpec):
                tensor = _as_tensor(given, wanted)
                if tensor is None:
                    return None
                tensors.append(tensor)
            elif isinstance(wanted, CompositeSpec):
                if not wanted.is_compatible_with(given):
                    return None
                tensors += nest.flatten(given, expand_composites=True)
            elif isinstance(given, Tensor) or type(wanted) is not type(given) or wanted != given:
                return None
        return tensors

    def call(self, tensors: list[Tensor]) -> Any:
        results = self.graph.call(tensors, self.graph.variables_for())
        if self._result is None:
            return results[0]
        return nest.pack_sequence_as(
            self._result, [None if i is None else results[i] for i in self._positions],
            expand_composites=True)


def _as_tensor(given: Any, wanted: TensorSpec) -> Tensor | None:
    """An argument as the tensor that a trace wants; None if it is not one."""
    if given is None or isinstance(given, str) and wanted.dtype is not dtypes.string:
        return None
    try:
        tensor = convert(given) if isinstance(given, (Tensor, VariableBase)) else convert(
            given, wanted.dtype)
    except (TypeError, ValueError):
        return None
    fitting = tensor.dtype == wanted.dtype and wanted.shape.is_compatible_with(tensor.shape)
    return tensor if fitting else None


class RestoredFunction(Function):
    """A function of a saved model: calls the trace that its arguments fit."""

    def __init__(self, message: Any, objects: Any):
        self._saved = [_Traced(one, objects) for one in message.concrete]

        def restored(*args: Any, **kwargs: Any) -> Any:
            return self._call_saved(args, kwargs)

        restored.__name__ = message.name or "restored"
        restored.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
            _parameter(one) for one in message.parameters])
        wanted = attr_in(message.input_signature, None) if message.HasField(
            "input_signature") else None
        super().__init__(restored, input_signature=wanted, autograph=False)
        self._count = Count()  # not shared with all other restored functions

    def _call_saved(self, args: tuple, kwargs: dict) -> Any:
        given = self._parameters.bind(args, kwargs)
        if not self._saved:
            raise ValueError("Found zero restored functions for caller function.")
        for one in self._saved:
            tensors = one.fits(given)
            if tensors is not None:
                return one.call(tensors)
        raise ValueError(self._no_match(given))

    def _no_match(self, given: tuple) -> str:
        names = self._parameters.names
        options = "\n".join([
            f"\nOption {i + 1}:\n{_listed(tuple(map(named, one.args, names)))}"
            for i, one in enumerate(self._saved)])
        return ("Could not find matching concrete function to call loaded from the SavedModel. "
                f"Got:\n{_listed(given)}\n\n Expected these arguments to match one of the "
                f"following {len(self._saved)} option(s):\n{options}")

    def trace_saved(self) -> None:
        """Make the saved traces known, so that the function can be saved again."""
        for one in self._saved:
            positional, by_name = self._parameters.split(one.args)
            self.get_concrete_function(*positional, **by_name)


RestoredFunction.__module__ = "tensorflow.python.saved_model.function_deserialization"


def _parameter(message: Any) -> inspect.Parameter:
    default = attr_in(message.default, None) if message.has_default else inspect.Parameter.empty
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD,
             inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY,
             inspect.Parameter.VAR_KEYWORD)
    return inspect.Parameter(message.name, pick(kinds, message.kind), default=default)


def _listed(args: tuple) -> str:
    lines = "\n".join([f"    * {one!r}" for one in args])
    return f"  Positional arguments ({len(args)} total):\n{lines}\n  Keyword arguments: {{}}"


class SignatureFunction:
    """A signature: takes tensors by name, or one alone, and returns a dict of tensors."""

    def __init__(self, function: RestoredFunction):
        self._function = function
        traced = pick(function._saved, 0)
        self._specs: dict[str, TensorSpec] = pick(traced.args, 0)
        if type(self._specs) is not dict or not all(
                type(name) is str and isinstance(one, TensorSpec)
                for name, one in self._specs.items()):
            raise Damaged("a signature takes tensors by name")
        self._concrete = function.get_concrete_function(**self._specs)
        self._concrete_name = traced.name

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        names = list(self._specs)
        if len(args) == 1 and len(names) == 1 and isinstance(args[0], (Tensor, VariableBase)):
            kwargs, args = {names[0]: args[0], **kwargs}, ()
        if args or set(kwargs) != set(names):
            missing = [one for one in names if one not in kwargs]
            reason = "too many positional arguments" if args else (
                f"missing a required argument: {missing[0]!r}" if missing else
                f"got an unexpected keyword argument {sorted(set(kwargs) - set(names))[0]!r}")
            raise TypeError(f"Binding inputs to tf.function failed due to `{reason}`. Received "
                            f"args: {args} and kwargs: {kwargs} for signature: "
                            f"{self._concrete.function_type}.")
        return self._concrete(**kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._concrete, name)

    @property
    def structured_input_signature(self) -> tuple:
        return (), dict(self._specs)

    @property
    def structured_outputs(self) -> dict[str, TensorSpec]:
        shapes, kinds = self._concrete.output_shapes, self._concrete.output_dtypes
        return {name: TensorSpec(shapes[name], kinds[name], name) for name in shapes}

    def __repr__(self) -> str:
        takes = ", ".join(f"{name}: {spec!r}" for name, spec in self._specs.items())
        gives = ", ".join(f"[{name!r}, {spec!r}]" for name, spec in self.structured_outputs.items())
        return f"<ConcreteFunction (*, {takes}) -> Dict[{gives}] at 0x{id(self):X}>"


class _SignatureMap(Mapping):
    """Signatures by key."""

    def __init__(self, held: dict[str, SignatureFunction]):
        self._signatures = held

    def __getitem__(self, key: str) -> SignatureFunction:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures!r})"


# -- objects ---------------------------------------------------------------------------------------
class _UserObject(AutoTrackable):
    """What an object of any class is after loading: its children and functions."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self.__dict__.get("__call__")
        if call is None:
            raise TypeError("'_UserObject' object is not callable: the object was saved without a "
                            "tf.function __call__.")
        return call(*args, **kwargs)


_UserObject.__module__ = "tensorflow.python.saved_model.load"


class _Loader:
    """Makes the objects of a saved model, then their functions, then fills the variables."""

    def __init__(self, folder: str, message: Any):
        self._folder, self._message = folder, message
        self._stored = _stored_bytes(folder)
        self.objects = [self._make(one) for one in message.objects]
        self._stores = [read_store(one) for one in message.stores]
        self._functions = [RestoredFunction(one, self) for one in message.functions]
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
            return Asset(_asset_path(self._folder, saved.asset))
        if saved.kind in ("list", "tuple"):
            return []
        return {} if saved.kind == "dict" else _UserObject() if saved.kind == "object" else None

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
            root.__dict__["signatures"] = _SignatureMap(found)
            root.__dict__["tensorflow_version"] = "tapeflow"
        return root


def _stored_bytes(folder: str) -> int | None:
    """The size of the variables' files; None if there are none."""
    inner = os.path.join(folder, "variables")
    try:
        found = [one.stat().st_size for one in os.scandir(inner) if ".data-" in one.name]
    except OSError:
        return None
    return sum(found) if found else None


def _asset_path(folder: str, name: str) -> str:
    """The path of an asset, which lies in the folder of assets and nowhere else."""
    path = os.path.join(folder, "assets", name)
    home = os.path.realpath(folder)
    if name in ("", ".", "..") or "\0" in name or os.path.basename(path) != name or (
            os.path.commonpath([home, os.path.realpath(path)]) != home):
        raise Damaged(f"the asset {name!r} lies outside of the folder")
    return path


@contextlib.contextmanager
def _distrusted(folder: str) -> Iterator[None]:
    """Whatever goes wrong with what a file says is the file's fault, and said so."""
    try:
        yield
    except (errors.OpError, OSError):
        raise
    except MemoryError:
        raise errors.ResourceExhaustedError(
            None, None, f"{folder}: no memory for what the saved model holds") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
            RecursionError, TypeError, ValueError) as error:
        raise errors.InvalidArgumentError(
            None, None, f"{folder}: the saved model is damaged, or was not written by tapeflow: "
                        f"{error}") from error


@export("saved_model.load", "saved_model.load_v2")
def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Load what `save` wrote: an object with the variables and functions of the saved one."""
    folder = text_of(export_dir)
    path = os.path.join(folder, FILE)
    if not os.path.exists(path):
        raise OSError(f"SavedModel file does not exist at: {folder}/"
                      "{saved_model.pbtxt|saved_model.pb}")
    if state.trace is not None:
        raise RuntimeError("tf.saved_model.load must be called outside of a tf.function.")
    with open(path, "rb") as file:
        data = file.read()
    try:
        model = SavedModel.FromString(data)
    except DecodeError:
        raise OSError(f"Cannot parse file {path}: it is no saved model.") from None
    saved = model.tapeflow_objects
    if not model.HasField("tapeflow_objects"):
        raise NotImplementedError(
            f"tf.saved_model.load: {folder} was written by TensorFlow, whose graphs tapeflow "
            "cannot run (docs/saved_model.md). Its variables can be read with "
            "tf.train.load_checkpoint(folder + '/variables/variables').")
    if saved.format > FORMAT:
        raise NotImplementedError(f"tf.saved_model.load: {folder} has format {saved.format}, this "
                                  f"version of tapeflow reads up to {FORMAT}.")
    wanted = {tags} if isinstance(tags, str) else set(tags or ())
    tagged = [one for meta in model.meta_graphs[:1] for one in meta.meta_info_def.tags]
    if wanted and wanted != set(tagged):
        raise ValueError(f"Could not find meta graph def matching given tags: {sorted(wanted)}; "
                         f"available: {tagged}.")
    with _distrusted(folder):
        root = _Loader(folder, saved).root()
    if not getattr(options, "experimental_skip_checkpoint", False):
        with _distrusted(folder):
            restore = Restore(Bundle(os.path.join(folder, "variables", "variables")), root, {})
            restore.quiet = True
            if restore.missing():
                raise Damaged(f"{len(restore.missing())} of the values in {folder}/variables "
                              "belong to no object of the saved model")
    return root
