"""Convolutions, their gradients and pooling in native code against the ops' own kernels."""

import ctypes

import ml_dtypes  # noqa: F401  (NumPy knows the name bfloat16 from now on)
import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow  # noqa: F401
from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_plan import supported, write_window
from tapeflow.jit.runtime import llvm_backend, target, thread_pool
from tapeflow.ops.conv import geometry, kernels, pooling_kernels

# x, filters, strides, padding, dilations, groups
CONVOLUTIONS = [
    ((2, 5, 5, 3), (3, 3, 3, 4), (1, 1), "SAME", (1, 1), 1),
    ((2, 28, 28, 16), (3, 3, 16, 32), (1, 1), "SAME", (1, 1), 1),
    ((3, 8, 9, 1), (5, 5, 1, 6), (1, 1), "SAME", (1, 1), 1),
    ((2, 9, 7, 6), (2, 3, 6, 10), (2, 1), "SAME", (1, 1), 1),
    ((2, 9, 7, 6), (3, 3, 6, 10), (2, 2), "SAME", (1, 1), 1),
    ((1, 9, 11, 4), (3, 2, 4, 5), (1, 1), "VALID", (2, 2), 1),
    ((1, 9, 11, 4), (3, 3, 2, 8), (1, 1), "SAME", (1, 1), 2),
    ((2, 9, 11, 20), (3, 3, 1, 20), (1, 1), "SAME", (1, 1), 20),
    ((2, 9, 11, 20), (3, 2, 1, 20), (2, 2), "SAME", (1, 1), 20),
    ((2, 10, 3), (3, 3, 5), (3,), "VALID", (1,), 1),
    ((2, 4, 5, 6, 3), (2, 2, 3, 3, 7), (1, 2, 1), "SAME", (1, 1, 1), 1),
    ((3, 6, 6, 4), (1, 1, 4, 9), (1, 1), "SAME", (1, 1), 1),
    ((3, 6, 6, 4), (1, 1, 4, 9), (2, 2), "SAME", (1, 1), 1),
    ((40, 5, 5, 8), (5, 5, 8, 12), (1, 1), "VALID", (1, 1), 1),
    ((2, 7, 7, 3), (4, 4, 3, 8), (2, 2), ((1, 2), (0, 3)), (1, 1), 1),
    ((2, 5, 5, 2), (1, 2, 2, 3), (3, 2), "VALID", (1, 1), 1),
    ((70, 9, 9, 4), (3, 3, 4, 8), (1, 1), "SAME", (1, 1), 1),
]
# x, window, strides, padding, dilations
POOLS = [
    ((2, 4, 4, 6), (2, 2), (2, 2), "VALID", (1, 1)),
    ((2, 5, 7, 20), (3, 3), (2, 2), "SAME", (1, 1)),
    ((3, 5, 7, 9), (2, 3), (1, 1), "SAME", (1, 1)),
    ((2, 9, 7, 3), (2, 2), (1, 1), "VALID", (2, 1)),
    ((1, 10, 3), (5,), (2,), "SAME", (1,)),
    ((2, 4, 6, 5, 3), (3, 3, 3), (2, 1, 2), "SAME", (1, 1, 1)),
    ((40, 30, 30, 16), (2, 2), (2, 2), "VALID", (1, 1)),
    ((2, 7, 7, 3), (2, 2), (3, 3), "VALID", (1, 1)),
    ((2, 6, 6, 5), (2, 2), (2, 2), ((1, 1), (0, 1)), (1, 1)),
]
ROLES = ("max", "average", "max_gradient", "average_gradient")
HALVES = ("float16", "bfloat16")
# Of sums that are rounded to the dtype once.
UNIT = {"float64": 1e-14, "float32": 2e-6, "float16": 2.0 ** -11, "bfloat16": 2.0 ** -8}


def room(size: int) -> np.ndarray:
    """Bytes at a multiple of 64, and none of them 0."""
    data = np.full(size + 64, 0x7F, "u1")
    return data[-data.ctypes.data % 64:][:size]


