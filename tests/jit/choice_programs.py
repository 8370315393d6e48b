"""Programs that meet the compiler's choices: functions of arrays, which `choice_sweep` compiles."""

import ml_dtypes  # noqa: F401  (NumPy knows the name bfloat16 from now on)
import numpy as np

import tapeflow as tf
from tapeflow.core.record.primitive_ops import sum_to

SIZES = [*range(1, 21), 31, 32, 33, 63, 64, 65, 100, 127, 129, 257]
PROGRAMS = {}


def program(*shapes, dtype="float32", variables=(), ints=()):
    """Register a function of arrays of these shapes, then of integers (array), then variables."""
    def register(f):
        rng = np.random.default_rng(len(PROGRAMS))
        arrays = [rng.normal(size=shape).astype(dtype) for shape in shapes]
        arrays += [np.array(one) for one in ints]
        starts = [rng.normal(size=shape).astype(dtype) for shape in variables]
        PROGRAMS[f.__name__] = (f, arrays, starts)
        return f

    return register


# -- elements --------------------------------------------------------------------------------------
@program(*[(n,) for n in SIZES])
def rows_of_all_sizes(*xs):
    found = []
    for x in xs:
        y = tf.maximum(x * 2 + 1, 0)
        found += [y, tf.reduce_sum(y * x), tf.reduce_max(x - 1)]
    return found


@program(*[(n,) for n in SIZES], dtype="float64")
def doubles_of_all_sizes(*xs):
    return [one for x in xs for one in (x * 3 - 1, tf.reduce_sum(x), tf.reduce_min(x))]


@program(*[(n,) for n in SIZES[:20]], dtype="float16")
def halves_of_all_sizes(*xs):
    return [one for x in xs for one in (x + 1, tf.reduce_max(x), tf.reduce_sum(x))]


@program(ints=[np.arange(-3, n - 3) for n in SIZES[:20]])
def integers_of_all_sizes(*xs):
    return [one for x in xs for one in (x * x + 1, tf.reduce_max(x), tf.cast(x > 0, tf.int8),
                                        tf.reduce_any(x > 2), tf.reduce_prod(x + 4))]


@program(*[(n, 3) for n in SIZES[:20]])
def columns_of_all_sizes(*xs):
    return [one for x in xs for one in (tf.reduce_sum(x * x, 0), tf.reduce_max(x, 1),
                                        tf.transpose(x) + 1)]


@program((5,), (4, 5), (3, 1, 5), ())
def broadcasting(a, b, c, d):
    return a + b, b * c - d, tf.where(b > d, a, b), tf.nn.relu(c) * d


@program((4, 6), (6, 4), (2, 3, 5))
def transposed(a, b, c):
    return (a + tf.transpose(b), tf.transpose(a) * 2 - b, tf.transpose(c, [2, 0, 1]) + 1.0,
            tf.transpose(c, [1, 2, 0]) * tf.transpose(c, [1, 2, 0]), a[:, ::-1] + a, a[1:3, ::2])


@program((7, 9))
def exchanged(x):
    y = x * 0.5
    return tf.transpose(y) @ y, y + 1, tf.exp(tf.transpose(y)) * 2


@program((6, 6))
def value_and_its_transpose(x):
    y = x * 0.5
    return y + tf.transpose(y), tf.reduce_sum(y * tf.transpose(y))


@program((40, 70))
def heavy(x):
    y = tf.exp(tf.sin(x)) * tf.tanh(x)
    return y, tf.sqrt(tf.abs(y)), tf.reduce_mean(tf.math.log(tf.abs(y) + 1), 1)


@program((9,), (9,))
def deep(x, y):
    for i in range(30):
        x = x * 0.9 + y * 0.1 + i * 0.01
    return x, x - y


@program((), (), (3,))
def scalars(a, b, c):
    return a * b + 1, tf.sin(a) - b, c * (a + b), tf.reduce_sum(c) * a


