"""Every record that is written as ONNX nodes: its own samples, by onnxruntime and eagerly.

All samples of a record are one function, so that a record is one file.
"""

import pathlib
import re
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import draws

import tapeflow as tf
from tapeflow.base import errors, exports
from tapeflow.core.record.op import OPS
from tapeflow.onnx import ExportError, onnx_records, records
from tests.onnx_export.comparing import compared

exports.load_all()
records.load()
WRITTEN = sorted(name for name in {*onnx_records.WRITTEN, *onnx_records.WRITTEN_COMPLEX}
                 if name in OPS and not OPS[name].stateful)
# Samples that have no ONNX form, or none that onnxruntime has a kernel for: by what is said of it.
LACKS = {
    "bitcast": "opset 26", "reverse_sequence": "first two axes",
    "matrix_diag": "several", "matrix_diag_part": "several", "matrix_set_diag": "several",
    "linspace": "between arrays", "fft": "normalised",
    "rfft": "normalised|axes", "irfft": "normalised|several axes",
    **dict.fromkeys(("max_pool", "avg_pool", "max_pool_gradient", "max_pool_pick",
                     "avg_pool_gradient"), "over the batch"),
    "max_pool_argmax": "over the batch|run time", "convolve_filter_gradient": "groups",
    "gather_nd": "ignored", "scatter_nd": "ignored", "crop_and_resize": "slopes",
    "table_find": "default a run brings", "sparse_cross": "texts",
    "matrix_solve": "differ in rank", "svd": "all vectors",
    "non_max_suppression": "soft", "dynamic_partition": "more than one axis",
    **{f"tensor_scatter_nd_{way}": "ignored" for way in ("update", "add", "sub", "mul", "max",
                                                         "min")}}


# Records of which the signs of some results are nobody's: by their sizes.
SIGNLESS = {"self_adjoint_eig", "svd"}


def _finite(x):
    return x.dtype.kind not in "fc" or np.isfinite(x).all()


def samples(op):
    """(operands, attributes, results) in one dtype."""
    kinds = [(one, dtype) for one, dtype in (("f", "float32"), ("i", "int32"), ("b", "bool"),
                                             ("c", "complex64")) if one in op.allowed]
    for draw in draws(op, dtype=kinds[0][1]) if kinds else ():  # strings: test_functions.py
        xs = [np.asarray(x) for x in draw.xs]
        if any(x.dtype.kind == "O" or not x.size or not _finite(x) for x in xs):
            continue  # runtimes differ where nothing is left to reduce, and in the order of NaN
        try:
            with np.errstate(all="ignore"):
                result = op.kernel(*xs, **draw.attrs)
        except (errors.OpError, ValueError, TypeError):
            continue
        yield xs, draw.attrs, list(result) if op.multi else [result]


def agreement(op, chosen):
    """What differs between the samples' results and onnxruntime's, in words."""
    sizes = [len(xs) for xs, _, _ in chosen]

    def function(*operands):
        found, given = [], iter(operands)
        for size, (_, attrs, _) in zip(sizes, chosen, strict=True):
            y = op.call(*[next(given) for _ in range(size)], **attrs)
            found += y if op.multi else [y]
        return [abs(one) for one in found] if op.name in SIGNLESS else found

    flat = [x for xs, _, _ in chosen for x in xs]
    wanted = [abs(y) if op.name in SIGNLESS else y for _, _, results in chosen for y in results]
    given = [x for x in flat if x.dtype.kind != "c"]
    if len(given) < len(flat):  # files take pairs
        given = flat
    return compared(function, given, wanted, input_signature=[
        tf.TensorSpec(x.shape, x.dtype) for x in flat])


@pytest.mark.parametrize("name", WRITTEN)
def test_samples(name):
    op = OPS[name]
    chosen = list(samples(op))
    if not chosen:
        pytest.skip("no sample without strings")
    try:
        assert agreement(op, chosen) == ""
    except ExportError:
        good = 0
        for one in chosen:  # those that are refused are refused for a reason that is listed
            try:
                assert agreement(op, [one]) == ""
                good += 1
            except ExportError as error:
                assert name in LACKS and re.search(LACKS[name], str(error)), str(error)
        assert good or name in LACKS


def test_the_page_lists_every_record():
    """docs/onnx.md, by `python -m tests.onnx_export.table`."""
    from tests.onnx_export.table import PAGE, page
    assert PAGE.read_text() == page(PAGE.read_text())
