# AutoGraph: Python control flow on tensors inside tf.function.

# --- if_without_else
@tf.function
def f(x):
    y = x
    if x > 0:
        y = x * 10
    return y
print(f(tf.constant(2)), f(tf.constant(-2)))

# --- elif_chain
@tf.function
def f(x):
    if x < 0:
        kind = -1
    elif x == 0:
        kind = 0
    elif x < 10:
        kind = 1
    else:
        kind = 2
    return kind
print([f(tf.constant(v)).numpy() for v in (-5, 0, 5, 50)])

# --- nested_ifs
@tf.function
def f(x, y):
    if x > 0:
        if y > 0:
            r = x + y
        else:
            r = x - y
    else:
        r = tf.zeros_like(x)
    return r
print([f(tf.constant(a), tf.constant(b)).numpy() for a, b in ((1, 2), (1, -2), (-1, 2))])

# --- if_several_variables
@tf.function
def f(x):
    a, b = x, x
    if x > 0:
        a = a + 1
        c = a * b
    else:
        b = b - 1
        c = a - b
    return a, b, c
print(f(tf.constant(3)), f(tf.constant(-3)))

# --- if_python_condition
traces = []
@tf.function
def f(x, flag):
    if flag:
        traces.append("yes")
        x = x + 1
    else:
        traces.append("no")
    return x
print(f(tf.constant(1), True), f(tf.constant(1), False), f(tf.constant(2), True), traces)

# --- both_branches_are_traced
traces = []
@tf.function
def f(x):
    if x > 0:
        traces.append("then")
        x = x + 1
    else:
        traces.append("else")
        x = x - 1
    return x
print(f(tf.constant(1)), f(tf.constant(-1)), traces)

# --- if_with_structures
@tf.function
def f(x):
    if x > 0:
        d = {"a": x, "b": [x, x + 1]}
    else:
        d = {"a": -x, "b": [x, x - 1]}
    return d["a"] + d["b"][1]
print(f(tf.constant(2)), f(tf.constant(-2)))

# --- if_on_attribute
class Box:
    pass
@tf.function
def f(x):
    box = Box()
    box.v = x
    if x > 0:
        box.v = x * 2
    else:
        box.v = x * 3
    return box.v
print(f(tf.constant(2)), f(tf.constant(-2)))

# --- if_on_container_item
@tf.function
def f(x):
    d = {"v": x}
    if x > 0:
        d["v"] = x * 2
    else:
        d["v"] = x * 3
    return d["v"]
print(f(tf.constant(2)), f(tf.constant(-2)))

