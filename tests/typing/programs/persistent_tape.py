"""A tape that is asked several times, watches by hand, and pauses."""
import tapeflow as tf

x = tf.constant(3.0)
weights = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
with tf.GradientTape(persistent=True, watch_accessed_variables=True) as tape:
    tape.watch(x)
    y = weights["a"] * x**2
    with tape.stop_recording():
        hidden = y * 100
    z = tf.tanh(y) + tf.add_n([x, y])
print(tape.gradient(z, x), tape.gradient(y, {"x": x, "w": weights}), hidden)
print([variable.name for variable in tape.watched_variables()])
print(tape.gradient([y, z], [x], output_gradients=[tf.constant(1.0), tf.constant(0.5)]))
