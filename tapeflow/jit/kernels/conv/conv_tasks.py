"""Images in blocks, shared by tasks, and the memory for them: what plans of kernels have in common.

A kernel takes a block at a time: some images, or a band (some rows of positions) of one image. The
offsets of its windows are read from a table that is made at the start of a call: for each position
where its window begins in the (padded) images of a block, and which row of the result it makes.
Blocks have so many images that there are enough positions for whole tiles. An image that is copied
(to get a border, or to be widened) is copied band by band if it is large, so that the copy stays in
the cache. If there are few images, tasks take bands, or share positions where nothing is copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, itemsize
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.codegen.partial_vectors import sum_dtype
from tapeflow.jit.kernels.conv.conv_geometry import Phase, Window, geometry_of
from tapeflow.jit.kernels.conv.conv_padding import EmitPrologue
from tapeflow.jit.kernels.gemm.gemm_cost import GIGAHERTZ, MIN_TASK_CYCLES
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue

PADDED_BYTES_MAX = 64 << 20  # that tasks may take for padded images
BAND_BYTES = 256 << 10  # of the copy of a band; images of twice as many are not divided
TILE_POSITIONS = 64  # enough for whole tiles

TASKS = Choice("conv.tasks", ("one", "images", "positions"))
PADDED = Choice("conv.padded", (False, True))
BLOCKS = Choice("conv.blocks", ("images", "bands"))
JOINED = Choice("conv.joined_taps", (False, True))  # taps that are contiguous
IN_ORDER = Choice("conv.in_order", (False, True))  # results in the order of memory


class Element(NamedTuple):
    """A dtype of images and filters: its name, bytes, LLVM's type, lanes of a vector."""

    dtype: str
    size: int
    kind: str
    lanes: int


class Tile(NamedTuple):
    """What registers hold: rows (positions, or taps) and columns in so many vectors."""

    rows: int
    vectors: int
    columns: int


@dataclass(frozen=True)
class Tasks:
    """How many tasks there are; the images of a block; whether tasks share its positions; the rows
    of positions of a band, if blocks are such."""

    count: int
    images: int
    by_positions: bool
    rows: int = 0


@dataclass(frozen=True)
class Workspace:
    """Working memory: where the tables of window offsets and of result rows lie, and the padded
    images; bytes of a block of those, and of all."""

    offsets: int
    rows: int
    images: int
    block_bytes: int
    total: int


class ImagePlan:
    """What was chosen for an op: base of the plans of all kernels.

    A subclass sets `cycles`, `tasks` and `workspace`, and names the class that writes its text.

    element   that sums, packed filters and copied images are made of
    stored    that operands and results are made of: half precision is widened when it is packed or
              copied, and rounded when a sum is complete
    """

    writer: Any
    cycles: float
    tasks: Tasks
    workspace: Workspace
    border_value: Any = 0
    divides = False  # whether blocks may be bands

    def __init__(self, target: Any, window: Window):
        self.window, self.geometry = window, geometry_of(window)
        self.element = _element(target, sum_dtype(window.dtype))
        self.stored = _element(target, window.dtype)
        # Whether images are copied: to get a border, or to be widened.
        self.copies = self.geometry.padded or self.widens

    @property
    def widens(self) -> bool:
        """Whether operands are of half precision."""
        return self.element.dtype != self.stored.dtype

    @property
    def result_columns(self) -> int:
        """Columns of the result as a matrix."""
        return self.geometry.columns

    @property
    def work(self) -> int:
        """Bytes of working memory for one call."""
        return self.workspace.total

    @property
    def block_elements(self) -> int:
        """Of the padded images, or of the band, of a block."""
        geometry, tasks = self.geometry, self.tasks
        if tasks.rows:
            return geometry.rows_under(tasks.rows) * geometry.strides[0]
        return tasks.images * geometry.image_elements

    def block_counts(self, phase: Phase) -> list[int]:
        """Positions of a block: images, and along each axis."""
        rows = min(self.tasks.rows or phase.counts[0], phase.counts[0])
        return [self.tasks.images, rows, *phase.counts[1:]]

    @property
    def nanoseconds(self) -> float:
        return self.cycles / GIGAHERTZ

    def write(self, module: Module, name: str, epilogue: EmitEpilogue | None,
              prologue: EmitPrologue | None = None) -> None:
        """Write the op's function; see `conv_plan`."""
        self.writer(self, module, name, epilogue, prologue).write()

    def describe(self) -> str:
        raise NotImplementedError

    def _traits(self) -> list[str]:
        geometry, tasks = self.geometry, self.tasks
        words = [f"{len(geometry.taps)} taps"]
        if geometry.run > 1:
            words.append(f"{geometry.run} joined")
        if len(geometry.phases) > 1:
            words.append(f"{len(geometry.phases)} phases")
        if self.copies:
            words.append("border" if self.geometry.padded else "widened")
        if tasks.count > 1:
            shared = "positions" if tasks.by_positions else "bands" if tasks.rows else "images"
            words.append(f"{tasks.count} tasks over {shared}")
        return words


