# A scatter of rows of one variable into another, assigned to the first, was made in its place.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(96, [1, 3], 'float32', 1.2))
    w1 = tf.Variable(numbers(444, [1, 3], 'float32', 1.2))
    w2 = tf.Variable(numbers(300, [1, 3], 'float32', 1.2))
    def f(a0, a1):
        def b0_1a():
            w1.scatter_update(tf.IndexedSlices(w2[:1], a1[:1]))
            w2.assign(tf.reverse(w1, [0]))
            w1.assign(w1 * w2 - a0)
            return tf.gather(w2, a1)[0, 0]
        def b0_1b():
            b0_6 = w2 + 0.0; w2.assign(w0 * 0.5); w0.assign(b0_6)
            b0_7 = tf.identity(w1); w1.assign(w0); w0.assign(b0_7)
            return tf.reduce_mean(w0 * w1)
        b0_1 = tf.cond(tf.reduce_mean(w0) < 0.2037, b0_1a, b0_1b)
        t0 = b0_1 + 0.0
        return [t0]
    return outer(f), [w0, w1, w2]

calls, autograph = 2, False
args = [
    tf.constant(numbers(592, [1, 3], 'float32', 1.0)),
    tf.constant(wholes(870, [1], 0, 1, 'int32')),
]