# -- reductions ------------------------------------------------------------------------------------
@program((3, 5), (8, 17), (5, 33), (4, 1), (1, 6), (2, 3, 4), (17, 129))
def every_axis(*xs):
    found = []
    for x in xs:
        found += [tf.reduce_sum(x), tf.reduce_max(x), tf.reduce_mean(x)]
        for axis in range(len(x.shape)):
            found += [tf.reduce_sum(tf.abs(x) + 1, axis),
                      tf.reduce_min(x, axis, keepdims=True), tf.reduce_prod(x, axis)]
    return found


@program((4, 5, 6))
def two_axes(x):
    return (tf.reduce_sum(x, [0, 1]), tf.reduce_sum(x, [1, 2]), tf.reduce_max(x, [0, 2]),
            x - tf.reduce_mean(x, [1, 2], keepdims=True),
            x / tf.reduce_sum(x * x, [0, 2], keepdims=True),
            tf.reduce_sum(tf.transpose(x, [0, 2, 1]) * 2, 0))


@program((5, 9), (16, 40), (3, 2, 17), (2, 9000), (7, 1))
def softmaxes(*xs):
    return [one for x in xs for one in (tf.nn.softmax(x), tf.nn.log_softmax(x * 2))]


@program((16, 33), (33,))
def layer_norm(x, g):
    with tf.GradientTape() as tape:
        tape.watch([x, g])
        mean = tf.reduce_mean(x, -1, keepdims=True)
        var = tf.reduce_mean(tf.square(x - mean), -1, keepdims=True)
        y = tf.reduce_sum(tf.sin((x - mean) * tf.math.rsqrt(var + 1e-5) * g))
    return tape.gradient(y, [x, g])


@program((6, 10), (6, 10))
def rows_after_a_sum(a, b):
    total = tf.reduce_sum(a[:, :1] + b)
    row = tf.reduce_sum(a * b, 1, keepdims=True)
    return total * a, a / row, row * total


@program((2000,), (3, 5000), (1100, 3))
def long_sums(x, y, z):
    return (tf.reduce_sum(x * x), tf.reduce_sum(y * y, 1), tf.reduce_sum(z + 3, 0),
            tf.reduce_mean(y + 1))


@program((50, 7), (33, 64))
def short_columns(x, y):
    return (tf.reduce_sum(x * 2, 0), tf.reduce_max(y, 0), x - tf.reduce_sum(x, 0),
            tf.reduce_sum(tf.sin(y), 0))


@program((3, 4), dtype="float16")
def half_reductions(x):
    return tf.reduce_sum(x, 0), tf.nn.softmax(x), tf.reduce_mean(x), tf.reduce_max(x, 1)


@program((20, 33), (33, 9), (17, 33), variables=[(33, 20)])
def cast_for_products(x, w, v, u):
    """Operands that are float32 in memory; the sums are few, so that all roundings agree."""
    x, w, v, u = [tf.cast(one, tf.float16) for one in (x, w, v, u)]
    return x @ w, tf.matmul(x[1:], v, transpose_b=True), tf.nn.relu(v @ u)


@program((5, 2, 3), (5, 2, 4), dtype="float16")
def sums_of_halves(x, y):
    """Products and columns in float16, which a loop sums in float32."""
    def turn(i, total, columns):
        return (i + 1, total + tf.cast(tf.matmul(x[i], y[i], transpose_a=True), tf.float32),
                columns + tf.cast(sum_to(y[i], shape=(4,)), tf.float32))

    return tf.while_loop(lambda i, *_: i < 5, turn, (0, tf.ones((3, 4)), tf.zeros(4)),
                         maximum_iterations=5)


@program((1, 1), (1,))
def one_element(x, y):
    return tf.reduce_sum(x), tf.reduce_max(y * 2, keepdims=True), tf.reduce_sum(x + y, 0)


# -- moving ----------------------------------------------------------------------------------------
@program((5, 4), (3,), ints=[[4, 0, 2], [[1, 1], [0, 3]], [0, 2, 1]])
def picked(x, y, rows, more, small):
    return (tf.gather(x, rows), tf.gather(x, more, axis=1) * 2, tf.gather(y * 2, small) + y,
            tf.gather(x, [3, 0]), tf.gather(x, rows)[:, ::2], tf.gather(x, small[1], axis=1))


