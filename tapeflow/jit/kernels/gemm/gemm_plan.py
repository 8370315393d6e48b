"""How a product is computed: kernel, tile, blocks, packing and tasks, chosen by estimates.

Two kernels: "tiles" (registers hold a tile of C, see `gemm_kernel`) and "dots" (both operands lie
along k, or C is a few columns wide: sums of vectors along k, see `gemm_dot`). A plan does not
depend on the number of threads but for its tasks, which do not change sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.partial_vectors import padded_width, vector_slots
from tapeflow.jit.kernels.gemm.gemm_cost import (
    CALL_CYCLES,
    GIGAHERTZ,
    MIN_TASK_CYCLES,
    dot_cycles,
    iteration_cycles,
    packing_cycles,
    tile_cycles,
    transposing_cycles,
)
from tapeflow.jit.kernels.gemm.gemm_fetch import (
    LINE_BYTES,
    Fetching,
    choose_fetching,
    lines_in_a_set,
)
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.kernels.gemm.gemm_widened import WidenedRows, widened

L1_BYTES, L2_BYTES, L3_BYTES = 32 << 10, 512 << 10, 4 << 20  # that blocks are made for
CROWDED = 16  # lines of so many have the same place in the nearest cache
TLB_BYTES = 256 << 10  # of pages whose addresses a core has at hand
# Of a panel of B: if the tiles read A along its rows, and across them, by lines that they share
PANEL_BYTES, PANEL_BYTES_ACROSS = 128 << 10, 64 << 10
PACKED_COLUMN_BYTES = 1536  # of a row of A in a packed block
PACKED_BEFORE_MOST = 16 << 20  # bytes of B
WIDENED_MOST, WIDENED_PANELS = 1 << 20, 4  # bytes of A in float32, and panels of B, for widening


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles that fill the registers, more or less."""
    registers = target.registers - (1 if target.fma else 2)
    found = []
    for vectors in range(1, 13):
        most = min((registers - vectors) // vectors, 16)
        found += [(rows, vectors) for rows in range(max(1, most // 2), most + 1)]
    return found


def dot_blocks(target: Any) -> list[tuple[int, int]]:
    """(rows, columns) of blocks of dot products."""
    return [(rows, columns) for rows in range(1, 9) for columns in (1, 2, 3, 4, 8)
            if rows * columns <= target.registers - 4]


KERNEL = Choice("gemm.kernel", ("tiles", "dots"))
TRANSPOSED = Choice("gemm.transposed", (False, True))
TILE = Choice("gemm.tile", tile_shapes)
DOT_BLOCK = Choice("gemm.dot_block", dot_blocks)
PACK_A = Choice("gemm.pack_a", (False, True))
PACK_B = Choice("gemm.pack_b", (False, True))
WIDENED = Choice("gemm.widened", (False, True))  # whether A is widened before the tasks
OVERLAP = Choice("gemm.overlap", (False, True))
K_BLOCKS = Choice("gemm.k", ("whole", "blocks"))
M_BLOCKS = Choice("gemm.m", ("whole", "blocks"))
TASKS = Choice("gemm.tasks", ("one", "batch", "rows", "columns", "both"))
PANELS = Choice("gemm.panels", ("by tasks", "before"))  # each task packs its own, or all at first


class Blocking(NamedTuple):
    """The blocks that a kernel takes, the smallest first.

    rows, columns: of C that registers hold at once; kc, mc: the depth, and the rows of A, that stay
    in the caches; overlap: the last tile begins earlier, and computes again what others have
    computed: then all tiles have one size, and one text.
    """

    rows: int
    columns: int
    kc: int
    mc: int
    pack_a: bool
    pack_b: bool
    overlap: bool


class KernelPlan(NamedTuple):
    """A kernel, and the cycles that it takes for one product."""

    kernel: str
    blocking: Blocking
    cycles: float


class TaskGrid(NamedTuple):
    """How many parts the batch, the rows and the columns of C are cut into."""

    batch: int
    rows: int
    columns: int

    @property
    def shared(self) -> str:
        """What tasks share."""
        if self.batch > 1:
            return "batch"
        return {(False, False): "one", (True, False): "rows", (False, True): "columns",
                (True, True): "both"}[self.rows > 1, self.columns > 1]


@dataclass(frozen=True)
class GemmPlan:
    """A product and what was chosen for it.

    transposed: a column is computed as a row, and `product` is that of the transposes; epilogue:
    C is not stored, but handed over row by row; lanes: of a vector of sums; packed_before: B is
    packed once for all tasks, by tasks of its own; fetching: what is asked for before it is read;
    widened: A as it is given, if it becomes float32 before the tasks, as `product` has it.
    """

    product: Product
    transposed: bool
    epilogue: bool
    lanes: int
    kernel: str
    blocking: Blocking
    cycles: float
    grid: TaskGrid
    packed_before: bool
    fetching: Fetching
    widened: WidenedRows | None = None

    @property
    def nanoseconds(self) -> float:
        return self.product.count * self.cycles / GIGAHERTZ

    @property
    def whole_k(self) -> bool:
        """Whether a tile is summed over all of k at once."""
        return self.blocking.kc >= self.product.k

    # -- working memory --------------------------------------------------------------------------
    @property
    def partial_sum_bytes(self) -> int:
        """Sums between two blocks of k, where C cannot hold them."""
        product = self.product
        if self.whole_k or not (self.epilogue or product.dtype != product.sum_dtype):
            return 0
        return _round_up(self.product.m * self.product.n * self.product.sum_size)

    @property
    def packed_bytes(self) -> int:
        """What each task packs: a block of A, or for dot products B."""
        product, blocking = self.product, self.blocking
        if self.kernel == "dots":
            return _round_up(product.n * product.k * product.sum_size) if blocking.pack_b else 0
        if not blocking.pack_a:
            return 0
        rows = min(blocking.mc, product.m) + blocking.rows
        return _round_up((rows * blocking.kc + self.lanes) * product.sum_size)

    @property
    def panel_bytes(self) -> int:
        """All panels of B, if they are packed before the tasks."""
        if not self.packed_before:
            return 0
        n, columns = self.product.n, self.blocking.columns
        whole = self.blocking.overlap and n >= columns  # the last panel too
        width = -(-n // columns) * columns if whole else padded_width(n, self.lanes)
        return _round_up(width * self.product.k * self.product.sum_size)

    @property
    def widened_bytes(self) -> int:
        """A in float32."""
        return 0 if self.widened is None else _round_up(self.widened.size)

    @property
    def shared_bytes(self) -> int:
        """What all tasks of a product read, which lies before what each has for itself."""
        return self.partial_sum_bytes + self.panel_bytes + self.widened_bytes

    @property
    def work(self) -> int:
        """Bytes of working memory for one call."""
        grid = self.grid
        if grid.batch > 1:
            return (self.partial_sum_bytes + self.packed_bytes) * grid.batch
        own = self.packed_bytes * grid.rows * grid.columns
        return self.shared_bytes + own

    def describe(self) -> str:
        blocking, grid = self.blocking, self.grid
        words = [f"{blocking.rows}x{blocking.columns} {self.kernel} of {self.product.dtype}"]
        if blocking.pack_b:
            words.append("B packed before" if self.packed_before else "B packed")
        if blocking.pack_a:
            words.append("A packed")
        if self.widened is not None:
            words.append("A widened before")
        if not self.whole_k:
            words.append(f"k in blocks of {blocking.kc}")
        if grid.shared != "one":
            words.append(f"{grid.batch}x{grid.rows}x{grid.columns} tasks")
        return ", ".join(words)


def plan_gemm(target: Any, product: Product, threads: int = 2, epilogue: bool = False) -> GemmPlan:
    """What `write_gemm` does for a product."""
    # A column, of rows that lie side by side: computed as the row that it is in memory.
    may = product.n == 1 and product.m > 1 and (product.c_row_stride == 1 or epilogue)
    transposed = TRANSPOSED(may and product.a.row == 1 and product.a.column != 1, (False, may))
    if transposed:
        product = product.transposed()
    lanes = target.lanes(product.sum_size)
    chosen = _choose_kernel(target, product, lanes)
    rows = _choose_widening(product, chosen)
    if rows is not None:
        product = widened(product)
        chosen = _choose_kernel(target, product, lanes)
    grid, packed_before = _choose_tasks(product, chosen, threads)
    fetching = _choose_fetching(product, chosen, lanes, epilogue)
    return GemmPlan(product, transposed, epilogue, lanes, *chosen, grid, packed_before, fetching,
                    rows)


def _choose_widening(product: Product, chosen: KernelPlan) -> WidenedRows | None:
    """A of half precision, if it is widened before the tasks: when they have many columns each
    would pack all of it. It is decided for any number of threads, since it decides about sums."""
    rows = WidenedRows.of(product)
    may = rows is not None and product.a_dtype != product.sum_dtype and product.count == 1 and (
        chosen.kernel == "tiles" and 0 < rows.size <= WIDENED_MOST)
    panels = _tiles_of(product, chosen.blocking)[1]
    pays = may and panels >= WIDENED_PANELS and chosen.cycles >= 2 * MIN_TASK_CYCLES
    return rows if WIDENED(pays, (False, may)) else None


# -- the kernel ------------------------------------------------------------------------------------
def _choose_kernel(target: Any, product: Product, lanes: int) -> KernelPlan:
    tiles = _plan_tiles(target, product, lanes)
    may = product.a.column == 1
    best = _best_dot_block(target, product, lanes) if may and product.k >= 2 * lanes else None
    better = best is not None and best[0] < tiles.cycles
    kernel = KERNEL("dots" if better else "tiles", ("tiles", "dots") if may else ())
    if kernel == "tiles":
        return tiles
    cycles, block = best or _best_dot_block(target, product, lanes)
    rows, columns = DOT_BLOCK(block, dot_blocks(target))
    must_pack = product.b.row != 1
    pack_b = PACK_B(must_pack, (must_pack, True))
    return KernelPlan("dots", Blocking(rows, columns, product.k, product.m, False, pack_b, False),
                      cycles)


def _best_dot_block(target: Any, product: Product, lanes: int) -> tuple[float, tuple[int, int]]:
    """Cycles, and (rows, columns)."""
    block = min(dot_blocks(target), key=lambda block: dot_cycles(product, lanes, *block))
    cycles = dot_cycles(product, lanes, *block) + CALL_CYCLES + transposing_cycles(product)
    return cycles, block


def _plan_tiles(target: Any, product: Product, lanes: int) -> KernelPlan:
    shapes = tile_shapes(target)
    rows, vectors = TILE(min(shapes, key=lambda shape: tile_cycles(product, lanes, *shape)), shapes)
    columns = vectors * lanes
    pack_a, pack_b = _choose_packing(product, rows, columns)
    kc = _choose_k_block(product, columns, pack_a, pack_b)
    mc = _choose_m_block(product, rows, kc, pack_a)
    cycles = tile_cycles(product, lanes, rows, vectors) + packing_cycles(product, pack_b)
    cycles += CALL_CYCLES
    may = kc >= product.k and not product.accumulate
    overlap = OVERLAP(may, (False, may))
    return KernelPlan("tiles", Blocking(rows, columns, kc, mc, pack_a, pack_b, overlap), cycles)


def _choose_packing(product: Product, rows: int, columns: int) -> tuple[bool, bool]:
    """Whether A and B are packed: those of half precision are widened then, once."""
    k, n, size = max(product.k, 1), product.n, product.sum_size
    half_a, half_b = [one != product.sum_dtype for one in (product.a_dtype, product.b_dtype)]
    tiles, panels = -(-product.m // rows), -(-n // columns)
    a, b = product.a, product.b
    # Rows of B that overlap (or come twice) must not be read beyond their ends.
    must = n > 0 and (b.column != 1 or (b.row < n and k > 1))
    # A copy costs as much as some rows of C. That is too much for few of them, unless each tile
    # would read B from far: its rows crowd in the cache or are more than it holds, or A is there.
    slow = lines_in_a_set(b.row * size) >= CROWDED or k * n * size > L3_BYTES // 2 or a.column != 1
    pays = tiles >= (8 if slow else 64) and b.row * size >= 384 and k * n * size > L1_BYTES // 2
    pack_b = PACK_B(must or pays or (half_b and tiles >= 3), (must, True))
    # A's rows across the lines of memory: a tile would take a few elements of each line.
    across = a.column != 1 and panels >= 4 and tiles >= 2 and a.column * size >= 128 and (
        2 * rows * size < LINE_BYTES)
    far = panels >= 16 and k * a.column * size >= TLB_BYTES
    pack_a = PACK_A(half_a or (across and (far or k * 64 >= L1_BYTES // 2)), (False, True))
    return pack_a, pack_b


def _choose_k_block(product: Product, columns: int, pack_a: bool, pack_b: bool) -> int:
    """kc: the depth of a block."""
    m, k, size = product.m, max(product.k, 1), product.sum_size
    panel_bytes = PANEL_BYTES if product.a.column == 1 else PANEL_BYTES_ACROSS
    deepest = PACKED_COLUMN_BYTES // size if pack_a else panel_bytes // (columns * size)
    kc = -(-k // -(-k // deepest))
    if m <= 8 and not pack_b and k * product.n * size > 2 * L1_BYTES:
        # Little use of each element of B: its rows are best read along memory.
        kc = 8 if m == 1 and k * product.n * size > L2_BYTES // 2 else 16
    possible = "whole" if k == 1 else "blocks"
    best = "whole" if kc >= k else "blocks"
    if K_BLOCKS(best, ("whole", possible)) != best:
        kc = k if best == "blocks" else -(-k // 2)
    return kc


def _choose_m_block(product: Product, rows: int, kc: int, pack_a: bool) -> int:
    """mc: the rows of A in a block."""
    block_bytes = L3_BYTES if not pack_a else L2_BYTES * 2
    mc = max(1, block_bytes // (kc * product.sum_size * rows)) * rows
    best = "whole" if mc >= product.m else "blocks"
    if M_BLOCKS(best, ("whole", "blocks" if product.m > rows else "whole")) != best:
        mc = product.m if best == "blocks" else rows
    return mc


def _choose_fetching(product: Product, chosen: KernelPlan, lanes: int, epilogue: bool) -> Fetching:
    blocking = chosen.blocking
    if chosen.kernel != "tiles":
        return Fetching()
    cycles = iteration_cycles(min(blocking.rows, product.m),
                              len(vector_slots(min(blocking.columns, product.n), lanes)))
    return choose_fetching(product, (blocking.rows, blocking.columns), cycles, blocking.kc,
                           (blocking.pack_a, blocking.pack_b), epilogue)


# -- tasks -----------------------------------------------------------------------------------------
# In tiles' times: packing a panel, or the rows of a tile; bringing either near; one more hand-over.
PACK_PANEL, PACK_ROWS, NEAR, HAND_OVER = 0.8, 0.5, 0.05, 1


def _choose_tasks(product: Product, chosen: KernelPlan, threads: int) -> tuple[TaskGrid, bool]:
    """The tasks, and whether B is packed before them."""
    size = product.k * product.n * product.sum_size
    may = chosen.kernel == "tiles" and chosen.blocking.pack_b and 0 < size <= PACKED_BEFORE_MOST
    own, together = [_best_grid(product, chosen, threads, before) for before in (False, True)]
    better = may and together.cost < own.cost
    before = PANELS("before" if better else "by tasks",
                    ("by tasks", "before" if may else "by tasks")) == "before"
    grid = _force_tasks(product, chosen, (together if before else own).grid)
    return grid, before and grid.rows * grid.columns > 1


def _force_tasks(product: Product, chosen: KernelPlan, best: TaskGrid) -> TaskGrid:
    tiles, panels = _tiles_of(product, chosen.blocking)
    smallest = {grid.shared: grid for grid in (
        TaskGrid(1, 1, 1), TaskGrid(min(product.count, 2), 1, 1), TaskGrid(1, min(tiles, 2), 1),
        TaskGrid(1, 1, min(panels, 2)), TaskGrid(1, min(tiles, 2), min(panels, 2)))}
    shared = TASKS(best.shared, smallest)
    return best if shared == best.shared else smallest[shared]


class GridCost(NamedTuple):
    """Tasks, and about how many tiles a thread could compute in their time."""

    cost: float
    grid: TaskGrid


def _best_grid(product: Product, chosen: KernelPlan, threads: int,
               packed_before: bool) -> GridCost:
    cycles, count, blocking = chosen.cycles, product.count, chosen.blocking
    wanted = int(min(4 * threads, cycles * count // MIN_TASK_CYCLES))
    if threads == 1 or wanted < 2:
        return GridCost(0, TaskGrid(1, 1, 1))
    if wanted > threads:
        wanted -= wanted % threads  # all threads are done at the same time
    if count >= 2 * threads or cycles < 2 * MIN_TASK_CYCLES:
        return GridCost(0, TaskGrid(min(wanted, count), 1, 1))
    tiles, panels = _tiles_of(product, blocking)
    best: list[GridCost] = []
    for across in range(1, min(panels, wanted) + 1):
        down = min(tiles, wanted // across)
        height, width = -(-tiles // down), -(-panels // across)
        # Packing a panel, or rows for it, takes about as long as half a tile or more.
        each = height * width + PACK_ROWS * height * blocking.pack_a
        each += (NEAR if packed_before else PACK_PANEL) * width * blocking.pack_b
        if product.a.column == 1:
            each += NEAR * height
        cost = -(-down * across // threads) * each
        if packed_before:
            cost += PACK_PANEL * panels / threads + HAND_OVER
        best.append(GridCost(cost, TaskGrid(1, down, across)))
    return min(best)


def _tiles_of(product: Product, blocking: Blocking) -> tuple[int, int]:
    """Tiles along the rows and along the columns of C."""
    return -(-product.m // blocking.rows), -(-product.n // blocking.columns)


def _round_up(size: int) -> int:
    return -(-size // 64) * 64
