# Printing: str and repr of tensors and variables, tf.print, formatting. Texts are compared exactly.

# --- scalar_float
# exact
print(tf.constant(6.0))
print(repr(tf.constant(6.0)))

# --- scalar_int_bool_string
# exact
for x in (tf.constant(7), tf.constant(True), tf.constant("hi"), tf.constant(2.5, tf.float64)):
    print(x, repr(x))

# --- repr_of_float32_third
# exact
x = tf.constant(1 / 3)
print(x, repr(x), f"{x}", x.numpy(), [x.numpy()])

# --- vector_and_matrix
# exact
print(tf.constant([1.0, 2.0, 3.0]))
print(tf.constant([[1, 2], [3, 4]]))
print(repr(tf.constant([[1.5, 2.0], [3.0, 4.0]])))

# --- rank_three
# exact
print(tf.reshape(tf.range(8), [2, 2, 2]))
print(repr(tf.reshape(tf.range(8.0), [2, 2, 2])))

# --- empty
# exact
print(tf.constant([]), repr(tf.zeros([0, 2])))

# --- special_values
# exact
print(tf.constant([float("nan"), float("inf"), -float("inf"), -0.0]))

# --- small_and_large_numbers
# exact
print(tf.constant([1e-8, 1.0, 1e8]), tf.constant(1e-8), tf.constant(123456789.0), tf.constant(1e20))

# --- half_and_double
# exact
print(tf.constant([0.1, 1.5], tf.float16), tf.constant([0.1, 1.5], tf.float64), repr(tf.constant(0.1, tf.float16)))

# --- bfloat16
# exact
print(tf.constant([0.5, 1.5], tf.bfloat16))
print(repr(tf.constant(1.5, tf.bfloat16)))

# --- complex
# exact
print(tf.constant([1 + 2j, 3.5 - 1j]), tf.constant(1j), repr(tf.constant(2 - 1j, tf.complex64)))

# --- strings
# exact
print(tf.constant(["a", "bc"]), repr(tf.constant("a")), repr(tf.constant([b"x"])), f"{tf.constant('q')}")

# --- uint8
# exact
print(tf.constant([1, 255], tf.uint8), repr(tf.constant(3, tf.uint8)))

# --- summarised
# exact
print(tf.range(1500))

# --- wide_line_wraps
# exact
print(tf.range(40))
print(tf.range(20.0) * 0.0625)

# --- list_of_tensors
# exact
print([tf.constant(1.0), tf.constant([1, 2])])
print((tf.constant(1.0),), {"a": tf.constant(2)})

# --- format_spec
# exact
x = tf.constant(3.14159)
print(f"{x:.3f}|{x:8.2f}|{x:e}|{tf.constant(5):03d}|{tf.constant(7)}")

# --- format_vector
# exact
x = tf.constant([1.0, 2.0])
print(f"{x}", "{}".format(x))

# --- format_vector_with_spec
print(outcome(lambda: f"{tf.constant([1.0, 2.0]):.2f}"))

# --- variable_scalar
# exact
print(tf.Variable(3.0))
print(repr(tf.Variable(3.0)), str(tf.Variable(3)))

# --- variable_vector
# exact
print(tf.Variable([1.0, 2.0]))
print(tf.Variable([[1, 2], [3, 4]], name="w"))

# --- variable_named_and_typed
# exact
print(tf.Variable(1.5, name="weight", dtype=tf.float64), tf.Variable(True, name="flag"))
print(tf.Variable("s"), tf.Variable([1 / 3], trainable=False))

# --- variable_in_name_scope
# exact
with tf.name_scope("layer"):
    print(tf.Variable(1.0, name="w"))
    with tf.name_scope("inner"):
        print(tf.Variable(1.0).name)

# --- variable_unknown_shape
# exact
print(tf.Variable([[1.0]], shape=[None, None]))
print(tf.Variable([1.0, 2.0], shape=tf.TensorShape(None)))

# --- variable_format
# exact
v = tf.Variable(2.5)
print(f"{v.numpy():.2f}", f"{v}", "%.1f" % v.numpy())

# --- variable_dtype_bfloat16
# exact
print(tf.Variable(1.5, dtype=tf.bfloat16))

# --- gradient_prints
# exact
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x ** 2
print(y)
print(tape.gradient(y, x))
print("dy/dx:", 2 * x)

# --- gradients_list_prints
# exact
w, b = tf.Variable([[1.0], [2.0]]), tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.constant([[3.0, 4.0]]) @ w + b)
print(tape.gradient(y, [w, b]))

# --- gradients_dict_prints
# exact
p = {"w": tf.Variable(2.0), "b": tf.Variable(1.0)}
with tf.GradientTape() as tape:
    y = p["w"] * 3.0 + p["b"]
print(tape.gradient(y, p))

# --- shapes_print
# exact
x = tf.zeros([2, 3])
print(x.shape, repr(x.shape), tf.TensorShape([None, 2]), repr(tf.TensorShape(None)), tf.TensorShape(None))

