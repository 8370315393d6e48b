"""What a matrix product is: sizes, strides and dtype of C = A·B, or of a batch of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

from tapeflow.jit.codegen.builder import itemsize
from tapeflow.jit.codegen.partial_vectors import sum_dtype


class Strides(NamedTuple):
    """Of a matrix, in elements: from row to row, and from column to column."""

    row: int
    column: int


class BatchAxis(NamedTuple):
    """An axis of a batch of products: its size, and the strides of A, B and C along it."""

    size: int
    a: int
    b: int
    c: int


SINGLE = (BatchAxis(1, 0, 0, 0),)


@dataclass(frozen=True)
class Product:
    """C (m×n) = A (m×k) · B (k×n); rows of C are contiguous.

    batch: the axes of a batch of products, the outer first. accumulate: C + A·B instead.
    a_dtype, b_dtype: of the operands in memory, if it is another one: float32 that is rounded to
    `dtype` as it is loaded, or that has been widened.
    """

    m: int
    n: int
    k: int
    dtype: str
    a: Strides
    b: Strides
    c_row_stride: int
    batch: tuple[BatchAxis, ...] = SINGLE
    accumulate: bool = False
    a_dtype: str = ""
    b_dtype: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "a_dtype", self.a_dtype or self.dtype)
        object.__setattr__(self, "b_dtype", self.b_dtype or self.dtype)

    @classmethod
    def of(cls, sizes: tuple[int, int, int], dtype: str, a: Sequence[int], b: Sequence[int],
           c_row_stride: int | None = None, batch: Sequence[Sequence[int]] = SINGLE,
           accumulate: bool = False, a_dtype: str = "", b_dtype: str = "") -> Product:
        """From (m, n, k) and plain tuples; C is contiguous unless its stride is given."""
        m, n, k = sizes
        return cls(m, n, k, dtype, Strides(*a), Strides(*b),
                   n if c_row_stride is None else c_row_stride,
                   tuple([BatchAxis(*axis) for axis in batch]), accumulate, a_dtype, b_dtype)

    @property
    def count(self) -> int:
        """Products of the batch."""
        return prod(axis.size for axis in self.batch)

    @property
    def sum_dtype(self) -> str:
        """The dtype that sums are made in."""
        return sum_dtype(self.dtype)

    @property
    def sum_size(self) -> int:
        """Bytes of a sum."""
        return itemsize(self.sum_dtype)

    def transposed(self) -> Product:
        """Of a C that is one column: Cᵀ = Bᵀ·Aᵀ, the row that it is in memory."""
        assert self.n == 1
        return replace(
            self, m=1, n=self.m, a=Strides(0, self.b.row), b=Strides(self.a.column, self.a.row),
            a_dtype=self.b_dtype, b_dtype=self.a_dtype,
            batch=tuple([BatchAxis(axis.size, axis.b, axis.a, axis.c) for axis in self.batch]))
