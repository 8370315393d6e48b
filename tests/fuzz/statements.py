"""Steps written with Python's own `if`, `for`, `while`, `break` and `continue` on tensors.

Names get their first values before a loop, in it, or in all branches: what is read always has one.
"""

from __future__ import annotations

from tests.fuzz.hand import step
from tests.fuzz.layers import Net

NAMES = ["a", "b", "c"]  # matrices; `a` has a value from the beginning
VALUES = ["{0} + {w}", "0.5 * {r} - {0}", "tf.tanh({r} * {w})", "tf.maximum({r}, {s})", "{s}",
          "tf.where({0} > 0.1037, {r}, {s})", "tf.reverse({r}, [0])", "{r} + 0.1 * {t}",
          "tf.gather({r}, {1})", "tf.nn.relu({r} - {s})", "0.3 * {r} + 0.3 * {w}"]
TESTS = ["{1}[0] % 2 > 0", "{1}[-1] < 2", "tf.reduce_sum({r}) > 0.1037", "{k} % 2 == 0", "{k} > 1",
         "{1}[0] > tf.cast({k}, {1}.dtype)", "not {1}[0] > 1", "{k} > 0 and {1}[0] % 3 < 2"]
UPDATES = ["{w}.assign({r})", "{w}.assign_add(0.1 * {r})", "{w}.assign(tf.tanh({w} + {r}))",
           "{w}.assign(tf.reverse({w}, [0]))", "{w}.assign_sub(0.1 * tf.gather({w}, {1}))"]


class _Statements:
    """Lines of a function; `known`: the names that surely have a value where a line is written.

    indices   numbers in reach: those of the iterations of the loops around
    left      how many statements may still be drawn that hold others
    """

    def __init__(self, rng, variables):
        self.rng, self.variables, self.count, self.indices = rng, variables, 0, ["1"]
        self.left = rng.choice([4, 8, 16])

    def say(self, text, known):
        k = self.rng.choice(self.indices)
        for word, choices in (("{r}", known), ("{s}", known), ("{w}", self.variables)):
            text = text.replace(word, self.rng.choice(sorted(choices)))
        return text.replace("{k}", k).replace("{t}", f"tf.cast({k}, {{0}}.dtype)")

    def block(self, known, depth=0, most=3):
        """Some statements; adds to `known` what has a value behind them."""
        found = []
        for _ in range(self.rng.randrange(1, most + 1)):
            kind = self.rng.random()
            self.left -= 1
            if self.left < 0:
                kind = 1.0
            if depth < 3 and kind < 0.2:
                found += self.choice(known, depth)
            elif depth < 3 and kind < 0.45:
                found += self.loop(known, depth)
            elif kind < 0.6:
                found.append(self.say(self.rng.choice(UPDATES), known))
            else:
                name = self.rng.choice(NAMES)
                found.append(f"{name} = {self.say(self.rng.choice(VALUES), known)}")
                known.add(name)
        return found

    def choice(self, known, depth):
        found, ends = [], []
        for i in range(self.rng.choice([1, 2, 2, 3])):
            word = "if" if not i else "elif"
            inner = set(known)
            found += [f"{word} {self.say(self.rng.choice(TESTS), known)}:",
                      *_indented(self.block(inner, depth + 1))]
            ends.append(inner)
        if self.rng.random() < 0.6:
            inner = set(known)
            found += ["else:", *_indented(self.block(inner, depth + 1))]
            known |= set.intersection(*ends, inner)
        return found

    def loop(self, known, depth, least=0):
        """A loop; one that gives a name its first value runs at least once, to its end."""
        rng = self.rng
        self.count += 1
        t, turns = f"t{self.count}", max(rng.choice([0, 1, 2, 3, 4, 5]), least)
        kind = rng.choice(["for", "for", "down", "while", "python"])
        inner, jump = set(known), []
        self.indices.append(t)
        if kind != "python" and rng.random() < 0.4 and not least:
            word = rng.choice(["break", "continue"]) if kind != "while" else "break"
            jump = [f"if {self.say(rng.choice(TESTS), known)}:", *_indented(
                [*self.block(set(known), 3, 1), word] if rng.random() < 0.3 else [word])]
        body = self.block(inner, depth + 1)
        self.indices.pop()
        if turns and not jump:
            known |= inner
        elif rng.random() < 0.5:  # the jump is the last thing but one
            jump, body = [], [*body, *jump]
        lines = [*jump, *body]
        if kind == "while":
            return [f"{t} = tf.constant(0)", f"while {t} < {turns}:",
                    *_indented([f"{t} += 1", *lines])]
        ranges = {"for": f"tf.range({turns})", "down": f"tf.range({turns} - 1, -1, -1)",
                  "python": f"range({turns})"}
        return [f"for {t} in {ranges[kind]}:", *_indented(lines)]


def _indented(lines):
    return [f"    {one}" for one in lines]


@step
def stated(draft):
    """A function of such statements, perhaps with the gradient of what it returns."""
    rng, scope = draft.rng, draft.scope
    rows, columns = draft.size(17) or 1, draft.size(17) or 1
    x = draft.given(draft.numbers(rows, columns))
    ids = draft.given(draft.wholes([rows], rows))
    net = Net(scope, x)
    names = [net.weight(rows, columns) for _ in range(2)]
    known = {"a"}
    block = _Statements(rng, names)
    first = block.loop(known, 1, least=1) if rng.random() < 0.5 else []
    lines = ["a = {0} * 1.0", *first, *block.block(known, most=5)]
    result = " + ".join(f"tf.reduce_mean({one})" for one in sorted(known))
    text = "\n".join(["def {n}_run():", *_indented([*lines, f"return {result}"])])
    scope.flags.add("autograph")
    if rng.random() < 0.5:
        return scope.add(1, f"{text}\n{{y}} = {{n}}_run()", x, ids) or [x]
    sources = rng.sample([x, *names], rng.randrange(1, 4))
    return scope.add(1 + len(sources), (
        f"{text}\nwith tf.GradientTape() as {{n}}_tape:\n    {{n}}_tape.watch({{0}})\n"
        "    {n}_l = {n}_run()\n{y} = [{n}_l, *gradients({n}_tape, {n}_l, "
        f"[{', '.join('{0}' if one == x else one for one in sources)}])]"), x, ids) or [x]
