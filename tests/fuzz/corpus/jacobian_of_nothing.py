# A rule that waits for sizes, in a batch of no elements.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(398, [5, 0], 'float32', 0.537))
    c0 = tf.constant(numbers(283, [3, 0], 'float32', 1.0))
    def f(a0):
        with tf.GradientTape(persistent=True) as b0_t:
            b0_t.watch(a0)
            b0_h = tf.tanh(a0 @ w0) * c0
        t0 = b0_t.jacobian(b0_h, w0)
        t1 = b0_t.jacobian(b0_h, a0)
        return [t0, t1]
    return outer(f), [w0]

calls, autograph = 1, False
args = [
    tf.constant(numbers(332, [3, 5], 'float32', 1.0)),
]
