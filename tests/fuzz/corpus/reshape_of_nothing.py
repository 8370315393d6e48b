# No elements, in a shape whose -1 follows from the sizes that are not 0, unknown while tracing.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(978, [0, 1], 'float32'))
    def f(a0):
        t0 = tf.reshape(a0, [-1, 0])
        return [t0, t0 @ w0, tf.reduce_sum(t0 * 2.0, 0)]
    return outer(f), [w0]

calls, autograph = 1, False
args = [
    tf.constant(numbers(1, [16, 0, 16], 'float32')),
]
