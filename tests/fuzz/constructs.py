"""What generated programs are made of: one function for each construct, with a weight.

A construct chooses operands in a Scope and adds a line; if the line is refused (it fails, its
numbers are too large) the program goes on without it.
"""

from __future__ import annotations

import numpy as np

import tapeflow as tf
from tapeflow.base import exports
from tapeflow.core.record.op import OPS
from tapeflow.core.record.samples import Samples
from tests.fuzz.scope import Scope

CONSTRUCTS: list = []
WEIGHTS: list = []
# Not the same from call to call, or with text as result or effect.
CHANGING = {"timestamp", "random_state", "print_values", "assert_true", "as_string",
            "string_format"}
# Discontinuous in what rounding may change: matrices up to the sign of a column.
LOOSE = {"eig", "eigvals", "svd", "qr", "self_adjoint_eig", "bitcast", "nextafter"}
SLOW = {"matrix_logarithm", "matrix_square_root", "matrix_exponential"}
exports.load_promised()  # the ordinary ops
UNARY = sorted(name for name, op in OPS.items() if isinstance(op.check, Samples)
               and len(op.args) == 1 and "f" in op.allowed)
BINARY = sorted(name for name, op in OPS.items() if isinstance(op.check, Samples)
                and len(op.args) == 2 and "f" in op.allowed and name not in LOOSE)
SAMPLED = sorted(name for name, op in OPS.items() if not isinstance(op.check, Samples)
                 and name not in CHANGING | LOOSE | SLOW)


def construct(weight):
    def register(function):
        CONSTRUCTS.append(function)
        WEIGHTS.append(weight)
        return function

    return register


def grow(scope: Scope, length: int) -> None:
    """Add up to `length` lines."""
    for _ in range(length if scope.pick() else 0):
        scope.rng.choices(CONSTRUCTS, WEIGHTS)[0](scope)


# -- elementwise -----------------------------------------------------------------------------------
def _ranged(name, position):
    check = OPS[name].check
    low, high = (check.low, check.high) if not position or check.second is None else check.second
    return f"within({{{position}}}, {low!r}, {high!r})"


@construct(10)
def unary(scope):
    name = scope.rng.choice(UNARY)
    scope.add(1, f"{{y}} = op({name!r}, {_ranged(name, 0)})", scope.pick())


@construct(8)
def binary(scope):
    name = scope.rng.choice(BINARY)
    a, b = scope.pick(), scope.pick()
    scope.add(1, f"{{y}} = op({name!r}, {_ranged(name, 0)}, {_ranged(name, 1)})", a, b)


@construct(12)
def operator(scope):
    sign = scope.rng.choice(["+", "-", "*", "*", "/"])
    a, b = scope.pick(), scope.pick()
    right = "{1}" if sign != "/" else "(1.5 + {1} * {1})"
    scope.add(1, f"{{y}} = {{0}} {sign} {right}", a, b)


@construct(6)
def scalar_operator(scope):
    """With numbers that passes look for."""
    forms = ["{0} + 0.0", "0.0 + {0}", "{0} * 1.0", "1.0 * {0}", "{0} - 0.0", "{0} / 1.0",
             "{0} ** 2", "{0} ** 1.0", "-(-{0})", "{0} * 0.0", "0.5 - {0}",
             "2.0 / (3.0 + {0} ** 2)", f"{{0}} * {scope.number()}",
             f"{{0}} + {scope.number()}", "tf.identity({0})",
             "tf.stop_gradient({0}) * {0}", "{0} + tf.zeros_like({0})", "{0} * tf.ones_like({0})"]
    scope.add(1, f"{{y}} = {scope.rng.choice(forms)}", scope.pick())


@construct(4)
def public_elementwise(scope):
    forms = ["tf.where({0} > {2}, {0}, {1})", "tf.maximum({0}, {1})", "tf.minimum({0}, {1})",
             "tf.clip_by_value({0}, -0.5, 0.7)", "tf.nn.relu({0}) * {1}", "tf.abs({0})",
             "tf.math.squared_difference({0}, {1})", "tf.nn.softmax({0})", "tf.nn.gelu({0})",
             "tf.nn.log_softmax({0})", "tf.sign({0}) * {1}", "tf.nn.l2_normalize({0} + 2.0)",
             "tf.math.divide_no_nan({0}, {1})", "tf.math.xlogy(tf.abs({0}), 1.0 + {1} ** 2)"]
    form = scope.rng.choice(forms).replace("{2}", str(scope.number(-1, 1)))
    scope.add(1, f"{{y}} = {form}", scope.pick(), scope.pick())


