"""Names that do not exist: the comment names what the checker must say of the line."""
from tapeflow.math import cosine  # error: reportAttributeAccessIssue
from tapeflow.mathematics import sin  # error: reportMissingImports

import tapeflow as tf

x = tf.constant([1.0, 2.0])
tf.math.sine(x)  # error: reportAttributeAccessIssue
tf.sinn(x)  # error: reportAttributeAccessIssue
tf.float31  # error: reportAttributeAccessIssue
tf.errors.InvalidArgument  # error: reportAttributeAccessIssue
x.nump()  # error: reportAttributeAccessIssue
x.shape.ranks  # error: reportAttributeAccessIssue
tf.sin(x).values  # error: reportAttributeAccessIssue
x[0] = 1.0  # error: reportIndexIssue
print({x: 1})  # error: reportUnhashable
print(x + None)  # error: reportOperatorIssue
tf.Variable(x).assign_mul(2)  # error: reportAttributeAccessIssue
tf.data.Dataset.range(3).shufle(3)  # error: reportAttributeAccessIssue
tf.keras.layers.Dens(3)  # error: reportAttributeAccessIssue
tf.function(lambda a: a).get_concrete(x)  # error: reportAttributeAccessIssue
with tf.GradientTape() as tape:
    tape.wach(x)  # error: reportAttributeAccessIssue
print(cosine, sin)
