"""Complex numbers beyond arithmetic: moved and added part by part; functions by formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.onnx.onnx_records import WRITTEN, WRITTEN_COMPLEX, written_complex
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.numbers.signal_nodes import pair, part


def parts(w: GraphWriter, z: Term) -> tuple[Term, Term]:
    return part(w, z, 0), part(w, z, 1)


def _by_parts(name: str) -> None:
    real = WRITTEN[name]

    def write(w: GraphWriter, node: Any, *xs: Term) -> list[Term]:
        found = []
        for i in (0, 1):
            results = real(w, node, *[part(w, x, i) if x.dtype.kind == "c" else x for x in xs])
            found.append(results if isinstance(results, (list, tuple)) else [results])
        return [pair(w, value.dtype, a, b)
                for value, a, b in zip(node.outputs, *found, strict=True)]

    write.kinds = getattr(real, "kinds", None) or ["Concat", "Gather"]  # type: ignore[attr-defined]
    written_complex(name)(write)


def by_parts(*names: str) -> None:
    """Records that do to each part what they do to real numbers."""
    for name in names:
        _by_parts(name)


by_parts("broadcast_to", "crop", "cut", "ensure_shape", "frame", "keep_where", "mirror_pad", "pad",
         "repeat", "reverse_sequence", "section", "select", "split", "squeeze", "tile", "uncut",
         "unsection", "unstack")
by_parts("gather", "gather_nd", "gather_rows", "pick_rows", "take", "take_along", "array_write",
         "scatter_nd", "scatter_rows", "tensor_scatter_nd_add", "tensor_scatter_nd_sub",
         "tensor_scatter_nd_update", "dynamic_partition", "dynamic_stitch")
by_parts("add_n", "cumsum", "overlap_and_add", "segment_mean", "segment_sum", "sum_to")
by_parts("matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag")


@written_complex("fill_like")
def _fill_like(w: GraphWriter, node: Any, x: Term) -> Term:
    """One number, by "Expand" """
    value = w.constant(np.asarray(node.attrs["value"]).astype(x.dtype))
    return w.op("Expand", value, w.concat([w.shape_of(x), w.ints(2)]), dtype=x.dtype)


@written_complex("equal")
def _equal(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """Both parts, by "Equal" """
    (a, b), (c, d) = parts(w, x), parts(w, y)
    return a.equals(c) & b.equals(d)


@written_complex("not_equal")
def _not_equal(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """Either part, by "Equal" """
    return ~_equal(w, node, x, y)


@written_complex("size")
def _size(w: GraphWriter, node: Any, x: Term) -> Term:
    """Half of "Size": a number is a pair"""
    return w.cast(w.op("Size", x, dtype=INT64, shape=()) / 2, node.attrs["dtype"])


@written_complex("contract")
def _contract(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """Four real products, by "Einsum" or "MatMul" """
    real = WRITTEN["contract"]
    (a, b), (c, d) = parts(w, x), parts(w, y)
    return pair(w, x.dtype, real(w, node, a, c) - real(w, node, b, d),
                real(w, node, a, d) + real(w, node, b, c))


# -- functions -------------------------------------------------------------------------------------
def _waves(w: GraphWriter, circular: Term, hyperbolic: Term) -> tuple[Term, Term, Term, Term]:
    """sin and cos of one number, sinh and cosh of another."""
    return (w.op("Sin", circular), w.op("Cos", circular), w.op("Sinh", hyperbolic),
            w.op("Cosh", hyperbolic))


def _sine(w: GraphWriter, x: Term) -> Term:
    s, c, sh, ch = _waves(w, *parts(w, x))
    return pair(w, x.dtype, s * ch, c * sh)


def _cosine(w: GraphWriter, x: Term) -> Term:
    s, c, sh, ch = _waves(w, *parts(w, x))
    return pair(w, x.dtype, c * ch, -(s * sh))


def _hyperbolic_sine(w: GraphWriter, x: Term) -> Term:
    a, b = parts(w, x)
    s, c, sh, ch = _waves(w, b, a)
    return pair(w, x.dtype, sh * c, ch * s)


def _hyperbolic_cosine(w: GraphWriter, x: Term) -> Term:
    a, b = parts(w, x)
    s, c, sh, ch = _waves(w, b, a)
    return pair(w, x.dtype, ch * c, sh * s)


def _ratio(above: Callable, below: Callable) -> Callable:
    def formula(w: GraphWriter, x: Term) -> Term:
        return WRITTEN_COMPLEX["divide"](w, None, above(w, x), below(w, x))

    return formula


def _one(w: GraphWriter, x: Term) -> Term:
    return w.constant(np.ones((), x.dtype))


def _function(name: str, kinds: list[str], formula: Callable) -> None:
    def write(w: GraphWriter, node: Any, x: Term) -> Term:
        return formula(w, x)

    write.kinds = kinds  # type: ignore[attr-defined]
    written_complex(name)(write)


for _name, _kinds, _formula in (
        ("sin", ["Sin", "Cosh"], _sine), ("cos", ["Cos", "Cosh"], _cosine),
        ("sinh", ["Sinh", "Cos"], _hyperbolic_sine), ("cosh", ["Cosh", "Cos"], _hyperbolic_cosine),
        ("tan", ["Sin", "Cosh", "Div"], _ratio(_sine, _cosine)),
        ("tanh", ["Sinh", "Cos", "Div"], _ratio(_hyperbolic_sine, _hyperbolic_cosine)),
        ("reciprocal", ["Div"], _ratio(_one, lambda w, x: x))):
    _function(_name, _kinds, _formula)


@written_complex("pow")
def _pow(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """exp(y log x), by "Exp" and "Log"; 0 where x is 0"""
    (a, b), product = parts(w, x), WRITTEN_COMPLEX["multiply"]
    whole = y.const is not None and not y.rank and y.const in (2, 3)
    if whole:
        square = product(w, node, x, x)
        return square if y.const == 2 else product(w, node, square, x)
    made = WRITTEN_COMPLEX["exp"](w, node, product(w, node, y, WRITTEN_COMPLEX["log"](w, node, x)))
    nothing = a.equals(0.0) & b.equals(0.0)
    return w.where(w.unsqueeze(nothing, -1), w.constant(np.zeros((), x.dtype)), made)
