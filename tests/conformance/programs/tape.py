# GradientTape: every part of its contract.

# --- square
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient(y, x))

# --- watch_a_constant
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print(tape.gradient(y, x))

# --- unwatched_constant_is_none
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))

# --- sources_list_tuple_dict
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = a * b
print(tape.gradient(y, [a, b]), tape.gradient(y, (a, b)), tape.gradient(y, {"a": a, "b": b}))

# --- nested_sources
a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = a * b * c
g = tape.gradient(y, {"first": [a, (b,)], "second": c})
print(g)

# --- source_listed_twice
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, [x, x]))

# --- empty_sources
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, []))

# --- targets_list_is_summed
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a, b = x ** 2, x ** 3
print(tape.gradient([a, b], x))

# --- targets_dict_and_nested
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    a, b = x ** 2, x ** 3
print(tape.gradient({"a": a, "b": b}, x), tape.gradient([[a], (b, a)], x))

# --- target_listed_twice_counts_twice
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient([y, y], x))

# --- vector_target_is_summed
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient(y, x))

# --- second_use_of_a_tape
# phrase: A non-persistent GradientTape can only be used to compute one set of gradients
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x * x
    z = y * y
print(tape.gradient(z, x))
tape.gradient(y, x)

# --- persistent_tape
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
print(tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, y))
del tape

# --- persistent_gradient_of_intermediate
x = tf.constant([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print(tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, [x, y]))

# --- intermediate_source_needs_no_watch
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.sin(x)
    z = y ** 3
print(tape.gradient(z, y))

# --- target_equals_source
x = tf.Variable(2.0)
c = tf.constant([1.0, 5.0])
with tf.GradientTape(persistent=True) as tape:
    pass
print(tape.gradient(c, c), tape.gradient(x, x))

# --- target_is_a_variable
v = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = v * 2
print(tape.gradient(v, v), tape.gradient(v, [y]))

# --- target_constant_unrelated
x = tf.Variable(2.0)
c = tf.constant(4.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(c, x))

# --- computed_outside
x = tf.Variable(2.0)
y = x * x
with tf.GradientTape() as tape:
    z = y * 3
print(tape.gradient(z, x))

# --- computed_after
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
z = y * 3
print(tape.gradient(z, x))

# --- gradient_inside_the_context
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x ** 3
    g = tape.gradient(y, x)
print(g)

# --- gradient_inside_persistent_context
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x ** 3
    g = tape.gradient(y, x)
    h = tape.gradient(g, x)
print(g, h)

# --- gradient_inside_stop_recording
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x ** 3
    with tape.stop_recording():
        g = tape.gradient(y, x)
print(g)

# --- stop_recording
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
    with tape.stop_recording():
        z = y * 10
    w = y * 2
print(tape.gradient([w, z], x))

# --- stop_recording_breaks_the_chain
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    with tape.stop_recording():
        y = x * x
    z = y * 2
print(tape.gradient(z, x))

# --- stop_recording_outside_is_an_error
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
with tape.stop_recording():
    pass

# --- reset
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
    tape.reset()
    z = x * 3
print(tape.gradient([y, z], x))

# --- reset_forgets_watches
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    tape.reset()
    y = x * x
print(tape.gradient(y, x))

# --- watch_list
x, y = tf.constant(1.0), tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([x, y])
    z = x * y
print(tape.gradient(z, [x, y]))

# --- watch_nested_structure
p = {"w": tf.constant(2.0), "l": [tf.constant(3.0)]}
with tf.GradientTape() as tape:
    tape.watch(p)
    z = p["w"] ** 2 * p["l"][0]
print(tape.gradient(z, p))

# --- watch_after_use
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
    tape.watch(x)
    z = x * 2
print(tape.gradient([y, z], x))

# --- watch_non_tensor
tape = tf.GradientTape()
with tape:
    print(outcome(tape.watch, 3.0), outcome(tape.watch, "x"), outcome(tape.watch, np.ones(2)), outcome(tape.watch, None))

# --- watch_integer_tensor
x = tf.constant(3)
with tf.GradientTape() as tape:
    print(outcome(tape.watch, x))
    y = x * x
print(tape.gradient(y, x))

# --- watch_outside_context
x = tf.constant(3.0)
tape = tf.GradientTape()
print(outcome(tape.watch, x) != "None")
with tape:
    y = x * x
print(tape.gradient(y, x))

# --- watch_variable
v = tf.Variable(2.0, trainable=False)
with tf.GradientTape() as tape:
    tape.watch(v)
    y = v * v
print(tape.gradient(y, v))

# --- no_automatic_watching
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(a)
    y = a * b
print(tape.gradient(y, [a, b]), len(tape.watched_variables()))

# --- watched_variables_order
a = tf.Variable(1.0, name="a")
b = tf.Variable(1.0, name="b")
c = tf.Variable(1.0, name="c")
with tf.GradientTape() as tape:
    y = c * a
print([v.name for v in tape.watched_variables()], type(tape.watched_variables()).__name__)

# --- watched_by_touching
a, b, c = (tf.Variable(1.0, name=n) for n in "abc")
with tf.GradientTape() as tape:
    a.numpy()
    b.assign(2.0)
print([v.name for v in tape.watched_variables()])

# --- unconnected_none
x, w = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * 2
print(tape.gradient(y, [x, w]))

# --- unconnected_zero
x, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x * 2
print(tape.gradient(y, [x, w], unconnected_gradients=tf.UnconnectedGradients.ZERO))

# --- unconnected_zero_as_string
x, i = tf.Variable([1.0, 2.0]), tf.Variable(5)
with tf.GradientTape() as tape:
    y = tf.constant(1.0)
print(tape.gradient(y, [x, i], unconnected_gradients="zero"))

# --- unconnected_bad_value
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x * 2
tape.gradient(y, x, unconnected_gradients="maybe")

# --- output_gradients
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient(y, x, output_gradients=tf.constant([10.0, 100.0])))