@construct(3)
def changed_dtype(scope):
    """To another dtype and, mostly, back."""
    x = scope.pick("fib")
    if x is None:
        return
    kind = scope.values[x].dtype.np.kind
    if kind == "f":
        mine = scope.values[x].dtype.name
        other = "float32" if mine == "float64" else "float64"
        form = scope.rng.choice([
            f"tf.cast(tf.cast({{0}}, '{other}') * 0.5, '{mine}')", "whole({0}, 0, 5)",
            "{0} > 0.1", "tf.cast({0} < 0.2, {0}.dtype) * {0}",
            f"tf.cast(whole({{0}}, -2, 3), '{mine}') + {{0}}",
            "tf.math.real(tf.complex({0}, {0} * 2.0) * tf.complex({0}, -{0}))",
            "tf.abs(tf.complex({0} + 1.5, {0}))",
            "tf.math.imag(tf.exp(tf.complex({0} * 0.2, {0})) / tf.complex({0} + 2.5, {0}))",
            "tf.math.real(tf.reduce_sum(tf.complex({0}, {0} * 0.5), 0) * tf.complex({0}, {0}))",
            "tf.math.angle(tf.math.conj(tf.complex({0} * {0} + 1.0, {0})))"])
    elif kind == "i":
        form = scope.rng.choice(["{0} + 1", "{0} * {0} - 2", "{0} // 2", "{0} % 3", "-{0}",
                                 f"tf.cast({{0}}, '{scope.dtype}')", "{0} > 1", "tf.abs({0})",
                                 f"tf.cast({{0}}, '{scope.dtype}') / 3.0"])
    else:
        form = scope.rng.choice([f"tf.cast({{0}}, '{scope.dtype}')", "tf.logical_not({0})",
                                 "tf.cast({0}, tf.int32)", "tf.logical_or({0}, {0})"])
    scope.add(1, f"{{y}} = {form}", x)


# -- by record -------------------------------------------------------------------------------------
@construct(9)
def sampled(scope):
    name = scope.rng.choice(SAMPLED)
    index = scope.rng.randrange(len(OPS[name].check))
    values = [scope.pick() for _ in range(scope.rng.choice([1, 2]))]
    words = ", ".join(f"{{{i}}}" for i in range(len(values)))
    form = f"sample({name!r}, {index}, {words})"
    if OPS[name].multi:
        scope.add(1, f"{{y}} = [*floats({form}), {{0}}][0]", *values)
    else:
        scope.add(1, f"{{y}} = {form}", *values)


# -- reductions ------------------------------------------------------------------------------------
@construct(8)
def reduction(scope):
    name = scope.rng.choice(["sum", "mean", "max", "min", "prod", "logsumexp", "variance",
                             "euclidean_norm"])
    x = scope.pick()
    rank = len(scope.shape(x))
    axes = scope.rng.choice([None, *range(-rank, rank)])
    if rank > 1 and scope.rng.random() < 0.2:
        axes = sorted(scope.rng.sample(range(rank), 2))
    keep = scope.rng.random() < 0.4
    where = "tf" if name not in ("variance", "euclidean_norm") else "tf.math"
    operand = "{0}" if name not in ("euclidean_norm",) else "2.0 + {0}"
    scope.add(1, f"{{y}} = {where}.reduce_{name}({operand}, axis={axes}, keepdims={keep})", x)


