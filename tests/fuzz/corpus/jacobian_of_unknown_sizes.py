# The shape of a scatter in a map over the rows of a jacobian, where sizes become known by a call.
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *

def build(inner, outer):
    w0 = tf.Variable(np.array([-1.45, -1.41, 1.05, -0.45], np.float64))
    def f(a2):
        with tf.GradientTape() as b0_tape:
            b0_tape.watch(a2)
            t4 = tf.tanh(fit(a2, [2])) + tf.reduce_sum(tf.sin(a2))
        t5 = b0_tape.jacobian(t4, a2)
        return [a2, t5]
    return outer(f), [w0]

calls, autograph = 1, False
args = [
    tf.constant(np.array([[-0.65, -1.12, 0.13], [-1.01, 0.47, -0.63]], np.float64)),
]
