"""Steps whose gradients are written by hand: small graphs, each a few ops around products.

A step is a function of a Draft that adds lines and gives the names of the results.
"""

from __future__ import annotations

from tests.fuzz.layers import Net

STEPS: list = []


def step(function):
    STEPS.append(function)
    return function


def _given(draft, rows, columns, outputs):
    x = draft.given(draft.numbers(rows, columns))
    y = draft.given(draft.numbers(rows, outputs))
    return x, y, Net(draft.scope, x).weight(columns, outputs)


@step
def regression(draft):
    rng, scope = draft.rng, draft.scope
    rows, columns, outputs = draft.size(), draft.size(), rng.choice([1, 1, 1, 2, draft.size(17)])
    x, y, w = _given(draft, rows, columns, outputs)
    link = rng.choice(["{0} @ " + w, "{0} @ " + w, "tf.sigmoid({0} @ " + w + ")",
                       "tf.tanh(tf.matmul({0}, " + w + "))"])
    e = scope.add(1, f"{{y}} = {link} - {{1}}", x, y)
    if e is None:
        return [x]
    g = scope.add(1, rng.choice([
        "{y} = tf.matmul({0}, {1}, transpose_a=True)", "{y} = tf.transpose({0}) @ {1}",
        f"{{y}} = tf.matmul({{0}}, {{1}}, transpose_a=True) / {max(rows, 1)}.0",
        "{y} = tf.einsum('bi,bo->io', {0}, {1})",
        "{y} = tf.transpose(tf.matmul({1}, {0}, transpose_a=True))",
        "{y} = tf.tensordot({0}, {1}, [[0], [0]])"]), x, e[0])
    scope.add(0, rng.choice([
        f"{w}.assign_sub(0.1 * {{0}})", f"{w}.assign({w} - 0.1 * {{0}})",
        f"{w}.assign(0.99 * {w} - 0.1 * {{0}})", f"{w}.assign_sub({{0}})",
        f"{w}.assign_add(-0.05 * {{0}})"]), g[0])
    return rng.choice([[g[0]], [e[0]], [e[0], g[0]], [x]])


@step
def matrix_power(draft):
    """Iterations on a vector: products of a matrix and a column, or a row."""
    rng, scope = draft.rng, draft.scope
    n = draft.size()
    a = draft.given(draft.numbers(n, n))
    v = Net(scope, a).weight(n, 1)
    u = scope.add(1, rng.choice([
        f"{{y}} = {{0}} @ {v}", f"{{y}} = tf.matmul({{0}}, {v}, transpose_a=True)",
        f"{{y}} = tf.transpose(tf.matmul({v}, {{0}}, transpose_a=True))",
        f"{{y}} = tf.linalg.matvec({{0}}, {v}[:, 0])[:, tf.newaxis]",
        f"{{y}} = tf.reduce_sum({{0}} * tf.transpose({v}), 1, keepdims=True)"]), a)
    if u is None:
        return [a]
    scope.add(0, f"{v}.assign({{0}} / (tf.norm({{0}}) + 0.1))", u[0])
    return [u[0]]


@step
def statistics(draft):
    """Moving sums and covariances."""
    rng, scope = draft.rng, draft.scope
    rows, columns = draft.size(), draft.size(33)
    x = draft.given(draft.numbers(rows, columns))
    net = Net(scope, x)
    mean, cov = net.state(0, columns), net.state(0, columns, columns)
    m = scope.add(1, "{y} = tf.reduce_mean({0}, 0)", x)
    c = scope.add(1, "{y} = tf.matmul({0} - {1}, {0} - {1}, transpose_a=True)", x, *(m or [x]))
    if m is None or c is None:
        return [x]
    scope.add(0, f"{mean}.assign(0.9 * {mean} + 0.1 * {{0}})", m[0])
    scope.add(0, rng.choice([f"{cov}.assign_add({{0}})", f"{cov}.assign(0.5 * {cov} + {{0}})",
                             f"{cov}.assign(({cov} + tf.transpose({{0}})) * 0.5)"]), c[0])
    return [c[0]] if rng.random() < 0.5 else [m[0]]


