"""Second derivatives: a tape in a tape, and a tape in a forward accumulator."""
import tapeflow as tf

x = tf.constant(2.0)

with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x**3 + tf.math.sin(x)
    first = inner.gradient(y, x)
second = outer.gradient(first, x)
print(first.numpy(), second.numpy())

with tf.autodiff.ForwardAccumulator(primals=x, tangents=tf.ones_like(x)) as accumulator:
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.exp(x) * x
    gradient = tape.gradient(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
print(accumulator.jvp(gradient))
