"""Blocks of pixels moved between space and batch or depth: reshapes and transposes of others' ops.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import fill_like, reshape, stack, transpose
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, brackets, int_vector, integers
from tapeflow.ops.array.padding import crop, pad_zeros


def _amounts(value: Any, count: int, op: str, label: str) -> tuple:
    """A (count, 2) matrix of paddings or crops as pairs."""
    rows = integers(value, op, f"T{label}")._value
    if rows.shape != (count, 2):
        raise errors.invalid(op, f"{label} should have shape [{count}, 2] instead of "
                                 f"{brackets(rows.shape)}")
    if rows.size and rows.min() < 0:
        raise errors.invalid(op, f"{label} must be non-negative: {rows.tolist()}")
    return tuple([(before, after) for before, after in rows.tolist()])


def _blocks(block_shape: Any, op: str) -> tuple:
    blocks = int_vector(block_shape, op, "Tblock_shape", "block_shape rank should be 1, got shape")
    if any(b < 1 for b in blocks):
        raise errors.invalid(op, f"All values in block_shape must be positive, got {blocks}")
    return blocks


def deferred_shape(rule: Callable) -> Callable[[Callable], Callable]:
    """Below `@deferrable`: `rule`, called as the function is, gives the shape of its one result, of
    its first operand's dtype, where sizes are not known; without a rule trials tell it
    (`graph/tracing/deferred_calls.py`)."""
    def mark(function: Callable) -> Callable:
        setattr(function, "deferred_shape", rule)  # noqa: B010
        return function

    return mark


def _open_shape(input: Any, block_shape: Any, amounts: Any, name: str | None = None,
                back: bool = False) -> Any:
    """What is known of the result while sizes are not; back: from the batch axis into space."""
    shape, blocks = convert(input).shape, convert(block_shape, dtypes.int32)
    if shape.rank is None:
        return None
    count, sizes = blocks.shape.num_elements(), shape.as_list()
    if count is None or count >= shape.rank:
        return (None,) * shape.rank
    given = convert(amounts, dtypes.int32)
    if type(blocks) is not Tensor or type(given) is not Tensor:
        return (*(None,) * (1 + count), *sizes[1 + count:])
    each, whole = blocks._value.reshape(-1).tolist(), prod(blocks._value.reshape(-1).tolist())
    more = given._value.reshape(-1, 2).sum(1).tolist()

    def blocked(n: int | None, by: int, around: int) -> int | None:
        return None if n is None or not by else n * by - around if back else (n + around) // by

    batch = sizes[0] and (sizes[0] // whole if back and whole else sizes[0] * whole)
    inner = [blocked(*one) for one in zip(sizes[1:1 + count], each, more, strict=True)]
    return (batch, *inner, *sizes[1 + count:])


@export("space_to_batch", "nn.space_to_batch")
@deferrable
@deferred_shape(_open_shape)
def space_to_batch(input: Any, block_shape: Any, paddings: Any,
                   name: str | None = None) -> Tensor:
    """Spatial positions, after padding, dealt out in blocks to the batch axis."""
    return space_to_batch_nd(input, block_shape, paddings)


@export("space_to_batch_nd")
@deferrable
@deferred_shape(_open_shape)
def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any,
                      name: str | None = None) -> Tensor:
    """Spatial positions, after padding, dealt out in blocks to the batch axis."""
    op = "SpaceToBatchND"
    x, blocks = operand(input), _blocks(block_shape, op)
    m, rank = len(blocks), len(shape_of(x))
    if rank <= m:
        raise errors.invalid(op, f"input rank should be >= {m + 1} instead of {rank}")
    amounts = _amounts(paddings, m, op, "paddings")
    padded = pad_zeros(x, ((0, 0), *amounts, *((0, 0),) * (rank - m - 1)))
    shape = shape_of(padded)
    for i, b in enumerate(blocks):
        if shape[i + 1] % b:
            raise errors.invalid(op, f"padded_shape[{i}]={shape[i + 1]} is not divisible by "
                                     f"block_shape[{i}]={b}")
    pairs = [n for i, b in enumerate(blocks) for n in (shape[i + 1] // b, b)]
    split = reshape(padded, shape=(shape[0], *pairs, *shape[m + 1:]))
    rest = tuple(range(2 * m + 1, rank + m))
    moved = transpose(split, perm=(*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m + 1, 2), *rest))
    return reshape(moved, shape=(shape[0] * prod(blocks), *pairs[::2], *shape[m + 1:]))


@export("batch_to_space")
@deferrable
@deferred_shape(lambda input, block_shape, crops, name=None: _open_shape(
    input, [block_shape] * 2 if isinstance(block_shape, int) else block_shape, crops, back=True))
def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """Undoes space_to_batch: blocks from the batch axis back into space, then cropped."""
    op = "BatchToSpaceND"
    if isinstance(block_shape, int):
        block_shape = [block_shape, block_shape]
    x, blocks = operand(input), _blocks(block_shape, op)
    m, shape, whole = len(blocks), shape_of(x), prod(blocks)
    if len(shape) <= m:
        raise errors.invalid(op, f"input rank should be >= {m + 1} instead of {len(shape)}")
    amounts = _amounts(crops, m, op, "crops")
    if shape[0] % whole:
        raise errors.invalid(op, f"Input batch dimension ({shape[0]}) is not divisible by product "
                                 f"of block sizes ({whole})")
    split = reshape(x, shape=(*blocks, shape[0] // whole, *shape[1:]))
    order = [m, *[axis for i in range(m) for axis in (m + 1 + i, i)],
             *range(2 * m + 1, m + len(shape))]
    sizes = [shape[i + 1] * b for i, b in enumerate(blocks)]
    joined = reshape(transpose(split, perm=tuple(order)),
                     shape=(shape[0] // whole, *sizes, *shape[m + 1:]))
    for (before, after), n in zip(amounts, sizes, strict=True):
        if before + after > n:
            raise errors.invalid(op, f"cropped_shape would be negative: {n} - {before} - {after}")
    return crop(joined, crops=((0, 0), *amounts, *((0, 0),) * (len(shape) - m - 1)))


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(input_shape: Any, block_shape: Any, base_paddings: Any = None,
                                     name: str | None = None) -> tuple:
    """Paddings that make a shape divisible into blocks, and the crops that undo them."""
    sizes, blocks = convert(input_shape, dtypes.int32), convert(block_shape, dtypes.int32)
    if len(shape_of(sizes)) != 1 or not agree(shape_of(sizes), shape_of(blocks)):
        raise ValueError(f"Shapes {sizes.shape} and {blocks.shape} are incompatible")
    if base_paddings is None:
        before = after = fill_like(blocks, value=0)
    else:
        base = convert(base_paddings, dtypes.int32)
        before, after = base[:, 0], base[:, 1]
    more = -(sizes + before + after) % blocks
    return (stack(before, after + more, axis=1), stack(fill_like(more, value=0), more, axis=1))


def _image(input: Any, block_size: int, data_format: str, op: str) -> Any:
    """The operand of depth_to_space and space_to_depth, channels last."""
    x = operand(input)
    if block_size < 2:
        raise errors.invalid(op, f"Value for attr 'block_size' of {block_size} must be at least "
                                 "minimum 2")
    if data_format not in ("NHWC", "NCHW", "NCHW_VECT_C"):
        raise errors.invalid(op, f"Value for attr 'data_format' of \"{data_format}\" is not in the "
                                 "list of allowed values: \"NHWC\", \"NCHW\", \"NCHW_VECT_C\"")
    if data_format != "NHWC":
        raise errors.NotFoundError(None, None, f"Could not find device for node: {op} of "
                                               f"data_format {data_format} on a CPU [Op:{op}]")
    if len(shape_of(x)) != 4:
        raise errors.invalid(op, f"Input rank should be 4 instead of {len(shape_of(x))}")
    return x


def _first_open(x: Any) -> tuple:
    """Its sizes; -1 for a number of images that is not known, as `reshape` takes it."""
    n, *others = shape_of(x)
    return (-1 if n is None else n, *others)


@export("nn.space_to_depth")
@deferrable
def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC",
                   name: str | None = None) -> Tensor:
    """Blocks of pixels become channels: (N, H, W, C) to (N, H/b, W/b, b·b·C)."""
    x, b = _image(input, block_size, data_format, "SpaceToDepth"), block_size
    n, height, width, depth = _first_open(x)
    if height % b or width % b:
        raise errors.invalid("SpaceToDepth", f"Image width {width} and height {height} should be "
                                             f"divisible by block_size: {b}")
    split = reshape(x, shape=(n, height // b, b, width // b, b, depth))
    return reshape(transpose(split, perm=(0, 1, 3, 2, 4, 5)),
                   shape=(n, height // b, width // b, b * b * depth))


@export("nn.depth_to_space")
@deferrable
def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC",
                   name: str | None = None) -> Tensor:
    """Channels become blocks of pixels: (N, H, W, b·b·C) to (N, b·H, b·W, C)."""
    x, b = _image(input, block_size, data_format, "DepthToSpace"), block_size
    n, height, width, depth = _first_open(x)
    if depth % (b * b):
        raise errors.invalid("DepthToSpace", f"Input depth dimension {depth} should be divisible "
                                             f"by: {b * b}")
    split = reshape(x, shape=(n, height, width, b, b, depth // (b * b)))
    return reshape(transpose(split, perm=(0, 1, 3, 2, 4, 5)),
                   shape=(n, height * b, width * b, depth // (b * b)))
