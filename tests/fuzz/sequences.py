"""Steps that go over a sequence in a loop of the graph, and pick from it by an index."""

from __future__ import annotations

from tests.fuzz.hand import step
from tests.fuzz.layers import Net

# What an iteration makes of a weight, the same each time.
WEIGHTS = ["{w}", "{w}", "tf.cast({w}, {dtype})", "tf.cast(tf.cast({w}, 'float64'), {dtype})",
           "tf.transpose(tf.transpose({w}))", "tf.identity({w}) * 0.5",
           "tf.reshape({w}, [-1, {u}])"]
CELLS = ["tf.tanh({pick} + {h} @ {weight})", "tf.tanh({pick} @ {weight} + {h})",
         "{h} * tf.sigmoid({pick}) + 0.5 * {pick}", "tf.nn.relu({pick} @ {weight}) + 0.5 * {h}",
         "0.5 * {h} + {pick}", "tf.tanh(tf.concat([{pick}, {h}], 1) @ {both})"]


def _index(rng, turns, size):
    """An index of `size` elements, of the number t of the iteration or of what the loop carries."""
    last = size - 1
    return rng.choice(["t", "t", "t", f"{turns - 1} - t", "-1 - t", "t // 2", f"(t * 2) % {size}",
                       f"tf.minimum(t + 1, {last})", "tf.maximum(t - 1, 0)", f"{last} - t", "k",
                       f"{{n}}_order[t] % {size}", "0"])


@step
def indexed(draft):
    """A recurrent layer over x[t], x[:, t] or x[..., t], and its gradients."""
    rng, scope = draft.rng, draft.scope
    turns, rows, units = rng.choice([0, 1, 1, 2, 3, 4, 5, 8]), draft.size(17), draft.size(33) or 1
    size, axis = max(turns + rng.choice([0, 0, 0, 1]), 1), rng.choice([0, 1, 1, 2])
    shape = [rows, units]
    shape.insert(axis, size)
    x = draft.given(draft.numbers(*shape))
    net = Net(scope, x)
    w, both = net.weight(units, units), net.weight(2 * units, units)

    def pick():
        index = _index(rng, turns, size)
        return rng.choice([["{0}[%s]", "{0}[%s, :, :]", "tf.gather({0}, %s)"],
                           ["{0}[:, %s]", "{0}[:, %s, :]", "tf.gather({0}, %s, axis=1)",
                            "{0}[:, %s, ::-1]"],
                           ["{0}[..., %s]", "{0}[:, :, %s]"]][axis]) % f"({index})"

    weight = rng.choice(WEIGHTS).format(w=w, u=units, dtype=repr(draft.dtype))
    lines = [f"h = {rng.choice(CELLS)}".format(pick=pick(), h="h", weight=weight, both=both)]
    lines += rng.sample([f"h = h + {pick()}", f"h = h * tf.tanh({pick()})", f"k = (k + 2) % {size}",
                         f"total += tf.reduce_mean({pick()})", "h = tf.where(t > 0, h, h * 0.5)",
                         "total += tf.reduce_sum(all.read(0))" if turns else "h = h * 1.0"],
                        rng.randrange(3))
    wanted, written = rng.choice([("h", "0"), ("all.stack()", "0"), ("all.stack()", "t")])
    if turns and written == "t" or wanted != "h" and turns:
        lines.insert(rng.randrange(len(lines) + 1), f"all = all.write({written}, h)")
    else:
        wanted, lines = "h", [line for line in lines if "all" not in line]
    if any("all.read" in line for line in lines):
        lines = ["all = all.write(0, h)", *[line for line in lines if "all.write" not in line]]
        wanted, written = "all.stack()", "0"
    count = turns if written == "t" else 1
    loop = rng.choice([f"for t in tf.range({turns}):", f"for t in tf.range({turns}):",
                       f"for t in tf.range({turns - 1}, -1, -1):"])
    body = "\n        ".join(lines)
    order = [rng.randrange(size) for _ in range(max(turns, 1))]
    text = (f"{{n}}_order = tf.constant({order})\n"
            f"def {{n}}_run():\n    h = tf.zeros({[rows, units]}, {draft.dtype!r})\n"
            f"    k, total = tf.constant(0), tf.zeros([], {draft.dtype!r})\n"
            f"    all = tf.TensorArray({draft.dtype!r}, {count}, clear_after_read=False, "
            f"element_shape={[rows, units]})\n    {loop}\n        {body}\n"
            f"    return tf.reduce_mean(tf.square({wanted})) + 0.1 * total\n")
    scope.flags.add("autograph")
    if rng.random() < 0.15:
        return scope.add(1, text + "{y} = {n}_run()", x) or [x]
    names = rng.sample([x, w, both], rng.randrange(1, 4))
    found = scope.add(1 + len(names), text + "with tf.GradientTape() as {n}_tape:\n"
                      "    {n}_tape.watch({0})\n    {n}_l = {n}_run()\n"
                      f"{{y}} = [{{n}}_l, *gradients({{n}}_tape, {{n}}_l, "
                      f"[{', '.join(names)}])]".replace(x, "{0}"), x)
    if found is None:
        return [x]
    if w in names and rng.random() < 0.7:
        scope.add(0, f"{w}.assign_sub(0.1 * {{0}})", found[1 + names.index(w)])
    return found