# --- if_dtype_mismatch
@tf.function
def f(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y
print(outcome(lambda: f(tf.constant(1))))

# --- if_shape_differs
@tf.function
def f(x):
    if x > 0:
        y = tf.zeros([2])
    else:
        y = tf.zeros([3])
    return y
print(f(tf.constant(1)), f(tf.constant(-1)))

# --- if_none_in_one_branch
@tf.function
def f(x):
    y = None
    if x > 0:
        y = x
    return y
print(outcome(lambda: f(tf.constant(1))))

# --- if_string_in_branches
@tf.function
def f(x):
    if x > 0:
        y = "positive"
    else:
        y = "other"
    return y
print(f(tf.constant(1)), f(tf.constant(-1)))

# --- early_return
@tf.function
def f(x):
    if x < 0:
        return -1.0
    y = tf.sqrt(x)
    if y > 10.0:
        return y / 10.0
    y = y + 1.0
    return y
print([float(f(tf.constant(v))) for v in (-1.0, 4.0, 400.0)])

# --- return_in_one_branch_only
@tf.function
def f(x):
    if x > 0:
        return x
print(outcome(lambda: f(tf.constant(1))))

# --- return_tuples
@tf.function
def f(x):
    if x > 0:
        return x, x + 1
    else:
        return x - 1, x
print(f(tf.constant(5)), f(tf.constant(-5)))

# --- return_in_python_for
@tf.function
def f(x):
    for i in range(5):
        if i == 3:
            return x + i
    return x
print(f(tf.constant(1)))

# --- while_counter
@tf.function
def f(n):
    i, total = 0, 0
    while i < n:
        total += i
        i += 1
    return total, i
print(f(tf.constant(5)), f(tf.constant(0)))

# --- while_python_condition
traces = []
@tf.function
def f(x):
    i = 0
    while i < 3:
        traces.append(i)
        x = x * 2
        i += 1
    return x
print(f(tf.constant(1)), f(tf.constant(2)), traces)

# --- while_body_traced_once
traces = []
@tf.function
def f(n):
    i = tf.constant(0)
    while i < n:
        traces.append("body")
        i += 1
    return i
print(f(tf.constant(5)), f(tf.constant(7)), traces)

# --- while_break
@tf.function
def f(n):
    i = tf.constant(0)
    while i < 100:
        if i * i >= n:
            break
        i += 1
    return i
print(f(tf.constant(50)), f(tf.constant(0)), f(tf.constant(100000)))

# --- while_continue
@tf.function
def f(n):
    i, total = tf.constant(0), tf.constant(0)
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        total += i
    return total
print(f(tf.constant(10)))

# --- while_two_breaks
@tf.function
def f(n, m):
    i = tf.constant(0)
    while i < 1000:
        i += 1
        if i > n:
            break
        if i > m:
            i = -i
            break
    return i
print(f(tf.constant(5), tf.constant(9)), f(tf.constant(9), tf.constant(5)))

# --- nested_loops
@tf.function
def f(n):
    total = 0
    for i in tf.range(n):
        for j in tf.range(i + 1):
            if j == 2:
                break
            total += i * 10 + j
    return total
print(f(tf.constant(4)))

# --- nested_while_continue
@tf.function
def f(n):
    i, total = 0, 0
    while i < n:
        j = 0
        while j < i:
            j += 1
            if (i + j) % 2 == 0:
                continue
            total += j
        i += 1
    return total
print(f(tf.constant(6)))

# --- for_range_of_tensor
@tf.function
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total
print(f(tf.constant(5)), f(5))

# --- for_range_start_stop_step
@tf.function
def f(a, b):
    total = 0
    for i in tf.range(a, b, 3):
        total += i
    for i in range(a, b):
        total += 100 * i
    for i in range(b, a, -2):
        total += 10000 * i
    return total
print(f(tf.constant(1), tf.constant(9)))

# --- for_over_matrix_rows
@tf.function
def f(m):
    best = tf.zeros([3])
    for row in m:
        best = tf.maximum(best, row)
    return best
print(f(tf.constant([[1.0, 5.0, 2.0], [4.0, 0.0, 9.0]])))

# --- for_over_unknown_length
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(xs):
    total = 0.0
    for x in xs:
        total += x * x
    return total
print(f([1.0, 2.0, 3.0]), f([]), f([5.0]))

# --- for_over_tuple_of_tensors
@tf.function
def f(a, b):
    total = 0
    for x in (a, b):
        total += tf.reduce_sum(x)
    return total
print(f(tf.constant([1, 2]), tf.constant(3)))

# --- for_over_zip_and_enumerate_of_python
@tf.function
def f(xs, ys):
    total = 0
    for i, (x, y) in enumerate(zip(xs, ys)):
        total += i * x * y
    return total
print(f([1, 2, 3], [tf.constant(4), tf.constant(5), tf.constant(6)]))

# --- for_loop_variable_after_loop
@tf.function
def f(n):
    i = 0
    for i in tf.range(n):
        pass
    return i
print(f(tf.constant(4)))

# --- for_loop_variable_undefined_after_loop
@tf.function
def f(n):
    for i in tf.range(n):
        last = i
    return last
print(outcome(lambda: f(tf.constant(4))))

# --- for_scalar_tensor
@tf.function
def f(x):
    for y in x:
        pass
    return x
print(outcome(lambda: f(tf.constant(1))))

# --- for_else
@tf.function
def f(x):
    for i in range(3):
        if i == 5:
            break
        x += i
    else:
        x += 100
    return x
print(outcome(lambda: f(tf.constant(0)).numpy()))

# --- loop_with_structures
@tf.function
def f(n):
    state = {"a": tf.constant(1), "b": (tf.constant(1), tf.constant(0))}
    for _ in tf.range(n):
        state = {"a": state["a"] + state["b"][0], "b": (state["a"], state["b"][0])}
    return state
print(f(tf.constant(5)))

# --- loop_dtype_changes
@tf.function
def f(n):
    x = 0
    for i in tf.range(n):
        x = x + 0.5
    return x
print(outcome(lambda: f(tf.constant(3))))

# --- loop_shape_changes
@tf.function
def f(n):
    x = tf.zeros([1])
    for i in tf.range(n):
        x = tf.concat([x, x], 0)
    return x
print(outcome(lambda: f(tf.constant(3))))

# --- shape_invariants
@tf.function
def f(n):
    x = tf.constant([1])
    i = 0
    while i < n:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
        x = tf.concat([x, [i]], 0)
        i += 1
    return x
print(f(tf.constant(3)), f(tf.constant(0)))

# --- shape_invariants_for
@tf.function
def f(n):
    x = tf.zeros([0, 2])
    for i in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 2]))], maximum_iterations=10)
        x = tf.concat([x, tf.fill([1, 2], tf.cast(i, tf.float32))], 0)
    return x
