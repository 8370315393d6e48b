"""Losses, activations, convolutions and reductions; results with named parts."""
import tapeflow as tf

labels = tf.constant([0, 2])
logits = tf.Variable([[2.0, 1.0, 0.1], [0.3, 0.2, 3.0]])
with tf.GradientTape() as tape:
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses) + 0.01 * tf.nn.l2_loss(logits)
print(loss.numpy(), tape.gradient(loss, logits).shape)

top = tf.math.top_k(logits, k=2)
print(top.values, top.indices.shape, tf.argmax(logits, axis=-1), tf.nn.softmax(logits, axis=-1))
mean, variance = tf.nn.moments(logits, axes=[0])
q, r = tf.linalg.qr(tf.eye(3))
print(mean, variance, q @ r, tf.keras.losses.MeanSquaredError()(labels, labels).numpy())
image = tf.random.normal((1, 8, 8, 3))
kernel = tf.random.normal((3, 3, 3, 4))
maps = tf.nn.conv2d(image, kernel, strides=1, padding="SAME")
print(tf.nn.max_pool2d(tf.nn.leaky_relu(maps, alpha=0.1), 2, 2, "VALID").shape)
print(tf.where(maps > 0, maps, 0.0).shape, tf.einsum("bijc->bc", maps).shape)
print(tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + i), [0, 0]))
print(tf.cond(loss > 0, lambda: loss, lambda: -loss), tf.map_fn(lambda x: x * 2, labels))