# --- output_gradients_list
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    a, b = x ** 2, x * 5
print(tape.gradient([a, b], x, output_gradients=[tf.constant(2.0), tf.constant(10.0)]))

# --- output_gradients_with_none
x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    a, b = x ** 2, x * 5
print(outcome(lambda: tape.gradient([a, b], x, output_gradients=[None, tf.constant(10.0)])))

# --- output_gradients_python_values
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x ** 2
print(outcome(lambda: tape.gradient(y, x, output_gradients=[1.0, 2.0])))
print(outcome(lambda: tape.gradient(y, x, output_gradients=np.array([1.0, 2.0], np.float32))))

# --- output_gradients_broadcast
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x ** 2
print(outcome(lambda: tape.gradient(y, x, output_gradients=tf.constant(3.0))))

# --- integer_source_is_none
x = tf.Variable(3)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))

# --- integer_target_dropped
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    i = tf.cast(x, tf.int32)
print(tape.gradient([y, i], x))

# --- bool_target
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x > 1.0
print(tape.gradient(y, x))

# --- none_as_target
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(outcome(lambda: tape.gradient(None, x)))

# --- none_as_source
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(outcome(lambda: tape.gradient(y, None)))

# --- python_number_as_target
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
print(outcome(lambda: tape.gradient(4.0, x)), outcome(lambda: tape.gradient(y, 2.0)), outcome(lambda: tape.gradient([y, 1.0], x)))

# --- numpy_as_source
n = np.array([1.0, 2.0], np.float32)
with tf.GradientTape() as tape:
    y = tf.constant(n) * 2
print(outcome(lambda: tape.gradient(y, n)))

