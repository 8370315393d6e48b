"""tf.function with and without arguments, on functions, methods and lambdas."""
import tapeflow as tf


@tf.function
def affine(x: tf.Tensor, scale: float, shift: float = 0.0) -> tf.Tensor:
    return x * scale + shift


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], reduce_retracing=True)
def total(x):
    return tf.reduce_sum(x)


@tf.function(jit_compile=True)
def sign(x):
    if x > 0:
        return 1
    return -1


class Counter(tf.Module):
    def __init__(self, name: str | None = None):
        super().__init__(name=name)
        self.count = tf.Variable(0, dtype=tf.int32)

    @tf.function
    def add(self, n: int = 1) -> tf.Tensor:
        return self.count.assign_add(n).read_value()


x = tf.constant([1.0, 2.0])
doubled: tf.Tensor = affine(x, 2.0)
counter = Counter()
counter.add(2)
counter.add()
print(doubled.shape, affine(x, scale=2.0, shift=1.0).numpy(), total(x).numpy())
print(sign(tf.constant(3)).numpy(), len(counter.trainable_variables))
print(tf.function(lambda a, b: a @ b)(tf.eye(2), tf.eye(2)).numpy())
print(affine.get_concrete_function(x, 2.0, 0.0), affine.__name__)
print(affine.python_function(x, 1.0), affine.experimental_get_tracing_count() > 0)
