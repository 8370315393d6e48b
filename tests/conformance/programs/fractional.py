# --- fractional_max
# alone
x = tf.reshape(tf.range(90.0), [1, 9, 10, 1])
for pseudo in (False, True):
    for overlapping in (False, True):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, rows, columns = tf.nn.fractional_max_pool(x, [1.0, 1.44, 1.73, 1.0], pseudo, overlapping, seed=3)
        print(rows.numpy().tolist(), columns.numpy().tolist(), y.numpy().ravel().tolist())
        print(tape.gradient(y, x).numpy().ravel().tolist())
y = tf.nn.fractional_max_pool(x, 1.5, seed=7)
print(y.output.shape, y.row_pooling_sequence, y.col_pooling_sequence.dtype)

# --- fractional_max_gradient
# alone
x = tf.constant(np.random.RandomState(1).rand(2, 7, 8, 2), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.fractional_max_pool(x, 1.4, True, True, seed=5).output
    loss = tf.reduce_sum(y ** 2)
print(y.shape, tape.gradient(loss, x).numpy().round(4).ravel().tolist())

# --- fractional_avg
# alone
x = tf.constant(np.random.RandomState(2).rand(1, 8, 9, 2), tf.float32)
for overlapping in (False, True):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.fractional_avg_pool(x, [1.0, 1.3, 2.2, 1.0], overlapping=overlapping, seed=11)
        loss = tf.reduce_sum(y.output ** 2)
    print(y.output.numpy().round(4).ravel().tolist(), tape.gradient(loss, x).numpy().round(4).ravel().tolist())

# --- fractional_errors
x = tf.ones([1, 6, 6, 1])
print(outcome(tf.nn.fractional_max_pool, x, 0.5, seed=1), outcome(tf.nn.fractional_max_pool, x, [1.5, 1.5], seed=1))
print(tf.nn.fractional_max_pool(x, 1.5).output.shape, outcome(tf.nn.fractional_avg_pool, x, 1.5, seed=1))
