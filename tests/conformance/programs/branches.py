# Details of cond, case, switch_case, while_loop, group, identity_n, Assert: arguments and errors.

# --- cond_predicates
x = tf.constant(2.0)
for p in (1, 0, 0.0, 2.5, "a", "", tf.constant(1), tf.constant(0.0), np.bool_(True), np.array(False), tf.Variable(True), [True], [], [[False]], tf.constant([[1]]), None, tf.constant("a"), tf.constant("")):
    print(outcome(lambda: tf.cond(p, lambda: "yes", lambda: "no")))

# --- cond_results_are_not_converted
print(tf.cond(tf.constant(True), lambda: 1, lambda: 2), tf.cond(True, lambda: [1, 2.5, "s"], lambda: None), tf.cond(True, lambda: None, lambda: 2))
print(repr(tf.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [])), repr(tf.cond(tf.constant(True), lambda: (tf.constant(1),), lambda: [])))

# --- cond_functions_missing
for a in ((True,), (True, None, None), (True, 3, 4), (True, lambda: 1, 2), (False, None, lambda: 1)):
    print(outcome(lambda: tf.cond(*a)))

# --- cond_function_with_argument
print(outcome(lambda: tf.cond(True, lambda x: x, lambda x: x)))

# --- cond_second_derivative
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.cond(x > 1.0, lambda: x ** 4, lambda: x)
    g = inner.gradient(y, x)
print(outer.gradient(g, x))

# --- cond_exception_in_branch
def fail():
    raise KeyError("inside")
print(outcome(lambda: tf.cond(True, fail, lambda: 1)), outcome(lambda: tf.cond(False, fail, lambda: 1)))

# --- case_arguments
t, f = tf.constant(True), tf.constant(False)
one = lambda: 1
for call in (lambda: tf.case([]), lambda: tf.case([], default=one), lambda: tf.case({}), lambda: tf.case([(t, 1)]), lambda: tf.case([t]), lambda: tf.case(3), lambda: tf.case([(t, one)], default=2), lambda: tf.case({t.ref(): one}, exclusive=True), lambda: tf.case([(True, one)]), lambda: tf.case([(1, one)]), lambda: tf.case([(tf.constant([True]), one)]), lambda: tf.case([(tf.constant(1), one)]), lambda: tf.case([(f, one)], default=lambda: 7), lambda: tf.case((((t, one)),)), lambda: tf.case([(tf.Variable(True), one)]), lambda: tf.case([(np.bool_(True), one)])):
    print(outcome(call))

# --- case_order_and_exclusive
t, f = tf.constant(True), tf.constant(False)
print(tf.case([(f, lambda: 1), (t, lambda: 2), (t, lambda: 3)]), tf.case([(f, lambda: 1), (t, lambda: 2)], exclusive=True), tf.case([(f, lambda: 1)], default=lambda: [tf.constant(2)]))

# --- case_none_true
# phrase: None of conditions evaluated as True
tf.case([(tf.constant(False), lambda: 1), (tf.constant(False), lambda: 2)])

# --- case_exclusive_violated
print(tf.case([(tf.constant(True), lambda: 1), (tf.constant(True), lambda: 2)], exclusive=True))

# --- switch_case_arguments
fs = [lambda: 10, lambda: 20]
i = tf.constant(0)
for call in (lambda: tf.switch_case(0, fs), lambda: tf.switch_case(tf.constant(0.0), fs), lambda: tf.switch_case(i, []), lambda: tf.switch_case(i, {}), lambda: tf.switch_case(i, 3), lambda: tf.switch_case(i, {1: fs[0]}), lambda: tf.switch_case(i, {0: fs[0], 2: fs[1]}), lambda: tf.switch_case(i, [(0, fs[0]), (0, fs[1])]), lambda: tf.switch_case(i, [(1, fs[0]), (0, fs[1])]), lambda: tf.switch_case(i, [(0, 5)]), lambda: tf.switch_case(i, [(0.0, fs[0])]), lambda: tf.switch_case(i, fs, default=4), lambda: tf.switch_case(tf.constant(3, tf.int64), fs), lambda: tf.switch_case(tf.constant(1, tf.uint8), fs), lambda: tf.switch_case(tf.constant([1]), fs), lambda: tf.switch_case(tf.constant([0, 1]), fs), lambda: tf.switch_case(tf.Variable(1), fs), lambda: tf.switch_case(np.int32(1), fs), lambda: tf.switch_case(tf.constant(True), fs)):
    print(outcome(call))

# --- while_loop_arguments
c, b = (lambda i: i < 3), (lambda i: (i + 1,))
for call in (lambda: tf.while_loop(1, b, (0,)), lambda: tf.while_loop(c, 1, (0,)), lambda: tf.while_loop(c, b, ()), lambda: tf.while_loop(c, b, (0,), parallel_iterations=0), lambda: tf.while_loop(c, b, 0), lambda: tf.while_loop(c, b, (0,), maximum_iterations=[1]), lambda: tf.while_loop(c, b, (0,), maximum_iterations=tf.constant(2)), lambda: tf.while_loop(c, b, (0,), maximum_iterations=-1), lambda: tf.while_loop(c, b, (0,), maximum_iterations=2.7), lambda: tf.while_loop(c, b, (0, 1)), lambda: tf.while_loop(c, lambda i: (i + 1, 2), (0,)), lambda: tf.while_loop(c, lambda i: None, (0,)), lambda: tf.while_loop(lambda i: tf.constant([True, False]), b, (0,))):
    print(outcome(call))

