"""Random numbers with seeds, generators and shuffles."""
import tapeflow as tf

tf.random.set_seed(1)
print(tf.random.normal([2, 3], mean=1.0, stddev=2.0, dtype=tf.float64, seed=3).dtype)
print(tf.random.uniform(shape=(), minval=0, maxval=10, dtype=tf.int32).numpy())
print(tf.random.stateless_normal([2], seed=[1, 2]), tf.random.shuffle(tf.range(5)))
generator = tf.random.Generator.from_seed(7)
print(generator.normal([2]), generator.split(2)[0].uniform([], maxval=5, dtype=tf.int64))
print(tf.random.categorical(tf.math.log([[0.5, 0.5]]), num_samples=3).shape)
weights = tf.Variable(tf.initializers.GlorotUniform(seed=1)(shape=(2, 2)))
print(weights.shape, tf.random_normal_initializer(stddev=0.1)([2], dtype=tf.float32))