@construct(3)
def along(scope):
    x = scope.pick(accept=lambda x: x.shape.rank)
    if x is None:
        return
    axis = scope.rng.randrange(-len(scope.shape(x)), len(scope.shape(x)))
    form = scope.rng.choice([
        f"tf.cumsum({{0}}, axis={axis}, exclusive={scope.rng.random() < 0.3}, "
        f"reverse={scope.rng.random() < 0.3})", f"tf.sort({{0}}, axis={axis})",
        f"tf.argsort({{0}}, axis={axis}, direction='DESCENDING')",
        f"tf.math.top_k({{0}}, {min(2, scope.shape(x)[-1])})[0]",
        f"tf.nn.softmax({{0}}, axis={axis})", f"tf.reverse({{0}}, [{axis}])",
        f"tf.argmax({{0}}, axis={axis}, output_type=tf.int32)", f"tf.roll({{0}}, 1, axis={axis})",
        f"tf.concat([{{0}}, {{0}} * 2.0], axis={axis})"])
    scope.add(1, f"{{y}} = {form}", x)


# -- moves -----------------------------------------------------------------------------------------
def _split_size(rng, size):
    """A shape with so many elements."""
    shape = []
    while size > 1 and rng.random() < 0.7:
        part = rng.choice([n for n in range(1, size + 1) if size % n == 0])
        shape.append(part)
        size //= part
    shape.append(size)
    rng.shuffle(shape)
    return shape


@construct(6)
def reshape(scope):
    x = scope.pick("fi")
    shape = _split_size(scope.rng, int(np.prod(scope.shape(x))))
    if 0 not in shape and scope.rng.random() < 0.5:
        shape[scope.rng.randrange(len(shape))] = -1
    form = scope.rng.choice([f"tf.reshape({{0}}, {shape})", "tf.reshape({0}, [tf.size({0})])",
                             "tf.reshape({0}, tf.shape({0}))", f"tf.reshape({{0}}, {shape})"])
    scope.add(1, f"{{y}} = {form}", x)


@construct(6)
def move(scope):
    x = scope.pick("fi", lambda x: x.shape.rank)
    if x is None:
        return
    shape, rng = scope.shape(x), scope.rng
    rank = len(shape)
    axis = rng.randrange(-rank, rank)
    perm = rng.sample(range(rank), rank)
    pads = [[rng.randrange(2), rng.randrange(2)] for _ in shape]
    form = rng.choice([
        "tf.transpose({0})", f"tf.transpose({{0}}, {perm})",
        f"tf.transpose(tf.transpose({{0}}, {perm}), {perm})", f"tf.expand_dims({{0}}, {axis})",
        "tf.squeeze({0})", f"tf.tile({{0}}, {[rng.choice([1, 2]) for _ in shape]})",
        f"tf.pad({{0}}, {pads})", f"tf.repeat({{0}}, 2, axis={axis})",
        f"tf.broadcast_to({{0}}, {[2, *shape]})", "{0}[..., tf.newaxis]", "{0}[::-1]",
        "{0}[1:]", "{0}[..., -1]", "{0}[:2, ...]", "{0}[0]",
        f"tf.slice({{0}}, {[0] * rank}, {[max(n - 1, 1) for n in shape]})"])
    scope.add(1, f"{{y}} = {form}", x)


@construct(5)
def picked(scope):
    x = scope.pick("f", lambda x: x.shape.rank and x.shape[0])
    if x is None:
        return
    n = scope.shape(x)[0]
    indices = [scope.rng.randrange(n) for _ in range(scope.rng.randrange(1, 4))]
    form = scope.rng.choice([
        f"tf.gather({{0}}, {indices})", f"tf.gather({{0}}, whole({{1}}, 0, {n}))",
        f"tf.gather({{0}}, {indices}, axis=0) * 2.0", f"tf.gather_nd({{0}}, [[{indices[0]}]])",
        "tf.boolean_mask({0}, tf.reshape({0}, [tf.shape({0})[0], -1])[:, 0] > -0.3)",
        f"tf.one_hot(whole({{1}}, 0, {n}), {n}, dtype={{0}}.dtype)",
        f"tf.tensor_scatter_nd_update({{0}}, [[{indices[0]}]], {{0}}[:1] * 0.5)",
        f"tf.math.unsorted_segment_sum({{0}}, {[i % 2 for i in range(n)]}, 3)"])
    scope.add(1, f"{{y}} = {form}", x, scope.pick())