print(f(tf.constant(2)))

# --- maximum_iterations_option
@tf.function
def f(n):
    i = tf.constant(0)
    while i < n:
        tf.autograph.experimental.set_loop_options(maximum_iterations=4)
        i += 1
    return i
print(f(tf.constant(100)), f(tf.constant(2)))

# --- and_or_not
@tf.function
def f(a, b, c):
    return a and b, a or b, not a, a and b or c, a or b and c
t, n = tf.constant(True), tf.constant(False)
print(f(t, n, t), f(n, n, t))

# --- and_with_python
@tf.function
def f(x, flag):
    if flag and x > 0:
        return 1
    else:
        return 0
print(f(tf.constant(1), True), f(tf.constant(1), False), f(tf.constant(1), None), f(tf.constant(-1), [1]))

# --- comparison_chain
@tf.function
def f(x):
    if 0 < x < 10:
        return 1
    return 0
print([f(tf.constant(v)).numpy() for v in (-1, 5, 50)])

# --- equality_operators
@tf.function
def f(x, y):
    if x == y:
        return "same"
    if x != y + 1:
        return "far"
    return "near"
print(f(tf.constant(1), tf.constant(1)), f(tf.constant(3), tf.constant(2)), f(tf.constant(9), tf.constant(2)))

# --- in_operator_with_python
@tf.function
def f(x, k):
    if k in ("a", "b"):
        return x + 1
    return x
print(f(tf.constant(1), "a"), f(tf.constant(1), "z"))

# --- is_none
@tf.function
def f(x, y=None):
    if y is None:
        return x
    return x + y
print(f(tf.constant(1)), f(tf.constant(1), tf.constant(2)))

# --- ternary_dtypes_differ
@tf.function
def f(x):
    return 1 if x > 0 else 2.0
print(outcome(lambda: f(tf.constant(1))))

# --- assert_python
@tf.function
def f(x, k):
    assert k > 0, "k"
    return x * k
print(f(tf.constant(1), 2), outcome(lambda: f(tf.constant(1), -2)))

# --- print_is_python
@tf.function
def f(x):
    print("tracing with", x.shape)
    return x
f(tf.constant([1, 2]))
f(tf.constant([3, 4]))

# --- builtins_on_tensors
@tf.function
def f(x):
    return len(x), abs(x), int(x[0]), float(x[1]), max(x.shape), sum([x[0], x[1]])
print(f(tf.constant([1.7, -2.5])))

# --- max_min_of_tensors
@tf.function
def f(x, y):
    return max(x, y), min(x, y)
print(outcome(lambda: f(tf.constant(1), tf.constant(2))))

# --- len_of_unknown
@tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
def f(x):
    return len(x)
print(f([1, 2, 3]), f([]))

# --- list_append_in_loop
@tf.function
def f(n):
    out = []
    for i in range(3):
        out.append(i * n)
    return tf.stack(out)
print(f(tf.constant(2)))

# --- list_append_in_tensor_loop
@tf.function
def f(n):
    out = []
    for i in tf.range(n):
        out.append(i)
    return tf.stack(out)
print(outcome(lambda: f(tf.constant(3)).numpy()))

# --- list_comprehension
@tf.function
def f(xs):
    return tf.stack([x * 2 for x in xs]), [i for i in range(3) if i != 1]
print(f([tf.constant(1), tf.constant(2)]))

# --- comprehension_over_tensor
@tf.function
def f(xs):
    return [x * 2 for x in xs]
print(outcome(lambda: f(tf.constant([1, 2]))))

# --- tensor_array_loop
@tf.function
def f(n):
    ta = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        ta = ta.write(i, i * i)
    return ta.stack()
