"""Training steps: a model in a tape, a loss, an optimizer, variables changed in place.

`training(seed)` makes the program of a seed: what users write, in sizes around those at which a
compiler changes its mind.
"""

from __future__ import annotations

import itertools
import math
import random

import tapeflow as tf
from tests.fuzz import branches, elements, hand, layers, sequences, statements  # noqa: F401
from tests.fuzz.constructs import grow
from tests.fuzz.data import Data
from tests.fuzz.layers import Net, grow_net
from tests.fuzz.optimizers import clip, update
from tests.fuzz.program import Program
from tests.fuzz.scope import Scope

ELEMENTS = 6000  # of the largest tensor
HAND = 0.75  # of the steps: those without a tape are small, and many fit into a second
DTYPES = {"float32": 12, "float64": 4, "float16": 4, "bfloat16": 4}


class Draft:
    """A training step in the making."""

    def __init__(self, seed: int):
        self.seed, self.rng = seed, random.Random(seed)
        self.dtype = self.rng.choices(list(DTYPES), list(DTYPES.values()))[0]
        self.args: dict[str, Data] = {}
        self.constants: dict[str, Data] = {}
        self.special = self.rng.random() < 0.08
        count = itertools.count()
        self.scope = Scope(self.rng, lambda: f"t{next(count)}", {}, {}, self.dtype)
        self.scope.elements = ELEMENTS
        if self.special:
            self.scope.largest = None

    def given(self, text: str, *scopes) -> str:
        """A tensor that the step is given, as an argument or captured."""
        captured = self.rng.random() < 0.3
        place = self.constants if captured else self.args
        name = f"c{len(place)}" if captured else f"a{len(place)}"
        place[name] = Data(text)
        for scope in (self.scope, *scopes):
            scope.values[name] = tf.constant(place[name].array)
        return name

    def numbers(self, *shape, scale=1.0) -> str:
        special = ", special=2" if self.special and self.rng.random() < 0.5 else ""
        return (f"numbers({self.rng.randrange(1000)}, {list(shape)}, {self.dtype!r}, "
                f"{scale}{special})")

    def wholes(self, shape, high) -> str:
        dtype = self.rng.choice(["int32", "int64"])
        return f"wholes({self.rng.randrange(1000)}, {list(shape)}, 0, {high}, {dtype!r})"

    def size(self, most=100) -> int:
        sizes = [n for n in layers.SIZES if n <= most]
        return self.rng.choices(sizes, [layers.SIZES[n] for n in sizes])[0]

    def program(self, results: list[str]) -> Program:
        if not self.args:
            name, value = self.constants.popitem() if self.constants else (
                "a0", Data(f"numbers(0, [], {self.dtype!r})"))
            self.args[name] = value
        calls = self.rng.choice([1, 2, 2, 3, 3, 4])
        return Program(self.seed, self.args, self.scope.given, self.scope.lines, results, calls,
                       bool(self.scope.flags), self.constants)


def training(seed: int, by_hand: bool = False) -> Program:
    draft = Draft(seed)
    if draft.rng.random() < HAND or by_hand:
        results = draft.rng.choice(hand.STEPS)(draft)
    else:
        results = _step(draft)
    return draft.program(results)


# -- the model -------------------------------------------------------------------------------------
def _step(draft):
    rng, top = draft.rng, draft.scope
    inner = top.inside()
    inner.values = dict(top.values)
    net = Net(inner, _begin(draft, inner))
    grow_net(net, rng.choice([0, 1, 1, 1, 1, 1, 2, 2, 3]))
    if rng.random() < 0.1:
        grow(inner, 2)
    made = _loss(draft, net)
    names = [name for name, v in top.variables.items() if v.trainable]
    before = _reads(draft, names)
    found = None
    if made is not None and names:
        rng.shuffle(names)
        found = _differentiated(draft, inner.block(made), names)
    if found is None:
        grow(top, 2)
        return [*before, rng.choice(list(top.values))]
    loss, *grads = found
    if rng.random() < 0.85:
        grads = clip(draft, grads)
        update(draft, names, grads)
    return list(dict.fromkeys([loss, *rng.sample(grads, rng.randrange(len(grads) + 1)), *before,
                               *_reads(draft, names)]))


