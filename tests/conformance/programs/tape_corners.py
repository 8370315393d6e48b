# Corners of the tape's contract that programs reach by accident.

# --- gradient_fails
@tf.custom_gradient
def f(x):
    def grad(d):
        raise KeyError("in the gradient")
    return x * 2.0, grad
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(outcome(lambda: tape.gradient(y, x)))

# --- gradient_fails_on_a_persistent_tape
calls = []
@tf.custom_gradient
def f(x):
    def grad(d):
        calls.append(1)
        if len(calls) == 1:
            raise KeyError("first time")
        return d * 2.0
    return x * 2.0, grad
x = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = f(x)
print(outcome(lambda: tape.gradient(y, x)), outcome(lambda: tape.gradient(y, x)))

# --- bad_arguments_then_good
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(outcome(lambda: tape.gradient(y, None)), outcome(lambda: tape.gradient(y, x)))

# --- wrong_unconnected_then_good
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(outcome(lambda: tape.gradient(y, x, unconnected_gradients="odd")), outcome(lambda: tape.gradient(y, x)))

# --- stop_recording_with_exception
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    try:
        with tape.stop_recording():
            raise KeyError("x")
    except KeyError:
        pass
    z = y * x
print(tape.gradient(z, x))

# --- stop_recording_nested
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    with tape.stop_recording():
        print(outcome(lambda: tape.stop_recording().__enter__()))
    z = y * x
print(tape.gradient(z, x))

# --- watch_inside_stop_recording
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    with tape.stop_recording():
        print(outcome(lambda: tape.watch(x)))
    y = x * x
print(tape.gradient(y, x))

# --- stop_recording_other_tape_goes_on
x = tf.Variable(2.0)
with tf.GradientTape() as a, tf.GradientTape() as b:
    with a.stop_recording():
        y = x * x
print(a.gradient(y, x), b.gradient(y, x))

# --- reset_outside_context
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
print(outcome(tape.reset), outcome(lambda: tape.gradient(y, x)))

# --- reset_then_rewatch
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    a = x * x
    tape.reset()
    tape.watch(x)
    b = x * 3
print(tape.gradient([a, b], x))

# --- reset_after_gradient
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    print(tape.gradient(y, x))
    print(outcome(tape.reset))

# --- use_after_gradient_inside
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
    g = tape.gradient(y, x)
    z = x * 3
print(g, outcome(lambda: tape.gradient(z, x)))

# --- reenter_after_gradient
x = tf.Variable(2.0)
tape = tf.GradientTape()
with tape:
    y = x * x
print(tape.gradient(y, x))
def again():
    with tape:
        z = x * 3
    return tape.gradient(z, x)
print(outcome(again))

# --- persistent_reenter_and_accumulate
x = tf.Variable(2.0)
tape = tf.GradientTape(persistent=True)
with tape:
    y = x * x
print(tape.gradient(y, x))
with tape:
    z = y * x
print(tape.gradient(z, x), tape.gradient(z, y))

# --- exit_without_enter
tape = tf.GradientTape()
print(outcome(lambda: tape.__exit__(None, None, None)))

# --- gradient_before_entering
tape = tf.GradientTape()
x = tf.Variable(1.0)
print(outcome(lambda: tape.gradient(x, x)), outcome(lambda: tape.jacobian(x, x)))

# --- watched_variables_before_entering
tape = tf.GradientTape()
print(outcome(tape.watched_variables))

# --- watched_variables_after_gradient
x = tf.Variable(2.0, name="x")
with tf.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
print([v.name for v in tape.watched_variables()])

# --- watched_variables_after_reset
x = tf.Variable(2.0, name="x")
with tf.GradientTape() as tape:
    y = x * x
    tape.reset()
print([v.name for v in tape.watched_variables()])

# --- watched_variables_no_duplicates
x = tf.Variable(2.0, name="x")
with tf.GradientTape() as tape:
    y = x * x + x
    tape.watch(x)