# --- dtypes_print
# exact
print(tf.float32, [tf.int32, tf.string], f"{tf.bool}", tf.constant(1).dtype)

# --- specs_print
# exact
print(tf.TensorSpec([None, 3], tf.float32, name="x"))
print(tf.TensorSpec([], tf.int32))
print(tf.TensorSpec.from_tensor(tf.zeros([2])))

# --- indexed_slices_print
# exact
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, [1, 1])
g = tape.gradient(y, v)
print(type(g).__name__, g.values.numpy().tolist(), g.indices.numpy().tolist())

# --- tf_print_scalars
# exact
import sys
tf.print(1, 2.5, "text", True, None, output_stream=sys.stdout)
tf.print(tf.constant(1.0), tf.constant(3), tf.constant("s"), tf.constant(False), output_stream=sys.stdout)

# --- tf_print_vectors
# exact
import sys
tf.print([1, 2, 3], tf.constant([1.5, 2.0]), tf.constant([[1, 2], [3, 4]]), output_stream=sys.stdout)

# --- tf_print_significant_digits
# exact
import sys
tf.print(tf.constant([1 / 3, 1e6, 1e-7, 123456789.0, 0.1, 1e10, 100000.0, 1234567.0]), output_stream=sys.stdout)
tf.print(tf.constant(1 / 3, tf.float64), tf.constant(2 / 3, tf.float16), output_stream=sys.stdout)

# --- tf_print_summarize
# exact
import sys
tf.print(tf.range(10), output_stream=sys.stdout)
tf.print(tf.range(10), summarize=2, output_stream=sys.stdout)
tf.print(tf.range(10), summarize=-1, output_stream=sys.stdout)
tf.print(tf.range(6), tf.range(7), output_stream=sys.stdout)

# --- tf_print_matrix_summarised
# exact
import sys
tf.print(tf.reshape(tf.range(64), [8, 8]), output_stream=sys.stdout)

# --- tf_print_rank_three
# exact
import sys
tf.print(tf.reshape(tf.range(8), [2, 2, 2]), output_stream=sys.stdout)

# --- tf_print_separators
# exact
import sys
tf.print("a", 1, tf.constant(2), sep="|", end="!\n", output_stream=sys.stdout)
tf.print("no newline", end="", output_stream=sys.stdout)
tf.print(output_stream=sys.stdout)

# --- tf_print_structures
# exact
import sys
tf.print({"b": tf.constant(2), "a": [1, tf.constant([1.0])]}, (1, "x"), output_stream=sys.stdout)
tf.print([tf.constant(1), tf.constant(2)], ["s", "t"], [], {}, output_stream=sys.stdout)

# --- tf_print_strings_in_tensors
# exact
import sys
tf.print(tf.constant(["a", "b c"]), tf.constant("plain"), output_stream=sys.stdout)

# --- tf_print_variable
# exact
import sys
v = tf.Variable([1.0, 2.0])
tf.print(v, "is", tf.Variable(3), output_stream=sys.stdout)

# --- tf_print_special_values
# exact
import sys
tf.print(tf.constant([float("nan"), float("inf"), -float("inf"), -0.0]), output_stream=sys.stdout)

# --- tf_print_bool_and_empty
# exact
import sys
tf.print(tf.constant([True, False]), tf.constant([], tf.float32), output_stream=sys.stdout)

# --- tf_print_numpy_and_shape
# exact
import sys
tf.print(np.array([1.5, 2.5]), tf.zeros([2, 3]).shape, tf.float32, np.float32(0.5), output_stream=sys.stdout)

# --- tf_print_percent_and_braces
# exact
import sys
tf.print("100%", "{}", "a\tb", output_stream=sys.stdout)

# --- tf_print_many_digits
# exact
import sys
tf.print(tf.constant([3.14159274, 2.0, 1e-5, 0.0001, 99999.9, 16777216.0]), output_stream=sys.stdout)

# --- tf_strings_as_string
# exact
print(tf.strings.as_string(tf.constant([1, 2])), tf.strings.as_string(tf.constant(True)))

# --- tf_strings_format
# exact
print(tf.strings.format("x = {}, y = {}", (tf.constant([1, 2]), tf.constant(3.5))))

# --- nested_structure_repr
# exact
from collections import namedtuple
Point = namedtuple("Point", "x y")
print(Point(tf.constant(1), tf.constant([2.0])))

# --- tensor_with_negative_and_exponent
# exact
print(tf.constant([-1.5, 1e-5, 2e5]))
print(tf.constant([[0.001, 1000.0]]))

# --- none_gradients_print
# exact
x = tf.constant(1.0)
with tf.GradientTape() as tape:
    y = x * 2
print(tape.gradient(y, [x]))

# --- enum_prints
# exact
print(tf.UnconnectedGradients.NONE, tf.UnconnectedGradients.ZERO.value, repr(tf.UnconnectedGradients.ZERO))

