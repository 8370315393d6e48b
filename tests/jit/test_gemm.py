"""Matrix products in native code against NumPy: sizes, strides, dtypes, epilogues, stacks."""

import ctypes
from itertools import product

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tapeflow.jit.choices import forcing
from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.kernels.gemm.gemm import write_gemm
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.runtime import llvm_backend, target

PLAIN_POOL = """
define void @tf_parallel(ptr %pool, ptr %fn, ptr %arg, i64 %tasks) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  call void %fn(ptr %arg, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %tasks
  br i1 %more, label %turn, label %end
end:
  ret void
}
"""
SIZES = [(1, 1, 1), (7, 5, 3), (13, 17, 19), (64, 10, 33), (6, 16, 8), (12, 32, 1), (1, 100, 50),
         (50, 1, 70), (3, 70, 2), (30, 33, 2050), (100, 90, 80), (9, 2, 100), (2, 9, 300),
         (5, 300, 600), (70, 100, 300)]
EMPTY = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (3, 3, 0), (0, 0, 0)]


def room(size: int) -> np.ndarray:
    """Bytes at a multiple of 64."""
    data = np.full(size + 64, 0x7F, "u1")
    return data[-data.ctypes.data % 64:][:size]


def compiled(module: Module, name: str = "product"):
    text = module.text()
    if "@tf_parallel" in text:
        declared = "declare void @tf_parallel(ptr, ptr, ptr, i64)"
        text = text.replace(declared, "") + PLAIN_POOL
    code = llvm_backend.load(text)
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(code.address(name))
    function.keep = code
    return function