@program((5, 3), ints=[[1, -1, 4, 0, 1]])
def segments(x, ids):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.math.unsorted_segment_sum(x, ids, 5) ** 2)
    return (tape.gradient(y, x), tf.math.unsorted_segment_sum(x, ids, 5),
            tf.math.unsorted_segment_prod(x, ids, 5), tf.math.unsorted_segment_max(x, ids, 5))


@program((5, 3), (6, 3), ints=[[1, -1, 4, 0, 1]], dtype="bfloat16")
def segments_of_halves(x, y, ids):
    return (tf.math.unsorted_segment_sum(x, ids, 5), tf.math.unsorted_segment_max(x, ids, 5),
            tf.tensor_scatter_nd_add(y, [[1], [3]], x[:2]), tf.cumsum(y), tf.cumsum(y, 1))


@program((6, 3), (2, 3), ints=[[[4], [1]]])
def scattered(x, updates, at):
    return (tf.tensor_scatter_nd_update(x, at, updates), tf.tensor_scatter_nd_add(x, at, updates),
            tf.scatter_nd(at, updates, [6, 3]), tf.tensor_scatter_nd_max(x * 2, at, updates))


@program((6, 3), (2, 3), ints=[[[9], [1]]])
def scattered_where_it_fits(x, updates, at):
    return tf.tensor_scatter_nd_add(x, at, updates, bad_indices_policy="IGNORE")


@program((2, 3), (4, 3), (3,))
def assembled(a, b, c):
    return (tf.concat([a, b], 0) * 2, tf.stack([c, c * 2]), tf.pad(a, [[1, 0], [2, 1]]),
            tf.tile(c, [3]), tf.roll(b, 1, 0), tf.concat([a[:, :1], a], 1) + 1)


@program((5, 20), (20, 3), (4,))
def running(x, y, z):
    return (tf.cumsum(x, 0), tf.cumsum(x, 1, exclusive=True), tf.cumsum(y, 0, reverse=True),
            tf.math.cumprod(z), tf.cumsum(tf.transpose(y), 1) * 2)


@program((35, 33))
def running_rows(x):
    return tf.cumsum(x, 1), tf.cumsum(tf.cast(x, tf.float16), 1, reverse=True)


@program((9, 9), (9, 9))
def called_between(x, y):
    """A kernel is called between two native segments."""
    z = tf.linalg.eigvalsh(x * 2)
    return z + y, tf.reduce_sum(z), x + 1


@program(*[(3, n) for n in SIZES[:26]])
def sorted_rows(*xs):
    found = []
    for i, x in enumerate(xs):
        x = tf.round(2 * x)  # equal ones among them
        found += [tf.argsort(x, direction=("ASCENDING", "DESCENDING")[i % 2]), tf.sort(x, 0),
                  *tf.math.top_k(x, 1 + i % x.shape[1])]
    return found


@program((70, 130), (4, 5), dtype="float64")
def sorted_many(x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        top = tf.math.top_k(x, 3)[0]
        loss = tf.reduce_sum(top * top) + tf.reduce_sum(tf.sort(y) * y)
    return [tf.sort(x), tf.argsort(tf.transpose(x)), *tape.gradient(loss, [x, y])]


# -- products --------------------------------------------------------------------------------------
@program((6, 5), (5, 7), (7,), (3, 6, 5), (2, 3, 5, 4))
def products(a, b, bias, c, d):
    return (tf.nn.relu(a @ b + bias), c @ b, tf.tanh(tf.matmul(c, c, transpose_b=True)) * 2,
            tf.matmul(a, c, transpose_a=True), tf.matmul(d, d[:, :1], transpose_a=True),
            tf.transpose(a @ b) + 1, tf.nn.relu(c @ b) - bias, a @ b + a[:, 1:2],
            tf.linalg.matvec(a, b[:, 0]) * 3, a @ b)


@program((16, 2), (16, 1), variables=[(2, 1)])
def regression(x, y, w):
    g = tf.matmul(x, x @ w - y, transpose_a=True)
    w.assign_sub(0.1 * g)
    return g


@program((33, 9), (33, 4), variables=[(9, 17), (17,), (17, 4), (4,)])
def perceptron(x, y, a, b, c, d):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ a + b)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(y), h @ c + d))
    variables = [a, b, c, d]
    for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
        v.assign_sub(0.1 * g)
    return loss


