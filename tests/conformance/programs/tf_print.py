# tf.print and tf.strings.format: streams, separators, structures, non-tensors.

# --- single_string_argument
# exact
import sys
tf.print(tf.constant("plain \"q\" text"), output_stream=sys.stdout)
tf.print("python 'q' text", output_stream=sys.stdout)
tf.print(tf.constant("a"), tf.constant("b"), output_stream=sys.stdout)
tf.print("x:", tf.constant("b"), output_stream=sys.stdout)
tf.print([tf.constant("in list")], output_stream=sys.stdout)
tf.print(["in list"], output_stream=sys.stdout)
tf.print(tf.constant(["one"]), output_stream=sys.stdout)

# --- python_values
# exact
import sys
tf.print(None, True, 1, 1.0, 1e10, 1/3, 1j, b"bytes", "str", output_stream=sys.stdout)
tf.print(None, output_stream=sys.stdout)
tf.print(True, output_stream=sys.stdout)
tf.print(1/3, output_stream=sys.stdout)
tf.print(b"bytes", output_stream=sys.stdout)
tf.print({1, }, output_stream=sys.stdout)
tf.print(range(3), output_stream=sys.stdout)
tf.print(print, output_stream=sys.stdout)
tf.print(tf.float32, tf.TensorShape([1, None]), output_stream=sys.stdout)

# --- numpy_values
# exact
import sys
tf.print(np.float32(1/3), np.array([1.5, 2.5]), np.int64(3), np.array(7), output_stream=sys.stdout)
tf.print(np.arange(10), output_stream=sys.stdout)
tf.print([np.arange(3), 1], output_stream=sys.stdout)

# --- structures
# exact
import sys
from collections import namedtuple, OrderedDict
P = namedtuple("P", "x y")
tf.print(P(1, tf.constant(2.0)), output_stream=sys.stdout)
tf.print(OrderedDict([("b", 1), ("a", tf.constant(2))]), output_stream=sys.stdout)
tf.print({"b": tf.constant(1), "a": "s", 3: 4} if False else {"b": tf.constant(1), "a": "s"}, output_stream=sys.stdout)
tf.print((1,), [], (), {}, [[1, [tf.constant(2)]], (3,)], output_stream=sys.stdout)
tf.print([tf.constant([1, 2]), tf.constant([[1], [2]])], output_stream=sys.stdout)
tf.print({"k": {"z": 1, "a": [True, None]}}, output_stream=sys.stdout)
tf.print({1: "a", 2: tf.constant("b")}, output_stream=sys.stdout)

# --- separators_and_ends
# exact
import sys
tf.print(1, 2, sep="", output_stream=sys.stdout)
tf.print(1, [2, 3], sep=" | ", output_stream=sys.stdout)
tf.print(1, end="", output_stream=sys.stdout)
tf.print(2, end="END\n", output_stream=sys.stdout)
tf.print("a", "b", sep="\n", end="\n\n", output_stream=sys.stdout)
tf.print(output_stream=sys.stdout)
tf.print("", output_stream=sys.stdout)

# --- special_characters
# exact
import sys
tf.print("{} {a} %s \\ \t|", tf.constant(1), output_stream=sys.stdout)
tf.print("{}", output_stream=sys.stdout)
tf.print("line\nbreak", "ü", tf.constant("ü"), tf.constant(["ü", "a\nb"]), output_stream=sys.stdout)

# --- bad_arguments
import sys
for call in (lambda: tf.print(1, unknown=2), lambda: tf.print(1, output_stream="nowhere"), lambda: tf.print(1, output_stream=3), lambda: tf.print(1, end=3, output_stream=sys.stdout), lambda: tf.print(1, sep=3, output_stream=sys.stdout), lambda: tf.print(1, summarize="a", output_stream=sys.stdout), lambda: tf.print(1, summarize=1.5, output_stream=sys.stdout), lambda: tf.print(1, summarize=-2, output_stream=sys.stdout), lambda: tf.print(1, summarize=None, output_stream=sys.stdout), lambda: tf.print(1, name="n", output_stream=sys.stdout)):
    print(outcome(call))