def run(a: np.ndarray, b: np.ndarray, c: np.ndarray, accumulate=False, **options) -> None:
    """c = a @ b of stacks of matrices, which may have any strides."""
    module = Module(target.host())
    size = c.itemsize
    steps = [x.strides[0] // size if x.shape[0] > 1 else 0 for x in (a, b, c)]
    gemm = write_gemm(module, "product", Product.of(
        (c.shape[1], c.shape[2], a.shape[2]), c.dtype.name,
        [s // size for s in a.strides[1:]], [s // size for s in b.strides[1:]],
        c.strides[1] // size, [(len(c), *steps)], accumulate), **options)
    work = room(gemm.work)
    compiled(module)(None, a.ctypes.data, b.ctypes.data, c.ctypes.data, None, work.ctypes.data)


def numbers(shape: tuple, dtype: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-9, 10, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def turned(x: np.ndarray, turn: bool) -> np.ndarray:
    """The same values with the last two axes exchanged in memory."""
    return np.ascontiguousarray(x.swapaxes(1, 2)).swapaxes(1, 2) if turn else x


def close(got: np.ndarray, a: np.ndarray, b: np.ndarray, plus: float = 0.0) -> None:
    wanted = a.astype("f8") @ b.astype("f8") + plus
    bound = np.abs(a).astype("f8") @ np.abs(b).astype("f8") + np.abs(plus)
    unit = {"float32": 2e-6, "float64": 4e-15, "float16": 2e-3}.get(got.dtype.name, 0)
    assert np.all(np.abs(got - wanted) <= unit * bound + unit)


@pytest.mark.parametrize("sizes", SIZES + EMPTY, ids=str)
@pytest.mark.parametrize("turns", ["NN", "NT", "TN", "TT"])
def test_product(sizes, turns):
    m, n, k = sizes
    a, b = numbers((1, m, k), "float32", 0), numbers((1, k, n), "float32", 1)
    c = np.full((1, m, n), 7, "float32")
    run(turned(a, turns[0] == "T"), turned(b, turns[1] == "T"), c)
    close(c, a, b)


def machine(*names: str) -> target.Target:
    """One with these features, to plan for."""
    host = target.host()
    return target.Target(host.triple, host.cpu, host.features, "x86_64", frozenset(names))


def test_columns_of_a_that_lie_on_many_pages_are_packed():
    for (m, n, k), packed in {(1024, 1024, 128): True, (1024, 128, 128): False,
                              (784, 256, 64): False}.items():
        product = Product.of((m, n, k), "float32", (1, m), (n, 1))
        assert plan_gemm(machine("avx2", "fma"), product).blocking.pack_a == packed
        # Tiles of AVX-512 are so high that they take most of a line.
        assert not plan_gemm(machine("avx512f", "fma"), product).blocking.pack_a


@pytest.mark.parametrize("turns", ["NN", "NT", "TN"])
@pytest.mark.parametrize("n", [64, 67, 128])
def test_panels_packed_before_the_tasks(turns, n):
    m, k = 300, 130
    a, b = numbers((2, m, k), "float32", 0), numbers((2, k, n), "float32", 1)
    results = []
    for how in ("before", "by tasks"):
        with forcing({"gemm.panels": how, "gemm.tasks": "rows", "gemm.pack_b": True}):
            c = np.full((2, m, n), 7, "float32")
            run(turned(a, turns[0] == "T"), turned(b, turns[1] == "T"), c)
        close(c, a, b)
        results.append(c)
    assert np.array_equal(*results)


def test_few_panels_are_packed_before_tasks_of_rows():
    plan = plan_gemm(machine("avx512f", "fma"), Product.of((2048, 128, 512), "float32", (512, 1),
                                                           (128, 1)))
    assert plan.packed_before and plan.grid.columns == 1
    plan = plan_gemm(machine("avx512f", "fma"), Product.of((1024, 1024, 256), "float32", (256, 1),
                                                           (1024, 1)))
    assert not plan.packed_before and plan.grid.rows == 1


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "int64"])
@pytest.mark.parametrize("turns", ["NN", "NT", "TN"])
def test_dtypes(dtype, turns):
    a, b = numbers((1, 23, 31), dtype, 0), numbers((1, 31, 29), dtype, 1)
    c = np.full((1, 23, 29), 7, dtype)
    run(turned(a, turns[0] == "T"), turned(b, turns[1] == "T"), c)
    close(c, a, b)


@pytest.mark.parametrize("sizes", [(20, 37, 11), (5, 3, 1100), (20, 9, 1100), (1, 5, 40),
                                   (40, 1, 50)], ids=str)
def test_accumulate(sizes):
    m, n, k = sizes
    a, b = numbers((1, m, k), "float32", 0), numbers((1, k, n), "float32", 1)
    c = np.full((1, m, n), 7, "float32")
    run(a, b, c, accumulate=True)
    close(c, a, b, 7.0)


def test_nothing_beyond_the_ends_is_touched():
    """Operands inside larger arrays at odd places; what is around C stays."""
    big = numbers((60, 61), "float32", 0)
    a, b = big[None, 1:20, 3:26], big[None, 20:43, 5:42]
    store = np.full((40, 50), 7, "float32")
    c = store[None, 3:22, 1:38]
    run(a, b, c)
    close(c, a, b)
    outside = np.ones_like(store, bool)
    outside[3:22, 1:38] = False
    assert np.all(store[outside] == 7)


@pytest.mark.parametrize("sizes", [(64, 50, 30), (9, 21, 1500), (1, 40, 7), (1, 40, 77),
                                   (40, 1, 50), (3, 2, 400)], ids=str)
@pytest.mark.parametrize("turns", ["NN", "NT", "TN"])
def test_epilogue(sizes, turns):
    """Twice the product, minus the row's and the column's number."""
    m, n, k = sizes

    def write(builder, code, row, column, value, lanes):
        from tapeflow.jit.codegen.builder import Val
        assert builder.lanes == lanes
        twice = builder.add(value, value)
        line = builder.cast(builder.splat(row, "int64"), "float32")
        first = builder.cast(builder.splat(column, "int64"), "float32")
        steps = ", ".join(f"float {i}.0" for i in range(lanes))
        ramp = Val(f"<{steps}>" if lanes > 1 else "0.0", "float32")
        at = code.at("%c", code.add(code.mul(row, n), column), "float")
        builder.store(builder.sub(twice, builder.add(line, builder.add(first, ramp))), at)

    a, b = numbers((1, m, k), "float32", 0), numbers((1, k, n), "float32", 1)
    c = np.full((1, m, n), 7, "float32")
    run(turned(a, turns[0] == "T"), turned(b, turns[1] == "T"), c, epilogue=write)
    places = np.arange(m)[:, None] + np.arange(n)
    assert np.allclose((c + places) / 2, a.astype("f8") @ b, atol=1e-6 * (k + m + n))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32"])
@pytest.mark.parametrize("turns", ["NN", "NT", "TN", "TT"])
def test_epilogue_of_small_products(dtype, turns):
    """All sizes around one vector of each kernel: the epilogue gets each place once."""
    module = Module(target.host())
    cases = []
    for m, n, k in product((1, 2, 3, 5, 9), (1, 2, 3, 5, 9), (0, 1, 2, 7, 16, 33)):
        def write(builder, code, row, column, value, lanes, n=n):
            place = code.add(code.mul(row, n + 1), column)  # so that (0, 1) is not (1, 0)
            old = builder.load(code.at("%c", place, LLVM[dtype]), dtype)
            builder.store(builder.add(value, old), code.at("%c", place, LLVM[dtype]))

        a, b = numbers((1, m, k), dtype, 0), numbers((1, k, n), dtype, 1)
        a, b = turned(a, turns[0] == "T"), turned(b, turns[1] == "T")
        steps = [tuple(s // x.itemsize for s in x.strides[1:]) for x in (a, b)]
        gemm = write_gemm(module, f"product{len(cases)}",
                          Product.of((m, n, k), dtype, *steps), epilogue=write)
        cases.append((a, b, gemm))
    code = llvm_backend.load(module.text())
    for i, (a, b, gemm) in enumerate(cases):
        m, n = a.shape[1], b.shape[2]
        c = np.arange((n + 1) * (n + 1 + m), dtype=dtype).reshape(1, -1, n + 1)
        work, before = room(gemm.work), c.copy()
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(code.address(f"product{i}"))(
            None, a.ctypes.data, b.ctypes.data, c.ctypes.data, None, work.ctypes.data)
        close(c[:, :m, :n], a, b, before[:, :m, :n])
        c[:, :m, :n] = before[:, :m, :n]
        assert np.array_equal(c, before)


@pytest.mark.parametrize("shared", ["", "a", "b"])
@pytest.mark.parametrize("turns", ["NN", "NT"])
@pytest.mark.parametrize("sizes", [(3, 20, 18, 9), (40, 33, 32, 64), (3, 200, 200, 100)], ids=str)
def test_stacks(shared, turns, sizes):
    count, m, n, k = sizes
    a = numbers((1 if shared == "a" else count, m, k), "float32", 0)
    b = numbers((1 if shared == "b" else count, k, n), "float32", 1)
    c = np.full((count, m, n), 7, "float32")
    run(a, turned(b, turns[1] == "T"), c, threads=2)
    close(c, a, b)


def test_stacks_of_stacks():
    """Heads beside each other in memory: q kᵀ of (batch, head, time, depth) seen as transposed."""
    q, k = [numbers((3, 7, 4, 5), "float32", i).transpose(0, 2, 1, 3) for i in (0, 1)]
    c = np.full((3, 4, 7, 7), 7, "float32")
    module = Module(target.host())
    steps = [[s // 4 for s in x.strides] for x in (q, k, c)]
    gemm = write_gemm(module, "product", Product.of(
        (7, 7, 5), "float32", (steps[0][2], 1), (1, steps[1][2]),
        batch=[(n, *[step[i] for step in steps]) for i, n in enumerate((3, 4))]))
    work = room(gemm.work)
    compiled(module)(None, q.ctypes.data, k.ctypes.data, c.ctypes.data, None, work.ctypes.data)
    np.testing.assert_allclose(c, q @ k.swapaxes(-1, -2), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["avx512", "avx2", "baseline", "aarch64"])
def test_other_machines(kind):
    """The text compiles for machines that are not this one."""
    import llvmlite.binding as llvm
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    goal = OTHERS[kind]
    if kind == "aarch64" and not _knows(goal.triple):
        pytest.skip("this llvmlite has no aarch64")
    module = Module(goal)
    for i, (m, n, k) in enumerate([(64, 100, 20), (1, 50, 50), (9, 5, 3)]):
        for dtype in ("float32", "float64"):
            for turn in (0, 1):
                write_gemm(module, f"f{i}{dtype}{turn}", Product.of(
                    (m, n, k), dtype, (k, 1), (1, k) if turn else (n, 1)))
    assert llvm_backend.compile_object(module.text(), goal)


def _knows(triple: str) -> bool:
    import llvmlite.binding as llvm
    try:
        llvm.Target.from_triple(triple)
    except RuntimeError:
        return False
    return True


OTHERS = {
    "avx512": target.Target("x86_64-unknown-linux-gnu", "skylake-avx512", "", "x86_64",
                            frozenset({"avx512f", "avx2", "fma", "f16c"})),
    "avx2": target.Target("x86_64-unknown-linux-gnu", "haswell", "", "x86_64",
                          frozenset({"avx2", "fma", "f16c"})),
    "baseline": target.Target("x86_64-unknown-linux-gnu", "x86-64", "", "x86_64", frozenset()),
    "aarch64": target.Target("aarch64-unknown-linux-gnu", "generic", "", "aarch64", frozenset()),
}