@program((900, 9), (9, 21), (900, 21), (3, 8, 6, 5), (3, 3, 5, 8))
def sums_over_rows(x, w, g, images, filters):
    y, z = tf.nn.relu(x @ w), tf.nn.conv2d(images, filters, 1, "SAME")
    return (y, tf.reduce_sum(y, 0), tf.reduce_mean(y * (g - 0.5), 0), z,
            tf.reduce_sum(z, (0, 1, 2)), tf.reduce_sum(tf.sin(z), (0, 1, 2), keepdims=True))


# -- small matrices --------------------------------------------------------------------------------
SIDES = [*range(1, 21), 31, 32, 33, 63, 64]


def positive(x):
    """A positive definite matrix, far from singular."""
    n = x.shape[-1]
    return tf.matmul(x, x, transpose_b=True) / n + tf.eye(n, dtype=x.dtype)


@program(*[(2, n, n) for n in SIDES])
def factors_of_all_sizes(*xs):
    return [tf.linalg.cholesky(positive(x)) for x in xs]


@program(*[(2, n, n) for n in SIDES[:12]], dtype="float64")
def factors_of_doubles(*xs):
    return [one for x in xs for one in (
        tf.linalg.cholesky(positive(x)), tf.linalg.cholesky(tf.transpose(positive(x), [0, 2, 1])))]


@program(*[(n, n) for n in SIDES], *[(n, n) for n in SIDES])
def systems_of_all_sizes(*xs):
    half, found = len(xs) // 2, []
    for i, (a, b) in enumerate(zip(xs[:half], xs[half:], strict=True)):
        a = positive(a)
        found.append(tf.linalg.triangular_solve(a, b[:, :1 + i * 7 % b.shape[1]],
                                                lower=i % 2 == 0, adjoint=i % 3 == 0))
    return found


@program((3, 1, 5, 5), (2, 5, 4), (5, 5))
def systems_that_broadcast(a, b, c):
    a, c = positive(a), positive(c)
    return (tf.linalg.triangular_solve(a, b), tf.linalg.triangular_solve(c, b, lower=False),
            tf.linalg.triangular_solve(tf.transpose(c), b[:, ::-1]),
            tf.linalg.triangular_solve(c, tf.transpose(c * 2)), tf.linalg.cholesky(a)[0])


@program(*[(n, n) for n in SIDES])
def eliminations_of_all_sizes(*xs):
    found = []
    for i, x in enumerate(xs):
        x = x + 3 * tf.sqrt(float(x.shape[0])) * tf.eye(x.shape[0])[::-1]
        found += [tf.linalg.inv(x), tf.linalg.solve(x, x[:, :1 + i * 7 % x.shape[0]] + 1),
                  tf.linalg.slogdet(x)[i % 2]]
    return found


@program((3, 7, 7), (3, 7, 2), (2, 3, 3), dtype="float64")
def eliminations_of_doubles(a, b, c):
    a = a + 5 * tf.eye(7, dtype=a.dtype)
    lower_upper, order = tf.linalg.lu(a)
    return (lower_upper, order, tf.linalg.lu_solve(lower_upper, order, b), tf.linalg.det(c),
            tf.linalg.solve(a, b, adjoint=True), *tf.linalg.slogdet(tf.transpose(c, [0, 2, 1])))


@program((4, 9, 9), (4, 9, 40))
def gradients_of_systems(a, b):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        x = tf.linalg.cholesky_solve(tf.linalg.cholesky(positive(a)), b)
        loss = tf.reduce_sum(x * x)
    return [loss, *tape.gradient(loss, [a, b])]


