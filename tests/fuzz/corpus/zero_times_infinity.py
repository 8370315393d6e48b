# A matrix times a matrix of one element: 0 times infinity is NaN, eagerly too.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(np.zeros([1, 1], np.float32))
    def f(a0):
        t0 = tf.matmul(a0, w0, transpose_a=True)
        t1 = w0 @ a0
        w0.assign_add([[0.5]])
        return [t0, t1]
    return outer(f), [w0]

calls, autograph = 2, False
args = [
    tf.constant(np.array([[1.0, np.inf, -2.0, np.nan, 0.0]], np.float32)),
]
