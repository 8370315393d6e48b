# The gradient of regression with two features, made in the place of the variable: of two rows, the
# second was taken for the first.
import numpy as np

import tapeflow as tf
from tests.fuzz.language import *


def build(inner, outer):
    w0 = tf.Variable(np.ones([2, 1], np.float32))
    def f(a0, a1):
        t0 = tf.matmul(a0, a0 @ w0 - a1, transpose_a=True)
        w0.assign_sub(0.1 * t0)
        return [t0]
    return outer(f), [w0]

calls, autograph = 3, False
args = [
    tf.constant(numbers(1, [16, 2], 'float32')),
    tf.constant(numbers(2, [16, 1], 'float32')),
]