print(f(tf.constant(5)))

# --- tensor_array_for_read
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=3).unstack(x)
    total = 0.0
    for i in tf.range(3):
        total += ta.read(i)
    return total, ta.size()
print(f(tf.constant([1.0, 2.0, 4.0])))

# --- called_functions_are_converted
def helper(x):
    if x > 0:
        return x * 2
    return -x
class Thing:
    def method(self, x):
        if x > 10:
            return x - 10
        return helper(x)
@tf.function
def f(x):
    return Thing().method(x)
print(f(tf.constant(3)), f(tf.constant(-3)), f(tf.constant(30)))

# --- inner_functions_are_converted
@tf.function
def f(x):
    def inner(y):
        if y > x:
            return y
        return x
    g = lambda y: 1 if y > 0 else -1
    return inner(x - 1), inner(x + 1), g(x)
print(f(tf.constant(3)), f(tf.constant(-3)))

# --- lambda_with_ternary
f = tf.function(lambda x: x if x > 0 else -x)
print(f(tf.constant(3)), f(tf.constant(-3)))

# --- do_not_convert
@tf.autograph.experimental.do_not_convert
def helper(x):
    return 1 if x > 0 else 0
@tf.function
def f(x):
    return helper(x)
print(outcome(lambda: f(tf.constant(3))))

# --- do_not_convert_with_python_values
calls = []
@tf.autograph.experimental.do_not_convert
def helper(x, k):
    for i in range(k):
        calls.append(i)
        x = x + i
    return x
@tf.function
def f(x):
    return helper(x, 3)
print(f(tf.constant(0)), calls)

# --- recursion_with_python_condition
@tf.function
def f(x):
    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        return x * power(x, n - 1)
    return power(x, 5)
print(f(tf.constant(2)))

# --- closure_is_seen
k = 3
@tf.function
def f(x):
    def scale(y):
        return y * k
    if x > 0:
        x = scale(x)
    return x
print(f(tf.constant(2)), f(tf.constant(-2)))

# --- nonlocal_in_branch
@tf.function
def f(x):
    total = x
    def add(y):
        nonlocal total
        total = total + y
    add(tf.constant(1))
    if x > 0:
        add(tf.constant(10))
    return total
print(outcome(lambda: f(tf.constant(1)).numpy()), outcome(lambda: f(tf.constant(-1)).numpy()))

# --- global_in_function
count = 0
@tf.function
def f(x):
    global count
    count += 1
    return x
f(tf.constant(1)), f(tf.constant(2)), f(tf.constant(1.0))
print(count)

# --- try_and_with
import contextlib
@tf.function
def f(x):
    try:
        with contextlib.nullcontext():
            if x > 0:
                y = x
            else:
                y = -x
    finally:
        z = 1
    return y + z
print(f(tf.constant(-4)))

# --- exception_raised_while_tracing
@tf.function
def f(x, k):
    if k > 2:
        raise KeyError("too large")
    return x
print(f(tf.constant(1), 1), outcome(lambda: f(tf.constant(1), 3)), f(tf.constant(2), 1))

# --- unpacking
@tf.function
def f(x):
    a, (b, *c) = x[0], (x[1], x[2], x[3])
    if a > 0:
        a, b = b, a
    return a, b, c
print(f(tf.constant([1, 2, 3, 4])), f(tf.constant([-1, 2, 3, 4])))

# --- augmented_assignments
@tf.function
def f(x):
    y = x
    if x > 0:
        y += 1
        y *= 2
        y -= 3
    else:
        y //= 2
        y **= 2
    return y
print(f(tf.constant(5)), f(tf.constant(-5)))

# --- variable_as_condition
v = tf.Variable(True)
@tf.function
def f(x):
    if v:
        return x
    return -x
print(f(tf.constant(1)))
v.assign(False)
print(f(tf.constant(1)))

# --- int_tensor_as_condition
@tf.function
def f(x):
    if x:
        return 1
    return 0
print(outcome(lambda: f(tf.constant(3)).numpy()), outcome(lambda: f(tf.constant(0)).numpy()))

# --- vector_as_condition
@tf.function
def f(x):
    if x > 0:
        return 1
    return 0
print(outcome(lambda: f(tf.constant([1, 2]))))

# --- tensor_unpacked_or_iterated_without_autograph
@tf.function(autograph=False)
def f(x):
    for y in x:
        pass
    return x