# --- tf_print_float32_numbers
# exact
import sys
x = [0.1, 0.2, 1 / 3, 2 / 3, 1e-3, 1e-4, 1e-5, 1.5e-5, 1e-10, 3.4e38, 1e5, 123456.7, 1e6, 1234567.8, 1e7, 1e8, 1e9, 12345678901.0, 1e10, 1e15, 1e16, 1e20, 0.5, 100.0, 1e2, 99.99, 16777217.0, 3.14159265, 2.71828, 1.1, 1.0000001, 0.99999994]
for v in x:
    tf.print(tf.constant(v), tf.constant(-v), output_stream=sys.stdout)

# --- tf_print_float64_numbers
# exact
import sys
for v in [0.1, 1 / 3, 1e-5, 1e-300, 1e300, 123456789.123456789, 1e15, 1e16, 1e17, 0.1 + 0.2, 2.0, 100.25, 1e5, 1e6]:
    tf.print(tf.constant(v, tf.float64), output_stream=sys.stdout)

# --- tf_print_half_numbers
# exact
import sys
for v in [0.1, 1 / 3, 1000.0, 65504.0, 1e-4, 2048.0, 0.5]:
    tf.print(tf.constant(v, tf.float16), tf.constant(v, tf.bfloat16), output_stream=sys.stdout)

# --- tf_print_integers
# exact
import sys
tf.print(tf.constant([-128, 127], tf.int8), tf.constant([255], tf.uint8), tf.constant(2**63 - 1), tf.constant(-2**63, tf.int64), tf.constant([1, -1], tf.int16), output_stream=sys.stdout)

# --- tf_print_shapes
# exact
import sys
for shape in ([1], [1, 1], [2, 1, 2], [0], [2, 0], [1, 2, 1, 2], [7, 2]):
    tf.print(tf.zeros(shape), output_stream=sys.stdout)

# --- tf_print_deep_summaries
# exact
import sys
x = tf.reshape(tf.range(7 * 8 * 2), [7, 8, 2])
tf.print(x, output_stream=sys.stdout)
tf.print(x, summarize=1, output_stream=sys.stdout)

# --- tf_print_python_values
# exact
import sys
tf.print(1, -1.5, 1e-10, 1e20, True, None, "a'b", 'c"d', b"bytes", 3 + 4j, [1.5, None], (True,), {"k": "v"}, {1: [2]}, output_stream=sys.stdout)

# --- tf_print_nested_tensors
# exact
import sys
from collections import namedtuple, OrderedDict
P = namedtuple("P", "x y")
tf.print(P(tf.constant(1), "s"), OrderedDict([("b", tf.constant(1)), ("a", 2)]), [(tf.constant([1.0]), [tf.constant("q")])], output_stream=sys.stdout)

# --- tf_print_empty_and_newlines
# exact
import sys
tf.print("", output_stream=sys.stdout)
tf.print("a\nb", "c", sep="\n", output_stream=sys.stdout)
tf.print(tf.constant("line\nbreak"), tf.constant(["x\ty"]), output_stream=sys.stdout)

# --- tf_print_bad_stream
print(outcome(lambda: tf.print("x", output_stream="nowhere")), outcome(lambda: tf.print("x", bad=1)))

# --- scalar_text_of_many_floats
# exact
for v in [0.1, 1 / 3, 1e-5, 1e-4, 123456.789, 1e16, 1e15, 16777216.0, 3.4e38, 5.0]:
    x = tf.constant(v)
    print(x, repr(x), f"{x}")

# --- scalar_text_of_many_doubles
# exact
for v in [0.1, 1 / 3, 1e-5, 1e16, 1e300, 12345678.9]:
    x = tf.constant(v, tf.float64)
    print(x, repr(x), f"{x}", [x])

# --- text_of_half_scalars
# exact
for v in [0.1, 1 / 3, 1000.0, 65504.0, 1e-4]:
    for d in (tf.float16, tf.bfloat16):
        x = tf.constant(v, d)
        print(x, repr(x), f"{x}")

# --- text_of_wide_matrices
# exact
print(tf.reshape(tf.range(60), [3, 20]))
print(repr(tf.reshape(tf.range(60.0), [2, 30])))
print(tf.zeros([30, 40]))

# --- text_of_many_dims
# exact
print(tf.zeros([2, 1, 2, 1]), repr(tf.zeros([1, 1, 1], tf.int32)))

# --- variable_text_forms
# exact
for value in (1.5, 7, True, "text", [1.5], [[1, 2]], 1j, [True, False], ["a"], [[[1.0]]]):
    v = tf.Variable(value)
    print(v, f"{v}", [v])

# --- numpy_print_options_respected
# exact
with np.printoptions(precision=2, suppress=True):
    print(tf.constant([1.23456, 1e-7]), tf.Variable([1.23456]), repr(tf.constant([1.23456])))