def _reads(draft, names):
    """What variables hold at this point, in one of the results."""
    if not names or draft.rng.random() < 0.6:
        return []
    name = draft.rng.choice(names)
    form = draft.rng.choice([f"{name}.read_value()", f"tf.identity({name})", f"{name} * 2.0",
                             f"tf.transpose({name})", f"{name} + 0.0", f"{name}.value()"])
    return draft.scope.add(1, f"{{y}} = {form}") or []


def _begin(draft, inner):
    """What the model is given: rows, sequences, images, words."""
    rng = draft.rng
    kind = rng.choices(["rows", "sequence", "image", "words", "sentences"],
                       [8, 4, 3, 1, 1])[0]
    batch = draft.size(100 if kind == "rows" else 17)
    if kind == "rows":
        return draft.given(draft.numbers(batch, draft.size()), inner)
    if kind == "sequence":
        return draft.given(draft.numbers(batch, draft.size(17), draft.size(17)), inner)
    if kind == "image":
        return draft.given(draft.numbers(min(batch, 9), draft.size(17), draft.size(17),
                                         draft.size(9)), inner)
    rows, shape = draft.size() or 1, [batch] if kind == "words" else [batch, draft.size(9)]
    ids = draft.given(draft.wholes(shape, rows), inner)
    table = Net(inner, ids).weight(rows, draft.size(33))
    return inner.add(1, "{y} = " + rng.choice([
        f"tf.gather({table}, {{0}})", f"tf.nn.embedding_lookup({table}, {{0}})",
        f"tf.one_hot({{0}}, {rows}, dtype={draft.dtype!r}) @ {table}"]), ids)[0]


# -- losses ----------------------------------------------------------------------------------------
def _loss(draft, net):
    """The name of a scalar, in a list; None if there is no loss."""
    rng, inner = draft.rng, net.scope
    if len(net.shape) > 2 and rng.random() < 0.5:
        net.add(f"{{y}} = tf.reshape({{0}}, [-1, {math.prod(net.shape[1:])}])", net.h)
    if rng.random() < 0.4 and len(net.shape) == 2:
        layers.dense(net, rng.choice([1, 1, 1, 2, 3]))
    shape = net.shape
    regression = ["tf.square({0} - {1})", "tf.abs({0} - {1})",
                  "tf.where(tf.abs({0} - {1}) < 1.0, 0.5 * tf.square({0} - {1}), "
                  "tf.abs({0} - {1}) - 0.5)", "tf.math.squared_difference({0}, {1})",
                  "tf.nn.relu(1.0 - {0} * tf.sign({1}))", "tf.math.log(tf.cosh({0} - {1}))",
                  "tf.exp(-tf.square({0})) * {1}", "tf.nn.softplus({0}) - {1} * {0}",
                  "tf.exp(tf.minimum({0}, 2.0)) - {1} * {0}"]
    binary = ["tf.nn.sigmoid_cross_entropy_with_logits({1}, {0})",
              "-{1} * tf.math.log_sigmoid({0}) - (1.0 - {1}) * tf.math.log_sigmoid(-{0})",
              "-tf.math.log(tf.where({1} > 0.5, tf.sigmoid({0}), 1.0 - tf.sigmoid({0})) + 0.001)",
              "tf.nn.weighted_cross_entropy_with_logits({1}, {0}, 1.5)"]
    kind = rng.choice(["regression", "regression", "binary", "classes", "dense classes", "norm"])
    if not shape or not shape[-1]:
        kind = "regression"
    if kind == "regression":
        target = draft.given(draft.numbers(*shape), inner)
        text = rng.choice(regression)
    elif kind == "binary":
        target = draft.given(f"{draft.numbers(*shape)} > 0.0", inner)
        text = rng.choice(binary).replace("{1}", f"tf.cast({{1}}, {draft.dtype!r})")
    elif kind == "classes":
        target = draft.given(draft.wholes(shape[:-1], shape[-1]), inner)
        text = rng.choice([
            "tf.nn.sparse_softmax_cross_entropy_with_logits({1}, {0})",
            f"-tf.gather(tf.nn.log_softmax({{0}}), {{1}}, batch_dims={len(shape) - 1})",
            f"tf.reduce_logsumexp({{0}}, -1) - tf.reduce_sum({{0}} * tf.one_hot({{1}}, "
            f"{shape[-1]}, dtype={draft.dtype!r}), -1)"])
    elif kind == "dense classes":
        target = draft.given(draft.numbers(*shape), inner)
        text = rng.choice([
            "tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax({1}), {0})",
            "-tf.reduce_sum(tf.nn.softmax({1}) * tf.nn.log_softmax({0}), -1)",
            "-tf.reduce_sum(tf.nn.softmax({1}) * tf.math.log(tf.nn.softmax({0}) + 0.01), -1)"])
    else:
        target, text = net.h, rng.choice(["tf.square({0})", "tf.tanh({0})", "{0} * {0}"])
    form = rng.choice(["tf.reduce_mean({x})", "tf.reduce_mean({x})", "tf.reduce_sum({x})",
                       "tf.reduce_sum({x}) / 7.0", "tf.reduce_mean(tf.reduce_sum({x}, axis=0))"])
    if not rng.random() or (kind == "norm" and not shape):
        form = "tf.reduce_sum({x})"
    made = inner.add(1, "{y} = " + form.replace("{x}", text), net.h, target)
    if made is None or rng.random() > 0.15:
        return made
    name = rng.choice([n for n, v in inner.variables.items() if v.trainable] or [None])
    if name is None:
        return made
    return inner.add(1, f"{{y}} = {{0}} + 0.01 * {rng.choice(['tf.nn.l2_loss', 'tf.norm'])}"
                        f"({name} + 0.5)", made[0]) or made


