"""Every record with a form, compiled and run, against its kernel: the record's own samples.

All samples of an op are one graph, so that an op is one compilation. Operands come as they are,
then misaligned and not contiguous, where the entry has to make copies.
"""

import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import BFLOAT16, draws, specials

import tapeflow  # noqa: F401
from tapeflow.base import errors
from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.op import OPS, Spec
from tapeflow.graph.tracing.trace import trace
from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.pipeline import compile

KINDS = {"f": ["float32", "float16"], "V": [BFLOAT16], "i": ["int8", "int64"], "u": ["uint32"],
         "b": ["bool"], "c": ["complex64"]}
LOGITS = ("sparse_softmax_slope", "sparse_softmax_cross_entropy")  # integers are their labels
# Relative (and absolute) error allowed beside a few ulp, where sums are long or terms cancel.
LOOSE = {"digamma": 1e-14, "lgamma": 1e-14}
NATIVE = sorted(name for name, op in OPS.items() if op.lower is not None and not op.stateful)


def samples(op):
    kinds = "fV" if op.name in LOGITS else "c" if op.allowed == {"c"} else "fViub"
    dtypes = [dtype for kind in kinds if kind in op.allowed for dtype in KINDS[kind]]
    wide = ["float64"] if "f" in op.allowed and isinstance(op.lower, forms.Pointwise) else []
    for dtype in dtypes + wide:
        for draw in draws(op, dtype=dtype):
            yield list(draw.xs), draw.attrs
        if dtype == "float32":
            points = specials(op, dtype)
            if points:
                yield points, {}


def wanted_of(op, xs, attrs):
    """What the kernel gives; None where it refuses, or gives a dtype without native code."""
    try:
        with np.errstate(all="ignore"):
            result = op.kernel(*xs, **attrs)
    except (errors.OpError, ValueError, TypeError):
        return None
    results = [np.asarray(y) for y in (result if op.multi else (result,))]
    specs = op.shape(*[Spec(x.shape, x.dtype) for x in xs], **attrs)
    sizes = [n for spec in (specs if op.multi else (specs,)) for n in spec.shape]
    sizes += [n for x in xs for n in x.shape]
    if None in sizes or 0 in sizes:  # known at the run only, or nothing to compute: not native
        return None
    return results if all(y.dtype.name in LLVM for y in results) else None


def compiled(op, cases):
    """One graph of all cases."""
    specs = [Spec(x.shape, x.dtype) for xs, _ in cases for x in xs]

    def run(*inputs):
        rest, outputs = list(inputs), []
        for xs, attrs in cases:
            mine, rest = rest[:len(xs)], rest[len(xs):]
            y = op.call(*mine, **attrs)
            outputs += y if op.multi else [y]
        return outputs

    tracing, _, outputs = trace(run, specs, op.name)
    tracing.graph.outputs = [tracing.value_of(y) for y in outputs]
    return compile(tracing.graph)


def awkward(x):
    """The same numbers, neither aligned nor one behind the other."""
    if not x.ndim:
        return x
    room = np.zeros(x.size * 2 * x.itemsize + 1, "u1")[1:].view(x.dtype).reshape(
        *x.shape[:-1], x.shape[-1] * 2)
    room[..., ::2] = x
    return room[..., ::2]


def check(op, y, wanted):
    assert y.dtype == wanted.dtype and y.shape == wanted.shape, (y, wanted)
    if y.dtype.kind not in "fV":
        np.testing.assert_array_equal(y, wanted)
        return
    eps = 2.0 ** -7 if y.dtype.kind == "V" else float(np.finfo(y.dtype).eps)
    slack = 2 if y.dtype.itemsize == 2 else 64
    tolerance = max(slack * eps, LOOSE.get(op.name, 0))
    np.testing.assert_allclose(y.astype("float64"), wanted.astype("float64"), rtol=tolerance,
                               atol=tolerance)


@pytest.mark.parametrize("name", NATIVE)
def test_native(name):
    op = OPS[name]
    cases, wanted = [], []
    for xs, attrs in samples(op):
        results = wanted_of(op, xs, attrs)
        if results is not None and all(x.dtype.name in LLVM for x in xs):
            cases.append((xs, attrs))
            wanted += results
    native = compiled(op, cases)
    operands = [np.ascontiguousarray(x).reshape(x.shape) for xs, _ in cases for x in xs]
    for arrays in (operands, [awkward(x) for x in operands]):
        for y, w in zip(native.run(arrays, []), wanted, strict=True):
            check(op, np.asarray(y), w)


def test_forms_are_forms():
    """A name alone would be passed over by the compiler: the op's kernel would be called."""
    assert not [name for name, op in OPS.items() if isinstance(op.lower, str)]


def test_most_ops_are_native():
    kinds = [type(op.lower) for op in OPS.values()]
    assert kinds.count(forms.Pointwise) > 80 and kinds.count(forms.Expand) > 30