@construct(4)
def joined(scope):
    x = scope.pick("f", lambda x: x.shape.rank)
    y = scope.pick()
    if x is None:
        return
    shape, rng = scope.shape(x), scope.rng
    axis = rng.randrange(len(shape))
    form = rng.choice([
        f"tf.concat([{{0}}, fit({{1}}, {list(shape)})], {axis})",
        f"tf.stack([{{0}}, fit({{1}}, {list(shape)}), {{0}}], axis={axis})",
        f"tf.add_n([{{0}}, fit({{1}}, {list(shape)}), {{0}}])"])
    scope.add(1, f"{{y}} = {form}", x, y)


@construct(3)
def parted(scope):
    x = scope.pick("f", lambda x: x.shape.rank and x.shape[0] > 1)
    if x is None:
        return
    n = scope.shape(x)[0]
    form = scope.rng.choice([f"tf.split({{0}}, [1, {n - 1}])", f"tf.split({{0}}, {n})[:2]",
                             f"tf.unstack({{0}}, num={n})[:2]"])
    scope.add(2, f"{{y}} = {form}", x)


@construct(2)
def sized(scope):
    """Values that depend on sizes."""
    form = scope.rng.choice([
        f"tf.fill(tf.shape({{0}}), tf.constant({scope.number()}, {{0}}.dtype)) * {{0}}",
        "{0} * tf.cast(tf.size({0}), {0}.dtype)", "{0} + tf.cast(tf.rank({0}), {0}.dtype)",
        "{0} / tf.cast(tf.reduce_sum(tf.shape({0})) + 1, {0}.dtype)",
        "tf.zeros(tf.shape({0}), {0}.dtype) + {0}", "tf.ones_like({0}) - {0}",
        "tf.cast(tf.range(tf.size({0})), {0}.dtype) * tf.reshape({0}, [-1])"])
    scope.add(1, f"{{y}} = {form}", scope.pick())


# -- products --------------------------------------------------------------------------------------
@construct(6)
def product(scope):
    a, b, c = (scope.rng.randrange(1, 4) for _ in range(3))
    left, right = [a, b], [b, c]
    flags = ""
    if scope.rng.random() < 0.3:
        left, flags = left[::-1], ", transpose_a=True"
    if scope.rng.random() < 0.3:
        right, flags = right[::-1], flags + ", transpose_b=True"
    if scope.rng.random() < 0.3:
        left = [2, *left]
    if scope.rng.random() < 0.3:
        right = [2, *right]
    form = scope.rng.choice([
        f"tf.matmul(fit({{0}}, {left}), fit({{1}}, {right}){flags})",
        f"tf.matmul(fit({{0}}, {left}), fit({{1}}, {right}){flags})",
        f"tf.matmul(tf.transpose(fit({{0}}, {[b, a]})), fit({{1}}, {[b, c]}))",
        f"tf.matmul(fit({{0}}, {[a, b]}), tf.transpose(fit({{1}}, {[c, b]})))",
        f"tf.einsum('ij,jk->ki', fit({{0}}, {[a, b]}), fit({{1}}, {[b, c]}))",
        f"tf.einsum('bij,bj->bi', fit({{0}}, {[2, a, b]}), fit({{1}}, {[2, b]}))",
        f"tf.tensordot(fit({{0}}, {[a, b]}), fit({{1}}, {[b, c]}), 1)",
        f"tf.linalg.matvec(fit({{0}}, {[a, b]}), fit({{1}}, {[b]}))"])
    scope.add(1, f"{{y}} = {form}", scope.pick(), scope.pick())


