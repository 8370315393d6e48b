"""Nodes of one function or graph of TensorFlow's, written one after the other.

A writer of a record calls `w.Sum(x, w.const([0], np.int32), keep_dims=True)`: the op by its name,
inputs in the op's order (several tensors as a list), attributes by name. The types and numbers of
tensors are found from the inputs, other attributes have the op's defaults. A number or array among
the inputs becomes a constant of the type that the op wants.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.io.protobuf.graph_protos import NodeDef
from tapeflow.tensorflow_graphs.definition import Argument, Definition, definition
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute

# Ops that do something beside giving results: they run in the order in which they are written.
EFFECTS = frozenset([
    "Assert", "AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp", "Case", "If",
    "InitializeTableV2", "InitializeTableFromTextFileV2", "LookupTableImportV2",
    "LookupTableInsertV2", "LookupTableRemoveV2", "PrintV2", "ResourceScatterAdd",
    "ResourceScatterNdUpdate", "ResourceScatterUpdate", "StatefulPartitionedCall",
    "StatefulRandomBinomial", "While"])
# Ops with a state of their own, in no order: a function that holds one is no pure function.
_DRAWS = frozenset([
    "AllCandidateSampler", "FixedUnigramCandidateSampler", "FractionalMaxPool",
    "LearnedUnigramCandidateSampler", "LogUniformCandidateSampler", "Multinomial",
    "RandomGamma", "RandomPoissonV2", "RandomShuffle", "RandomStandardNormal", "RandomUniform",
    "RandomUniformInt",
    "SampleDistortedBoundingBoxV2", "Timestamp", "TruncatedNormal", "UniformCandidateSampler"])


class Ref:
    """One tensor of the graph that is written: `name` is how a node refers to it.

    shape: what is known of it, None for an unknown rank; const: its value, of a constant
    """

    __slots__ = ("const", "dtype", "name", "shape")

    def __init__(self, name: str, dtype: Any, shape: tuple | None = None, const: Any = None):
        self.name, self.dtype, self.shape, self.const = name, dtypes.as_dtype(dtype), shape, const

    def __repr__(self) -> str:
        return f"<{self.name}: {self.dtype.name}{self.shape}>"


class NodeWriter:
    """The nodes of one body, and constants that it has written already.

    inside: of a function, where `node:output:0` names a tensor; in a graph that is `node:0`
    """

    def __init__(self, inside: bool = True):
        self.nodes: list[Any] = []
        self.inside = inside
        self.scope = ""  # what names of nodes begin with
        self.last_effect: str | None = None
        self.pending_reads: list[str] = []  # nodes that the next effect waits for
        self.stateful = False
        self.places: dict[str, str] = {}  # `node:output:0` of functions: `node:0` of their graphs
        self._taken: dict[str, int] = {}
        self._constants: dict[tuple, Ref] = {}

    def __getattr__(self, op: str) -> Callable:
        if op[:1] == "_" or definition(op) is None:
            raise AttributeError(f"TensorFlow's op {op} is not in definitions.txt")
        return lambda *inputs, **attributes: self.emit(op, inputs, attributes)

    # -- names -------------------------------------------------------------------------------------
    def unique(self, name: str) -> str:
        """A name that no node or argument has yet."""
        clean = re.sub(r"[^A-Za-z0-9_.\-/]", "_", name).strip("_") or "node"
        if not clean[0].isalnum():
            clean = f"n{clean}"
        key = clean.lower()  # TensorFlow takes names that differ in case alone for the same
        count = self._taken.get(key)
        self._taken[key] = 0 if count is None else count + 1
        return clean if count is None else self.unique(f"{clean}_{count + 1}")

    def reserve(self, name: str) -> None:
        """Keep a name from nodes that are named here."""
        self._taken.setdefault(name.lower(), 0)

    # -- nodes -------------------------------------------------------------------------------------
    def emit(self, op: str, inputs: Sequence, attributes: dict[str, Any] | None = None,
             name: str = "", after: Sequence[str] = ()) -> Any:
        """A node of an op by its declaration; `after`: nodes that must have run before."""
        defined = definition(op)
        if defined is None:
            raise ValueError(f"TensorFlow's op {op} is not in definitions.txt")
        given = dict(attributes or {})
        flat, decided = self._inputs(defined, inputs, given)
        for one in defined.attributes:
            if one.name not in given:
                given[one.name] = decided.get(one.name, one.default)
            if given[one.name] is None:
                raise ValueError(f"{op}: the attribute {one.name!r} is missing")
        unknown = set(given) - {one.name for one in defined.attributes}
        if unknown:
            raise ValueError(f"{op} has no attributes {sorted(unknown)}")
        node = NodeDef(name=self.unique(f"{self.scope}{name or op}"), op=op)
        node.input.extend([one.name for one in flat])
        for one in defined.attributes:
            fill_attribute(node.attr[one.name], one.type, given[one.name])
        self.add(node, after)
        return self._results(defined, node.name, given)

    def add(self, node: Any, after: Sequence[str] = ()) -> None:
        """A node that is whole but for what it waits for."""
        before = list(after)
        if node.op in EFFECTS:
            if self.last_effect is not None and self.last_effect not in before:
                before.append(self.last_effect)
            before += self.pending_reads
            self.pending_reads = []
            self.last_effect, self.stateful = node.name, True
        elif node.op in _DRAWS:
            self.stateful = True
        node.input.extend([f"^{one}" for one in before])
        self.nodes.append(node)

    def _inputs(self, defined: Definition, inputs: Sequence,
                attributes: dict[str, Any]) -> tuple[list[Ref], dict[str, Any]]:
        """The inputs one by one, and the attributes that they decide."""
        if len(inputs) != len(defined.inputs):
            raise ValueError(f"{defined.name} takes {len(defined.inputs)} inputs, not "
                             f"{len(inputs)}")
        decided: dict[str, Any] = {}
        for one, value in zip(defined.inputs, inputs, strict=True):
            many = list(value) if one.number or one.is_list else [value]
            if one.number:
                decided[one.number] = len(many)
            if one.is_list:
                decided[one.type] = [self._plain(x).dtype for x in many]
                continue
            kind = next((x.dtype for x in many if isinstance(x, Ref)), None)
            if kind is not None and decided.setdefault(one.type, kind) != kind:
                raise TypeError(f"{defined.name}: {one.type} is {decided[one.type].name} and "
                                f"{kind.name}")
        flat = []
        for one, value in zip(defined.inputs, inputs, strict=True):
            many = list(value) if one.number or one.is_list else [value]
            flat += [self._operand(x, one, decided, attributes, defined) for x in many]
        return flat, decided

    def _plain(self, value: Any) -> Ref:
        return value if isinstance(value, Ref) else self.const(value)

    def _operand(self, value: Any, one: Argument, decided: dict[str, Any],
                 attributes: dict[str, Any], defined: Definition) -> Ref:
        if one.is_list:
            return self._plain(value)
        fixed = dtypes.as_dtype(one.type) if one.type in dtypes.__dict__ or one.type in (
            "resource", "variant") else None
        wanted = fixed or attributes.get(one.type) or decided.get(one.type)
        if isinstance(value, Ref):
            if fixed is not None and value.dtype != fixed:
                raise TypeError(f"{defined.name}: {one.name} is {fixed.name}, not "
                                f"{value.dtype.name}")
            return value
        if wanted is None:
            wanted = next((x.default for x in defined.attributes if x.name == one.type), None)
        made = self.const(value, wanted)
        decided.setdefault(one.type, made.dtype)
        return made

    def _results(self, defined: Definition, name: str, attributes: dict[str, Any]) -> Any:
        """Refs to what a node gives: one, a tuple, a list where the op gives several of a kind."""
        found, at = [], 0
        for one in defined.outputs:
            if one.is_list:
                kinds = list(attributes[one.type])
            else:
                kind = attributes.get(one.type, one.type)
                kinds = [kind] * (attributes[one.number] if one.number else 1)
            refs = []
            for i, kind in enumerate(kinds):
                label = f"{name}:{one.name}:{i}" if self.inside else f"{name}:{at}"
                self.places[label] = f"{name}:{at}"
                refs.append(Ref(label, kind))
                at += 1
            found.append(refs if one.number or one.is_list else refs[0])
        return found[0] if len(found) == 1 else tuple(found)

    # -- constants and shapes ----------------------------------------------------------------------
    def const(self, value: Any, dtype: Any = None, name: str = "") -> Ref:
        """A constant; equal small ones are written once."""
        array = _array(value, dtype)
        kind = dtypes.of(array.dtype)
        key = (kind, array.shape, array.tobytes() if kind is not dtypes.string else tuple(
            array.ravel().tolist())) if array.size <= 64 else None
        if key is not None and key in self._constants:
            return self._constants[key]
        node = NodeDef(name=self.unique(f"{self.scope}{name or 'Const'}"), op="Const")
        fill_attribute(node.attr["dtype"], "type", kind)
        fill_attribute(node.attr["value"], "tensor", array)
        self.nodes.append(node)
        label = f"{node.name}:output:0" if self.inside else f"{node.name}:0"
        self.places[label] = f"{node.name}:0"
        made = Ref(label, kind, array.shape, array)
        if key is not None:
            self._constants[key] = made
        return made

    def shape_of(self, x: Ref, dtype: Any = dtypes.int32) -> Ref:
        """The shape of a tensor: a constant where all sizes are known."""
        if x.shape is not None and None not in x.shape:
            return self.const(np.array(x.shape, dtypes.as_dtype(dtype).np))
        return self.emit("Shape", [x], {"out_type": dtypes.as_dtype(dtype)})

    def size_along(self, x: Ref, axis: int) -> Ref:
        """One size of a tensor, an int32 scalar."""
        if x.shape is not None and x.shape[axis] is not None:
            return self.const(np.int32(x.shape[axis]))
        if axis < 0:
            assert x.shape is not None
            axis += len(x.shape)
        return self.emit("StridedSlice", [self.shape_of(x), [axis], [axis + 1], [1]],
                         {"shrink_axis_mask": 1})


def _array(value: Any, dtype: Any) -> np.ndarray:
    if dtype is None:
        array = np.asarray(getattr(value, "_value", value))
        if array.dtype == np.float64 and not isinstance(value, (np.ndarray, np.generic)):
            array = array.astype(np.float32)  # Python's numbers, as TensorFlow takes them
        elif array.dtype == np.int64 and not isinstance(value, (np.ndarray, np.generic)):
            array = array.astype(np.int32)
    elif dtypes.as_dtype(dtype) is dtypes.string:
        array = np.asarray(value, object)
    else:
        array = np.asarray(getattr(value, "_value", value), dtypes.as_dtype(dtype).np)
    if array.dtype.kind in "SUO":
        flat = [one.encode() if isinstance(one, str) else bytes(one) for one in array.ravel()]
        strings = np.empty(len(flat), object)
        strings[:] = flat
        return strings.reshape(array.shape)
    return array
