"""What training steps do with gradients: clipping, decay, optimizers by hand, averages.

Each update is a line of its own, so that a failing program can do without it.
"""

from __future__ import annotations


def clip(draft, grads):
    """Gradients, clipped or scaled, or as they are."""
    rng, scope = draft.rng, draft.scope
    way = rng.random()
    if way < 0.1:
        words = ", ".join(f"{{{i}}}" for i in range(len(grads)))
        form = (f"{{y}} = tf.clip_by_global_norm([{words}], 0.5)[0]" if len(grads) > 1 else
                "{y} = tf.clip_by_global_norm([{0}], 0.5)[0][0]")
        return scope.add(len(grads), form, *grads) or grads
    if way < 0.3:
        form = rng.choice(["tf.clip_by_norm({0}, 0.7)", "tf.clip_by_value({0}, -0.1, 0.1)",
                           "{0} / (tf.norm({0}) + 0.01)", "tf.where(tf.math.is_finite({0}), {0}, "
                           "tf.zeros_like({0}))", "{0} + 0.01 * tf.sign({0})"])
        return [(scope.add(1, f"{{y}} = {form}", g) or [g])[0] for g in grads]
    return grads


def update(draft, names, grads):
    """Change the variables."""
    rng, scope = draft.rng, draft.scope
    chosen = rng.choice(OPTIMIZERS)
    step = None
    if chosen is _adam:
        step = scope.variable(rng.choice([
            "np.int64(0)", "np.int32(0)", f"numbers(0, [], {draft.dtype!r}, 0.0)"]), False)
        scope.add(0, f"{step}.assign_add({rng.choice(['1', 'tf.ones_like(' + step + ')'])})")
    for name, g in zip(names, grads, strict=True):
        if rng.random() < 0.1:
            g = (scope.add(1, f"{{y}} = {{0}} + 0.01 * {name}", g) or [g])[0]
        if rng.random() < 0.05:
            _accumulated(draft, name, g)
        else:
            scope.add(0, chosen(draft, name, step), g)
        if rng.random() < 0.1:
            average = _slot(draft, name)
            scope.add(0, rng.choice([f"{average}.assign_sub(0.1 * ({average} - {name}))",
                                     f"{average}.assign(0.9 * {average} + 0.1 * {name})"]))


def _slot(draft, name):
    """A variable of the same shape, of zeros."""
    shape = list(draft.scope.variables[name].shape)
    return draft.scope.variable(f"numbers(0, {shape}, {draft.dtype!r}, 0.0)", trainable=False)


def _sgd(draft, name, step):
    shape = list(draft.scope.variables[name].shape)
    forms = [f"{name}.assign_sub(0.1 * {{0}})", f"{name}.assign_add(-0.1 * {{0}})",
             f"{name}.assign({name} - 0.1 * {{0}})", f"{name}.assign_sub({{0}} * 0.05)",
             f"{name}.assign(0.9 * {name} - 0.1 * {{0}})",
             f"{name}.assign_sub(0.1 * tf.sign({{0}}))"]
    if shape and shape[0]:
        forms += [f"{name}.scatter_nd_sub([[0], [{shape[0] - 1}]], tf.stack([0.1 * {{0}}[0], "
                  f"0.2 * {{0}}[-1]]))",
                  f"{name}.scatter_sub(tf.IndexedSlices(0.1 * {{0}}[:1], [{shape[0] // 2}]))",
                  f"{name}.scatter_add(tf.IndexedSlices(-0.1 * {{0}}, tf.range({shape[0]})))",
                  f"{name}.scatter_update(tf.IndexedSlices({name}[:1] - 0.1 * {{0}}[:1], [0]))",
                  f"{name}[:1].assign({name}[:1] - 0.1 * {{0}}[:1])"]
    return draft.rng.choice(forms)


def _momentum(draft, name, step):
    m = _slot(draft, name)
    return draft.rng.choice([
        f"{m}.assign(0.9 * {m} + {{0}})\n{name}.assign_sub(0.1 * {m})",
        f"{m}.assign(0.9 * {m} - 0.1 * {{0}})\n{name}.assign_add({m})",
        f"{name}.assign_sub(0.1 * {m}.assign(0.9 * {m} + {{0}}))",
        # Nesterov's
        f"{m}.assign(0.9 * {m} - 0.1 * {{0}})\n{name}.assign_add(0.9 * {m} - 0.1 * {{0}})"])


def _rmsprop(draft, name, step):
    v = _slot(draft, name)
    return draft.rng.choice([
        f"{v}.assign(0.9 * {v} + 0.1 * tf.square({{0}}))\n"
        f"{name}.assign_sub(0.05 * {{0}} / (tf.sqrt({v}) + 0.01))",
        f"{v}.assign_add(0.1 * ({{0}} * {{0}} - {v}))\n"
        f"{name}.assign_sub(0.05 * {{0}} * tf.math.rsqrt({v} + 0.01))"])


def _adagrad(draft, name, step):
    v = _slot(draft, name)
    return (f"{v}.assign_add(tf.square({{0}}))\n"
            f"{name}.assign_sub(0.1 * {{0}} / tf.sqrt({v} + 0.01))")


def _adam(draft, name, step):
    m, v = _slot(draft, name), _slot(draft, name)
    t = f"tf.cast({step}, {draft.dtype!r})"
    return draft.rng.choice([
        f"{m}.assign(0.9 * {m} + 0.1 * {{0}})\n{v}.assign(0.9 * {v} + 0.1 * {{0}} ** 2)\n"
        f"{name}.assign_sub(0.05 * ({m} / (1.0 - 0.9 ** {t})) / "
        f"(tf.sqrt({v} / (1.0 - 0.9 ** {t})) + 0.01))",
        f"{m}.assign_add(({{0}} - {m}) * 0.1)\n"
        f"{v}.assign_add((tf.square({{0}}) - {v}) * 0.1)\n"
        f"{{n}}_a = 0.05 * tf.sqrt(1.0 - tf.pow(tf.cast(0.9, {draft.dtype!r}), {t})) / "
        f"(1.0 - tf.pow(tf.cast(0.8, {draft.dtype!r}), {t}))\n"
        f"{name}.assign_sub({{n}}_a * {m} / (tf.sqrt({v}) + 0.01) + 0.001 * {name})"])


OPTIMIZERS = [_sgd, _sgd, _sgd, _momentum, _rmsprop, _adagrad, _adam]


def _accumulated(draft, name, g):
    """Gradients are added up, and applied every other time."""
    scope, total = draft.scope, _slot(draft, name)
    count = scope.variable("np.int32(0)", trainable=False)
    scope.add(0, f"{count}.assign_add(1)\n{total}.assign_add({{0}})\n"
                 f"def {{n}}_apply():\n    {name}.assign_sub(0.1 * {total})\n"
                 f"    {total}.assign(tf.zeros_like({total}))\n    return tf.constant(0)\n"
                 f"tf.cond({count} % 2 == 0, {{n}}_apply, lambda: tf.constant(1))", g)