@step
def clusters(draft):
    """k-means: distances, the nearest, and sums by cluster."""
    scope, rng = draft.scope, draft.rng
    rows, columns, k = draft.size(), draft.size(9), draft.size(9) or 1
    x = draft.given(draft.numbers(rows, columns))
    w = Net(scope, x).weight(k, columns)
    d = scope.add(1, f"{{y}} = tf.reduce_sum(tf.square({{0}}[:, tf.newaxis] - {w}), -1)", x)
    i = None if d is None else scope.add(1, "{y} = tf.argmin({0}, 1)", d[0])
    s = None if i is None else scope.add(1, "{y} = " + rng.choice([
        f"tf.math.unsorted_segment_sum({{0}}, {{1}}, {k})",
        f"tf.matmul(tf.one_hot({{1}}, {k}, dtype={draft.dtype!r}), {{0}}, transpose_a=True)",
        f"tf.math.unsorted_segment_mean({{0}}, {{1}}, {k})"]), x, i[0])
    if s is None:
        return [x]
    scope.add(0, f"{w}.assign(0.9 * {w} + 0.1 * {{0}})", s[0])
    return [i[0], s[0]]


@step
def rows_changed(draft):
    """Rows of a table, picked, changed and put back."""
    scope, rng = draft.scope, draft.rng
    rows, columns, n = draft.size() or 1, draft.size(33), draft.size(9)
    ids = draft.given(draft.wholes([n], rows))
    x = draft.given(draft.numbers(n, columns))
    w = Net(scope, x).weight(rows, columns)
    g = scope.add(1, f"{{y}} = tf.tanh(tf.gather({w}, {{0}}) * {{1}})", ids, x)
    if g is None:
        return [x]
    scope.add(0, rng.choice([
        f"{w}.scatter_sub(tf.IndexedSlices({{0}}, {{1}}))",
        f"{w}.scatter_add(tf.IndexedSlices(0.1 * {{0}}, {{1}}))",
        f"{w}.scatter_nd_add({{1}}[:, tf.newaxis], {{0}})",
        f"{w}.scatter_nd_sub({{1}}[:, tf.newaxis], {{0}} * {{0}})",
        f"{w}.scatter_max(tf.IndexedSlices({{0}}, {{1}}))",
        f"{w}.scatter_min(tf.IndexedSlices({{0}}, {{1}}))",
        f"{w}.assign(tf.tensor_scatter_nd_add({w}, {{1}}[:, tf.newaxis], {{0}}))"]), g[0], ids)
    return [g[0]]


@step
def swapped(draft):
    """Variables that take each other's values, before and after they are read."""
    scope, rng = draft.scope, draft.rng
    a, b = draft.size(33), draft.size(33)
    x = draft.given(draft.numbers(a, b))
    net = Net(scope, x)
    v, w = net.weight(a, b), net.weight(a, b)
    form = rng.choice([f"{v} * {{0}}", f"tf.identity({v})", f"{{0}} - {v}"])
    before = scope.add(1, f"{{y}} = {form}", x)
    for form in rng.sample([
            f"{v}.assign({w} + {{0}})", f"{w}.assign({v})", f"{v}.assign_add({v})",
            f"{w}.assign(tf.reverse({v}, [0]))", f"{v}.assign_sub(0.5 * {w})",
            f"{w}.assign(tf.where({v} > {w}, {v}, {{0}}))", f"{v}.assign({v} * {v})",
            f"{v}.assign(tf.reshape(tf.reverse(tf.reshape({w}, [-1]), [0]), {[a, b]}))",
            f"{w}.assign_add({v} @ tf.matmul({{0}}, {w}, transpose_a=True))"], 3):
        scope.add(0, form, x)
    return [*(before or []), *(scope.add(1, f"{{y}} = {w} - {v}") or [x])]