print(len(tape.watched_variables()))

# --- watch_variable_makes_it_listed
v = tf.Variable(2.0, trainable=False, name="frozen")
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(v)
print([x.name for x in tape.watched_variables()])

# --- untrainable_read_is_not_watched
v = tf.Variable(2.0, trainable=False)
with tf.GradientTape() as tape:
    t = v.read_value()
    y = t * t
print(tape.gradient(y, v), len(tape.watched_variables()))

# --- output_gradients_for_dict_targets
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    t = {"a": x * 2, "b": x * 3}
print(tape.gradient(t, x, output_gradients={"a": tf.constant(10.0), "b": tf.constant(100.0)}))

# --- output_gradients_wrong_dtype
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * 2
print(outcome(lambda: tape.gradient(y, x, output_gradients=tf.constant(1))), outcome(lambda: tape.gradient(y, x, output_gradients=tf.constant(1.0, tf.float64))))

# --- output_gradients_watched
x, u = tf.Variable(2.0), tf.Variable(5.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
    g = inner.gradient(y, x, output_gradients=u * 2.0)
print(g, outer.gradient(g, [x, u]))

# --- complex_target_float_source
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    z = tf.complex(x, x * x)
print(tape.gradient(z, x))

# --- float_target_complex_source
z = tf.Variable(1.0 + 2.0j)
with tf.GradientTape() as tape:
    y = tf.abs(z) ** 2 + tf.math.real(z)
print(tape.gradient(y, z))

# --- float_int_float
x = tf.Variable([1.6, 2.4])
with tf.GradientTape() as tape:
    i = tf.cast(x, tf.int32)
    y = tf.cast(i, tf.float32) * x
print(tape.gradient(y, x))

# --- integer_variable_in_product
n, x = tf.Variable(3), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.cast(n, tf.float32) * x ** 2
print(tape.gradient(y, [n, x]))

# --- gradient_of_the_same_tensor_many_sources
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x)
print(tape.gradient(y, {"a": x, "b": [x, x]}))

# --- zero_gradient_not_none_for_multiplied_zero
x, w = tf.Variable(2.0), tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = x * w
print(tape.gradient(y, [x, w]))

