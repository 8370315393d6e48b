"""Native products, convolutions and pools by themselves, against NumPy's BLAS and PyTorch.

    python bench/kernels.py [--threads N] [--rounds N] [--only TEXT]

All take turns in this process; the least of many times counts. PyTorch is optional. A ratio above 1
says how many times as long the other took.
"""

import argparse
import ctypes
import os
import pathlib
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=0, help="0: as many as there are cores")
parser.add_argument("--rounds", type=int, default=15)
parser.add_argument("--only", default="", help="only lines that contain this text")
options = parser.parse_args()
if options.threads:
    os.environ["OPENBLAS_NUM_THREADS"] = str(options.threads)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import numpy as np  # noqa: E402

import tapeflow  # noqa: E402, F401
from tapeflow.jit.codegen.llvm_text import Module  # noqa: E402
from tapeflow.jit.kernels.conv.conv_geometry import Window  # noqa: E402
from tapeflow.jit.kernels.conv.conv_plan import write_window  # noqa: E402
from tapeflow.jit.kernels.gemm.gemm import write_gemm  # noqa: E402
from tapeflow.jit.kernels.gemm.gemm_product import Product  # noqa: E402
from tapeflow.jit.runtime import llvm_backend, target, thread_pool  # noqa: E402
from tapeflow.ops.conv import geometry  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

thread_pool.set_count(options.threads)
COUNT = thread_pool.count()
if torch:
    torch.set_num_threads(COUNT)

# m, n, k, and which operands lie transposed
PRODUCTS = [
    (64, 128, 784, "NN"), (784, 128, 64, "TN"), (64, 10, 128, "NN"), (128, 10, 64, "TN"),
    (64, 128, 10, "NT"), (32, 32, 32, "NN"), (64, 64, 64, "NN"), (128, 128, 128, "NN"),
    (256, 256, 256, "NN"), (256, 256, 256, "NT"), (256, 256, 256, "TN"), (512, 512, 512, "NN"),
    (1024, 1024, 1024, "NN"), (1, 1000, 1000, "NN"), (1, 1000, 1000, "NT"), (1000, 1, 1000, "NN"),
    (8, 512, 512, "NN"), (512, 512, 8, "NN"), (1000, 1000, 1, "NN"), (4, 4, 4096, "NT"),
    (10000, 64, 64, "NN"), (64, 64, 10000, "TN"),
]
# x, filters, stride, padding, groups
CONVOLUTIONS = [
    ((32, 28, 28, 16), (3, 3, 16, 32), 1, "SAME", 1),
    ((64, 28, 28, 1), (5, 5, 1, 6), 1, "SAME", 1),
    ((64, 14, 14, 6), (5, 5, 6, 16), 1, "VALID", 1),
    ((64, 28, 28, 1), (3, 3, 1, 32), 1, "VALID", 1),
    ((32, 32, 32, 3), (3, 3, 3, 32), 1, "SAME", 1),
    ((8, 56, 56, 64), (3, 3, 64, 64), 1, "SAME", 1),
    ((8, 14, 14, 256), (3, 3, 256, 256), 1, "SAME", 1),
    ((4, 224, 224, 3), (7, 7, 3, 64), 2, "SAME", 1),
    ((8, 56, 56, 64), (3, 3, 64, 128), 2, "SAME", 1),
    ((8, 56, 56, 64), (1, 1, 64, 256), 1, "SAME", 1),
    ((8, 56, 56, 64), (3, 3, 1, 64), 1, "SAME", 64),
]
POOLS = [((64, 28, 28, 6), 2, 2, "VALID"), ((32, 28, 28, 32), 2, 2, "VALID"),
         ((8, 112, 112, 64), 3, 2, "SAME")]


def least_times(functions: dict) -> dict:
    """The least time of each, asked in turn."""
    counts, best = {}, dict.fromkeys(functions, float("inf"))
    for name, function in functions.items():
        function()
        start = time.perf_counter()
        function()
        counts[name] = max(1, int(5e-4 / max(time.perf_counter() - start, 1e-7)))
    for _ in range(options.rounds):
        for name, function in functions.items():
            turns = range(counts[name])
            start = time.perf_counter()
            for _ in turns:
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / counts[name])
    return best


def compiled(module: Module, work: int, *arrays):
    """A call of the module's function `run` without arguments."""
    code = llvm_backend.load(module.text(), thread_pool.symbols())
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(code.address("run"))
    memory = np.zeros(work + 64, "u1")
    start = memory.ctypes.data + -memory.ctypes.data % 64
    a, b, c = [None if x is None else x.ctypes.data for x in arrays]
    words = [ctypes.c_void_p(x) for x in (thread_pool.pool(), a, b, c, None, start)]
    function.keep = code, memory, arrays
    return lambda: function(*words)


def report(label: str, functions: dict, operations: float, chosen: str) -> None:
    times = least_times(functions)
    own = times.pop("own")
    others = "".join(f"  {name} {t / own:6.2f}" for name, t in times.items())
    print(f"{label:52s} {1e6 * own:10.1f} µs {operations / own / 1e9:7.1f} GFLOP/s{others}   "
          f"{chosen}", flush=True)


