"""Words that generated programs use beside the public API; a pasted program imports them.

They bring a tensor into the shape, range or dtype that an op takes, by ops that any mode of
running can handle, so that every op record can follow every other.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np

import tapeflow as tf
from tapeflow.core.record.op import OPS
from tapeflow.core.record.samples import ints, symmetric, uniform
from tapeflow.core.values.tensor import wrap
from tests.fuzz.data import numbers, wholes  # noqa: F401 - for programs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import draws


def fit(x, shape):
    """The elements of a tensor, repeated or cut, in another shape."""
    flat = tf.reshape(x, [-1])
    count = int(np.prod(shape))
    return tf.reshape(tf.gather(flat, tf.range(count) % tf.size(flat)), shape)


def within(x, low, high):
    """Numbers between low and high, different for different x."""
    return low + (high - low) * tf.sigmoid(x)


def whole(x, low, high, dtype="int32"):
    """Integers from low to high - 1."""
    return tf.cast(tf.floor(within(x, low, high - 1e-3)), dtype)


def positive(x, shape):
    """A symmetric positive definite matrix."""
    a = fit(tf.tanh(x), shape)
    return tf.matmul(a, a, transpose_b=True) + tf.eye(shape[-1], dtype=a.dtype)


def op(name, *xs, **attrs):
    """Call an op by its record."""
    return OPS[name].call(*xs, **attrs)


def sample(name, index, *values):
    """Call an op as sample `index` of its record does, on operands made from `values`.

    Operands that the record leaves open (a shape, a range) come from the values; literal ones
    are taken as they are.
    """
    draw = draws(OPS[name], dtype=values[0].dtype.as_numpy_dtype)[index]
    cycled = [values[i % len(values)] for i in range(len(draw.xs))]
    xs = [_operand(x, request, value)
          for x, request, value in zip(draw.xs, draw.requests, cycled, strict=True)]
    return draw.op.call(*xs, **draw.attrs)


def _operand(x, request, value):
    if isinstance(request, ints):
        return whole(fit(value, request.shape), request.low, request.high, request.dtype)
    if x.dtype != value.dtype.as_numpy_dtype:
        return wrap(x)
    if isinstance(request, symmetric):
        return positive(value, request.shape)
    if isinstance(request, uniform):
        return within(fit(value, request.shape), request.low, request.high)
    if isinstance(request, tuple):
        return fit(value, request)
    return wrap(x)


def floats(ys):
    """Results that have gradients, of an op with one or several."""
    listed = list(ys) if isinstance(ys, (list, tuple)) else [ys]
    return [y for y in listed if y.dtype.is_floating]


def gradients(tape, target, sources):
    """Gradients as tensors, zeros where there are none."""
    return [dense(g) for g in tape.gradient(target, sources, unconnected_gradients="zero")]


def dense(g):
    """A gradient as a tensor."""
    return tf.convert_to_tensor(g)
