"""Activations, softmax and losses, and the derivatives of activations."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.numbers.elementwise_nodes import log1p

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


@written("relu6")
def _relu6(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Clip", x, w.scalar(0, x.dtype), w.scalar(6, x.dtype))


@written("leaky_relu")
def _leaky_relu(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("LeakyRelu", x, alpha=float(node.attrs["alpha"]))


@written("elu")
def _elu(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Elu", x)


@written("selu")
def _selu(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Selu", x, alpha=SELU_ALPHA, gamma=SELU_SCALE)


@written("silu")
def _silu(w: GraphWriter, node: Any, x: Term) -> Term:
    return x * w.op("Sigmoid", x)


@written("gelu")
def _gelu(w: GraphWriter, node: Any, x: Term) -> Term:
    return x * (w.op("Erf", x * math.sqrt(0.5)) + 1.0) * 0.5


@written("gelu_tanh")
def _gelu_tanh(w: GraphWriter, node: Any, x: Term) -> Term:
    inner = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
    return x * 0.5 * (w.op("Tanh", inner) + 1.0)


@written("log_sigmoid")
def _log_sigmoid(w: GraphWriter, node: Any, x: Term) -> Term:
    return -w.op("Softplus", -x)


@written("softmax")
def _softmax(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Softmax", x, axis=node.attrs.get("axis", -1))


@written("log_softmax")
def _log_softmax(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("LogSoftmax", x, axis=node.attrs.get("axis", -1))


# -- losses: `slope` is the derivative, which the graph has beside the loss ------------------------
@written("softmax_slope")
def _softmax_slope(w: GraphWriter, node: Any, logits: Term, labels: Term) -> Term:
    return w.op("Softmax", logits, axis=-1) - labels


@written("softmax_cross_entropy")
def _softmax_cross_entropy(w: GraphWriter, node: Any, logits: Term, labels: Term,
                           slope: Term) -> Term:
    weighted = labels * w.op("LogSoftmax", logits, axis=-1)
    return -w.op("ReduceSum", weighted, w.ints(-1), keepdims=0)


def _chosen(w: GraphWriter, logits: Term, labels: Term) -> Term:
    """1 at the label of each row, else 0."""
    classes = w.squeeze(w.size_of(logits, logits.rank - 1), 0)
    values = w.constant(_off_on(logits.dtype))
    return w.op("OneHot", w.cast(labels, INT64), classes, values, dtype=logits.dtype, axis=-1)


def _off_on(dtype: Any) -> Any:
    import numpy as np
    return np.array([0, 1]).astype(dtype)


@written("sparse_softmax_slope")
def _sparse_slope(w: GraphWriter, node: Any, logits: Term, labels: Term) -> Term:
    return w.op("Softmax", logits, axis=-1) - _chosen(w, logits, labels)


@written("sparse_softmax_cross_entropy")
def _sparse_cross_entropy(w: GraphWriter, node: Any, logits: Term, labels: Term,
                          slope: Term) -> Term:
    at = w.unsqueeze(w.cast(labels, INT64), -1)
    found = w.op("GatherElements", w.op("LogSoftmax", logits, axis=-1), at, axis=-1)
    return -w.squeeze(found, -1)


@written("sigmoid_cross_entropy")
def _sigmoid_cross_entropy(w: GraphWriter, node: Any, logits: Term, labels: Term) -> Term:
    """max(x, 0) - x z + log(1 + exp(-|x|))"""
    size = w.op("Exp", -w.op("Abs", logits))
    return w.op("Relu", logits) - logits * labels + log1p(w, size)


# -- derivatives -----------------------------------------------------------------------------------
@written("relu_grad")
def _relu_grad(w: GraphWriter, node: Any, g: Term, y: Term) -> Term:
    return w.where(y > 0, g, 0)


@written("relu6_grad")
def _relu6_grad(w: GraphWriter, node: Any, g: Term, y: Term) -> Term:
    return w.where((y > 0) & (y < 6), g, 0)


@written("leaky_relu_grad")
def _leaky_relu_grad(w: GraphWriter, node: Any, g: Term, x: Term) -> Term:
    return w.where(x > 0, g, g * node.attrs["alpha"])


@written("elu_grad")
def _elu_grad(w: GraphWriter, node: Any, g: Term, y: Term) -> Term:
    return w.where(y < 0, g * (y + 1.0), g)


@written("selu_grad")
def _selu_grad(w: GraphWriter, node: Any, g: Term, y: Term) -> Term:
    return w.where(y < 0, g * (y + SELU_ALPHA * SELU_SCALE), g * SELU_SCALE)


@written("sqrt_grad")
def _sqrt_grad(w: GraphWriter, node: Any, y: Term, g: Term) -> Term:
    return g * 0.5 / y


@written("rsqrt_grad")
def _rsqrt_grad(w: GraphWriter, node: Any, y: Term, g: Term) -> Term:
    return g * -0.5 * y * y * y


@written("reciprocal_grad")
def _reciprocal_grad(w: GraphWriter, node: Any, y: Term, g: Term) -> Term:
    return -g * y * y