# -- tapes in other places -------------------------------------------------------------------------
@step
def jacobians(draft):
    scope, rng = draft.scope, draft.rng
    rows, columns, units = draft.size(9), draft.size(9), draft.size(5)
    x, y, w = _given(draft, rows, columns, units)
    wanted = rng.choice(["{n}_t.batch_jacobian({n}_h, {0})", f"{{n}}_t.jacobian({{n}}_h, {w})",
                         "{n}_t.jacobian(tf.reduce_sum({n}_h, 0), {0})",
                         f"{{n}}_t.jacobian({{n}}_h, {w}, experimental_use_pfor=False)"])
    form = rng.choice([f"tf.tanh({{0}} @ {w}) * {{1}}", f"tf.square({{0}} @ {w} - {{1}})",
                       f"tf.nn.softmax({{0}} @ {w})"])
    j = scope.add(1, "with tf.GradientTape(persistent=True) as {n}_t:\n    {n}_t.watch({0})\n"
                     f"    {{n}}_h = {form}\n{{y}} = {wanted}", x, y)
    if j is None:
        return [x]
    scope.add(0, f"{w}.assign_sub(0.1 * fit({{0}}, {[columns, units]}))", j[0])
    return [j[0]]


@step
def by_example(draft):
    """A gradient for each row: vectorized, and one after another."""
    scope, rng = draft.scope, draft.rng
    rows, columns, units = draft.size(17), draft.size(9), rng.choice([1, 2, 3])
    x, y, w = _given(draft, rows, columns, units)
    call = rng.choice(["tf.vectorized_map", "tf.vectorized_map", "tf.map_fn"])
    if not rows:  # map_fn of no rows has another shape eagerly than in a graph, as in TensorFlow
        call = "tf.vectorized_map"
    sign = "" if call == "tf.vectorized_map" else f", fn_output_signature={draft.dtype!r}"
    g = scope.add(1, f"{{n}}_w = tf.identity({w})\ndef {{n}}_g(row):\n    x, y = row\n"
                     "    with tf.GradientTape() as tape:\n        tape.watch({n}_w)\n"
                     "        loss = tf.reduce_sum(tf.square(tf.linalg.matvec({n}_w, x, "
                     "transpose_a=True) - y))\n    return tape.gradient(loss, {n}_w)\n"
                     f"{{y}} = {call}({{n}}_g, ({{0}}, {{1}}){sign})", x, y)
    if g is None:
        return [x]
    scope.add(0, f"{w}.assign_sub(0.1 * tf.reduce_mean(tf.clip_by_norm({{0}}, 1.0, [1, 2]), 0))",
              g[0])
    return [g[0]] if rng.random() < 0.5 else [x]


@step
def trained_in_a_loop(draft):
    """Several updates in one call: by while_loop, and by a loop that AutoGraph converts."""
    scope, rng = draft.scope, draft.rng
    x, y, w = _given(draft, draft.size(), draft.size(17), rng.choice([1, 1, 2, 5]))
    count, form = rng.choice([0, 1, 2, 3]), rng.choice(["tf.square({e})", "tf.abs({e})",
                                                        "tf.nn.softplus({e})"])
    loss = "tf.reduce_mean(" + form.replace("{e}", f"{{0}} @ {w} - {{1}}") + ")"
    tape = ("    with tf.GradientTape() as tape:\n        loss = " + loss + "\n"
            f"    {w}.assign_sub(0.1 * tape.gradient(loss, {w}))\n    return loss\n")
    if rng.random() < 0.5:
        body = (f"{{n}}_l = tf.zeros([], {draft.dtype!r})\n"
                f"{{y}} = tf.while_loop(lambda i, l: i < {count}, "
                "lambda i, l: (i + 1, l + {n}_once()), [0, {n}_l])[1]")
    else:
        body = (f"def {{n}}_all():\n    l = tf.zeros([], {draft.dtype!r})\n"
                f"    for _ in tf.range({count}):\n        l += {{n}}_once()\n"
                f"        if l > 0.5037:\n            {w}.assign({w} * 0.9)\n    return l\n"
                "{y} = {n}_all()")
        scope.flags.add("autograph")
    return scope.add(1, f"def {{n}}_once():\n{tape}{body}", x, y) or [x]
