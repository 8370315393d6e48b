"""Calls of tf.raw_ops, and what TensorFlow 2.21 gave for them.

    PYTHON-WITH-TENSORFLOW -m tests.tensorflow_graphs.recorded_calls

writes the results into recorded_calls.npz beside this file. A row is the op, a label, and the
arguments; those that are dtypes are written as "tf.float32".
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

RESULTS = pathlib.Path(__file__).with_suffix(".npz")


def ramp(*shape: int) -> np.ndarray:
    """Numbers in no order, all different."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 1.7 + 0.3) * 2).astype(np.float32).reshape(shape)


def longs(*values: Any) -> np.ndarray:
    return np.array(values, np.int64)


_SPARSE = {"indices": longs([0, 0], [0, 1], [1, 0]), "values": longs(3, 1, 1),
           "dense_shape": longs(2, 2)}
_IMAGE, _VOLUME = ramp(1, 5, 6, 2), ramp(1, 3, 4, 4, 2)
_WINDOW = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
_WINDOW3 = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "SAME"}
_BORDERS = {"row_pooling_sequence": longs(0, 2, 3, 5), "col_pooling_sequence": longs(0, 1, 4, 6)}
_MAXIMA = np.stack([np.stack([_IMAGE[:, top:bottom + 1, left:right + 1].max((1, 2))
                              for left, right in ((0, 1), (1, 4), (4, 6))], 1)
                    for top, bottom in ((0, 2), (2, 3), (3, 5))], 1)  # of overlapping regions
_VOLUME_MAXIMA = np.pad(_VOLUME, [(0, 0), (0, 1), (0, 0), (0, 0), (0, 0)], constant_values=-9
                        ).reshape(1, 2, 2, 2, 2, 2, 2, 2).max((2, 4, 6))
_TRUE = longs([1, 2], [3, 4], [0, 1])
_DRAWN = {"true_classes": _TRUE, "num_true": 2, "num_sampled": 4, "seed": 5, "seed2": 7}
_A, _B = ({f"{name}_indices": longs([0, 0], [1, column]), f"{name}_values": np.float32([1, 2]),
           f"{name}_shape": longs(2, 3)} for name, column in (("a", 2), ("b", 1)))
