# Dtypes: what Python and NumPy values become, what does not promote, casts and their errors.

# --- int_times_float_tensor_is_refused
tf.constant(2) * tf.constant(1.5)

# --- float32_plus_float64_names_both
try:
    tf.constant(1.0) + tf.constant(1.0, tf.float64)
except tf.errors.InvalidArgumentError as e:
    print("float" in str(e), "double" in str(e))

# --- matmul_mixed_dtypes
tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.float64))

# --- python_scalars_adapt
x = tf.constant([1.0, 2.0], tf.float64)
print((x * 2).dtype, (2 * x).dtype, (x + 0.1).dtype, (1 / x).dtype, (x ** 2).dtype)
h = tf.constant([1.0], tf.float16)
print((h * 2.5).dtype, (1 - h).dtype)

# --- python_float_with_int_tensor
print(outcome(lambda: tf.constant(2) * 1.5))
print(outcome(lambda: 1.5 + tf.constant([1, 2])))
print(outcome(lambda: tf.constant(2) + 1.0))

# --- python_int_with_int8
x = tf.constant([100], tf.int8)
print(x + 1, (x + 100), x * 2)
print(outcome(lambda: x + 1000))

# --- python_bool_with_numbers
print(outcome(lambda: tf.constant(1.0) * True))
print(outcome(lambda: tf.constant(1) + True))
print(outcome(lambda: tf.constant(True) + tf.constant(True)))

# --- python_list_operand_adapts
print(tf.constant([1.0, 2.0]) + [1, 2], [3, 4] * tf.constant([1, 2]))
print(outcome(lambda: tf.constant([1, 2]) + [1.5, 2.5]))

# --- complex_operand
z = tf.constant([1 + 2j, 3 - 1j])
print(z * 2, z + 1j, z.dtype)
print(outcome(lambda: tf.constant([1.0]) * 1j))

# --- true_division_of_ints
print(tf.constant(7) / tf.constant(2), tf.constant(7, tf.int8) / tf.constant(2, tf.int8))
print((tf.constant(7, tf.int64) / 2).dtype, (tf.constant(7, tf.int16) / 2).dtype, tf.constant(1) / 3)