def _element(target: Any, dtype: str) -> Element:
    size = itemsize(dtype)
    return Element(dtype, size, LLVM[dtype], target.lanes(size))


def share_images(plan: ImagePlan, threads: int, enough: int = TILE_POSITIONS) -> Tasks:
    """Blocks of images with `enough` positions, or bands; parts of the batch, or of the positions
    if there are few images."""
    batch, geometry = plan.window.batch, plan.geometry
    wanted = int(min(4 * threads, plan.cycles // MIN_TASK_CYCLES)) if threads > 1 else 1
    images = min(batch, -(-enough // max(geometry.positions, 1)))
    if plan.divides and plan.copies and wanted > 1:  # tasks that share positions copy one by one
        images = min(images, max(1, batch // (2 * threads)))
    rows = _band_rows(plan, wanted, 2 * threads)
    blocks = -(-batch // images)
    if rows:
        images, blocks = 1, batch * -(-geometry.rows // rows)
    shared = "positions" if blocks < 2 * threads and not rows else "images"
    taken = TASKS(shared if wanted > 1 else "one",
                  ("one", "one" if rows else "positions", "images" if blocks > 1 else "one"))
    if taken == "one":
        return Tasks(1, images, False, rows)
    wanted = max(wanted, 2)
    if taken == "positions":
        return Tasks(wanted, batch, True)
    band = geometry.rows_under(rows) * geometry.strides[0] if rows else 0
    block_bytes = (band or images * geometry.image_elements) * plan.element.size
    most = max(threads, PADDED_BYTES_MAX // block_bytes)
    return Tasks(min(wanted, blocks, most), images, False, rows)


def _band_rows(plan: ImagePlan, wanted: int, few: int) -> int:
    """The rows of positions of a band; 0 if blocks are images."""
    geometry, batch = plan.geometry, plan.window.batch
    may = plan.divides and plan.copies and geometry.rows > 1
    line = max(1, geometry.strides[0] * plan.element.size)
    large = geometry.image_elements * plan.element.size > 2 * BAND_BYTES
    scarce = wanted > 1 and batch < few
    better = "bands" if may and (large or scarce) else "images"
    if BLOCKS(better, ("images", "bands" if may else "images")) == "images":
        return 0
    extent = geometry.rows_under(1)
    most = max(extent, (BAND_BYTES // line - extent) // geometry.row_stride + 1)
    bands = max(2, -(-geometry.rows // most), -(-wanted // batch) if scarce else 0)
    return -(-geometry.rows // bands)


def share_whole_images(plan: ImagePlan, threads: int) -> Tasks:
    """Tasks take whole images, one after the other: windows of one may meet in elements."""
    tasks = share_images(plan, threads, 1)
    if tasks.by_positions:
        return Tasks(min(tasks.count, plan.window.batch), 1, False)
    return tasks


def lay_out(plan: ImagePlan, start: int) -> Workspace:
    """The working memory from `start` on, which is the kernel's own."""
    geometry, tasks = plan.geometry, plan.tasks
    PADDED(plan.copies)
    JOINED(geometry.run > 1)
    IN_ORDER(geometry.in_order)
    table = round_up(8 * sum(prod(plan.block_counts(phase)) for phase in geometry.phases))
    offsets = round_up(start)
    rows = offsets + table
    images = rows + (0 if geometry.in_order else table)
    block = plan.block_elements * plan.element.size + 64
    block_bytes = round_up(block) if plan.copies else 0
    blocks = 1 if tasks.by_positions else tasks.count
    return Workspace(offsets, rows, images, block_bytes, images + block_bytes * blocks)


def register_tiles(target: Any, heights: range) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles that registers hold."""
    return [(rows, vectors) for vectors in range(1, 5) for rows in heights
            if (rows + 1) * vectors + 1 <= free_registers(target)]


def free_registers(target: Any) -> int:
    return int(target.registers - (1 if target.fma else 2))


def round_up(size: int, unit: int = 64) -> int:
    return -(-size // unit) * unit


def padding_cycles(plan: ImagePlan) -> float:
    """Copying images to give them a border, or to widen them."""
    return plan.window.batch * plan.geometry.image_elements / 4 if plan.copies else 0