# --- while_loop_results
print(tf.while_loop(lambda i: i < 3, lambda i: [i + 1], (0,)), tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [0]))
print(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [5]), tf.while_loop(lambda i: i < 3, lambda i: i + 1, (5.0,)))
print(tf.while_loop(lambda i, j: i < 3, lambda i, j: [i + 1, j], (0, 1.5)), tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), maximum_iterations=9))
for call in (lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, (0,)), lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, (tf.constant(0),)), lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, (0,), maximum_iterations=2), lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, (0,), maximum_iterations=1), lambda: tf.while_loop(lambda x: x < 3, lambda x: (x + 1,), tf.constant([0])), lambda: tf.while_loop(lambda x: x < 3, lambda x: (x + 1,), {"a": 1}), lambda: tf.while_loop(lambda x: x < 3, lambda x: (x + 1,), 5)):
    print(outcome(call))

# --- while_loop_variables_are_read
v = tf.Variable(1.0)
def body(x):
    print(type(x).__name__.replace("EagerTensor", "Tensor"))
    return (x * 2.0,)
print(tf.while_loop(lambda x: x < 3.0, body, (v,)))

# --- while_loop_shape_may_change
print(tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 0)), (0, tf.constant([1.0])), shape_invariants=(tf.TensorShape([]), tf.TensorShape([None]))))
print(tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 0)), (0, tf.constant([1.0]))))

# --- while_loop_dtype_may_change
print(tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.cast(x, tf.float64)), (0, tf.constant(1.0))))

# --- while_loop_named_tuple_and_dict
from collections import namedtuple
State = namedtuple("State", "n total")
print(tf.while_loop(lambda s: s.n < 3, lambda s: [State(s.n + 1, s.total + s.n)], [State(tf.constant(0), tf.constant(0))]))
print(tf.while_loop(lambda s: s["n"] < 3, lambda s: [{"n": s["n"] + 1}], [{"n": tf.constant(0)}]))

# --- while_loop_structure_changes
def body(i, s):
    return i + 1, [s]
print(outcome(lambda: tf.while_loop(lambda i, s: i < 1, body, (0, 1))))

# --- while_loop_back_prop_false
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    (y,) = tf.while_loop(lambda y: y < 20.0, lambda y: (y * x,), (x * 1.0,), back_prop=False)
print(y, tape.gradient(y, x))

# --- while_loop_second_derivative
x = tf.Variable(1.5)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (tf.constant(0), tf.constant(1.0)))
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- while_loop_nested
def inner(i, total):
    _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j), (0, total))
    return i + 1, t
print(tf.while_loop(lambda i, t: i < 5, inner, (tf.constant(0), tf.constant(0))))

# --- group_and_no_op
v = tf.Variable(1.0)
print(tf.group(v.assign(2.0), v.assign_add(1.0)), v.numpy(), tf.group(), tf.no_op(), tf.group([v.assign(9.0)]), v.numpy())
print(outcome(lambda: tf.group(3)), outcome(lambda: tf.group(tf.constant(1), name="g")), outcome(lambda: tf.group(tf.constant(1), other=1)), outcome(lambda: tf.group(None)))

# --- identity_n
a, b = tf.constant([1.0, 2.0]), tf.constant([3])
out = tf.identity_n([a, b])
print(out, out[0] is a, type(out).__name__, tf.identity_n((1, 2.5)), outcome(lambda: tf.identity_n([])), outcome(lambda: tf.identity_n(a)), outcome(lambda: tf.identity_n(3)))

# --- identity_n_gradient
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    p, q = tf.identity_n([x * 2.0, x])
    y = tf.reduce_sum(p * q)
print(tape.gradient(y, x))

# --- tuple
print(tf.tuple([tf.constant(1), tf.constant(2.0)]), tf.tuple([tf.constant(1), None]), outcome(lambda: tf.tuple([])), outcome(lambda: tf.tuple([1, 2])), outcome(lambda: tf.tuple([tf.Variable(2)])))

# --- assert_op
print(tf.Assert(True, [1]), tf.Assert(tf.constant(True), [tf.constant(2)]), outcome(lambda: tf.Assert(False, [1])), outcome(lambda: tf.Assert(tf.constant([True, False]), [1])), outcome(lambda: tf.Assert(0, ["a"])), outcome(lambda: tf.debugging.Assert(True, [1])))

# --- assert_op_message
try:
    tf.Assert(tf.constant(False), ["values:", tf.range(10), tf.constant(1.5)], summarize=2)
except tf.errors.InvalidArgumentError as error:
    print(error.message)
try:
    tf.Assert(tf.constant(False), [tf.range(10), "s", [1, 2]])
except tf.errors.InvalidArgumentError as error:
    print(error.message)
