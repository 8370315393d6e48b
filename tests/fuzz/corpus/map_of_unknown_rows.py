# Rows of two tensors, of which one has a known number of rows while tracing and the other has not.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(numbers(807, [2, 1], 'float32'))
    c0 = tf.constant(numbers(488, [8, 2], 'float32'))
    def f(a0):
        t0 = tf.map_fn(lambda row: row[0] * tf.reduce_sum(row[1]), (a0, c0),
                       fn_output_signature='float32')
        t1 = tf.scan(lambda s, row: 0.5 * s + row[0] * row[1], (c0, a0), tf.zeros([2]))
        t2 = tf.foldr(lambda s, row: 0.5 * s + row[0] * row[1], (a0, c0), tf.zeros([2]))
        return [t0, t1, t2, t1 @ w0]
    return outer(f), [w0]

calls, autograph = 1, False
args = [
    tf.constant(numbers(362, [8, 1], 'float32')),
]
