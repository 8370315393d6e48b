"""Matrix products as functions of their own: which kernel, how it is cut into tasks, its text.

`write_gemm` writes a function that computes C = A·B for sizes and strides known now, and calls an
`epilogue` for each finished piece of a row instead of storing it:

    void @NAME(ptr pool, ptr a, ptr b, ptr c, ptr ctx, ptr work)

`pool` is the thread pool (`threads`), `ctx` is handed to the epilogue's code as %ctx, `work` is
`Gemm.work` bytes at a multiple of 64 for this call alone. An epilogue is called while the text is
written: `epilogue(builder, code, row, column, value, lanes)` gets the place as int64 values and
writes what becomes of the value; the function that it writes into has the parameters %c, %ctx and
%batch (the number of the product in a stack of them). Sums do not depend on the number of
threads.

Two kernels: "tiles" (registers hold a block of C, see `tiles`), "dots" (both operands lie along
k, or C is a few columns wide: sums of vectors along k).
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.kernels.gemm.gemm_dot import Dots, write_turned
from tapeflow.jit.kernels.gemm.gemm_tile import (
    Epilogue,
    Operand,
    finish_row,
    load_some,
    pack_columns,
    pack_rows,
    padded,
    store_some,
    tile,
    vectors,
    wide,
)

KERNEL = [("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("ptr", "%ctx"), ("ptr", "%part"),
          ("ptr", "%own"), ("i64", "%batch"), ("i64", "%m0"), ("i64", "%m1"), ("i64", "%n0"),
          ("i64", "%n1")]
GIGAHERTZ = 3.0  # for estimates only
TASK = 40_000  # cycles below which a task is not worth handing over
L1, L2, L3 = 32 << 10, 512 << 10, 4 << 20  # bytes that blocks are made for
PANEL = 64 << 10  # bytes of a packed panel of B


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles that fill the registers, more or less."""
    registers = target.registers - (1 if target.fma else 2)
    found = []
    for vecs in range(1, 13):
        most = min((registers - vecs) // vecs, 16)
        found += [(rows, vecs) for rows in range(max(1, most // 2), most + 1)]
    return found


def dot_blocks(target: Any) -> list[tuple[int, int]]:
    """(rows, columns) of blocks of dot products."""
    return [(high, across) for high in range(1, 9) for across in (1, 2, 3, 4, 8)
            if high * across <= target.registers - 4]


KIND = Choice("gemm.kernel", ("tiles", "dots"))
FLIP = Choice("gemm.flip", (False, True))
TILE = Choice("gemm.tile", tile_shapes)
BLOCK = Choice("gemm.block", dot_blocks)
PACK_A = Choice("gemm.pack_a", (False, True))
PACK_B = Choice("gemm.pack_b", (False, True))
OVERLAP = Choice("gemm.overlap", (False, True))
K_PARTS = Choice("gemm.k", ("whole", "parts"))
M_PARTS = Choice("gemm.m", ("whole", "parts"))
TASKS = Choice("gemm.tasks", ("one", "stack", "rows", "columns", "both"))
RESULT = Choice("gemm.result", ("stored", "added", "epilogue"))
WAIT = Choice("gemm.wait", ("registers", "result", "apart"))  # sums of earlier parts of k


class Gemm:
    """A product's sizes and what was chosen for it.

    a, b: steps (in elements) from row to row and from column to column; c: from row to row.
    batch: (how many, step of a, of b, of c) of a stack of products; or several of these, the
    outer first, for a stack of stacks.
    """

    def __init__(self, target: Any, m: int, n: int, k: int, dtype: str, a: tuple[int, int],
                 b: tuple[int, int], c: int, batch: Any = (1, 0, 0, 0),
                 accumulate: bool = False, threads: int = 2, epilogue: bool = False):
        batch = [tuple(level) for level in batch] if batch and isinstance(
            batch[0], (tuple, list)) else [tuple(batch)]
        # A column, of rows that lie side by side: computed as the row that it is in memory.
        may = n == 1 and m > 1 and (c == 1 or epilogue)
        self.flipped = FLIP(may and a[0] == 1 and a[1] != 1, (False, may))
        if self.flipped:
            m, n, a, b = 1, m, (0, b[0]), (a[1], a[0])
            batch = [(count, sb, sa, sc) for count, sa, sb, sc in batch]
        self.target, self.m, self.n, self.k, self.dtype = target, m, n, k, dtype
        self.a, self.b, self.c, self.batch = a, b, c, batch
        self.products = prod(level[0] for level in batch)
        self.accumulate, self.threads, self.epilogue = accumulate, threads, epilogue
        self.lanes = target.lanes(itemsize(wide(dtype)))
        self.size = itemsize(wide(dtype))
        self._choose()
        self._tasks()

    # -- choices ---------------------------------------------------------------------------------
    def _choose(self) -> None:
        self.rows, self.vecs = self._shape()
        self.width = self.vecs * self.lanes
        self._blocks()
        packing = self.k * self.n * ((0.7 if self.b[1] != 1 else 0.25) if self.pack_b else 0)
        self.cycles = self._tile_cycles(self.rows, self.vecs) + packing + 50
        # The last tile may begin earlier, and compute again what others have computed: then all
        # tiles have one size, and one text.
        may = self.kc >= self.k and not self.accumulate
        self.overlaps = OVERLAP(may, (False, may))
        may = self.a[1] == 1
        best = self._best_dots() if may and self.k >= 2 * self.lanes else None
        better = best is not None and best[0] < self.cycles
        self.kernel = KIND("dots" if better else "tiles", ("tiles", "dots") if may else ())
        if self.kernel == "dots":
            self._dots(*(best or self._best_dots()))

    def _best_dots(self) -> tuple[float, tuple[int, int]]:
        block = min(dot_blocks(self.target), key=lambda block: self._dot_cycles(*block))
        turning = 1.5 * self.k * self.n if self.b[0] != 1 else 0
        return self._dot_cycles(*block) + 50 + turning, block

    def _dots(self, cycles: float, block: tuple[int, int]) -> None:
        self.cycles, self.dots = cycles, BLOCK(block, dot_blocks(self.target))
        self.rows, self.width = self.dots
        turned = self.b[0] != 1
        self.pack_b = PACK_B(turned, (turned, True))
        self.pack_a, self.kc, self.mc, self.overlaps = False, self.k, self.m, False

    def _shape(self) -> tuple[int, int]:
        """Rows and vectors of a tile: those with the least work for these sizes."""
        shapes = tile_shapes(self.target)
        best: tuple[int, int] = TILE(
            min(shapes, key=lambda shape: self._tile_cycles(*shape)), shapes)
        return best

    def _tile_cycles(self, rows: int, vecs: int) -> float:
        """Cycles of all tiles: multiplications, loads, or the wait for a sum, whichever is most."""
        width = vecs * self.lanes
        total = 0.0
        across = [(width, self.n // width), (self.n % width, 1)]
        down = [(rows, self.m // rows), (self.m % rows, 1)]
        if self.k <= 4096 // self.size and not self.accumulate:  # see `overlaps`
            if self.n >= width:
                across = [(width, -(-self.n // width))]
            if self.m >= rows:
                down = [(rows, -(-self.m // rows))]
        for columns, panels in across:
            if not columns or not panels:
                continue
            count = len(vectors(columns, self.lanes))
            for high, tiles in down:
                if high and tiles:
                    turn = max(high * count / 2, (high + count) / 2, 4.0) + count / 10
                    turn += 0.3 * (high * count < 10)  # a sum is hardly there when it is needed
                    total += panels * tiles * (turn * max(self.k, 1) + 12 + high * (2 + count))
        return total

    def _dot_cycles(self, high: int, across: int) -> float:
        total = 0.0
        for rows, down in ((high, self.m // high), (self.m % high, 1)):
            for columns, along in ((across, self.n // across), (self.n % across, 1)):
                if rows and columns and down and along:
                    turn = max(rows * columns / 2, (rows + columns) / 2, 4.0)
                    steps = -(-self.k // self.lanes)
                    total += down * along * (turn * steps + 10 + 3 * rows * columns)
        return total

    def _blocks(self) -> None:
        """Which operands are packed, and the blocks of rows and of k."""
        m, k, size = self.m, max(self.k, 1), self.size
        tiles, panels = -(-m // self.rows), -(-self.n // self.width)
        # Rows of B that overlap (or come twice) must not be read beyond their ends.
        must = self.n > 0 and (self.b[1] != 1 or (self.b[0] < self.n and k > 1))
        self.pack_b = PACK_B(must or (tiles >= 8 and self.b[0] * size >= 384
                                      and k * self.n * size > L1 // 2), (must, True))
        # A's rows across the lines of memory: a tile would take a few numbers of each line.
        self.pack_a = PACK_A(self.a[1] != 1 and panels >= 4 and tiles >= 2
                             and self.a[1] * size >= 128 and k * 64 >= L1 // 2, (False, True))
        deepest = 1536 // size if self.pack_a else PANEL // (self.width * size)
        self.kc = -(-k // -(-k // deepest))
        if m <= 8 and not self.pack_b and k * self.n * size > 2 * L1:
            # Little use of each number of B: its rows are best read along memory.
            self.kc = 8 if m == 1 and k * self.n * size > L2 // 2 else 16
        parted = "whole" if k == 1 or self.dtype != wide(self.dtype) else "parts"
        if parted == "whole":
            self.kc = k  # C cannot hold sums that wait
        best = "whole" if self.kc >= k else "parts"
        if K_PARTS(best, ("whole", parted)) != best:
            self.kc = k if best == "parts" else -(-k // 2)
        slab = L3 if not self.pack_a else L2 * 2
        self.mc = max(1, slab // (self.kc * size * self.rows)) * self.rows
        best = "whole" if self.mc >= m else "parts"
        if M_PARTS(best, ("whole", "parts" if m > self.rows else "whole")) != best:
            self.mc = m if best == "parts" else self.rows

    @property
    def nanoseconds(self) -> float:
        return self.products * self.cycles / GIGAHERTZ

    def _tasks(self) -> None:
        """How many parts the stack, the rows and the columns are cut into."""
        best = self._best_grid()
        tiles, panels = -(-self.m // self.rows), -(-self.n // self.width)
        least = {_split(grid): grid for grid in (
            (1, 1, 1), (min(self.products, 2), 1, 1), (1, min(tiles, 2), 1),
            (1, 1, min(panels, 2)), (1, min(tiles, 2), min(panels, 2)))}
        taken = TASKS(_split(best), least)
        self.grid = best if taken == _split(best) else least[taken]

    def _best_grid(self) -> tuple[int, int, int]:
        cycles, count = self.cycles, self.products
        wanted = int(min(4 * self.threads, cycles * count // TASK))
        if self.threads == 1 or wanted < 2:
            return 1, 1, 1
        if count >= 2 * self.threads or cycles < 2 * TASK:
            return min(wanted, count), 1, 1
        tiles, panels = -(-self.m // self.rows), -(-self.n // self.width)
        best = None
        for across in range(1, min(panels, wanted) + 1):
            down = min(tiles, wanted // across)
            high, wide_ = -(-tiles // down), -(-panels // across)
            # Packing a panel, or rows for it, takes about as long as half a tile or more.
            each = high * wide_ + 0.8 * wide_ * self.pack_b + 0.5 * high * self.pack_a
            cost = -(-down * across // self.threads) * each
            if best is None or cost < best[0]:
                best = cost, down, across
        assert best is not None
        return 1, best[1], best[2]

    # -- memory ----------------------------------------------------------------------------------
    @property
    def part_bytes(self) -> int:
        """Sums that wait for the next part of k, where C cannot hold them."""
        if self.kc >= self.k or not self.epilogue:
            return 0
        return _round(self.m * self.n * self.size)

    @property
    def own_bytes(self) -> int:
        """What each task packs for a while: rows of A, or for dot products B."""
        if self.kernel == "dots":
            return _round(self.n * self.k * self.size) if self.pack_b else 0
        if not self.pack_a:
            return 0
        return _round(((min(self.mc, self.m) + self.rows) * self.kc + self.lanes) * self.size)

    @property
    def work(self) -> int:
        """Bytes of working memory for one call."""
        count, down, across = self.grid
        if count > 1:
            return (self.part_bytes + self.own_bytes) * count
        return self.part_bytes + self.own_bytes * down * across

    def describe(self) -> str:
        count, down, across = self.grid
        words = [f"{self.rows}x{self.width} {self.kernel} of {self.dtype}"]
        if self.pack_b:
            words.append("B packed")
        if self.pack_a:
            words.append("A packed")
        if self.kc < self.k:
            words.append(f"k in parts of {self.kc}")
        if self.grid != (1, 1, 1):
            words.append(f"{count}x{down}x{across} tasks")
        return ", ".join(words)


def _split(grid: tuple[int, int, int]) -> str:
    """What tasks share."""
    if grid[0] > 1:
        return "stack"
    return {(False, False): "one", (True, False): "rows", (False, True): "columns",
            (True, True): "both"}[grid[1] > 1, grid[2] > 1]


def _round(size: int) -> int:
    return -(-size // 64) * 64


def write_gemm(module: Module, name: str, *, m: int, n: int, k: int, dtype: str,
               a: tuple[int, int], b: tuple[int, int], c_row_stride: int,
               batch: Any = (1, 0, 0, 0), epilogue: Epilogue | None = None,
               accumulate: bool = False, threads: int = 2) -> Gemm:
    """Write the function of a product; see above for how it is called."""
    gemm = plan_product(module.target, m=m, n=n, k=k, dtype=dtype, a=a, b=b,
                        c_row_stride=c_row_stride, batch=batch, accumulate=accumulate,
                        threads=threads, epilogue=epilogue is not None)
    RESULT("epilogue" if epilogue else "added" if accumulate else "stored")
    WAIT("registers" if gemm.kc >= gemm.k else "apart" if gemm.part_bytes else "result")
    kernel = module.add(_Kernel(gemm, epilogue).write(module, f"{name}.kernel"))
    _write_call(gemm, module, name, kernel)
    return gemm


def plan_product(target: Any, *, m: int, n: int, k: int, dtype: str, a: tuple[int, int],
                 b: tuple[int, int], c_row_stride: int,
                 batch: Any = (1, 0, 0, 0), epilogue: bool = False,
                 accumulate: bool = False, threads: int = 2) -> Gemm:
    """What `write_gemm` would choose: kernel, tasks (`grid`), `nanoseconds`, `work`, `describe()`.
    """
    return Gemm(target, m, n, k, dtype, a, b, c_row_stride, batch, accumulate, threads, epilogue)


class _Kernel:
    """The text of the function that computes rows m0..m1 and columns n0..n1 of one product."""

    def __init__(self, gemm: Gemm, epilogue: Epilogue | None):
        self.gemm, self.epilogue = gemm, epilogue

    def write(self, module: Module, name: str) -> Code:
        gemm = self.gemm
        self.code = code = Code(module, name, KERNEL, attributes=module.target.attributes,
                                linkage="internal")
        if not gemm.m or not gemm.n:
            return code
        if gemm.kernel == "dots":
            if gemm.pack_b:
                write_turned(code, gemm)
            Dots(gemm, self.epilogue).write(code)
            return code
        goal = LLVM[wide(gemm.dtype)]
        if self.epilogue:
            room = gemm.rows * padded(gemm.width, gemm.lanes)
            self.buffer = code.let(f"alloca [{room} x {goal}], align 64")
        if gemm.pack_b:
            room = padded(min(gemm.width, gemm.n), gemm.lanes) * gemm.kc
            self.panel = code.let(f"alloca [{room} x {goal}], align 64")
        if gemm.kc >= gemm.k:
            self._row_blocks(0, gemm.k, None, None)
            return code
        blocks = -(-gemm.k // gemm.kc)
        with code.loop(0, blocks) as loop:
            k0 = code.mul(loop.index, gemm.kc)
            k1 = least(code, code.add(k0, gemm.kc), gemm.k)
            first = code.pure(f"icmp eq i64 {loop.index}, 0")
            last = code.pure(f"icmp eq i64 {loop.index}, {blocks - 1}")
            self._row_blocks(k0, k1, first, last)
        return code

    def _row_blocks(self, k0: Any, k1: Any, first: str | None, last: str | None) -> None:
        gemm, code = self.gemm, self.code
        depth = k1 if k0 == 0 else code.let(f"sub nsw i64 {k1}, {k0}")
        if gemm.mc >= gemm.m:
            self._panels("%m0", "%m1", k0, depth, first, last)
            return
        with code.loop("%m0", "%m1", gemm.mc) as block:
            end = least(code, code.add(block.index, gemm.mc), "%m1")
            self._panels(block.index, end, k0, depth, first, last)

    def _panels(self, m0: str, m1: str, k0: Any, depth: Any, first: str | None,
                last: str | None) -> None:
        gemm, code = self.gemm, self.code
        self.m0, self.m1 = m0, m1
        if gemm.pack_a:
            self._pack_block(m0, m1, k0, depth)
        full = gemm.n // gemm.width * gemm.width
        if full and gemm.overlaps:
            with code.loop("%n0", "%n1", gemm.width) as panel:
                base = panel.index if full == gemm.n else least(code, panel.index,
                                                                gemm.n - gemm.width)
                self._panel(panel.index, base, gemm.width, k0, depth, first, last)
            return
        if full:
            end = least(code, "%n1", full)
            with code.loop("%n0", end, gemm.width) as panel:
                self._panel(panel.index, panel.index, gemm.width, k0, depth, first, last)
        if gemm.n > full:
            with code.when(code.let(f"icmp eq i64 %n1, {gemm.n}")):
                self._panel(full, full, gemm.n - full, k0, depth, first, last)

    def _pack_block(self, m0: str, m1: str, k0: Any, depth: Any) -> None:
        """Some rows of A, tile by tile."""
        gemm, code = self.gemm, self.code

        def tile_at(row: str, k: Any, count: Any) -> None:
            place = code.add(code.mul(row, gemm.a[0]), code.mul(code.add(k0, k), gemm.a[1]))
            source = code.at("%a", place, LLVM[gemm.dtype])
            target = code.at(self._packed_rows(row), code.mul(k, gemm.rows),
                             LLVM[wide(gemm.dtype)])
            self._heights(row, lambda rows: pack_rows(
                code, source, target, rows, count, gemm.a, gemm.rows, gemm.dtype, gemm.lanes))

        if gemm.a[0] == 1:  # along the rows as they lie in memory
            with code.loop(0, depth) as k, code.loop(m0, m1, gemm.rows) as row:
                tile_at(row.index, k.index, 1)
        else:
            with code.loop(m0, m1, gemm.rows) as row:
                tile_at(row.index, 0, depth)

    def _packed_rows(self, row: str) -> str:
        gemm, code = self.gemm, self.code
        place = code.let(f"sub nsw i64 {row}, {self.m0}")
        return code.at("%own", code.mul(place, gemm.kc), LLVM[wide(gemm.dtype)])

    def _heights(self, row: str, one: Any) -> None:
        """Text for a whole tile and for the last one, which may be lower."""
        gemm, code = self.gemm, self.code
        rest = gemm.m % gemm.rows
        if not rest:
            one(gemm.rows)
        elif gemm.m < gemm.rows:
            one(rest)
        else:
            whole = code.let(f"icmp sle i64 {code.add(row, gemm.rows)}, {self.m1}")
            either(code, whole, lambda: one(gemm.rows), lambda: one(rest))

    def _panel(self, column: Any, base: Any, width: int, k0: Any, depth: Any,
               first: str | None, last: str | None) -> None:
        """All tiles of some neighbouring columns, from `base` on; those before `column` are done
        elsewhere."""
        gemm, code = self.gemm, self.code
        cover = vectors(width, gemm.lanes)
        place = code.add(code.mul(base, gemm.b[1]), code.mul(k0, gemm.b[0]))
        pointer = code.at("%b", place, LLVM[gemm.dtype])
        b = Operand(pointer, 0, gemm.b[0], gemm.dtype)
        if gemm.pack_b:
            pack_columns(code, pointer, self.panel, cover, depth, gemm.b, gemm.dtype, gemm.lanes)
            b = Operand(self.panel, 0, padded(width, gemm.lanes), wide(gemm.dtype))
        with code.loop(self.m0, self.m1, gemm.rows) as row:
            top = row.index
            if gemm.overlaps and not gemm.pack_a and gemm.m > gemm.rows:
                if gemm.m % gemm.rows:
                    top = least(code, row.index, gemm.m - gemm.rows)
                self._tile(top, base, gemm.rows, cover, k0, depth, b, first, last)
            else:
                self._heights(row.index, lambda rows: self._tile(
                    row.index, base, rows, cover, k0, depth, b, first, last))
            if self.epilogue:
                self._finish(row.index, top, column, base, width, last)

    def _tile(self, row: str, column: Any, rows: int, cover: list, k0: Any, depth: Any, b: Operand,
              first: str | None, last: str | None) -> None:
        gemm, code = self.gemm, self.code
        if gemm.pack_a:
            a = Operand(self._packed_rows(row), 1, gemm.rows, wide(gemm.dtype))
        else:
            place = code.add(code.mul(row, gemm.a[0]), code.mul(k0, gemm.a[1]))
            a = Operand(code.at("%a", place, LLVM[gemm.dtype]), gemm.a[0], gemm.a[1], gemm.dtype)
        kinds = [f"<{lanes} x {LLVM[wide(gemm.dtype)]}>" if lanes > 1 else LLVM[wide(gemm.dtype)]
                 for _, lanes, _ in cover] * rows
        zeros = ["zeroinitializer" if kind[0] == "<" else Builder(code).const(0, wide(
            gemm.dtype)).text for kind in kinds]
        start = zeros
        if first is not None and gemm.accumulate and not self.epilogue:
            start = [load_some(builder, where, gemm.dtype, count) for _, where, builder, count
                     in self._places(row, column, rows, cover)]
        elif first is not None:
            start = self._begin(first, kinds, zeros, row, column, rows, cover)
        exact = not gemm.pack_b
        sums = tile(code, rows, cover, (0, depth), a, b, start, exact)
        self._store(sums, row, column, rows, cover, last)

    def _begin(self, first: str, kinds: list[str], zeros: list[str], row: str, column: Any,
               rows: int, cover: list) -> list[str]:
        """Zeros at first, later the sums so far."""
        code = self.code
        again, start = code.label("again"), code.label("start")
        before = code.block
        code.do(f"br i1 {first}, label %{start}, label %{again}")
        code.start(again)
        code._known.append({})
        found = []
        for _, where, builder, count in self._places(row, column, rows, cover):
            found.append(load_some(builder, where, wide(self.gemm.dtype), count))
        code._known.pop()
        code.do(f"br label %{start}")
        code.start(start)
        return [code.let(f"phi {kind} [ {zero}, %{before} ], [ {old}, %{again} ]")
                for kind, zero, old in zip(kinds, zeros, found)]

    def _places(self, row: str, column: Any, rows: int, cover: list) -> Any:
        """Where sums wait: (number, address, builder, lanes that count)."""
        gemm, code = self.gemm, self.code
        goal = LLVM[wide(gemm.dtype)]
        base, step = ("%part", gemm.n) if gemm.part_bytes else ("%c", gemm.c)
        corner = code.at(base, code.add(code.mul(row, step), column), goal)
        for i in range(rows):
            for j, (at, lanes, count) in enumerate(cover):
                where = code.at(corner, i * step + at, goal)
                yield i * len(cover) + j, where, Builder(code, lanes), count

    def _store(self, sums: list[str], row: str, column: Any, rows: int, cover: list,
               last: str | None) -> None:
        gemm, code = self.gemm, self.code
        dtype = wide(gemm.dtype)
        if self.epilogue and last is None:
            self._spill(sums, rows, cover)
            return
        if self.epilogue:
            def keep() -> None:
                for i, where, builder, count in self._places(row, column, rows, cover):
                    store_some(builder, Val(sums[i], dtype), where, count)
            either(code, last, lambda: self._spill(sums, rows, cover), keep)
            return
        corner = code.at("%c", code.add(code.mul(row, gemm.c), column), LLVM[gemm.dtype])
        for i in range(rows):
            for j, (at, lanes, count) in enumerate(cover):
                where = code.at(corner, i * gemm.c + at, LLVM[gemm.dtype])
                value = Val(sums[i * len(cover) + j], dtype)
                self._plain(Builder(code, lanes), value, where, count)

    def _plain(self, builder: Builder, value: Val, where: str, count: int) -> None:
        gemm = self.gemm
        if gemm.accumulate and gemm.kc >= gemm.k:
            old = Val(load_some(builder, where, gemm.dtype, count), value.dtype)
            value = builder.add(value, old)
        store_some(builder, builder.cast(value, gemm.dtype), where, count)

    def _spill(self, sums: list[str], rows: int, cover: list) -> None:
        """A tile's sums to memory, from where the epilogue takes them row by row."""
        gemm, code = self.gemm, self.code
        width = padded(gemm.width, gemm.lanes)
        dtype = wide(gemm.dtype)
        for i in range(rows):
            for j, (at, lanes, _) in enumerate(cover):
                where = code.at(self.buffer, i * width + at, LLVM[dtype])
                code.do(f"store {Builder(code, lanes).type(dtype)} {sums[i * len(cover) + j]}, "
                        f"ptr {where}, align {gemm.size}")

    def _finish(self, row: str, top: str, column: Any, base: Any, width: int,
                last: str | None) -> None:
        """The epilogue for the rows of a tile that begins at `top` and `base`, but not for what is
        above `row` or before `column`."""
        gemm, code = self.gemm, self.code
        room = padded(gemm.width, gemm.lanes)
        goal = wide(gemm.dtype)

        def rows(count: int) -> None:
            left = code.let(f"sub nsw i64 {self.m1}, {top}")
            begin = "0" if top == row else code.let(f"sub nsw i64 {row}, {top}")
            with code.loop(begin, least(code, left, gemm.rows), some=True) as loop:
                place = code.mul(loop.index, room)
                if base != column:
                    place = code.add(place, code.let(f"sub nsw i64 {column}, {base}"))
                line = code.at(self.buffer, place, LLVM[goal])
                finish_row(gemm, code, self.epilogue, line, code.add(top, loop.index), column,
                           count, 2 * gemm.lanes)

        def columns() -> None:
            if base == column:
                rows(width)
                return
            whole = code.let(f"icmp eq i64 {column}, {base}")
            either(code, whole, lambda: rows(width), lambda: rows(gemm.n % width))

        if last is None:
            columns()
        else:
            with code.when(last):
                columns()


# -- pieces of text --------------------------------------------------------------------------------
def least(code: Code, x: Any, y: Any) -> str:
    less = code.pure(f"icmp slt i64 {x}, {y}")
    return code.pure(f"select i1 {less}, i64 {x}, i64 {y}")


def either(code: Code, condition: str | None, then: Any, other: Any) -> None:
    """One of two pieces of text without results."""
    yes, no, done = code.label("yes"), code.label("no"), code.label("done")
    code.do(f"br i1 {condition}, label %{yes}, label %{no}")
    for label, write in ((yes, then), (no, other)):
        code.start(label)
        code._known.append({})
        write()
        code._known.pop()
        code.do(f"br label %{done}")
    code.start(done)


# -- the call --------------------------------------------------------------------------------------
def _write_call(gemm: Gemm, module: Module, name: str, kernel: str) -> None:
    """The function that the region compiler calls."""
    outer = [("ptr", "%pool"), ("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("ptr", "%ctx"),
             ("ptr", "%work")]
    if gemm.flipped:
        outer[1], outer[2] = outer[2], outer[1]
    code = Code(module, name, outer, attributes=module.target.attributes)
    count, down, across = gemm.grid
    task = ""
    if gemm.grid != (1, 1, 1):
        code.do("%block = alloca [8 x i64], align 64")
        task = module.add(_write_task(gemm, module, f"{name}.task", kernel))
    if count > 1:
        _parallel(code, task, outer, 0, count)
    else:
        with code.loop(0, gemm.products) as loop:
            if down * across > 1:
                _parallel(code, task, outer, loop.index, down * across)
            else:
                _call_kernel(gemm, code, kernel, loop.index, "%work", "0", ("0", str(gemm.m)),
                             ("0", str(gemm.n)))
    module.functions[name] = code.text()


def _parallel(code: Code, task: str, outer: list, batch: Any, tasks: int) -> None:
    """Hand the tasks to the pool, with the arguments in a block of memory."""
    code.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
    for i, (kind, label) in enumerate([*outer[1:], ("i64", str(batch))]):
        code.do(f"store {kind} {label}, ptr {code.at('%block', i, 'i64')}")
    code.do(f"call void @tf_parallel(ptr %pool, ptr {task}, ptr %block, i64 {tasks})")


def _write_task(gemm: Gemm, module: Module, name: str, kernel: str) -> Code:
    """`task(block, number)`: some products of the stack, or a block of C."""
    code = Code(module, name, [("ptr", "%block"), ("i64", "%task")], linkage="internal",
                attributes=module.target.attributes)
    labels = ["%b", "%a"] if gemm.flipped else ["%a", "%b"]
    for i, label in enumerate([*labels, "%c", "%ctx", "%work"]):
        code.do(f"{label} = load ptr, ptr {code.at('%block', i, 'i64')}")
    code.do(f"%batch = load i64, ptr {code.at('%block', 5, 'i64')}")
    count, down, across = gemm.grid
    if count > 1:
        first, last = share(code, "%task", gemm.products, count, 1)
        each = gemm.part_bytes + gemm.own_bytes
        work = code.at("%work", code.mul("%task", each), "i8")
        with code.loop(first, last) as loop:
            _call_kernel(gemm, code, kernel, loop.index, work, "0", ("0", str(gemm.m)),
                         ("0", str(gemm.n)))
        return code
    down_at = code.pure(f"udiv i64 %task, {across}") if across > 1 else "%task"
    across_at = code.pure(f"urem i64 %task, {across}") if across > 1 else "0"
    rows = share(code, down_at, gemm.m, down, gemm.rows)
    columns = share(code, across_at, gemm.n, across, gemm.width)
    _call_kernel(gemm, code, kernel, "%batch", "%work", "%task", rows, columns)
    return code


def share(code: Code, i: str, total: int, parts: int, unit: int) -> tuple[str, str]:
    """Where the i-th of some parts begins and ends; cut at multiples of the unit."""
    if parts == 1:
        return "0", str(total)
    units = -(-total // unit)

    def edge(number: str) -> str:
        place = code.pure(f"udiv i64 {code.mul(number, units)}, {parts}")
        return least(code, code.mul(place, unit), total)

    return edge(i), edge(code.add(i, 1))


def split(code: Code, number: Any, sizes: list[int]) -> list[str]:
    """The indices along axes of these sizes, of an element whose number in their order is known."""
    found: list[str] = []
    rest = str(number)
    for size in reversed(sizes[1:]):
        quotient = code.pure(f"udiv i64 {rest}, {size}") if size > 1 else rest
        found.append(code.pure(f"sub nsw i64 {rest}, {code.mul(quotient, size)}")
                     if size > 1 else "0")
        rest = quotient
    return [rest, *reversed(found)] if sizes else []


def _call_kernel(gemm: Gemm, code: Code, kernel: str, batch: Any, work: str, slot: str,
                 rows: tuple[str, str], columns: tuple[str, str]) -> None:
    """slot: which of the tasks' own parts of the working memory."""
    kind = LLVM[gemm.dtype]
    places = ["0"] * 3
    for index, level in zip(split(code, batch, [level[0] for level in gemm.batch]), gemm.batch):
        places = [code.add(at, code.mul(index, step)) for at, step in zip(places, level[1:])]
    a, b, c = [code.at(label, at, kind) for label, at in zip(("%a", "%b", "%c"), places)]
    own = code.at(work, code.add(code.mul(slot, gemm.own_bytes), gemm.part_bytes), "i8")
    code.do(f"call void {kernel}(ptr {a}, ptr {b}, ptr {c}, ptr %ctx, ptr {work}, ptr {own}, "
            f"i64 {batch}, i64 {rows[0]}, i64 {rows[1]}, i64 {columns[0]}, i64 {columns[1]})")
