"""What products fetch before they read it: from operands across k, and for their epilogues."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.graph.passes import optimise
from tapeflow.jit.choices import forcing
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.kernels.gemm.gemm import write_gemm
from tapeflow.jit.kernels.gemm.gemm_fetch import Fetching, choose_fetching
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan, plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.pipeline import compile, compile_function
from tapeflow.jit.runtime import target

NONE = (False, False)
WIDE = target.Target("", "", "", "x86_64", frozenset({"avx512f", "avx2", "fma", "f16c"}))
FETCH = "call void @llvm.prefetch"


def fetching(sizes: tuple, a: tuple, b: tuple, kc: int = 512, packed: tuple = NONE,
             epilogue: bool = False, **options) -> Fetching:
    product = Product.of(sizes, "float32", a, b, **options)
    return choose_fetching(product, (14, 32), 14.0, min(kc, max(sizes[2], 1)), packed, epilogue)


def test_operands_that_lie_across_k_are_fetched():
    found = fetching((64, 384, 1568), (1, 64), (384, 1))
    assert found.a == found.b == 64
    assert fetching((64, 384, 1568), (1, 64), (384, 1), packed=(False, True))[:2] == (64, 0)
    assert fetching((1568, 384, 256), (256, 1), (384, 1))[:2] == (0, 64)  # A goes along memory


def test_operands_that_are_near_are_not_fetched():
    assert fetching((8, 8, 1568), (1, 8), (8, 1))[:2] == (0, 0)
    assert fetching((64, 384, 100), (1, 64), (384, 1))[:2] == (0, 0)  # it would be the next tile's


@pytest.mark.parametrize("columns, far", [(256, 0), (1024, 0), (384, 64), (250, 64)])
def test_lines_that_drive_each_other_out_of_the_cache_are_not_fetched(columns, far):
    assert fetching((columns, 64, 1568), (1, columns), (64, 1)).a == far


def test_places_of_a_result_are_fetched_while_there_is_time():
    wide = (1568, 384, 64), (64, 1), (384, 1)
    assert fetching(*wide).result == "nothing"  # stores are waited for by nobody
    assert fetching(*wide, epilogue=True)[2:] == ("own", False)
    short = (1568, 384, 24), (24, 1), (384, 1)
    assert fetching(*short)[2:] == ("next", True)
    assert fetching(*short, epilogue=True)[2:] == ("next", True)
    assert fetching((6272, 32, 24), (24, 1), (32, 1), epilogue=True)[2:] == ("next", False)
    assert fetching((6272, 32, 24), (24, 1), (32, 1)).result == "nothing"
    assert fetching((15, 384, 64), (64, 1), (384, 1), epilogue=True).result == "nothing"
    assert fetching(*short, accumulate=True).result == "nothing"


def test_dot_products_fetch_nothing():
    module = Module(target.host())
    plan = write_gemm(module, "f", Product.of((4, 4, 4096), "float32", (4096, 1), (1, 4096)))
    assert plan.kernel == "dots" and plan.fetching == Fetching() and FETCH not in module.text()


def plan(sizes: tuple, a: tuple, b: tuple) -> GemmPlan:
    return plan_gemm(WIDE, Product.of(sizes, "float32", a, b))


def test_few_rows_take_the_second_operand_where_it_lies():
    assert not plan((64, 128, 784), (784, 1), (128, 1)).blocking.pack_b
    assert plan((1568, 128, 784), (784, 1), (128, 1)).blocking.pack_b
    assert plan((128, 256, 784), (784, 1), (256, 1)).blocking.pack_b  # rows crowd in the cache
    assert plan((128, 200, 784), (1, 128), (200, 1)).blocking.pack_b  # and A is far


def test_panels_are_deep_where_tiles_go_along_memory():
    assert plan((1568, 160, 960), (960, 1), (160, 1)).whole_k
    assert not plan((160, 160, 960), (1, 160), (160, 1)).whole_k


def text_and_values(f, arrays: list, forced: dict) -> tuple[str, list]:
    made = tf.function(f, autograph=False).get_concrete_function(*arrays)
    graph = optimise(made.function.graph)
    with forcing(forced):
        module = Module(target.host())
        compile_function(graph, module)
        return module.text(), compile(graph).run(arrays, [])


@pytest.mark.parametrize("which", ["own", "next"])
def test_an_epilogue_tells_what_it_reads(which, monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    rng = np.random.default_rng(0)
    x, w, y, z = [rng.normal(size=shape).astype("float32")
                  for shape in ((513, 40), (40, 200), (513, 200), (513, 200))]
    bias = y[0].copy()

    def product(*others):
        def f(x, w, *rest):
            c = tf.matmul(x, w)
            for other in rest:
                c = c * other
            return c

        forced = {"gemm.fetch_result": which, "gemm.fetch_operands": "nothing",
                  "gemm.overlap": False}
        text, values = text_and_values(f, [x, w, *others], forced)
        wanted = x @ w
        for other in others:
            wanted = wanted * other
        np.testing.assert_allclose(values[0], wanted, rtol=2e-4, atol=2e-4)
        return text.count(FETCH)

    # The result is written only, and is fetched for tiles of few k alone.
    written = product(bias)  # which all rows share
    one = product(y)
    assert one > written
    assert product(y, bias) == one
    assert product(y, z) - one == one - written
