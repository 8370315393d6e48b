"""Matrix products with every choice of the compiler forced, against NumPy.

Combinations come from the choice points themselves (`jit.choices`); sizes, strides, dtypes and
machines are dealt out to them in turn. Operands end where memory ends, so that a read beyond them
is seen; what lies around the result must stay.
"""

import ctypes
import itertools
import mmap
import random

import numpy as np

from tapeflow.jit.choices import CHOICES, forcing
from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.epilogues.rows_epilogue import RowsEpilogue
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.kernels.gemm.gemm import write_gemm
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.runtime import llvm_backend, target

DTYPES = ("float32", "float64", "float16", "int32", "int64")
DECISIONS = ("gemm.kernel", "gemm.transposed", "gemm.pack_a", "gemm.pack_b", "gemm.overlap",
             "gemm.k", "gemm.m", "gemm.panels", "gemm.tasks")
FETCHES = [{"gemm.fetch_operands": operands, "gemm.fetch_result": result} for operands in (
    "nothing", "a", "b", "both") for result in ("nothing", "own", "next")]
RESULTS = ("stored", "added", "epilogue")
UNIT = {"float32": 2e-6, "float64": 4e-15, "float16": 2e-3}
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


def machines() -> list[target.Target]:
    """This machine, and others as wide as vectors come; the code of all runs here."""
    host = target.host()
    found = [host]
    for names in (frozenset(), frozenset({"avx2", "fma", "f16c"}),
                  frozenset({"avx512f", "avx2", "fma", "f16c"})):
        found.append(target.Target(host.triple, host.cpu, host.features, "x86_64", names))
    return found


class Edge:
    """Memory whose end is the end of what may be read."""

    def __init__(self, size: int):
        page = mmap.PAGESIZE
        self.pages = -(-max(size, 1) // page) * page
        self.memory = mmap.mmap(-1, self.pages + page)
        self.first = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        libc = ctypes.CDLL(None, use_errno=True)
        protect = libc.mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        if protect(self.first + self.pages, page, 0):
            raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, x: np.ndarray) -> np.ndarray:
        """The same elements and strides, the last one at the edge."""
        size = sum((n - 1) * s for n, s in zip(x.shape, x.strides)) + x.itemsize if x.size else 0
        begin = self.pages - size
        y = np.ndarray(x.shape, x.dtype, self.memory, begin, x.strides) if x.size else x
        if x.size:
            y[...] = x
        return y


EDGES: list[Edge] = []


def edge(i: int) -> Edge:
    while len(EDGES) <= i:
        EDGES.append(Edge(1 << 20))
    return EDGES[i]