# --- nondifferentiable_is_none
x = tf.Variable(2.5)
with tf.GradientTape(persistent=True) as tape:
    outs = [tf.round(x), tf.floor(x), tf.math.ceil(x), tf.math.rint(x), x // 1.0, tf.zeros_like(x), tf.ones_like(x), tf.cast(x > 1, tf.float32)]
print([tape.gradient(o, x) for o in outs])

# --- zero_not_none
x = tf.Variable(2.5)
with tf.GradientTape(persistent=True) as tape:
    outs = [tf.sign(x), x * 0, x - x, x ** 0, tf.stop_gradient(x) + x * 0]
print([tape.gradient(o, x).numpy() for o in outs])

# --- through_numpy_is_lost
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.constant(x.numpy() ** 2) * 3
print(tape.gradient(y, x))

# --- through_python_float_is_lost
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = float(x) * tf.constant(3.0) + x
print(tape.gradient(y, x))

# --- variable_replaced_by_tensor
x = tf.Variable(2.0)
for step in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    print(type(x).__name__, ":", tape.gradient(y, x))
    x = x + 1

# --- reenter_a_tape
x = tf.Variable(2.0)
tape = tf.GradientTape()
with tape:
    y = x * x
missing = y * 5
with tape:
    z = y * 3
print(tape.gradient([z, missing], x))

# --- enter_twice_is_an_error
tape = tf.GradientTape()
with tape:
    with tape:
        pass

# --- exit_out_of_order
x = tf.Variable(2.0)
a, b = tf.GradientTape(), tf.GradientTape()
a.__enter__()
b.__enter__()
y = x * x
a.__exit__(None, None, None)
z = y * x
b.__exit__(None, None, None)
print(a.gradient(y, x), b.gradient(z, x))

# --- exception_inside
x = tf.Variable(2.0)
try:
    with tf.GradientTape() as tape:
        y = x * x
        raise KeyError("stop")
except KeyError:
    pass
print(tape.gradient(y, x))
with tf.GradientTape() as other:
    z = x * 3
print(other.gradient(z, x))

# --- op_error_inside_keeps_the_tape
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x * x
    try:
        bad = x + tf.ones([3])
    except tf.errors.InvalidArgumentError:
        pass
    z = tf.reduce_sum(y)
print(tape.gradient(z, x))

# --- two_independent_tapes
x, y = tf.constant(1.0), tf.constant(2.0)
with tf.GradientTape() as t1, tf.GradientTape() as t2:
    t1.watch(x)
    t2.watch(y)
    a = x * 3 + y * y
print(t1.gradient(a, x), t2.gradient(a, y))

# --- tape_per_thread
import threading
x = tf.Variable(2.0)
seen = []
with tf.GradientTape() as tape:
    def work():
        seen.append(x * x)
    t = threading.Thread(target=work)
    t.start()
    t.join()
print(tape.gradient(seen[0], x))

# --- gradients_in_many_threads
import threading
results = [None] * 8
def work(i):
    v = tf.Variable(float(i))
    with tf.GradientTape() as tape:
        y = v
        for _ in range(3):
            y = y * v
    results[i] = float(tape.gradient(y, v))
threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(results)

# --- read_values_are_different_sources
v = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    a = v.read_value()
    b = v.read_value()
    y = a * a + b
print(tape.gradient(y, [a, b, v]))

# --- convert_is_identity_for_sources
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    c = tf.convert_to_tensor(x)
    i = tf.identity(x)
    y = c * c * i
print(tape.gradient(y, [x, c, i]))

# --- assign_result_differentiates_to_variable
v = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = v.assign(5.0)
    z = y * y
print(tape.gradient(z, v))

# --- assign_is_not_differentiated
v, w = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    v.assign(w * w)
    y = v * 10
print(tape.gradient(y, [v, w]))

# --- assign_between_uses
v = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = v * v
    v.assign(5.0)
    b = v * v
print(tape.gradient(a + b, v), a, b)

# --- variable_many_uses
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x
    for _ in range(5):
        y = y * x + x
print(y, tape.gradient(y, x))

# --- python_control_flow
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x if x > 1 else -x
    while y < 100:
        y = y * x
print(y, tape.gradient(y, x))

# --- function_calls
def f(x, n):
    return x if n == 0 else tf.sin(f(x, n - 1)) * x
x = tf.Variable(0.8)
with tf.GradientTape() as tape:
    y = f(x, 4)
print(y, tape.gradient(y, x))

# --- unused_outputs
x = tf.Variable([3.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    values, indices = tf.math.top_k(x, 2)
    first, _ = tf.unstack(values)
print(tape.gradient(first, x), indices)

# --- split_partially_used
x = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    a, b = tf.split(x, 2)
    y = tf.reduce_sum(a * a)
print(tape.gradient(y, x))

# --- long_chain
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x
    for _ in range(1500):
        y = y * 1.001
print(y, tape.gradient(y, x))

# --- diamond
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    a = tf.exp(x)
    b = a * x
    c = a + b
    d = b * c
print(tape.gradient(d, [x, a, b, c]))

# --- gradient_of_gradient_tensor_outside
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x ** 3
g = tape.gradient(y, x)
print(g * 2 + 1)

# --- empty_tape
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    pass
print(tape.gradient(tf.constant(1.0), x), tape.watched_variables())

# --- gradient_dtype_follows_source
x = tf.Variable(2.0, dtype=tf.float64)
w = tf.Variable([1.0, 2.0], dtype=tf.float16)
with tf.GradientTape() as tape:
    y = tf.cast(x, tf.float32) * tf.reduce_sum(tf.cast(w, tf.float32) ** 2)
print(tape.gradient(y, [x, w]))

# --- scalar_times_matrix
w = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]))
b = tf.Variable(tf.zeros(2))
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape(persistent=True) as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y ** 2)
dw, db = tape.gradient(loss, [w, b])
print(dw, db, tape.gradient(loss, {"w": w, "b": b})["b"])