@construct(4)
def system(scope):
    """Factors and systems of small matrices, well conditioned."""
    n, columns = scope.rng.choice([1, 2, 3, 5, 8, 9, 17, 33]), scope.rng.choice([1, 3, 8, 19])
    stack = scope.rng.choice([[], [2], [3, 1]])
    a = f"positive({{0}}, {[*stack, n, n]})"
    b = f"fit({{1}}, {[*stack, n, columns]})"
    flags = scope.rng.choice(["", ", adjoint=True"])
    form = scope.rng.choice([
        f"tf.linalg.cholesky({a})", f"tf.linalg.cholesky_solve(tf.linalg.cholesky({a}), {b})",
        f"tf.linalg.triangular_solve({a}, {b}{flags})",
        f"tf.linalg.triangular_solve({a}, {b}, lower=False{flags})",
        f"tf.linalg.solve({a}, {b}{flags})", f"tf.linalg.inv({a})", f"tf.linalg.slogdet({a})[1]",
        f"tf.linalg.det({a} / {n + 1}.0)", f"tf.linalg.logdet({a})",
        f"tf.linalg.qr({a})[{scope.rng.choice([0, 1])}]",
        f"tf.linalg.qr(tf.concat([{a}, {b}], -1)).r"])
    scope.add(1, f"{{y}} = {form}", scope.pick(), scope.pick())


# -- variables -------------------------------------------------------------------------------------
@construct(7)
def variable(scope):
    if not scope.variables:
        return
    name = scope.rng.choice(sorted(scope.variables))
    shape = list(scope.variables[name].shape)
    form = scope.rng.choice([
        f"{{y}} = fit({{0}}, {shape}) * {name}", f"{{y}} = {name} + 0.5",
        f"{{y}} = tf.tanh({name})", f"{{y}} = {name}.read_value()",
        f"{{y}} = tf.identity({name}) * {name}", f"{name}.assign(tf.tanh(fit({{0}}, {shape})))",
        f"{name}.assign_add(tf.sin(fit({{0}}, {shape})))",
        f"{name}.assign_sub(0.1 * tf.tanh({name}))", f"{name}.assign({name} * 0.5)",
        f"{{y}} = {name}.assign_add(tf.ones_like({name})) * 2.0"])
    scope.add(int("{y}" in form), form, scope.pick())


# -- control flow ----------------------------------------------------------------------------------
def _tests(scope):
    """Bounds have more digits than operands, or rounding would decide."""
    return scope.rng.choice([
        "tf.reduce_sum({0}) > 0.1037", "tf.reduce_mean({0}) + 0.0031 < tf.reduce_max({0})",
        "tf.size({0}) > 2", "tf.reduce_any({0} > 0.5037)"])


def _block(scope, length, end, *operands, params=None, closed=False):
    """Some lines, and a last one that gives the result; `operands` follow one that is picked."""
    inner = scope.inside(params, closed)
    grow(inner, scope.rng.randrange(1, length))
    return inner.block(inner.add(1, end, inner.pick(), *operands))


@construct(4)
def cond(scope):
    if scope.depth > 1:
        return
    shape = scope.rng.choice([[], [3], [2, 2]])
    end = f"{{y}} = tf.cast(tf.tanh(fit({{0}}, {shape})), '{scope.dtype}')"
    blocks = [_block(scope, 5, end) for _ in range(2)]
    template = ("def {n}_yes():\n    <0>\n    return {r0}\n"
                "def {n}_no():\n    <1>\n    return {r1}\n")
    if scope.rng.random() < 0.2:
        call = "{y} = tf.switch_case(whole({0}, 0, 3), [{n}_yes, {n}_no])"
        operand = scope.pick(accept=lambda x: x.shape.rank == 0)
    else:
        call, operand = f"{{y}} = tf.cond({_tests(scope)}, {{n}}_yes, {{n}}_no)", scope.pick()
    scope.add(1, template + call, operand, blocks=blocks)


@construct(4)
def loop(scope):
    if scope.depth > 1:
        return
    start, carry, index = scope.pick(), scope.names(), scope.names()
    fitted = f"tf.tanh(fit({{0}}, {list(scope.shape(start))}))"
    end = f"{{y}} = 0.5 * {{1}} + tf.cast({fitted}, {{1}}.dtype)"
    block = _block(scope, 5, end, carry, params={
        index: tf.constant(0), carry: scope.values[start]})
    trip_count = scope.rng.randrange(0, 4)
    test = scope.rng.choice([
        f"{{n}}_i < {trip_count}", f"{{n}}_i < {trip_count}",
        f"tf.logical_and({{n}}_i < {trip_count}, tf.reduce_sum({{n}}_c) < 2.0037)"])
    scope.add(1, f"def {{n}}_body({index}, {carry}):\n    <0>\n    return {index} + 1, {{r0}}\n"
                 f"{{y}} = tf.while_loop(lambda {{n}}_i, {{n}}_c: {test}, {{n}}_body, "
                 "[tf.constant(0), tf.identity({0})])[1]", start, blocks=[block])


