"""Steps of elementwise ops and reductions, of floats and of whole numbers: loops and their ends."""

from __future__ import annotations

from tests.fuzz.hand import step
from tests.fuzz.layers import ACTIVATIONS, Net

PAIRS = ["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / ({1} * {1} + 0.5)", "tf.maximum({0}, {1})",
         "tf.where({0} < {1}, {0}, 0.5 * {1})", "tf.math.squared_difference({0}, {1})",
         "tf.where(tf.math.is_nan({0}), {1}, {0})", "tf.minimum({0}, {1}) * 0.3",
         "tf.where(tf.logical_and({0} >= 0.0, {1} != 0.0), {0} * {1}, {1})",
         "tf.cast({0} > {1}, {0}.dtype) * {0}", "tf.clip_by_value({0}, -1.0, 1.0) - {1}"]
REDUCED = ["sum", "mean", "max", "min", "prod", "logsumexp", "variance"]
WHOLE = ["{0} + {1}", "{0} * {1} - {0}", "{0} - 2 * {1}", "tf.maximum({0}, {1})",
         "{0} // ({1} + 1)", "{0} % ({1} + 1)", "tf.where({0} > {1}, {0}, {1})",
         "tf.cumsum({0}, axis=0) + {1}",
         "tf.abs({0} - {1})", "tf.bitwise.bitwise_xor({0}, {1})", "-{0} + {1}",
         "tf.minimum({0}, {1}) * 3"]


def _reduction(rng, dims):
    name = rng.choice(REDUCED)
    axis = rng.choice([None, *range(dims), -1, list(range(dims))])
    where = "tf.math" if name == "variance" else "tf"
    return f"{where}.reduce_{name}({{0}}, {axis}, keepdims={rng.random() < 0.5})"


@step
def broadcast(draft):
    """Rows, columns and numbers with a matrix, and what is left of it along an axis."""
    rng, scope = draft.rng, draft.scope
    shape = [draft.size() for _ in range(rng.choice([1, 2, 2, 2, 3]))]
    while len(shape) > 1 and shape[-1] * shape[-2] > 3000:
        shape[-1] //= 4
    x = draft.given(draft.numbers(*shape))
    other = [n if rng.random() < 0.6 else 1 for n in shape][rng.randrange(len(shape) + 1):]
    w = Net(scope, x).weight(*other)
    names = [x, *(scope.add(1, f"{{y}} = {rng.choice(PAIRS)}", x, w_read(scope, w)) or [])]
    for _ in range(rng.randrange(1, 4)):
        pick = names[-1] if rng.random() < 0.7 else rng.choice(names)
        form = rng.choice([rng.choice(ACTIVATIONS).replace("{x}", "{0}"), rng.choice(PAIRS),
                           _reduction(rng, max(len(scope.shape(pick)), 1)) if scope.shape(pick)
                           else "{0} * 0.5"])
        names += scope.add(1, f"{{y}} = {form}", pick, rng.choice(names)) or []
    if rng.random() < 0.7:
        scope.add(0, rng.choice([f"{w}.assign(fit({{0}}, {other}))",
                                 f"{w}.assign_sub(0.1 * fit({{0}}, {other}))",
                                 f"{w}.assign({w} * 0.5 + fit({{0}}, {other}))"])
                  if 0 not in scope.shape(names[-1]) else f"{w}.assign({w} * 0.5)", names[-1])
    return list(dict.fromkeys([names[-1], rng.choice(names)]))


def w_read(scope, w):
    """The name of what a variable holds; None if a program cannot go on with it."""
    read = scope.add(1, f"{{y}} = {w}.read_value()")
    return read[0] if read else None


@step
def counting(draft):
    """Whole numbers: products that wrap around, remainders, counts."""
    rng, scope = draft.rng, draft.scope
    dtype = rng.choice(["int32", "int64", "int8", "uint8", "int16"])
    n = draft.size()
    shape = [n, draft.size(17)] if rng.random() < 0.5 else [n]
    x = draft.given(f"wholes({rng.randrange(1000)}, {shape}, 0, 9, {dtype!r})")
    w = scope.variable(f"wholes({rng.randrange(1000)}, {shape}, 0, 99, {dtype!r})", False)
    y = scope.add(1, f"{{y}} = {rng.choice(WHOLE)}", x, w_read(scope, w))
    y = y and scope.add(1, f"{{y}} = {rng.choice(WHOLE)}", y[0], x) or y
    if y is None:
        return [x]
    scope.add(0, rng.choice([f"{w}.assign_add({{0}})", f"{w}.assign({{0}} - {w})",
                             f"{w}.assign(tf.reverse({{0}}, [0]))"]), y[0])
    total = scope.add(1, "{y} = " + rng.choice([
        "tf.reduce_sum({0})", "tf.reduce_max({0}, 0)", "tf.argmax({0}, 0)",
        "tf.reduce_prod({0}, -1)", "tf.reduce_sum(tf.one_hot({0}, 9, dtype='int32'), 0)",
        "tf.sort({0}, 0)", f"tf.cast({{0}}, {draft.dtype!r}) / 3.0", "tf.reduce_any({0} > 5)",
        "tf.math.count_nonzero({0})", "tf.matmul({0}, {0}, transpose_a=True)"]), y[0])
    return [*y, *(total or [])]
