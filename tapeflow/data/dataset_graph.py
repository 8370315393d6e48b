"""The graph of a pipeline as a message: which datasets it is made of, and who reads whom.

Libraries look into it, for a shuffle before a fit, say. Datasets are nodes with TensorFlow's names
of ops; parameters that are tensors here are constants; functions of the user hold the ops of their
traces and the datasets that they make. Attributes are left out: nothing can be run from it. Loaded
when it is asked for.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.data.dataset import DatasetV2, _ForwardingDataset
from tapeflow.data.functions.user_function import UserFunction
from tapeflow.io.protobuf.graph_protos import GraphDef
from tapeflow.io.protobuf.tensor_protos import packed

# TensorFlow's ops whose names are not those of the classes.
_OPS = {
    "BatchDataset": "BatchDatasetV2", "CacheDataset": "CacheDatasetV2",
    "PaddedBatchDataset": "PaddedBatchDatasetV2",
    "ParallelInterleaveDataset": "ParallelInterleaveDatasetV4",
    "ParallelMapDataset": "ParallelMapDatasetV2", "RebatchDataset": "RebatchDatasetV2",
    "ShuffleDataset": "ShuffleDatasetV3", "SnapshotDataset": "SnapshotDatasetV2",
    "TFRecordDatasetV2": "TFRecordDataset", "TextLineDatasetV2": "TextLineDataset",
}


def _op(dataset: DatasetV2) -> str:
    name = type(dataset).__name__.lstrip("_")
    return _OPS.get(name, name)


class _Writer:
    def __init__(self) -> None:
        self.message = GraphDef()
        self._numbers = itertools.count()

    def add(self, dataset: DatasetV2) -> str:
        """The name of a dataset's node, which follows those that it reads; one for each reader."""
        if type(dataset) is _ForwardingDataset:
            return self.add(dataset._input)
        inputs = [self.add(one) for one in dataset._inputs]
        inputs += [self._constant(one) for one in dataset._tensors if isinstance(one, Tensor)]
        for one in vars(dataset).values():
            if isinstance(one, UserFunction):
                self._function(one)
        return self._node(_op(dataset), inputs).name

    def _node(self, op: str, inputs: list[str]) -> Any:
        return self.message.node.add(name=f"{op}/_{next(self._numbers)}", op=op, input=inputs)

    def _constant(self, tensor: Tensor) -> str:
        made = self._node("Const", [])
        made.attr["dtype"].type = tensor.dtype.as_datatype_enum
        made.attr["value"].tensor.CopyFrom(packed(np.asarray(tensor._value), tensor.dtype))
        return made.name

    def _function(self, function: UserFunction) -> None:
        graph = function.graph.graph
        made = self.message.library.function.add()
        made.signature.name = graph.name
        for i, node in enumerate(graph.nodes):
            dataset = node.attrs.get("template")
            op = _op(dataset) if isinstance(dataset, DatasetV2) else node.op.tf_name
            made.node_def.add(name=f"{op}/_{i}", op=op)

    def finish(self, source: str) -> bytes:
        self.message.node.add(name="dataset", op="_Retval", input=[source])
        return self.message.SerializeToString()


def serialised(dataset: DatasetV2) -> Tensor:
    """The message of a pipeline, as a string."""
    writer = _Writer()
    held = np.empty((), object)
    held[()] = writer.finish(writer.add(dataset))
    return wrap(held)