# --- zero_size_target
x = tf.Variable(tf.zeros([0]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * 2)
print(tape.gradient(y, x))

# --- gradient_wrt_only_part
x0, x1 = tf.constant(0.0), tf.constant(0.0)
with tf.GradientTape() as tape:
    tape.watch(x1)
    y0 = tf.math.sin(x0)
    y1 = tf.nn.softplus(x1)
    y = y0 + y1
    ys = tf.reduce_sum(y)
g = tape.gradient(ys, {"x0": x0, "x1": x1})
print(g["x0"], g["x1"])

# --- bad_constructor_arguments
print(outcome(lambda: tf.GradientTape(persist=True)), outcome(lambda: tf.GradientTape(True, False).watched_variables()))

# --- positional_constructor
x = tf.Variable(3.0)
with tf.GradientTape(True) as tape:
    y = x * x
print(tape.gradient(y, x), tape.gradient(y, x))

# --- explicit_enter_exit
x = tf.Variable(3.0)
tape = tf.GradientTape()
tape.__enter__()
y = x * x
tape.__exit__(None, None, None)
print(tape.gradient(y, x))

# --- keyword_arguments
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(target=y, sources=x))

# --- string_variables_are_ignored
s, x = tf.Variable("a"), tf.Variable(2.0)
with tf.GradientTape() as tape:
    t = s + "b"
    y = x * x
print(tape.gradient(y, [x, s]), t)

# --- generator_and_comprehension
xs = [tf.Variable(float(i)) for i in range(1, 4)]
with tf.GradientTape() as tape:
    y = sum(x ** 2 for x in xs)
print([float(g) for g in tape.gradient(y, xs)])

# --- numpy_function_on_variable_lost
x = tf.Variable([0.5, 1.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(np.sin(x) * tf.ones([2]))
print(tape.gradient(y, x))

# --- numpy_operand_keeps_gradient
x = tf.Variable([0.5, 1.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(np.array([2.0, 3.0], np.float32) * x)
print(tape.gradient(y, x))