def numbers(shape: tuple) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype("float32")


def products() -> None:
    for m, n, k, turns in PRODUCTS:
        label = f"product {m}x{k} by {k}x{n} {turns}"
        if options.only not in label:
            continue
        a = numbers((k, m) if turns[0] == "T" else (m, k))
        b = numbers((n, k) if turns[1] == "T" else (k, n))
        c, out = np.zeros((m, n), "f4"), np.zeros((m, n), "f4")
        module = Module(target.host())
        gemm = write_gemm(module, "run", Product.of(
            (m, n, k), "float32", (1, m) if turns[0] == "T" else (k, 1),
            (1, k) if turns[1] == "T" else (n, 1)), threads=COUNT)
        left, right = a.T if turns[0] == "T" else a, b.T if turns[1] == "T" else b
        functions = {"own": compiled(module, gemm.work, a, b, c),
                     "numpy": lambda: np.dot(left, right, out)}  # noqa: B023
        if torch:
            x, y, z = [torch.from_numpy(one) for one in (left, right, out)]
            functions["torch"] = lambda: torch.mm(x, y, out=z)  # noqa: B023
        report(label, functions, 2.0 * m * n * k, gemm.describe())


def convolutions() -> None:
    for x, filters, stride, padding, groups in CONVOLUTIONS:
        strides = (stride, stride)
        out, pads = geometry.layout("bench", x[1:-1], filters[:-2], strides, (1, 1), padding)
        image, weights = numbers(x), numbers(filters)
        g = numbers((x[0], *out, filters[-1]))
        for role in ("forward", "input", "filter"):
            label = f"{role} {'x'.join(map(str, x))} {'x'.join(map(str, filters))} /{stride}"
            if options.only not in label:
                continue
            a, b, like = {"forward": (image, weights, g), "input": (weights, g, image),
                          "filter": (image, g, weights)}[role]
            window = Window(role, "float32", x[0], x[1:-1], x[-1], out, filters[-1], filters[:-2],
                            strides, (1, 1), pads, groups)
            module = Module(target.host())
            plan = write_window(module, "run", window, threads=COUNT)
            functions = {"own": compiled(module, plan.work, a, b, np.zeros_like(like))}
            if torch:
                functions["torch"] = torch_convolution(role, image, weights, g, stride, pads,
                                                       groups)
            report(label, functions, 2.0 * x[0] * np.prod(out) * np.prod(filters), plan.describe())


def channels_last(x: np.ndarray, order: tuple):
    return torch.from_numpy(x).permute(order).contiguous(memory_format=torch.channels_last)


def torch_convolution(role: str, image, weights, g, stride: int, pads: tuple, groups: int):
    """The same for PyTorch, which is given its own layout; a lopsided border is made before."""
    x, w = channels_last(image, (0, 3, 1, 2)), channels_last(weights, (3, 2, 0, 1))
    y = channels_last(g, (0, 3, 1, 2))
    border = tuple(pad[0] for pad in pads)
    if any(before != after for before, after in pads):
        x = torch.nn.functional.pad(x, (*pads[1], *pads[0])).contiguous(
            memory_format=torch.channels_last)
        border = (0, 0)
    if role == "forward":
        return lambda: torch.conv2d(x, w, None, stride, border, 1, groups)
    mask = [role == "input", role == "filter", False]
    return lambda: torch.ops.aten.convolution_backward(
        y, x, w, None, (stride, stride), border, (1, 1), False, (0, 0), groups, mask)


def pools() -> None:
    for x, size, stride, padding in POOLS:
        window, strides = (size, size), (stride, stride)
        out, pads = geometry.layout("bench", x[1:-1], window, strides, (1, 1), padding)
        image, g = numbers(x), numbers((x[0], *out, x[-1]))
        for role in ("max", "max_gradient", "average", "average_gradient"):
            label = f"{role} {'x'.join(map(str, x))} {size}/{stride}"
            if options.only not in label:
                continue
            a, b, like = {"max": (image, None, g), "max_gradient": (image, g, image),
                          "average": (image, None, g), "average_gradient": (g, None, image)}[role]
            described = Window(role, "float32", x[0], x[1:-1], x[-1], out, x[-1], window, strides,
                               (1, 1), pads)
            module = Module(target.host())
            plan = write_window(module, "run", described, threads=COUNT)
            functions = {"own": compiled(module, plan.work, a, b, np.zeros_like(like))}
            if torch and role in ("max", "average") and padding == "VALID":
                t = channels_last(image, (0, 3, 1, 2))
                pool = torch.nn.functional.max_pool2d if role == "max" else (
                    torch.nn.functional.avg_pool2d)
                functions["torch"] = lambda: pool(t, size, stride)  # noqa: B023
            report(label, functions, float(np.prod(g.shape)) * size * size, plan.describe())


if __name__ == "__main__":
    print(f"{COUNT} threads; times of the others as multiples of ours")
    products()
    convolutions()
    pools()