# -- tapes -----------------------------------------------------------------------------------------
PLAIN = ("with tf.GradientTape() as {n}_tape:\n    <0>\n"
         "{y} = [{r0}, *gradients({n}_tape, {r0}, [{w}])]")
PERSISTENT = ("with tf.GradientTape(persistent=True) as {n}_tape:\n    <0>\n"
              "    {n}_l = {r0} * 2.0\n"
              "{y} = [{n}_l, *[a + b for a, b in zip(gradients({n}_tape, {r0}, [{w}]), "
              "gradients({n}_tape, {n}_l, [{w}]))]]")
# The gradient of the gradient's square: second order throughout.
SECOND = ("with tf.GradientTape() as {n}_o:\n    with tf.GradientTape() as {n}_i:\n        <0>\n"
          "    {n}_g = gradients({n}_i, {r0}, [{w}])\n"
          "    {n}_s = tf.add_n([tf.reduce_sum(tf.square(g)) for g in {n}_g])\n"
          "{y} = [{r0}, *gradients({n}_o, {n}_s, [{w}])]")
# A Hessian times a vector, and a tangent pushed forwards through a gradient.
PRODUCT = ("with tf.GradientTape() as {n}_o:\n    with tf.GradientTape() as {n}_i:\n        <0>\n"
           "    {n}_g = gradients({n}_i, {r0}, [{w}])\n"
           "{y} = [{r0}, *[dense(g) for g in {n}_o.gradient({n}_g, [{w}], output_gradients="
           "[0.5 * v for v in [{w}]], unconnected_gradients='zero')]]")
PUSHED = ("with tf.autodiff.ForwardAccumulator([{w}], [tf.ones_like(v) for v in [{w}]]) as {n}_a:\n"
          "    with tf.GradientTape() as {n}_tape:\n        <0>\n"
          "    {n}_g = gradients({n}_tape, {r0}, [{w}])\n"
          "{y} = [{r0}, *[{n}_a.jvp(v, unconnected_gradients='zero') for v in {n}_g]]")


def _differentiated(draft, block, names):
    """Names of the loss and the gradients."""
    writes = any(".assign" in line.template for line in block.lines)
    form = draft.rng.choices([PLAIN, PERSISTENT, SECOND, PRODUCT, PUSHED],
                             [20, 2, 2, 2, 0 if writes else 1])[0]
    found = draft.scope.add(1 + len(names), form, blocks=[block], wrt=names)
    if found is None and form is not PLAIN:
        found = draft.scope.add(1 + len(names), PLAIN, blocks=[block], wrt=names)
    return found
