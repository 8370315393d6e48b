# Rows of a variable changed at indices whose number is unknown while tracing.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(105, [3, 5], 'float32', 0.693))
    w1 = tf.Variable(numbers(106, [2, 3], 'float32', 0.693))
    def f(a0, a1):
        w0.scatter_add(tf.IndexedSlices(0.1 * a1, a0))
        w0.scatter_mul(tf.IndexedSlices(tf.constant(2.0), a0))
        w1.batch_scatter_update(tf.IndexedSlices(a1[:2, :1], a0[:2, tf.newaxis]))
        return [a1]
    return outer(f), [w0, w1]

calls, autograph = 2, False
args = [
    tf.constant(np.array([2, 0, 2], np.int32)),
    tf.constant(numbers(744, [3, 5], 'float32')),
]