@construct(3)
def unrolled(scope):
    """A loop of Python: its iterations may be rolled up."""
    rows = scope.pick(accept=lambda x: x.shape.rank and 3 < x.shape[0] < 9)
    if scope.depth > 1:
        return
    rng, start, carry, number, row = scope.rng, scope.pick(), *[scope.names() for _ in range(3)]
    params = {number: tf.constant(0.1, scope.dtype), carry: scope.values[start]}
    trips, given = rng.randrange(4, 9), ""
    if rows is not None and rng.random() < 0.6:
        trips, params[row] = scope.shape(rows)[0], scope.values[rows][0]
        given = f"    {row} = " + rng.choice([
            "{1}[{n}_i]", "{1}[-1 - {n}_i]", "{n}_rows[{n}_i]", "tf.gather({1}, {n}_i)"]) + "\n"
    fitted = f"tf.cast(tf.tanh(fit({{0}}, {list(scope.shape(start))})), {{1}}.dtype)"
    own = rng.choice(["", " * tf.cast(0.3 + {2}, {1}.dtype)", " + tf.cast({2}, {1}.dtype)"])
    block = _block(scope, 4, f"{{y}} = 0.5 * {{1}} + {fitted}{own}", carry, number, params=params)
    result = rng.choice(["{n}_all[-1]", "tf.stack({n}_all)", "tf.stack({n}_all[1:], -1)",
                         "{n}_all[0] + {n}_all[-1]", "tf.add_n({n}_all)", "{n}_all[2]"])
    scope.add(1, f"{{n}}_all, {carry} = [tf.identity({{0}})], {{0}}\n" +
                 f"{{n}}_rows = tf.unstack({{1}}, num={trips})\n" * ("_rows" in given) +
                 f"for {{n}}_i in range({trips}):\n"
                 f"    {number} = tf.constant(0.1 * {{n}}_i, '{scope.dtype}')\n{given}"
                 f"    <0>\n    {carry} = {{r0}}\n    {{n}}_all.append({carry})\n"
                 f"{{y}} = {result}", start, rows if given else start, blocks=[block])


@construct(2)
def mapped(scope):
    rows = scope.pick(accept=lambda x: x.shape.rank and x.shape[0])
    if scope.depth > 1 or rows is None:
        return
    row = scope.names()
    block = _block(scope, 4, "{y} = tf.tanh(fit({0}, [2])) + tf.reduce_sum({1})", row,
                   params={row: scope.values[rows][0]})
    call = scope.rng.choice(["map_fn", "vectorized_map"])
    if block is None or call == "vectorized_map" and _writes(block.lines):
        return
    # Of unknown rank, map_fn takes nothing.
    given = f"tf.ensure_shape({{0}}, {[None] * len(scope.shape(rows))})" if (
        call == "map_fn") else "{0}"
    scope.add(1, f"def {{n}}_each({row}):\n    <0>\n    return {{r0}}\n"
                 f"{{y}} = tf.{call}({{n}}_each, {given})", rows, blocks=[block])


@construct(2)
def scanned(scope):
    rows = scope.pick(accept=lambda x: x.shape.rank and x.shape[0])
    if scope.depth > 1 or rows is None:
        return
    start, carry, row = scope.pick(), scope.names(), scope.names()
    fitted = f"tf.tanh(fit({{0}}, {list(scope.shape(start))}))"
    block = _block(scope, 3, f"{{y}} = {{1}} * 0.5 + tf.cast({fitted}, {{1}}.dtype)", carry,
                   params={carry: scope.values[start], row: scope.values[rows][0]})
    call = scope.rng.choice(["scan", "foldl", "foldr"])
    given = f"tf.ensure_shape({{0}}, {[None] * len(scope.shape(rows))})"
    scope.add(1, f"def {{n}}_next({carry}, {row}):\n    <0>\n    return {{r0}}\n"
                 f"{{y}} = tf.{call}({{n}}_next, {given}, initializer=tf.identity({{1}}))",
              rows, start, blocks=[block])


