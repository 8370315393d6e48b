# tf.debugging: assertions on values, shapes, ranks, types; check_numerics; and small queries.

# --- comparisons
a, b = tf.constant([1, 2]), tf.constant([1, 3])
d = tf.debugging
for f in (d.assert_equal, d.assert_none_equal, d.assert_less, d.assert_less_equal, d.assert_greater, d.assert_greater_equal):
    print(outcome(lambda: f(a, a)), outcome(lambda: f(a, b)), outcome(lambda: f(b + 5, a)), outcome(lambda: f(a, 9)), outcome(lambda: f(1, 1)), outcome(lambda: f([], [])))

# --- comparison_errors
d = tf.debugging
for call in (lambda: d.assert_equal(tf.zeros([2]), tf.zeros([3])), lambda: d.assert_equal(tf.constant(1), tf.constant(1.0)), lambda: d.assert_less("a", "b"), lambda: d.assert_equal("a", "a"), lambda: d.assert_equal(None, 1), lambda: d.assert_equal(tf.constant(1), None), lambda: d.assert_less(tf.constant([1.0, float("nan")]), 5.0), lambda: d.assert_equal(float("nan"), float("nan")), lambda: d.assert_equal(tf.Variable(1), 1), lambda: d.assert_equal([1, 2], [[1], [1]])):
    print(outcome(call))

# --- messages
# exact
for call in (lambda: tf.debugging.assert_equal(tf.constant([1, 2, 3]), tf.constant([1, 5, 6]), message="They differ."), lambda: tf.debugging.assert_less(tf.range(8), 3), lambda: tf.debugging.assert_less(tf.range(8), 3, summarize=2), lambda: tf.debugging.assert_positive(tf.constant([1.0, -2.0])), lambda: tf.debugging.assert_near(1.0, 1.5), lambda: tf.debugging.assert_greater(1.0, 2.0), lambda: tf.debugging.assert_negative([1.5, 2], message="M", summarize=1), lambda: tf.debugging.assert_non_negative(-1), lambda: tf.debugging.assert_none_equal([1, 2], [1, 3]), lambda: tf.debugging.assert_less_equal([1, 2, 3, 4, 5], [1, 3, 0, 1, 1], summarize=-1), lambda: tf.debugging.assert_equal([[1, 2], [3, 4]], [[1, 2], [0, 0]], summarize=1)):
    try:
        call()
    except tf.errors.InvalidArgumentError as error:
        print(error.message)

# --- signs
d = tf.debugging
for f in (d.assert_positive, d.assert_negative, d.assert_non_negative, d.assert_non_positive):
    print([outcome(lambda: f(x)) for x in ([1, 2], [0, 1], [-1], [-1, 0], [], 0.0, [1, -1])])

# --- near
d = tf.debugging
for call in (lambda: d.assert_near(1.0, 1.0 + 1e-7), lambda: d.assert_near(1.0, 1.001), lambda: d.assert_near(1.0, 1.001, atol=0.01), lambda: d.assert_near(100.0, 101.0, rtol=0.1), lambda: d.assert_near(tf.constant(1.0, tf.float64), 1.0 + 1e-9), lambda: d.assert_near(1, 2), lambda: d.assert_near(1, 1), lambda: d.assert_near(tf.constant([1.0, 2.0]), 1.0, atol=2.0), lambda: d.assert_near(float("nan"), float("nan")), lambda: d.assert_near(float("inf"), float("inf")), lambda: d.assert_near(tf.constant(1.0), tf.constant(1.0, tf.float64)), lambda: d.assert_near(tf.constant(1.0, tf.float16), tf.constant(1.002, tf.float16)), lambda: d.assert_near(tf.constant(1.0, tf.float16), tf.constant(1.02, tf.float16)), lambda: d.assert_near(1 + 1j, 1 + 1j)):
    print(outcome(call))

# --- ranks
d = tf.debugging
x = tf.zeros([2, 3])
for call in (lambda: d.assert_rank(x, 2), lambda: d.assert_rank(x, 1), lambda: d.assert_rank_at_least(x, 1), lambda: d.assert_rank_at_least(x, 3), lambda: d.assert_rank_in(x, [1, 2]), lambda: d.assert_rank_in(x, (1, 3)), lambda: d.assert_rank(x, 2.0), lambda: d.assert_rank(x, [2]), lambda: d.assert_rank(x, tf.constant(2)), lambda: d.assert_rank(x, tf.constant(3)), lambda: d.assert_rank(5.0, 0), lambda: d.assert_scalar(1.0), lambda: d.assert_scalar([1.0]), lambda: d.assert_rank_in(x, [1.0]), lambda: d.assert_rank_in(x, 2), lambda: d.assert_scalar(tf.constant(2)), lambda: d.assert_rank(None, 1)):
    print(outcome(call))

# --- types
d = tf.debugging
for call in (lambda: d.assert_type(tf.constant(1), tf.int32), lambda: d.assert_type(tf.constant(1), tf.float32), lambda: d.assert_type(1.5, tf.float32), lambda: d.assert_type(1, "int32"), lambda: d.assert_integer(tf.constant(1)), lambda: d.assert_integer(1.0), lambda: d.assert_integer(tf.constant(True)), lambda: d.assert_same_float_dtype([tf.constant(1.0), tf.constant(2.0)]), lambda: d.assert_same_float_dtype([tf.constant(1.0), tf.constant(2.0, tf.float64)]), lambda: d.assert_same_float_dtype(), lambda: d.assert_same_float_dtype([tf.constant(1)]), lambda: d.assert_same_float_dtype([tf.constant(1.0)], tf.float64), lambda: d.assert_same_float_dtype(dtype=tf.int32), lambda: d.assert_same_float_dtype(dtype=tf.float16), lambda: d.is_numeric_tensor(tf.constant(1)), lambda: d.is_numeric_tensor(tf.constant("a")), lambda: d.is_numeric_tensor(tf.constant(True)), lambda: d.is_numeric_tensor(1.0), lambda: d.is_numeric_tensor(tf.Variable(1.0)), lambda: d.assert_proper_iterable([1, 2]), lambda: d.assert_proper_iterable(tf.constant([1])), lambda: d.assert_proper_iterable(3), lambda: d.assert_proper_iterable("ab"), lambda: d.assert_proper_iterable(np.array([1])), lambda: d.assert_proper_iterable({"a": 1})):
    print(outcome(call))