# --- floor_division_and_mod_of_ints
a = tf.constant([7, -7])
print(a // 2, a % 3, -a // 2, tf.math.floormod(a, -3), tf.truncatediv(a, 2), tf.truncatemod(a, 2))

# --- floor_division_of_floats
a = tf.constant([7.5, -7.5])
print(a // 2.0, a % 2.0, a // 0.0)

# --- integer_division_by_zero
tf.constant(1) // tf.constant(0)

# --- integer_mod_by_zero
tf.constant([1, 2]) % tf.constant([1, 0])

# --- integer_overflow_wraps
print(tf.constant(2**31 - 1) + 1, tf.constant(200, tf.uint8) + tf.constant(100, tf.uint8))
print(-tf.constant(-128, tf.int8), tf.constant(0, tf.uint8) - tf.constant(1, tf.uint8))

# --- cast_between_numbers
x = tf.constant([1.9, -1.9, 0.0])
print(tf.cast(x, tf.int32), tf.cast(x, tf.bool), tf.cast([True, False], tf.float32))
print(tf.cast(x, tf.float16), tf.cast(tf.constant([300, -1]), tf.uint8), tf.cast(3, "float64"))

# --- cast_to_complex_and_back
print(tf.cast([1.0, 2.0], tf.complex64))
print(tf.cast(tf.constant([1 + 2j]), tf.complex64).dtype, tf.math.real(tf.constant([1 + 2j])))

# --- cast_python_values
print(tf.cast(1.7, tf.int32), tf.cast([1, 2], tf.float64), tf.cast(True, tf.int64), tf.cast(np.int64(3), tf.float32))

# --- cast_gradient
x = tf.Variable([1.5, 2.5])
with tf.GradientTape() as tape:
    y = tf.cast(x, tf.float64) ** 2
g = tape.gradient(y, x)
print(y.dtype, g)

# --- cast_through_int_has_no_gradient
x = tf.Variable(2.7)
with tf.GradientTape() as tape:
    y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 3.0
print(y, tape.gradient(y, x))

# --- cast_string_refused
print(outcome(lambda: tf.cast("1.0", tf.float32)))
print(outcome(lambda: tf.cast(tf.constant(1.0), tf.string)))

# --- float16_arithmetic
x = tf.constant([0.1, 1000.0], tf.float16)
print(x * x, x + 1, tf.reduce_sum(x), tf.constant(70000.0, tf.float16))

# --- float16_sum_accumulates_wide
print(tf.reduce_sum(tf.ones([3000], tf.float16)), tf.reduce_mean(tf.ones([3000], tf.float16)))

# --- bfloat16_basics
x = tf.constant([1.0, 2.5, 3.14159], tf.bfloat16)
print(x.dtype, tf.cast(x, tf.float32), tf.cast(x * x, tf.float32), (x + 1).dtype)

# --- bfloat16_gradient
x = tf.Variable(tf.constant([1.5, 2.5], tf.bfloat16))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x)
g = tape.gradient(y, x)
print(g.dtype, tf.cast(g, tf.float32))

# --- float64_gradients_are_float64
x = tf.Variable(1.0, dtype=tf.float64)
with tf.GradientTape() as tape:
    y = tf.sin(x) * 2
print(tape.gradient(y, x))

# --- float16_gradient
x = tf.constant([1.0, 2.0], tf.float16)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_mean(x ** 2)
print(y, tape.gradient(y, x))

# --- saturate_cast
print(tf.saturate_cast([300.0, -5.0, 12.7], tf.uint8), tf.saturate_cast([1e10], tf.int32))

# --- dtype_objects
print(tf.float32, repr(tf.int64), tf.bool.name, tf.float16.size, tf.complex64.real_dtype)
print(tf.float32 == "float32", tf.float32 == np.float32, tf.int32 != tf.int64, hash(tf.int8) == hash(tf.int8))

# --- dtype_predicates
for d in (tf.float16, tf.bfloat16, tf.int32, tf.uint8, tf.bool, tf.complex64, tf.string):
    print(d.name, d.is_floating, d.is_integer, d.is_complex, d.is_bool, d.is_unsigned)

# --- dtype_limits
print(tf.int8.min, tf.int8.max, tf.uint16.max, tf.float32.max, tf.float64.min, tf.int64.max)

# --- dtype_limits_of_bool_and_string
print(outcome(lambda: tf.bool.max), outcome(lambda: tf.string.min))

# --- as_dtype
print(tf.as_dtype("float32"), tf.as_dtype(np.int64), tf.as_dtype(float), tf.as_dtype(tf.bool))
print(outcome(tf.as_dtype, "nonsense"), outcome(tf.as_dtype, int))

# --- dtypes_namespace
print(tf.dtypes.float32 is tf.float32, tf.dtypes.as_dtype("int8"), tf.dtypes.cast(1, tf.float64), tf.half, tf.double)

# --- as_numpy_dtype
print(tf.float32.as_numpy_dtype, tf.int32.as_numpy_dtype(5), np.dtype(tf.float64.as_numpy_dtype))
print(np.zeros(2, dtype=tf.int16.as_numpy_dtype).dtype)

# --- comparison_dtypes
print(outcome(lambda: tf.constant(1) < tf.constant(1.5)))
print(tf.constant([1.0, 2.0]) < 2, tf.constant([1, 2]) >= tf.constant([2, 1]))
print(outcome(lambda: tf.constant(1) < 1.5))

# --- bool_operators
a, b = tf.constant([True, False]), tf.constant([True, True])
print(a & b, a | b, a ^ b, ~a)
print(outcome(lambda: tf.constant([1.0]) & tf.constant([2.0])))

# --- bitwise_operators_on_ints
a, b = tf.constant([6, 5]), tf.constant([3, 3])
print(a & b, a | b, a ^ b, ~a)

# --- shift_is_not_an_operator
print(outcome(lambda: tf.constant(1) << tf.constant(2)))
print(tf.bitwise.left_shift(tf.constant(1), tf.constant(2)), tf.bitwise.bitwise_and(6, 3))

# --- arithmetic_on_bools
a, b = tf.constant([True, False]), tf.constant([True, True])
print(a * b, outcome(lambda: a - b), outcome(lambda: a / b), outcome(lambda: a ** b))

# --- negation_of_bool_refused
-tf.constant(True)

# --- reductions_keep_dtype
x = tf.constant([1, 2, 4])
print(tf.reduce_sum(x), tf.reduce_mean(x), tf.reduce_max(tf.constant([1, 5], tf.uint8)))
print(tf.reduce_mean(tf.constant([-1, -2])), tf.reduce_sum(tf.constant([200, 100], tf.uint8)))

# --- reduce_sum_of_bool_refused
tf.reduce_sum(tf.constant([True, False]))

# --- sqrt_of_int_refused
tf.sqrt(tf.constant(4))

# --- exp_of_python_int
print(outcome(tf.exp, 1))
print(outcome(tf.sin, 0))

# --- float_functions_of_python_floats
print(tf.sqrt(4.0), tf.exp(1.0), tf.math.log(np.float64(2.0)), tf.tanh([0.5, 1.0]))

# --- pow_dtypes
print(tf.constant(2) ** 3, tf.constant(2.0) ** 3, 2 ** tf.constant(3.0), tf.pow(2, 3))
print(outcome(lambda: tf.constant(2) ** 0.5), outcome(lambda: tf.constant(2.0) ** tf.constant(3)))

# --- negative_integer_power
tf.pow(tf.constant(2), tf.constant(-1))

# --- where_dtypes
print(tf.where([True, False], 1.0, 2.0), tf.where([True, False], 1, 2))
print(outcome(lambda: tf.where([True], tf.constant([1]), tf.constant([1.0]))))
print(tf.where(tf.constant([True, False]), tf.constant([1.0, 2.0]), 0.0))

# --- stack_mixed_dtypes
print(outcome(tf.stack, [tf.constant(1), tf.constant(1.0)]))
print(outcome(tf.concat, [[1], [2.0]], 0))
print(outcome(tf.stack, [1, 2.0]))

# --- linspace_and_range_dtypes
print(tf.linspace(0, 10, 3).dtype, tf.linspace(0.0, 1.0, 3).dtype, tf.range(3).dtype, tf.range(3.0).dtype)
print(tf.range(0, 1, 0.25), tf.range(3, dtype=tf.int64).dtype)

# --- argmax_dtype
print(tf.argmax([1.0, 3.0, 2.0]), tf.argmax([1, 3, 2], output_type=tf.int32), tf.argmin([[3, 1]], axis=1))

# --- clip_dtypes
print(tf.clip_by_value(tf.constant([1, 5, 9]), 2, 6), tf.clip_by_value([1.0, 5.0], 2, 4))
print(outcome(lambda: tf.clip_by_value(tf.constant([1, 5]), 1.5, 3.5)))

# --- complex_parts
z = tf.constant([3 + 4j, 1 - 1j], tf.complex64)
print(tf.abs(z), tf.math.real(z), tf.math.imag(z), tf.math.conj(z), tf.math.angle(z))
print(tf.complex([1.0, 2.0], [3.0, 4.0]))

# --- complex_gradient_conjugates
z = tf.constant(3 + 4j, tf.complex64)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(z)
    a = z * z
    b = tf.abs(z) ** 2
    c = tf.math.real(z * tf.math.conj(z))
print(tape.gradient(a, z).numpy(), tape.gradient(b, z).numpy(), tape.gradient(c, z).numpy())

# --- complex_of_float_gradient
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    z = tf.exp(tf.complex(0.0, x))
    y = tf.math.real(z)
print(y, tape.gradient(y, x))

# --- uint_types
for d in (tf.uint8, tf.uint16, tf.uint32, tf.uint64):
    print(tf.constant([1, 2], d) + tf.constant([1, 1], d))

# --- int_abs_sign_square
x = tf.constant([-3, 0, 4])
print(tf.abs(x), tf.sign(x), tf.square(x), tf.negative(x), tf.maximum(x, 1))

# --- bitcast
print(tf.bitcast(tf.constant(1.0), tf.int32), tf.bitcast(tf.constant([1, 0], tf.uint8), tf.uint16).shape)

# --- literal_before_a_tensor_in_function_form
print(outcome(tf.add, 1, tf.constant(2.0)), outcome(tf.maximum, 0, tf.constant([1.0, -1.0])))
print(outcome(tf.subtract, 1.0, tf.constant(2.0, tf.float64)), tf.maximum(0.0, tf.constant([1.0, -1.0])))

# --- two_literals
print(tf.add(1, 2), tf.multiply(1.5, 2), tf.divide(1, 2), tf.maximum(1.5, 2))
print(outcome(tf.maximum, 1, 2.5), outcome(tf.add, 1, 2.5), outcome(tf.add, 1.5, 2))

# --- dtype_in_zeros_by_string
print(tf.zeros([2], "int32"), tf.ones([1], dtype="float64"), tf.zeros([1], float))

# --- experimental_numpy_behaviour_off
print(outcome(lambda: tf.constant(1) + tf.constant(2.0)), outcome(lambda: tf.constant(1).T))
