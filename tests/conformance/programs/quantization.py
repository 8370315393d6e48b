# tf.quantization: rounding to few bits in training.

# --- fake_quant
q = tf.quantization
x = tf.constant([-7.0, -6.0, -3.2, -0.01, 0.0, 0.013, 1.0, 2.7, 5.99, 6.0, 8.0, float("inf")])
print(q.fake_quant_with_min_max_args(x), q.fake_quant_with_min_max_args(x, -1, 2, 4), q.fake_quant_with_min_max_args(x, 0.1, 3, 8, True))
print(q.fake_quant_with_min_max_vars(x, -1.3, 2.5), q.fake_quant_with_min_max_vars(x, 0.0, 0.0), q.fake_quant_with_min_max_vars(x, -1.3, 2.5, 16, True))
y = tf.constant([[1.0, 2.0], [-3.0, 0.5], [0.2, 9.0]])
print(q.fake_quant_with_min_max_vars_per_channel(y, [-1.0, 0.0], [1.0, 6.0]))
for f in (lambda: q.fake_quant_with_min_max_args(x, 1, 0), lambda: q.fake_quant_with_min_max_args(x, num_bits=1), lambda: q.fake_quant_with_min_max_vars(x, 0.0, 1.0, 17), lambda: q.fake_quant_with_min_max_vars(tf.cast(x, tf.float64), 0.0, 1.0), lambda: q.fake_quant_with_min_max_vars_per_channel(y, [0.0], [1.0])):
    print(outcome(f))

# --- fake_quant_gradients
q = tf.quantization
x, a, b = tf.constant([-7.0, -1.3, -0.2, 0.0, 1.0, 2.5, 8.0]), tf.constant(-1.3), tf.constant(2.5)
with tf.GradientTape(persistent=True) as tape:
    tape.watch([x, a, b])
    z = q.fake_quant_with_min_max_vars(x, a, b) * tf.range(1.0, 8.0)
    w = q.fake_quant_with_min_max_args(x, -1, 2) ** 2
print(tape.gradient(z, [x, a, b]), tape.gradient(w, x))
y, c, d = tf.constant([[1.0, 2.0], [-3.0, 0.5], [0.2, 9.0]]), tf.constant([-1.0, 0.0]), tf.constant([1.0, 6.0])
with tf.GradientTape() as tape:
    tape.watch([y, c, d])
    z = q.fake_quant_with_min_max_vars_per_channel(y, c, d) * y
print(tape.gradient(z, [y, c, d]))
print(q.fake_quant_with_min_max_vars_gradient(tf.ones([3]), [-5.0, 0.0, 5.0], -1.0, 1.0), q.fake_quant_with_min_max_args_gradient(tf.ones([3]), [-5.0, 0.0, 5.0], -1.0, 1.0), q.fake_quant_with_min_max_vars_per_channel_gradient(tf.ones([3, 2]), y, c, d))

# --- quantize_and_dequantize
q = tf.quantization
y = tf.constant([[1.0, 2.0], [-3.0, 0.5], [0.2, 9.0]])
for options in ({}, {"range_given": True}, {"signed_input": False, "range_given": True}, {"num_bits": 4}, {"narrow_range": True}, {"round_mode": "HALF_UP", "num_bits": 3}):
    print(q.quantize_and_dequantize_v2(y, -2.0, 4.0, **options))
x = tf.constant([-3.0, 0.5, 1.0, 7.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    z = q.quantize_and_dequantize_v2(x, -2.0, 4.0, range_given=True)
    w = q.quantize_and_dequantize_v2(x, 0.0, 0.0)
print(tape.gradient(z, x), tape.gradient(w, x))
