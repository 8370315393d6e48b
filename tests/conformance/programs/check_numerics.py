# tf.debugging.enable_check_numerics, which is a setting for the whole process.

# --- eager
# alone
tf.debugging.enable_check_numerics()
x = tf.constant([1.0, 0.0, -1.0])
def told(f):
    try:
        print("fine", f())
    except tf.errors.InvalidArgumentError as error:
        print([line for line in str(error).splitlines() if "->" not in line and ("Detected" in line or "dtype" in line or "shape" in line or "elements" in line)])
for f in (lambda: tf.math.log(x), lambda: tf.constant(1.0) / 0.0, lambda: tf.sqrt(x), lambda: tf.exp(100.0), lambda: x * float("inf"), lambda: tf.constant(float("nan")), lambda: tf.identity([float("nan")]), lambda: tf.where([True], [1.0], [float("nan")]), lambda: tf.reduce_max([-float("inf"), 1.0]), lambda: tf.reshape([float("inf")], [1, 1]), lambda: tf.concat([[float("nan")], [1.0]], 0), lambda: tf.math.divide_no_nan(1.0, 0.0), lambda: tf.cast([float("inf")], tf.float64), lambda: tf.constant([1, 2]) // 1, lambda: tf.add([1.0], [2.0]), lambda: tf.maximum([float("inf")], 0.0), lambda: tf.constant(60000.0, tf.float16) * 2):
    told(f)
tf.debugging.disable_check_numerics()
print(tf.math.log(x))
tf.debugging.disable_check_numerics()

# --- gradients
# alone
tf.debugging.enable_check_numerics()
def told(f):
    try:
        print("fine", f())
    except tf.errors.InvalidArgumentError as error:
        print([line for line in str(error).splitlines() if "->" not in line and ("Detected I" in line or "shape" in line or "elements" in line)])
def gradient(f, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
told(lambda: gradient(tf.sqrt, [0.0, 4.0]))
told(lambda: gradient(tf.square, [0.0, 4.0]))
told(lambda: gradient(tf.math.rsqrt, [1.0, 4.0]))
@tf.custom_gradient
def f(x):
    return tf.exp(x), lambda g: g / 0.0
told(lambda: gradient(f, [1.0]))

# --- functions
# alone
# types-only
tf.debugging.enable_check_numerics()
@tf.function
def f(x):
    y = tf.sqrt(x)
    return tf.reduce_sum(y)
@tf.function
def g(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x)
    return tape.gradient(y, x)
@tf.function
def h(x):
    for i in tf.range(3):
        x = tf.math.log(x)
    return x
for call, x in ((f, [4.0, -1.0]), (f, [4.0]), (g, [0.0, 1.0]), (g, [4.0]), (h, 2.0), (h, 30.0)):
    try:
        print("fine", call(tf.constant(x)))
    except tf.errors.InvalidArgumentError as error:
        print([line for line in str(error).splitlines() if "Detected I" in line])

# --- switches
print(tf.debugging.is_traceback_filtering_enabled())
tf.debugging.disable_traceback_filtering()
print(tf.debugging.is_traceback_filtering_enabled())
tf.debugging.enable_traceback_filtering()
print(tf.debugging.is_traceback_filtering_enabled(), tf.debugging.get_log_device_placement())