# --- masked_loss
logits = tf.Variable([1.0, 2.0, 3.0])
mask = tf.constant([1.0, 0.0, 1.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(logits ** 2 * mask) / tf.reduce_sum(mask)
print(tape.gradient(loss, logits))

# --- variable_in_list_operations
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    s = tf.stack([a, b, a])
    y = tf.reduce_sum(s * [1.0, 10.0, 100.0])
print(tape.gradient(y, [a, b]))

# --- variable_in_convert_to_tensor_list
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    t = tf.convert_to_tensor([a, b * b])
    y = tf.reduce_sum(t ** 2)
print(tape.gradient(y, [a, b]))

# --- nested_list_of_tensors_converts_with_gradient
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    m = tf.stack([[a, b], [b, a]])
    y = tf.linalg.det(m)
print(m, tape.gradient(y, [a, b]))

# --- python_list_operand_with_tensors
a = tf.Variable(3.0)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * [a, a * a])
print(tape.gradient(y, a))

# --- deleting_the_variable
x = tf.Variable(2.0)
c = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    y = x * c
del x
print(tape.gradient(y, c))

# --- variable_reassigned_name
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = w * w
    w = tf.Variable(5.0)
print(tape.gradient(y, w))

# --- assign_inside_and_gradient_uses_old_value
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(w ** 3)
    w.assign([10.0, 20.0])
print(tape.gradient(y, w), w.numpy())

# --- assign_then_use
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    w.assign(4.0)
    y = w ** 2
print(tape.gradient(y, w))

# --- assign_add_result_used
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = w.assign_add(2.0) * 5.0
print(y, tape.gradient(y, w))

# --- sliced_assign_in_tape
w = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    w[0].assign(10.0)
    y = tf.reduce_sum(w ** 2)
print(y, tape.gradient(y, w))

# --- scatter_in_tape
w = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    w.scatter_add(tf.IndexedSlices([5.0], [1]))
    y = tf.reduce_sum(w ** 2)
print(y, tape.gradient(y, w))

# --- tape_given_to_a_function
def compute(tape, x):
    tape.watch(x)
    return x ** 2
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = compute(tape, x)
print(tape.gradient(y, x))

# --- tape_in_a_loop_without_leak
x = tf.Variable(1.0)
for _ in range(200):
    with tf.GradientTape() as tape:
        y = tf.sin(x)
    g = tape.gradient(y, x)
print(g)

# --- inner_tape_forgotten_by_outer
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
    g = inner.gradient(y, x)
print(outer.gradient(y, x))

# --- three_tapes_side_by_side
x = tf.Variable(2.0)
with tf.GradientTape() as a, tf.GradientTape() as b, tf.GradientTape(persistent=True) as c:
    y = x ** 2
    z = y * x
print(a.gradient(z, x), b.gradient(y, x), c.gradient(z, [x, y]), c.gradient(y, x))

# --- gradient_inside_outer_after_inner_closed
x = tf.Variable(2.0)
with tf.GradientTape() as inner:
    y = x ** 3
with tf.GradientTape() as outer:
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- jvp_of_sparse_gradient_made_dense
x = tf.constant([1.0, 2.0, 3.0])
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 1.0, 0.0])) as acc:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.gather(x, [0, 1, 1]) ** 3)
    g = tf.convert_to_tensor(tape.gradient(y, x))
print(g, tf.convert_to_tensor(acc.jvp(g)))

# --- jacobian_several_uses_of_a_persistent_tape
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x ** 2
    z = y * x
print(tape.jacobian(y, x), tape.jacobian(z, y), tape.gradient(z, x), tape.jacobian(z, [x, y])[0])

# --- jacobian_of_a_bool_or_int
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x > 1.0
print(outcome(lambda: tape.jacobian(y, x)))

# --- jacobian_with_respect_to_int
n = tf.Variable([1, 2])
with tf.GradientTape() as tape:
    y = tf.cast(n, tf.float32) * 2.0
print(outcome(lambda: tape.jacobian(y, n)))

# --- batch_jacobian_shapes
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.reduce_sum(x, axis=1, keepdims=True)
    z = tf.concat([x, x ** 2], axis=1)
print(tape.batch_jacobian(y, x), tape.batch_jacobian(z, x).shape)

# --- batch_jacobian_that_mixes_the_batch
x = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reverse(x, [0]) * x
print(tape.batch_jacobian(y, x))

# --- gradient_of_a_large_sum_of_terms
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    terms = [x ** k / float(k) for k in range(1, 30)]
    y = tf.add_n(terms)
print(y, tape.gradient(y, x))

# --- sources_outside_the_graph_mixed
x, y, c = tf.Variable(1.0), tf.Variable(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    z = x * 2.0
print(tape.gradient(z, [x, y, c]))

# --- none_in_sources_list
x = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    z = x * 2.0
print(outcome(lambda: tape.gradient(z, [x, None])), outcome(lambda: tape.gradient([z, None], x)))

# --- module_as_source
m = tf.Module()
m.v = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = m.v * 3.0
print(outcome(lambda: tape.gradient(y, m)), tape.gradient(y, m.trainable_variables))

# --- numpy_target
x = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = (x * 2.0).numpy()
print(outcome(lambda: tape.gradient(y, x)))

# --- indexed_slices_output_gradients
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = v * 2.0
g = tf.IndexedSlices(tf.constant([10.0]), tf.constant([1]), tf.constant([3]))
print(outcome(lambda: tape.gradient(y, v, output_gradients=g)))