@construct(1)
def collected(scope):
    """A loop that writes into a TensorArray."""
    if scope.depth > 1:
        return
    x, index = scope.pick(), scope.names()
    block = _block(scope, 3, "{y} = tf.cast(tf.tanh(fit({0}, [2])), '" + scope.dtype + "')",
                   params={index: tf.constant(0)})
    scope.add(1, f"def {{n}}_body({index}, {{n}}_ta):\n    <0>\n"
                 f"    return {index} + 1, {{n}}_ta.write({index}, {{r0}})\n"
                 f"{{n}}_ta = tf.TensorArray(tf.{scope.dtype}, size=3)\n"
                 "{y} = tf.while_loop(lambda i, _: i < 3, {n}_body, [0, {n}_ta])[1].stack() + "
                 "tf.cast(tf.reduce_mean({0}), '" + scope.dtype + "')", x, blocks=[block])


def _writes(lines):
    return any(".assign" in line.template or any(_writes(block.lines) for block in line.blocks)
               for line in lines)


# -- tapes and functions ---------------------------------------------------------------------------
@construct(5)
def taped(scope):
    if scope.depth > 1:
        return
    source = scope.pick()
    block = _block(scope, 5, "{y} = tf.sin({0}) + tf.reduce_sum(tf.tanh({1}))", source)
    wanted = scope.rng.choice([*sorted(scope.variables), "{0}", "{0}"])
    scope.add(1, "with tf.GradientTape() as {n}_tape:\n    {n}_tape.watch({0})\n    <0>\n"
                 f"{{y}} = dense({{n}}_tape.gradient({{r0}}, {wanted}, "
                 "unconnected_gradients='zero'))", source, blocks=[block])


@construct(2)
def jacobian(scope):
    source = scope.pick(accept=lambda x: x.shape.num_elements() <= 6)
    if scope.depth or source is None:
        return
    block = _block(scope, 3, "{y} = tf.tanh(fit({0}, [2])) + tf.reduce_sum(tf.sin({1}))", source)
    if block is None or _writes(block.lines):
        return
    scope.add(1, "with tf.GradientTape() as {n}_tape:\n    {n}_tape.watch({0})\n    <0>\n"
                 "{y} = {n}_tape.jacobian({r0}, {0})", source, blocks=[block])


@construct(2)
def pushed(scope):
    """A tangent pushed forwards."""
    if scope.depth:
        return
    source = scope.pick()
    block = _block(scope, 4, "{y} = tf.sin({0}) + tf.reduce_sum(tf.tanh({1}))", source)
    if block is None or _writes(block.lines):
        return
    scope.add(1, "with tf.autodiff.ForwardAccumulator({0}, tf.ones_like({0})) as {n}_acc:\n"
                 "    <0>\n{y} = {n}_acc.jvp({r0})", source, blocks=[block])


@construct(3)
def function(scope):
    """A function of its own, which the function that is tested calls."""
    if scope.depth > 1:
        return
    names = [scope.pick(), scope.pick()]
    params = [scope.names(), scope.names()]
    block = _block(scope, 6, "{y} = tf.tanh({0})", closed=scope.rng.random() < 0.7, params={
        p: scope.values[name] for p, name in zip(params, names, strict=True)})
    kind = scope.rng.choice(["@inner", "@inner", "@tf.recompute_grad"])
    if block is None or kind == "@tf.recompute_grad" and _writes(block.lines):
        return
    scope.add(1, f"{kind}\ndef {{n}}_g({params[0]}, {params[1]}):\n    <0>\n    return {{r0}}\n"
                 "{y} = {n}_g(tf.identity({0}), tf.identity({1}))", *names, blocks=[block])


@construct(2)
def custom(scope):
    scope.add(1, "@tf.custom_gradient\ndef {n}_h(x):\n    y = tf.sin(x)\n"
                 "    def grad(g):\n        return g * tf.cos(x) * 0.5\n    return y, grad\n"
                 "{y} = {n}_h({0})", scope.pick())