class Batch:
    """Functions of one module, compiled at once."""

    def __init__(self, count: int = 2):
        self.count, self.module, self.plans = count, Module(target.host()), {}

    def add(self, window: Window, epilogue=None) -> str:
        name = f"w{len(self.plans)}"
        self.plans[name] = write_window(self.module, name, window, epilogue, self.count)
        return name

    def compile(self) -> None:
        self.code = llvm_backend.load(self.module.text(), thread_pool.symbols())

    def run(self, name: str, a: np.ndarray, b: np.ndarray | None, result: np.ndarray) -> None:
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(self.code.address(name))
        work = room(self.plans[name].work)
        function(thread_pool.pool(), a.ctypes.data, None if b is None else b.ctypes.data,
                 result.ctypes.data, None, work.ctypes.data)


def numbers(shape: tuple, dtype: str, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def convolution(role: str, case: tuple, dtype: str) -> Window:
    x, filters, strides, padding, dilations, groups = case
    out, pads = geometry.layout("test", x[1:-1], filters[:-2], strides, dilations, padding)
    return Window(role, dtype, x[0], x[1:-1], x[-1], out, filters[-1], filters[:-2], strides,
                  dilations, pads, groups)


def operands_of(role: str, case: tuple, out: tuple, dtype: str):
    """Operands, and the result in float64."""
    x, filters, strides, padding, dilations, groups = case
    attrs = dict(strides=strides, padding=padding, dilations=dilations, groups=groups)
    image, weights = numbers(x, dtype, 0), numbers(filters, dtype, 1)
    g = numbers((x[0], *out, filters[-1]), dtype, 2)
    if role == "forward":
        return image, weights, kernels.convolve(image.astype("f8"), weights.astype("f8"), **attrs)
    if role == "input":
        return weights, g, kernels.input_gradient(weights.astype("f8"), g.astype("f8"),
                                                  sizes=x[1:-1], **attrs)
    return image, g, kernels.filter_gradient(image.astype("f8"), g.astype("f8"),
                                             sizes=filters[:-2], **attrs)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("role", ["forward", "input", "filter"])
def test_convolutions(role, count):
    thread_pool.set_count(count)
    try:
        batch = Batch(count)
        found = []
        for dtype, cases in (("float32", CONVOLUTIONS), ("float64", CONVOLUTIONS[:4]),
                             ("float16", CONVOLUTIONS), ("bfloat16", CONVOLUTIONS)):
            for case in cases:
                window = convolution(role, case, dtype)
                assert supported(window)
                found.append((batch.add(window), window, case, dtype))
        batch.compile()
        for name, window, case, dtype in found:
            a, b, wanted = operands_of(role, case, window.out, dtype)
            result = np.full(wanted.shape, 7, dtype)
            batch.run(name, a, b, result)
            scale = max(1.0, np.abs(wanted).max()) * min(UNIT[dtype], 2e-6)
            rounding = UNIT[dtype] if dtype in HALVES else 0
            np.testing.assert_allclose(result.astype("f8"), wanted, rtol=rounding, atol=scale,
                                       err_msg=f"{case} {dtype}")
    finally:
        thread_pool.set_count(0)


def by_terms(case: tuple, weights: np.ndarray, g: np.ndarray, pads: tuple) -> np.ndarray:
    """The gradient in the images, a loop over positions and taps: no border, no zeros."""
    x, filters, strides, _, dilations, groups = case
    result = np.zeros(x, g.dtype)
    split = weights.reshape(*filters[:-1], groups, -1)
    for position in np.ndindex(*g.shape[1:-1]):
        for tap in np.ndindex(*filters[:-2]):
            at = [p * s + t * d - before for p, s, t, d, (before, _) in zip(
                position, strides, tap, dilations, pads, strict=True)]
            if all(0 <= i < n for i, n in zip(at, x[1:-1], strict=True)):
                part = g[(slice(None), *position)].reshape(x[0], groups, -1)
                result[(slice(None), *at)] += np.einsum(
                    "ngo,igo->ngi", part, split[tap]).reshape(x[0], -1)
    return result


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_filter_that_is_not_finite_reaches_what_its_windows_are_over(value):
    batch = Batch()
    cases = [case for case in CONVOLUTIONS if np.prod(case[0]) < 5000]
    windows = [convolution("input", case, "float32") for case in cases]
    names = [batch.add(window) for window in windows]
    halves = [batch.add(convolution("input", case, "float16")) for case in cases]
    batch.compile()
    for name, half, window, case in zip(names, halves, windows, cases, strict=True):
        weights, g, _ = operands_of("input", case, window.out, "float32")
        for place in (0, weights.size // 2, weights.size - 1):
            special = weights.copy()
            special.reshape(-1)[place] = value
            with np.errstate(invalid="ignore"):
                wanted = by_terms(case, special, g, window.pads)
                on_numpy = kernels.input_gradient(
                    special, g, sizes=case[0][1:-1], strides=case[2], padding=case[3],
                    dilations=case[4], groups=case[5])
            result = np.full(wanted.shape, 7, "float32")
            batch.run(name, special, g, result)
            np.testing.assert_allclose(on_numpy, wanted, 1e-4, 1e-4, err_msg=str(case))
            np.testing.assert_allclose(result, wanted, 1e-4, 1e-4, err_msg=str(case))
            narrow = np.full(wanted.shape, 7, "float16")
            batch.run(half, special.astype("f2"), g.astype("f2"), narrow)
            np.testing.assert_allclose(narrow, wanted, 1e-2, 2e-2, err_msg=str(case))


def pooling(role: str, case: tuple, dtype: str, ties: str = "first") -> Window:
    x, window, strides, padding, dilations = case
    out, pads = geometry.layout("test", x[1:-1], window, strides, dilations, padding)
    return Window(role, dtype, x[0], x[1:-1], x[-1], out, x[-1], window, strides, dilations, pads,
                  ties=ties)


def pooled(role: str, case: tuple, x: np.ndarray, g: np.ndarray, ties: str):
    """Operands, and the result; half precision is computed in float32."""
    if x.dtype in HALVES and role != "max":
        _, _, wanted = pooled(role, case, x.astype("f4"), g.astype("f4"), ties)
        a, b = (g, None) if role == "average_gradient" else (x, g if role[0] == "m" else None)
        return a, b, wanted.astype(x.dtype)
    _, window, strides, padding, dilations = case
    attrs = dict(window=(1, *window, 1), strides=(1, *strides, 1), dilations=(1, *dilations, 1),
                 padding=padding if isinstance(padding, str) else ((0, 0), *padding, (0, 0)))
    if role == "max":
        return x, None, pooling_kernels.max_pool(x, ties=ties, **attrs)
    if role == "average":
        return x, None, pooling_kernels.avg_pool(x, **attrs)
    if role == "max_gradient":
        return x, g, pooling_kernels.max_pool_gradient(x, g, ties=ties, **attrs)
    return g, None, pooling_kernels.avg_pool_gradient(g, x.shape, **attrs)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("ties", ["first", "all"])
def test_pools(ties, count):
    """Also of elements that are equal, infinite or not numbers."""
    thread_pool.set_count(count)
    try:
        batch = Batch(count)
        found = [(batch.add(pooling(role, case, "float32", ties)), role, case)
                 for case in POOLS for role in ROLES]
        batch.compile()
        for name, role, case in found:
            x = numbers(case[0], "float32", 0)
            out = pooling(role, case, "float32").out
            g = numbers((x.shape[0], *out, x.shape[-1]), "float32", 1)
            odd = np.random.default_rng(2).choice(
                np.array([1, 2, np.nan, -np.inf, np.inf], "f4"), x.shape)
            for image in (x, odd) if role[0] == "m" else (x,):
                a, b, wanted = pooled(role, case, image, g, ties)
                result = np.full(wanted.shape, 7, "float32")
                batch.run(name, a, b, result)
                np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5,
                                           err_msg=f"{role} {case}")
    finally:
        thread_pool.set_count(0)


@pytest.mark.parametrize("dtype", HALVES)
def test_pools_of_half_precision(dtype):
    """Computed in float32 and rounded once, as the ops' kernels do it."""
    batch = Batch()
    found = [(batch.add(pooling(role, case, dtype, ties)), role, case, ties)
             for case in POOLS[:6] + POOLS[7:] for role in ROLES for ties in ("first", "all")]
    batch.compile()
    for name, role, case, ties in found:
        x = numbers(case[0], dtype, 0)
        out = pooling(role, case, dtype).out
        g = numbers((x.shape[0], *out, x.shape[-1]), dtype, 1)
        odd = np.random.default_rng(2).choice(
            np.array([1, 2, np.nan, -np.inf, np.inf], "f4"), x.shape).astype(dtype)
        for image in (x, odd) if role[0] == "m" else (x,):
            a, b, wanted = pooled(role, case, image, g, ties)
            result = np.full(wanted.shape, 7, dtype)
            batch.run(name, a, b, result)
            np.testing.assert_allclose(result.astype("f8"), wanted.astype("f8"),
                                       rtol=2 * UNIT[dtype], atol=1e-5, err_msg=f"{role} {case}")


def test_epilogues():
    """The result's row and column come with each piece: bias by column, weight by row."""
    def write(builder, code, row, column, value, lanes):
        from tapeflow.jit.codegen.builder import Val
        assert builder.lanes == lanes
        kind = LLVM[value.dtype]
        ramp = ", ".join(f"{kind} {i}.0" for i in range(lanes))
        bias = builder.add(builder.cast(builder.splat(column, "int64"), value.dtype),
                           Val(f"<{ramp}>" if lanes > 1 else "0.0", value.dtype))
        height = builder.cast(builder.splat(row, "int64"), value.dtype)
        place = code.at("%c", code.add(code.mul(row, columns), column), kind)
        builder.store(builder.add(value, builder.add(bias, height)), place)

    batch = Batch()
    found = []
    for role in ("forward", "input", "filter"):
        for case in CONVOLUTIONS[:12]:
            window = convolution(role, case, "float32")
            columns = window.channels if role == "input" else window.outer
            found.append((batch.add(window, write), role, window, case))
    for case in POOLS[:5]:
        for role in ROLES:
            window = pooling(role, case, "float32")
            columns = window.channels
            found.append((batch.add(window, write), role, window, case))
    batch.compile()
    for name, role, window, case in found:
        if role in ROLES:
            x = numbers(case[0], "float32", 0)
            g = numbers((x.shape[0], *window.out, x.shape[-1]), "float32", 1)
            a, b, wanted = pooled(role, case, x, g, "first")
        else:
            a, b, wanted = operands_of(role, case, window.out, "float32")
        result = np.full(wanted.shape, 7, "float32")
        batch.run(name, a, b, result)
        flat = wanted.reshape(-1, wanted.shape[-1])
        wanted = flat + np.arange(flat.shape[0])[:, None] + np.arange(flat.shape[1])
        np.testing.assert_allclose(result.reshape(flat.shape), wanted, rtol=2e-6, atol=2e-3,
                                   err_msg=f"{role} {case}")


def test_what_is_left_to_the_kernels():
    assert not supported(convolution("forward", CONVOLUTIONS[0], "int32"))
    assert not supported(convolution("forward", ((0, 5, 5, 3), *CONVOLUTIONS[0][1:]), "float32"))
    wider = ((2, 9, 11, 4), (3, 3, 1, 8), (1, 1), "SAME", (1, 1), 4)
    assert not supported(convolution("forward", wider, "float32"))


@pytest.mark.parametrize("kind", ["avx512", "baseline", "aarch64"])
def test_other_machines(kind):
    """The text compiles for machines that are not this one."""
    import llvmlite.binding as llvm

    from tests.jit.test_gemm import OTHERS
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    goal = OTHERS[kind]
    module = Module(goal)
    for i, role in enumerate(("forward", "input", "filter")):
        write_window(module, f"f{i}", convolution(role, CONVOLUTIONS[i + 3], "float32"))
    for i, role in enumerate(ROLES):
        write_window(module, f"p{i}", pooling(role, POOLS[1], "float32"))
    try:
        llvm.Target.from_triple(goal.triple)
    except RuntimeError:
        pytest.skip(f"this llvmlite has no {kind}")
    assert llvm_backend.compile_object(module.text(), goal)
