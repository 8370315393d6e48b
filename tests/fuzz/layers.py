"""Layers of random models: each takes what the model has so far and goes on from there.

A layer is a function of a Net, registered for the ranks that it takes. It asks the scope for
variables and adds lines; a line that is refused leaves the model as it was.
"""

from __future__ import annotations

import math

SIZES = {0: 0.1, 1: 8, 2: 10, 3: 8, 4: 6, 5: 5, 7: 4, 8: 5, 9: 3, 15: 2, 16: 3, 17: 3, 31: 1.5,
         32: 2, 33: 2, 63: 0.7, 64: 1, 65: 0.7, 100: 0.6}
ACTIVATIONS = ["tf.tanh({x})", "tf.nn.relu({x})", "tf.sigmoid({x})", "{x}", "{x}", "tf.nn.elu({x})",
               "tf.nn.softplus({x})", "tf.nn.gelu({x})", "tf.nn.silu({x})", "tf.nn.leaky_relu({x})",
               "tf.nn.relu6({x})", "tf.nn.selu({x})", "tf.nn.softsign({x})", "tf.sin({x})",
               "tf.nn.softmax({x})", "tf.square({x})", "tf.maximum({x}, 0.1 * {x})",
               "tf.clip_by_value({x}, -0.7, 0.9)", "tf.abs({x})", "{x} * tf.sigmoid({x})",
               "tf.where({x} > 0.0, {x}, tf.exp(tf.minimum({x}, 0.0)) - 1.0)"]
LAYERS: dict[int, list] = {2: [], 3: [], 4: []}


class Net:
    """A model in the making: `h` is what the last layer gives."""

    def __init__(self, scope, h):
        self.scope, self.h, self.rng = scope, h, scope.rng

    @property
    def shape(self):
        return list(self.scope.shape(self.h))

    def size(self, most=100):
        """A size of a layer."""
        sizes = [n for n in SIZES if n <= most]
        return self.rng.choices(sizes, [SIZES[n] for n in sizes])[0]

    def weight(self, *shape):
        """A variable with numbers that keep the size of what they multiply."""
        fan = math.prod(shape[:-1]) if len(shape) > 1 else 4
        scale = round(1.2 / math.sqrt(max(fan, 1)), 3)
        return self.scope.variable(f"numbers({self.rng.randrange(1000)}, {list(shape)}, "
                                   f"{self.scope.dtype!r}, {scale})")

    def state(self, value, *shape):
        """A variable that is not trained."""
        dtype = "bfloat16" if self.scope.dtype == "bfloat16" else self.scope.dtype
        text = f"numbers(0, {list(shape)}, {dtype!r}, 0.0) + {value}"
        return self.scope.variable(text, trainable=False)

    def activation(self, text):
        return self.rng.choice(ACTIVATIONS).replace("{x}", text)

    def add(self, template, *operands, blocks=()):
        """Go on from the result of a line; False if it was refused."""
        made = self.scope.add(1, template, *operands, blocks=blocks)
        if made is not None:
            self.h = made[0]
        return made is not None

    def apply(self, text, *operands):
        """`text` of {0}, which is h, activated."""
        if not self.add(f"{{y}} = {text}", self.h, *operands):
            return False
        form = self.rng.choice(ACTIVATIONS)
        return form == "{x}" or self.add(f"{{y}} = {form.replace('{x}', '{0}')}", self.h)


def layer(*ranks, weight=1):
    def register(function):
        for rank in ranks:
            LAYERS[rank] += [function] * weight
        return function

    return register


def grow_net(net: Net, count: int) -> None:
    for _ in range(count):
        rank = len(net.shape)
        if rank in LAYERS:
            net.rng.choice(LAYERS[rank])(net)


