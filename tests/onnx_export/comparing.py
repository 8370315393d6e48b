"""Exports something, runs the file with onnxruntime, and compares the results with eager ones."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.onnx import export


def _runtime() -> Any:
    """onnxruntime, whose import leaves a file in the temporary folder: in one that goes."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        try:
            return pytest.importorskip("onnxruntime")
        finally:
            del os.environ["TMPDIR"]
            if before is not None:
                os.environ["TMPDIR"] = before


onnxruntime = _runtime()


def session(path: str) -> Any:
    """An onnxruntime session with one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def as_arrays(values: Any) -> list[np.ndarray]:
    """Tensors of a structure as onnxruntime takes and gives them: complex numbers as pairs."""
    found = []
    for one in tf.nest.flatten(values, expand_composites=True):
        array = tf.convert_to_tensor(one).numpy()
        array = np.asarray(array)
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        if array.dtype.kind in "OS":
            array = np.array([x.decode() if isinstance(x, bytes) else x
                              for x in array.ravel().tolist()], object).reshape(array.shape)
        found.append(array)
    return found


def run(path: str, args: Any) -> list[np.ndarray]:
    """What onnxruntime makes of a file."""
    ready = session(path)
    return ready.run(None, {port.name: array for port, array in zip(
        ready.get_inputs(), as_arrays(args), strict=True)})


def difference(ours: list[np.ndarray], theirs: list[np.ndarray], rtol: float = 1e-4,
               atol: float = 1e-5) -> str:
    """What differs between two lists of arrays, in words; nothing if they agree."""
    if len(ours) != len(theirs):
        return f"{len(theirs)} results for {len(ours)}"
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i}: {b.dtype}{list(b.shape)} for {a.dtype}{list(a.shape)}"
        if a.dtype.kind in "fV":
            a, b = a.astype("f8"), b.astype("f8")
            scale = max(1.0, float(np.max(np.abs(a[np.isfinite(a)]), initial=0.0)))
            if not np.allclose(b, a, rtol, atol * scale, equal_nan=True):
                return f"result {i}: off by {np.nanmax(np.abs(a - b)):.3g}"
        elif not np.array_equal(a, b):
            return f"result {i}: {b.ravel()[:4]} for {a.ravel()[:4]}"
    return ""


def compared(target: Any, args: Any, wanted: Any, **options: Any) -> str:
    """What differs when the exported target runs on `args`; nothing if it gives `wanted`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        export(target, path, **options)
        return difference(as_arrays(wanted), run(path, args))