# --- shapes
d = tf.debugging
x, y = tf.zeros([2, 3]), tf.zeros([3])
for s in ([(x, (2, 3))], [(x, ("N", "Q")), (y, ("Q",))], [(x, ("N", "Q")), (y, ("N",))], [(x, "NQ"), (y, "Q")], [(x, ("N", 3))], [(x, ("N", 4))], [(x, ("N",))], [(x, (None, 3))], [(x, ("..", 3))], [(x, ("*", "Q")), (y, "Q")], [(x, ("N", "..."))], [(x, (..., "N"))], [(x, (..., "N")), (y, ("N",))], [(x, ("N", ..., ))], [(tf.constant(1.0), ())], [(tf.constant(1.0), (1,))], [(x, [2, 3])], {"a": 1}, [(x, (2, 3, ...))], [(x, (".", 3))], [(np.zeros([2]), ("N",))], [(x, 6)], [(5.0, ())], []):
    print(outcome(lambda: d.assert_shapes(s)))

# --- check_numerics
d = tf.debugging
for call in (lambda: d.check_numerics([1.0, 2.0], "m"), lambda: d.check_numerics([1.0, float("nan")], "m"), lambda: d.check_numerics([1.0, float("inf")], "m"), lambda: d.check_numerics(tf.constant([1, 2]), "m"), lambda: d.check_numerics([-float("inf")], "m"), lambda: d.check_numerics(1.0), lambda: d.assert_all_finite([1.0], "m"), lambda: d.assert_all_finite([float("nan")], "m"), lambda: d.assert_all_finite(tf.Variable(2.0), "m"), lambda: d.check_numerics(tf.constant([1.0], tf.bfloat16), "m")):
    print(outcome(call))

# --- check_numerics_messages
# exact
nan, inf = float("nan"), float("inf")
for x in ([nan], [inf], [-inf], [nan, inf], [nan, inf, -inf], [inf, -inf]):
    try:
        tf.debugging.check_numerics(x, "my message")
    except tf.errors.InvalidArgumentError as error:
        print(error.message.rpartition('}} ')[2])

# --- check_numerics_gradient
x = tf.Variable([1.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.debugging.check_numerics(tf.sqrt(x), "forward")
print(tape.gradient(y, x))

# --- check_numerics_gradient_not_finite
x = tf.Variable([0.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.debugging.check_numerics(x, "forward") * 1.0
    z = tf.sqrt(tf.debugging.check_numerics(x, "twice"))
print(outcome(lambda: tape.gradient(z, x)))

# --- returns
print(tf.debugging.assert_equal(1, 1), tf.debugging.assert_rank(1, 0), tf.debugging.assert_shapes([(tf.zeros([2]), ("N",))]), tf.assert_equal(1, 1), tf.assert_less(1, 2), tf.assert_greater(2, 1), tf.assert_rank(1, 0))

# --- is_tensor
print([tf.is_tensor(x) for x in (tf.constant(1), tf.Variable(1), 1, [tf.constant(1)], np.array(1), None, tf.IndexedSlices(tf.zeros([1]), tf.zeros([1], tf.int32)), tf.TensorSpec([]))])

# --- is_symbolic_tensor
print([outcome(lambda: tf.is_symbolic_tensor(x)) for x in (tf.constant(1), tf.Variable(1), 1, None)])

# --- get_static_value
print([outcome(lambda: tf.get_static_value(x)) for x in (tf.constant(1), tf.constant([1.0, 2.0]), tf.constant("s"), 3, np.array(2), tf.Variable(1), None, [1, 2])])

# --- type_spec_from_value
for x in (tf.constant(1.0), np.zeros([2, 3]), 3, 2.5, True, "s", b"b", [1, 2], [[1.0], [2.0]], (1, 2), {"a": 1}, object(), tf.TensorSpec([2])):
    print(outcome(lambda: tf.type_spec_from_value(x)))

# --- newaxis_and_compat
print(tf.newaxis, tf.compat.as_str(b"a"), tf.compat.as_bytes("a"), tf.compat.as_text(b"a"), tf.compat.as_str_any(3), tf.compat.as_str_any(b"q"), outcome(lambda: tf.compat.as_bytes(3)), outcome(lambda: tf.compat.as_text(3)), outcome(lambda: tf.compat.as_str(b"\xff")), tf.compat.as_bytes("ü", "latin-1"), tf.compat.as_bytes(bytearray(b"x")))

# --- register_conversion
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
def convert(value, dtype=None, name=None, as_ref=False):
    return tf.convert_to_tensor([value.a, value.b], dtype)
tf.register_tensor_conversion_function(Pair, convert)
print(tf.reduce_sum(Pair(1.0, 2.0)), tf.constant([1.0, 1.0]) + Pair(3.0, 4.0), tf.convert_to_tensor(Pair(1, 2), tf.float64))
print(outcome(lambda: tf.register_tensor_conversion_function(3, convert)), outcome(lambda: tf.register_tensor_conversion_function(Pair, 3)))