# -- dense -----------------------------------------------------------------------------------------
@layer(2, weight=6)
def dense(net, units=None):
    n = net.shape[-1]
    units = net.size() if units is None else units
    forms = ["tf.matmul({{0}}, {w})", "{{0}} @ {w}", "{{0}} @ {w}",
             "tf.einsum('bi,io->bo', {{0}}, {w})", "tf.tensordot({{0}}, {w}, 1)",
             "tf.transpose(tf.matmul({w}, {{0}}, transpose_a=True, transpose_b=True))"]
    transposed = ["tf.matmul({{0}}, {w}, transpose_b=True)", "{{0}} @ tf.transpose({w})",
              "tf.einsum('bi,oi->bo', {{0}}, {w})"]
    if net.rng.random() < 0.25:
        text = net.rng.choice(transposed).format(w=net.weight(units, n))
    else:
        text = net.rng.choice(forms).format(w=net.weight(n, units))
    bias = net.rng.random()
    if bias < 0.6:
        text = f"{text} + {net.weight(units)}"
    elif bias < 0.7:
        text = f"tf.nn.bias_add({text}, {net.weight(units)})"
    net.apply(text)


@layer(2)
def gated(net):
    n, units = net.shape[-1], net.size()
    a, b = net.weight(n, units), net.weight(n, units)
    net.add(f"{{y}} = tf.tanh({{0}} @ {a}) * tf.sigmoid({{0}} @ {b})", net.h)


@layer(2)
def residual(net):
    n = net.shape[-1]
    w, v = net.weight(n, n), net.weight(n, n)
    net.add("{y} = {0} + " + net.activation(f"({{0}} @ {w})") + f" @ {v}", net.h)


@layer(2)
def low_rank(net):
    """Products in a row, and operands that are used again."""
    n, k = net.shape[-1], net.size(17)
    w = net.weight(n, k)
    net.add(net.rng.choice([
        f"{{y}} = ({{0}} @ {w}) @ tf.transpose({w})",
        f"{{y}} = tf.matmul({{0}}, {{0}}, transpose_b=True) @ ({{0}} @ {w})",
        f"{{y}} = tf.matmul({{0}}, {{0}} @ {w}, transpose_a=True)",
        f"{{y}} = tf.linalg.matvec({{0}}, tf.reduce_sum({w}, 1))[:, tf.newaxis]",
        f"{{y}} = {{0}} * tf.reduce_sum({{0}} @ {w}, 1, keepdims=True)"]), net.h)


@layer(2)
def mixed(net):
    """Columns apart, and together again."""
    n = net.shape[-1]
    if n < 2:
        return dense(net)
    cut = net.rng.randrange(1, n)
    w = net.weight(cut, n - cut)
    net.add(net.rng.choice([
        f"{{y}} = tf.concat([{{0}}[:, :{cut}], {{0}}[:, {cut}:] + {{0}}[:, :{cut}] @ {w}], 1)",
        f"{{y}} = {{0}}[:, {cut}:] * tf.exp(tf.tanh({{0}}[:, :{cut}] @ {w}))",
        "{y} = {0}[:, ::-1] + tf.roll({0}, 1, 1)", "{y} = tf.transpose(tf.transpose({0})[::2])",
        "{y} = {0}[1:] - {0}[:-1]", f"{{y}} = tf.reduce_max({{0}}, 0, keepdims=True) @ "
        f"{net.weight(n, 2)}", "{y} = tf.cumsum({0}, axis=1) / 4.0",
        f"{{y}} = tf.gather({{0}}, [{cut}, 0, {cut}], axis=1)"]), net.h)
    return None


# -- normalisations, dropout -----------------------------------------------------------------------
@layer(2, 3, 4)
def layer_norm(net):
    n = net.shape[-1]
    g, b = net.weight(n), net.weight(n)
    template = net.rng.choice([
        "{n}_m = tf.reduce_mean({0}, -1, keepdims=True)\n"
        "{n}_v = tf.reduce_mean(tf.square({0} - {n}_m), -1, keepdims=True)\n",
        "{n}_m, {n}_v = tf.nn.moments({0}, [-1], keepdims=True)\n"])
    net.add(f"{template}{{y}} = ({{0}} - {{n}}_m) * tf.math.rsqrt({{n}}_v + 0.01) * {g} + {b}",
            net.h)


