# Gradients in bfloat16 through a branch whose sizes are unknown while tracing were float32.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(16, [1, 4], 'bfloat16', 1.2))
    def f(a0):
        with tf.GradientTape() as tape:
            t0 = tf.cond(tf.reduce_sum(a0) > 0.1037, lambda: a0 * w0, lambda: tf.tanh(a0 * w0))
            t1 = tf.reduce_sum(tf.square(t0)) / 7.0
        t2, t3 = [t1, *gradients(tape, t1, [w0])]
        w0.assign(w0 - 0.1 * t3)
        return [t2, t3]
    return outer(f), [w0]

calls, autograph = 2, False
args = [
    tf.constant(numbers(324, [16, 1], 'bfloat16', 1.0)),
]