_CTC = {"inputs": ramp(5, 2, 4), "sequence_length": np.int32([5, 4])}
_LABELS = {"labels_indices": longs([0, 0], [0, 1], [1, 0]), "labels_values": np.int32([1, 2, 1])}
_COUNT = {"minlength": -1, "maxlength": -1, "binary_output": False}

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    # Rows of values.
    ("DenseCountSparseOutput", "vector", {"values": longs(1, 2, 2), "weights": longs(), **_COUNT}),
    ("DenseCountSparseOutput", "weights of a matrix", {
        **_COUNT, "values": longs([1, 1], [2, 0]), "weights": np.float32([[1, 2], [3, 4]]),
        "minlength": 5}),
    ("DenseCountSparseOutput", "binary", {
        **_COUNT, "values": longs([1, 1], [2, 0]), "weights": longs(), "binary_output": True}),
    ("SparseCountSparseOutput", "", {**_SPARSE, "weights": longs(), **_COUNT}),
    ("RaggedCountSparseOutput", "", {"splits": longs(0, 3, 3, 4), "values": longs(5, 1, 5, 2),
                                     "weights": longs(), **_COUNT}),
    *[("DenseToDenseSetOperation", kind, {
        "set1": longs([1, 2, 2], [4, 5, 6]), "set2": longs([2, 3, 1], [6, 6, 7]),
        "set_operation": kind}) for kind in ("intersection", "union", "a-b", "b-a")],
    ("DenseToSparseSetOperation", "", {
        "set1": longs([1, 2], [4, 5]), "set2_indices": _SPARSE["indices"],
        "set2_values": _SPARSE["values"], "set2_shape": _SPARSE["dense_shape"],
        "set_operation": "union"}),
    ("SparseCrossV2", "", {"indices": [], "values": [], "shapes": [], "sep": "-", "dense_inputs": [
        np.array([["a", "b"], ["c", "d"]]), np.array([["e"], ["f"]])]}),
    ("RaggedCross", "text", {
        "ragged_values": [np.array(["a", "b", "c"])], "ragged_row_splits": [longs(0, 2, 3)],
        "sparse_indices": [], "sparse_values": [], "sparse_shape": [],
        "dense_inputs": [np.array([["p", "q"], ["r", "s"]])], "input_order": "DR",
        "hashed_output": False, "num_buckets": 0, "hash_key": 7,
        "out_values_type": "tf.string", "out_row_splits_type": "tf.int64"}),
    ("RaggedCross", "hashes", {
        "ragged_values": [np.array(["a", "b", "c"]), longs(5, 6)],
        "ragged_row_splits": [longs(0, 2, 3), longs(0, 1, 2)],
        "sparse_indices": [longs([0, 0], [1, 0])], "sparse_values": [np.array(["x", "y"])],
        "sparse_shape": [longs(2, 1)], "dense_inputs": [], "input_order": "RSR",
        "hashed_output": True, "num_buckets": 100, "hash_key": 956888297470,
        "out_values_type": "tf.int64", "out_row_splits_type": "tf.int64"}),
    # Sparse tensors.
    ("SparseAdd", "", {**_A, **_B, "thresh": np.float32(0)}),
    ("SparseTensorDenseAdd", "", {**_A, "b": ramp(2, 3)}),
    ("SparseSparseMaximum", "", {**_A, **_B}),
    ("SparseSparseMinimum", "", {**_A, **_B}),
    ("SparseSplit", "", {"split_dim": longs(1)[0], "indices": longs([0, 0], [0, 2], [1, 1]),
                         "values": np.float32([1, 2, 3]), "shape": longs(2, 3), "num_split": 2}),
    *[(op, "", {"input_indices": longs([0, 0], [0, 2], [1, 1]),
                "input_values": np.float32([1, 2, 3]), "input_shape": longs(2, 3),
                "reduction_axes": np.int32([1])})
      for op in ("SparseReduceSumSparse", "SparseReduceMax", "SparseReduceMaxSparse")],
    ("SparseFillEmptyRowsGrad", "", {"reverse_index_map": longs(2, 0),
                                     "grad_values": np.float32([1, 2, 4, 8])}),
    *[(f"SparseSegment{kind}Grad", "", {"grad": ramp(3, 2), "indices": np.int32([0, 2, 2, 4]),
                                        "segment_ids": np.int32([0, 0, 2, 2]), "output_dim0": 5})
      for kind in ("Sum", "Mean", "SqrtN")],
    ("SparseSegmentSqrtNWithNumSegments", "", {
        "data": ramp(4, 2), "indices": np.int32([0, 2, 3]), "segment_ids": np.int32([0, 0, 2]),
        "num_segments": 4}),
    # Networks.
    ("CTCBeamSearchDecoder", "", {**_CTC, "beam_width": 6, "top_paths": 2,
                                  "merge_repeated": False}),
    ("CTCBeamSearchDecoder", "merged", {**_CTC, "beam_width": 6, "top_paths": 2}),
    ("CTCLoss", "", {**_CTC, **_LABELS}),
    ("IsotonicRegression", "", {"input": ramp(2, 5)}),
    ("ApproxTopK", "", {"input": ramp(2, 6), "k": 3}),
    ("FractionalMaxPool", "pseudo-random", {
        "value": _IMAGE, "pooling_ratio": [1.0, 1.6, 1.7, 1.0], "pseudo_random": True,
        "deterministic": True, "seed": 3, "seed2": 4}),
    ("FractionalAvgPool", "overlapping", {
        "value": _IMAGE, "pooling_ratio": [1.0, 1.6, 1.7, 1.0], "overlapping": True,
        "deterministic": True, "seed": 3, "seed2": 4}),
    ("FractionalMaxPoolGrad", "", {"orig_input": _IMAGE, "orig_output": _MAXIMA,
                                   "out_backprop": ramp(1, 3, 3, 2), "overlapping": True,
                                   **_BORDERS}),
    ("FractionalAvgPoolGrad", "", {"orig_input_tensor_shape": longs(1, 5, 6, 2),
                                   "out_backprop": ramp(1, 3, 3, 2), **_BORDERS}),
    ("MaxPool3DGrad", "", {"orig_input": _VOLUME, "orig_output": _VOLUME_MAXIMA,
                           "grad": ramp(1, 2, 2, 2, 2), **_WINDOW3}),
    ("AvgPool3DGrad", "", {"orig_input_shape": np.int32(_VOLUME.shape),
                           "grad": ramp(1, 2, 2, 2, 2), **_WINDOW3}),
    ("Dilation2DBackpropInput", "", {
        "input": _IMAGE, "filter": ramp(2, 2, 2), "out_backprop": ramp(1, 5, 6, 2),
        "strides": [1] * 4, "rates": [1] * 4, "padding": "SAME"}),
    ("Dilation2DBackpropFilter", "", {
        "input": _IMAGE, "filter": ramp(2, 2, 2), "out_backprop": ramp(1, 5, 6, 2),
        "strides": [1] * 4, "rates": [1] * 4, "padding": "SAME"}),
    ("ExtractVolumePatches", "", {"input": _VOLUME, "ksizes": [1, 2, 2, 2, 1],
                                  "strides": [1, 1, 2, 2, 1], "padding": "VALID"}),
    ("BiasAddGrad", "", {"out_backprop": _IMAGE}),
    ("BiasAddGrad", "channels first", {"out_backprop": _IMAGE, "data_format": "NCHW"}),
    ("SeluGrad", "", {"gradients": ramp(6), "outputs": ramp(6)[::-1]}),
    ("CholeskyGrad", "", {"l": np.float32([[2, 0], [1, 3]]), "grad": np.float32([[1, 0], [2, 3]])}),
    ("LRNGrad", "", {"input_grads": _IMAGE[..., ::-1], "input_image": _IMAGE, "output_image":
                     _IMAGE / np.sqrt(1 + (_IMAGE ** 2).sum(-1, keepdims=True))}),
    # Random numbers.
    *[(f"{kind}CandidateSampler", "", {**_DRAWN, "unique": True, "range_max": 7})
      for kind in ("Uniform", "LogUniform", "LearnedUnigram")],
    ("FixedUnigramCandidateSampler", "", {**_DRAWN, "unique": False, "range_max": 7,
                                          "unigrams": [1.0, 2, 3, 1, 1, 2, 5]}),
    ("AllCandidateSampler", "", {**_DRAWN, "num_sampled": 5, "unique": True}),
    ("SobolSample", "", {"dim": 3, "num_results": 4, "skip": 2}),
    ("RandomUniform", "", {"shape": [3], "dtype": "tf.float32", "seed": 5, "seed2": 7}),
    ("StatelessRandomBinomial", "", {"shape": [4], "seed": [3, 4], "counts": np.float32(10),
                                     "probs": np.float32(0.4), "dtype": "tf.int32"}),
    ("StatelessRandomPoisson", "", {"shape": [4], "seed": [3, 4], "lam": np.float32(3),
                                    "dtype": "tf.float32"}),
    ("StatelessRandomUniformFullInt", "", {"shape": [4], "seed": [3, 4], "dtype": "tf.int32"}),
    # Others.
    ("PopulationCount", "", {"x": np.int16([0, 1, -1, 1023])}),
    ("DataFormatDimMap", "", {"x": np.int32([0, 1, 2, 3, -1])}),
    ("DataFormatVecPermute", "", {"x": np.int32([7, 8, 9, 10])}),
    ("DataFormatVecPermute", "spatial", {"x": np.int32([7, 8])}),
    ("ConjugateTranspose", "", {"x": np.complex64([[1 + 2j, 3]]), "perm": [1, 0]}),
    ("AudioSpectrogram", "", {"input": ramp(40, 2), "window_size": 12, "stride": 7}),
    ("DecodeCSV", "", {"records": np.array(["1,2.5,a", "4,,b"]), "record_defaults": [
        np.int32([0]), np.float32([1.5]), np.array([""])]}),
]


def flat(found: Any) -> list[np.ndarray]:
    """What an op gave, as arrays in order."""
    if isinstance(found, (list, tuple)):
        return [array for one in found for array in flat(one)]
    return [np.asarray(found)]


def key(op: str, label: str) -> str:
    return f"{op} {label}".strip()


def arguments(tf: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {name: getattr(tf, value[3:]) if isinstance(value, str) and value.startswith("tf.")
            else value for name, value in given.items()}


def main() -> None:
    import tensorflow as tf
    kept = {}
    for op, label, given in CALLS:
        found = flat(getattr(tf.raw_ops, op)(**arguments(tf, given)))
        for i, one in enumerate(found):
            kept[f"{key(op, label)}/{i}"] = one.astype("S") if one.dtype == object else one
    np.savez_compressed(RESULTS, **kept)
    print(f"{len(CALLS)} calls")


if __name__ == "__main__":
    main()