# -- variables -------------------------------------------------------------------------------------
@program((4,), variables=[(4,), (4,), (4,)])
def momentum(g, v, m, spare):
    m.assign(0.9 * m + g)
    v.assign_sub(0.1 * m)
    return tf.reduce_sum(v) + spare[0]


@program((3, 3), variables=[(3, 3), (3, 3)])
def swapped(x, v, w):
    """Variables that change places, and one that is read after it has changed."""
    old = v + 0.0
    v.assign(tf.transpose(w))
    w.assign(old)
    return v @ x, w * x


@program((5,), variables=[(5,)])
def read_and_reversed(x, v):
    v.assign(v[::-1] * x)
    return v + 1, v[1:] * 2


@program((2, 3), variables=[(6, 3)], ints=[[4, 1]])
def rows_updated(x, rows, v):
    v.scatter_add(tf.IndexedSlices(x, rows))
    return tf.reduce_sum(v, 0), v[0]


@program((2, 3), (5, 3), variables=[(4,)], ints=[[4, 1]])
def checked_first(x, table, rows, v):
    v.assign_add([1.0, 2.0, 3.0, 4.0])
    return tf.gather(table, rows) * x + v[0]


@program((12,), (), variables=[(12,), (12,), (12,), (12,)])
def updated_in_branches(x, a, v, w, first, second):
    def change():
        v.assign(tf.math.cumsum(v) + x)
        w.assign_sub(tf.math.cumsum(v * x))
        return 0.0

    def swap():
        held = tf.identity(first)
        first.assign(tf.math.cumsum(second))
        second.assign(held)
        return tf.reduce_sum(x)

    taken = tf.cond(a > 0.0, change, lambda: tf.reduce_sum(w))
    return taken, tf.cond(a < 0.0, swap, lambda: 1.0), tf.cond(a > -9.0, lambda: x, lambda: w)


@program(ints=[[3, 7]])
def random_numbers(seed):
    return [tf.random.stateless_uniform(shape, seed) for shape in ([1], [3, 5], [37], [20, 33])]


@program((3,), variables=[(3,)])
def given_back(x, v):
    before = v.read_value()
    v.assign(x)
    v.assign(before)
    return v, x, x[::-1], v[1:]


# -- memory ----------------------------------------------------------------------------------------
@program((40, 60), (60, 50), (50, 40))
def large_values(a, b, c):
    x = tf.nn.softmax(a @ b)
    y = tf.nn.softmax(x @ c)
    z = tf.nn.softmax(y @ a)
    return tf.reduce_sum(z @ b, 0)


# -- control ---------------------------------------------------------------------------------------
@program((16, 3), (4, 4), (7, 16, 4))
def recurrent(x, w, steps):
    def turn(h, s):
        return tf.tanh(h @ w + s)

    with tf.GradientTape() as tape:
        tape.watch(w)
        found = tf.scan(turn, steps, initializer=tf.pad(x, [[0, 0], [0, 1]]))
        loss = tf.reduce_sum(found * found)
    back = tf.scan(turn, steps, initializer=tf.zeros([16, 4]), reverse=True)
    return found[-1], back[0], tape.gradient(loss, w)


@program((3,), ())
def loops(x, a):
    def more(i, y):
        return tf.reduce_sum(tf.abs(y)) < 50.0

    def turn(i, y):
        return i + 1, y * 1.5 + 1

    found = tf.while_loop(more, turn, [tf.constant(0), x])
    bounded = tf.while_loop(lambda i, y: i < 4, turn, [tf.constant(0), x], maximum_iterations=9)
    branch = tf.cond(a > 0.0, lambda: x * 2, lambda: x - 1)
    return found[1], bounded[1], branch


@program((6, 3, 5), (5, 16), (16, 16), (16,), (6, 3, 16))
def cell(x, w, u, bias, goal):
    """A recurrent cell and its gradients: products leave the loops."""
    with tf.GradientTape() as tape:
        tape.watch([x, w, u, bias])
        h = tf.zeros([3, 16])
        found = tf.scan(lambda h, now: tf.tanh(now @ w + h @ u + bias), x, initializer=h)
        loss = tf.reduce_sum((found - goal) ** 2)
    return tape.gradient(loss, [x, w, u, bias])