# --- returns_none
# exact
import sys
print(tf.print("x", output_stream=sys.stdout))

# --- to_a_file
# exact
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "log.txt")
    tf.print("first", tf.constant([1.0, 2.0]), output_stream="file://" + path)
    tf.print("second", 2, end="", output_stream="file://" + path)
    tf.print("third", output_stream="file://" + path)
    with open(path) as file:
        print(repr(file.read()))

# --- log_levels
for level in (tf.print,):
    import sys
    print(outcome(lambda: tf.print("to stderr", output_stream=sys.stderr)))

# --- summarize_structure
# exact
import sys
tf.print([tf.range(10), tf.range(3)], tf.range(8), summarize=1, output_stream=sys.stdout)
tf.print(tf.range(8), summarize=0, output_stream=sys.stdout)

# --- under_a_tape
# exact
import sys
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    tf.print("y", y, x, output_stream=sys.stdout)
print(tape.gradient(y, x))

# --- indexed_slices
# exact
import sys
tf.print(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1])), output_stream=sys.stdout)

# --- tensor_array_and_objects
import sys
class Thing:
    def __str__(self):
        return "a thing"
    def __repr__(self):
        return "<repr>"
tf.print(Thing(), [Thing()], output_stream=sys.stdout)

# --- strings_format
# exact
print(tf.strings.format("x = {}", tf.constant([1, 2])), tf.strings.format("{} and {}", (tf.constant("s"), tf.constant(1.5))), tf.strings.format("nothing", ()), tf.strings.format("<p> {}", tf.constant(3), placeholder="<p>"), tf.strings.format("{}", tf.range(10), summarize=2), tf.strings.format("{}", [tf.range(10)], summarize=-1))
print(outcome(lambda: tf.strings.format("{} {}", tf.constant(1))), outcome(lambda: tf.strings.format("{}", (1, 2))), outcome(lambda: tf.strings.format("{}", [tf.constant(1)])), outcome(lambda: tf.strings.format("{}", 5)), outcome(lambda: tf.strings.format(3, 5)), outcome(lambda: tf.strings.format("{}", "s")))

# --- as_string
# exact
f = tf.strings.as_string
print(f([1.5, 1/3, 1e10, -0.0, float("nan"), float("inf"), -float("inf")]), f(tf.constant([1/3, 1e-7], tf.float64)), f([True, False]), f([1, -2]), f(tf.constant(5, tf.uint8)), f(tf.constant([1.5], tf.float16)), f(tf.constant([1.5], tf.bfloat16)))
print(f([1/3], precision=2), f([1234.5], scientific=True), f([1234.5], scientific=True, precision=1), f([0.1, 1e20], shortest=True), f([1], width=5), f([1], width=5, fill="0"), f([1.5], width=8, fill="0", precision=1), f([-7], width=5, fill="-"), f([7], width=5, fill="+"), f([7], fill=" ", width=3), f(["s"]), f([True], width=6))
print(f([1 + 2j]), f([1.5 - 2j], precision=1))

# --- as_string_errors
f = tf.strings.as_string
for call in (lambda: f([1], precision=2), lambda: f([1], scientific=True), lambda: f([1.5], scientific=True, shortest=True), lambda: f([1], fill="xy"), lambda: f([1], fill="x", width=3), lambda: f([1], shortest=True), lambda: f(None), lambda: f([True], precision=1), lambda: f(["s"], width=3), lambda: tf.as_string(3)):
    print(outcome(call))

# --- ordered_dict_of_tensors
# exact
import sys
from collections import OrderedDict
tf.print(OrderedDict([("a", tf.constant(1)), ("b", tf.constant(2))]), output_stream=sys.stdout)

# --- wide_structures_wrap
# exact
import sys
tf.print([tf.constant(i) for i in range(30)], output_stream=sys.stdout)
tf.print({"first key of the dict": tf.constant([1.0, 2.0]), "second key of the dict": [tf.constant(3), "some text"], "third": "x" * 30}, output_stream=sys.stdout)
tf.print(["word " * 30], output_stream=sys.stdout)
tf.print({3, 1, 2}, output_stream=sys.stdout)
