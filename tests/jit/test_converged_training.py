"""Training until the loss is as small as it becomes: native code is compared again and again, and
rounding errors, which are then all that is left, are not to be taken for a miscompile.
"""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.settings import settings
from tapeflow.jit.tiering import graph_tiering
from tapeflow.jit.verification.native_comparison import Comparison

RNG = np.random.default_rng(0)
X = tf.constant(RNG.normal(size=(64, 8)).astype("float32"))
LABELS = tf.argmax(X @ RNG.normal(size=(8, 5)).astype("float32"), 1, output_type=tf.int32)
ONE_HOT = tf.one_hot(LABELS, 5)
SIGNS = tf.sign(X[:, :1])
VALUES = X[:, :3] * 0.5 + 1
STEPS = 4000


def sharpness(y):
    """Of a softmax: its entropy, which vanishes."""
    return tf.reduce_sum(tf.nn.softmax(y) * tf.nn.log_softmax(y), -1)


def angle(x, y):
    return 1 - tf.reduce_sum(tf.nn.l2_normalize(x, -1) * tf.nn.l2_normalize(y, -1), -1)


# How many outputs a network has, and the loss of each row.
LOSSES = {
    "sparse": (5, lambda y: tf.nn.sparse_softmax_cross_entropy_with_logits(LABELS, y)),
    "dense": (5, lambda y: tf.nn.softmax_cross_entropy_with_logits(ONE_HOT, y)),
    "log_softmax": (5, lambda y: -tf.reduce_sum(tf.nn.log_softmax(y) * ONE_HOT, -1)),
    "logsumexp": (5, lambda y: tf.reduce_logsumexp(y, -1) - tf.reduce_sum(y * ONE_HOT, -1)),
    "softmax": (5, lambda y: -tf.math.log(tf.reduce_sum(tf.nn.softmax(y) * ONE_HOT, -1) + 1e-9)),
    "focal": (5, lambda y: -tf.reduce_sum(
        ONE_HOT * (1 - tf.nn.softmax(y)) ** 2 * tf.nn.log_softmax(y), -1)),
    "entropy": (5, lambda y: -sharpness(y)),
    "sigmoid": (1, lambda y: tf.nn.sigmoid_cross_entropy_with_logits((SIGNS + 1) / 2, y)),
    "softplus": (1, lambda y: tf.nn.softplus(-SIGNS * y)),
    "log1p": (1, lambda y: tf.math.log1p(tf.exp(-SIGNS * y))),
    "hinge": (1, lambda y: tf.maximum(0.0, 1 - SIGNS * y)),
    "squares": (3, lambda y: (y - VALUES) ** 2),
    "logcosh": (3, lambda y: tf.math.log(tf.cosh(y - VALUES))),
    "norm": (3, lambda y: tf.norm(y - VALUES, axis=-1)),
    "angle": (3, lambda y: angle(y, VALUES)),
    "expm1": (3, lambda y: tf.math.expm1(y - VALUES) ** 2),
}
ACTIVATIONS = {"gelu": tf.nn.gelu, "tanh": tf.tanh, "relu": tf.nn.relu, "silu": tf.nn.silu}


@pytest.fixture
def comparisons(monkeypatch):
    """Native code is compared every few runs; how often it was."""
    judge, found = Comparison.judge, []

    def counted(self, *args):
        found.append(self)
        return judge(self, *args)

    monkeypatch.setattr(Comparison, "judge", counted)
    monkeypatch.setattr(settings, "checks", 50)
    monkeypatch.setattr(graph_tiering, "SHARE", 0)
    return found


def network(outputs, activation):
    """A perceptron, and its weights: the same whatever other tests have drawn."""
    sizes, rng = ((8, 16), (16, outputs)), np.random.default_rng(1)
    w = [tf.Variable(rng.normal(size=one).astype("float32")) for one in sizes]
    b = [tf.Variable(tf.zeros(size)) for _, size in sizes]
    return lambda x: activation(x @ w[0] + b[0]) @ w[1] + b[1], [*w, *b]


def adam(variables):
    first, second = [[tf.Variable(tf.zeros_like(one)) for one in variables] for _ in range(2)]

    def apply(gradients):
        for v, m, s, g in zip(variables, first, second, gradients, strict=True):
            m.assign(0.9 * m + 0.1 * g)
            s.assign(0.99 * s + 0.01 * g * g)
            v.assign_sub(0.02 * m / (tf.sqrt(s) + 1e-7))

    return apply


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("name", LOSSES)
def test_no_comparison_fails_however_small_the_loss(name, activation, comparisons):
    outputs, loss = LOSSES[name]
    model, variables = network(outputs, ACTIVATIONS[activation])
    apply = adam(variables)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            mean = tf.reduce_mean(loss(model(X)))
        apply(tape.gradient(mean, variables))
        return mean

    before = step()
    for _ in range(STEPS):  # a warning, of a miscompile, is an error
        after = step()
    assert after < 0.05 * before
    assert len(comparisons) > 20
    assert tf.compiler.explain(step).native
