"""Jacobians, batch jacobians, Hessians."""
from tapeflow.linalg import eigvalsh, norm
from tapeflow.math import reduce_sum, sin

import tapeflow as tf

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as tape:
        y = reduce_sum(sin(x) ** 2)
    gradient = tape.gradient(y, x)
hessian = tf.reshape(outer.jacobian(gradient, x), [4, 4])
del outer
values = eigvalsh(hessian)
print(values.shape[0], norm(values).numpy(), tf.linalg.trace(hessian))

z = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(z)
    w = z * z[:, ::-1]
print(tape.batch_jacobian(w, z).shape.as_list())