@program((6, 3, 5), (5, 16), (16, 16), (3, 16))
def cast_weights(x, w, u, start):
    """Iterations that make the same of weights again and again, and collect it."""
    def turn(i, h):
        return i + 1, tf.tanh(x[i] @ tf.tanh(w) + h @ tf.transpose(tf.abs(u)))

    with tf.GradientTape() as tape:
        tape.watch([w, u])
        _, h = tf.while_loop(lambda i, h: i < 6, turn, (0, start), maximum_iterations=6)
        loss = tf.reduce_sum(h ** 2)
    return tape.gradient(loss, [w, u])


@program((6, 3, 4), (4, 4), (3, 4))
def last_output(x, w, start):
    """A layer that writes each output to the only row of an array, and its gradient."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        array = tf.TensorArray(tf.float32, 1, element_shape=[3, 4])
        _, h, array = tf.while_loop(
            lambda i, *_: i < 6, lambda i, h, array: (
                i + 1, tf.tanh(x[i] + h @ w), array.write(0, tf.sin(h))),
            (0, start, array), maximum_iterations=6)
        loss = tf.reduce_sum(array.stack() * start) + tf.reduce_sum(h)
    return array.stack(), tape.gradient(loss, [x, w])


@program((3, 6, 4), (4, 4))
def columns_by_turns(x, w):
    """A loop of a user's over the columns of a batch."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        _, h = tf.while_loop(lambda i, h: i < 6, lambda i, h: (i + 1, tf.tanh(x[:, i] + h @ w)),
                             (0, tf.zeros([3, 4])), maximum_iterations=6)
        loss = tf.reduce_sum(h * h)
    return tape.gradient(loss, [x, w])


@program((4, 9))
def gates(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sigmoid(x[:, :3]) * tf.tanh(x[:, 3:6]) + x[:, 6:] ** 2
    return tape.gradient(y, x)


@program((5, 4), (4, 4))
def arrays(x, w):
    """Rows written to and read from arrays that a loop carries."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        start = tf.TensorArray(tf.float32, 5, element_shape=[4])

        def turn(i, h, array):
            h = tf.tanh(tf.linalg.matvec(w, h) + x[i])
            return i + 1, h, array.write(i, h)

        found = tf.while_loop(lambda i, *_: i < 5, turn, [tf.constant(0), x[0], start])
        y = found[2].stack()
        loss = tf.reduce_sum(y * y)
    return y, found[0], tape.gradient(loss, [x, w])


@program((16, 30, 3), (30, 16, 3), (3, 4), (4, 4), (16, 4), (16, 4))
def unrolled(x, y, w, u, first, second):
    """A recurrent cell as a loop of Python: long enough to be rolled up."""
    with tf.GradientTape() as tape:
        tape.watch([x, w, u])
        h, found = tf.zeros([16, 4]), []
        own = [first * 0.1, second * 0.1, first * second]
        for t, now in enumerate(tf.unstack(y)):
            h = tf.tanh(x[:, t] @ w + h @ u + now @ w * (0.1 * t) + own[t % 3] + t)
            found.append(h)
        loss = tf.reduce_sum(tf.stack(found, 1) ** 2)
    return found[-1], tf.concat(found, 0), tape.gradient(loss, [x, w, u])


# -- images ----------------------------------------------------------------------------------------
@program((2, 7, 6, 3), (3, 3, 3, 4), (3, 3, 4, 1))
def images_with_borders(x, filters, each):
    with tf.GradientTape() as tape:
        tape.watch([x, filters, each])
        y = tf.nn.conv2d(tf.pad(x, [[0, 0], [1, 1], [0, 1], [0, 0]]), filters, 1, "VALID")
        z = tf.nn.depthwise_conv2d(tf.pad(tf.nn.relu(y), [[0, 0], [0, 1], [0, 1], [0, 0]]), each,
                                   [1, 2, 2, 1], "VALID")
    return y, z, tape.gradient(z, [x, filters, each])