@layer(2, 4)
def batch_norm(net):
    """With moving averages, which the step changes."""
    n, axes = net.shape[-1], list(range(len(net.shape) - 1))
    g, b, m, v = net.weight(n), net.weight(n), net.state(0, n), net.state(1, n)
    net.add(net.rng.choice([
        f"{{n}}_m, {{n}}_v = tf.nn.moments({{0}}, {axes})\n"
        f"{m}.assign(0.9 * {m} + 0.1 * {{n}}_m)\n{v}.assign_sub(({v} - {{n}}_v) * 0.1)\n"
        f"{{y}} = tf.nn.batch_normalization({{0}}, {{n}}_m, {{n}}_v, {b}, {g}, 0.01)",
        f"{{n}}_m = tf.reduce_mean({{0}}, {axes})\n"
        f"{m}.assign_add(0.1 * ({{n}}_m - {m}))\n{{y}} = ({{0}} - {m}) * {g} + {b}"]), net.h)


@layer(2, 3)
def dropout(net):
    seed = [net.rng.randrange(100), 1]
    net.add(net.rng.choice([
        f"{{n}}_u = tf.random.stateless_uniform({net.shape}, {seed})\n"
        "{y} = tf.where({n}_u < 0.7, {0}, tf.zeros_like({0})) / 0.7",
        f"{{n}}_u = tf.random.stateless_uniform({net.shape}, {seed})\n"
        "{y} = {0} * tf.cast({n}_u > 0.3, {0}.dtype)",
        f"{{y}} = {{0}} + 0.1 * tf.cast(tf.random.stateless_normal({net.shape}, {seed}), "
        "{0}.dtype)"]), net.h)


# -- gradients of one's own ------------------------------------------------------------------------
@layer(2, 3)
def custom(net):
    net.add(net.rng.choice([
        "@tf.custom_gradient\ndef {n}_h(x):\n    return tf.sign(x), lambda g: "
        "g * tf.cast(tf.abs(x) < 1.0, x.dtype)\n{y} = {n}_h({0})",
        "@tf.custom_gradient\ndef {n}_h(x):\n    e = tf.exp(-tf.abs(x))\n"
        "    return tf.math.log1p(e), lambda g: -g * tf.sign(x) * e / (1.0 + e)\n{y} = {n}_h({0})",
        "{y} = {0} + tf.stop_gradient(tf.round({0}) - {0})"]), net.h)


@layer(2)
def recomputed(net):
    n, units = net.shape[-1], net.size(17)
    w = net.weight(n, units)
    net.add("@tf.recompute_grad\ndef {n}_g(x):\n    return " + net.activation(f"(x @ {w})") +
            "\n{y} = {n}_g({0})", net.h)


# -- time ------------------------------------------------------------------------------------------
@layer(3, weight=4)
def recurrent(net):
    """A cell over time: unrolled, in a loop, by scan."""
    b, t, n = net.shape
    units = net.size(33)
    cell = net.rng.choice(CELLS)
    text, states = cell(net, n, units)
    zero = f"tf.zeros([{b}, {units}], {net.scope.dtype!r})"
    head = "{n}_x = tf.transpose({0}, [1, 0, 2])\n"
    head += f"def {{n}}_cell(x, s):\n    h, c = s\n    {text}\n"
    way = net.rng.random()
    if way < 0.4 and t <= 9:
        body = (f"{{n}}_s = ({zero}, {zero})\nfor {{n}}_t in range({t}):\n"
                "    {n}_s = {n}_cell({n}_x[{n}_t], {n}_s)\n{y} = {n}_s[0]")
    elif way < 0.6:
        body = ("def {n}_turn(t, h, c):\n    return (t + 1, *{n}_cell({n}_x[t], (h, c)))\n"
                f"{{y}} = tf.while_loop(lambda t, h, c: t < {t}, {{n}}_turn, "
                f"[0, {zero}, {zero}])[1]")
    elif way < 0.8:
        body = ("{n}_s = tf.scan(lambda s, x: {n}_cell(x, s), {n}_x, "
                f"({zero}, {zero}))[0]\n{{y}} = tf.transpose({{n}}_s, [1, 0, 2])")
    else:
        body = (f"def {{n}}_turn(t, h, c, a):\n    h, c = {{n}}_cell({{n}}_x[t], (h, c))\n"
                "    return t + 1, h, c, a.write(t, h)\n"
                f"{{n}}_a = tf.TensorArray({net.scope.dtype!r}, {t})\n"
                f"{{y}} = tf.transpose(tf.while_loop(lambda t, h, c, a: t < {t}, {{n}}_turn, "
                f"[0, {zero}, {zero}, {{n}}_a])[3].stack(), [1, 0, 2])")
    del states
    net.add(head + body, net.h)