def numbers(shape: tuple, dtype: str, rng) -> np.ndarray:
    if np.dtype(dtype).kind == "i":
        return rng.integers(-9, 10, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def laid_out(x: np.ndarray, how: str) -> np.ndarray:
    """The same values in memory another way: transposed, with gaps, every other element."""
    if how == "T":
        return np.ascontiguousarray(x.swapaxes(1, 2)).swapaxes(1, 2)
    if how == "rows":  # of a wider matrix
        return np.concatenate([x, x[:, :, :1].repeat(3, 2)], 2)[:, :, :x.shape[2]]
    if how == "columns":  # of a matrix with numbers between
        return x.repeat(2, 2)[:, :, ::2]
    return x


class Placed(RowsEpilogue):
    """An epilogue that tells its places, which are fetched."""

    def __init__(self, emit, places):
        super().__init__(places)
        object.__setattr__(self, "emit", emit)

    def __call__(self, *args):
        self.emit(*args)

    def places(self, code, row, column):
        return [(self.at(code, row, column), True)]


class Case:
    """One product: sizes, strides, dtype, what becomes of the sums, and what is forced."""

    def __init__(self, machine_: target.Target, sizes: tuple, dtype: str, ways: tuple,
                 gap: int, result: str, count: int, forced: dict, seed: int):
        self.machine, self.sizes, self.dtype, self.ways = machine_, sizes, dtype, ways
        self.gap, self.result, self.count, self.forced = gap, result, count, forced
        self.seed = seed
        m, n, k = sizes
        rng = np.random.default_rng(seed)
        self.a = laid_out(numbers((count, m, max(k, 1)), dtype, rng), ways[0])[:, :, :k]
        self.b = laid_out(numbers((count, max(k, 1), n), dtype, rng), ways[1])[:, :k]

    def __str__(self) -> str:
        return (f"{self.sizes} of {self.dtype}, {self.ways}, gap {self.gap}, {self.result}, "
                f"{self.count} times, lanes {self.machine.vector}, {self.forced}")

    def product(self) -> Product:
        m, n, k = self.sizes
        size = np.dtype(self.dtype).itemsize
        a, b = self.a, self.b
        steps = [x.strides[0] // size if self.count > 1 else 0 for x in (a, b)]
        return Product.of((m, n, k), self.dtype, [s // size for s in a.strides[1:]],
                          [s // size for s in b.strides[1:]], n + self.gap,
                          [(self.count, *steps, m * (n + self.gap) if self.count > 1 else 0)],
                          accumulate=self.result == "added")

    def plan(self):
        """What was chosen, as a key: the same plan twice is one test."""
        with forcing(self.forced):
            plan = plan_gemm(self.machine, self.product(), epilogue=self.result == "epilogue")
        blocking, product = plan.blocking, plan.product
        blocks = blocking._replace(kc=blocking.kc < product.k, mc=blocking.mc < product.m)
        return plan, (plan.kernel, plan.transposed, blocks, plan.grid, plan.packed_before,
                      plan.fetching.result, plan.widened, self.result)

    def write(self, module: Module, name: str) -> None:
        n, gap, dtype = self.sizes[1], self.gap, self.dtype

        def address(code, row, column):
            m = self.sizes[0]
            place = code.add(code.mul("%batch", m * (n + gap)),
                             code.add(code.mul(row, n + gap), column))
            return code.at("%ctx", place, LLVM[dtype])

        def epilogue(builder, code, row, column, value, lanes):
            at = address(code, row, column)
            old = builder.load(at, dtype)
            if dtype == "float16":
                total = builder.narrow(builder.add(builder.widen(value), builder.widen(old)),
                                       dtype)
            else:
                total = builder.add(value, old)
            builder.store(total, at)

        with forcing(self.forced):
            gemm = write_gemm(module, name, self.product(),
                              Placed(epilogue, address) if self.result == "epilogue" else None)
        self.work = gemm.work

    def run(self, address: int) -> None:
        m, n, _ = self.sizes
        rng = np.random.default_rng(self.seed + 1)
        around = numbers((self.count * m * (n + self.gap) + 64,), self.dtype, rng)
        store = edge(2).put(around)
        first = 32
        a, b = edge(0).put(self.a), edge(1).put(self.b)
        c = np.ndarray((self.count, m, n), self.dtype, store, first * store.itemsize,
                       [step * store.itemsize for step in (m * (n + self.gap), n + self.gap, 1)])
        before = around.copy()
        old = c.astype("f8") if self.result != "stored" else np.zeros(c.shape)
        work = np.full(self.work + 64, 0x7F, "u1")
        work = work[-work.ctypes.data % 64:]
        goal = store[first:].ctypes.data
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(address)(
            None, a.ctypes.data, b.ctypes.data, goal, goal, work.ctypes.data)
        a, b = a.astype("f8"), b.astype("f8")
        unit = UNIT.get(self.dtype, 0)
        bound = unit * (1 + np.abs(a) @ np.abs(b) + np.abs(old))
        assert np.all(np.abs(c - (a @ b + old)) <= bound), str(self)
        mask = np.ones(store.shape, bool)
        np.ndarray(c.shape, bool, mask, first, [s // store.itemsize for s in c.strides])[...] = 0
        assert np.array_equal(store[mask], before[mask]), f"around the result: {self}"


def deal(options: list, rng: random.Random):
    """Without end, each as often as the others."""
    while True:
        yield from rng.sample(options, len(options))


def cases(times: int, seed: int = 0):
    """Every combination of decisions, `times` times with other sizes, strides and dtypes; then
    every shape of a tile and of a block of dot products at its edges."""
    rng = random.Random(seed)
    around = [deal(list(choices), rng) for choices in (
        DTYPES, list(itertools.product(("N", "T", "rows", "columns"), repeat=2)), (0, 0, 3),
        machines())]
    extents = [deal([0, 1, 2, 3, 5, 8, 9, 13, 17], rng), deal([1, 1, 2, 7, 8, 9, 15, 17, 33], rng),
               deal([0, 1, 2, 3, 7, 8, 9, 16, 17, 40], rng)]
    fetches = deal(FETCHES, rng)
    number = itertools.count(seed * 100_000)
    names = [CHOICES[name] for name in DECISIONS]
    host = target.host()
    for taken in itertools.product(*[one.alternatives(host) for one in names], RESULTS):
        *decisions, result = taken
        forced = dict(zip(DECISIONS, decisions)) | next(fetches)
        for _ in range(times):
            dtype, ways, gap, cpu = [next(one) for one in around]
            m, n, k = [next(one) for one in extents]
            if forced["gemm.transposed"]:
                n, gap, m = 1, gap if result == "epilogue" else 0, max(m, 2)
            yield from case_of(cpu, (m, n, k), dtype, ways, gap, result,
                               2 if forced["gemm.tasks"] == "batch" else 1, forced, next(number))
    yield from widened_cases(times, number)
    for cpu in machines() if times > 1 else [host]:
        for name, kernel in (("gemm.tile", "tiles"), ("gemm.dot_block", "dots")):
            for high, wide in CHOICES[name].alternatives(cpu):
                lanes = cpu.lanes(4) if kernel == "tiles" else 1
                width = wide * lanes
                high_edges = (high - 1, high, high + 1, 2 * high + 1)
                wide_edges = (width + 1, width - 1, width, 2 * width + 1)
                for m, n in (itertools.product(high_edges, wide_edges) if times > 1 else
                             zip(high_edges, wide_edges)):
                    k = next(extents[2])
                    dtype, ways, gap, _ = [next(one) for one in around]
                    if kernel == "dots":
                        ways = (ways[0] if ways[0] == "rows" else "N", ways[1])
                    yield from case_of(cpu, (m, n, k), dtype, ways, gap,
                                       RESULTS[next(number) % 3], 1,
                                       {name: (high, wide), "gemm.kernel": kernel}, next(number))


def widened_cases(times: int, number):
    """A of half precision that is widened before the tasks, by one task or by several."""
    for sizes in (((5, 100, 7), (33, 40, 65), (130, 70, 300)) * times)[:3 * times]:
        for ways in itertools.product(("N", "T", "rows"), repeat=2):
            for result in RESULTS:
                forced = {"gemm.widened": True, "gemm.kernel": "tiles"}
                yield from case_of(target.host(), sizes, "float16", ways, 0, result, 1, forced,
                                   next(number))


def case_of(cpu, sizes, dtype, ways, gap, result, count, forced, seed):
    if dtype == "float16" and not target.host().half:
        dtype = "float32"
    yield Case(cpu, sizes, dtype, ways, gap, result, count, forced, seed)


def run(times: int = 1, seed: int = 0, every: int = 1) -> int:
    """Run the cases, or one in so many, in modules of some hundred functions; how many there were.
    """
    seen: set = set()
    batches: dict[int, list[Case]] = {}
    done = 0

    def finish(batch: list[Case]) -> None:
        module = Module(batch[0].machine)
        for i, case in enumerate(batch):
            case.write(module, f"product{i}")
        text = module.text()
        declared = "declare void @tf_parallel(ptr, ptr, ptr, i64)"
        if declared in text:
            text = text.replace(declared, "") + PLAIN_POOL
        code = llvm_backend.load(text)
        for i, case in enumerate(batch):
            case.run(code.address(f"product{i}"))
        batch.clear()

    for case in itertools.islice(cases(times, seed), 0, None, every):
        _, key = case.plan()
        if times == 1 and (key, case.machine.vector) in seen:
            continue
        seen.add((key, case.machine.vector))
        batch = batches.setdefault(id(case.machine), [])
        batch.append(case)
        done += 1
        if len(batch) >= 150:
            finish(batch)
    for batch in batches.values():
        if batch:
            finish(batch)
    return done
