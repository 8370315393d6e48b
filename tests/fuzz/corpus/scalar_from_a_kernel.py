# A loop that runs on NumPy between native parts changes a scalar variable: what it wrote was lost.
import numpy as np

import tapeflow as tf
from tests.fuzz.language import *


def build(inner, outer):
    w0 = tf.Variable(np.array(1.09, np.float32))
    def f(a0):
        t0 = tf.reduce_sum(a0)
        w0.assign_add(0.5 * w0)
        t1 = w0.read_value()
        def next_(t2, t3):
            def body(t4, t5):
                w0.assign_add(0.5 * w0)
                return t4 + 1, t0
            tf.while_loop(lambda i, c: i < 1, body, [tf.constant(0), tf.identity(t2)])
            return t0
        tf.foldr(next_, tf.ensure_shape(a0, [None]), initializer=tf.identity(t0))
        return [t1]
    return outer(f), [w0]

calls, autograph = 2, False
args = [
    tf.constant(numbers(1, [2], 'float32')),
]