def _rnn(net, n, units):
    w, u, b = net.weight(n, units), net.weight(units, units), net.weight(units)
    return f"h = tf.tanh(x @ {w} + h @ {u} + {b})\n    return h, c", 1


def _gru(net, n, units):
    w, u, b = net.weight(n, 3 * units), net.weight(units, 3 * units), net.weight(3 * units)
    return (f"a, g = x @ {w} + {b}, h @ {u}\n"
            "    xz, xr, xn = tf.split(a, 3, 1)\n    hz, hr, hn = tf.split(g, 3, 1)\n"
            "    z = tf.sigmoid(xz + hz)\n    m = tf.tanh(xn + tf.sigmoid(xr + hr) * hn)\n"
            "    return z * h + (1.0 - z) * m, c"), 1


def _lstm(net, n, units):
    w, b = net.weight(n + units, 4 * units), net.weight(4 * units)
    return (f"z = tf.concat([x, h], 1) @ {w} + {b}\n    i, j, f, o = tf.split(z, 4, 1)\n"
            "    c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(j)\n"
            "    return tf.sigmoid(o) * tf.tanh(c), c"), 2


CELLS = [_rnn, _rnn, _gru, _lstm]


@layer(3, weight=2)
def attention(net):
    n, units = net.shape[-1], net.size(17)
    q, k, v = (net.weight(n, units) for _ in range(3))
    mask = net.rng.choice(["", f" + tf.linalg.band_part(tf.fill([{net.shape[1]}, {net.shape[1]}], "
                               f"tf.cast(-9.0, {net.scope.dtype!r})), 0, -1) * 0.5"])
    net.add(f"{{n}}_a = tf.nn.softmax(tf.matmul({{0}} @ {q}, {{0}} @ {k}, transpose_b=True) * "
            f"0.5{mask})\n{{y}} = {{n}}_a @ ({{0}} @ {v})", net.h)


@layer(3)
def over_time(net):
    n, t = net.shape[-1], net.shape[1]
    net.apply(net.rng.choice([
        "tf.reduce_mean({0}, 1)", "tf.reduce_max({0}, 1)", "{0}[:, -1]", "{0}[:, 0]",
        f"tf.reshape({{0}}, [-1, {t * n}])", "tf.reduce_sum({0}, axis=[1])",
        f"{{0}} @ {net.weight(n, net.size(33))}", "tf.transpose({0}, [0, 2, 1])",
        f"tf.tensordot({{0}}, {net.weight(n, net.size(9))}, [[2], [0]])",
        f"tf.einsum('btn,t->bn', {{0}}, {net.weight(t)})"]))


@layer(3, weight=2)
def conv1d(net):
    n, units, k = net.shape[-1], net.size(17), net.rng.choice([1, 2, 3, 5])
    stride, pad = net.rng.choice([1, 1, 2]), net.rng.choice(["SAME", "VALID"])
    w = net.weight(k, n, units)
    net.apply(f"tf.nn.conv1d({{0}}, {w}, {stride}, {pad!r}) + {net.weight(units)}")


# -- images ----------------------------------------------------------------------------------------
@layer(4, weight=4)
def conv2d(net):
    n, units = net.shape[-1], net.size(9)
    kh, kw = net.rng.choice([(1, 1), (3, 3), (2, 2), (3, 1), (1, 5)])
    stride, pad = net.rng.choice([1, 1, 1, 2]), net.rng.choice(["SAME", "VALID"])
    dilation = net.rng.choice([1, 1, 1, 2]) if stride == 1 else 1
    w = net.weight(kh, kw, n, units)
    text = f"tf.nn.conv2d({{0}}, {w}, {stride}, {pad!r}, dilations={dilation})"
    net.apply(text + (f" + {net.weight(units)}" if net.rng.random() < 0.7 else ""))


