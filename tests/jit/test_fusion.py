"""Fusion: for each rule a small graph in which it decides, and the order of kernels."""

import pytest

import tapeflow as tf
from tapeflow.jit.lowering import fusion_rules
from tapeflow.jit.lowering.lower import lower
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop
from tapeflow.jit.pipeline import simplify
from tapeflow.jit.runtime.target import host
from tests.jit.agreement import agree, draw, graph_of


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def described(plan):
    """Kernels in words: the sizes of a fused loop, or what a kernel is with how many instructions
    in its epilogue; of reductions, the dims over which they run."""
    found = []
    for kernel in plan.kernels:
        if isinstance(kernel, FusedLoop):
            text = "loop " + " x ".join(map(str, kernel.dims))
            text += "".join(f", over {sorted(dims)}" for dims in kernel.reduced.values())
        else:
            assert isinstance(kernel, CustomKernel)
            text = kernel.impl.text.split()[0]
            if kernel.epilogue.instructions:
                text += f" + {len(kernel.epilogue.instructions)}"
        found.append(text)
    return found


def kernels(f, *args):
    """The kernels of a function that agrees with NumPy."""
    return described(agree(f, *args).function.plan)


def without(rule, f, *args):
    """The kernels if a rule were not there; the code would be wrong or slow, so it is not made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fusion_rules, "RULES", tuple(
            one for one in fusion_rules.RULES if one.__name__ != rule))
        return described(lower(simplify(graph_of(f, *args)), host(), None).plan)


CASES = {}


def case(rule, args, kernels, without):
    """A function of some arguments: its kernels, and what they would be without a rule."""
    def take(f):
        CASES[rule] = f, args, kernels, without
        return f

    return take


@case("epilogue_is_elementwise", (draw(8, 6), draw(6, 8)),
      ["product", "loop 8 x 8, over [0]"], ["product + 1"])
def maximum_of_product(a, b):
    return tf.reduce_max(a @ b, 0)


@case("epilogue_of_scalars_is_light", (draw(8, 6), draw(6, 2)),
      ["product", "loop 8 x 2"], ["product + 1"])
def sine_of_narrow_product(a, b):
    return tf.sin(a @ b)


@case("gather_picks_from_memory", (draw(8), tf.constant([3, 0, 7, 1, 2, 2, 5, 6])),
      ["loop 8", "loop 8"], ["loop 8"])
def gather_from_loop(x, i):
    return tf.gather(x * 2, i)


@case("own_operands_are_rearranged", (draw(8),), ["loop 8", "loop 8"], ["loop 8"])
def reversed_value(x):
    y = x * 2
    return y, tf.reverse(y, [0]) + 1


@case("operands_are_known_before", (draw(8),), ["loop 8", "loop 8"], ["loop 8"])
def part_of_concatenation(x):
    return tf.concat([x * 2, x * 3], 0)[4:12] + x


@case("row_goes_on_with_reductions", (draw(2, 5000),),
      ["loop 2 x 5000, over [1]", "loop 2 x 5000"], ["loop 2 x 5000, over [1]"])
def two_long_rows(x):
    return x / tf.reduce_sum(x * x, 1, keepdims=True)


@case("own_operands_give_dims", (draw(4, 4),), ["loop 4 x 4", "loop 4 x 4"], ["loop 4 x 4"])
def value_and_transpose(x):
    y = x * 2
    return y, y + tf.transpose(y)


@case("axes_have_different_dims", (draw(4),), ["loop 4", "loop 4 x 4"], ["loop 4"])
def outer_product(x):
    y = x * 2
    return y, y[:, None] * y[None, :]


@case("outside_operands_give_dims", (draw(4, 4), draw(4, 4)),
      ["loop 4 x 4, over [0, 1], over [1]"], ["loop 4 x 4, over [0, 1], over [0]"])
def two_readers_of_memory(x, g):
    y = x - tf.reduce_max(x)
    return tf.transpose(y) * g, tf.reduce_sum(g, 0)


@case("sizes_give_dims", (draw(4), draw(3, 4)), ["loop 4", "loop 3 x 4"], ["loop 4"])
def broadcast_value(x, m):
    y = x * 2
    return y, y + m


@case("epilogue_covers_result", (draw(8, 6), draw(6, 8), draw(8)),
      ["product + 2", "loop 8"], ["product + 3"])
def bias_used_again(a, b, c):
    bias = c * 2
    return a @ b + bias, bias, tf.exp(bias)


@case("reduction_takes_each_element_once", (draw(4, 5),),
      ["loop 4 x 5, over [1]", "loop 4, over [0]"], ["loop 4 x 5, over [1], over [0]"])
def maximum_of_sums(x):
    return tf.reduce_max(tf.reduce_sum(x, 1))


@pytest.mark.parametrize("rule", [rule.__name__ for rule in fusion_rules.RULES])
def test_a_rule_decides(rule):
    f, args, wanted, other = CASES[rule]
    assert kernels(f, *args) == wanted
    assert without(rule, f, *args) == other


def test_what_the_rules_let_pass():
    assert kernels(tf.nn.softmax, draw(16, 40)) == ["loop 16 x 40, over [1], over [1]"]
    assert kernels(lambda a, b: tf.sin(a @ b), draw(8, 6), draw(6, 8)) == ["product + 1"]
    assert kernels(lambda a, b: a @ b + 1, draw(8, 6), draw(6, 2)) == ["product + 1"]
    assert kernels(lambda x: (x * 2, tf.transpose(x * 2) + 1), draw(4, 5)) == ["loop 4 x 5"]


def test_kernels_keep_their_order_however_many_are_inserted():
    """Each slice is read from memory, so what is sliced is computed just before the loop that
    reads it, again and again at the same position."""
    count = 80

    def f(x, w):
        total = tf.reduce_sum(w, 1)
        for i in range(count):
            total = total + tf.exp(x[i] * 0.1)[::2]
        return total

    plan = agree(f, draw(count, 9), draw(5, 3)).function.plan
    assert len(plan.kernels) > 60
    assert [kernel.position for kernel in plan.kernels] == list(range(len(plan.kernels)))
    for kernel in plan.kernels:
        for buffer in kernel.reads:
            assert all(maker.position < kernel.position for maker in plan.home.get(buffer, ()))


def test_an_epilogue_runs_where_its_kernel_does():
    plan = agree(lambda a, b, c: (tf.sin(a @ b), tf.exp(c)[::-1] + c),
                 draw(8, 6), draw(6, 8), draw(9)).function.plan
    product = next(kernel for kernel in plan.kernels if isinstance(kernel, CustomKernel))
    assert product.epilogue.position == product.position == plan.kernels.index(product)


@pytest.mark.parametrize("rows,wanted", [(300, ["loop ", "loop 300 x 70"]), (3, ["loop 3 x 70"])])
def test_a_heavy_scalar_is_computed_once_before_a_loop_of_tasks(rows, wanted):
    """The step size of an optimizer: each task of the loop would compute its powers again."""
    def step(x, count):
        return x * (tf.sqrt(1 - tf.pow(0.5, count)) / (1 - tf.pow(0.25, count)))

    def light(x, count):
        return x * (count + 1)

    assert kernels(step, draw(rows, 70), tf.constant(3.0)) == wanted
    assert kernels(light, draw(rows, 70), tf.constant(3.0)) == [f"loop {rows} x 70"]


def test_a_scalar_is_computed_before_all_epilogues_that_use_it():
    """The step size of an optimizer: the gradient that is used first is not the first computed."""
    def step(x, y, count):
        rate = tf.sqrt(1 - tf.pow(0.5, count)) / (1 - tf.pow(0.25, count))
        first, second = x @ y, y @ x
        return second * rate, first * rate

    assert kernels(step, draw(8, 8), draw(8, 8), tf.constant(3.0)) == [
        "loop ", "product + 1", "product + 1"]
