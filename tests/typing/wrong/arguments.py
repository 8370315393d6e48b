"""Calls that are wrong: the comment names what the checker must say of the line."""
import tapeflow as tf

x = tf.constant([[1.0, 2.0]])
tf.matmul(x, x, transpose_c=True)  # error: reportCallIssue
tf.matmul(x)  # error: reportCallIssue
tf.math.sin(y=x)  # error: reportCallIssue
tf.math.sin(None)  # error: reportCallIssue, reportArgumentType
tf.reduce_sum(x, axes=0)  # error: reportCallIssue
tf.reduce_sum({"a": x})  # error: reportArgumentType
tf.Variable(1.0, trainabel=False)  # error: reportCallIssue
tf.GradientTape(persist=True)  # error: reportCallIssue
tf.data.Dataset.range(3).batch()  # error: reportCallIssue
tf.random.normal()  # error: reportCallIssue
tf.nn.conv2d(x, x, 1, pading="SAME")  # error: reportCallIssue
tf.keras.layers.Dense()  # error: reportCallIssue
tf.zeros([2], dtype=3.5)  # error: reportArgumentType


@tf.function
def scaled(a: tf.Tensor, scale: float) -> tf.Tensor:
    return a * scale


scaled(x)  # error: reportCallIssue
scaled(x, 2.0, factor=3.0)  # error: reportCallIssue
with tf.GradientTape() as tape:
    tape.gradient(x)  # error: reportCallIssue
