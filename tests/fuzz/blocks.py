"""More constructs: what training programs are full of, and what compilers get wrong.

Normalisations, losses, updates of several variables, views of views, repeated indices, narrow
dtypes. `generate` imports it for its effect on CONSTRUCTS.
"""

from __future__ import annotations

from tests.fuzz.constructs import construct


@construct(4)
def normalised(scope):
    x = scope.pick(accept=lambda x: x.shape.rank and x.shape.num_elements())
    if x is None:
        return
    rank = len(scope.shape(x))
    axes = scope.rng.sample(range(rank), scope.rng.randrange(1, rank + 1))
    template = (f"{{n}}_m = tf.reduce_mean({{0}}, {axes}, keepdims=True)\n"
                f"{{n}}_v = tf.reduce_mean(tf.square({{0}} - {{n}}_m), {axes}, keepdims=True)\n"
                "{y} = ({0} - {n}_m) * tf.math.rsqrt({n}_v + 0.1)")
    if scope.rng.random() < 0.5:
        template = (f"{{n}}_m, {{n}}_v = tf.nn.moments({{0}}, {axes}, keepdims=True)\n"
                    "{y} = tf.nn.batch_normalization({0}, {n}_m, {n}_v, None, None, 0.1)")
    scope.add(1, template, x)


@construct(3)
def loss(scope):
    x = scope.pick(accept=lambda x: x.shape.rank and x.shape.num_elements())
    if x is None:
        return
    shape = list(scope.shape(x))
    labels = f"whole(fit({{1}}, {shape[:-1]}), 0, {shape[-1]})"
    form = scope.rng.choice([
        f"tf.nn.sparse_softmax_cross_entropy_with_logits({labels}, {{0}})",
        f"tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(fit({{1}}, {shape})), {{0}})",
        "tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid({0} * 2.0), {0})",
        f"tf.reduce_mean(tf.square({{0}} - fit({{1}}, {shape})), -1)"])
    scope.add(1, f"{{y}} = {form}", x, scope.pick())


@construct(4)
def updates(scope):
    """Several variables change in one segment, and are read before, between and after."""
    if not scope.variables:
        return
    first, second = (scope.rng.choice(sorted(scope.variables)) for _ in range(2))
    shapes = [list(scope.variables[name].shape) for name in (first, second)]
    template = scope.rng.choice([
        f"{{n}}_g = fit({{0}}, {shapes[0]})\n{first}.assign(0.9 * {first} + 0.1 * {{n}}_g)\n"
        f"{second}.assign_sub(0.1 * fit({first} / (tf.sqrt(tf.abs({first})) + 0.5), {shapes[1]}))\n"
        f"{{y}} = {first} * {{n}}_g",
        f"{{n}}_a = tf.identity({first})\n{{n}}_b = tf.identity({second})\n"
        f"{first}.assign(fit({{n}}_b, {shapes[0]}))\n{second}.assign(fit({{n}}_a, {shapes[1]}))\n"
        f"{{y}} = {{n}}_a + {first} * 0.5",
        f"{first}.assign({first} - tf.reduce_mean({first}))\n{{y}} = tf.nn.tanh({first})",
        f"{first}.assign_add(0.5 * tf.reshape(tf.reverse(tf.reshape({first}, [-1]), [0]), "
        f"{shapes[0]}))\n{{y}} = {first}.read_value()",
        f"{second}.assign(tf.reduce_mean({{0}}) + 0.5 * {second})\n{{y}} = {{0}} * "
        f"tf.reduce_max({second})"])
    scope.add(1, template, scope.pick())


@construct(3)
def repeated(scope):
    """Indices that occur more than once."""
    x = scope.pick(accept=lambda x: x.shape.rank and x.shape[0])
    if x is None:
        return
    n, shape = scope.shape(x)[0], list(scope.shape(x))
    indices = [scope.rng.randrange(n) for _ in range(scope.rng.randrange(2, 6))]
    rows = f"fit({{1}}, {[len(indices), *shape[1:]]})"
    start = scope.rng.choice([
        "{0}", "tf.reverse({0}, [0])", "tf.transpose(tf.transpose({0}) * 2.0)",
        f"tf.broadcast_to({{0}}[:1], {shape})"])
    form = scope.rng.choice([
        f"tf.tensor_scatter_nd_add({start}, {[[i] for i in indices]}, {rows})",
        f"tf.tensor_scatter_nd_max({start}, {[[i] for i in indices]}, {rows})",
        f"tf.math.unsorted_segment_sum({rows}, {indices}, {n}) + {start}",
        f"tf.gather(tf.gather({start}, {indices}), [1, 0, 1])"])
    scope.add(1, f"{{y}} = {form}", x, scope.pick())


@construct(3)
def views(scope):
    """Parts of parts, transposed and joined."""
    x = scope.pick("fi", lambda x: x.shape.rank and x.shape.rank > 1 and x.shape.num_elements())
    if x is None:
        return
    rng, rank = scope.rng, len(scope.shape(x))
    steps = ["{x}[1:]", "{x}[::-1]", "{x}[..., ::2]", "{x}[:, ::-1]", "tf.transpose({x})",
             f"tf.transpose({{x}}, {rng.sample(range(rank), rank)})", "tf.concat([{x}, {x}], 0)",
             "tf.concat([{x}[..., 1:], {x}[..., :1]], -1)",
             f"tf.tile({{x}}, {[2] + [1] * (rank - 1)})",
             f"tf.pad({{x}}, {[[1, 0]] + [[0, 1]] * (rank - 1)})"]
    text = "{0}"
    for _ in range(rng.randrange(2, 5)):
        text = rng.choice(steps).replace("{x}", text)
    scope.add(1, f"{{y}} = {text}", x)


@construct(2)
def narrow(scope):
    """Small dtypes. Of arguments only: what was rounded elsewhere may round to another number."""
    x = scope.rng.choice([name for name in scope.values if name[0] == "a"] or [None])
    if x is None:
        return
    half = scope.rng.choice(["float16", "bfloat16"])
    whole = scope.rng.choice(["int8", "uint8", "int16", "int64"])
    form = scope.rng.choice([
        f"tf.cast({{0}}, '{half}') * 0.5 + 1.0",
        f"tf.maximum(tf.cast({{0}}, '{half}'), 0.25) - 1.0",
        f"tf.cast(tf.abs({{0}}) * 9.0, '{whole}') * 3 + 1",
        f"tf.where({{0}} > 0.0, tf.cast(2, '{whole}'), tf.cast(1, '{whole}'))",
        "tf.math.logical_xor({0} > 0.0, {0} < 0.5)"])
    scope.add(1, f"{{y}} = tf.cast({form}, '{scope.dtype}')", x)