@layer(4)
def depthwise(net):
    n, k, m = net.shape[-1], net.rng.choice([1, 2, 3]), net.rng.choice([1, 1, 2])
    w = net.weight(k, k, n, m)
    text = f"tf.nn.depthwise_conv2d({{0}}, {w}, [1, 1, 1, 1], {net.rng.choice(PADS)!r})"
    if net.rng.random() < 0.3:
        text = (f"tf.nn.separable_conv2d({{0}}, {w}, {net.weight(1, 1, n * m, net.size(5))}, "
                f"[1, 1, 1, 1], {net.rng.choice(PADS)!r})")
    net.apply(text)


@layer(4)
def transposed_conv(net):
    b, h, w, n = net.shape
    units = net.size(5)
    v = net.weight(3, 3, units, n)
    net.apply(f"tf.nn.conv2d_transpose({{0}}, {v}, {[b, 2 * h, 2 * w, units]}, 2, 'SAME')")


@layer(4, weight=2)
def pooled(net):
    k, s = net.rng.choice([1, 2, 3]), net.rng.choice([1, 2])
    kind = net.rng.choice(["max", "avg"])
    net.apply(f"tf.nn.{kind}_pool2d({{0}}, {k}, {s}, {net.rng.choice(PADS)!r})")


@layer(4, weight=2)
def flattened(net):
    _, h, w, n = net.shape
    net.apply(net.rng.choice([
        f"tf.reshape({{0}}, [-1, {h * w * n}])", "tf.reduce_mean({0}, [1, 2])",
        "tf.reduce_max({0}, [1, 2])", f"tf.reshape({{0}}, [-1, {h * w}, {n}])",
        "tf.transpose({0}, [0, 2, 1, 3])", "tf.pad({0}, [[0, 0], [1, 1], [0, 1], [0, 0]])"]))


PADS = ["SAME", "VALID"]


# -- control flow ----------------------------------------------------------------------------------
@layer(2, 3)
def branched(net):
    units = net.size(9)
    w, v = net.weight(net.shape[-1], units), net.weight(net.shape[-1], units)
    net.add(net.rng.choice([
        f"{{y}} = tf.cond(tf.reduce_sum({{0}}) > 0.1037, lambda: {{0}} @ {w}, "
        f"lambda: tf.tanh({{0}} @ {v}))",
        f"{{y}} = tf.switch_case(tf.cast(tf.reduce_mean({{0}}) > 0.0137, tf.int32), "
        f"[lambda: {{0}} @ {w}, lambda: {{0}} @ {v} + 1.0])"]), net.h)


@layer(2)
def looped(net):
    """The same weights again and again."""
    n, count = net.shape[-1], net.rng.choice([0, 1, 2, 3, 5])
    w, b = net.weight(n, n), net.weight(n)
    net.add(net.rng.choice([
        f"{{y}} = tf.while_loop(lambda i, h: i < {count}, lambda i, h: (i + 1, "
        f"tf.tanh(h @ {w} + {b})), [0, {{0}}])[1]",
        f"{{n}}_h = {{0}}\nfor _ in range({count}):\n    {{n}}_h = tf.tanh({{n}}_h @ {w}) + {{0}}\n"
        "{y} = {n}_h",
        f"{{y}} = tf.map_fn(lambda r: tf.tanh(tf.linalg.matvec({w}, r)) + {b}, {{0}})",
        f"{{y}} = tf.vectorized_map(lambda r: tf.tanh(tf.linalg.matvec({w}, r)) * {b}, {{0}})",
        f"{{y}} = tf.scan(lambda a, r: 0.5 * a + tf.tanh(r * {b}), {{0}}, "
        f"tf.zeros([{n}], {net.scope.dtype!r}))"]), net.h)


@layer(2)
def converted(net):
    """A loop and a branch that AutoGraph converts."""
    n, count = net.shape[-1], net.rng.choice([0, 1, 2, 4])
    w = net.weight(n, n)
    net.add(f"def {{n}}_f(h):\n    for t in tf.range({count}):\n"
            f"        if tf.reduce_sum(h) > 0.1037:\n            h = tf.tanh(h @ {w})\n"
            "        else:\n            h = h * 0.5 + 0.1\n    return h\n"
            "{y} = {n}_f({0})", net.h)
    net.scope.flags.add("autograph")
