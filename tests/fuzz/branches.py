"""Steps whose branches change variables: several, in place, with indices that may be wrong."""

from __future__ import annotations

from tests.fuzz.elements import w_read
from tests.fuzz.hand import step
from tests.fuzz.layers import Net

TESTS = ["tf.reduce_sum({0}) > 0.1037", "{1}[0] % 2 > 0", "tf.reduce_any({0} > 0.5037)",
         "tf.reduce_all(tf.math.is_finite({0}))", "tf.reduce_mean({v}) < 0.2037"]
UPDATES = ["{v}.assign({w} + {0})", "{w}.assign({v})", "{v}.assign_add(0.5 * {w})",
           "{v}.assign(tf.reverse({w}, [0]))", "{v}.assign_sub(0.5 * tf.gather({w}, {1}))",
           "{v}.scatter_nd_add({1}[:, tf.newaxis], {0})", "{v}.assign(tf.tanh({v}))",
           "{v}.scatter_update(tf.IndexedSlices({w}[:1], {1}[:1]))",
           "{v}.assign(tf.gather({v}, {1}))", "{v}.assign({v} * {w} - {0})",
           "{w}.scatter_nd_update({1}[-1:, tf.newaxis], {0}[:1])",
           "{t} = tf.identity({v}); {v}.assign({w}); {w}.assign({t})",
           "{t} = {w} + 0.0; {w}.assign({v} * 0.5); {v}.assign({t})",
           "{v}.assign(tf.reshape(tf.transpose({w}), tf.shape({w})))",
           "{v}.assign(0.1 * tf.tanh(tf.matmul({v}, {w}, transpose_b=True)) @ {w})",
           "{v}.assign(tf.matmul({0}, {w}, transpose_b=True) @ tf.tanh({v}) * 0.1)"]
PART = "{w}[0].assign({v}[-1])"
RESULTS = ["tf.reduce_sum({v})", "tf.gather({v}, {1})[0, 0]", "tf.reduce_max({0})",
           "tf.reduce_mean({w} * {v})"]


class _Block:
    """Lines of a branch of random updates of two variables."""

    def __init__(self, rng, names):
        self.rng, self.names, self.count = rng, names, 0

    def say(self, text):
        v, w = self.rng.sample(self.names, 2)
        self.count += 1
        return text.replace("{v}", v).replace("{w}", w).replace("{t}", f"{{n}}_{self.count}")

    def lines(self, depth=0):
        found = []
        for _ in range(self.rng.randrange(1, 4)):
            inner = self.rng.random()
            if depth < 2 and inner < 0.15:
                found += self.chosen(depth + 1)
            elif depth < 2 and inner < 0.25:
                found += self.repeated(depth + 1)
            else:
                rare = self.rng.random() < 0.02  # without native code in bodies
                found.append(self.say(PART if rare else self.rng.choice(UPDATES)))
        return found

    def function(self, name, depth, params="", result=None):
        body = self.lines(depth) if self.rng.random() < 0.8 else []
        end = result or f"return {self.say(self.rng.choice(RESULTS))}"
        return [f"def {name}({params}):", *[f"    {one}" for one in [*body, end]]]

    def chosen(self, depth):
        """A tf.cond or tf.switch_case; its result is {n}_ and a number."""
        self.count += 1
        name = f"{{n}}_{self.count}"
        names = [f"{name}{letter}" for letter in "abc"[:self.rng.choice([2, 2, 3])]]
        found = [line for one in names for line in self.function(one, depth)]
        if len(names) == 2:
            call = f"tf.cond({self.say(self.rng.choice(TESTS))}, {names[0]}, {names[1]})"
        else:
            call = f"tf.switch_case(tf.cast({{1}}[0] % 4, 'int32'), [{', '.join(names)}])"
        return [*found, f"{name} = {call}"]

    def repeated(self, depth):
        self.count += 1
        name = f"{{n}}_{self.count}"
        turns = self.rng.choice([0, 1, 2, 3])
        return [*self.function(name, depth, "i", "return [i + 1]"),
                f"tf.while_loop(lambda i: i < {turns}, {name}, [0])"]


@step
def changed(draft):
    """Variables that branches swap, scatter and gather, read before and after."""
    rng, scope = draft.rng, draft.scope
    rows, columns = draft.size(33) or 1, draft.size(33) or 1
    x = draft.given(draft.numbers(rows, columns))
    ids = draft.given(draft.wholes([rows], rows))
    net = Net(scope, x)
    names = [net.weight(rows, columns) for _ in range(rng.choice([2, 2, 3]))]
    before = [w_read(scope, rng.choice(names))] if rng.random() < 0.5 else []
    block = _Block(rng, names)
    lines = block.chosen(0)
    name = lines[-1].split(" = ")[0]
    found = scope.add(1, "\n".join([*lines, f"{{y}} = {name} + 0.0"]), x, ids)
    after = scope.add(1, block.say(rng.choice(["{y} = {v} * 2.0", "{y} = {v} - {w}",
                                               "{y} = {v}.read_value()"])))
    return [*before, *(found or []), *(after or [x])]