print(outcome(lambda: f(tf.constant([1, 2]))))

# --- undefined_after_if_message
# phrase: must also be initialized in the else branch
@tf.function
def f(x):
    if x > 0:
        y = x
    return y
f(tf.constant(1))

# --- return_message
# phrase: the else branch must also have a return statement
@tf.function
def f(x):
    if x > 0:
        return x
f(tf.constant(1))

# --- to_code_and_to_graph
def g(x):
    if x > 0:
        return x
    return -x
h = tf.autograph.to_graph(g)
print(h(tf.constant(-3)), h(4), h.__name__, tf.autograph.to_code(g).splitlines()[0])
@tf.function(autograph=False)
def f(x):
    return h(x)
print(f(tf.constant(-5)))

# --- same_code_eager_and_graph
def g(x, n):
    y = x
    for i in range(n):
        if i % 2 == 0 and y < 100:
            y = y * 2
        elif y > 50:
            continue
        else:
            y = y + i
    return y
print(g(3, 7), tf.function(g)(tf.constant(3), tf.constant(7)), tf.function(g)(tf.constant(3), 7))

# --- fizzbuzz
import sys
@tf.function
def fizzbuzz(n):
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            tf.print("FizzBuzz", output_stream=sys.stdout)
        elif i % 3 == 0:
            tf.print("Fizz", output_stream=sys.stdout)
        elif i % 5 == 0:
            tf.print("Buzz", output_stream=sys.stdout)
        else:
            tf.print(i, output_stream=sys.stdout)
fizzbuzz(tf.constant(15))

# --- newton_square_root
@tf.function
def root(x):
    y = x
    while tf.abs(y * y - x) > 1e-4:
        y = 0.5 * (y + x / y)
    return y
print(root(tf.constant(2.0)), root(tf.constant(9.0)))

# --- greatest_common_divisor
@tf.function
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a
print(gcd(tf.constant(48), tf.constant(36)), gcd(tf.constant(17), tf.constant(5)))

# --- sieve
@tf.function
def primes(n):
    found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    count = 0
    for i in tf.range(2, n):
        prime = True
        for j in tf.range(2, i):
            if i % j == 0:
                prime = False
                break
        if prime:
            found = found.write(count, i)
            count += 1
    return found.stack(), count
print(primes(tf.constant(30)))

# --- bubble_sort
@tf.function
def sort(x):
    n = tf.shape(x)[0]
    for i in tf.range(n):
        for j in tf.range(n - 1 - i):
            if x[j] > x[j + 1]:
                swapped = tf.stack([x[j + 1], x[j]])
                x = tf.tensor_scatter_nd_update(x, [[j], [j + 1]], swapped)
    return x
print(sort(tf.constant([3, 1, 2, 5, 4])))

# --- and_of_two_tensors
@tf.function
def f(x):
    if tf.size(x) > 0 and tf.reduce_sum(x) > 0:
        return tf.constant(1)
    return tf.constant(0)
print(f(tf.constant([1.0])), f(tf.constant([-1.0])), f(tf.zeros([0])))

# --- loop_over_a_constant_is_traced_once
traces = []
@tf.function
def f(x):
    for i in tf.range(3):
        traces.append("body")
        x += i
    for y in tf.constant([10, 20]):
        traces.append("other")
        x += y
    return x
print(f(tf.constant(1)), traces)

# --- condition_that_is_a_constant
traces = []
@tf.function
def f(x):
    if tf.constant(True):
        traces.append("then")
        x = x + 1
    else:
        traces.append("else")
        x = x - 1
    return x
print(f(tf.constant(1)), traces)

# --- tracing_prints_symbolic_arguments
@tf.function
def f(a, b, *, c):
    print("Tracing with", a, b, c)
    return a + b + c
f(tf.constant(1), tf.constant(2.0) > 1.0 and tf.constant(2), c=tf.constant(3))
@tf.function
def g(d, *rest):
    print(d["k"], d["l"][0], rest[0], rest[1])
    return d["k"]
g({"k": tf.ones([2]), "l": [tf.constant("s")]}, tf.constant(1), tf.constant(True))

# --- symbolic_results_print
@tf.function
def f(x):
    y = x * 2.0
    z = y + x
    print(y, z, tf.reduce_sum(z), tf.sin(x), x[0], z > 1.0, repr(x))
    return z
f(tf.constant([1.0, 2.0]))
